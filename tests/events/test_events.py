"""Events: their states, staff, and entrants."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.db import connection
from django.http import Http404

from engine.core.decks.decklist import render
from engine.core.text.registry import module
from tests.builders import NOW, a_running_event, an_entrant, an_event, an_open_event, deck_text
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.accounts.services import erase_person, own_person
from tournaments.archive.services import verify_event
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.decks.engine_gate import catalog_of, read_list
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events import services as events
from tournaments.events.access import ACTIONS, event_for_staff, event_for_viewer, roles_of
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.events.presets import PRESETS
from tournaments.events.selectors import current_stage
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


def test_only_staff_can_see_a_draft_event(cast: Cast) -> None:
    event = an_event(cast)
    assert event_for_viewer(cast.judge, event.public_id) == event
    with pytest.raises(Http404):
        event_for_viewer(cast.stranger, event.public_id)


def test_the_refusal_of_an_unknown_preset_lists_the_known_ones(cast: Cast) -> None:
    with assert_refused("preset_unknown") as caught:
        events.create_event(by=cast.organizer, name="Open", preset="chess", now=NOW)
    assert "star-safir" in caught.value.details


# No shipped catalogue has cards of 2011, and the free preset has no cards at all.
@pytest.mark.parametrize("preset", sorted(PRESETS.keys() - {"wakfu-2011", "free"}))
def test_every_preset_creates_an_event_that_accepts_a_legal_decklist(cast: Cast, preset: str) -> None:
    event = events.create_event(by=cast.organizer, name="Open", preset=preset, now=NOW)
    assert (event.game, event.ruleset) == (PRESETS[preset].game, PRESETS[preset].ruleset)
    deck = module(event.game, "deck").random_deck(Random(7), catalog_of(event))
    assert read_list(event.stages.get(), render(deck, catalog_of(event)), "fr").violations == []


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_an_action_is_allowed_only_to_its_roles(cast: Cast, action: str) -> None:
    event = an_event(cast)
    for role in StaffRole.Role.values:
        user = account(f"Staff {role}")
        events.grant_role(event=event, email=user.email, role=role, by=cast.organizer, now=NOW)
        if role in ACTIONS[action]:
            assert event_for_staff(user, event.public_id, action) == event
        else:
            with assert_refused("role_too_low"):
                event_for_staff(user, event.public_id, action)
    with pytest.raises(Http404):
        event_for_staff(cast.stranger, event.public_id, action)


def test_an_event_is_handed_over_in_one_step_with_one_ledger_entry(cast: Cast) -> None:
    event = an_event(cast)
    before = LedgerEntry.objects.filter(chain=event.public_id).count()
    events.hand_over(event=event, email=cast.player.email or "", by=cast.organizer, now=NOW)
    assert roles_of(cast.player, event) == {"owner"} and roles_of(cast.organizer, event) == {"organizer"}
    (entry,) = LedgerEntry.objects.filter(chain=event.public_id).order_by("number")[before:]
    assert (entry.code, entry.object) == ("staff.handed_over", cast.player.public_id)
    assert entry.after == {"owner": cast.player.public_id, "stays": True}
    with assert_refused("not_owner"):
        events.hand_over(event=event, email=cast.judge.email or "", by=cast.organizer, now=NOW)
    with assert_refused("owner_already"):
        events.hand_over(event=event, email=cast.player.email or "", by=cast.player, now=NOW)
    with assert_refused("account_unknown"):
        events.hand_over(event=event, email="nobody@example.org", by=cast.player, now=NOW)
    events.hand_over(event=event, email=cast.organizer.email or "", by=cast.player, now=NOW, stay=False)
    assert roles_of(cast.organizer, event) == {"owner", "organizer"} and roles_of(cast.player, event) == frozenset()
    assert verify_event(event).faults == ()


def test_the_last_owner_cannot_be_removed(cast: Cast) -> None:
    event = an_event(cast)
    with assert_refused("last_owner"):
        events.revoke_role(role=event.staff_roles.get(role="owner"), by=cast.organizer, now=NOW)


def test_a_person_can_register_only_once(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    with assert_refused("already_registered"):
        an_entrant(event, cast.player)
    assert event.entrants.count() == 1


def test_registering_before_registration_opens_is_refused(cast: Cast) -> None:
    event = an_event(cast)
    with assert_refused("registration_closed"):
        an_entrant(event, cast.player)


def test_players_who_register_for_a_full_event_are_put_on_the_waiting_list(cast: Cast) -> None:
    event = an_open_event(cast, capacity=1)
    assert an_entrant(event, cast.player).status == Entrant.Status.REGISTERED
    assert an_entrant(event, cast.opponent).status == Entrant.Status.WAITING


def test_a_free_place_goes_to_the_first_player_on_the_waiting_list(cast: Cast) -> None:
    event = an_open_event(cast, capacity=1)
    first, second = an_entrant(event, cast.player), an_entrant(event, cast.opponent)
    play.drop(entrant=first, by=cast.player, now=NOW)
    second.refresh_from_db()
    assert second.status == Entrant.Status.REGISTERED


def test_a_player_who_dropped_before_the_start_can_register_again(cast: Cast) -> None:
    event = an_open_event(cast, capacity=1)
    first, second = an_entrant(event, cast.player), an_entrant(event, cast.opponent)
    play.drop(entrant=first, by=cast.player, now=NOW)
    again = an_entrant(event, cast.player, deck=None)
    assert (again.pk, again.status) == (first.pk, Entrant.Status.WAITING)
    second.refresh_from_db()
    assert second.status == Entrant.Status.REGISTERED


def test_a_dropped_player_cannot_submit_a_decklist(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant = an_entrant(event, cast.player)
    play.drop(entrant=entrant, by=cast.player, now=NOW)
    with assert_refused("entrant_dropped"):
        submit_decklist(entrant=entrant, text=deck_text(3), by=cast.player, now=NOW)


def test_a_player_dropped_by_the_desk_cannot_reinstate_themselves(cast: Cast) -> None:
    event = an_open_event(cast)
    for number, user in enumerate((cast.player, cast.opponent), 1):
        an_entrant(event, user, deck=number)
    absent = an_entrant(event, cast.stranger, deck=None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)
    with assert_refused("dropped_by_staff"):
        play.reinstate(entrant=absent, by=cast.stranger, now=NOW)
    Event.objects.update(procedures={"late_entry": {"allowed": False}})
    with assert_refused("not_ready"):
        play.reinstate(entrant=absent, by=cast.organizer, now=NOW)


def test_nobody_can_be_reinstated_in_a_full_event(cast: Cast) -> None:
    event = an_open_event(cast, capacity=2)
    entrants = [
        an_entrant(event, user, deck=seed) for seed, user in enumerate((cast.player, cast.opponent, cast.stranger), 1)
    ]
    play.drop(entrant=entrants[2], by=cast.stranger, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    with assert_refused("event_full"):
        play.reinstate(entrant=entrants[2], by=cast.stranger, now=NOW)


@pytest.mark.parametrize(
    "figure", [{"capacity": 0}, {"capacity": -1}, {"rounds": 31}, {"best_of": 2}, {"round_minutes": 0}]
)
def test_numbers_out_of_bounds_are_refused_by_name(cast: Cast, figure: dict[str, int]) -> None:
    with assert_refused("out_of_bounds") as caught:
        an_event(cast, **figure)
    assert caught.value.details == list(figure)


@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_given_only_once_when_players_register_at_the_same_time(cast: Cast) -> None:
    event = an_open_event(cast, capacity=1)
    users = [account(f"Rival {number}") for number in range(6)]

    def enter(user: object) -> None:
        try:
            an_entrant(event, user, deck=None)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(enter, users))
    assert event.entrants.filter(status=Entrant.Status.REGISTERED).count() == 1
    assert event.entrants.filter(status=Entrant.Status.WAITING).count() == 5


def test_a_walk_in_has_a_person_and_no_account(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant = events.add_entrant(event=event, given_name="Player", family_name="12", by=cast.organizer, now=NOW)
    assert entrant.name == "Player 12"
    assert entrant.member_set.get().person.account is None


def test_the_refusal_of_a_start_names_players_without_a_legal_decklist(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player, deck=1)
    an_entrant(event, cast.opponent, deck=2)
    late = an_entrant(event, cast.stranger, deck=None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    with assert_refused("not_ready") as caught:
        play.start_event(event=event, by=cast.organizer, now=NOW)
    assert caught.value.details == [late.public_id]
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)
    late.refresh_from_db()
    assert (late.status, late.dropped_after) == (Entrant.Status.DROPPED, 0)


def test_an_event_cannot_start_until_every_entrant_is_checked_in(cast: Cast) -> None:
    event = an_open_event(cast)
    entrants = [an_entrant(event, user, deck=1) for user in (cast.player, cast.opponent)]
    with assert_refused("check_in_closed"):
        events.check_in(entrant=entrants[0], by=cast.player, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    events.open_check_in(event=event, by=cast.organizer, now=NOW)
    events.check_in(entrant=entrants[0], by=cast.player, now=NOW)
    events.check_in(entrant=entrants[0], by=cast.player, now=NOW)
    assert LedgerEntry.objects.filter(code="entrant.checked_in").count() == 1
    with assert_refused("not_ready"):
        play.start_event(event=event, by=cast.organizer, now=NOW)


def test_an_event_needs_two_players_to_start(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    with assert_refused("too_few"):
        play.start_event(event=event, by=cast.organizer, now=NOW)


def test_enough_rounds_to_find_a_winner_are_planned_if_none_are_set(cast: Cast) -> None:
    event = a_running_event(cast, players=9, rounds=None)
    assert current_stage(event).rounds_planned == 4


def test_opening_registration_of_a_running_event_is_refused(cast: Cast) -> None:
    event = a_running_event(cast)
    with assert_refused("event_state"):
        events.open_registration(event=event, by=cast.organizer, now=NOW)


def test_a_running_event_can_be_cancelled_once(cast: Cast) -> None:
    event = a_running_event(cast)
    events.cancel_event(event=event, by=cast.organizer, now=NOW, reason="The hall is closed")
    assert LedgerEntry.objects.get(code="event.cancelled").note.text == "The hall is closed"
    event.refresh_from_db()
    assert event.status == Event.Status.CANCELLED
    with assert_refused("event_state"):
        events.cancel_event(event=event, by=cast.organizer, now=NOW)


def test_erasing_a_person_removes_the_name_and_keeps_the_ledger_valid(cast: Cast) -> None:
    event = a_running_event(cast)
    entrant = Entrant.objects.get(member__person__account=cast.player)
    assert entrant.name == "Player 1"
    erase_person(person=own_person(cast.player), now=NOW)
    entrant = Entrant.objects.get(pk=entrant.pk)
    assert entrant.name == entrant.member_set.get().person.public_id
    assert list(ledger.faults(event.public_id)) == []
    for entry in LedgerEntry.objects.filter(chain=event.public_id):
        assert "Player" not in f"{entry.object}{entry.before}{entry.after}"
