"""Test cards of Stellar Nexus, whose refs spell out their figures, and builders of decks, headers and positions.

`C-2-3-4` is a creature of cost 2, attack 3, endurance 4; `E-1` an éphémère and `Q-1` an equipment of cost 1; `R-K` and
`R-H` resources; `H-20` a hero of 20 PV; `T-1-1` a token. All are Kerns except `R-H`, `C-H` and `C-H2`, which are
Hilotes, and `N-0`, which has no faction. `ACTING` has the cards with effects, `UNREAD` those without a text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog

KERNS, HILOTES = "Kerns", "Hilotes"
HEROES = (1, 2, 5, 20, 30)


Row = tuple[str, str, dict[str, int], list[dict[str, Any]]]


def _on(trigger: str, op: str, **fields: Any) -> dict[str, Any]:
    return {"on": trigger, "do": [{"op": op, **{key.rstrip("_"): value for key, value in fields.items()}}]}


OWN, OTHERS, ANY = {"side": "own"}, {"side": "opposing"}, {"side": "any"}
WEAK = {"side": "any", "where": {"stat": "atk", "at_most": 3}}
BURIED = {"side": "own", "zone": "discard", "kind": "créature"}
BODY = {"cost": 1, "atk": 1, "end": 1}


def _powers(points: int) -> list[dict[str, Any]]:
    """Return the powers of a resource: PV gained by affinity (same faction) and lost by dissonance (another one)."""
    return [_on("paid_affinity", "gain", what="pv", n=points), _on("paid_dissonance", "lose", what="pv", n=points)]


# Cards with effects: ref, kind, figures, abilities.
ACTING: tuple[Row, ...] = (
    ("RP-K", "ressource", {}, _powers(1)),
    ("RP-K2", "ressource", {}, _powers(2)),
    ("A-GAIN", "créature", {**BODY, "cap": 1}, [_on("activated", "gain", what="pv", n=1)]),
    ("A-RAGE", "créature", BODY, [_on("activated", "buff", of={"self": True}, stat="atk", n=2)]),
    ("A-MARK", "créature", BODY, [_on("activated", "marker", of={"self": True}, n=1)]),
    ("P-LEAD", "créature", BODY, [{"static": {"stat": "atk", "add": 2, "to": OWN}}]),
    ("H-ACT", "héros", {"pv": 20}, [_on("activated", "gain", what="pv", n=1)]),
    ("Q-SWORD", "équipement", {"cost": 0}, [{"static": {"stat": "atk", "add": 2, "to": {"host": True}}}]),
    ("Q-ACT", "équipement", {"cost": 0}, [_on("activated", "gain", what="pv", n=1)]),
    ("X-NO", "éphémère", {"cost": 0}, [_on("played", "cancel", what="requisition")]),
    ("X-HUSH", "éphémère", {"cost": 0}, [_on("played", "cancel", what="ability")]),
    ("X-DRAW", "éphémère", {"cost": 0}, [_on("played", "draw", n=1)]),
    ("X-DMG", "éphémère", {"cost": 0}, [_on("played", "damage", of=OTHERS, n=2)]),
    ("X-KILL", "éphémère", {"cost": 0}, [_on("played", "destroy", of=WEAK)]),
    ("X-GUARD", "éphémère", {"cost": 0}, [_on("played", "buff", of=OWN, stat="atk", n=4)]),
    ("X-RAGE", "éphémère", {"cost": 0}, [_on("played", "buff", of=OWN, stat="atk", n=4)]),
    ("X-MARK", "éphémère", {"cost": 0}, [_on("played", "marker", of=OWN, n=1)]),
    ("X-TOKEN", "éphémère", {"cost": 0}, [_on("played", "token", ref="T-1-1", n=1)]),
    ("X-BOTH", "éphémère", {"cost": 0}, [_on("played", "lose", what="pv", n=2, who="both")]),
    ("X-TAP", "éphémère", {"cost": 0}, [_on("played", "exhaust", of=OTHERS)]),
    ("X-TAP2", "éphémère", {"cost": 0}, [_on("played", "exhaust", of=OTHERS)]),
    ("X-BACK", "éphémère", {"cost": 0}, [_on("played", "resurrect", of=BURIED)]),
    ("P-RUSH", "créature", BODY, [{"static": {"forbid": "block", "to": OTHERS}}]),
    ("P-BAN", "créature", BODY, [{"static": {"forbid": word, "to": OTHERS}} for word in ("play", "activate")]),
    ("X-MUTE", "éphémère", {"cost": 0}, [_on("played", "silence", of=OWN)]),
    ("X-HOME", "éphémère", {"cost": 0}, [_on("played", "return", of=OWN)]),
    ("D-ZAP", "créature", BODY, [_on("destroyed", "lose", what="pv", n=2, who="opponent")]),
    ("S-ZAP", "créature", BODY, [_on("start_turn", "lose", what="pv", n=2, who="opponent")]),
    ("F-HEAL", "créature", BODY, [_on("end_turn", "heal", of={**OWN, "take": "all"}, n=2)]),
    ("P-WALL", "créature", BODY, [{"static": {"stat": "end", "add": 2, "to": OWN}}]),
    ("P-CALM", "créature", BODY, [{"static": {"forbid": "attack", "to": OTHERS}}]),
    ("X-TAKE", "éphémère", {"cost": 0}, [_on("played", "control", of=OTHERS, for_="turn")]),
)  # fmt: skip
# Cards of unknown text, which the engine cannot execute.
UNREAD: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("U-HERO", "héros", {"pv": 20}),
    ("U-BODY", "créature", {**BODY, "cap": 3}),
    ("U-GEAR", "équipement", {"cost": 0}),
    ("U-SPELL", "éphémère", {"cost": 0}),
    ("U-RES", "ressource", {}),
)


@cache
def catalog() -> Catalog:
    """The catalogue of all test cards of Stellar Nexus."""
    cards: list[dict[str, Any]] = [
        {"ref": f"C-{cost}-{atk}-{end}", "kind": "créature", "cost": cost, "atk": atk, "end": end}
        for cost in range(4)
        for atk in range(7)
        for end in range(7)
    ]
    cards += [{"ref": f"{letter}-{cost}", "kind": kind, "cost": cost}
              for letter, kind in (("E", "éphémère"), ("Q", "équipement")) for cost in range(4)]  # fmt: skip
    cards += [{"ref": f"H-{pv}", "kind": "héros", "pv": pv} for pv in HEROES]
    cards += [{"ref": f"T-{n}-{n}", "kind": "jeton", "atk": n, "end": n} for n in range(1, 4)]
    cards += [
        {"ref": "R-K", "kind": "ressource"},
        {"ref": "R-H", "kind": "ressource", "factions": [HILOTES]},
        {"ref": "C-H", "kind": "créature", "cost": 1, "atk": 1, "end": 1, "factions": [HILOTES]},
        {"ref": "C-H2", "kind": "créature", "cost": 2, "atk": 1, "end": 1, "factions": [HILOTES]},
        {"ref": "N-0", "kind": "créature", "cost": 0, "atk": 1, "end": 1, "factions": []},
    ]
    cards += [{"ref": ref, "kind": kind, **figures, "abilities": does} for ref, kind, figures, does in ACTING]
    cards += [{"ref": "RP-H", "kind": "ressource", "factions": [HILOTES], "abilities": _powers(1)}]
    cards += [{"ref": ref, "kind": kind, **figures, "text": "?"} for ref, kind, figures in UNREAD]
    for card in cards:
        card.setdefault("factions", [KERNS])
        card["name"] = f"Cast {card['ref']}"
    return load_catalog({"id": "test-stellar", "game": "stellar-nexus", "cards": cards})


FILLER = [f"C-3-6-{end}" for end in range(7)] + [f"C-3-5-{end}" for end in range(7)]


def deck(*refs: str) -> dict[str, Any]:
    """Return a deck of 30 cards and ten resources: three copies of each given ref, then of filler creatures."""
    return {"commander": "H-20", "main": {**dict.fromkeys([*refs, *FILLER][:10], 3), "R-K": 10}}


def header(**changes: Any) -> dict[str, Any]:
    """Return the header of a log between A and B, without moves; `changes` replaces keys."""
    document: dict[str, Any] = {
        "format": 1,
        "game": "stellar-nexus",
        "ruleset": "stellar-1.4@1",
        "catalog": {"id": "test-stellar"},
        "seats": {seat: {"player": f"p-{seat}", "deck": deck("C-0-1-1", "C-1-2-2", "E-0", "Q-0")} for seat in "AB"},
        "moves": [],
    }
    document.update(changes)
    return document


NOTES = ("arrived", "activated", "fought", "attacking", "declared", "blocking", "blocked", "cancelled")
ROWS = ("resources", "field", "equipment")


def side(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return one side of a declared position, with defaults for everything that `given` leaves out.

    By default only a hero of 20 PV is in play, and the hand and the piles are hidden. A card of a row may be given as a
    bare ref, which has no marks. `ready` is the number of ready resources `R-K` of the seat.
    """
    filled: dict[str, Any] = {
        "pv": 20, "hand": 10, "deck": 20, "resource_pile": 5, "hero": "H-20", "hidden_hero": None,
        "graveyard": [], "exile": [], "resources": ["R-K"] * given.get("ready", 0), "field": [], "equipment": [],
    }  # fmt: skip
    filled |= {key: value for key, value in given.items() if key != "ready"}
    for row in ROWS:
        filled[row] = [{"ref": card, "marks": {}} if isinstance(card, str) else {"marks": {}, **card}
                       for card in filled[row]]  # fmt: skip
    return filled


def filler(count: int) -> Sequence[str]:
    """Return `count` filler creatures, three copies each."""
    return [ref for ref in FILLER for _ in range(3)][:count]
