"""The player meeting: chairs in order of names, and dropping players whose chair is empty before round 1."""

import pytest

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, deck_text
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events.models import Event
from tournaments.events.services import add_entrant, open_check_in
from tournaments.play.services import hold_meeting
from tournaments.play.services.meeting import chairs_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    """An event at check-in: Élan and Zoé have legal lists, adam has none."""
    event = an_open_event(cast)
    for seed, name in enumerate(("Zoé", "Élan", "adam")):
        entrant = add_entrant(event=event, given_name=name, family_name="", by=cast.organizer, now=NOW)
        if name != "adam":
            submit_decklist(entrant=entrant, text=deck_text(seed), by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    open_check_in(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def hold(event: Event, cast: Cast, *names: str) -> list[str]:
    empty = [chair.entrant.public_id for chair in chairs_of(event) if chair.entrant.name in names]
    dropped = hold_meeting(event=event, empty=empty, by=cast.scorekeeper, now=NOW)
    return [entrant.name for entrant in dropped]


def test_chairs_are_ordered_by_name_ignoring_accents_and_case_two_per_table(event: Event) -> None:
    chairs = chairs_of(event)
    assert [(chair.number, chair.table, chair.entrant.name) for chair in chairs] == [
        (1, 1, "adam"),
        (2, 1, "Élan"),
        (3, 2, "Zoé"),
    ]
    assert [chair.owes_deck for chair in chairs] == [True, False, False]


def test_players_of_empty_chairs_are_dropped_and_the_others_checked_in(event: Event, cast: Cast) -> None:
    assert hold(event, cast, "Zoé") == ["Zoé"]
    left = event.entrants.filter(status="registered")
    assert left.count() == left.exclude(checked_in_at=None).count() == 2
    assert LedgerEntry.objects.get(code="meeting.held").after == {"chairs": 3, "empty": 1}


def test_an_unknown_chair_is_refused_and_nothing_is_done(event: Event, cast: Cast) -> None:
    with assert_refused("entrant_unknown") as caught:
        hold_meeting(event=event, empty=["p-nobody"], by=cast.scorekeeper, now=NOW)
    assert caught.value.details == ["p-nobody"]
    assert event.entrants.filter(checked_in_at=None).count() == 3


def test_the_meeting_is_over_once_round_1_is_paired(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    assert len(hold(event, cast, "Player 3")) == 1
    a_published_round(event, cast.organizer)
    with assert_refused("meeting_over"):
        hold(event, cast)


def test_there_is_no_meeting_before_the_lists_are_locked(cast: Cast) -> None:
    with assert_refused("meeting_over"):
        hold(an_open_event(cast), cast)
