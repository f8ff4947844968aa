"""Accounts that act for several children, and entries typed at the desk that an account claims later."""

from django.http import Http404
from pytest import raises

from tests.builders import NOW, a_published_round, an_event, an_open_event, deck_text
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.guardians import (
    MAX_PERSONS,
    add_person,
    change_person,
    person_for_guardian,
    persons_of,
    remove_person,
)
from tournaments.accounts.models import Person
from tournaments.accounts.services import erase_account, own_person
from tournaments.common import ledger
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events.access import own_entrants
from tournaments.events.claims import claim_entry, claim_signature, entrant_for_claim
from tournaments.events.models import Entrant, Event
from tournaments.events.services import add_entrant, register
from tournaments.leagues.book import player_of, write_entry
from tournaments.play import services as play


def a_child(cast: Cast, name: str = "Child") -> Person:
    return add_person(guardian=cast.player, given_name=name)


def a_walk_in(cast: Cast) -> Entrant:
    return add_entrant(event=an_open_event(cast), given_name="Ada", family_name="Rossi", by=cast.organizer, now=NOW)


def test_an_account_acts_for_itself_and_for_its_children(cast):
    child = a_child(cast)
    assert persons_of(cast.player) == [own_person(cast.player), child]
    with raises(Http404):
        person_for_guardian(cast.opponent, child.public_id)


def test_each_child_is_an_entrant_and_only_the_guardian_reports_for_them(cast):
    event = an_open_event(cast)
    children = [a_child(cast, "First"), a_child(cast, "Second")]
    entering = [(child, cast.player) for child in children]
    entering += [(own_person(user), user) for user in (cast.opponent, cast.stranger)]
    for number, (person, by) in enumerate(entering, 1):
        entrant = register(event=event, person=person, by=by, now=NOW)
        submit_decklist(entrant=entrant, text=deck_text(number), by=by, now=NOW)
    assert [e.name for e in own_entrants(cast.player, event)] == ["First", "Second"]
    assert own_entrants(cast.judge, event) == []
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    for match in a_published_round(event, cast.organizer).matches.all():
        own = list(match.seats.filter(entrant__member__person__account=cast.player))
        if len(own) == 1:
            assert play.report_result(match=match, by=cast.player, games=[2, 0, 0], now=NOW).seat == own[0]
        else:  # two children of one account at a table: no opponent could confirm, so the desk enters the result
            with assert_refused("one_account" if own else "not_your_table"):
                play.report_result(match=match, by=cast.player, games=[2, 0, 0], now=NOW)


def test_a_guardian_can_rename_and_erase_a_child_but_not_erase_themselves(cast):
    child = a_child(cast)
    change_person(person=child, given_name="Ada", family_name="Rossi", public_name="")
    assert child.name == "Ada R."
    remove_person(person=child, by=cast.player, now=NOW)
    assert persons_of(cast.player) == [own_person(cast.player)]
    with assert_refused("own_person"):
        remove_person(person=own_person(cast.player), by=cast.player, now=NOW)


def test_removing_a_child_keeps_the_contact_of_the_guardians_events(cast: Cast) -> None:
    event = an_event(cast)
    Event.objects.filter(pk=event.pk).update(contact="desk@example.org")
    child = add_person(guardian=cast.organizer, given_name="Ada")
    remove_person(person=child, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.contact == "desk@example.org"
    erase_account(user=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.contact == ""


def test_the_number_of_children_is_limited_and_each_needs_a_name(cast):
    for number in range(MAX_PERSONS - 1):
        a_child(cast, f"Child {number}")
    with assert_refused("too_many_persons"):
        a_child(cast)
    with assert_refused("name_missing"):
        add_person(guardian=cast.opponent, given_name=" ")


def test_an_entry_typed_at_the_desk_can_be_claimed_once(cast):
    entrant = a_walk_in(cast)
    signature = claim_signature(entrant)
    assert entrant_for_claim(entrant.public_id, signature) == entrant
    claim_entry(entrant=entrant, person=own_person(cast.player), by=cast.player, now=NOW)
    assert own_entrants(cast.player, entrant.event) == [entrant]
    assert not Person.objects.filter(given_name="Ada").exists()
    with raises(Http404):
        entrant_for_claim(entrant.public_id, signature)
    with assert_refused("already_claimed"):
        claim_entry(entrant=entrant, person=own_person(cast.opponent), by=cast.opponent, now=NOW)
    with assert_refused("already_claimed"):
        claim_signature(entrant)
    assert list(ledger.faults(entrant.event.public_id)) == []


def test_a_wrong_signature_or_one_of_another_entry_claims_nothing(cast):
    entrant, other = a_walk_in(cast), a_walk_in(cast)
    for signature in ("x", "é", claim_signature(other)):
        with raises(Http404):
            entrant_for_claim(entrant.public_id, signature)


def test_a_person_who_is_already_registered_cannot_claim_an_entry(cast):
    entrant = a_walk_in(cast)
    register(event=entrant.event, person=own_person(cast.player), by=cast.player, now=NOW)
    with assert_refused("already_registered"):
        claim_entry(entrant=entrant, person=own_person(cast.player), by=cast.player, now=NOW)


def test_nobody_can_claim_an_entry_for_a_person_of_another_account(cast):
    entrant = a_walk_in(cast)
    with assert_refused("not_your_person"):
        claim_entry(entrant=entrant, person=own_person(cast.opponent), by=cast.player, now=NOW)


def test_the_player_book_entry_of_a_walk_in_moves_to_the_person_who_claims(cast):
    entrant = a_walk_in(cast)
    typed = entrant.member_set.get().person
    write_entry(owner=cast.organizer, person=typed, name="The tall one", notes="")
    claim_entry(entrant=entrant, person=own_person(cast.player), by=cast.player, now=NOW)
    assert player_of(cast.organizer, own_person(cast.player)).name == "The tall one"
