"""Declared positions: the facts of a turn that they leave out, and those that the effects of a legal move depend on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.core.cards.card import Card
from engine.core.replay.likely_values import MANY, Answers
from engine.core.table.game import Move
from engine.core.table.places import place
from engine.core.table.state import State
from engine.core.table.verbs import missing
from engine.core.text.errors import Violation
from engine.games.stellar_nexus.mat import (
    ATTAQUE,
    COMBAT_NOTES,
    DECK,
    FIELD,
    GRAVEYARD,
    HAND,
    OPENING_NOTES,
    OTHER,
    PHASES,
    PILE,
    PREPARATION,
    PV,
    SEATS,
    TURN_NOTES,
)

# Verbs for which no fact of the mat is asked for.
QUIET = ("hero", "keep", "mulligan", "first_player", "reveal", "begin_turn", "concede", "draw_agreed", "game_loss",
         "ruling", "manual")  # fmt: skip
# The rule cited, by verb, for a fact that a move needs.
CITED = {
    "play": "STN-DIV-3",
    "activate": "STN-CAP-1",
    "attack": "STN-CBT-1",
    "block": "STN-CBT-4",
    "end_phase": "STN-DIV-2",
    "end_turn": "STN-DIV-2",
}
ANSWERS = Answers(
    (PREPARATION, *PHASES), {"pv": (1, MANY)}, seats=("chosen", "ready"), cards=("activated", "arrived", "fought"),
    rows=("hero", "field", "equipment"),
)  # fmt: skip
PRIVATE = tuple(zone[seat] for zone in (HAND, DECK, PILE) for seat in SEATS)


def left_out(state: State, stated: Collection[str]) -> Iterator[str]:
    """Yield the notes that matter in this phase and were not declared."""
    unphased = "turn.phase" in state.unknown
    notes = ["activated", "arrived"]
    if state.phase == ATTAQUE or unphased:
        notes += ["fought", *COMBAT_NOTES]
    if state.phase == PREPARATION or unphased:
        notes += OPENING_NOTES
    yield from (f"memory.{note}" for note in notes if note not in stated)


def wants(state: State, move: Move) -> list[Violation]:
    """Return why the effect of a legal move cannot be known; each reason names a fact to ask for."""
    hidden = [place(state, obj) for seat in SEATS for obj in state.zones[FIELD[seat]] if state.refs[obj] is None]
    if not (state.unknown or hidden) or move.do in QUIET:
        return []
    if "agenda" in state.unknown:
        return missing("LOG-pending", "agenda")
    if move.do == "time":
        lead = state.terms.options["I-TIME"] not in ("draw", "judge")
        return [
            reason for seat in SEATS if lead and PV[seat] in state.unknown for reason in missing("STN-VIC-1", PV[seat])
        ]
    facts = [fact for fact in state.unknown if not fact.startswith(("memory.", "turn.")) and fact not in PRIVATE]
    needed = _needed(state, move, [*facts, *hidden])[:1]
    return [reason for fact in needed for reason in missing(CITED.get(move.do, "STN-PHA-1"), fact)]


def _needed(state: State, move: Move, facts: list[str]) -> list[str]:
    """Return the facts of the board that matter to a move.

    All of them if a card has effects. Otherwise a fight needs both fields and the PV attacked, the end of a phase both
    fields, and the end of a turn also the graveyards, which may hold tokens.
    """
    if any(not card.vanilla for card in _seen(state, move)) or _latent(state):
        return facts
    fields = tuple(FIELD.values())
    if move.do == "block" and "done" in move.args:
        return [fact for fact in facts if fact.startswith(fields) or fact == PV[OTHER[state.seat or "A"]]]
    if move.do in ("end_phase", "end_turn"):
        graves = tuple(GRAVEYARD.values()) if move.do == "end_turn" else ()
        return [fact for fact in facts if fact.startswith((*fields, *graves))]
    return []


def _seen(state: State, move: Move) -> Iterator[Card]:
    """Yield the cards whose effects a move may set off."""
    cards = state.terms.cards
    named = move.args.get("card")
    if isinstance(named, str) and named in cards:
        yield cards[named]
    yield from (card for obj, ref in enumerate(state.refs) if ref is not None and (card := state.card(obj)) is not None
                and state.where[obj].split("/")[1] in ("hero", "field", "equipment", "resources"))  # fmt: skip


def _latent(state: State) -> bool:
    """Whether an undeclared row or an unidentified card may hold a card with effects."""
    rows = [f"{seat}/{row}" for seat in SEATS for row in ("hero", "field", "equipment", "resources")]
    hidden = any(row in state.unknown or any(state.refs[obj] is None for obj in state.zones[row]) for row in rows)
    return hidden and any(not card.vanilla for card in state.terms.cards.values())


def answers(state: State, fact: str) -> Sequence[Any] | None:
    """Return the answers that an unknown fact may have; None if there are too many to try."""
    return ANSWERS.of(state, fact)


def cites(move: Move, fact: str) -> str:
    """Return the rule of a move that needs this fact."""
    return CITED.get(move.do, "STN-PHA-1")


def settled(state: State, move: Move) -> tuple[str, ...]:
    """Return the unknown facts that are known once this move is made."""
    return tuple(f"memory.{note}" for note in TURN_NOTES) if move.do == "end_turn" else ()
