"""Slips at the desk: entered with their drops, never silently over another result, and taken back whole."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant
from tournaments.play import services as play
from tournaments.play.models import Match, Report

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of the first round that the cast's player plays."""
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


def state(match: Match) -> tuple[object, ...]:
    fresh = Match.objects.get(pk=match.pk)
    seats = fresh.seats.order_by("number")
    return fresh.authority, fresh.has_result, list(seats.values_list("games_won", "points"))


def entrants(match: Match) -> list[Entrant]:
    return [seat.entrant for seat in match.seats.select_related("entrant").order_by("number")]


def test_a_slip_counts_with_its_drops_and_the_same_again_is_a_tick(cast: Cast, match: Match) -> None:
    gone = entrants(match)[1]
    enter = {"match": match, "by": cast.scorekeeper, "games": (2, 1, 0)}
    assert play.enter_slip(**enter, drops=[gone], now=NOW)
    gone.refresh_from_db()
    assert (gone.status, state(match)) == ("dropped", ("witnessed", True, [(2, 3), (1, 0)]))
    entries = LedgerEntry.objects.count()
    assert not play.enter_slip(**enter, drops=[gone], now=LATER)
    assert LedgerEntry.objects.count() == entries


def test_another_result_that_counts_or_waits_is_changed_with_a_reason_alone(cast: Cast, match: Match) -> None:
    play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    with assert_refused("reason_missing"):
        play.enter_slip(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=LATER)
    assert state(match)[0] == "claimed"
    assert play.enter_slip(match=match, by=cast.scorekeeper, games=(0, 2, 0), reason="The slip is signed.", now=LATER)
    with assert_refused("reason_missing"):
        play.enter_slip(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=LATER)
    assert state(match) == ("witnessed", True, [(0, 0), (2, 3)])


def test_a_refused_result_drops_nobody(cast: Cast, match: Match) -> None:
    gone = entrants(match)[0]
    with assert_refused("score_invalid"):
        play.enter_slip(match=match, by=cast.scorekeeper, games=(3, 0, 0), drops=[gone], now=NOW)
    gone.refresh_from_db()
    assert gone.status == "registered"


def test_only_players_of_the_table_drop_with_its_slip(cast: Cast, match: Match) -> None:
    elsewhere = Entrant.objects.exclude(seats__match=match).first()
    assert elsewhere
    with assert_refused("drop_elsewhere"):
        play.enter_slip(match=match, by=cast.scorekeeper, games=(2, 0, 0), drops=[elsewhere], now=NOW)
    assert not state(match)[1]


def test_an_entry_is_taken_back_whole(cast: Cast, match: Match) -> None:
    report = play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    before = state(match)
    play.enter_slip(
        match=match, by=cast.scorekeeper, games=(0, 2, 0), reason="Signed.", drops=entrants(match)[:1], now=LATER
    )
    play.undo_slip(match=match, by=cast.scorekeeper, now=LATER)
    report.refresh_from_db()
    assert (state(match), report.status) == (before, Report.Status.STANDING)
    assert {entrant.status for entrant in entrants(match)} == {"registered"}
    with assert_refused("nothing_to_undo"):
        play.undo_slip(match=match, by=cast.scorekeeper, now=LATER)


def test_what_counted_before_a_correction_counts_again(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 1, 0), now=NOW)
    play.confirm_result(match=match, report=report, by=second, now=NOW)
    before = state(match)
    play.enter_slip(match=match, by=cast.scorekeeper, games=(1, 2, 0), reason="Upside down.", now=LATER)
    assert state(match) != before
    play.undo_slip(match=match, by=cast.scorekeeper, now=LATER)
    assert state(match) == before


def test_nobody_takes_back_what_another_entered_or_what_is_closed(cast: Cast, match: Match) -> None:
    with assert_refused("nothing_to_undo"):
        play.undo_slip(match=match, by=cast.scorekeeper, now=NOW)
    for other in match.round.matches.all():
        play.enter_slip(match=other, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    with assert_refused("nothing_to_undo"):
        play.undo_slip(match=match, by=cast.organizer, now=NOW)
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    with assert_refused("round_state"):
        play.undo_slip(match=match, by=cast.scorekeeper, now=NOW)
