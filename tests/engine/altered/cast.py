"""Test cards of Altered, whose refs spell out their figures, and builders of decks, headers and positions.

`P-2-1-300` is a character that costs 2 from the hand and 1 from the Réserve, with statistics 3 in forest, 0 in mountain
and 0 in water; `S-1-2` a spell, `SF-1-2` one that is Fugace, `R-1-1` a Permanent, `J-111` a token. `H` is a hero whose
limits for Réserve and Landmarks are 2 and 2, `H-31` one with 3 and 1, `H-NOON` one that draws at noon. `T-F`, `T-M` and
`T-E` are Tumult cards with one type in the west and the two others in the east. `E-…` are characters of cost 1 and 1
and statistics 0, `X-…` spells of cost 0; `ACTING` says what they do. `K-…` are characters with keywords, `N-…` cards of
unknown text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog

TYPES = {"F": "foret", "M": "montagne", "E": "eau"}
ANY, OWN, SELF = {"side": "any"}, {"side": "own"}, {"self": True}


def _op(op: str, **fields: Any) -> dict[str, Any]:
    return {"op": op, **{key.rstrip("_"): value for key, value in fields.items()}}


def _on(trigger: str, op: str, **fields: Any) -> dict[str, Any]:
    return {"on": trigger, "do": [_op(op, **fields)]}


BOOST = _op("boost", of={"target": 1}, n=1)

# Abilities by ref.
ACTING: dict[str, list[dict[str, Any]]] = {
    "E-HAND": [_on("played_hand", "resupply", n=1)],
    "E-STORE": [_on("played_reserve", "draw", n=1)],
    "E-JOIN": [_on("entered", "boost", of=SELF, n=1)],
    "E-TWO": [_on("played_hand", "boost", of=SELF, n=1), _on("played_hand", "anchor", of=SELF)],
    "E-NOON": [_on("phase:midi", "boost", of=SELF, n=1)],
    "E-NOON2": [_on("phase:midi", "boost", of=SELF, n=2)],
    "E-TAP": [_on("activated", "boost", of=SELF, n=1)],
    "E-FIRST": [{**_on("activated", "end_turn"), "if": {"first": False}}],
    "E-GIVE": [{**_on("activated", "draw", n=1), "cost": {"mana": 1, "discard": 1}}],
    "E-PAID": [_on("activated", "boost", of=SELF, n=1)],
    "E-HELP": [_on("support", "boost", of=OWN, n=1)],
    "E-GONE": [_on("left", "draw", n=1)],
    "E-MARCH": [_on("advanced", "anchor", of=SELF)],
    "E-LEAD": [{"static": {"stat": "foret", "add": 1, "to": OWN}}],
    "E-CHEAP": [{"static": {"cost": -1, "to": {"side": "own", "kind": "personnage"}}}],
    "E-BAR": [{"static": {"forbid": "play", "to": {"side": "opposing", "zone": "reserve"}}}],
    "E-MUTE": [{"static": {"forbid": "quick", "to": {"side": "opposing"}}}],
    "X-AIM": [{"on": "played", "targets": [ANY], "do": [BOOST]}],
    "X-TWO": [{"on": "played", "targets": [{"side": "any", "take": 2}], "do": [BOOST]}],
    "X-TWICE": [{"on": "played", "targets": [ANY, ANY], "do": [BOOST, _op("boost", of={"target": 2}, n=2)]}],
    "X-MODES": [{"on": "played", "modes": [
        {"targets": [ANY], "do": [BOOST]},
        {"do": [_op("draw", n=1)]},
        {"targets": [{"side": "any", "zone": "landmarks"}], "do": [_op("destroy", of={"target": 1})]},
    ]}],
    "X-PICK": [{"on": "played", "modes": [{"targets": [ANY], "do": [BOOST]}, {"targets": [ANY], "do": [BOOST]}]}],
    "X-MAY": [{"on": "played", "targets": [ANY], "do": [_op("may", do=[BOOST])]}],
    "X-IF": [{"on": "played", "targets": [ANY], "do": [
        _op("if", cond={"count": {"side": "own", "zone": "landmarks"}, "at_least": 1}, do=[BOOST]),
    ]}],
    "X-INNER": [_on("played", "inner", cost=2, targets=[ANY], do=[BOOST])],
    "X-PLAYER": [{"on": "played", "targets": [{"player": True}], "do": [_op("aim", target=1, do=[_op("draw", n=1)])]}],
    "X-SLEEP": [{"on": "played", "targets": [ANY], "do": [_op("sleep", of={"target": 1})]}],
    "X-KILL": [{"on": "played", "targets": [ANY], "do": [_op("destroy", of={"target": 1})]}],
    "X-STORE": [{"on": "played", "targets": [ANY], "do": [_op("to_reserve", of={"target": 1})]}],
    "X-STORE2": [
        {"on": "played", "targets": [{"side": "own", "take": 2}], "do": [_op("to_reserve", of={"target": 1})]},
    ],
    "X-ALL": [_on("played", "to_reserve", of={"side": "any", "take": "all"})],
    "X-PAIR": [
        {"on": "played", "targets": [ANY], "do": [_op("to_reserve", of={"target": 1}), _op("discard", n=1)]},
    ],
    "X-BACK": [_on("played", "lose", what="heros", n=1, who="opponent")],
    "X-MANA": [_on("played", "mana", n=1)],
    "X-TOKEN": [_on("played", "token", ref="J-111", n=1)],
    "E-SELF": [{"static": {"cost": -2, "to": SELF}}],
    "E-STORED": [{"static": {"cost": -1, "to": {"self": True, "zone": "reserve"}}}],
    "E-NEVER": [{"static": {"forbid": "play", "to": {"self": True, "zone": "reserve"}}}],
    "E-RISE": [{"static": {"playable": "discard"}}],
    "E-DAWN": [{"on": "phase:matin", "do": [_op("exhaust", of=SELF), _op("draw", n=1)]}],
    "E-WATCH": [{"on": "left", "of": {"side": "own", "not_self": True}, "do": [_op("draw", n=1)]}],
    "X-LINES": [
        _on("played", "destroy", of={"side": "own", "zone": "landmarks"}),
        {"on": "played", "targets": [ANY], "do": [
            _op("if", cond={"count": {"side": "own", "zone": "landmarks"}, "at_least": 1}, do=[BOOST]),
        ]},
    ],
}  # fmt: skip

# Cards with words that only the rules of 2025 define.
LATER: dict[str, dict[str, Any]] = {
    "R-GEAR": {"kind": "permanent", "joins": "expedition"},
    "E-SCOUT": {"kind": "personnage", "main": 3, "reperage": 1, "foret": 0, "montagne": 0, "eau": 0},
    "X-COOL": {"kind": "sort", "keywords": [{"kw": "Rafraîchissement"}]},
    "X-AUGMENT": {"kind": "sort", "abilities": [
        {"on": "played", "targets": [ANY], "do": [_op("augment", of={"target": 1})]},
    ]},
    "X-DOUBLE": {"kind": "sort", "abilities": [_on("played", "double", of={"side": "own"}, mark="boost")]},
    "X-SWAP": {"kind": "sort", "abilities": [{"on": "played", "targets": [ANY, ANY], "do": [
        {"op": "exchange", "of": {"target": 1}, "with": {"target": 2}},
    ]}]},
    "X-SUPPLY": {"kind": "sort", "abilities": [_on("played", "resupply", n=1, exhausted=True)]},
    "X-AFTER": {"kind": "sort", "abilities": [
        {"on": "played", "targets": [ANY], "do": [_op("draw", n=1), BOOST]},
    ]},
    "R-GRIEF": {"kind": "permanent", "abilities": [_on("sacrificed", "draw", n=1)]},
    "E-TOUGH": {"kind": "personnage", "foret": 0, "montagne": 0, "eau": 0,
                "abilities": [{"static": {"tough": 1, "to": SELF}}]},
}  # fmt: skip

# Cost from hand and from Réserve of those that do not cost 1 and 1.
COSTS = {"E-SELF": (3, 3), "E-STORED": (2, 2), "E-RISE": (2, 1)}

# Cards of unknown text, which the engine cannot execute.
UNREAD: dict[str, dict[str, Any]] = {
    "N-P": {"kind": "personnage", "main": 3, "reserve": 2, "foret": 1, "montagne": 1, "eau": 1},
    "N-S": {"kind": "sort", "main": 3, "reserve": 2},
    "N-R": {"kind": "permanent", "main": 3, "reserve": 2},
    "N-H": {"kind": "héros", "reserve_limit": 2, "landmark_limit": 2},
    "N-H0": {"kind": "héros"},
}

# Keywords of the characters of statistics 2, 0, 0.
KEYWORDED = {"K-DEF": ["Défenseur"], "K-ETE": ["Éternel"], "K-DEF-ETE": ["Défenseur", "Éternel"]}


def _acting(ref: str, abilities: list[dict[str, Any]]) -> dict[str, Any]:
    if ref.startswith("X-"):
        return {"ref": ref, "kind": "sort", "main": 0, "reserve": 0, "abilities": abilities}
    paid = {"quick": 2} if ref == "E-PAID" else {}
    main, reserve = COSTS.get(ref, (1, 1))
    figures = {"main": main, "reserve": reserve, "foret": 0, "montagne": 0, "eau": 0}
    return {"ref": ref, "kind": "personnage", **figures, **paid, "abilities": abilities}


@cache
def catalog() -> Catalog:
    """The catalogue of all test cards of Altered."""
    cards: list[dict[str, Any]] = [
        {"ref": f"P-{main}-{reserve}-{f}{m}{e}", "kind": "personnage", "main": main, "reserve": reserve,
         "foret": f, "montagne": m, "eau": e}
        for main in range(4) for reserve in range(3) for f in range(4) for m in range(3) for e in range(3)
    ]  # fmt: skip
    for letters, kind in (("S", "sort"), ("SF", "sort"), ("R", "permanent")):
        for main in range(4):
            for reserve in range(3):
                card: dict[str, Any] = {
                    "ref": f"{letters}-{main}-{reserve}", "kind": kind, "main": main, "reserve": reserve,
                }  # fmt: skip
                cards.append({**card, "keywords": [{"kw": "Fugace"}]} if letters == "SF" else card)
    cards += [{"ref": "H", "kind": "héros", "reserve_limit": 2, "landmark_limit": 2},
              {"ref": "H-31", "kind": "héros", "reserve_limit": 3, "landmark_limit": 1}]  # fmt: skip
    cards.append({"ref": "H-NOON", "kind": "héros", "abilities": [_on("phase:midi", "draw", n=1)]})
    cards += [{"ref": f"J-{n}{n}{n}", "kind": "jeton", **dict.fromkeys(TYPES.values(), n)} for n in (0, 1)]
    cards += [
        {"ref": f"T-{letter}", "kind": "tumulte", "ouest": {TYPES[letter]: 1},
         "est": {TYPES[other]: 1 for other in "FME" if other != letter}}
        for letter in "FME"
    ]  # fmt: skip
    cards += [
        {"ref": ref, "kind": "personnage", "main": 1, "reserve": 1, "foret": 2, "montagne": 0, "eau": 0,
         "keywords": [{"kw": word} for word in words]}
        for ref, words in KEYWORDED.items()
    ]  # fmt: skip
    watching = [{**ability, "of": {**ability["of"], "zone": "landmarks"}} for ability in ACTING["E-WATCH"]]
    cards.append({"ref": "R-WATCH", "kind": "permanent", "main": 1, "reserve": 1, "abilities": watching})
    once = {"on": "played", "of": {"kind": "personnage"}, "once": True, "do": [_op("draw", n=1)]}
    cards.append({"ref": "R-ONCE", "kind": "permanent", "main": 1, "reserve": 1, "abilities": [once]})
    cards += [_acting(ref, abilities) for ref, abilities in ACTING.items()]
    cards += [{"ref": ref, **card, "text": "?"} for ref, card in UNREAD.items()]
    cards += [{"ref": ref, "main": 1, "reserve": 1, **card} for ref, card in LATER.items()]
    for card in cards:
        card["name"] = f"Cast {card['ref']}"
        if card["kind"] not in ("tumulte", "jeton"):
            card["factions"] = ["OR"]
    return load_catalog({"id": "test-altered", "game": "altered", "cards": cards})


# Thirteen cards: with three copies each they are a deck of the smallest legal size.
FILLER = [f"P-3-2-{f}{m}0" for f in range(4) for m in range(3)] + ["S-3-2"]


def deck(*refs: str) -> dict[str, Any]:
    """Return a deck of 39 cards led by `H`: three copies of each given ref, then of filler cards."""
    return {"commander": "H", "main": dict.fromkeys([*refs, *FILLER][:13], 3)}


def header(**changes: Any) -> dict[str, Any]:
    """Return the header of a log between A and B, without moves; `changes` replaces keys."""
    document: dict[str, Any] = {
        "format": 1,
        "game": "altered",
        "ruleset": "altered-2024@1",
        "catalog": {"id": "test-altered"},
        "seats": {seat: {"player": f"p-{seat}", "deck": deck("P-0-0-111", "E-NOON", "X-AIM")} for seat in "AB"},
        "moves": [],
    }
    return {**document, **changes}


ROWS = ("hero", "exp_heros", "exp_compagnon", "landmarks", "reserve")
NOTES = ("expanded", "passed", "dropped", "acted", "ready", "laid", "arena", "target1", "target2", "target3", "target4")
COMMON: Mapping[str, Any] = {
    "limbo": [], "tumultes": [{"ref": f"T-{letter}", "marks": {}} for letter in "FME"],
}  # fmt: skip


def common(given: dict[str, Any]) -> dict[str, Any]:
    """Return the common zones: by default an empty Limbo and three Tumult cards face up."""
    return {**COMMON, **given}


def side(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return one side of a declared position, with defaults for everything that `given` leaves out.

    The defaults are the hero `H`, no step made, 5 cards in hand, 4 ready orbs and 20 cards in the deck. The marks of a
    card in play follow its ref: "P-1-1-111 fugace boost:2".
    """
    filled: dict[str, Any] = {
        "heros": 0, "compagnon": 0, "hand": 5, "mana": 4, "spent": 0, "deck": 20, "hero": "H", "exp_heros": [],
        "exp_compagnon": [], "landmarks": [], "reserve": [], "discard": [], "exile": [],
    }  # fmt: skip
    filled |= given
    for row in ROWS[1:]:
        filled[row] = [marked(card) for card in filled[row]]
    filled["hero"] = None if filled["hero"] is None else marked(filled["hero"])
    return filled


def marked(card: str) -> dict[str, Any]:
    """Return the JSON of a card written as its ref and marks."""
    ref, *marks = card.split(" ")
    counts = (mark.partition(":") for mark in marks)
    return {"ref": ref, "marks": {name: int(count or 1) for name, _, count in counts}}


def filler(count: int) -> Sequence[str]:
    """Return `count` filler cards, three copies each."""
    return [ref for ref in FILLER for _ in range(3)][:count]
