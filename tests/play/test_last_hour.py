"""The last hour before round 1: walk-ins, check-in, missing lists, drops, reinstatement and the waiting list."""

import pytest

from tests.builders import (
    NOW,
    a_published_round,
    a_running_event,
    an_entrant,
    an_event,
    an_open_event,
    deck_text,
    play_out,
)
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.common.models import LedgerEntry
from tournaments.decks.selectors import can_submit_list
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events import services as events
from tournaments.events.models import Entrant, Event
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


def ready(cast: Cast, *, listless: int = 1, **options: object) -> Event:
    """An event at check-in: the cast's player and opponent are ready, `listless` others lack a list; all are here."""
    event = an_open_event(cast, **options)
    for number, user in enumerate((cast.player, cast.opponent), 1):
        an_entrant(event, user, deck=number)
    for number in range(listless):
        an_entrant(event, account(f"Listless {number}"), deck=None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    events.open_check_in(event=event, by=cast.organizer, now=NOW)
    event.entrants.update(checked_in_at=NOW)
    event.refresh_from_db()
    return event


def walk_in(event: Event, cast: Cast, name: str = "Ada", **options: object) -> Entrant:
    return play.enter_at_desk(event=event, given_name=name, family_name="", by=cast.scorekeeper, now=NOW, **options)


def listless_of(event: Event) -> Entrant:
    return event.entrants.get(member__person__given_name="Listless 0")


def fresh(entrant: Entrant) -> Entrant:
    return Entrant.objects.select_related("event").get(pk=entrant.pk)


# ------------------------------------------------------------------------------------------------- walk-ins


def test_the_desk_can_enter_walk_ins_in_every_state_of_the_event(cast: Cast) -> None:
    event = an_event(cast)
    assert walk_in(event, cast, "Draft").checked_in_at is None
    events.open_registration(event=event, by=cast.organizer, now=NOW)
    assert walk_in(event, cast, "Open").checked_in_at is None
    lock_decks(event=event, by=cast.organizer, now=NOW)
    locked = walk_in(event, cast, "Locked")
    events.open_check_in(event=event, by=cast.organizer, now=NOW)
    here = walk_in(event, cast, "Here")
    assert here.checked_in_at == NOW
    for entrant in (locked, here):
        assert submit_decklist(entrant=entrant, text=deck_text(3), by=cast.scorekeeper, now=NOW).legal
    event.entrants.update(checked_in_at=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    assert walk_in(event, cast, "Started").seats.count() == 0
    a_published_round(event, cast.organizer)
    assert walk_in(event, cast, "Late").seats.get().match.kind == "missed"
    assert event.entrants.filter(status="registered").count() == 6


def test_walk_ins_before_round_1_are_accepted_even_without_late_entries(cast: Cast) -> None:
    event = a_running_event(cast)
    Event.objects.update(procedures={"late_entry": {"allowed": False}})
    assert walk_in(event, cast).status == "registered"
    a_published_round(event, cast.organizer)
    with assert_refused("late_entry_closed"):
        walk_in(event, cast, "Bea")


@pytest.mark.parametrize("kind", ["single_elimination", "round_robin", "tables"])
def test_a_walk_in_between_start_and_round_1_is_drawn_with_the_others(cast: Cast, kind: str) -> None:
    event = a_running_event(cast, players=4, kind=kind)
    entrant = walk_in(event, cast)
    stage = event.stages.get()
    assert sorted(stage.entries.values_list("seed", flat=True)) == [1, 2, 3, 4, 5]
    assert stage.entries.filter(entrant=entrant).exists()
    round_ = a_published_round(event, cast.organizer)
    assert kind != "tables" or round_.matches.filter(seats__entrant=entrant).exists()


def test_a_walk_in_joins_the_waiting_list_of_a_full_event_until_play_begins(cast: Cast) -> None:
    event = ready(cast, capacity=3)
    waiting = walk_in(event, cast)
    assert (waiting.status, waiting.checked_in_at) == ("waiting", None)
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    with assert_refused("event_full"):
        walk_in(event, cast, "Bea")


def test_entering_a_name_that_is_already_in_the_event_needs_confirmation(cast: Cast) -> None:
    event = an_open_event(cast)
    first = walk_in(event, cast, "Zoé")
    with assert_refused("name_taken") as caught:
        walk_in(event, cast, " zoe ")
    assert caught.value.details == [first.public_id]
    assert walk_in(event, cast, "Zoe", another=True).pk != first.pk
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    a_published_round(event, cast.organizer)
    with assert_refused("name_taken"):
        walk_in(event, cast, "ZOÉ")


def test_an_e_mail_address_is_refused_as_a_name(cast: Cast) -> None:
    with assert_refused("name_is_address"):
        walk_in(an_open_event(cast), cast, "zoe@example.com")


# ------------------------------------------------------------------------------------------------- check-in


def test_a_check_in_can_be_undone_until_the_start(cast: Cast) -> None:
    event = ready(cast)
    entrant = event.entrants.first()
    for _twice in range(2):
        events.undo_check_in(entrant=entrant, by=cast.player, now=NOW)
    assert fresh(entrant).checked_in_at is None
    assert LedgerEntry.objects.filter(code="entrant.check_in_undone").count() == 1
    events.check_in(entrant=entrant, by=cast.player, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    with assert_refused("check_in_closed"):
        events.undo_check_in(entrant=entrant, by=cast.player, now=NOW)


# ------------------------------------------------------------------------------------------------- lists


def test_players_who_only_lack_a_list_are_kept_and_can_submit_it_until_their_first_pairing(cast: Cast) -> None:
    event = ready(cast, listless=2)  # an even number, because a bye would not lock the list
    with assert_refused("not_ready"):
        play.start_event(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    kept = fresh(listless_of(event))
    assert kept.status == "registered" and can_submit_list(kept, NOW)
    assert not can_submit_list(fresh(event.entrants.first()), NOW)
    a_published_round(event, cast.organizer)
    assert not can_submit_list(fresh(kept), NOW)


def test_players_who_are_also_absent_are_dropped_and_the_others_kept(cast: Cast) -> None:
    event = ready(cast, listless=2)
    absent = listless_of(event)
    events.undo_check_in(entrant=absent, by=cast.scorekeeper, now=NOW)
    with assert_refused("not_ready") as caught:
        play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    assert caught.value.details == [absent.public_id]
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True, drop_absent=True)
    assert event.entrants.filter(status="registered").count() == 3


def test_players_without_a_list_cannot_be_kept_if_late_entries_are_not_allowed(cast: Cast) -> None:
    event = ready(cast)
    Event.objects.update(procedures={"late_entry": {"allowed": False}})
    with assert_refused("late_entry_closed"):
        play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)


@pytest.mark.parametrize("lists", ["optional", "none"])
def test_a_missing_list_that_is_not_required_does_not_prevent_the_start(cast: Cast, lists: str) -> None:
    event = ready(cast, lists="optional")
    if lists == "none":
        Event.objects.update(lists="none")
        event.refresh_from_db()
    play.start_event(event=event, by=cast.organizer, now=NOW)
    assert can_submit_list(fresh(listless_of(event)), NOW) == (lists == "optional")


# ------------------------------------------------------------------------------------------------- reinstatement


@pytest.mark.parametrize("paired", [False, True])
def test_players_dropped_at_the_start_are_reinstated_like_late_entrants(cast: Cast, paired: bool) -> None:
    event = ready(cast)
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)
    dropped = listless_of(event)
    if paired:
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.reinstate(entrant=dropped, by=cast.scorekeeper, now=NOW)
    back = fresh(dropped)
    assert (back.status, back.dropped_after) == ("registered", None) and can_submit_list(back, NOW)
    assert [seat.match.kind for seat in back.seats.all()] == (["missed"] if paired else [])
    round_ = a_published_round(event, cast.organizer)
    assert round_.matches.filter(seats__entrant=back).exists()


def test_players_who_missed_rounds_are_reinstated_only_if_late_entries_are_allowed(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    entrant = event.entrants.order_by("pk")[3]
    play.drop(entrant=entrant, by=cast.scorekeeper, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    Event.objects.update(procedures={"late_entry": {"allowed": False}})
    with assert_refused("late_entry_closed"):
        play.reinstate(entrant=entrant, by=cast.scorekeeper, now=NOW)
    Event.objects.update(procedures={})
    play.reinstate(entrant=entrant, by=cast.scorekeeper, now=NOW)
    assert list(entrant.seats.filter(match__kind="missed").values_list("round__number", flat=True)) == [2]


def test_a_full_event_puts_reinstated_players_on_the_waiting_list_before_the_start(cast: Cast) -> None:
    event = ready(cast, capacity=3)
    entrant = event.entrants.first()
    play.drop(entrant=entrant, by=cast.scorekeeper, now=NOW)
    with assert_refused("dropped_by_staff"):
        play.reinstate(entrant=entrant, by=cast.player, now=NOW)
    walk_in(event, cast)
    play.reinstate(entrant=entrant, by=cast.scorekeeper, now=NOW)
    assert fresh(entrant).status == "waiting"
    play.drop(entrant=listless_of(event), by=cast.scorekeeper, now=NOW)
    assert fresh(entrant).status == "registered"


# ------------------------------------------------------------------------------------------------- the waiting list


def test_in_a_running_event_the_desk_gives_a_free_place_to_somebody_on_the_waiting_list(cast: Cast) -> None:
    event = ready(cast, listless=0, capacity=2)
    waiting = walk_in(event, cast, "Waiting")
    play.start_event(event=event, by=cast.organizer, now=NOW)
    with assert_refused("event_full"):
        play.reinstate(entrant=waiting, by=cast.scorekeeper, now=NOW)
    leaving = event.entrants.get(member__person__account=cast.player)
    play.drop(entrant=leaving, by=cast.scorekeeper, now=NOW)
    assert fresh(waiting).status == "waiting"
    play.reinstate(entrant=waiting, by=cast.scorekeeper, now=NOW)
    assert fresh(waiting).status == "registered"
    round_ = a_published_round(event, cast.organizer)
    assert waiting.seats.get().match.round == round_


def test_only_the_desk_lets_people_in_from_the_waiting_list(cast: Cast) -> None:
    event = ready(cast, listless=0, capacity=2)
    waiting = walk_in(event, cast, "Waiting")
    play.start_event(event=event, by=cast.organizer, now=NOW)
    with assert_refused("entrant_waiting"):
        play.reinstate(entrant=waiting, by=cast.player, now=NOW)
