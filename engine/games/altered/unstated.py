"""Declared positions: the facts of a day they leave out, and those that the consequences of a legal move rest on."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.core.answers import Answers
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.places import place
from engine.core.state import State
from engine.core.verbs import missing
from engine.games.altered.effects.host import IN_PLAY
from engine.games.altered.mat import (
    APRES_MIDI,
    EXPEDITIONS,
    LAST,
    LIMBO,
    MATIN,
    NUIT,
    OTHER,
    PHASES,
    PREPARATION,
    ROW,
    STEPS,
)

NEEDED = {
    "ready": (PREPARATION,),
    "laid": (PREPARATION,),
    "expanded": (MATIN,),
    "passed": (APRES_MIDI,),
    "dropped": (NUIT,),
}
ANSWERS = Answers(
    PHASES, dict.fromkeys(EXPEDITIONS, range(LAST + 1)), seats=("expanded", "passed", "ready")
)  # fmt: skip
QUIET = ("first_player", "adventure", "mana3", "concede", "draw_agreed", "game_loss", "ruling", "manual")
PRIVATE = ("hand", "deck", "mana", "spent", "discard", "exile")


def unstated(state: State, stated: Collection[str]) -> Iterator[str]:
    """The notes that matter in this phase and were not declared."""
    unphased = "turn.phase" in state.unknown
    for note, phases in NEEDED.items():
        if note not in stated and (unphased or state.phase in phases):
            yield f"memory.{note}"


def wants(state: State, move: Move) -> list[Violation]:
    """Why nobody can say what a legal move does: each reason names a fact that would settle it."""
    hidden = [place(state, obj) for path in ROW.values() for obj in state.zones[path] if state.refs[obj] is None]
    if not (state.unknown or hidden) or move.do in QUIET:
        return []
    if move.do == "time":
        lead = state.terms.options["I-TIME"] not in ("draw", "judge")
        facts = [path for path in STEPS.values() if lead and path in state.unknown]
    elif matters(state, move):
        facts = [*(fact for fact in state.unknown if _public(fact)), *hidden]
    else:
        facts = [fact for fact in state.unknown if fact in IN_PLAY] if watched(state, move) else []
    return [reason for fact in facts[:1] for reason in missing("ALT-1.3.2.e", fact)]


def _public(fact: str) -> bool:
    """Whether a fact is about the mat, and not about a hidden zone, a note or the turn; in Limbo nothing stays."""
    return not fact.startswith(("memory.", "turn.", LIMBO)) and fact.partition("/")[2] not in PRIVATE


def matters(state: State, move: Move) -> bool:
    """Whether the mat has a say in what a move does: the last pass, the night, a card with effects."""
    if acting(state, move) or move.do == "cleanup":
        return True
    return move.do == "pass" and state.noted("passed", OTHER.get(move.by, ""))


def watched(state: State, move: Move) -> bool:
    """Whether a card nobody told of may have a say in what is played, or at noon."""
    noon = move.do == "expand" and state.noted("expanded", OTHER.get(move.by, ""))
    return (noon or move.do in ("play", "quick")) and any(
        card.program is not None for card in state.terms.cards.values()
    )


def acting(state: State, move: Move) -> bool:
    """Whether an effect may have a say in what a move does."""
    ref = move.args.get("card")
    card = state.terms.cards.get(ref) if isinstance(ref, str) else None
    told = card is not None and not card.vanilla and move.do == "play"
    return told or move.do == "quick" or bool(state.lasting or state.agenda or "live" in state.memory)


def settled(state: State, move: Move) -> tuple[str, ...]:
    """The facts that are known after a move: in a new phase nobody has decided anything yet."""
    later = {"expand": MATIN, "pass": APRES_MIDI, "cleanup": NUIT}
    if later.get(move.do) in (None, state.phase):
        return ()
    return tuple(f"memory.{note}" for note in ("expanded", "passed", "dropped"))
