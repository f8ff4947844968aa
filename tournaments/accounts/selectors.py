"""Read access to accounts, for pages and the API."""

from collections.abc import Collection

from django.db.models import F, Q, QuerySet

from tournaments.accounts.models import ApiToken, User


def account_of_address(email: str) -> User | None:
    """The active account that an e-mail address stands for, or None.

    That is the account that has the address, otherwise the last one that named it and has not confirmed it yet. It is
    always one query, so that the time taken does not reveal whether there is an account.
    """
    typed = email.strip().lower()
    named = User.objects.filter(Q(email=typed) | Q(email=None, new_email=typed), is_active=True).exclude(
        email=None, new_email=""
    )
    return named.order_by(F("email").desc(nulls_last=True), "-pk").first()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """An account's API tokens, newest first, including revoked ones."""
    return user.api_tokens.order_by("-created_at", "-pk")


def name_of(account: User) -> str:
    """The public name of the first person an account acts for; prefetch `persons` in lists."""
    persons = sorted(account.persons.all(), key=lambda person: person.pk)  # order_by would ignore the prefetched rows
    return persons[0].name if persons else account.public_id


def names_of_accounts(keys: Collection[int]) -> dict[int, str]:
    """The names of accounts by primary key, as `name_of` gives them. Two queries, or none without keys."""
    found = User.objects.filter(pk__in=keys).prefetch_related("persons") if keys else ()
    return {account.pk: name_of(account) for account in found}
