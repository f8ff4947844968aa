"""Manual edits of draft pairings, undoing steps of a round, late entries and drops, and kinds of results."""

from functools import partial

import pytest

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    a_table_event,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.pairing_settings import forbid_pair
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.field import ranking
from tournaments.play.manual_edits import preview
from tournaments.play.models import Clock, Game, Match, Round, Seat
from tournaments.play.selectors import ledger_shown
from tournaments.swiss.pairing import ALGORITHM

pytestmark = pytest.mark.django_db


def a_draft(event: Event, cast: Cast) -> Round:
    return play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)


def tables(round_: Round) -> list[list[Entrant]]:
    seats = Seat.objects.filter(round=round_, match__table__isnull=False).select_related("entrant", "match")
    found: dict[int, list[Entrant]] = {}
    for seat in seats.order_by("match__table", "number"):
        found.setdefault(seat.match.table or 0, []).append(seat.entrant)
    return list(found.values())


def bye_of(round_: Round) -> list[Entrant]:
    return list(Entrant.objects.filter(seats__round=round_, seats__match__table=None).order_by("pk"))


def test_swapping_two_players_twice_restores_the_draft(cast: Cast) -> None:
    draft = a_draft(a_running_event(cast), cast)
    before = tables(draft)
    (a, b), (c, d) = before
    play.swap_players(round_=draft, first=a, second=d, by=cast.organizer, now=NOW)
    assert tables(draft) == [[d, b], [c, a]]
    draft.refresh_from_db()
    assert (draft.certified, draft.cost, draft.algorithm) == (False, {}, f"{ALGORITHM}+hand")
    flags = {player: said for match in draft.matches.all() for player, said in match.flags.items()}
    assert flags[a.public_id] == flags[d.public_id] == ["by_hand"]
    play.swap_players(round_=draft, first=a, second=d, by=cast.organizer, now=NOW)
    assert tables(draft) == before
    with assert_refused("same_table"):
        play.swap_players(round_=draft, first=a, second=b, by=cast.organizer, now=NOW)
    play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    with assert_refused("not_a_draft"):
        play.seat_together(round_=draft, first=a, second=d, by=cast.organizer, now=NOW)
    assert list(ledger.faults(current_stage(a.event).event.public_id)) == []


def test_the_bye_of_an_odd_field_can_be_given_to_another_player(cast: Cast) -> None:
    draft = a_draft(a_running_event(cast, players=3), cast)
    (holder,) = bye_of(draft)
    ((wanted, _other),) = tables(draft)
    play.give_bye(round_=draft, entrant=wanted, by=cast.organizer, now=NOW)
    assert bye_of(draft) == [wanted]
    assert holder in tables(draft)[0]
    play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    assert Seat.objects.get(round=draft, entrant=wanted).points == 3


def test_giving_a_bye_in_an_even_field_creates_two_byes_that_can_be_paired_again(cast: Cast) -> None:
    draft = a_draft(a_running_event(cast), cast)
    before = tables(draft)
    (a, b), (c, d) = before
    play.give_bye(round_=draft, entrant=a, by=cast.organizer, now=NOW)
    assert set(bye_of(draft)) == {a, b}
    play.seat_together(round_=draft, first=a, second=b, by=cast.organizer, now=NOW)
    assert tables(draft) == before
    play.seat_together(round_=draft, first=a, second=c, by=cast.organizer, now=NOW)
    assert {frozenset(pair) for pair in tables(draft)} == {frozenset((a, c)), frozenset((b, d))}


def test_staff_who_play_cannot_edit_a_draft_or_see_its_edits_in_the_ledger(cast: Cast) -> None:
    event = a_running_event(cast)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    draft = a_draft(event, cast)
    (a, _b), (c, _d) = tables(draft)
    with assert_refused("staff_who_play"):
        play.swap_players(round_=draft, first=a, second=c, by=cast.player, now=NOW)
    play.swap_players(round_=draft, first=a, second=c, by=cast.organizer, now=NOW)
    assert not ledger_shown(event, cast.player).filter(code="round.swapped").exists()
    assert ledger_shown(event, cast.organizer).filter(code="round.swapped").exists()


def test_a_bracket_cannot_be_edited(cast: Cast) -> None:
    draft = a_draft(a_bracket(cast), cast)
    (a, _b), (c, _d) = tables(draft)
    with assert_refused("bracket_fixed"):
        play.swap_players(round_=draft, first=a, second=c, by=cast.organizer, now=NOW)


@pytest.mark.slow
def test_players_of_two_multiplayer_tables_can_be_swapped(cast: Cast) -> None:
    draft = a_draft(a_table_event(cast, players=6), cast)
    first, second = tables(draft)
    play.swap_players(round_=draft, first=first[0], second=second[0], by=cast.organizer, now=NOW)
    assert tables(draft) == [[second[0], *first[1:]], [first[0], *second[1:]]]
    with assert_refused("no_bye_here"):
        play.give_bye(round_=draft, entrant=first[0], by=cast.organizer, now=NOW)


def test_a_published_round_can_be_unpublished_until_something_was_done_in_it(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    round_ = a_published_round(event, cast.organizer)
    play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)
    round_.refresh_from_db()
    assert round_.status == "draft"
    assert not Clock.objects.exists() and not Game.objects.exists()
    assert not Seat.objects.exclude(points=None).exists()
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    match = round_.matches.get(table=1)
    play.report_result(match=match, by=users_of(match)[0], games=[2, 0, 0], now=NOW)
    with assert_refused("round_begun"):
        play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)
    play_out(round_, cast.organizer)
    assert ranking(current_stage(event))[0].points == 3


@pytest.mark.slow
def test_a_round_with_a_started_clock_cannot_be_unpublished(cast: Cast) -> None:
    round_ = a_published_round(a_running_event(cast), cast.organizer)
    play.start_clock(round_=round_, by=cast.organizer, now=NOW)
    with assert_refused("round_begun"):
        play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)


def test_a_closed_round_can_be_reopened_until_another_is_paired(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    play.reopen_round(round_=round_, by=cast.organizer, now=NOW)
    round_.refresh_from_db()
    assert (round_.status, round_.closed_at) == ("published", None)
    with assert_refused("round_state"):
        play.reopen_round(round_=round_, by=cast.organizer, now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    a_draft(event, cast)
    with assert_refused("round_followed"):
        play.reopen_round(round_=round_, by=cast.organizer, now=NOW)
    codes = list(LedgerEntry.objects.filter(chain=event.public_id).values_list("code", flat=True))
    assert codes.count("round.reopened") == 1


def test_earlier_rounds_count_as_missed_for_a_late_entrant(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    late = play.enter_late(event=event, given_name="Ada", family_name="Late", by=cast.organizer, now=NOW)
    assert Match.objects.get(seats__entrant=late).kind == "missed"
    row = next(row for row in ranking(current_stage(event)) if row.player == late.public_id)
    assert (row.points, row.record) == (0, (0, 1, 0))
    draft = a_draft(event, cast)
    assert Seat.objects.filter(round=draft, entrant=late).exists()
    with assert_refused("draft_pairings"):
        play.enter_late(event=event, given_name="Bob", family_name="", by=cast.organizer, now=NOW)


@pytest.mark.slow
def test_late_entry_is_refused_after_the_last_planned_round(cast: Cast) -> None:
    event = a_running_event(cast, rounds=1)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    with assert_refused("late_entry_closed"):
        play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)


def test_a_drop_concedes_the_current_match_only_on_request(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    match = match_of(round_, cast.player)
    own = match.seats.get(entrant__member__person__account=cast.player).entrant
    play.drop(entrant=own, by=cast.player, now=NOW)
    match.refresh_from_db()
    assert not match.has_result
    play.reinstate(entrant=own, by=cast.player, now=NOW)
    play.drop(entrant=own, by=cast.player, now=NOW, concede_match=True)
    match.refresh_from_db()
    assert (match.kind, match.has_result) == ("concession", True)
    play.reinstate(entrant=own, by=cast.player, now=NOW)
    match.refresh_from_db()
    assert match.kind == "concession"


@pytest.mark.slow
def test_dropping_after_a_result_was_entered_keeps_the_result(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    match = match_of(round_, cast.player)
    play.enter_result(match=match, by=cast.organizer, games=[2, 1, 0], now=NOW)
    own = match.seats.get(entrant__member__person__account=cast.player).entrant
    play.drop(entrant=own, by=cast.organizer, now=NOW, concede_match=True)
    match.refresh_from_db()
    assert match.kind == "played"
    for other in round_.matches.filter(games_drawn=None):
        play.enter_result(match=other, by=cast.organizer, games=[2, 0, 0], now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    draft = a_draft(event, cast)
    assert not Seat.objects.filter(round=draft, entrant=own).exists()


@pytest.mark.parametrize(
    ("kind", "games", "points"),
    [
        ("no_show", [2, 0, 0], {3, 0}),
        ("double_loss", [0, 0, 0], {0}),
        ("intentional_draw", [0, 0, 0], {1}),
        ("concession", [0, 2, 0], {0, 3}),
        ("penalty_loss", [2, 0, 0], {3, 0}),
        ("time", [1, 0, 0], {3, 0}),
    ],
)
def test_each_kind_of_result_is_stored_and_gives_its_points(
    cast: Cast, kind: str, games: list[int], points: set[int]
) -> None:
    match = a_published_round(a_running_event(cast, players=2), cast.organizer).matches.get()
    play.enter_result(match=match, by=cast.organizer, games=games, kind=kind, now=NOW)
    assert set(match.seats.values_list("points", flat=True)) == points
    match.refresh_from_db()
    assert match.kind == kind


def test_correcting_a_result_after_the_next_round_is_paired_changes_standings_but_not_pairings(cast: Cast) -> None:
    event = a_running_event(cast)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    second = a_published_round(event, cast.organizer)
    before = tables(second)
    match = first.matches.order_by("table").first()
    winner = match.seats.get(number=2).entrant
    play.enter_result(match=match, by=cast.organizer, games=[0, 2, 0], reason="misread", now=NOW)
    assert tables(second) == before
    assert ranking(current_stage(event))[0].points == 3
    row = next(row for row in ranking(current_stage(event)) if row.player == winner.public_id)
    assert row.points == 3


# ----------------------------------------------------------------------------------------- previews and undo


def test_previewing_an_edit_shows_its_cost_and_changes_nothing(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    draft = a_draft(event, cast)
    draft.refresh_from_db()
    before, entries = tables(draft), LedgerEntry.objects.count()
    (a, b), (c, _d) = before
    found = preview(draft, partial(play.swap_players, round_=draft, first=b, second=c, by=cast.organizer, now=NOW))
    assert found.before == draft.cost, "of a draft that nobody changed it is what the pairing says"
    # After round 1, a winner (3 points) meets a loser (0) at both tables: 2 times 3 squared.
    assert (found.before["squares"], found.after["squares"]) == (0, 18)
    assert [change.table for change in found.changes] == [1, 2]
    assert found.changes[0].now == (a.public_id, c.public_id)
    assert (tables(draft), LedgerEntry.objects.count()) == (before, entries)
    assert found.forbidden == ()


def test_a_preview_lists_forbidden_pairs_and_changed_byes(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    draft = a_draft(event, cast)
    (a, b), (c, _d) = tables(draft)
    forbid_pair(event=event, first=a, second=c, reason="Sisters", by=cast.organizer, now=NOW)
    found = preview(draft, partial(play.seat_together, round_=draft, first=a, second=c, by=cast.organizer, now=NOW))
    assert [set(pair) for pair in found.forbidden] == [{a.public_id, c.public_id}]
    bye = preview(draft, partial(play.give_bye, round_=draft, entrant=b, by=cast.organizer, now=NOW))
    assert {change.table for change in bye.changes} == {1, None}
    with assert_refused("same_table"):
        preview(draft, partial(play.swap_players, round_=draft, first=a, second=b, by=cast.organizer, now=NOW))


def test_staff_who_play_cannot_preview_edits(cast: Cast) -> None:
    event = a_running_event(cast)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    draft = a_draft(event, cast)
    (a, _b), (c, _d) = tables(draft)
    with assert_refused("staff_who_play"):
        preview(draft, partial(play.swap_players, round_=draft, first=a, second=c, by=cast.player, now=NOW))


@pytest.mark.parametrize("players", [4, 5])
def test_undoing_the_last_edit_restores_the_draft_and_its_certificate(cast: Cast, players: int) -> None:
    draft = a_draft(a_running_event(cast, players=players), cast)
    draft.refresh_from_db()
    before, proof = tables(draft), (draft.algorithm, draft.certified, draft.cost)
    flags = {str(match.flags) for match in draft.matches.all()}
    (a, _b), (c, _d) = before
    for change in (
        partial(play.seat_together, first=a, second=c),
        partial(play.swap_players, first=a, second=c),
        partial(play.give_bye, entrant=a),
    ):
        change(round_=draft, by=cast.organizer, now=NOW)
        assert tables(draft) != before
        play.undo_edit(round_=draft, by=cast.organizer, now=NOW)
        draft.refresh_from_db()
        assert (tables(draft), (draft.algorithm, draft.certified, draft.cost)) == (before, proof)
        assert {str(match.flags) for match in draft.matches.all()} == flags
        with assert_refused("nothing_by_hand"):
            play.undo_edit(round_=draft, by=cast.organizer, now=NOW)
