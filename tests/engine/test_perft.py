"""Perft: the number of sequences of legal moves from tiny positions must equal the counts on file.

The sequences are counted twice: with `candidates`, and by trying every move that can be written against a second
reading of the rules (`plainly_legal`). Some counts are worked out by hand below.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.core.replay.replay import load_game, perform
from engine.core.shown.views import board
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from tests.engine.kits import KITS, SAFIR, Kit
from tests.engine.scenario import kit_of, start

FOLDER = Path(__file__).parent.joinpath("perft")
POSITIONS = [
    {"game": kit.game, **position}
    for kit in KITS.values()
    for position in json.loads(FOLDER.joinpath(f"{kit.folder}.json").read_text(encoding="utf-8"))
]
NAMES = [f"{position['game']}: {position['name']}" for position in POSITIONS]
FEW = 8  # positions reached at a depth; trying every argument in more of them is too slow for every run

Legal = Callable[[State], Iterator[Move]]


def closed(kit: Kit, state: State, move: Move) -> Move:
    """Return the move with its chance filled in; every card drawn is the same one, so that chance adds no branches."""
    if move.do == "drop_keep":
        return replace(move, chance=(("draw", (kit.drawn,) * len(state.memory["won"])),))
    if move.do != "begin_turn":
        return move
    return replace(move, chance=(("draw", (kit.drawn,)),) if state.zones[f"{move.by}/deck"] else ())


def perft(kit: Kit, state: State, depth: int, legal: Legal) -> int:
    """Return the number of sequences of `depth` legal moves."""
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
def test_candidates_give_the_counts_on_file(position: dict[str, Any]) -> None:
    kit, state = kit_of(position), start(position)
    before = state.digest()
    depths = range(1, len(position["counts"]) + 1)
    assert [perft(kit, state, depth, by_candidates(kit)) for depth in depths] == position["counts"]
    assert state.digest() == before


def tried(position: dict[str, Any], deepest: int) -> list[int]:
    """Return the counts at depths 1 to `deepest`, found by trying every argument in every position on the way."""
    kit, state = kit_of(position), start(position)
    legal = by_trying_everything(kit, [*position["refs"], kit.drawn])
    return [perft(kit, state, depth, legal) for depth in range(1, deepest + 1)]


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_trying_every_argument_gives_the_same_counts_at_low_depth(position: dict[str, Any]) -> None:
    counts = position["counts"]
    deepest = 1 + sum(reached <= FEW for reached in counts[:-1])
    assert tried(position, deepest) == counts[:deepest]


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_trying_every_argument_gives_the_same_counts_at_full_depth(position: dict[str, Any]) -> None:
    assert tried(position, len(position["counts"])) == position["counts"]


def position_named(game: str, name: str) -> dict[str, Any]:
    return next(position for position in POSITIONS if (position["game"], position["name"]) == (game, name))


def test_a_star_safir_turn_counted_by_hand() -> None:
    """Two cards of cost 1 in hand, 1 PI, nine free slots for each: 9 + 9 plays, or the end of the turn.

    After any of the 18 plays nothing more can be paid for, so only the end of the turn is left. After the end of the
    turn the opponent begins, and then can only end the turn too.
    """
    by_hand = position_named("star-safir", "two cards and 1 PI")
    assert by_hand["given"]["seats"]["A"] == {"pi": 1, "hand": ["F-1-1-1", "M-1"], "deck": 0}
    assert by_hand["counts"] == [9 + 9 + 1, 9 + 9 + 1, 9 + 9 + 1]


def test_a_wakfu_distribution_counted_by_hand() -> None:
    """3 points to distribute between a blocker of PAtt 1 and Drop 1 and the PV: 1, 2 or 3 on either, 6 first entries.

    Depth 2: 3 points on one target end the attacker's distribution, and the blocker's point goes to the attacker or to
    the PV: 2 * 2. After 1 or 2 points the rest goes to the other target, one entry each: 4.
    Depth 3: those 4 leave the blocker 2 choices each: 8. Of the 4 finished distributions, the 2 that destroyed the
    blocker draw the drop, and the other 2 end the turn: 4.
    """
    by_hand = position_named("wakfu", "a total shared out")
    assert by_hand["counts"] == [6, 2 * 2 + 4, 4 * 2 + 2 + 2]


def test_an_altered_day_counted_by_hand() -> None:
    """B has passed. A has 2 orbs, a character of cost 2 in hand, a character of 1 and a Permanent of 2 in reserve.

    Depth 1: each character to either expedition, the Permanent, or a pass: 2 + 2 + 1 + 1.
    Depth 2: after the five plays nothing more can be paid for, so only a pass is left: 5. After the pass comes the
    morning of B, who has no card to put into mana: 1.
    Depth 3: the character from the hand makes three cards in the reserve, one of which must be discarded: 2 * 3. The
    one from the reserve was Fleeting, so B's morning follows: 2; likewise after the Permanent: 1. After the pass and
    B's morning A may put nothing, that card or an unseen card into mana: 3.
    """
    by_hand = position_named("altered", "a card of the Reserve and who goes on alone")
    assert by_hand["counts"] == [2 + 2 + 1 + 1, 5 + 1, 2 * 3 + 2 + 1 + 3]


def test_a_saint_seiya_turn_counted_by_hand() -> None:
    """One card of Force 1. The last slot has a card of cost 1 (its rebate never goes below 1), the fifth one of cost 3.

    Depth 1: the card faces either one, is discarded, or the turn ends: 4.
    Depth 2: facing the last one it can acquire it, or the turn ends: 2. The other three continue in one way each.
    Depth 3: once both turns have ended, the terrain has lost both its cards and nothing refills it, so the card can
    only be discarded or the turn ended: 2. The other four continue in one way each.
    """
    assert position_named("saint-seiya", "one card to play and two to face")["counts"] == [4, 2 + 3, 2 + 4]


def side(**given: Any) -> dict[str, Any]:
    return {"hand": [], "deck": 0, **given}


def test_a_position_with_an_effect_counted_by_hand() -> None:
    """A magic of cost 1, with 1 PI, destroys a fighter of its territory; two fighters stand in territory I.

    Depth 1: nine magic slots, or the end of the turn.
    Depth 2: in territory I (three slots) the effect asks which of the two fighters to destroy. In the other territories
    it has no target and only the end of the turn is left. After the end of the turn the opponent begins.
    Depth 3: each of these continues in one way.
    """
    state = start({"given": {"seats": {
        "A": side(pi=1, hand=["MM-SLAY"]), "B": side(T1={"fighters": ["F-1-1-1", "F-1-2-1", None]}),
    }}})  # fmt: skip
    counts = [perft(SAFIR, state, depth, by_candidates(SAFIR)) for depth in (1, 2, 3)]
    assert counts == [9 + 1, 3 * 2 + 6 * 1 + 1, 3 * 2 + 6 * 1 + 1]


def test_a_position_with_a_rempart_counted_by_hand() -> None:
    """Two fighters of ATK 2 face a «Rempart» of DEF 5, which they cannot destroy, and a fighter that it protects.

    Depth 1: one fighter, the other or both attack the «Rempart», or the turn ends.
    Depth 2: after a single attack the other fighter attacks or the turn ends: 2 * 2. After the combined attack the turn
    ends; after the end of the turn the opponent begins.
    Depth 3: after two single attacks the turn ends, and after an end of the turn the opponent begins: 2 * 2 + 1. Once
    the opponent has begun, three groups of attackers can attack either fighter, or the turn ends: 3 * 2 + 1.
    """
    state = start({"given": {"seats": {
        "A": side(T1={"fighters": ["F-2-1-3", "F-2-2-3", None]}),
        "B": side(T1={"fighters": ["E-REMPART", "F-1-1-1", None]}),
    }}})  # fmt: skip
    counts = [perft(SAFIR, state, depth, by_candidates(SAFIR)) for depth in (1, 2, 3)]
    assert counts == [3 + 1, 2 * 2 + 1 + 1, 2 * 2 + 1 + (3 * 2 + 1)]
