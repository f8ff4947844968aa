"""What a card of the terrain costs, what its fighters need, and the interpretations that this depends on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.abilities.language import Tree, objects_of
from engine.core.effects import force, values
from engine.core.effects.host import Source
from engine.core.table.state import State
from engine.games.saint_seiya.moves.mat import LAST, TERRAIN, barred
from engine.games.saint_seiya.vocabulary import COSTS, OPENED


def price(state: State, obj: int, mode: str, engaged: Sequence[int] = ()) -> int | None:
    """Return what a card of the terrain costs the cards engaged, for `mode` "force" or "cosmos": 1 or more (SSD-COU-2).

    None without a printed cost in this mode, unless a card in force offers one (SSD-COU-1).
    """
    card = state.card(obj)
    base: int | None = None if card is None else card.figures.get(COSTS[mode])
    if base is None:
        offers = offered(state, obj, mode, engaged)
        if not offers:
            return None
        base = min(offers)
    base += sum(record[3] for record in state.lasting if record[:3] == ("add", obj, COSTS[mode]))
    for giver, static in bearing(state, "cost", obj, engaged):
        if static.get("mode", mode) == mode:
            times = values.count(state, giver, static["each"]) if "each" in static else 1
            base += static["cost"] * times
    return max(1, base - rebate(state, obj))


def rebate(state: State, obj: int) -> int:
    """Return what the last slot takes off a cost (I-SSD-06)."""
    return int(state.where[obj] == LAST and state.terms.options["I-SSD-06"] == "cheaper")


def offered(state: State, obj: int, mode: str, engaged: Sequence[int]) -> list[int]:
    """Return the costs by a mode that cards in force offer where none is printed."""
    found = [static["at"] for _, static in bearing(state, "offer", obj, engaged) if static["offer"] == mode]
    card = state.card(obj)
    if card is not None and any(record[:2] == (OPENED[mode], obj) for record in state.lasting):
        found += [card.figures[COSTS[other]] for other in COSTS if other != mode and COSTS[other] in card.figures]
    return found


def obtainable(state: State, obj: int, mode: str) -> bool:
    """Whether the rules and the cards let anybody acquire a card by this mode, whatever its price."""
    return price(state, obj, mode, state.attached(obj)) is not None and barred(state, "acquire", obj) is None


def bearing(state: State, kind: str, obj: int, engaged: Sequence[int]) -> Iterator[tuple[Source, Tree]]:
    """Yield the statics of a kind that apply to a card of the terrain when these cards are engaged to acquire it."""
    if force.quiet(state):
        return
    card = force.seen(state, obj)
    for giver, static in force.statics(state, kind):
        if values.applies(state, giver, static, card) and _joined(state, giver, static, engaged):
            yield giver, static


def _joined(state: State, giver: Source, static: Tree, engaged: Sequence[int]) -> bool:
    """Whether the cards engaged are those that a static asks for (I-SSD-19)."""
    if "with" not in static:
        return True
    fits = [values.fits(state, giver, static["with"], force.seen(state, obj)) for obj in engaged]
    return any(fits) if state.terms.options["I-SSD-19"] == "joined" else bool(fits) and all(fits)


def demanded(state: State, kind: str, obj: int) -> int:
    """Return the largest number that the statics of a kind ("fighters", "toll") demand of those who fight a card."""
    return max((static[kind] for _, static in bearing(state, kind, obj, ())), default=0)


def doubled(state: State, obj: int, key: str) -> bool:
    """Whether a card in force doubles a value of a card in play."""
    there = force.statics(state, "double")
    # Values are read all the time, and hardly ever doubled.
    if not there:
        return False
    card = force.seen(state, obj)
    return any(static["double"] == key and values.applies(state, giver, static, card) for giver, static in there)


def depended_on(state: State, target: int, engaged: Sequence[int]) -> tuple[str, ...]:
    """Return the interpretations on which it depends what a card costs those engaged, and what they are worth."""
    gaps = {
        "I-SSD-06": state.where[target] == LAST,
        "I-SSD-16": depends_on_ends(state),
        "I-SSD-19": depends_on_group(state, target, engaged),
        "I-SSD-21": depends_on_doubling(state, engaged),
    }
    return tuple(gap for gap, matters in gaps.items() if matters)


def depends_on_group(state: State, target: int, engaged: Sequence[int]) -> bool:
    """Whether a cost depends on whether the characters that a card asks for may be helped (I-SSD-19)."""
    there = (*force.statics(state, "cost"), *force.statics(state, "offer")) if not force.quiet(state) else ()
    for giver, static in there:
        if "with" in static and values.applies(state, giver, static, force.seen(state, target)):
            fits = [values.fits(state, giver, static["with"], force.seen(state, obj)) for obj in engaged]
            if any(fits) and not all(fits):
                return True
    return False


def depends_on_ends(state: State) -> bool:
    """Whether a figure depends on which card is the first or the last of a terrain with an empty end (I-SSD-16)."""
    if state.zones[TERRAIN[0]] and state.zones[LAST]:
        return False
    return any("spot" in tree for _, static in force.statics(state, "stat") for tree in objects_of(static))


def depends_on_doubling(state: State, objs: Sequence[int]) -> bool:
    """Whether a value depends on whether its bonuses are doubled too (I-SSD-21)."""
    return any(doubled(state, obj, key) and values.bonus(state, obj, key) for obj in objs for key in COSTS)
