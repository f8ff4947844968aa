"""Locking decks while a decklist is being submitted: one comes first, and the ledger says which."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from tests.builders import NOW, a_team_with_lists, an_entrant, an_open_event, deck_text, own_deck
from tests.cast import Cast
from tests.play.test_races import at_once
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.decks import services
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_list
from tournaments.decks.services import lock_decks, submit_decklist, unlock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage

pytestmark = pytest.mark.django_db(transaction=True)
WAIT = 0.3  # seconds; locking takes less unless it has to wait


@pytest.fixture
def entrant(cast: Cast) -> Entrant:
    return an_entrant(an_open_event(cast), cast.player)


def locking(event: Event, cast: Cast) -> Callable[[], object]:
    return lambda: lock_decks(event=Event.objects.get(pk=event.pk), by=cast.organizer, now=NOW)


def editing(entrant: Entrant, seed: int, cast: Cast) -> Callable[[], object]:
    def edit() -> None:
        fresh = Entrant.objects.select_related("event").get(pk=entrant.pk)
        submit_decklist(entrant=fresh, text=deck_text(seed), by=cast.player, now=NOW)

    return edit


def codes(event: Event) -> list[str]:
    """The ledger's codes about decklists and their lock, in order."""
    entries = LedgerEntry.objects.filter(chain=event.public_id).order_by("number").values_list("code", flat=True)
    return [code for code in entries if code.startswith(("deck.", "decks."))]


def version_of(entrant: Entrant) -> int:
    last = current_list(entrant, current_stage(Event.objects.get(pk=entrant.event_id)))
    assert last is not None
    return last.version


def test_a_list_submitted_during_the_lock_is_saved_before_it_or_refused(entrant: Entrant, cast: Cast) -> None:
    event = entrant.event
    for attempt in range(6):
        version, before = version_of(entrant), len(codes(event))
        told = at_once(locking(event, cast), editing(entrant, 2 + attempt, cast))
        if told == ["done", "done"]:
            assert codes(event)[before:] == ["deck.submitted", "decks.locked"]
            assert version_of(entrant) == version + 1
        else:
            assert told == ["decks_locked", "done"]
            assert codes(event)[before:] == ["decks.locked"]
            assert version_of(entrant) == version
        unlock_decks(event=Event.objects.get(pk=event.pk), by=cast.organizer, now=NOW)
    assert not list(ledger.faults(event.public_id))


def test_a_list_read_before_the_lock_is_not_saved_after_it(
    entrant: Entrant, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = services.read_list

    def read_and_lock(*args: Any, **more: Any) -> Any:
        reading = real(*args, **more)
        in_another_thread(locking(entrant.event, cast)).join()
        return reading

    monkeypatch.setattr(services, "read_list", read_and_lock)
    with assert_refused("decks_locked"):
        editing(entrant, 2, cast)()
    assert version_of(entrant) == 1


def test_the_lock_waits_for_a_list_that_is_being_saved(
    entrant: Entrant, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Thread] = []
    real = services.current_list

    def look_while_somebody_locks(*args: Any, **more: Any) -> Any:
        if not started:
            started.append(in_another_thread(locking(entrant.event, cast)))
            started[0].join(WAIT)
            assert started[0].is_alive(), "the row of the event is held"
        return real(*args, **more)

    monkeypatch.setattr(services, "current_list", look_while_somebody_locks)
    editing(entrant, 2, cast)()
    started[0].join()
    assert codes(entrant.event)[-2:] == ["deck.submitted", "decks.locked"]
    assert version_of(entrant) == 2


def in_another_thread(action: Callable[[], object]) -> Thread:
    """Run an action in another thread, on a database connection of its own."""

    def run() -> None:
        try:
            action()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


def test_team_mates_who_submit_at_once_both_see_the_limit_they_pass(cast: Cast) -> None:
    team = a_team_with_lists(cast, limit=2)

    def submitting(user: User, number: int) -> Callable[[], object]:
        def submit() -> None:
            fresh = Entrant.objects.select_related("event").get(pk=team.pk)
            member = fresh.member_set.get(person__account=user)
            submit_decklist(entrant=fresh, member=member, text=own_deck(number, shared=1), by=user, now=NOW)

        return submit

    assert at_once(submitting(cast.player, 0), submitting(cast.opponent, 1)) == ["done", "done"]
    lists = Decklist.objects.order_by("version")
    assert [each.version for each in lists] == [1, 2]
    assert [{fault["rule"] for fault in each.violations} for each in lists] == [{"TEAM-copies"}] * 2
    assert not any(each.legal for each in lists)
