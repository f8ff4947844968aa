"""Pools of a limited stage: registered until the lock; decklists and the decks of logs are checked against them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404

from tests.builders import NOW, a_pool, a_published_round, a_sealed_event, an_entrant, match_of, sealed_texts
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.audits.models import Audit
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.decks.access import pool_for_reader
from tournaments.decks.models import Decklist, Pool
from tournaments.decks.selectors import current_list, current_pool
from tournaments.decks.services import lock_decks, register_pool, show_pools, submit_decklist
from tournaments.demo.games import self_played
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
from tournaments.play.models import Match
from tournaments.play.services import start_event

pytestmark = pytest.mark.django_db
POOL, DECK = sealed_texts(1)


@pytest.fixture
def entrant(cast: Cast) -> Entrant:
    """The entrant of the cast's player in a sealed event, without a pool."""
    return an_entrant(a_sealed_event(cast), cast.player, deck=None)


def register(entrant: Entrant, cast: Cast, text: str | bytes = POOL) -> Pool:
    return register_pool(entrant=entrant, text=text, by=cast.player, now=NOW)


def submit(entrant: Entrant, cast: Cast, text: str = DECK) -> Decklist:
    return submit_decklist(entrant=entrant, text=text, by=cast.player, now=NOW)


def rules(decklist: Decklist) -> set[str]:
    return {violation["rule"] for violation in decklist.violations}


def test_a_deck_cannot_be_submitted_before_its_pool(entrant: Entrant, cast: Cast) -> None:
    with assert_refused("pool_missing"):
        submit(entrant, cast)
    pool = register(entrant, cast)
    assert (pool.version, pool.count, len(pool.digest)) == (1, 40, 64)
    assert submit(entrant, cast).legal


def test_a_deck_with_cards_that_are_not_in_its_pool_is_illegal(entrant: Entrant, cast: Cast) -> None:
    register(entrant, cast)
    extra = DECK + "\n3 " + DECK.splitlines()[1].split()[1]
    assert rules(submit(entrant, cast, extra)) == {"ALT-LIM-POOL"}


def test_sections_and_order_of_the_cards_do_not_change_a_pool(entrant: Entrant, cast: Cast) -> None:
    kept = register(entrant, cast)
    again = "\n".join(reversed(DECK.splitlines()))
    assert register(entrant, cast, again) == kept
    assert Pool.objects.count() == 1


def test_changing_a_pool_checks_the_decklist_again(entrant: Entrant, cast: Cast) -> None:
    register(entrant, cast)
    submit(entrant, cast)
    register(entrant, cast, "\n".join(POOL.splitlines()[:-3]))
    listed = current_list(entrant, current_stage(entrant.event))
    assert (listed.legal, rules(listed)) == (False, {"ALT-LIM-POOL"})
    register(entrant, cast, POOL)
    assert current_list(entrant, current_stage(entrant.event)).legal
    assert LedgerEntry.objects.filter(code="deck.judged_again").count() == 2
    assert current_pool(entrant, current_stage(entrant.event)).version == 3


@pytest.mark.parametrize(
    ("text", "code"),
    [("1 Nobody Knows", "deck_unreadable"), ("\n", "pool_empty"), ("1 x\n" * 20_000, "deck_too_large")],
)
def test_an_unreadable_empty_or_oversized_pool_is_refused(entrant: Entrant, cast: Cast, text: str, code: str) -> None:
    with assert_refused(code):
        register(entrant, cast, text)
    assert not Pool.objects.exists()


def test_a_pool_cannot_be_registered_after_the_lock(entrant: Entrant, cast: Cast) -> None:
    lock_decks(event=entrant.event, by=cast.organizer, now=NOW)
    with assert_refused("decks_locked"):
        register(entrant, cast)


def test_a_constructed_event_has_no_pools(entrant: Entrant, cast: Cast) -> None:
    entrant.event.stages.update(deck_format="altered-standard")
    with assert_refused("no_pools"):
        register(entrant, cast)


def test_staff_who_play_cannot_register_the_pools_of_others(entrant: Entrant, cast: Cast) -> None:
    an_entrant(entrant.event, cast.scorekeeper, deck=None)
    with assert_refused("staff_who_play"):
        a_pool(entrant, cast.scorekeeper)


def test_only_the_player_and_staff_who_do_not_play_can_read_a_pool(entrant: Entrant, cast: Cast) -> None:
    pool = register(entrant, cast)
    for user in (cast.player, cast.judge, cast.organizer):
        assert pool_for_reader(user, pool.pk) == pool
    for user in (cast.opponent, cast.stranger):
        with pytest.raises(Http404):
            pool_for_reader(user, pool.pk)
    with assert_refused("role_too_low"):
        pool_for_reader(cast.scorekeeper, pool.pk)
    an_entrant(entrant.event, cast.judge, deck=None)
    with assert_refused("staff_who_play"):
        pool_for_reader(cast.judge, pool.pk)


@pytest.mark.parametrize(("shown", "from_state"), [("locked", "locked"), ("over", "finished")])
def test_everybody_can_read_pools_from_the_chosen_state_on(
    entrant: Entrant, cast: Cast, shown: str, from_state: str
) -> None:
    pool = register(entrant, cast)
    show_pools(event=entrant.event, shown=shown, by=cast.organizer, now=NOW)
    Event.objects.update(status={"locked": "registration", "finished": "running"}[from_state])
    with pytest.raises(Http404):
        pool_for_reader(cast.stranger, pool.pk)
    Event.objects.update(status=from_state)
    assert pool_for_reader(cast.stranger, pool.pk) == pool


def test_an_unknown_choice_of_readers_is_refused(entrant: Entrant, cast: Cast) -> None:
    with assert_refused("pools_shown_unknown"):
        show_pools(event=entrant.event, shown="nobody", by=cast.organizer, now=NOW)


@pytest.fixture
def match(cast: Cast) -> Match:
    """The first match of a sealed event of two players, whose decks are their whole pools."""
    event = a_sealed_event(cast)
    for seed, user in enumerate((cast.player, cast.opponent), 1):
        entrant = an_entrant(event, user, deck=None)
        a_pool(entrant, user, seed)
        submit_decklist(entrant=entrant, text=sealed_texts(seed)[1], by=user, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return match_of(a_published_round(event, cast.organizer), cast.player)


def findings(match: Match, cast: Cast, change: Any = None) -> list[dict[str, Any]]:
    """The deck findings of the audit of a game in which seat A plays its registered list with a `change`."""
    entrants = [seat.entrant for seat in match.seats.order_by("number")]
    decks = {entrant.public_id: current_list(entrant, match.round.stage).cards for entrant in entrants}
    log = self_played("altered", 3, {}, decks)
    if change:
        change(log["seats"]["A"]["deck"]["main"])
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(log).encode(), by=cast.player, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    found: list[dict[str, Any]] = Audit.objects.get(log=kept).deck_findings
    return found


@pytest.mark.slow
def test_a_limited_deck_can_be_changed_within_its_pool_between_games(match: Match, cast: Cast) -> None:
    assert findings(match, cast, lambda main: main.pop(next(iter(main)))) == []


def test_an_audit_reports_cards_of_a_log_that_are_not_in_the_pool(match: Match, cast: Cast) -> None:
    def more(main: dict[str, int]) -> None:
        main[next(iter(main))] += 5

    (told,) = findings(match, cast, more)
    assert (told["seat"], told["code"]) == ("A", "deck_illegal")
    assert [violation["rule"] for violation in told["violations"]] == ["ALT-LIM-POOL"]
