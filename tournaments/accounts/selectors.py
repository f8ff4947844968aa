"""What pages and the API read of accounts."""

from django.db.models import QuerySet

from tournaments.accounts.models import ApiToken, User


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """An account's API tokens, newest first, revoked ones included."""
    return user.api_tokens.order_by("-created_at", "-pk")


def name_of(account: User) -> str:
    """The public name of the first person an account acts for; prefetch `persons` in lists."""
    persons = sorted(account.persons.all(), key=lambda person: person.pk)
    return persons[0].name if persons else account.public_id
