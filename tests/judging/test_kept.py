"""The work of judges in the file of an event, which must verify."""

import pytest

from tests.archive.files import file_of, lines_of, rows, verified
from tests.builders import NOW, a_published_round, a_running_event, match_of, play_out
from tests.cast import Cast
from tournaments.events.models import Entrant
from tournaments.judging.checks import check_table, finish_check
from tournaments.judging.penalties import give_penalty, reopen_with_penalty
from tournaments.judging.services import call_judge, note_turn
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


def test_the_event_file_has_calls_penalties_checks_and_reopened_lists_and_verifies(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    player = Entrant.objects.select_related("event").get(event=event, member__person__account=cast.player)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    call_judge(match=match, by=cast.player, now=NOW)
    note_turn(match=match, turn=1, by=cast.judge, now=NOW)
    finish_check(
        check=check_table(match=match, by=cast.judge, now=NOW)[0], counted={}, others="a, b", by=cast.judge, now=NOW
    )
    give_penalty(entrant=player, infraction="insult", level="match_loss", by=cast.judge, now=NOW, note="said so")
    reopen_with_penalty(entrant=player, reason="so", level="game_loss", when="next_round", by=cast.judge, now=NOW)
    play_out(match.round, cast.organizer)
    second = a_published_round(event, cast.organizer)
    play.unpublish_round(round_=second, by=cast.organizer, now=NOW)
    second.refresh_from_db()
    play.publish_round(round_=second, by=cast.organizer, now=NOW)
    data = file_of(event)
    assert verified(data).holds, verified(data).faults
    lines = lines_of(data)
    held = {name: len(rows(lines, name)) for name in ("call", "end_turn", "penalty", "loss", "deck_check")}
    assert held == {"call": 1, "end_turn": 1, "penalty": 2, "loss": 2, "deck_check": 2}
    assert "a, b" not in file_of(event, names=False).decode()
