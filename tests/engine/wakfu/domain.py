"""Every move that can be written in a position of Wakfu, and a second, deliberately naive reading of its rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.table.game import Move
from engine.core.table.state import State

ELEMENTS = ("Terre", "Eau", "Feu", "Air")
MOST_PAID = 3  # cards engaged to pay for one card; more would make too many payments to try
OTHER = {"A": "B", "B": "A"}


def every_argument(state: State, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move that can be written in a small position with these cards in hand, for both seats."""
    yield Move("table", "first_player", {})
    yield Move("A", "first_player", {})
    for seat in "AB":
        yield from (Move(seat, "leader", {"card": ref}) for ref in refs)
        yield from turn_moves(state, seat, refs)


def turn_moves(state: State, seat: str, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move of a turn that can be written for a seat."""
    for do in ("begin_turn", "end_turn", "end_phase"):
        yield Move(seat, do, {})
    places = list(places_of(state))
    for ref in refs:
        equips = state.terms.cards[ref].kind == "équipement"
        for pay in payments(state, places):
            yield from plays(seat, ref, pay, [place for place in places if place.startswith(seat)] if equips else ())
        yield Move(seat, "discard", {"card": ref})
    yield from (Move(seat, "move", {"card": place}) for place in places)
    able = [place for place in places if place[2:].startswith(("combat", "leader"))]
    for size in range(len(able) + 1):
        for group in itertools.combinations(able, size):
            yield Move(seat, "block", {"blockers": list(group)})
            if group:
                yield Move(seat, "attack", {"attackers": list(group)})
    for place, points in itertools.product(places, range(1, 14)):
        yield Move(seat, "distribute", {"on": place, "points": points})
    yield Move(seat, "distribute", {"done": True})
    yield from (Move(seat, "drop_keep", {"keep": keep}) for keep in range(1, 8))


def plays(seat: str, ref: str, pay: list[dict[str, str]], places: Sequence[str]) -> Iterator[Move]:
    """Yield the plays of a card with a payment: an equipment on each of `places` and on either leader."""
    if places:
        for on in dict.fromkeys((*places, "A/leader", "B/leader")):
            yield Move(seat, "play", {"card": ref, "pay": pay, "on": on})
    else:
        yield Move(seat, "play", {"card": ref, "pay": pay})


def places_of(state: State) -> Iterator[str]:
    """Yield every place in play, in the order of the mat, and one place past the end of each row."""
    for seat in "AB":
        yield from (f"{seat}/combat/{n + 1}" for n in range(len(state.zones[f"{seat}/combat"]) + 1))
        yield f"{seat}/leader"
        yield from (f"{seat}/rest/{n + 1}" for n in range(len(state.zones[f"{seat}/rest"]) + 1))


def payments(state: State, places: Sequence[str]) -> Iterator[list[dict[str, str]]]:
    """Yield every payment by at most MOST_PAID cards of one side, each with an element it has or one it has not."""
    yield []
    for seat in "AB":
        side = [place for place in places if place.startswith(seat)]
        for size in range(1, MOST_PAID + 1):
            for group in itertools.combinations(side, size):
                choices = [productions(state, place) for place in group]
                yield from (list(pay) for pay in itertools.product(*choices))


def productions(state: State, place: str) -> list[dict[str, str]]:
    """Return what may be written of a card that pays.

    A leader is written alone, since it always gives all its mana; it is also tried with an element, which is illegal.
    """
    if place.endswith("leader"):
        return [{"card": place}, {"card": place, "mana": "Terre"}]
    zone, _, number = place.rpartition("/")
    objects = state.zones[zone]
    ref = state.refs[objects[int(number) - 1]] if int(number) <= len(objects) else None
    amounts = {} if ref is None else state.terms.cards[ref].amounts
    known = tuple(amounts.get("mana", amounts.get("cost", {})))
    wrong = next(element for element in ELEMENTS if element not in known or element == ELEMENTS[-1])
    return [{"card": place, "mana": element} for element in dict.fromkeys((*known, wrong))]


def plainly_legal(state: State, shown: dict[str, Any], move: Move) -> bool:
    """Return whether a move of a turn is legal, judged from the board alone under the default interpretations.

    Follows lines 50 to 82 of the rule text; effects of cards are not considered.
    """
    turn, mine, theirs = shown["turn"], shown["seats"][move.by], shown["seats"][OTHER[move.by]]
    phase, active = turn["phase"], turn["seat"] == move.by
    if shown["result"]:
        return False
    readings: dict[str, bool] = {
        "begin_turn": active and phase == "degagement",
        "end_turn": active and phase in CALM and len(mine["hand"]) <= _pa(mine),
        "discard": active and phase in CALM and len(mine["hand"]) > _pa(mine) and _held(mine, move.args.get("card")),
        "end_phase": phase in ("invocation", "mouvement", "attaque") if active else phase == "contre",
        "attack": active and phase in BEFORE and _able(mine, move.by, move.args.get("attackers", ())),
        "block": not active and phase == "blocage" and _able(mine, move.by, move.args.get("blockers", ())),
    }
    if move.do == "end_phase" and active and phase == "combat":
        return not any(_left(shown, seat) for seat in "AB")
    if move.do in readings:
        return readings[move.do]
    if move.do == "move":
        mover = phase in ("invocation", "mouvement") if active else phase in ("mouvement", "contre")
        return mover and _movable(mine, move.by, move.args["card"])
    if move.do == "drop_keep":
        return phase == "drop" and move.args["keep"] <= state.memory["won"].count(move.by)
    if move.do == "distribute":
        return phase == "combat" and "on" in move.args and _shareable(shown, state, move)
    return move.do == "play" and _playable(state, shown, move) and bool(theirs)


# Phases from which a player may still attack: the optional phases before the attack may be skipped (WAK-PHA-1).
BEFORE = ("invocation", "mouvement", "contre", "attaque")
CALM = (*BEFORE, "invocation2", "fin")


def _pa(side: dict[str, Any]) -> int:
    return int(side["leader"]["pa"]) + sum(card["ref"] == "EQ-PA" for card in side["equipment"])


def _held(side: dict[str, Any], ref: Any) -> bool:
    return any(card["ref"] == ref for card in side["hand"])


def _at(side: dict[str, Any], seat: str, place: str, zone: str) -> dict[str, Any] | None:
    """Return the card at a place if it is in this zone of this side, otherwise None."""
    owner, name, *number = place.split("/")
    if owner != seat or name != zone:
        return None
    found: dict[str, Any] | None = side[zone] if zone == "leader" else None
    if number and int(number[0]) <= len(side[zone]):
        found = side[zone][int(number[0]) - 1]
    return found


def _able(side: dict[str, Any], seat: str, places: Sequence[str]) -> bool:
    cards = [_at(side, seat, place, "leader") or _at(side, seat, place, "combat") for place in places]
    return all(card is not None and "engaged" not in card["marks"] for card in cards)


def _movable(side: dict[str, Any], seat: str, place: str) -> bool:
    back, card = _at(side, seat, place, "combat"), _at(side, seat, place, "rest")
    if back is not None:
        return bool(back["kind"] in ("créature", "allié"))
    room = len(side["combat"]) < side["leader"]["pm"] + sum(worn["ref"] == "EQ-PM" for worn in side["equipment"])
    return card is not None and card["kind"] in ("créature", "allié") and "sick" not in card["marks"] and room


def _fighters(shown: dict[str, Any], seat: str) -> list[dict[str, Any]]:
    side, mark = shown["seats"][seat], "attacks" if shown["turn"]["seat"] == seat else "blocks"
    return [card for card in (*side["combat"], side["leader"]) if mark in card["marks"]]


def _left(shown: dict[str, Any], seat: str) -> int:
    """Return the points not distributed yet. No position with a combat has equipment, so PAtt needs no bonus."""
    foe = shown["seats"][OTHER[seat]]
    given = sum(card["marks"].get("points", 0) for card in (*foe["combat"], foe["leader"]))
    return int(sum(card["patt"] for card in _fighters(shown, seat)) - given)


def _shareable(shown: dict[str, Any], state: State, move: Move) -> bool:
    first = shown["turn"]["seat"]
    sharer = next((seat for seat in (first, OTHER[first]) if _left(shown, seat)), None)
    foe = OTHER[move.by]
    side = shown["seats"][foe]
    there = {f"{foe}/combat/{n}": card for n, card in enumerate(side["combat"], 1) if card in _fighters(shown, foe)}
    open_places = [place for place, card in {**there, f"{foe}/leader": side["leader"]}.items() if _bare(card)]
    points, left = move.args["points"], _left(shown, move.by)
    if sharer != move.by or move.args["on"] not in open_places or points > left:
        return False
    return points == left or len(open_places) > 1


def _bare(card: dict[str, Any]) -> bool:
    return "points" not in card["marks"]


def _playable(state: State, shown: dict[str, Any], move: Move) -> bool:
    side, card = shown["seats"][move.by], state.terms.cards[move.args["card"]]
    timing, phase, active = card.words.get("timing"), shown["turn"]["phase"], shown["turn"]["seat"] == move.by
    started = any("points" in c["marks"] for s in shown["seats"].values() for c in (*s["combat"], s["leader"]))
    if timing == "instant":
        timely = phase not in ("preparation", "drop") and not started
    elif timing is not None:
        timely = active and not started and phase in {"mouvement": ("mouvement", "contre")}.get(timing, (timing,))
    else:
        timely = active and phase in (*BEFORE, "invocation2")
    aimed = (move.args.get("on") in ("A/leader", "B/leader")) if card.kind == "équipement" else "on" not in move.args
    own = card.kind not in ("leader", "héros", "havre-sac", "protecteur", "action", "zone", "salle")
    return timely and aimed and own and _held(side, card.ref) and _exact(state, side, move)


def _exact(state: State, side: dict[str, Any], move: Move) -> bool:
    """Return whether the mana produced is exactly the cost (rule text l. 52 to 55; I-WAK-02)."""
    made: list[str] = []
    for item in move.args["pay"]:
        led, rested = _at(side, move.by, item["card"], "leader"), _at(side, move.by, item["card"], "rest")
        if led is not None and "mana" not in item and "engaged" not in led["marks"]:
            made += [e for e, n in state.terms.cards[led["ref"]].amounts["mana"].items() for _ in range(n)]
        elif rested is not None and "engaged" not in rested["marks"]:
            amounts = state.terms.cards[rested["ref"]].amounts
            if item["mana"] not in amounts.get("mana", amounts.get("cost", {})):
                return False
            made.append(item["mana"])
        else:
            return False
    names = [item["card"] for item in move.args["pay"]]
    cost = state.terms.cards[move.args["card"]].amounts.get("cost", {})
    return len(set(names)) == len(names) and sorted(made) == sorted(e for e, n in cost.items() for _ in range(n))
