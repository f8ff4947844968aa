"""Reading the board: what a selector reaches, amounts, figures, keywords, costs and prohibitions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.effects import force
from engine.core.effects.host import Seen, Source, host_of
from engine.core.table.context import Context
from engine.core.table.places import at, place
from engine.core.table.state import State
from engine.core.text.stats import half_up

# Keys of a selector that may exclude a card, and those of them that ask what a card is.
EXCLUDING = frozenset(("not_self", "host", "it", "kind", "faction", "subtype", "keyword", "marks", "where"))
SORTS = ("kind", "faction", "subtype", "keyword", "marks", "where")


def reaches(state: State, giver: Source, selector: Tree, card: Seen) -> bool:
    """Return whether a selector reaches a card where it is seen: by side and neighborhood, then by the card itself."""
    zone = selector.get("zone")
    if zone is not None and card.path not in host_of(state).zones[zone]:
        return False
    if selector.get("self"):
        if card.obj != giver.obj:
            return False
    elif not _around(state, giver, selector, card.path):
        return False
    return fits(state, giver, selector, card)


def _around(state: State, giver: Source, selector: Tree, path: str) -> bool:
    """Return whether a path is on the side, and within the reach, that a selector states."""
    host = host_of(state)
    there, side = host.places.get(path), selector.get("side", "own")
    if there is None:  # a hand: nothing reaches into it
        return False
    if side == "active":
        if there.seat != state.seat:
            return False
    elif side != "any" and (there.seat == giver.seat) != (side == "own"):
        return False
    return not giver.area or not there.area or host.near(giver, selector, there)  # area 0 is near everything


def fits(state: State, giver: Source, selector: Tree, card: Seen) -> bool:
    """Return whether a card is of the sort that a selector states, wherever it is."""
    known = None if card.ref is None else state.terms.cards[card.ref]
    host = host_of(state)
    if known is None:
        return host.reached_unseen(state, giver, selector, card)
    if not host.keys.isdisjoint(selector) and not host.suits(state, giver, selector, card):
        return False
    if EXCLUDING.isdisjoint(selector):
        return True
    if selector.get("not_self") and card.obj == giver.obj:
        return False
    if selector.get("host") and state.hosts.get(giver.obj) != card.obj:
        return False
    if selector.get("it") and (giver.it is None or card.obj != giver.it[0]):
        return False
    kind, faction, keyword = selector.get("kind"), selector.get("faction"), selector.get("keyword")
    if (kind is not None and kind != known.kind) or (faction is not None and faction not in known.factions):
        return False
    if keyword is not None and not bears(state, card, keyword):
        return False
    if "subtype" in selector and selector["subtype"] not in known.subtypes:
        return False
    if "marks" in selector and not any(state.mark(card.obj, mark) for mark in selector["marks"]):
        return False
    where = selector.get("where")
    return where is None or within(state, giver, where, figure(state, card, where["stat"]))


def within(state: State, giver: Source, bounds: Tree, value: int) -> bool:
    """Return whether a number is within the bounds `at_least` and `at_most`, which may be amounts."""
    low, high = bounds.get("at_least", value), bounds.get("at_most", value)
    low = low if isinstance(low, int) else amount_of(state, giver, low)
    high = high if isinstance(high, int) else amount_of(state, giver, high)
    return bool(low <= value <= high)


def holds(state: State, giver: Source, condition: Tree | None) -> bool:
    """Return whether a condition holds; none always does.

    It is about a count of cards, the number paid or rolled, the phase, who the first player is, a counter, or how an
    interpretation reads a card.
    """
    if condition is None:
        return True
    if "first" in condition:
        return bool((state.starter() == giver.seat) == condition["first"])
    if "phase" in condition:
        return bool(state.phase == condition["phase"])
    if "reading" in condition:
        return bool(state.terms.options[condition["reading"]] == condition["is"])
    if "counter" in condition:
        shown = state.counters[host_of(state).counters[condition["counter"]][giver.seat]]
        return condition.get("even") in (None, shown % 2 == 0) and within(state, giver, condition, shown)
    value = giver.x if "x" in condition else count(state, giver, condition["count"])
    return within(state, giver, condition, value)


def bears(state: State, card: Seen, keyword: str) -> bool:
    """Return whether a card has a keyword: in force if it is in play, printed elsewhere, as it was if it has left."""
    if card.keywords is not None:
        return keyword in card.keywords
    if card.path in host_of(state).in_play:
        return has(state, card.obj, keyword)
    known = None if card.ref is None else state.terms.cards[card.ref]
    return known is not None and any(item["kw"] == keyword for item in known.keywords)


def figure(state: State, card: Seen, key: str) -> int:
    """Return a figure of a card as it is seen."""
    if card.figures is not None:
        return card.figures.get(key, 0)
    if card.obj >= 0:
        return stat(state, card.obj, key)
    return on_card(None if card.ref is None else state.terms.cards[card.ref], key)


def on_card(card: Card | None, key: str) -> int:
    """Return a figure as printed, 0 if the card does not have it."""
    return 0 if card is None else card.figures.get(key, 0)


def amount_of(state: State, giver: Source, amount: Any) -> int:
    """Return an amount that needs no chance.

    It is a number, a count of cards, a figure, the number paid, half of another amount, or another amount within
    bounds. A figure of the source, or of the card that the effect is about, is the one it had if it has left play.
    """
    if isinstance(amount, int):
        return amount
    if "half_up" in amount:
        return half_up(amount_of(state, giver, amount["half_up"]))
    if "count" in amount:
        return count(state, giver, amount["count"])
    if "x" in amount:
        return giver.x
    if "bounded" in amount:
        found = max(amount.get("at_least", 0), amount_of(state, giver, amount["bounded"]))
        return int(min(amount.get("at_most", found), found))
    it = None if giver.it is None else Seen(*giver.it)
    about = it is not None and (amount.get("of") == "it" or it.obj == giver.obj)
    return figure(state, it if about and it is not None else force.seen(state, giver.obj), amount["stat"])


def may_be_in(state: State, path: str, seat: str) -> list[str]:
    """Return the refs that are or may be in a hidden zone of a seat, each once, in a fixed order."""
    found: dict[str, None] = {}
    hidden = False
    for obj in state.zones[path]:
        ref = state.refs[obj]
        if ref is None:
            hidden = True
        else:
            found[ref] = None
    if hidden:
        left = state.drawable(seat) if seat in state.unseen else dict.fromkeys(state.terms.cards, 1)
        found.update(dict.fromkeys(ref for ref, copies in left.items() if copies))
    return list(found)


def veiled(state: State, path: str) -> bool:
    """Return whether the cards of a zone may be unknown and are identified when they are chosen."""
    host = host_of(state)
    return any(path in host.zones[zone] for zone in host.veiled)


def chosen_from(state: State, giver: Source, selector: Tree) -> list[str]:
    """Return everything a selector reaches, as options: a slot, "A/T1/discard/REF" in a pile, "A/T1" for an area.

    With `target`, return what was chosen under that number when the effect was declared, if it still fits the selector.
    """
    host, zones, refs = host_of(state), state.zones, state.refs
    if "target" in selector:
        return list(_targets(state, giver, selector))
    zone, own = selector.get("zone") or next(iter(host.zones)), selector.get("self")
    piled, veiled = zone in host.piles, zone in host.veiled and not own
    found: dict[str, None] = {}
    for path in host.zones[zone]:
        if path not in zones:  # an area: no card, only a place
            if _around(state, giver, selector, path):
                found[path] = None
            continue
        objects = zones[path]
        near = bool(own) or ((bool(objects) or veiled) and _around(state, giver, selector, path))
        for obj in objects:
            ref = refs[obj]
            if not near or (own and obj != giver.obj):
                continue  # most cards are elsewhere, and the test of the place is cheaper than that of the card
            if fits(state, giver, selector, Seen(obj, path, ref)):
                found[f"{path}/{ref}" if piled else place(state, obj)] = None
        if veiled and near:
            _add_veiled(state, giver, selector, path, found)
    return list(found)


def _add_veiled(state: State, giver: Source, selector: Tree, path: str, found: dict[str, None]) -> None:
    """Add the cards that unidentified ones may be, in a zone whose cards are identified when chosen."""
    known = [state.refs[obj] for obj in state.zones[path]]
    for ref in may_be_in(state, path, path.partition("/")[0]):
        if ref not in known and fits(state, giver, selector, Seen(-1, path, ref)):
            found[f"{path}/{ref}"] = None


def count(state: State, giver: Source, selector: Tree) -> int:
    """Return how many cards a selector reaches.

    Unidentified cards count if the selector does not ask what a card is.
    """
    host, zone = host_of(state), selector.get("zone")
    if zone not in host.piles or "target" in selector:
        return len(chosen_from(state, giver, selector))
    total = 0
    for path in host.zones[zone]:
        if not _around(state, giver, selector, path):
            continue
        seen = [Seen(obj, path, state.refs[obj]) for obj in state.zones[path]]
        any_sort = zone in host.veiled and not any(key in selector for key in (*SORTS, *host.keys))
        total += sum(any_sort if card.ref is None else fits(state, giver, selector, card) for card in seen)
    return total


def _targets(state: State, giver: Source, selector: Tree) -> Iterator[str]:
    host = host_of(state)
    piles = [path for zone in host.piles for path in host.zones[zone]]
    for obj in state.memory.get(target_note(selector["target"]), ()):
        if isinstance(obj, int) and fits(state, giver, selector, force.seen(state, obj)):
            path = state.where[obj]
            yield f"{path}/{state.refs[obj]}" if path in piles else place(state, obj)


def target_note(number: int) -> str:
    """Return the key of the note with what was chosen for a target of the effect that is resolving."""
    return f"target{number}"


def there(state: State, option: str) -> bool:
    """Return whether the card or area that an option names is still where it was."""
    if option in state.zones:
        return bool(state.zones[option])
    path, _, ref = option.rpartition("/")
    if path.partition("/")[2] in state.terms.layout.rows:
        return at(state, option) is not None
    if path not in state.zones or any(state.refs[obj] == ref for obj in state.zones[path]):
        return True
    return veiled(state, path) and any(state.refs[obj] is None for obj in state.zones[path])


def object_at(state: State, option: str, apart: Collection[int] = ()) -> int:
    """Return the object that an option names; of several copies in a pile, one that is not in `apart`."""
    if option in state.zones:
        return state.zones[option][0]
    path, _, ref = option.rpartition("/")
    if path.partition("/")[2] in state.terms.layout.rows:
        return state.zones[path][int(ref) - 1]
    known = [obj for obj in state.zones[path] if state.refs[obj] == ref and obj not in apart]
    return (known or [obj for obj in state.zones[path] if state.refs[obj] is None])[-1]


def objects_at(state: State, options: Sequence[str]) -> list[int]:
    """Return the objects that options name; an option that occurs twice names two copies of a card in a pile."""
    found: list[int] = []
    for option in options:
        found.append(object_at(state, option, found))
    return found


def copies(state: State, giver: Source, selector: Tree, option: str) -> int:
    """Return how many cards that a selector reaches are known to be the one that an option names."""
    path, _, ref = option.rpartition("/")
    if option in state.zones or path not in state.zones or path.partition("/")[2] in state.terms.layout.rows:
        return 1  # a place holds one card
    same = (obj for obj in state.zones[path] if state.refs[obj] == ref)
    return sum(fits(state, giver, selector, Seen(obj, path, ref)) for obj in same)


def each_copy(state: State, giver: Source, selector: Tree, options: Sequence[str]) -> list[str]:
    """Return options with each one as often as the selector is known to reach that card."""
    return [option for option in options for _ in range(copies(state, giver, selector, option))]


def untaken(state: State, giver: Source, selector: Tree, options: Sequence[str], got: Sequence[str]) -> list[str]:
    """Return the options that name another card than those already taken: another place, or a further copy."""
    return [
        option for option in options if option not in got or got.count(option) < at_most(state, giver, selector, option)
    ]


def at_most(state: State, giver: Source, selector: Tree, option: str) -> int:
    """Return how many copies of a card a selector reaches, or may reach if some cards of the pile are unknown."""
    path, _, ref = option.rpartition("/")
    known = copies(state, giver, selector, option)
    if not veiled(state, path):
        return known
    hidden = sum(state.refs[obj] is None for obj in state.zones[path])
    seat = path.partition("/")[0]
    return known + (min(hidden, state.drawable(seat).get(ref, 0)) if seat in state.unseen else hidden)


def alike(state: State, giver: Source, selector: Tree, options: Sequence[str], got: Sequence[str]) -> list[str]:
    """Return the options that leave all cards that are taken copies of one card, where a selector says `identical`."""
    if not selector.get("identical"):
        return list(options)
    if got:
        return [option for option in options if option in got]
    wanted = selector.get("take", 1)
    return [option for option in options if wanted == "all" or at_most(state, giver, selector, option) >= wanted]


def private(state: State, giver: Source, selector: Tree, got: Sequence[str]) -> bool:
    """Return whether a choice is of a sort of card among the cards left in a hand, which not everybody sees.

    Then the log states the choice even if there is only one card of the sort, or none.
    """
    host = host_of(state)
    if selector.get("zone") not in host.held or not any(key in selector for key in (*SORTS, *host.keys)):
        return False
    return sum(len(state.zones[path]) for path in paths_of(state, giver, selector)) > len(got)


def unproven(state: State, giver: Source, selector: Tree, got: Sequence[str]) -> bool:
    """Return whether nobody can prove what sorts of card are in a hand, so that a choice there can be declined.

    The second of two identical cards cannot, because the choice of the first claims that both are there.
    """
    if got and selector.get("identical"):
        return False
    return any(state.refs[obj] is None for path in paths_of(state, giver, selector) for obj in state.zones[path])


def paths_of(state: State, giver: Source, selector: Tree) -> list[str]:
    """Return the paths that a selector reaches in the zone it names."""
    return [path for path in host_of(state).zones[selector["zone"]] if _around(state, giver, selector, path)]


def remembered(state: State, obj: int) -> Seen:
    """Return an object that is about to leave play, with the figures and keywords it has now."""
    card = state.card(obj)
    figures = {key: stat(state, obj, key) for key in (card.figures if card is not None else ())}
    return Seen(obj, state.where[obj], state.refs[obj], figures, keywords(state, obj))


def has(state: State, obj: int, keyword: str) -> bool:
    """Return whether an object in play has a keyword in force: its own, or one given by another card."""
    if force.quiet(state):
        return False
    if "live" in state.memory and state.refs[obj] in state.terms.cards.saying("keywords", keyword):
        own = force.active(state, obj)
        if own is not None and keyword in own.keywords:
            return True
    return _given(state, obj, keyword) and not force.silenced(state, obj)


def _given(state: State, obj: int, keyword: str) -> bool:
    for record in state.lasting:
        if record[0] == "grant" and record[1] == obj and record[2] == keyword and force.in_force(state, record):
            return True
    for giver, static in force.statics(state, "grant"):
        if static["grant"] == keyword and applies(state, giver, static, force.seen(state, obj)):
            return True
    return False


def gives_keywords(state: State) -> bool:
    """Return whether any card has a keyword from another card."""
    lasting = state.lasting and any(record[0] == "grant" for record in state.lasting)
    return bool(lasting or force.statics(state, "grant"))


def keywords(state: State, obj: int) -> list[str]:
    """Return every keyword that an object has in force, its own first."""
    if force.quiet(state) or force.silenced(state, obj):
        return []
    own = force.active(state, obj)
    given = [r[2] for r in state.lasting if r[0] == "grant" and r[1] == obj and force.in_force(state, r)]
    card = force.seen(state, obj)
    given += [s["grant"] for giver, s in force.statics(state, "grant") if applies(state, giver, s, card)]
    return list(dict.fromkeys([*(own.keywords if own is not None else ()), *given]))


def printed(state: State, obj: int, key: str) -> int:
    """Return a figure as printed on the card, or on the face it has changed into."""
    ref = state.refs[obj]
    card = None if ref is None else state.terms.cards[ref]
    if "form" in state.memory and state.noted("form", obj) and card is not None and card.program is not None:
        into = card.program.into
        return on_card(card, key) if into is None else int(into.figures[key])
    return 0 if card is None else card.figures.get(key, 0)


def stat(state: State, obj: int, key: str) -> int:
    """Return a figure of a card in play: the printed one, then what changes it, not below the game's floor."""
    # Figures are read at every move, so the usual case, in which nothing changes them, must be quick.
    if not force.quiet(state):
        given = force.bonuses(state, key)
        if given or state.lasting:
            return _figure(state, obj, key, given, host_of(state).floor(state))
    found, host = printed(state, obj, key), host_of(state)
    return found + host.added(state, obj, key) if obj in state.marks or key in host.derived else found


def stats(state: State, objs: Sequence[int], key: str) -> list[int]:
    """Return the same figure of several cards. The sources of bonuses are looked up only once."""
    if not objs:
        return []
    if not force.quiet(state):
        given = force.bonuses(state, key)
        if given or state.lasting:
            floor = host_of(state).floor(state)
            return [_figure(state, obj, key, given, floor) for obj in objs]
    found, marks = [printed(state, obj, key) for obj in objs], state.marks
    if marks:
        for index, obj in enumerate(objs):
            if obj in marks:
                found[index] += host_of(state).added(state, obj, key)
    return found


def _figure(state: State, obj: int, key: str, given: Sequence[tuple[Source, Tree]], floor: int | None) -> int:
    """Return a figure within its floor. A silenced card loses its bonuses, but not what lowers the figure."""
    base, host = printed(state, obj, key), host_of(state)
    if obj in state.marks or key in host.derived:
        base += host.added(state, obj, key)
    value: int = base + sum(_bonuses(state, obj, key, given))
    return value if floor is None else max(floor, value)


def bonus(state: State, obj: int, key: str) -> int:
    """Return what effects in force add to a figure of a card in play."""
    return 0 if force.quiet(state) else sum(_bonuses(state, obj, key, force.bonuses(state, key)))


def _bonuses(state: State, obj: int, key: str, given: Sequence[tuple[Source, Tree]]) -> list[int]:
    """Return what each effect in force adds to a figure. A silenced card keeps only what lowers it."""
    added = []
    for record in state.lasting:
        if record[1] == obj and record[0] == "add" and record[2] == key and force.in_force(state, record):
            added.append(record[3])
    if given:
        card = force.seen(state, obj)
        for giver, static in given:
            if applies(state, giver, static, card):
                added.append(amount_of(state, giver, static["add"]))
    if added and force.silenced(state, obj):
        return [amount for amount in added if amount < 0]
    return added


def depend_on_floor(ctx: Context, objs: Iterable[int], *keys: str) -> None:
    """Tell the game if a figure would be below its floor, since that depends on an interpretation."""
    state, there = ctx.state, list(objs)
    for key in keys:
        given = force.bonuses(state, key)
        if not (state.watched or state.marks or _lessened(state, key, given)):
            continue  # printed figures are above it
        if any(_figure(state, obj, key, given, None) < 0 for obj in there):
            host_of(state).floored(ctx)


def _lessened(state: State, key: str, given: Sequence[tuple[Source, Tree]]) -> bool:
    """Return whether anything in force may lower a figure."""
    for record in state.lasting:
        if record[0] == "add" and record[2] == key and record[3] < 0:
            return True
    return _lowering(given)


def _lowering(given: Sequence[tuple[Source, Tree]]) -> bool:
    return any(type(static["add"]) is not int or static["add"] < 0 for _giver, static in given) if given else False


def lowered(state: State, key: str) -> Sequence[int] | None:
    """Return the cards with a figure that an effect may lower, or None if that may be any card."""
    if not (state.lasting or state.terms.cards.saying("statics", "stat")):
        return ()
    if state.watched or _lowering(force.bonuses(state, key)):
        return None
    return [record[1] for record in state.lasting if record[0] == "add" and record[2] == key and record[3] < 0]


def applies(state: State, giver: Source, static: Tree, card: Seen) -> bool:
    """Return whether a static ability applies to a card now.

    It never applies to its source, unless its selector says `self`.
    """
    selector = static["to"]
    if card.obj == giver.obj and not selector.get("self"):
        return False
    return reaches(state, giver, selector, card) and holds(state, giver, static.get("if"))


def forbids(state: State, what: str) -> bool:
    """Return whether anything in force forbids this to any card. A quick test before asking for many cards."""
    if force.quiet(state):
        return False
    lasting = any(record[0] == "forbid" and record[2] == what for record in state.lasting)
    return lasting or any(static["forbid"] == what for _giver, static in force.statics(state, "forbid"))


def forbidding(state: State, what: str, card: Seen) -> str | None:
    """Return the ref of the card whose text forbids something to a card or to its player, or None.

    `what` is an attack, a move, being played, or whatever else the game's language lets cards forbid.
    """
    if force.quiet(state):
        return None
    seat = host_of(state).places[card.path].seat
    for record in state.lasting:
        kind, target, word, _amount, _end, giver = record
        if kind == "forbid" and word == what and target in (card.obj, seat) and force.in_force(state, record):
            return state.refs[giver] or "?"
    for source_, static in force.statics(state, "forbid"):
        if static["forbid"] == what and applies(state, source_, static, card):
            return state.refs[source_.obj] or "?"
    return None


def price(state: State, base: int, card: Seen) -> int:
    """Return what a card costs where it is to be played: the base cost, changed by what is in force, at least 0."""
    if "live" not in state.memory:
        return base
    for giver, static in force.statics(state, "cost"):
        if applies(state, giver, static, card):
            base += static["cost"]
    return max(0, base)
