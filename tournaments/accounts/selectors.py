"""What pages and the API read of accounts."""

from django.db.models import F, Q, QuerySet

from tournaments.accounts.models import ApiToken, User


def account_of_address(email: str) -> User | None:
    """The account that an e-mail address stands for: the one that has it, else the last one that named it and has not
    confirmed it yet. One query, whatever it finds.
    """
    typed = email.strip().lower()
    named = User.objects.filter(Q(email=typed) | Q(email=None, new_email=typed), is_active=True).exclude(
        email=None, new_email=""
    )
    return named.order_by(F("email").desc(nulls_last=True), "-pk").first()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """An account's API tokens, newest first, revoked ones included."""
    return user.api_tokens.order_by("-created_at", "-pk")


def name_of(account: User) -> str:
    """The public name of the first person an account acts for; prefetch `persons` in lists."""
    persons = sorted(account.persons.all(), key=lambda person: person.pk)
    return persons[0].name if persons else account.public_id
