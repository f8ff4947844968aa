"""Declared positions: the facts they should state, and the values that an omitted fact may have.

The core tries a move under each of these values (`core.replay.unknown`) and asks for a fact only if they disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

from engine.core.abilities.language import operations_of, timed
from engine.core.abilities.program import Program
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import missing
from engine.core.text.errors import Violation
from engine.games.star_safir.effects.places import IN_PLAY
from engine.games.star_safir.moves import mat
from engine.games.star_safir.moves.mat import PI, PV, SEATS, THREE
from engine.games.star_safir.vocabulary import FIGHTING

# Before a slot: only what its card does from there is in question (same prefix as `core.replay.unknown.LURKS`).
LURKS = "lurks:"
MANY = 3  # beyond this many cards, their notes and order are asked for instead of tried in every combination
LATER = 10_000  # a turn number past every first turn
SHIELDS = ("Rempart", "Rempart+")
LASTING = ("buff", "divide", "silence", "block", "grant", "cannot", "cancel", "control")  # operations with a duration
# The rule to cite for each fact that a move needs.
RULES: Mapping[str, str] = {
    "turn.n": "SAF-V-5",
    "lasting": "SAF-IX-Tour",
    "memory.sacrificed": "SAF-VI.2-3",
    "memory.dry": "SAF-VIII-2",
    "memory.live": "SAF-VII-RempartOrder",
    "memory.spent": "SAF-VII-SecondeVie",
    "memory.form": "SAF-VII-Transfo",
    "memory.transformed": "SAF-VII-Transfo",
    "memory.activated": "SAF-III-6",
    "memory.moved": "SAF-VII-Deplacer",
    "memory.attacked": "SAF-VI.3-5",
    "memory.inert": "SAF-III-3",
    PV["A"]: "SAF-I-1",
    PV["B"]: "SAF-I-1",
}


def left_out(state: State, stated: Collection[str]) -> Iterator[str]:
    """Yield the facts that a declared position leaves out although its phase, options or cards make them matter.

    `stated` holds the notes that the position states, and "lasting" if it states the lasting effects.
    """
    yield from (f"memory.{note}" for note in _notes(state) if note not in stated)
    if "lasting" not in stated and any(_uses(state, word) for word in LASTING):
        yield "lasting"


def _notes(state: State) -> Iterator[str]:
    options = state.terms.options
    unphased = "turn.phase" in state.unknown
    # Where players may go back to phase 2, the notes of both phases matter in either.
    mixed = options["I-SAF-18"] == "yes"
    if state.phase == mat.COMBAT or unphased or mixed:
        yield "attacked"
    if options["I-SAF-07"] == "no":
        yield "arrived"
    if options["I-SAF-19"] == "yes" or (state.phase != mat.LANCEMENT and _uses(state, "move")):
        yield "moved"
    if state.phase == mat.INVOCATION or mixed or unphased:
        yield "sacrificed"
    if options["I-SAF-05"] == "all" and state.phase != mat.LANCEMENT:
        yield "dry"
    if state.phase == mat.PREPARATION or unphased:
        yield from mat.OPENING_NOTES
    if (state.phase in (mat.INVOCATION, mat.COMBAT) or unphased) and any(
        state.zones[f"{seat}/commander"] or f"{seat}/commander" in state.unknown for seat in SEATS
    ):
        yield "activated"
    for note in ("spent", "form", "inert"):
        if concerned(state, note):
            yield note
    # `transformed` says that it happened this turn, `form` that the card shows its other face.
    if concerned(state, "form"):
        yield "transformed"
    # The order of a single card cannot matter.
    if len(concerned(state, "live")) > 1:
        yield "live"


def concerned(state: State, note: str) -> list[int]:
    """Return the cards in play for which a note makes a difference."""
    found = []
    for path in IN_PLAY:
        for obj in state.zones[path]:
            card = state.card(obj)
            program = None if card is None else card.program
            if card is None or program is None:
                continue
            # Which face the card shows may itself be unknown, so both count.
            faces = [face for face in (program, program.into) if face is not None]
            if (
                (note == "spent" and any("Seconde Vie" in face.keywords for face in faces))
                or (note == "form" and program.into is not None)
                or (note == "inert" and card.kind == "jeton" and not state.noted("live", obj))
                or (note == "live" and any(ordered(face) for face in faces))
            ):
                found.append(obj)
    return found


def ordered(program: Program) -> bool:
    """Whether it matters when the card came into play.

    It does for shields, for abilities at moments of a turn or about other cards, and for replacements.
    """
    watches = any("of" in ability for abilities in program.triggers.values() for ability in abilities)
    moments = any(timed(trigger) for trigger in program.triggers)
    return any(word in program.keywords for word in SHIELDS) or moments or watches or bool(program.replacements)


def outward(program: Program) -> bool:
    """Whether the card does something from where it lies that nobody has to call on."""
    return bool(program.statics) or ordered(program)


def _uses(state: State, operation: str) -> bool:
    """Whether some card that may be in this game has the operation."""
    return any(operation in operations_of(ability) for card in _cards(state) for ability in _abilities(card))


def _abilities(card: Any) -> Iterator[Any]:
    yield from card.abilities
    for keyword in card.keywords:
        # The other face of «Transformation» has abilities of its own.
        yield keyword.get("into") or {}


def _cards(state: State) -> list[Any]:
    """Return every card that may be in this game: of the lists and the board, or all if a list is unknown."""
    cards = state.terms.cards
    if any(seat not in state.unseen for seat in SEATS):
        return list(cards.values())
    refs = dict.fromkeys(ref for seat in SEATS for ref in state.unseen[seat])
    refs.update(dict.fromkeys(ref for ref in state.refs if ref is not None))
    return [cards[ref] for ref in refs]


def answers(state: State, fact: str) -> Sequence[Any] | None:
    """Return values that an omitted fact may have, enough to represent all of them; None if there are too many.

    Rules compare counters with bounds, and forbid or grant by notes. So the smallest and the largest value stand for
    everything in between.
    """
    if fact in PV.values():
        return (0, mat.PV_GOAL - 1)
    if fact in PI.values():
        return (0, mat.PI_MAX)
    if fact.startswith("turn."):
        return TURN[fact]
    if fact.startswith("memory."):
        return _noted(state, fact.removeprefix("memory."))
    if fact.startswith(LURKS):
        return _lurking(state, fact.removeprefix(LURKS))
    return _held(state, fact)


TURN: Mapping[str, Sequence[Any]] = {
    "turn.n": (1, 2, LATER),
    "turn.seat": (*SEATS, None),
    "turn.phase": (mat.PREPARATION, mat.LANCEMENT, mat.INVOCATION, mat.COMBAT),
    "turn.first": (*SEATS, None),
}


def _noted(state: State, note: str) -> Sequence[Sequence[Any]] | None:
    if note in ("spent", "form", "inert"):
        cards = concerned(state, note)
        if len(cards) > MANY:
            return None
        return [group for size in range(len(cards) + 1) for group in combinations(cards, size)]
    if note == "live":
        cards = concerned(state, note)
        rest = [obj for obj in state.memory.get("live", ()) if obj not in cards]
        return None if len(cards) > MANY else [[*order, *rest] for order in permutations(cards)]
    if note == "sacrificed":
        return ((), THREE)
    if note in (*mat.OPENING_NOTES, "activated", "dry"):
        return ((), ("A",), ("B",), SEATS)
    # Notes about attacks and moves: nobody, or everybody twice, so that «Double ATK» is used up too.
    there = [obj for paths in mat.FIGHTERS.values() for path in paths for obj in state.zones[path]]
    return ((), (*there, *there))


def _lurking(state: State, path: str) -> Sequence[Any]:
    """Return what an unidentified card may do from its slot, as `Game.answers` writes it.

    None does nothing; (ref, *notes) does what that card does, with the notes "live" (it acts) and "form" (other face).
    """
    found: list[Any] = [None]
    for ref in _fitting(state, path):
        program = state.terms.cards[ref].program
        if program is None or not program.sound:
            continue
        if outward(program):
            found += [(ref,), (ref, "live")] if ordered(program) else [(ref,)]
        if program.into is not None and outward(program.into):
            found += [(ref, "form"), (ref, "form", "live")]
    return found


def _held(state: State, path: str) -> Sequence[Any] | None:
    """Return what an undeclared slot in play may hold: nothing, or a card as (ref,).

    None (ask for the fact) for any other place, and as soon as any card has effects: those may have changed what is
    there.
    """
    if path not in IN_PLAY or any(card.program is not None for card in _cards(state)):
        return None
    return [*([] if state.zones[path] else [None]), *((ref,) for ref in _fitting(state, path))]


def _fitting(state: State, path: str) -> list[str]:
    """Return the refs that may lie in a slot: of its kind, with a copy in the list not seen yet."""
    cards = state.terms.cards
    found: list[str] = []
    kinds = ("commandant",) if path.endswith("/commander") else ("magie",) if "/magics/" in path else FIGHTING
    # Under `control` a card of either list may lie on this side.
    for seat in SEATS if _uses(state, "control") else (path.split("/")[0],):
        left = state.unseen.get(seat)
        # Commanders are not in `unseen`, so any of the catalogue may be meant.
        refs = cards if left is None or kinds == ("commandant",) else [ref for ref, copies in left.items() if copies]
        found += [ref for ref in refs if cards[ref].kind in kinds and ref not in found]
    return found


def wants(state: State, move: Move) -> list[Violation]:
    """Return the facts that a move needs whatever the others are.

    These are the pending choice and, where I-TIME decides by points, the PV of both seats.
    """
    if "agenda" in state.unknown and move.do not in ("concede", "draw_agreed", "game_loss"):
        return missing("LOG-pending", "agenda")
    if move.do == "time" and state.terms.options["I-TIME"] not in ("draw", "judge"):
        return [reason for seat in SEATS if PV[seat] in state.unknown for reason in missing("SAF-I-1", PV[seat])]
    return []


def cites(move: Move, fact: str) -> str:
    """Return the rule of a move that needs this fact."""
    if "/fighters/" in fact and not fact.startswith(LURKS):
        return {"attack": "SAF-VI.3-2", "end_turn": "SAF-VI.4-2"}.get(move.do, "SAF-VIII-1")
    return RULES.get(fact, "SAF-VIII-1")


def settled(state: State, move: Move) -> tuple[str, ...]:
    """Return the facts that a move makes known: at the end of a turn, all notes about the turn are cleared."""
    return tuple(f"memory.{note}" for note in mat.TURN_NOTES) if move.do == "end_turn" else ()
