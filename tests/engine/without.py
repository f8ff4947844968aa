"""Replacements that disable one rule of Star Safir, to prove that a scenario would notice.

A rule that refuses moves or decks is disabled by its id: the runner drops its violations. A rule that computes
something needs code: each replacement is what the engine would look like if its author had missed that rule. `REPLACED`
lists them by rule; the other games have theirs in `<game>/without.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.cards import lint
from engine.core.effects import force, operations, triggers, values
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.star_safir import game
from engine.games.star_safir.effects import host, keywords, places
from engine.games.star_safir.moves import calcul, combat, invocation, lancement, mat

Replacement = tuple[Any, str, Any]  # module or object, attribute name, value that replaces it
FALLEN, STRENGTH = combat.fallen, calcul.strength
# The originals, kept because the tests replace the attributes.
UNTIL, PLACE, TOKEN = host.SafirHost.until, host.HOST.steps["place"], host.HOST.steps["token"]


def _to_the_next_territory(ctx: Context, obj: int) -> None:
    territory = int(ctx.state.where[obj].split("/")[1][1:])
    ctx.emit("move", obj, f"{ctx.state.owners[obj]}/T{territory % 3 + 1}/discard", -1)


def _tokens_vanish(ctx: Context, obj: int) -> None:
    card = ctx.state.card(obj)
    if card is not None and card.kind == "jeton":
        ctx.emit("move", obj, f"{ctx.state.owners[obj]}/aside", -1)
    else:
        mat.destroy(ctx, obj)


def _tokens_as_magics(card: Any, seat: str, territory: int) -> tuple[str, ...]:
    return mat.FIGHTERS[seat, territory] if card.kind == "combattant" else mat.MAGICS[seat, territory]


def _never(state: State) -> bool:
    return False


def _no_gain(ctx: Context, path: str, points: int) -> None:
    return


def _both_gain(ctx: Context, path: str, points: int) -> None:
    for seat in mat.SEATS:
        mat.gain(ctx, f"{seat}.{path[2:]}", points)


def _uncapped(ctx: Context, path: str, points: int) -> None:
    ctx.emit("counter", path, points)


def _with_magics(state: State, slots: Sequence[str], worth: dict[int, int] | None) -> tuple[int, int]:
    count, value = STRENGTH(state, slots, worth)
    magics = [state.card(obj) for path in slots for obj in state.zones[path.replace("fighters", "magics")]]
    return count, value + sum(card.figures.get("val", 0) for card in magics if card is not None)


def _best_attacker_alone(state: State, attackers: list[int], defender: int) -> list[int]:
    cards = [state.card(obj) for obj in attackers]
    best = max(range(len(attackers)), key=lambda index: cards[index].figures["atk"])  # type: ignore[union-attr]
    return FALLEN(state, [attackers[best]], defender)


def _no_riposte(state: State, attackers: list[int], defender: int) -> list[int]:
    return [obj for obj in FALLEN(state, attackers, defender) if obj == defender]


def _hand_limit(self: Any, state: State, seat: str) -> int:
    return 0 if len(state.zones[f"{seat}/hand"]) >= 60 else 1


def _scale(column: int) -> Mapping[str, tuple[int, int]]:
    """Return the scoring table with one of its columns (0: PV, 1: PI) set to 0."""
    return {row: (0, pi) if column == 0 else (pv, 0) for row, (pv, pi) in calcul.SCALE.items()}


def _equal_is_enough(atk: int, def_: int) -> bool:
    return atk >= def_


def _silent(*args: Any, **named: Any) -> None:
    return


def _unsaved(*args: Any) -> bool:
    return False


def _nothing(*args: Any) -> list[Any]:
    return []


def _no_price(*args: Any) -> list[str]:
    return []


def _everybody_adjacent(*args: int) -> bool:
    return True


def _to_whoever_controls(ctx: Context, obj: int) -> None:
    seat, territory = ctx.state.where[obj].split("/")[:2]
    ctx.emit("move", obj, f"{seat}/{territory}/discard", -1)


def _one_attack_each(state: State, obj: int) -> str | None:
    return "SAF-VI.3-5" if state.noted("attacked", obj) else None


def _acting_tokens(stack: Any, frame: Any) -> None:
    TOKEN(stack, frame)
    state = stack.ctx.state
    if "picked" in frame:
        stack.ctx.emit("clear", "inert", len(state.refs) - 1)
        force.enter(stack.ctx, len(state.refs) - 1)


def _even_to_itself(state: State, giver: Any, static: Mapping[str, Any], card: Any) -> bool:
    return values.reaches(state, giver, static["to"], card)


def _everywhere(self: Any, giver: Any, selector: Mapping[str, Any]) -> str:
    return "any"


def _a_turn_too_long(self: Any, state: State, seat: str, word: str) -> int | str:
    end = UNTIL(self, state, seat, word)
    return end + 1 if isinstance(end, int) else end


def _half_down(amount: int) -> int:
    return amount // 2


def _no_form(ctx: Context, obj: int) -> bool:
    mat.destroy(ctx, obj)
    return True


def _back_on_top(stack: Any, giver: Any, operation: Any, got: Any) -> None:
    state = stack.ctx.state
    for obj in [values.object_at(state, option) for option in got]:
        stack.ctx.emit("move", obj, f"{state.owners[obj]}/deck", -1)


def _played_again(stack: Any, frame: Any) -> None:
    PLACE(stack, frame)
    if frame["how"] == "resurrect" and "picked" in frame:
        triggers.after(stack, ("played", force.seen(stack.ctx.state, frame["obj"])))


REPLACED: Mapping[str, tuple[Replacement, ...]] = {
    "SAF-II-3": ((combat, "destroy", _to_the_next_territory), (invocation, "destroy", _to_the_next_territory)),
    "SAF-III-4": ((combat, "destroy", _tokens_vanish), (invocation, "destroy", _tokens_vanish)),
    "SAF-III-8": ((invocation, "row", _tokens_as_magics),),
    "SAF-V-3": ((game, "OPENING_PI", 0),),
    "SAF-V-4": ((lancement, "first_turn", _never),),
    "SAF-V-5": ((calcul, "first_turn", _never),),
    "SAF-VI.1-2": ((lancement, "gain", _no_gain),),
    "SAF-VI.3-2": ((combat, "beats", _equal_is_enough),),
    "SAF-VI.3-3": ((combat, "fallen", _best_attacker_alone),),
    "SAF-VI.3-4": ((combat, "fallen", _no_riposte),),
    "SAF-VI.3-6": ((combat, "beats", _equal_is_enough),),
    "SAF-VI.4-1": ((calcul, "gain", _both_gain),),
    "SAF-VI.4-2": ((calcul, "strength", _with_magics),),
    "SAF-VI.4-3": ((calcul, "SCALE", _scale(0)),),
    "SAF-VI.4-4": ((calcul, "SCALE", _scale(1)),),
    "SAF-VI.4-5": ((calcul, "gain", _uncapped), (lancement, "gain", _uncapped), (invocation, "gain", _uncapped)),
    "SAF-III-3": ((host.HOST, "steps", {**host.HOST.steps, "token": _acting_tokens}),),
    "SAF-VI.2-2": ((host.HOST, "steps", {**host.HOST.steps, "place": _played_again}),),
    "SAF-VII-1": ((invocation.triggers, "after", _silent),),
    "SAF-VII-MotsCles": ((lint, "_unknown_keywords", _no_price),),
    "SAF-VII-AdjacentCombattant": ((places, "neighbours", _everybody_adjacent),),
    "SAF-VII-AdjacentTerritoire": ((places, "next_to", _everybody_adjacent),),
    "SAF-VII-Destruction": ((triggers, "set_going", _nothing),),
    "SAF-VII-Diviser": ((values, "half_up", _half_down), (operations, "half_up", _half_down)),
    "SAF-VII-EnJeu": ((values, "applies", _unsaved),),
    "SAF-VII-Renvoyer": ((host.HOST, "targeted", {**host.HOST.targeted, "return": _back_on_top}),),
    "SAF-VII-SecondeVie": ((keywords, "second_life", _unsaved),),
    "SAF-VII-Transfo": ((keywords, "transform", _no_form),),
    "SAF-VII-VolVie": ((keywords, "payers", _no_price),),
    "SAF-VIII-1": ((combat, "worn_out", _one_attack_each),),
    "SAF-VIII-4": ((combat, "destroy", _to_whoever_controls), (host, "destroy", _to_whoever_controls)),
    "SAF-VIII-5": ((values, "applies", _even_to_itself),),
    "SAF-VIII-6": ((host.SafirHost, "reach", _everywhere),),
    "SAF-IX-Tour": ((host.SafirHost, "until", _a_turn_too_long),),
    "SAF-VIII-2": ((lancement, "EMPTY_DECK_LOSS", 0),),
    "SAF-VIII-3": ((lancement.BeginTurn, "due", _hand_limit),),
}
