"""The last hour before round 1: who is let in, checked in, kept without a list, dropped and reinstated."""

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
from tournaments.decks.selectors import takes_list
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


def test_a_walk_in_comes_in_every_state_until_round_1_is_paired(cast: Cast) -> None:
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


def test_before_round_1_a_walk_in_comes_where_late_entries_are_not_allowed(cast: Cast) -> None:
    event = a_running_event(cast)
    Event.objects.update(procedures={"late_entry": {"allowed": False}})
    assert walk_in(event, cast).status == "registered"
    a_published_round(event, cast.organizer)
    with assert_refused("late_entry_closed"):
        walk_in(event, cast, "Bea")


@pytest.mark.parametrize("kind", ["single_elimination", "round_robin", "tables"])
def test_a_walk_in_after_the_start_is_drawn_with_the_others(cast: Cast, kind: str) -> None:
    event = a_running_event(cast, players=4, kind=kind)
    entrant = walk_in(event, cast)
    stage = event.stages.get()
    assert sorted(stage.entries.values_list("seed", flat=True)) == [1, 2, 3, 4, 5]
    assert stage.entries.filter(entrant=entrant).exists()
    round_ = a_published_round(event, cast.organizer)
    assert kind != "tables" or round_.matches.filter(seats__entrant=entrant).exists()


def test_a_walk_in_of_a_full_event_waits_until_play_begins(cast: Cast) -> None:
    event = ready(cast, capacity=3)
    waiting = walk_in(event, cast)
    assert (waiting.status, waiting.checked_in_at) == ("waiting", None)
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    with assert_refused("event_full"):
        walk_in(event, cast, "Bea")


def test_a_name_that_is_there_already_is_asked_about(cast: Cast) -> None:
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


def test_an_address_is_nobodys_name(cast: Cast) -> None:
    with assert_refused("name_is_address"):
        walk_in(an_open_event(cast), cast, "zoe@example.com")


# ------------------------------------------------------------------------------------------------- check-in


def test_a_check_in_is_taken_back(cast: Cast) -> None:
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


def test_who_only_lacks_a_list_is_kept_and_hands_it_in_before_the_first_pairing(cast: Cast) -> None:
    event = ready(cast, listless=2)  # an even number: nobody has a bye, which is no pairing
    with assert_refused("not_ready"):
        play.start_event(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    kept = fresh(listless_of(event))
    assert kept.status == "registered" and takes_list(kept, NOW)
    assert not takes_list(fresh(event.entrants.first()), NOW)
    a_published_round(event, cast.organizer)
    assert not takes_list(fresh(kept), NOW)


def test_who_is_absent_too_is_dropped_and_others_are_kept(cast: Cast) -> None:
    event = ready(cast, listless=2)
    absent = listless_of(event)
    events.undo_check_in(entrant=absent, by=cast.scorekeeper, now=NOW)
    with assert_refused("not_ready") as caught:
        play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    assert caught.value.details == [absent.public_id]
    play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True, drop_absent=True)
    assert event.entrants.filter(status="registered").count() == 3


def test_nobody_is_kept_where_nobody_comes_late(cast: Cast) -> None:
    event = ready(cast)
    Event.objects.update(procedures={"late_entry": {"allowed": False}})
    with assert_refused("late_entry_closed"):
        play.start_event(event=event, by=cast.organizer, now=NOW, keep_listless=True)
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)


@pytest.mark.parametrize("lists", ["optional", "none"])
def test_a_list_that_is_not_required_stops_no_start(cast: Cast, lists: str) -> None:
    event = ready(cast, lists="optional")
    if lists == "none":
        Event.objects.update(lists="none")
        event.refresh_from_db()
    play.start_event(event=event, by=cast.organizer, now=NOW)
    assert takes_list(fresh(listless_of(event)), NOW) == (lists == "optional")


# ------------------------------------------------------------------------------------------------- back again


@pytest.mark.parametrize("paired", [False, True])
def test_who_was_dropped_at_the_start_comes_back_as_a_late_entrant_does(cast: Cast, paired: bool) -> None:
    event = ready(cast)
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)
    dropped = listless_of(event)
    if paired:
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.reinstate(entrant=dropped, by=cast.scorekeeper, now=NOW)
    back = fresh(dropped)
    assert (back.status, back.dropped_after) == ("registered", None) and takes_list(back, NOW)
    assert [seat.match.kind for seat in back.seats.all()] == (["missed"] if paired else [])
    round_ = a_published_round(event, cast.organizer)
    assert round_.matches.filter(seats__entrant=back).exists()


def test_who_missed_rounds_comes_back_only_where_people_come_late(cast: Cast) -> None:
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


def test_before_the_start_a_full_event_puts_who_comes_back_on_the_waiting_list(cast: Cast) -> None:
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
