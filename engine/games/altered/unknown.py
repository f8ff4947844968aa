"""Declared positions: the facts of a day that they leave out, and those that the effects of a legal move depend on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.core.effects import force
from engine.core.effects.triggers import ACTED
from engine.core.replay.likely_values import Answers
from engine.core.table.game import Move
from engine.core.table.places import place
from engine.core.table.state import State
from engine.core.table.verbs import missing
from engine.core.text.errors import Violation
from engine.games.altered.editions import edition
from engine.games.altered.effects.host import IN_PLAY
from engine.games.altered.mat import (
    APRES_MIDI,
    CREPUSCULE,
    EXPEDITIONS,
    LAST,
    LIMBO,
    MATIN,
    MOVED,
    NUIT,
    OTHER,
    PHASES,
    PREPARATION,
    ROW,
    STEPS,
)

# The notes that matter, each with the phases in which it does.
NEEDED = {
    "ready": (PREPARATION,),
    "laid": (PREPARATION,),
    "expanded": (MATIN,),
    "passed": (APRES_MIDI,),
    ACTED: (APRES_MIDI,),
    "dropped": (NUIT,),
}
ANSWERS = Answers(
    PHASES, dict.fromkeys(EXPEDITIONS, range(LAST + 1)), seats=("expanded", "passed", "ready", *MOVED.values())
)  # fmt: skip
# Verbs for which no fact of the mat is asked for.
QUIET = ("first_player", "adventure", "mana3", "concede", "draw_agreed", "game_loss", "ruling", "manual")
PRIVATE = ("hand", "deck", "mana", "spent", "discard", "exile")


def left_out(state: State, stated: Collection[str]) -> Iterator[str]:
    """Yield the notes that matter in this phase and were not declared."""
    unphased = "turn.phase" in state.unknown
    for note, phases in NEEDED.items():
        if note not in stated and (unphased or state.phase in phases):
            yield f"memory.{note}"
    if edition(state).later_words and (unphased or state.phase == CREPUSCULE):
        yield from (f"memory.{note}" for note in MOVED.values() if note not in stated)


def wants(state: State, move: Move) -> list[Violation]:
    """Return why the effect of a legal move cannot be known: at most one reason, which names a fact to ask for."""
    hidden = [place(state, obj) for path in ROW.values() for obj in state.zones[path] if state.refs[obj] is None]
    if not (state.unknown or hidden) or move.do in QUIET:
        return []
    if f"memory.{ACTED}" in state.unknown and move.do in ("play", "quick") and acts_once(state):
        return missing("ALT-1.3.2.e", f"memory.{ACTED}")
    if move.do == "time":
        lead = state.terms.options["I-TIME"] not in ("draw", "judge")
        facts = [path for path in STEPS.values() if lead and path in state.unknown]
    elif matters(state, move):
        facts = [*(fact for fact in state.unknown if _public(fact)), *hidden]
    else:
        facts = [fact for fact in state.unknown if fact in IN_PLAY] if watched(state, move) else []
    # One fact at a time: its answer may make the others unnecessary.
    return [reason for fact in facts[:1] for reason in missing("ALT-1.3.2.e", fact)]


def acts_once(state: State) -> bool:
    """Whether a card in play has an ability that acts once a day."""
    live = [force.active(state, obj) for obj in state.memory.get("live", ()) if isinstance(obj, int)]
    return any("once" in one for found in live if found for some in found.triggers.values() for one in some)


def _public(fact: str) -> bool:
    """Whether a fact is about cards or counters everybody sees, and not about a hidden zone, a note or the turn."""
    # Limbo counts as private: between moves no card stays there.
    return not fact.startswith(("memory.", "turn.", LIMBO)) and fact.partition("/")[2] not in PRIVATE


def matters(state: State, move: Move) -> bool:
    """Whether what a move does depends on the mat: the last pass of a day, the clean-up, a card with effects."""
    if acting(state, move) or move.do == "cleanup":
        return True
    return move.do == "pass" and state.noted("passed", OTHER.get(move.by, ""))


def watched(state: State, move: Move) -> bool:
    """Whether a card that was not declared may react to this move: to a card or quick action, or at noon."""
    noon = move.do == "expand" and state.noted("expanded", OTHER.get(move.by, ""))
    return (noon or move.do in ("play", "quick")) and any(
        card.program is not None for card in state.terms.cards.values()
    )


def acting(state: State, move: Move) -> bool:
    """Whether an effect may change what a move does."""
    ref = move.args.get("card")
    card = state.terms.cards.get(ref) if isinstance(ref, str) else None
    has_text = card is not None and not card.vanilla and move.do == "play"
    return has_text or move.do == "quick" or bool(state.lasting or state.agenda or "live" in state.memory)


def settled(state: State, move: Move) -> tuple[str, ...]:
    """Return the facts known after a move that led to another phase: there, nobody has made these decisions yet."""
    later = {"expand": MATIN, "pass": APRES_MIDI, "cleanup": NUIT}
    if later.get(move.do) in (None, state.phase):
        return ()
    return tuple(f"memory.{note}" for note in ("expanded", "passed", "dropped", ACTED, *MOVED.values()))


def answers(state: State, fact: str) -> Sequence[Any] | None:
    """Return the answers that an unknown fact may have; None if there are too many to try."""
    return ANSWERS.of(state, fact)


def cites(move: Move, fact: str) -> str:
    """Return the rule of a move that needs this fact."""
    return "ALT-1.3.2.e"
