"""One small cast of accounts for every test, named by their roles."""

from dataclasses import dataclass

from tests.remembered import forget_what_is_kept_by_row, remembered
from tournaments.accounts.models import User
from tournaments.accounts.services import create_account

PASSWORD = "correct-horse-battery"


def account(name: str) -> User:
    """Create an account whose person is called `name` and whose password is `PASSWORD`."""
    return create_account(
        email=f"{name.lower().replace(' ', '.')}@example.com", password=PASSWORD, given_name=name, family_name=""
    )


@dataclass
class Cast:
    """The people of a test. `builders.an_event` gives them their roles at an event."""

    organizer: User
    scorekeeper: User
    judge: User
    player: User
    opponent: User
    stranger: User


def make_cast() -> Cast:
    """Create the cast, with an account for each of them."""
    forget_what_is_kept_by_row()
    return _cast()


@remembered
def _cast() -> Cast:
    return Cast(*(account(name) for name in ("Organizer", "Scorekeeper", "Judge", "Player 1", "Player 2", "Stranger")))
