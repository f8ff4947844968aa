"""The mat of Altered: zones by seat, orbs of mana, expeditions and regions, and how cards leave.

Regions are numbered from 0, the heroes' starting region, to 7, the companions'. An expedition's counter holds its steps
from its own starting region, so the companion is in region 7 minus its steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.effects import force, triggers, values
from engine.core.effects.host import Seen, Stack
from engine.core.effects.triggers import ACTED
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.core.text.errors import Impossible, Malformed, Unsupported
from engine.games.altered.editions import edition
from engine.games.altered.vocabulary import AGUERRI, CHARACTERS, GIGANTESQUE, JETON, PERMANENT, TUMULTE, TYPES

SEATS = ("A", "B")
OTHER = {"A": "B", "B": "A"}

PREPARATION, MATIN, MIDI, APRES_MIDI, CREPUSCULE, NUIT = (
    "preparation", "matin", "midi", "apres-midi", "crepuscule", "nuit",
)  # fmt: skip
PHASES = (PREPARATION, MATIN, MIDI, APRES_MIDI, CREPUSCULE, NUIT)  # ALT-1.3.2.a, after the set-up
MOVED = {"heros": "heros_moved", "compagnon": "compagnon_moved"}  # the seats whose expedition moved forward since dusk
DAY_NOTES = ("expanded", "passed", "dropped", ACTED, *MOVED.values())
TARGETS = ("target1", "target2", "target3", "target4")
NOTES = (*DAY_NOTES, "ready", "laid", "arena", *TARGETS)

# Zone paths by seat. Orbs are ready in MANA and exhausted in SPENT.
HAND, DECK, MANA, SPENT, HERO, LANDMARKS, RESERVE, DISCARD, EXILE = (
    {seat: f"{seat}/{zone}" for seat in SEATS}
    for zone in ("hand", "deck", "mana", "spent", "hero", "landmarks", "reserve", "discard", "exile")
)
EXPEDITIONS = ("heros", "compagnon")
STEPS = {(seat, name): f"{seat}.{name}" for seat in SEATS for name in EXPEDITIONS}
ROW = {(seat, name): f"{seat}/exp_{name}" for seat in SEATS for name in EXPEDITIONS}
LIMBO, TUMULTES = "common/limbo", "common/tumultes"
LAST = 7  # steps between both starting regions (I-ALT-05)

BOOST, FUGACE, ANCRE, ENDORMI, EPUISE, TURNED = "boost", "fugace", "ancre", "endormi", "epuise", "turned"
HALT = "halt"  # the lasting effect, and the static, that keeps an expedition from moving forward
NEXT = "next"  # the lasting effect on the next card a player plays; its key is the operation as JSON
STATUSES = (FUGACE, ANCRE, ENDORMI, EPUISE)
DRAWN, LIMIT = 2, 2  # cards of a morning (ALT-1.3.2.b); what is kept at night without a hero (I-ALT-01)


def option(ctx: Context, gap: str) -> str:
    """Return the chosen option of a gap, and record that the result depends on it."""
    ctx.depend_on(gap)
    return ctx.state.terms.options[gap]


def order(state: State) -> tuple[str, ...]:
    """Return the seats in initiative order, from the first player on."""
    first = state.starter()
    return SEATS if first is None else (first, OTHER[first])


def pay(ctx: Context, seat: str, orbs: int) -> None:
    """Exhaust as many orbs as the cost (ALT-1.2.5.e)."""
    for obj in ctx.state.zones[MANA[seat]][::-1][:orbs]:
        ctx.emit("move", obj, SPENT[seat], -1)


def ready(ctx: Context, obj: int) -> None:
    """Ready an exhausted card."""
    if ctx.state.mark(obj, EPUISE):
        ctx.emit("mark", obj, EPUISE, -1)


def give(ctx: Context, obj: int, status: str) -> None:
    """Give a card a status, which it has once or not at all."""
    if not ctx.state.mark(obj, status):
        ctx.emit("mark", obj, status, 1)


def ready_all(ctx: Context) -> None:
    """Ready the Characters, Permanents and orbs of both players (ALT-1.3.2.b), by later rules also their Reserve."""
    state = ctx.state
    stored = edition(state).readies_reserve
    for seat in order(state):
        for obj in list(state.zones[SPENT[seat]]):
            ctx.emit("move", obj, MANA[seat], -1)
        zones = [HERO[seat], *(ROW[seat, name] for name in EXPEDITIONS), LANDMARKS[seat]]
        for path in [*zones, RESERVE[seat]] if stored else zones:
            for obj in state.zones[path]:
                ready(ctx, obj)


def into_mana(ctx: Context, seat: str, ref: str, path: str) -> None:
    """Turn a card of the hand into a face-down orb. Raises Impossible, code `not_in_hand`.

    With `ref` "?" nobody saw the card, so none of the cards in that hand is known any more.
    """
    state, hand = ctx.state, HAND[seat]
    if ref == "?":
        for obj in state.zones[hand]:
            if state.refs[obj] is not None:
                ctx.emit("hide", obj)
    known = [obj for obj in state.zones[hand] if state.refs[obj] == ref]
    found = known or [obj for obj in state.zones[hand] if state.refs[obj] is None]
    if not found:
        raise Impossible("not_in_hand", f"{ref} is not in the hand of {seat}")
    if ref not in ("?", state.refs[found[-1]]):
        ctx.emit("name", found[-1], ref)
    ctx.emit("move", found[-1], path, -1)


def supply(ctx: Context, seat: str, count: int) -> int:
    """Return how many of `count` cards can be drawn; a short deck gets the discard shuffled under it (I-ALT-12)."""
    state = ctx.state
    if len(state.zones[DECK[seat]]) >= count:
        return count
    if option(ctx, "I-ALT-12") == "shuffle":
        # Index 0 is the bottom of the deck; tokens in the discard are no cards and stay there (I-ALT-15).
        for obj in list(state.zones[DISCARD[seat]]):
            card = state.card(obj)
            if card is None or card.kind != JETON:
                if card is not None:
                    ctx.emit("hide", obj)
                ctx.emit("move", obj, DECK[seat], 0)
    return min(count, len(state.zones[DECK[seat]]))


def exhausted(state: State, obj: int) -> bool:
    """Return whether a card of the Reserve is exhausted and the rules bar it for that (Complete Rules 3.0, 2.4.5)."""
    return edition(state).bars_exhausted and state.where[obj] in RESERVE.values() and bool(state.mark(obj, EPUISE))


def gears(state: State, seat: str, name: str) -> list[int]:
    """Return the Permanents of an expedition."""
    row = state.zones[ROW[seat, name]]
    return [obj for obj in row if (card := state.card(obj)) is not None and card.kind == PERMANENT]


def characters(state: State, seat: str, name: str) -> list[int]:
    """Return the characters and tokens of an expedition."""
    row = state.zones[ROW[seat, name]]
    return [obj for obj in row if (card := state.card(obj)) is not None and card.kind in CHARACTERS]


def present(state: State, seat: str, name: str) -> list[int]:
    """Return the characters that count in an expedition: its own, and Gigantic ones of the player's other one."""
    found = characters(state, seat, name)
    if state.terms.cards.saying("keywords", GIGANTESQUE) or values.gives_keywords(state):
        other = EXPEDITIONS[1 - EXPEDITIONS.index(name)]
        found += [obj for obj in characters(state, seat, other) if values.has(state, obj, GIGANTESQUE)]
    return found


def strength(state: State, seat: str, name: str) -> dict[str, int]:
    """Return an expedition's statistics added up by type (ALT-1.3.2.e), without sleeping characters (I-ALT-10)."""
    return totals(state, present(state, seat, name))


def totals(state: State, objs: Sequence[int]) -> dict[str, int]:
    """Return the statistics of characters added up by type, without sleeping ones (I-ALT-10)."""
    sleeps = state.terms.options["I-ALT-10"] == "official"
    awake = [obj for obj in objs if not (sleeps and state.mark(obj, ENDORMI))]
    return {key: sum(values.stats(state, awake, key)) for key in TYPES}


def region(state: State, seat: str, name: str) -> int:
    """Return the number of the region an expedition is in, from 0 (the heroes' start) to 7 (the companions' start)."""
    steps = state.counters[STEPS[seat, name]]
    return steps if name == "heros" else LAST - steps


def types_of(state: State, number: int) -> Sequence[str]:
    """Return the types of a region; the starting regions and the Arena have all of them (I-ALT-03, I-ALT-05)."""
    if number in (0, LAST) or "arena" in state.memory:
        return TYPES
    # Each Tumult card covers two regions: 1 and 2, 3 and 4, 5 and 6.
    obj = state.zones[TUMULTES][(number - 1) // 2]
    card = state.card(obj)
    if card is None:
        return ()
    # The odd region is on the heroes' side: the west one of the card, unless the card is turned around.
    near = (number % 2 == 1) != bool(state.mark(obj, TURNED))
    kinds = card.amounts.get("ouest" if near else "est", {})
    return [key for key in TYPES if kinds.get(key)]


def turn_up(ctx: Context, obj: int) -> None:
    """Turn a Tumult card up; the chance records which card it is and which of its regions is on the heroes' side.

    Raises Impossible, code `no_copy_left`, for a card that is already face up, and Malformed, code `missing_chance`,
    for a card that is not a Tumult card. In self-play it raises Unsupported, code `catalog_too_small`, if the catalogue
    has no other Tumult card.
    """
    state = ctx.state
    if state.refs[obj] is not None:
        return
    ctx.depend_on("I-ALT-05")
    left = [ref for ref, card in state.terms.cards.items() if card.kind == TUMULTE and ref not in laid(state)]

    def dealt(dealer: Dealer) -> tuple[str, ...]:
        if not left:
            raise Unsupported("catalog_too_small", "the catalogue has no Tumult card left to turn up")
        return (dealer.pick(left, "reveal"),)

    # An empty reveal is refused below like any other wrong card.
    (ref, *more) = ctx.chance("reveal", "a Tumult card", dealt, ("?",)) or ("",)
    side = ctx.chance("pick", "the region on the heroes' side", lambda dealer: dealer.pick(("ouest", "est")), "ouest")
    # In a question or a candidate the chance is left open, and so is the card.
    if ref == "?" and ctx.supply is None:
        return
    card = state.terms.cards.get(ref)
    if card is None or card.kind != TUMULTE or more or side not in ("ouest", "est"):
        raise Malformed("missing_chance", "a Tumult card by its ref, then ouest or est", path="chance")
    if ref not in left:
        raise Impossible("no_copy_left", f"{ref} lies there already")
    ctx.emit("name", obj, ref)
    if side == "est":
        ctx.emit("mark", obj, TURNED, 1)


def laid(state: State) -> list[str | None]:
    """Return the refs of the Tumult cards, None for one that is face down."""
    return [state.refs[obj] for obj in state.zones[TUMULTES]]


def halted(state: State, seat: str, name: str) -> bool:
    """Return whether an effect keeps an expedition from moving forward."""
    if state.lasting and any(record[0] == HALT and record[1] == STEPS[seat, name] for record in state.lasting):
        return True
    for giver, static in force.statics(state, HALT):
        area = giver.area if static[HALT] == "here" else 3 - giver.area
        if giver.area and EXPEDITIONS[area - 1] == name and values.holds(state, giver, static.get("if")):
            return True
    return False


def march(ctx: Context, seat: str, name: str, steps: int) -> None:
    """Move an expedition forward or back, within its bounds, and turn up the Tumult card where it arrives."""
    state, path = ctx.state, STEPS[seat, name]
    if steps > 0 and halted(state, seat, name):
        return
    now = state.counters[path]
    there = max(0, min(LAST, now + steps))
    if there == now:
        return
    ctx.emit("counter", path, there - now)
    late = there > now and state.phase in (CREPUSCULE, NUIT) and edition(state).later_words
    if late and not state.noted(MOVED[name], seat):
        ctx.emit("note", MOVED[name], seat)
    number = region(state, seat, name)
    if 0 < number < LAST:
        turn_up(ctx, state.zones[TUMULTES][(number - 1) // 2])


def home(ctx: Context, obj: int, path: str) -> str:
    """Return where a card that leaves play goes: a token to exile or the discard (I-ALT-15), others to `path`."""
    card = ctx.state.card(obj)
    if card is None or card.kind != JETON:
        return path
    owner = ctx.state.owners[obj]
    return EXILE[owner] if option(ctx, "I-ALT-15") == "cease" else DISCARD[owner]


def left_reserve(state: State, card: Seen) -> list[Frame]:
    """Return what is triggered when a card leaves a Reserve."""
    if not state.terms.cards.saying("triggers", "left_reserve"):
        return []
    return triggers.set_going(state, "left_reserve", card)


def depart(stack: Stack, obj: int, path: str) -> None:
    """Move one card out of its zone; what that triggers waits for the next check."""
    depart_together(stack, ((obj, path),))


def depart_together(stack: Stack, leaving: Sequence[tuple[int, str]]) -> None:
    """Move several cards out at the same time, each to its path: each of them still sees the others leave.

    A Seasoned card keeps its boosts in the Reserve.
    """
    ctx, state, cards = stack.ctx, stack.ctx.state, stack.ctx.state.terms.cards
    frames: list[Frame] = []
    kept: dict[int, int] = {}
    watched = bool(cards.saying("triggers", "reserved"))  # asked once: most catalogues have no such card
    # All triggers are collected before any card moves.
    for obj, path in leaving:
        if state.where[obj] in RESERVE.values():
            frames += left_reserve(state, force.seen(state, obj))
        if state.where[obj] in stack.host.in_play:
            frames += triggers.leaving(state, obj)
            if watched and path in RESERVE.values():
                frames += triggers.set_going(state, "reserved", force.seen(state, obj))
            boosts = state.mark(obj, BOOST)
            if boosts and path in RESERVE.values() and values.has(state, obj, AGUERRI):
                kept[obj] = boosts
    for obj, path in leaving:
        ctx.emit("move", obj, home(ctx, obj, path), -1)
        force.leave(stack, obj)
        if kept.get(obj) and state.where[obj] == path:
            ctx.emit("mark", obj, BOOST, kept[obj])
    if frames:
        stack.host.set_off(stack, frames)


def limits(state: State, seat: str) -> dict[str, int]:
    """Return how many cards a player keeps at night, by path: the hero's limits, or 2 and 2 without a hero (I-ALT-01).

    A limit that is not printed in the catalogue is left out if the engine cannot execute the hero, since it is then
    unknown.
    """
    there = state.zones[HERO[seat]]
    hero = state.card(there[0]) if there else None
    if hero is None:
        return {RESERVE[seat]: LIMIT, LANDMARKS[seat]: LIMIT}
    usual = LIMIT if hero.executable else None
    kept, built = hero.figures.get("reserve_limit", usual), hero.figures.get("landmark_limit", usual)
    found = {} if kept is None else {RESERVE[seat]: kept}
    return found if built is None else {**found, LANDMARKS[seat]: built}
