"""One small cast for every test, named by role."""

from dataclasses import dataclass

from tests.remembered import forget_what_is_kept_by_row, remembered
from tournaments.accounts.models import User
from tournaments.accounts.services import create_account

PASSWORD = "correct-horse-battery"


def account(name: str) -> User:
    """An account whose person is called `name`; it signs in with `PASSWORD`."""
    return create_account(
        email=f"{name.lower().replace(' ', '.')}@example.com", password=PASSWORD, given_name=name, family_name=""
    )


@dataclass
class Cast:
    """The people of a test. Roles at an event are given by `builders.an_event`."""

    organizer: User
    scorekeeper: User
    judge: User
    player: User
    opponent: User
    stranger: User


def make_cast() -> Cast:
    """A fresh cast, each with an account of its own."""
    forget_what_is_kept_by_row()
    return _cast()


@remembered
def _cast() -> Cast:
    return Cast(*(account(name) for name in ("Organizer", "Scorekeeper", "Judge", "Player 1", "Player 2", "Stranger")))
