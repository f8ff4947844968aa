"""Names within an event: kept distinct as people are added, renamed, erased and merged, and corrected by the desk."""

import pytest

from tests.builders import NOW, an_entrant, an_open_event
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.accounts.guardians import change_person
from tournaments.accounts.services import erase_person, own_person
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.pairing_settings import note_needs
from tournaments.events.renaming import rename_entrant
from tournaments.events.selectors import entrants_of, full_names, names_of, public_names
from tournaments.events.services import add_entrant
from tournaments.play.services import merge_entrants

pytestmark = pytest.mark.django_db


def walk_in(event: Event, cast: Cast, given: str, family: str = "") -> Entrant:
    return add_entrant(event=event, given_name=given, family_name=family, another=True, by=cast.organizer, now=NOW)


def names(event: Event) -> list[str]:
    return [entrant.name for entrant in entrants_of(event)]


@pytest.fixture
def event(cast: Cast) -> Event:
    return an_open_event(cast)


def test_more_letters_of_a_family_name_are_shown_as_similar_names_are_added(cast: Cast, event: Event) -> None:
    walk_in(event, cast, "Emma", "Martin")
    assert names(event) == ["Emma"]
    walk_in(event, cast, "Emma", "Petit")
    assert names(event) == ["Emma M.", "Emma P."]
    walk_in(event, cast, "Émma", "Marchand")
    assert names(event) == ["Emma Mart.", "Emma P.", "Émma Marc."]


def test_equal_names_get_a_number_or_the_club_for_staff_too(cast: Cast, event: Event) -> None:
    first, second = walk_in(event, cast, "Bob", "Smith"), walk_in(event, cast, "Bob", "Smith")
    assert set(full_names(event).values()) == {"Bob Smith (1)", "Bob Smith (2)"}
    note_needs(entrant=first, club="Corbeaux", table=None, by=cast.organizer, now=NOW)
    note_needs(entrant=second, club="Renards", table=None, by=cast.organizer, now=NOW)
    assert set(full_names(event).values()) == {"Bob Smith (Corbeaux)", "Bob Smith (Renards)"}
    assert set(public_names(event).values()) == {"Bob Smith (Corbeaux)", "Bob Smith (Renards)"}


def test_names_are_sorted_by_family_name_with_numbers_in_numerical_order(cast: Cast, event: Event) -> None:
    for text in (("Player", "10"), ("Player", "2"), ("Ana", "de la Cruz"), ("Zoé", "Adam"), ("Bob", "Crane")):
        walk_in(event, cast, *text)
    assert list(full_names(event).values()) == ["Player 2", "Player 10", "Zoé Adam", "Bob Crane", "Ana de la Cruz"]


def test_names_take_one_query_for_staff_and_for_everybody(cast: Cast, event: Event, django_assert_num_queries) -> None:
    for number in range(5):
        walk_in(event, cast, "Emma", f"Martin{number}x")
    for full in (False, True):
        with django_assert_num_queries(1):
            found = names_of(event.entrants.all(), full=full)
        each = [entrant.full_name if full else entrant.name for entrant in entrants_of(event)]
        assert list(found.values()) == each


def test_names_by_public_id_take_two_queries_sorted_or_not(cast: Cast, event: Event, django_assert_num_queries) -> None:
    for number in range(5):
        walk_in(event, cast, "Emma", f"Martin{number}x")
    with django_assert_num_queries(2):
        in_order = full_names(event)
    with django_assert_num_queries(2):
        public = public_names(event)
    entrants = list(entrants_of(event))
    assert in_order == {each.public_id: each.full_name for each in entrants}
    assert public == {each.public_id: each.name for each in entrants}


def test_the_desk_can_correct_a_name_without_writing_it_to_the_ledger(cast: Cast, event: Event) -> None:
    entrant = walk_in(event, cast, "Ema", "Marttin")
    walk_in(event, cast, "Emma", "Petit")
    for _twice in range(2):
        rename_entrant(entrant=entrant, given_name="Emma", family_name="Martin", by=cast.scorekeeper, now=NOW)
    assert names(event) == ["Emma M.", "Emma P."]
    entry = LedgerEntry.objects.get(chain=event.public_id, code="entrant.renamed")
    assert (entry.object, entry.actor) == (entrant.public_id, cast.scorekeeper.public_id)
    assert "artin" not in f"{entry.before}{entry.after}"


def test_the_desk_cannot_change_the_name_of_an_account(cast: Cast, event: Event) -> None:
    entrant = an_entrant(event, cast.player, deck=None)
    with assert_refused("own_name"):
        rename_entrant(entrant=entrant, given_name="Emma", family_name="", by=cast.scorekeeper, now=NOW)
    with assert_refused("name_missing"):
        rename_entrant(entrant=entrant, given_name=" ", family_name="", by=cast.scorekeeper, now=NOW)


def test_the_full_name_is_shown_of_a_person_who_agrees(cast: Cast, event: Event) -> None:
    person = own_person(cast.player)
    change_person(person=person, given_name="Emma", family_name="Martin")
    an_entrant(event, cast.player, deck=None)
    assert names(event) == ["Emma"]
    change_person(person=person, given_name="Emma", family_name="Martin", shown_in_full=True)
    assert names(event) == ["Emma Martin"]


def test_the_names_of_others_become_shorter_when_a_person_is_erased(cast: Cast, event: Event) -> None:
    kept, gone = walk_in(event, cast, "Emma", "Martin"), walk_in(event, cast, "Emma", "Petit")
    erase_person(person=gone.member_set.get().person, now=NOW)
    assert [entrant.name for entrant in entrants_of(event).filter(pk=kept.pk)] == ["Emma"]
    (erased,) = entrants_of(event).filter(pk=gone.pk)
    assert erased.name == erased.full_name == erased.member_set.get().person.public_id


def test_merging_entries_removes_the_number_from_the_name(cast: Cast, event: Event) -> None:
    kept, gone = walk_in(event, cast, "Bob", "Smith"), walk_in(event, cast, "Bob", "Smith")
    merge_entrants(entrant=gone, into=kept, by=cast.organizer, now=NOW)
    assert list(full_names(event).values()) == ["Bob Smith"]


def test_renaming_an_account_does_not_change_shown_names_in_finished_events(cast: Cast, event: Event) -> None:
    other = account("Emma")
    an_entrant(event, other, deck=None)
    walk_in(event, cast, "Zoé", "Petit")
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    change_person(person=own_person(other), given_name="Zoé", family_name="Martin")
    assert set(event.entrants.values_list("member__letters", flat=True)) == {0}
