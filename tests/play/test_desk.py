"""Results at the desk: entered with their drops, never over another result unseen or without a reason, and undone."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of, play_out, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.events.models import Entrant
from tournaments.play import services as play
from tournaments.play.models import Match, Report
from tournaments.play.selectors import newest_report_id

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def match(cast: Cast) -> Match:
    """The match of the cast's player in round 1."""
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


def state(match: Match) -> tuple[object, ...]:
    fresh = Match.objects.get(pk=match.pk)
    seats = fresh.seats.order_by("number")
    return fresh.authority, fresh.has_result, list(seats.values_list("games_won", "points"))


def entrants(match: Match) -> list[Entrant]:
    return [seat.entrant for seat in match.seats.select_related("entrant").order_by("number")]


def test_a_slip_enters_its_result_and_drops_and_repeating_it_does_nothing(cast: Cast, match: Match) -> None:
    gone = entrants(match)[1]
    enter = {"match": match, "by": cast.scorekeeper, "games": (2, 1, 0)}
    assert play.enter_result(**enter, drops=[gone], now=NOW)
    gone.refresh_from_db()
    assert (gone.status, state(match)) == ("dropped", ("witnessed", True, [(2, 3), (1, 0)]))
    entries = LedgerEntry.objects.count()
    assert not play.enter_result(**enter, drops=[gone], now=LATER)
    assert LedgerEntry.objects.count() == entries


def test_a_slip_with_the_result_that_both_players_agreed_on_needs_no_reason(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 1, 0), now=NOW)
    play.confirm_result(match=match, report=report, by=second, now=NOW)
    assert not play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=LATER)
    assert state(match) == ("agreed", True, [(2, 3), (1, 0)])
    with assert_refused("reason_missing"):
        play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=LATER)


def test_replacing_another_result_or_waiting_report_needs_a_reason(cast: Cast, match: Match) -> None:
    play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    with assert_refused("reason_missing"):
        play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=LATER)
    assert state(match)[0] == "claimed"
    assert play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), reason="The slip is signed.", now=LATER)
    with assert_refused("reason_missing"):
        play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=LATER)
    assert state(match) == ("witnessed", True, [(0, 0), (2, 3)])


def refused(code: str, **entered: object) -> list[object]:
    """Enter a result that has to be refused with this code; returns the details of the refusal."""
    with pytest.raises(Refusal) as caught:
        play.enter_result(**entered)  # type: ignore[arg-type]
    assert caught.value.code == code
    return list(caught.value.details)


def test_a_report_that_was_looked_at_is_replaced_without_a_reason(cast: Cast, match: Match) -> None:
    play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    enter = {"match": match, "by": cast.scorekeeper, "games": (0, 2, 0), "now": LATER}
    assert refused("reason_missing", **enter) == [{"games": [2, 0, 0], "kind": "played"}]
    assert play.enter_result(**enter, seen=newest_report_id(match))
    assert refused("reason_missing", **{**enter, "games": (2, 1, 0)}, seen=newest_report_id(match)) == [
        {"games": [0, 2, 0], "kind": "played"}
    ]


def test_a_result_entered_since_is_not_replaced_whatever_the_reason(cast: Cast, match: Match) -> None:
    seen = newest_report_id(match)
    play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=NOW)
    enter = {"match": match, "by": cast.scorekeeper, "games": (0, 2, 0), "reason": "The slip is signed.", "now": LATER}
    assert refused("result_changed", **enter, seen=seen) == [{"games": [2, 1, 0], "kind": "played"}]
    assert state(match) == ("witnessed", True, [(2, 3), (1, 0)])
    assert play.enter_result(**enter, seen=newest_report_id(match))


def test_a_report_of_the_same_result_that_was_not_seen_is_no_conflict(cast: Cast, match: Match) -> None:
    seen = newest_report_id(match)
    play.report_result(match=match, by=users_of(match)[0], games=(2, 1, 0), now=NOW)
    assert play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), seen=seen, now=LATER)
    assert state(match)[0] == "witnessed"


def test_a_slip_that_agrees_with_one_of_two_differing_reports_needs_a_reason(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    play.report_result(match=match, by=first, games=(2, 1, 0), now=NOW)
    play.report_result(match=match, by=second, games=(0, 2, 0), now=NOW)
    enter = {"match": match, "by": cast.scorekeeper, "now": LATER}
    for agrees, differs in (((2, 1, 0), [0, 2, 0]), ((0, 2, 0), [2, 1, 0])):
        assert refused("reason_missing", **enter, games=agrees) == [{"games": differs, "kind": "played"}]
    assert play.enter_result(**enter, games=(2, 1, 0), reason="The slip is signed by both.")


def test_a_correction_after_the_end_reopens_the_event_and_drops_with_the_same_entry(cast: Cast, match: Match) -> None:
    event, gone = match.round.stage.event, entrants(match)[1]
    play_out(match.round, cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    correct = {"match": match, "by": cast.organizer, "games": (0, 2, 0), "now": LATER, "drops": [gone]}
    assert refused("event_state", **correct, reason="Misread.") == []
    assert refused("reason_missing", **correct, reopen=True) == []
    assert play.enter_result(**correct, reason="Misread.", reopen=True)
    for changed in (event, gone):
        changed.refresh_from_db()
    assert (event.status, gone.status, state(match)[2]) == ("running", "dropped", [(0, 0), (2, 3)])


def test_a_refused_result_drops_nobody(cast: Cast, match: Match) -> None:
    gone = entrants(match)[0]
    with assert_refused("score_invalid"):
        play.enter_result(match=match, by=cast.scorekeeper, games=(3, 0, 0), drops=[gone], now=NOW)
    gone.refresh_from_db()
    assert gone.status == "registered"


def test_only_players_of_the_table_can_drop_with_its_slip(cast: Cast, match: Match) -> None:
    elsewhere = Entrant.objects.exclude(seats__match=match).first()
    assert elsewhere
    with assert_refused("drop_elsewhere"):
        play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), drops=[elsewhere], now=NOW)
    assert not state(match)[1]


def test_undoing_a_slip_undoes_its_result_and_its_drops(cast: Cast, match: Match) -> None:
    report = play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    before = state(match)
    play.enter_result(
        match=match, by=cast.scorekeeper, games=(0, 2, 0), reason="Signed.", drops=entrants(match)[:1], now=LATER
    )
    play.undo_result(match=match, by=cast.scorekeeper, now=LATER)
    report.refresh_from_db()
    assert (state(match), report.status) == (before, Report.Status.STANDING)
    assert {entrant.status for entrant in entrants(match)} == {"registered"}
    with assert_refused("nothing_to_undo"):
        play.undo_result(match=match, by=cast.scorekeeper, now=LATER)


def test_undoing_a_correction_restores_the_result_before_it(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 1, 0), now=NOW)
    play.confirm_result(match=match, report=report, by=second, now=NOW)
    before = state(match)
    play.enter_result(match=match, by=cast.scorekeeper, games=(1, 2, 0), reason="Upside down.", now=LATER)
    assert state(match) != before
    play.undo_result(match=match, by=cast.scorekeeper, now=LATER)
    assert state(match) == before


def test_slips_of_others_and_of_closed_rounds_cannot_be_undone(cast: Cast, match: Match) -> None:
    with assert_refused("nothing_to_undo"):
        play.undo_result(match=match, by=cast.scorekeeper, now=NOW)
    for other in match.round.matches.all():
        play.enter_result(match=other, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    with assert_refused("nothing_to_undo"):
        play.undo_result(match=match, by=cast.organizer, now=NOW)
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    with assert_refused("round_state"):
        play.undo_result(match=match, by=cast.scorekeeper, now=NOW)
