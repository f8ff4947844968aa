"""The cache of cards in force (`engine.core.effects.force`) agrees with a scan of the whole state.

Effects often ask which cards in play have a given static, trigger or replacement. `State.acting` caches the answers,
and each event drops those that it may change. A stale answer would silently change the result of a game.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import engine
from engine.core.abilities.program import BONUSES, PARTS, SOURCES
from engine.core.cards.catalog import Catalog, shipped_catalogs
from engine.core.effects import force
from engine.core.effects.host import host_of
from engine.core.replay.position import as_start
from engine.core.replay.replay import Replay
from engine.core.table.context import Context
from engine.core.table.events import Event, apply, undo
from engine.core.table.state import LIVE, State
from tests.engine.games import a_game

CATALOGS = [cards for game in engine.games() for cards in shipped_catalogs(game)]
ACTING = [cards for cards in CATALOGS if sum(card.program is not None for card in cards.cards.values()) > 20]
each_catalog = pytest.mark.parametrize("catalog", ACTING, ids=[cards.id for cards in ACTING])


def questions(catalog: Catalog) -> list[tuple[str, str]]:
    """Return every (part, word) that some card of the catalogue may answer."""
    programs = [card.program for card in catalog.cards.values() if card.program is not None]
    return sorted({key for program in programs for key in program.cache_keys})


def scan(state: State, asked: tuple[str, str]) -> list[Any]:
    """Work out the answer from the state alone, card by card in the order in which they came into play."""
    part, word = asked
    kind = word if part == SOURCES else "stat"
    found: list[Any] = []
    for obj in state.memory.get("live", ()):
        assert isinstance(obj, int)
        program = force.active(state, obj)
        host = host_of(state)
        if program is None or state.where[obj] not in host.in_play or not host.acts(state, obj):
            continue
        if part in PARTS:
            found += [(obj, program)] if word in getattr(program, part) else []
            continue
        for static in program.statics.get(kind, ()):
            if host.lasts_here(state, obj, static) and (part == SOURCES or static["stat"] == word):
                found.append((force.source(state, obj), static))
    return found


def kept(state: State, asked: tuple[str, str]) -> list[Any]:
    """Return the answer that effects get, from the cache if it has one."""
    part, word = asked
    if part == SOURCES:
        return list(force.statics(state, word))
    return list(force.bonuses(state, word) if part == BONUSES else force.acting(state, part, word))


def agrees(state: State, asked: list[tuple[str, str]]) -> None:
    """Assert that every cached answer is the one that a scan finds.

    All questions are asked, so that all answers are in the cache before the next event.
    """
    for question in asked:
        assert kept(state, question) == scan(state, question), question


@pytest.mark.slow
@each_catalog
@pytest.mark.parametrize("seed", range(3))
def test_the_cache_of_cards_in_force_agrees_with_a_scan_after_every_event(
    catalog: Catalog, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, emit, events, lived = questions(catalog), Context.emit, 0, 0

    def checked(ctx: Context, *event: Any) -> None:
        nonlocal events, lived
        emit(ctx, *event)
        agrees(ctx.state, asked)
        events += 1
        lived += bool(ctx.state.acting)

    document = a_game(catalog.game, seed, catalog=catalog)
    monkeypatch.setattr(Context, "emit", checked)
    replay = Replay(document, keep=False)
    while replay.step() is not None:
        pass
    assert replay.stopped is None and events > 100 and lived


@each_catalog
def test_the_cache_of_cards_in_force_agrees_with_a_scan_after_moves_are_undone(catalog: Catalog) -> None:
    asked = questions(catalog)
    document = a_game(catalog.game, 1, catalog=catalog)
    replay, ways = Replay(document, keep=False), 0
    while (step := replay.step()) is not None:
        if step.n % 5:
            continue
        state, made = replay.state, list[Event](replay._context.inverses)
        played = step.events
        undo(state, made)
        agrees(state, asked)
        for event in played:
            Context(state).emit(*event)
        agrees(state, asked)
        ways += 1
    assert ways > 5


def troubles(state: State, obj: int) -> Iterator[list[Event]]:
    """Yield event sequences that random games rarely or never have on a card in force."""
    path, others = state.where[obj], [other for other in state.memory["live"] if other != obj]
    yield [("hide", obj)]
    yield [("wipe", ("live",))]
    yield [("note", "inert", obj), ("wipe", LIVE[1:])]
    yield [("own", obj, seat) for seat in state.terms.seats]
    yield [("note", "inert", obj), ("clear", "live", obj)]
    yield [("lasting", ("silence", obj, "", 0, 0, obj), 0), ("lapse", 0)]
    yield [("create", state.owners[obj], f"{state.terms.seats[0]}/hand", state.refs[obj])]
    for other in others:
        assert isinstance(other, int)
        there = f"{state.terms.seats[-1]}/hand"
        yield [("attach", other, obj), ("move", obj, there, -1), ("attach", other, None)]
        if len(state.zones[path]) == len(state.zones[state.where[other]]) == 1:
            yield [("swap", obj, other)]


@pytest.mark.slow
@each_catalog
@pytest.mark.parametrize("seeds", [(0,), pytest.param((1, 2), marks=pytest.mark.slow)], ids=["one game", "two games"])
def test_the_cache_of_cards_in_force_agrees_with_a_scan_after_rare_events(
    catalog: Catalog, seeds: Sequence[int]
) -> None:
    asked, kinds = questions(catalog), Counter[str]()
    for seed in seeds:
        replay = Replay(a_game(catalog.game, seed, catalog=catalog), keep=False)
        while (step := replay.step()) is not None:
            state = replay.state
            for obj in state.memory.get("live", ())[-1:] if step.n % 10 == 0 else ():
                assert isinstance(obj, int)
                for events in troubles(state, obj):
                    check_both_ways(state, asked, events)
                    kinds.update(event[0] for event in events)
    assert {"hide", "wipe", "own", "note", "clear", "lasting", "lapse", "create", "attach", "move"} <= set(kinds)


def check_both_ways(state: State, asked: list[tuple[str, str]], events: list[Event]) -> None:
    """Apply events and undo them; assert after each step that the cache agrees with a scan."""
    inverses: list[Event] = []
    for event in events:
        agrees(state, asked)
        inverses.append(apply(state, event))
        agrees(state, asked)
    while inverses:
        apply(state, inverses.pop())
        agrees(state, asked)


@each_catalog
def test_the_cache_of_cards_in_force_agrees_with_a_scan_in_a_declared_position(catalog: Catalog) -> None:
    asked = questions(catalog)
    replay = Replay(a_game(catalog.game, 2, catalog=catalog))
    for cut in range(5, 60, 11):
        start = json.loads(json.dumps(as_start(replay.game, replay.state_at(cut))))
        document = {**a_game(catalog.game, 2, catalog=catalog), "start": start, "moves": []}
        agrees(Replay(document, keep=False).state, asked)


@each_catalog
def test_a_copy_of_a_state_starts_with_an_empty_cache(catalog: Catalog) -> None:
    asked = questions(catalog)
    replay = Replay(a_game(catalog.game, 3, catalog=catalog), keep=False)
    for _ in range(40):
        replay.step()
    agrees(replay.state, asked)
    copy = replay.state.copy()
    assert not copy.acting
    assert copy == replay.state
