"""Test cards of Saint Seiya, whose refs spell out their figures, and builders of headers and positions.

`P-1-2-0-F3C4` is a character of Force 1, Cosmos 2, Soin 0 that costs 3 by Force or 4 by Cosmos (`F3`: by Force alone,
`C4`: by Cosmos alone, `0`: by neither). `OR` is a Chevalier d'Or, `DIV` a Guerrier Divin, `MARINA` a Général Marina,
`NOIR` a Chevalier Noir, `DAME` another; all cost 3 by Force or Cosmos. `H` is the Héros of a packet, `HC` its
Héros-Chevalier, `HB` its bronze armour; `H2`, `HC2` and `HB2` are those of another packet. `A-2` is an armour of
Cosmos 2, `R` a relic, `BLANK` a character of unknown text. `E-…` are characters of Force 1 and cost 3 by Force, `AE-…`
armours, `RE-…` relics; `ACTING` says what they do.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog

COSTS: dict[str, dict[str, int]] = {
    "0": {}, "F1": {"cost_force": 1}, "F3": {"cost_force": 3}, "C4": {"cost_cosmos": 4}, "C1": {"cost_cosmos": 1},
    "F3C4": {"cost_force": 3, "cost_cosmos": 4},
}  # fmt: skip
BOTH = {"cost_force": 3, "cost_cosmos": 3}
OTHERS: tuple[dict[str, Any], ...] = (
    {"ref": "H", "name": "Faon", "kind": "héros", "hero": "Faon", "factions": ["Héros"], "force": 1, "soin": 1},
    {"ref": "HC", "name": "Faon chevalier", "kind": "héros-chevalier", "hero": "Faon", "factions": ["Héros"]},
    {"ref": "HB", "kind": "armure de bronze", "hero": "Faon", "cosmos": 1},
    {"ref": "H2", "name": "Loutre", "kind": "héros", "hero": "Loutre", "factions": ["Héros"], "force": 1, "soin": 1},
    {"ref": "HC2", "kind": "héros-chevalier", "hero": "Loutre", "factions": ["Héros"]},
    {"ref": "HB2", "kind": "armure de bronze", "hero": "Loutre", "cosmos": 1},
    {"ref": "OR", "kind": "personnage", "factions": ["Chevalier d'Or"], "force": 2, "pv": 5, **BOTH},
    {"ref": "DIV", "kind": "personnage", "factions": ["Guerrier Divin"], "pv": 3, **BOTH},
    {"ref": "BUD", "kind": "personnage", "factions": ["Guerrier"], "pv": 3, **BOTH},
    {"ref": "MARINA", "kind": "personnage", "factions": ["Général Marina"], "pv": 3, **BOTH},
    {"ref": "NOIR", "kind": "personnage", "factions": ["Chevalier Noir"], "pv": 1, **BOTH},
    {"ref": "DAME", "kind": "personnage", "factions": ["Chevalier Noir"], "pv": 1, **BOTH},
    {"ref": "A-2", "kind": "armure", "cosmos": 2, "cost_cosmos": 4},
    {"ref": "A-3", "kind": "armure", "cosmos": 3, "cost_cosmos": 4},
    {"ref": "R", "kind": "relique", "cost_force": 3},
    {"ref": "BLANK", "kind": "personnage", "text": "?"},
    {"ref": "HUGE", "kind": "personnage", "force": 9, "cosmos": 9, "cost_force": 9},
)

ANY = {"side": "any"}


def _on(trigger: str, op: str, **fields: Any) -> dict[str, Any]:
    return {"on": trigger, "do": [{"op": op, **{key.rstrip("_"): value for key, value in fields.items()}}]}


DRAW = {"op": "draw", "n": 1}
NEWCOMERS = {"op": "newcomers", "stat": "force", "n": 1, "for": "turn"}
FACED_WITH = {"zone": "play", "alongside": True}
ITSELF, ON_TERRAIN = {"self": True, "zone": "play"}, {"self": True, "zone": "terrain"}


def _read(trigger: str, gap: str, option: str, *branches: dict[str, Any]) -> dict[str, Any]:
    """Return an ability that does the first of two operations if an interpretation has this option."""
    one, other = branches
    return {"on": trigger, "do": [{"op": "if", "cond": {"reading": gap, "is": option}, "do": [one], "else": [other]}]}


def _lower(duration: str) -> dict[str, Any]:
    relic = {**ANY, "zone": "terrain", "kind": "relique"}
    return {"op": "buff", "of": relic, "stat": "cost_force", "n": -2, "for": duration}


def _back(**more: Any) -> dict[str, Any]:
    return {"op": "return", "of": {"zone": "discard", **more}}


def _recall(zone: str) -> dict[str, Any]:
    return {"op": "shuffle_in", "of": {**ANY, "zone": zone, "take": "all"}, "to": "reserve"}


def _facing_the(end: str) -> dict[str, Any]:
    return {"count": {**ANY, "zone": "terrain", "faced": True, "spot": end}, "at_least": 1}


# Abilities by ref.
ACTING: dict[str, tuple[dict[str, Any], ...]] = {
    "E-PUT": (_on("mise_en_jeu", "draw", n=1),),
    "E-BREAK": (_on("détruire", "draw", n=1),),
    "E-SHED": (_on("défausser", "draw", n=1),),
    "E-BLEED": (_on("blesser", "draw", n=1),),
    "E-ICE": (_on("geler", "draw", n=1),),
    "E-SLAY": (_on("mise_en_jeu", "destroy", of={"side": "opposing", "zone": "play"}),),
    "E-STAB": (_on("mise_en_jeu", "wound", of={**ANY, "zone": "play", "not_self": True}),),
    "E-COLD": (_on("mise_en_jeu", "freeze", of={**ANY, "zone": "play", "not_self": True}),),
    "E-MARK": (_on("marqué", "draw", n=1), _on("blesser", "gain", what="sapphires", n=1)),
    "E-CURE": (_on("mise_en_jeu", "heal", of={**ANY, "zone": "marked"}),),
    "E-WON": (_on("vaincu", "draw", n=1),),
    "E-OUT": (_on("sortie", "gain", what="sapphires", n=1),),
    "E-COME": (_on("arrivée", "gain", what="sapphires", n=1),),
    "E-SWEEP": (_on("arrivée", "remove", of={**ANY, "zone": "terrain", "kind": "relique"}),),
    "E-PUSH": (_on("mise_en_jeu", "remove", of={**ANY, "zone": "terrain"}),),
    "E-FILL": (_on("mise_en_jeu", "fill"),),
    "E-STEAL": (_on("mise_en_jeu", "acquire", of={**ANY, "zone": "marked"}, to="hand"),),
    "E-DIG": (_on("mise_en_jeu", "acquire", of={**ANY, "zone": "reserve_discard"}, to="hand"),),
    "E-GRAB": (_on("mise_en_jeu", "acquire", of={**ANY, "zone": "terrain"}, to="discard"),),
    "E-DROP": (_on("mise_en_jeu", "discard", n=1),),
    "E-DROPHAND": ({"on": "mise_en_jeu", "do": [{"op": "discard", "n": 1, "from": "hand"}]},),
    "E-ALLDROP": (_on("mise_en_jeu", "discard", n=1, who="both"),),
    "E-THEYDROP": (_on("mise_en_jeu", "discard", n=1, who="opponent"),),
    "E-ONEDROP": (_on("mise_en_jeu", "discard", n=1, who="chosen", from_="hand"),),
    "E-DELVE": (_on("mise_en_jeu", "acquire", of={**ANY, "zone": "reserve", "kind": "relique"}, to="discard"),),
    "E-THIEF": (_on("mise_en_jeu", "acquire", of={"side": "opposing", "zone": "hand", "by": "opponent"}, to="hand"),),
    "E-BURN": (_on("mise_en_jeu", "destroy", of={"zone": "discard"}),),
    "E-SCAR": (_on("mise_en_jeu", "wound", of={"zone": "discard"}),),
    "E-RICH": (_on("mise_en_jeu", "draw", n={"count": {"zone": "hand"}}),),
    "E-DEAR": ({"static": {"cost": 2, "to": {**ANY, "zone": "terrain", "not_self": True}}},),
    "E-BAR": ({"static": {"forbid": "acquire", "to": {**ANY, "zone": "terrain", "faction": "Chevalier Noir"}}},),
    "E-GUARD": ({"static": {"forbid": "face", "to": {**ANY, "zone": "terrain", "faction": "Chevalier Noir"}}},),
    "E-TEN": ({"static": {"points": 1, "group": 10}},),
    "E-MOST": ({"static": {"points": 1, "when": "most", "class": "Chevalier Noir"}},),
    "E-PURGE": (_on("mise_en_jeu", "remove", of={**ANY, "zone": "terrain", "kind": "armure", "take": "all"}),),
    "E-THENCE": (_on("mise_en_jeu", "destroy", of={"zone": "hand", "type": "relique"}, puis=True, then=[DRAW]),),
    "E-LOWER": (_read("mise_en_jeu", "I-SSD-15", "turn", _lower("turn"), _lower("permanent")),),
    "E-END": ({"static": {"stat": "force", "add": 2, "to": ITSELF, "if": _facing_the("last"), "while": "play"}},),
    "E-FREE": (_on("mise_en_jeu", "acquire", of={**ANY, "zone": "terrain", "kind": "relique"}),),
    "E-AGAIN": (_read("défausser", "I-SSD-18", "others", _back(not_self=True), _back()),),
    "E-SOLD": ({"static": {"offer": "cosmos", "at": 2, "with": {"named": "Faon"}, "to": ON_TERRAIN}},),
    "E-RECALL": (_read("mise_en_jeu", "I-SSD-20", "destroyed", _recall("destroyed"), _recall("reserve_discard")),),
    "E-TWICE": ({"static": {"double": "force", "to": FACED_WITH, "while": "play"}},),
    "E-MORE": ({"static": {"stat": "force", "add": 1, "to": FACED_WITH, "while": "play"}},),
    "E-RALLY": (
        {
            "on": "mise_en_jeu",
            "do": [
                {"op": "buff", "of": {"zone": "play", "take": "all"}, "stat": "force", "n": 1, "for": "turn"},
                {"op": "if", "cond": {"reading": "I-SSD-22", "is": "turn"}, "do": [NEWCOMERS]},
            ],
        },
    ),
    "E-CROWD": ({"static": {"fighters": 3, "to": ON_TERRAIN}},),
    "E-TOLL": ({"static": {"toll": 1, "to": ON_TERRAIN}},),
    "E-NOCURE": ({"static": {"forbid": "heal", "to": {**ANY, "zone": "marked"}}},),
    "E-SHIELD": ({"static": {"forbid": "wound", "to": {"zone": "play", "alongside": True}, "while": "play"}},),
    "AE-END": (_on("sortie", "lose", what="flames", n=1),),
    "AE-GIFT": (_on("sortie", "draw", n=1),),
    "AE-DRAW": (_on("défausser", "draw", n=1),),
    "RE-CHEAP": ({"static": {"cost": -9, "to": {**ANY, "zone": "terrain"}}},),
}  # fmt: skip
LOCKS = {"E-FIGHT": "Verrou Force", "E-CHANNEL": "Verrou Cosmos"}
ACTING |= {ref: (_on("mise_en_jeu", "draw", n=1),) for ref in LOCKS}
KINDS = {"AE": ("armure", {"cosmos": 2, "cost_cosmos": 4}), "RE": ("relique", {"cost_force": 3})}
ORDINARY = ("personnage", {"force": 1, "cosmos": 1, "soin": 1, "cost_force": 3})


def acting(ref: str) -> dict[str, Any]:
    """Return a card with the abilities of `ACTING`."""
    kind, figures = KINDS.get(ref.partition("-")[0], ORDINARY)
    keywords = {"keywords": [{"kw": LOCKS[ref]}]} if ref in LOCKS else {}
    return {"ref": ref, "kind": kind, **figures, "abilities": list(ACTING[ref]), **keywords}


@cache
def catalog() -> Catalog:
    """The catalogue of all test cards of Saint Seiya."""
    cards: list[dict[str, Any]] = [
        {"ref": f"P-{f}-{c}-{s}-{word}", "kind": "personnage", "force": f, "cosmos": c, "soin": s, **cost}
        for f in range(4)
        for c in range(4)
        for s in range(3)
        for word, cost in COSTS.items()
    ]
    cards += [*OTHERS, *(acting(ref) for ref in ACTING)]
    named = [{"name": f"Card {card['ref']}", **card} for card in cards]
    return load_catalog({"id": "test-seiya", "game": "saint-seiya", "cards": named})


# The packet of one Héros (I-SSD-02): nine copies, the bronze armour, and five Héros-Chevaliers set aside.
PACKET = {"H": 9, "HB": 1, "HC": 5}


def header(**changes: Any) -> dict[str, Any]:
    """Return the header of a log between A and B, without moves; `changes` replaces keys."""
    document: dict[str, Any] = {
        "format": 1,
        "game": "saint-seiya",
        "ruleset": "seiya-base@1",
        "catalog": {"id": "test-seiya"},
        "seats": {seat: {"player": f"p-{seat}", "deck": {"main": dict(PACKET)}} for seat in "AB"},
        "moves": [],
    }
    return {**document, **changes}


def side(given: dict[str, Any]) -> dict[str, Any]:
    """Return one side of a declared position, with defaults for everything that `given` leaves out.

    The defaults are 3 hidden cards in hand, 5 in the draw pile and nothing else. The marks of a card on the table and
    the place of the card it faces follow its ref: "H used", "H @common/terrain/6".
    """
    filled: dict[str, Any] = {
        "hand": 3, "deck": 5, "discard": [], "play": [], "armour": None, "relics": [], "marked": [], "aside": [],
        "destroyed": [], "pillars": [],
    }  # fmt: skip
    filled |= given
    for row in ("play", "relics", "marked"):
        filled[row] = [_borne(card) for card in filled[row]]
    filled["armour"] = None if filled["armour"] is None else _borne(filled["armour"])
    return filled


def _borne(card: str) -> dict[str, Any]:
    ref, *words = card.split(" ")
    counts = (word.partition(":") for word in words if not word.startswith("@"))
    on = [word[1:] for word in words if word.startswith("@")]
    found: dict[str, Any] = {"ref": ref, "marks": {name: int(count or 1) for name, _, count in counts}}
    return {**found, "on": on[0]} if on else found


def common(given: dict[str, Any]) -> dict[str, Any]:
    """Return the common zones: by default 12 Flames, six plain cards on the terrain, ten in the reserve."""
    return {
        "flames": 12, "sapphires": 0, "terrain": ["P-1-1-0-F3C4"] * 6, "reserve": 10, "reserve_discard": [], **given,
    }  # fmt: skip


def filler(count: int) -> list[str]:
    """Return `count` filler cards for a packet."""
    return ["H"] * count
