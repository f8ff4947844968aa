"""Payment: which cards are engaged for a card, and the element each of them gives (WAK-2-1 to WAK-2-4).

A payment is a list of `{"card": place, "mana": element}` in the order of the mat. A leader gives all its mana at once,
so its item has no "mana".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

from engine.core.cards.card import Card
from engine.core.table import places
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import missing
from engine.core.text.errors import Ambiguous, Malformed, Violation
from engine.core.text.interrupt import go_on
from engine.games.wakfu.moves.base import Reasons, forbidden, unknown, unmarked, zone_of
from engine.games.wakfu.moves.mat import (
    ENGAGED,
    LEADER,
    REST,
    cost,
    elements,
    leader,
    leader_mana,
    rank,
    written,
)
from engine.games.wakfu.vocabulary import ELEMENTS, EQUIPMENT

Payment = list[dict[str, str]]
MAX_PAYMENT = 100  # cards engaged in one payment


def bill(cards: Sequence[Card]) -> dict[str, int]:
    """Return the mana that cards cost together, by element."""
    found: dict[str, int] = {}
    for card in cards:
        for element, count in cost(card).items():
            found[element] = found.get(element, 0) + count
    return found


def named(cards: Sequence[Card]) -> str:
    """Return the refs of the cards that are paid for, as a message names them."""
    return " + ".join(card.ref for card in cards)


def read_payment(state: State, entry: Entry, cards: Sequence[Card]) -> Payment:
    """Read `args.pay`, a list of places, each alone or as {"card": place, "mana": element}.

    The element may be left out for a card that has only one. If `pay` is left out, it is the only exact payment there
    is, or empty if there is none; if there are several, raises Ambiguous, code `ambiguous_payment`. Other errors:
    Malformed, codes `wrong_type` and `bad_value`, and Ambiguous, code `ambiguous_mana`.

    Example: `["A/leader", "A/rest/1", {"card": "A/rest/2", "mana": "Eau"}]`.
    """
    raw = entry.args.get("pay")
    if raw is None:
        # Two are enough to know that the payment is ambiguous; there may be very many.
        found = list(islice(payments(state, entry.by, bill(cards), exact=True), 2)) if entry.by in REST else []
        if len(found) > 1:
            message = f"{named(cards)} can be paid for in several ways"
            raise Ambiguous("ambiguous_payment", message, options=found, path="args.pay")
        return found[0] if found else []
    if not isinstance(raw, list) or len(raw) > MAX_PAYMENT:
        raise Malformed("wrong_type", "pay must be a list of the cards engaged", path="args.pay")
    given = [_production(state, entry.by, item, f"args.pay[{index}]") for index, item in enumerate(raw)]
    return sorted(given, key=lambda item: (rank(item["card"]), item.get("mana", "")))


def _production(state: State, seat: str, raw: Any, path: str) -> dict[str, str]:
    """Read one engaged card, filling in its element if it has only one."""
    item = {"card": raw} if isinstance(raw, str) else raw
    if not isinstance(item, Mapping) or "card" not in item or any(key not in ("card", "mana") for key in item):
        raise Malformed("wrong_type", 'a payment is {"card": place, "mana": element}', path=path)
    name = places.read(state, item["card"], (REST[seat],) if seat in REST else (), path.removeprefix("args."))
    element = item.get("mana")
    if element is None:
        obj = places.at(state, name)
        known = elements(state, obj) if obj is not None and name not in LEADER.values() else ()
        if len(known) > 1:
            raise Ambiguous("ambiguous_mana", f"{name} gives one of several elements", options=known, path=path)
        return {"card": name, "mana": known[0]} if known else {"card": name}
    if element not in ELEMENTS:
        raise Malformed("bad_value", f"mana must be one of: {', '.join(ELEMENTS)}", path=f"{path}.mana")
    return {"card": name, "mana": element}


def check_payment(state: State, seat: str, cards: Sequence[Card], pay: Sequence[Mapping[str, str]]) -> Reasons:
    """Return why a payment is wrong: cards that cannot give this mana, too little of it, or too much."""
    reasons: Reasons = []
    produced: dict[str, int] = {}
    used: list[str] = []
    for item in pay:
        name = item["card"]
        found = _faults(state, seat, name, item.get("mana"), used)
        used.append(name)
        reasons += found
        if not found:
            for element, count in _given(state, seat, item).items():
                produced[element] = produced.get(element, 0) + count
    # The sum means nothing while one of the cards is wrong.
    return reasons or _balance(state, seat, cards, produced, LEADER[seat] in used)


def _given(state: State, seat: str, item: Mapping[str, str]) -> Mapping[str, int]:
    return leader_mana(state, seat) if item["card"] == LEADER[seat] else {item["mana"]: 1}


def _faults(state: State, seat: str, name: str, element: str | None, used: Sequence[str]) -> Reasons:
    """Return why one card does not give this mana."""
    zone = zone_of(name)
    if zone not in (LEADER[seat], REST[seat]):
        return [Violation("WAK-2-1", {"place": name[:40], "seat": seat}, why="zone")]
    obj = places.at(state, name)
    if obj is None:
        return unknown(state, "WAK-2-1", zone) or [Violation("WAK-2-1", {"place": name}, why="empty")]
    if state.mark(obj, ENGAGED):
        return [Violation("WAK-2-1", {"place": name}, why="engaged")]
    forbidding = forbidden(state, "engage", obj)
    if forbidding:
        return forbidding
    unsaid = unmarked(state, "WAK-2-1", seat)
    if name in used or (name == LEADER[seat] and element is not None):
        return [Violation("WAK-2-2", {"place": name}, why="twice" if name in used else "leader")]
    if state.refs[obj] is None:
        return missing("WAK-2-3", name)
    known = tuple(leader_mana(state, seat)) if name == LEADER[seat] else elements(state, obj)
    if not known or (element is not None and element not in known):
        args = {"place": name, "element": element or "-", "known": ", ".join(known) or "-"}
        return [*unsaid, Violation("WAK-2-3", args, ("I-WAK-18",), why="" if known else "none")]
    return unsaid


def _balance(state: State, seat: str, cards: Sequence[Card], produced: Mapping[str, int], led: bool) -> Reasons:
    """Return why the mana produced does not match the cost (WAK-CHA-1, WAK-EQU-2, WAK-2-4, I-WAK-02)."""
    due = bill(cards)
    shared = ("I-WAK-19",) if len(cards) > 1 else ()
    args = {"card": named(cards), "cost": written(due), "paid": written(produced)}
    if any(produced.get(element, 0) < count for element, count in due.items()):
        if cards[0].kind == EQUIPMENT:
            return [Violation("WAK-EQU-2", {"card": named(cards), "cost": written(due)}, shared)]
        return [Violation("WAK-CHA-1", args, shared)]
    if sum(produced.values()) == sum(due.values()):
        return []
    if state.terms.options["I-WAK-02"] == "exact":
        return [Violation("WAK-2-4", args, ("I-WAK-02", *shared))]
    # With I-WAK-02 `burn` only the leader's mana, which comes all at once, may be left over.
    mana = leader_mana(state, seat) if led else {}
    needed = any(mana.get(element, 0) and count for element, count in due.items())
    others = {element: count - mana.get(element, 0) for element, count in produced.items()}
    fits = all(count <= max(0, due.get(element, 0) - mana.get(element, 0)) for element, count in others.items())
    return [] if needed and fits else [Violation("WAK-2-4", args, ("I-WAK-02", *shared))]


def burnt(state: State, seat: str, cards: Sequence[Card], pay: Sequence[Mapping[str, str]]) -> int:
    """Return how much mana a payment leaves over (I-WAK-02)."""
    return sum(sum(_given(state, seat, item).values()) for item in pay) - sum(bill(cards).values())


def payments(
    state: State, seat: str, due: Mapping[str, int], *, exact: bool = False, led: bool = False
) -> Iterator[Payment]:
    """Yield every payment of a cost, or every `exact` one, each in the order of the mat.

    With `led`, only those in which the leader pays. Each one is found without trying others in vain, but there may be
    very many: take the first ones.
    """
    sources = [
        (places.place(state, obj), elements(state, obj))
        for obj in state.zones[REST[seat]]
        if usable(state, obj) and elements(state, obj)
    ]
    obj, mana = leader(state, seat), leader_mana(state, seat)
    if obj is not None and mana and usable(state, obj):
        left = {element: max(0, count - mana.get(element, 0)) for element, count in due.items()}
        # The leader gives everything at once (WAK-2-2), so it may have to be left out of an exact payment (WAK-2-4).
        wasted = any(count > due.get(element, 0) for element, count in mana.items())
        useful = any(mana.get(element, 0) for element in due)
        if useful and (not wasted or (not exact and state.terms.options["I-WAK-02"] == "burn")):
            yield from ([{"card": LEADER[seat]}, *rest] for rest in _covers(sources, left))
    if not led:
        yield from _covers(sources, due)


def usable(state: State, obj: int) -> bool:
    """Whether a card may be engaged to pay."""
    return not state.mark(obj, ENGAGED) and not forbidden(state, "engage", obj)


def _covers(cards: Sequence[tuple[str, Sequence[str]]], cost: Mapping[str, int]) -> Iterator[Payment]:
    """Yield every way for these cards to give exactly this mana, one element each."""
    due = {element: count for element, count in cost.items() if count}
    if not due:
        yield []
        return
    sources = _Sources(cards, tuple(due))
    paid: Payment = []
    # A stack instead of recursion: a declared position may have more cards than Python allows nested calls.
    open_ = [sources.payers(0, due)]
    while open_:
        found = next(open_[-1], None)
        if found is None:
            open_.pop()
            if paid:
                paid.pop()
            continue
        index, item, left = found
        if any(left.values()):
            paid.append(item)
            open_.append(sources.payers(index + 1, left))
        else:
            yield [*paid, item]


class _Sources:
    """Cards that give mana, in the order of the mat, prepared so that no search goes on in vain."""

    def __init__(self, cards: Sequence[tuple[str, Sequence[str]]], elements: Sequence[str]) -> None:
        self.cards = cards
        sizes = range(1, len(elements) + 1)
        self.sets = [frozenset(some) for size in sizes for some in combinations(elements, size)]
        # From each card on: how many cards give an element of each set, and which is the next that gives an element.
        counts, after = [0] * len(self.sets), dict.fromkeys(elements, len(cards))
        self.counts, self.after = [tuple(counts)], [dict(after)]
        for index in range(len(cards) - 1, -1, -1):
            known = cards[index][1]
            counts = [count + (not some.isdisjoint(known)) for some, count in zip(self.sets, counts, strict=True)]
            after.update((element, index) for element in known if element in after)
            self.counts.append(tuple(counts))
            self.after.append(dict(after))
        self.counts.reverse()
        self.after.reverse()

    def payers(self, index: int, due: Mapping[str, int]) -> Iterator[tuple[int, dict[str, str], Mapping[str, int]]]:
        """Yield each card from `index` on that may pay next: its number, its item in the payment, and what is left."""
        while self.enough(index, due):
            go_on()
            index = min(self.after[index][element] for element, count in due.items() if count)
            name, known = self.cards[index]
            for element in known:
                if due.get(element, 0):
                    left = {**due, element: due[element] - 1}
                    if self.enough(index + 1, left):
                        yield index, {"card": name, "mana": element}, left
            index += 1

    def enough(self, start: int, due: Mapping[str, int]) -> bool:
        """Return whether the cards from `start` on can give this mana, which is not nothing.

        They can if and only if for each set of elements, enough of them give one of the set (the theorem of Hall).
        """
        pairs = zip(self.sets, self.counts[start], strict=True)
        return all(sum(due.get(element, 0) for element in some) <= count for some, count in pairs)
