"""Long work can be given up: the engine asks at natural points."""

import pytest

import engine
from engine.core.replay.selfplay import play
from engine.core.table.game import Wanted


class GivenUp(Exception):
    """Raised by the tests to give up."""


class Asked:
    """Counts how often it is asked, and gives up when it has been asked `most` times."""

    def __init__(self, most: int) -> None:
        self.times, self.most = 0, most

    def __call__(self) -> None:
        self.times += 1
        if self.times >= self.most:
            raise GivenUp


@pytest.mark.parametrize("game", engine.games())
def test_a_replay_asks_at_every_entry_whether_to_go_on(game: str) -> None:
    log = play(game, 3)
    ask = Asked(10_000_000)
    with engine.asking(ask):
        report = engine.audit(log)
    assert report.verdict == "confirmed" and ask.times >= len(log["moves"])


def test_an_audit_that_is_given_up_reports_nothing() -> None:
    with pytest.raises(GivenUp), engine.asking(Asked(5)):
        engine.audit(play("star-safir", 3))


def test_listing_groups_of_cards_can_be_given_up() -> None:
    with pytest.raises(GivenUp), engine.asking(Asked(5)):
        list(Wanted().groups(range(60)))


def test_nobody_is_asked_after_the_block() -> None:
    ask = Asked(1)
    with engine.asking(ask):
        pass
    assert engine.audit(play("star-safir", 3)).verdict == "confirmed" and ask.times == 0
