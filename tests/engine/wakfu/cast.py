"""Test cards of Wakfu, whose refs spell out their figures, and builders of decks, headers and positions.

`C-3-2-T1` is a creature of PAtt 3 and Drop 2 that costs one Terre (`0`: nothing, `TF`: one Terre and one Feu), `A-…` an
ally. `L` is a leader of 20 PV, 5 PA, 3 PM, PAtt 2 that gives Terre and Feu. `G-T` gives Terre, `G-TF` Terre or Feu,
`G-0` nothing. `X` is an effect, `X-I` an instant, `X-C` an effect for the combat phase, `X-BLANK` an effect of unknown
text; `EQ-PM` an equipment that adds 1 to the PM; `Q-1` a quest. Cards of the 2011 edition: `H-1` is a Héros, `S-1` a
Havre-Sac, `P-1` a Protecteur, `Z-1` a zone, `U-1` a unique ally. `E-…` are allies of PAtt 1 and Drop 2 and `X-…`
effects, all of cost 0; `ACTING` says what they do.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog

COSTS: dict[str, dict[str, int]] = {
    "0": {}, "T1": {"Terre": 1}, "T2": {"Terre": 2}, "F1": {"Feu": 1}, "TF": {"Terre": 1, "Feu": 1},
}  # fmt: skip
LEADERS = {
    "L": (20, 5, 3, 2, {"Terre": 1, "Feu": 1}),
    "L-TT": (10, 3, 2, 0, {"Terre": 2}),
    "L-E": (12, 4, 1, 3, {"Eau": 1}),
}
OTHERS: tuple[dict[str, Any], ...] = (
    {"ref": "G-T", "kind": "générateur", "mana": {"Terre": 1}},
    {"ref": "G-F", "kind": "générateur", "mana": {"Feu": 1}},
    {"ref": "G-TF", "kind": "générateur", "mana": {"Terre": 1, "Feu": 1}},
    {"ref": "G-0", "kind": "générateur"},
    {"ref": "Q-1", "kind": "quête", "cost": {"Terre": 1}},
    {"ref": "X", "kind": "effet"},
    {"ref": "X-BLANK", "kind": "effet", "text": "?"},
    {"ref": "X-I", "kind": "effet", "timing": "instant"},
    {"ref": "X-C", "kind": "effet", "timing": "combat"},
    {"ref": "X-M", "kind": "effet", "timing": "mouvement"},
    {"ref": "EQ-PM", "kind": "équipement", "cost": {"Terre": 1}, "bonus": {"pm": 1}},
    {"ref": "EQ-PA", "kind": "équipement", "bonus": {"pa": 1}},
    {"ref": "EQ-PATT", "kind": "équipement", "bonus": {"patt": 1}},
    {"ref": "H-1", "kind": "héros"},
    {"ref": "S-1", "kind": "havre-sac"},
    {"ref": "P-1", "kind": "protecteur"},
    {"ref": "P-2", "kind": "protecteur"},
    {"ref": "U-1", "kind": "allié", "patt": 1, "drop": 0, "limit": "unique"},
    *({"ref": f"Z-{n}", "kind": "zone"} for n in range(1, 18)),
)

FOE = {"side": "opposing"}


def _on(trigger: str, op: str, **fields: Any) -> dict[str, Any]:
    return {"on": trigger, "do": [{"op": op, **{key.rstrip("_"): value for key, value in fields.items()}}]}


def _bar(what: str, **to: Any) -> dict[str, Any]:
    return {"static": {"forbid": what, "to": {**FOE, **to}}}


# Abilities by ref; an effect whose ref ends in `!` is an instant (the card itself has no `!`).
ACTING: dict[str, dict[str, Any]] = {
    "E-NOATTACK": _bar("attack", zone="combat"),
    "E-NOBLOCK": _bar("block", zone="combat"),
    "E-NOMOVE": _bar("move", zone="rest"),
    "E-NOENGAGE": _bar("engage", zone="rest"),
    "E-NOPLAY": _bar("play", kind="créature"),
    "E-FLAG": {"static": {"stat": "patt", "add": 1, "to": {"zone": "combat"}}},
    "E-LAST": _on("destroyed", "gain", what="pv", n=1),
    "E-BOMB": _on("destroyed", "lose", what="pv", n=2, who="opponent"),
    "E-CHARGE": _on("attack_declared", "gain", what="pv", n=1),
    "E-WALL": _on("block_declared", "gain", what="pv", n=1),
    "E-DUSK": _on("end_turn", "gain", what="pv", n=1),
    "E-BACK": {"would": "destroyed", "do": [{"op": "return", "of": {"self": True, "zone": "mat"}}]},
    "X-SLAY!": _on("played", "destroy", of=FOE),
    "X-HIT!": _on("played", "lose", what="pv", n=2, who="opponent"),
    "X-SLEEP!": _on("played", "exhaust", of=FOE),
    "X-WAKE": _on("played", "ready", of={"zone": "rest", "take": "all"}),
    "X-DRAW": _on("played", "draw", n=2),
    "X-ALL": _on("played", "draw", n=1, who="both"),
    "X-RISE": _on("played", "resurrect", of={"zone": "discard"}),
    "X-TAKE": _on("played", "control", of=FOE),
    "X-HOME": _on("played", "move", of=FOE),
    "X-EITHER": {
        "on": "played",
        "do": [{"op": "choose", "of": [[{"op": "draw", "n": 1}], [{"op": "gain", "what": "pv", "n": 2}]]}],
    },
}  # fmt: skip


def acting(ref: str, ability: dict[str, Any]) -> dict[str, Any]:
    """Return a card with an ability of `ACTING`."""
    card = {"ref": ref.rstrip("!"), "abilities": [ability]}
    if ref.startswith("E-"):
        return {**card, "kind": "allié", "patt": 1, "drop": 2}
    return {**card, "kind": "effet", **({"timing": "instant"} if ref.endswith("!") else {})}


@cache
def catalog() -> Catalog:
    """The catalogue of all test cards of Wakfu."""
    cards: list[dict[str, Any]] = [
        {"ref": ref, "kind": "leader", "pv": pv, "pa": pa, "pm": pm, "patt": patt, "mana": mana}
        for ref, (pv, pa, pm, patt, mana) in LEADERS.items()
    ]
    cards += [
        {"ref": f"{letter}-{patt}-{drop}-{word}", "kind": kind, "patt": patt, "drop": drop, "cost": cost}
        for letter, kind in (("C", "créature"), ("A", "allié"))
        for patt in range(6)
        for drop in range(4)
        for word, cost in COSTS.items()
    ]
    cards += [*OTHERS, *(acting(ref, ability) for ref, ability in ACTING.items())]
    named = [{"name": f"Card {card['ref']}", **card} for card in cards]
    return load_catalog({"id": "test-wakfu", "game": "wakfu", "cards": named})


def deck(*refs: str) -> dict[str, Any]:
    """Return a deck led by `L`: three copies of each given ref and 30 filler creatures."""
    filler = [f"C-{patt}-{drop}-0" for patt in (4, 5) for drop in range(4)][:10]
    return {"commander": "L", "main": {**dict.fromkeys(filler, 3), **dict.fromkeys(refs, 3)}}


def header(**changes: Any) -> dict[str, Any]:
    """Return the header of a log between A and B, without moves; `changes` replaces keys."""
    document: dict[str, Any] = {
        "format": 1,
        "game": "wakfu",
        "ruleset": "wakfu-2008@1",
        "catalog": {"id": "test-wakfu"},
        "seats": {seat: {"player": f"p-{seat}", "deck": deck("G-T", "C-1-1-T1")} for seat in "AB"},
        "moves": [],
    }
    return {**document, **changes}


def side(given: dict[str, Any]) -> dict[str, Any]:
    """Return one side of a declared position, with defaults for everything that `given` leaves out.

    The defaults are the leader `L`, 20 PV, 3 hidden cards in hand and 20 in the deck. The marks of a card in play
    follow its ref: "G-T engaged", "C-1-1-0 attacks", "L points:3".
    """
    filled: dict[str, Any] = {
        "pv": 20, "hand": 3, "deck": 20, "leader": "L", "equipment": [], "rest": [], "combat": [], "discard": [],
    }  # fmt: skip
    filled |= given
    for row in ("equipment", "rest", "combat"):
        filled[row] = [_marked(card) for card in filled[row]]
    filled["leader"] = _marked(filled["leader"])
    return filled


def _marked(card: str) -> dict[str, Any]:
    ref, *marks = card.split(" ")
    counts = (mark.partition(":") for mark in marks)
    return {"ref": ref, "marks": {name: int(count or 1) for name, _, count in counts}}


def filler(count: int) -> list[str]:
    """Return `count` filler cards for a 2011 deck: zones, three copies each."""
    return [f"Z-{n // 3 + 1}" for n in range(count)]
