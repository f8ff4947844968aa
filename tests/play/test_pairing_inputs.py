"""Pairing inputs: settings of the stage, forbidden pairs, clubs, fixed tables, and awarded or requested byes."""

import json
from typing import Any

import pytest

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, an_event, match_of, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.services import erase_account
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event, ForbiddenPair
from tournaments.events.pairing_settings import allow_pair, choose_pairing, forbid_pair, note_needs
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import AwardedBye, Match, Round, Seat
from tournaments.play.pairing_inputs import inputs_of, pairing_inputs_of
from tournaments.play.services import rounds
from tournaments.play.services.repairs import repairs_of
from tournaments.swiss.replies import verified

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=6)


def entrants(event: Event) -> list[Entrant]:
    return list(event.entrants.order_by("pk"))


def a_draft(event: Event, cast: Cast) -> Round:
    return play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)


def together(round_: Round, first: Entrant, second: Entrant) -> bool:
    return Match.objects.filter(round=round_, seats__entrant=first).filter(seats__entrant=second).exists()


def forbid(event: Event, first: Entrant, second: Entrant, cast: Cast) -> ForbiddenPair:
    return forbid_pair(event=event, first=first, second=second, reason="Sisters", by=cast.organizer, now=NOW)


def same_again(round_: Round) -> bool:
    return bool(verified(json.loads(json.dumps(inputs_of(round_))))["same"])


def test_a_round_without_special_inputs_stores_none_and_can_be_verified(event: Event, cast: Cast) -> None:
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    draft = a_draft(event, cast)
    assert draft.wishes == {}
    assert same_again(draft)


def test_forbidden_pairs_do_not_meet_until_they_are_allowed_again(event: Event, cast: Cast) -> None:
    one, *others = entrants(event)
    pairs = [forbid(event, other, one, cast) for other in others[:4]]
    draft = a_draft(event, cast)
    assert together(draft, one, others[4])
    assert len(draft.wishes["options"]["forbidden"]) == 4
    assert same_again(draft)
    play.discard_draft(round_=draft, by=cast.organizer, now=NOW)
    forbid(event, one, others[4], cast)
    with assert_refused("cannot_pair"):
        a_draft(event, cast)
    allow_pair(pair=pairs[0], by=cast.organizer, now=NOW)
    assert together(a_draft(event, cast), one, others[0])


def test_a_forbidden_pair_needs_a_reason_and_two_entrants_and_exists_only_once(event: Event, cast: Cast) -> None:
    one, two, *_others = entrants(event)
    assert forbid(event, one, two, cast) == forbid(event, two, one, cast)
    with assert_refused("reason_missing"):
        forbid_pair(event=event, first=one, second=two, reason=" ", by=cast.organizer, now=NOW)
    with assert_refused("pair_wrong"):
        forbid(event, one, one, cast)
    entry = LedgerEntry.objects.get(chain=event.public_id, code="pair.forbidden")
    assert entry.after == {"entrants": [one.public_id, two.public_id]}


def test_a_pair_forbidden_after_publication_can_be_separated_by_a_repair(event: Event, cast: Cast) -> None:
    round_ = a_published_round(event, cast.organizer)
    seats = Seat.objects.filter(match__round=round_, match__table=1).select_related("entrant").order_by("number")
    first, second = [seat.entrant for seat in seats]
    assert repairs_of(round_) == []
    forbid(event, first, second, cast)
    way = repairs_of(round_)[0]
    play.repair_round(round_=round_, way=way.key, by=cast.organizer, now=NOW)
    assert not together(round_, first, second)
    round_.refresh_from_db()
    (kept,) = round_.wishes["options"]["forbidden"]
    assert set(kept) == {first.public_id, second.public_id}


def test_club_mates_are_kept_apart_where_possible_except_in_the_last_round(event: Event, cast: Cast) -> None:
    choose_pairing(stage=current_stage(event), by=cast.organizer, now=NOW, clubs_apart=True)
    for number, entrant in enumerate(entrants(event)):
        club = "Les Corbeaux" if number < 3 else "les  corbeaux" if number == 3 else ""
        note_needs(entrant=entrant, club=club, table=None, by=cast.organizer, now=NOW)
    draft = a_draft(event, cast)
    mates = entrants(event)[:4]
    met = sum(together(draft, a, b) for a in mates for b in mates if a.pk < b.pk)
    assert met == 1, "four of six: one pair of them meets, never two"
    assert set(draft.wishes["clubs"].values()) == {"1"}
    assert same_again(draft)
    stage = current_stage(event)
    last = pairing_inputs_of(stage, 3, mates)
    assert (last.options.last, last.clubs) == (True, {})


def test_the_last_round_can_be_paired_by_standing(cast: Cast) -> None:
    event = a_running_event(cast, players=8, rounds=2)
    choose_pairing(stage=current_stage(event), by=cast.organizer, now=NOW, last_by_standing=True)
    first = a_published_round(event, cast.organizer)
    assert first.wishes == {}
    play_out(first, cast.organizer)
    last = a_draft(event, cast)
    assert last.wishes == {"options": {"order": "standing"}}
    assert same_again(last)


def test_a_fixed_table_is_kept_and_a_player_who_has_to_leave_one_is_flagged(event: Event, cast: Cast) -> None:
    one, two, three, *_others = entrants(event)
    note_needs(entrant=one, club="", table=9, by=cast.organizer, now=NOW)
    with assert_refused("table_taken"):
        note_needs(entrant=two, club="", table=9, by=cast.organizer, now=NOW)
    draft = a_draft(event, cast)
    assert Match.objects.get(round=draft, seats__entrant=one).table == 9
    assert sorted(draft.matches.values_list("table", flat=True)) == [1, 2, 9]
    play.discard_draft(round_=draft, by=cast.organizer, now=NOW)
    for entrant, table in ((two, 2), (three, 3)):
        note_needs(entrant=entrant, club="", table=table, by=cast.organizer, now=NOW)
    for other in entrants(event)[2:]:
        forbid(event, one, other, cast)
    again = a_draft(event, cast)
    match = Match.objects.get(round=again, seats__entrant=one)
    assert (match.table, match.flags) == (2, {one.public_id: ["table_left"]})


def test_a_fixed_table_is_kept_in_a_bracket_too(cast: Cast) -> None:
    event = a_bracket(cast, players=4)
    one = entrants(event)[0]
    note_needs(entrant=one, club="", table=7, by=cast.organizer, now=NOW)
    draft = a_draft(event, cast)
    assert Match.objects.get(round=draft, seats__entrant=one).table == 7


@pytest.mark.parametrize(("kind", "points", "games"), [("bye", 3, 2), ("half_bye", 1, 0), ("zero_bye", 0, 0)])
def test_a_player_with_an_awarded_bye_is_not_paired_and_gets_its_points(
    event: Event, cast: Cast, kind: str, points: int, games: int
) -> None:
    one, *_others = entrants(event)
    play.award_bye(entrant=one, number=1, kind=kind, by=cast.organizer, now=NOW)
    draft = a_draft(event, cast)
    match = Match.objects.get(round=draft, seats__entrant=one)
    assert (match.kind, match.table, match.flags) == (kind, None, {one.public_id: ["bye_awarded"]})
    assert draft.matches.filter(table=None).count() == 2, "one awarded, one for the odd field of five"
    assert same_again(draft)
    with assert_refused("bye_awarded"):
        play.give_bye(round_=draft, entrant=one, by=cast.organizer, now=NOW)
    play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    seat = Seat.objects.get(match__round=draft, entrant=one)
    assert (seat.points, seat.games_won) == (points, games)
    assert repairs_of(draft) == []
    play.unpublish_round(round_=draft, by=cast.organizer, now=NOW)
    assert Seat.objects.get(match__round=draft, entrant=one).points is None


def test_repairing_a_round_keeps_its_awarded_bye(event: Event, cast: Cast) -> None:
    one, *others = entrants(event)
    play.award_bye(entrant=one, number=1, kind="half_bye", by=cast.organizer, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    seated = [entrant for entrant in others if Match.objects.get(round=round_, seats__entrant=entrant).table]
    play.drop(entrant=seated[0], by=cast.organizer, now=NOW)
    way = repairs_of(round_)[0]
    play.repair_round(round_=round_, way=way.key, by=cast.organizer, now=NOW)
    assert Match.objects.get(round=round_, seats__entrant=one).kind == "half_bye"
    assert not Match.objects.filter(round=round_, seats__entrant=seated[0]).exists()
    assert round_.matches.filter(table__isnull=False).count() == 2


def test_players_can_request_only_byes_that_the_stage_offers(event: Event, cast: Cast) -> None:
    one = entrants(event)[0]
    with assert_refused("bye_not_offered"):
        play.ask_bye(entrant=one, number=1, kind="zero_bye", by=cast.player, now=NOW)
    choose_pairing(stage=current_stage(event), by=cast.organizer, now=NOW, byes_on_request="half_bye")
    play.ask_bye(entrant=one, number=1, kind="zero_bye", by=cast.player, now=NOW)
    bye = play.ask_bye(entrant=one, number=1, kind="half_bye", by=cast.player, now=NOW)
    assert (AwardedBye.objects.count(), bye.kind) == (1, "half_bye")
    with assert_refused("bye_not_offered"):
        play.ask_bye(entrant=one, number=2, kind="bye", by=cast.player, now=NOW)
    play.take_bye_back(bye=bye, by=cast.player, now=NOW, asked=True)
    assert not AwardedBye.objects.exists()
    awarded = play.award_bye(entrant=one, number=2, kind="bye", by=cast.organizer, now=NOW)
    with assert_refused("awarded_by_staff"):
        play.take_bye_back(bye=awarded, by=cast.player, now=NOW, asked=True)
    with assert_refused("awarded_by_staff"):
        play.ask_bye(entrant=one, number=2, kind="zero_bye", by=cast.player, now=NOW)


def test_byes_can_be_awarded_only_for_unpaired_rounds_of_the_stage(event: Event, cast: Cast) -> None:
    one = entrants(event)[0]
    a_draft(event, cast)
    for number, code in ((0, "round_unknown"), (1, "already_paired"), (4, "round_unknown")):
        with assert_refused(code):
            play.award_bye(entrant=one, number=number, kind="bye", by=cast.organizer, now=NOW)
    with assert_refused("bye_unknown"):
        play.award_bye(entrant=one, number=2, kind="holiday", by=cast.organizer, now=NOW)


def test_staff_who_play_cannot_change_their_own_pairing_inputs(event: Event, cast: Cast) -> None:
    grant_role(event=event, email=cast.player.email, role="organizer", by=cast.organizer, now=NOW)
    own, other, *_others = entrants(event)
    assert match_of(a_published_round(event, cast.organizer), cast.player)
    with assert_refused("staff_who_play"):
        play.award_bye(entrant=own, number=2, kind="bye", by=cast.player, now=NOW)
    with assert_refused("staff_who_play"):
        forbid_pair(event=event, first=own, second=other, reason="x", by=cast.player, now=NOW)
    with assert_refused("staff_who_play"):
        note_needs(entrant=own, club="x", table=None, by=cast.player, now=NOW)


def test_pairing_settings_are_for_swiss_stages_and_seeded_orders_for_later_ones(cast: Cast) -> None:
    event = an_event(cast)
    stage = current_stage(event)
    with assert_refused("no_seeds"):
        choose_pairing(stage=stage, by=cast.organizer, now=NOW, pairing_order="fold")
    with assert_refused("option_unknown"):
        choose_pairing(stage=stage, by=cast.organizer, now=NOW, pairing_order="alphabet")
    choose_pairing(stage=stage, by=cast.organizer, now=NOW, even_sides=True)
    choose_pairing(stage=stage, by=cast.organizer, now=NOW, even_sides=True)
    entry = LedgerEntry.objects.get(chain=event.public_id, code="stage.pairing_chosen")
    assert (entry.before["even_sides"], entry.after["even_sides"]) == (False, True)
    tables = current_stage(an_event(cast, kind="tables"))
    with assert_refused("not_swiss"):
        choose_pairing(stage=tables, by=cast.organizer, now=NOW, even_sides=True)


def test_a_later_swiss_stage_is_paired_by_its_seeds(cast: Cast) -> None:
    event = a_bracket(cast, players=4, kind="swiss")
    choose_pairing(stage=current_stage(event), by=cast.organizer, now=NOW, pairing_order="fold")
    draft = a_draft(event, cast)
    seeds = {entry.entrant.public_id: entry.seed for entry in draft.stage.entries.select_related("entrant")}
    assert draft.wishes["seeds"] == seeds
    met = {frozenset(seeds[seat.entrant.public_id] for seat in match.seats.all()) for match in draft.matches.all()}
    assert met == {frozenset({1, 4}), frozenset({2, 3})}
    assert same_again(draft)


def test_erasing_an_account_removes_club_and_reason_but_keeps_the_pair_forbidden(event: Event, cast: Cast) -> None:
    one, two, *_others = entrants(event)
    for entrant in (one, two):
        note_needs(entrant=entrant, club="Corbeaux", table=None, by=cast.organizer, now=NOW)
    forbid(event, one, two, cast)
    erase_account(user=cast.player, now=NOW)
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.club, two.club) == ("", "Corbeaux")
    assert event.forbidden_pairs.get().reason == ""
    assert not together(a_draft(event, cast), one, two)


def test_pairing_is_refused_if_its_inputs_change_while_it_is_computed(
    event: Event, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, *_others = entrants(event)
    found = rounds.draw

    def meanwhile(*args: Any) -> Any:
        drawn = found(*args)
        forbid(event, one, two, cast)
        return drawn

    monkeypatch.setattr(rounds, "draw", meanwhile)
    with assert_refused("results_moved"):
        a_draft(event, cast)
    assert not Round.objects.exists()
