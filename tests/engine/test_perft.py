"""How many sequences of legal moves there are from tiny positions: the counts on file are the truth.

Counted twice: by `candidates`, and by trying the whole domain of arguments against a second reading of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.core.context import Context
from engine.core.game import Move
from engine.core.replay import load_game, perform
from engine.core.state import State
from engine.core.views import board
from tests.engine.kits import KITS, SAFIR, Kit
from tests.engine.scenario import kit_of, start

FOLDER = Path(__file__).parent.joinpath("perft")
POSITIONS = [
    {"game": kit.game, **position}
    for kit in KITS.values()
    for position in json.loads(FOLDER.joinpath(f"{kit.folder}.json").read_text(encoding="utf-8"))
]
NAMES = [f"{position['game']}: {position['name']}" for position in POSITIONS]
FEW = 8  # positions, each of which costs every argument there is

Legal = Callable[[State], Iterator[Move]]


def closed(kit: Kit, state: State, move: Move) -> Move:
    """The move with its chance: the cards drawn are always the same."""
    if move.do == "drop_keep":
        return replace(move, chance=(("draw", (kit.drawn,) * len(state.memory["won"])),))
    if move.do != "begin_turn":
        return move
    return replace(move, chance=(("draw", (kit.drawn,)),) if state.zones[f"{move.by}/deck"] else ())


def perft(kit: Kit, state: State, depth: int, legal: Legal) -> int:
    """The number of sequences of `depth` legal moves."""
    if depth == 0:
        return 1
    game = load_game(kit.game)
    context, total = Context(state), 0
    for move in list(legal(state)):
        perform(game, context, game.verbs()[move.do], closed(kit, state, move))
        total += perft(kit, state, depth - 1, legal)
        context.roll_back()
    return total


def by_candidates(kit: Kit) -> Legal:
    return lambda state: load_game(kit.game).candidates(state)


def by_trying_everything(kit: Kit, refs: list[str]) -> Legal:
    def legal(state: State) -> Iterator[Move]:
        tried = (move for seat in "AB" for move in kit.turn_moves(state, seat, refs))
        shown = board(state, None, "judge")
        return (move for move in tried if kit.plainly_legal(state, shown, move))

    return legal


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_the_candidates_are_as_many_as_on_file(position: dict[str, Any]) -> None:
    kit, state = kit_of(position), start(position)
    before = state.digest()
    depths = range(1, len(position["counts"]) + 1)
    assert [perft(kit, state, depth, by_candidates(kit)) for depth in depths] == position["counts"]
    assert state.digest() == before


def tried(position: dict[str, Any], deepest: int) -> list[int]:
    """The counts to a depth by trying every argument, which costs all of them at every position on the way."""
    kit, state = kit_of(position), start(position)
    legal = by_trying_everything(kit, [*position["refs"], kit.drawn])
    return [perft(kit, state, depth, legal) for depth in range(1, deepest + 1)]


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_trying_everything_counts_the_same_while_few_positions_are_reached(position: dict[str, Any]) -> None:
    counts = position["counts"]
    deepest = 1 + sum(reached <= FEW for reached in counts[:-1])
    assert tried(position, deepest) == counts[:deepest]


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_trying_everything_counts_the_same_to_the_end(position: dict[str, Any]) -> None:
    assert tried(position, len(position["counts"])) == position["counts"]


def position_named(game: str, name: str) -> dict[str, Any]:
    return next(position for position in POSITIONS if (position["game"], position["name"]) == (game, name))


def test_a_count_worked_by_hand() -> None:
    """Two cards in hand that cost 1 of 1 PI, nine free slots of each kind: 9 and 9 ways to play, or to end the turn.

    After any of the 18 plays nothing can be paid: ending the turn is what is left. After it the opponent begins, and
    then has nothing but the end of the turn either.
    """
    by_hand = position_named("star-safir", "two cards and 1 PI")
    assert by_hand["given"]["seats"]["A"] == {"pi": 1, "hand": ["F-1-1-1", "M-1"], "deck": 0}
    assert by_hand["counts"] == [9 + 9 + 1, 9 + 9 + 1, 9 + 9 + 1]


def test_a_sharing_worked_by_hand() -> None:
    """3 points on a blocker of PAtt 1, Drop 1, and on the PV: 1, 2 or 3 on either, so 6 first entries.

    3 on one of them end the attacker's sharing, and the blocker's point goes to the attacker or to the PV: 2 times 2.
    1 or 2 leave the rest for the other target, one entry each: 4. These 4 then have the blocker's 2 choices; of the 4
    that are over, the 2 that destroyed the blocker draw the drop, the 2 that did not end the turn: 8 and 4.
    """
    by_hand = position_named("wakfu", "a total shared out")
    assert by_hand["counts"] == [6, 2 * 2 + 4, 4 * 2 + 2 + 2]


def test_a_day_worked_by_hand() -> None:
    """B has passed; A has 2 orbs, a character of 2 in hand, in the Réserve a character of 1 and a Permanent of 2.

    1: each character to either expedition, the Permanent, or a pass: 2 + 2 + 1 + 1. 2: nothing more can be paid, so a
    pass, five times; after the pass B's morning, with no card to put into mana. 3: the character of the hand makes
    three cards in the Réserve, one of which goes: 2 times 3; the other one was Fleeting: 2 times B's morning; after the
    Permanent too: 1; after the pass and B's morning A may put into mana nothing, that card, or a card unseen: 3.
    """
    by_hand = position_named("altered", "a card of the Reserve and who goes on alone")
    assert by_hand["counts"] == [2 + 2 + 1 + 1, 5 + 1, 2 * 3 + 2 + 1 + 3]


def test_a_turn_of_the_market_worked_by_hand() -> None:
    """One card of Force 1; the last slot has a card of cost 1 (still 1, though it costs 1 less), the fifth one of 3.

    1: the card faces either, is discarded, or the turn ends: 4. 2: facing the last it acquires or the turn ends: 2;
    each of the other three goes on in one way. 3: after both turns ended the terrain, which nothing fills, has lost
    both its cards: the card is discarded or the turn ends: 2; each of the other four goes on in one way.
    """
    assert position_named("saint-seiya", "one card to play and two to face")["counts"] == [4, 2 + 3, 2 + 4]


def side(**given: Any) -> dict[str, Any]:
    return {"hand": [], "deck": 0, **given}


def test_a_count_with_an_effect_worked_by_hand() -> None:
    """A magic that costs the one PI there is and destroys a fighter of its territory; two stand in territory I.

    1: nine magic slots, or the end of the turn. 2: in territory I (three slots) the effect asks which of the two; in
    the others it has no target, and the end of the turn is what is left; after the end the opponent begins. 3: each of
    these goes on in one way only.
    """
    state = start({"given": {"seats": {
        "A": side(pi=1, hand=["MM-SLAY"]), "B": side(T1={"fighters": ["F-1-1-1", "F-1-2-1", None]}),
    }}})  # fmt: skip
    counts = [perft(SAFIR, state, depth, by_candidates(SAFIR)) for depth in (1, 2, 3)]
    assert counts == [9 + 1, 3 * 2 + 6 * 1 + 1, 3 * 2 + 6 * 1 + 1]


def test_a_count_with_a_rampart_worked_by_hand() -> None:
    """Two fighters of ATK 2 face a «Rempart» of DEF 5, which never falls, and a fighter behind it.

    1: one, the other or both attack the «Rempart», or the turn ends. 2: after one alone the other attacks or the turn
    ends, twice; after both the turn ends; after the end the opponent begins. 3: after both in turn the end; after an
    end the opponent begins; once begun, three groups of theirs attack either fighter, or their turn ends.
    """
    state = start({"given": {"seats": {
        "A": side(T1={"fighters": ["F-2-1-3", "F-2-2-3", None]}),
        "B": side(T1={"fighters": ["E-REMPART", "F-1-1-1", None]}),
    }}})  # fmt: skip
    counts = [perft(SAFIR, state, depth, by_candidates(SAFIR)) for depth in (1, 2, 3)]
    assert counts == [3 + 1, 2 * 2 + 1 + 1, 2 * 2 + 1 + (3 * 2 + 1)]
