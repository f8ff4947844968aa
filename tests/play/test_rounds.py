"""The life of a round: paired, published, played, closed."""

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from tests.builders import NOW, a_large_event, a_published_round, a_running_event, match_of, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common import ledger
from tournaments.events.models import Entrant
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, match_for_viewer
from tournaments.play.models import Game, Match, Round, Seat
from tournaments.play.selectors import ledger_shown, matches_of, shown_to_staff

pytestmark = pytest.mark.django_db


def test_a_draft_seats_every_entrant_once(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    seated = list(Seat.objects.filter(round=round_).values_list("entrant", flat=True))
    assert sorted(seated) == sorted(event.entrants.values_list("pk", flat=True))
    assert round_.matches.filter(table=None).get().kind == Match.Kind.BYE


def test_pairing_twice_is_refused(cast: Cast) -> None:
    event = a_running_event(cast)
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    with assert_refused("already_paired"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)


def test_pairing_with_missing_results_is_refused_and_names_the_tables(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    with assert_refused("results_missing") as caught:
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert caught.value.details == [1, 2]


def test_pairing_and_publishing_need_the_same_number_of_queries_for_any_field(cast: Cast) -> None:
    found = []
    for players in (6, 60):
        event = a_large_event(cast, players)
        for _round in range(2):
            play_out(a_published_round(event, cast.organizer), cast.organizer)
        with CaptureQueriesContext(connection) as caught:
            a_published_round(event, cast.organizer)
        found.append(len(caught))
    assert found[0] == found[1]


def test_a_discarded_draft_is_paired_again_with_another_seed(cast: Cast) -> None:
    event = a_running_event(cast)
    first = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    play.discard_draft(round_=first, by=cast.organizer, now=NOW)
    second = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert (second.number, second.seed) == (1, second.seed)
    assert second.seed != first.seed


def test_staff_who_play_get_the_same_seed_after_discarding_a_draft(cast: Cast) -> None:
    event = a_running_event(cast)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    first = play.pair_round(stage=current_stage(event), by=cast.player, now=NOW)
    play.discard_draft(round_=first, by=cast.player, now=NOW)
    assert play.pair_round(stage=current_stage(event), by=cast.player, now=NOW).seed == first.seed


def test_staff_who_play_cannot_see_any_table_of_a_draft(cast: Cast) -> None:
    event = a_running_event(cast)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert not shown_to_staff(matches_of(draft), cast.player, draft).exists()
    assert shown_to_staff(matches_of(draft), cast.organizer, draft).count() == 2
    for match in draft.matches.all():
        assert match_for_viewer(cast.organizer, match.public_id) == match
        with pytest.raises(Http404):
            match_for_staff(cast.player, match.public_id, "run_desk")
        with pytest.raises(Http404):
            match_for_viewer(cast.player, match.public_id)


def test_staff_who_play_cannot_see_a_discarded_draft_in_the_ledger(cast: Cast) -> None:
    event = a_running_event(cast)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    draft = play.pair_round(stage=current_stage(event), by=cast.player, now=NOW)
    play.discard_draft(round_=draft, by=cast.player, now=NOW)
    assert not ledger_shown(event, cast.player).filter(code="round.paired").exists()
    assert ledger_shown(event, cast.organizer).filter(code="round.paired").exists()
    a_published_round(event, cast.organizer)
    assert ledger_shown(event, cast.player).filter(code="round.paired").exists()


def test_a_draft_paired_from_outdated_results_cannot_be_published(cast: Cast) -> None:
    event = a_running_event(cast)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    match = first.matches.all()[0]
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW, reason="Slip misread")
    with assert_refused("results_moved"):
        play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    draft.refresh_from_db()
    assert draft.status == Round.Status.DRAFT


def test_a_published_round_has_games_and_a_clock(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    round_ = a_published_round(event, cast.organizer)
    assert round_.status == Round.Status.PUBLISHED
    # Two tables in a best of 3; the bye has no games.
    assert Game.objects.filter(match__round=round_).count() == 2 * 3
    assert round_.clock.seconds == 60 * 60


def test_publishing_twice_is_refused(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    with assert_refused("not_a_draft"):
        play.publish_round(round_=round_, by=cast.organizer, now=NOW)


def test_a_bye_counts_as_a_win_with_the_games_needed(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    round_ = a_published_round(event, cast.organizer)
    seat = Seat.objects.get(round=round_, match__table=None)
    assert (seat.games_won, seat.points) == (2, 3)


def test_a_round_can_be_closed_once_every_result_counts(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    with assert_refused("results_missing"):
        play.close_round(round_=round_, by=cast.organizer, now=NOW)
    play_out(round_, cast.scorekeeper)
    round_.refresh_from_db()
    assert round_.status == Round.Status.CLOSED


def test_nobody_meets_twice_in_three_rounds(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    met = []
    for _number in range(3):
        round_ = a_published_round(event, cast.organizer)
        met += [
            tuple(sorted(match.seats.values_list("entrant", flat=True))) for match in round_.matches.order_by("table")
        ]
        play_out(round_, cast.organizer)
    assert len(met) == len(set(met)) == 6
    with assert_refused("rounds_over"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)


def test_a_dropped_player_is_not_paired(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    entrant = Entrant.objects.get(member__person__account=cast.player)
    play.drop(entrant=entrant, by=cast.player, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    assert not Seat.objects.filter(round=round_, entrant=entrant).exists()
    assert round_.matches.count() == 2


def test_a_drop_is_refused_while_pairings_are_a_draft(cast: Cast) -> None:
    event = a_running_event(cast)
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    with assert_refused("draft_pairings"):
        play.drop(entrant=event.entrants.all()[0], by=cast.organizer, now=NOW)


def test_a_player_can_undo_a_drop_until_a_round_is_missed(cast: Cast) -> None:
    event = a_running_event(cast, players=6)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    entrant = event.entrants.order_by("pk")[0]
    play.drop(entrant=entrant, by=cast.organizer, now=NOW)
    play.reinstate(entrant=entrant, by=cast.organizer, now=NOW)
    entrant.refresh_from_db()
    assert entrant.status == Entrant.Status.REGISTERED
    play.drop(entrant=entrant, by=cast.player, now=NOW)
    a_published_round(event, cast.organizer)
    with assert_refused("rounds_missed"):
        play.reinstate(entrant=entrant, by=cast.player, now=NOW)


def test_the_ledger_records_the_event_and_verifies(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    assert list(ledger.faults(event.public_id)) == []
    assert ledger.revision(event.public_id) > 15


def test_an_event_can_be_finished_once_its_last_round_is_closed(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    with assert_refused("round_open"):
        play.finish_event(event=event, by=cast.organizer, now=NOW)
    play_out(round_, cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.status == "finished"
    assert match_of(round_, cast.player).has_result
