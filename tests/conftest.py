"""The messages compiled before any test, and fixtures of all tests that use the database."""

import pytest

from tests.cast import Cast, make_cast
from tournaments.locale.messages import compile_all


def pytest_configure(config: pytest.Config) -> None:
    """Pages are tested in three languages: compile these once, before any worker has read them."""
    if not hasattr(config, "workerinput"):
        compile_all()


@pytest.fixture
def cast(db: None) -> Cast:
    """Organizer, scorekeeper, judge, player, opponent, stranger."""
    return make_cast()
