"""One case for each reason of a rule of Saint Seiya: a position, and entries of which the last is refused."""

from __future__ import annotations

from typing import Any

PLAIN = "P-1-1-0-F3C4"
GUARDED = {"common": {"terrain": ["E-GUARD", PLAIN, "NOIR", PLAIN, PLAIN, PLAIN]}}
BARRED = {"common": {"terrain": ["E-BAR", PLAIN, "NOIR", PLAIN, PLAIN, PLAIN]}}
GAP = {"common": {"terrain": [PLAIN, PLAIN, None, PLAIN, PLAIN, PLAIN]}}
THIRD = "common/terrain/3"
YES = {"by": "A", "do": "answer", "args": {"pick": "yes"}}


def move(do: str, by: str = "A", **args: Any) -> dict[str, Any]:
    """Return an entry; `by_` and `with_` give the arguments `by` and `with` of the move."""
    return {"by": by, "do": do, "args": {key.rstrip("_"): value for key, value in args.items()}}


def mine(**zones: Any) -> dict[str, Any]:
    """Return a position in which A has these cards."""
    return {"seats": {"A": zones}}


def put(card: str) -> dict[str, Any]:
    """Return the entry in which A plays a card facing the first card of the terrain."""
    return move("play", card=card, facing="common/terrain/1")


SETTING_UP = {"turn": {"phase": "preparation", "seat": None, "first": None}}
ACQUIRE = move("acquire", card=THIRD, by_="force", with_=["A/play/1"])

REFUSALS: dict[tuple[str, str], tuple[dict[str, Any], list[dict[str, Any]]]] = {
    ("SSD-JEU-1", "turn"): ({}, [move("end_turn", "B")]),
    ("SSD-JEU-1", "setup"): (SETTING_UP, [move("end_turn")]),
    ("SSD-JEU-1", "discarding"): ({"turn": {"phase": "entretien"}, **mine(hand=["R"])}, [move("relic", card="R")]),
    ("SSD-JEU-1", "begun"): ({}, [move("setup")]),
    ("SSD-JEU-1", "laid"): (
        {"turn": {**SETTING_UP["turn"], "first": "A"}},
        [{"by": "table", "do": "setup", "chance": [{"first_player": "A"}, {"reveal": []}]}],
    ),
    ("SSD-JEU-1", "ready"): ({**SETTING_UP, "memory": {"ready": ["A"]}}, [move("setup")]),
    ("SSD-AFF-1", "place"): ({}, [move("acquire", card="A/armour", by_="force", with_=[])]),
    ("SSD-AFF-1", "empty"): (GAP, [move("acquire", card=THIRD, by_="force", with_=[])]),
    ("SSD-AFF-1", "nobody"): ({}, [move("acquire", card=THIRD, by_="force", with_=[])]),
    ("SSD-AFF-1", "alone"): (mine(play=["HUGE"]), [ACQUIRE]),
    ("SSD-AFF-1", "another"): (mine(play=["HUGE @common/terrain/4"]), [ACQUIRE]),
    ("SSD-AFF-1", "guard"): ({**mine(play=["HUGE @common/terrain/3"]), **GUARDED}, [ACQUIRE]),
    ("SSD-JOU-1", "character"): (mine(hand=["R"]), [move("play", card="R", facing=THIRD)]),
    ("SSD-JOU-1", "armour"): (mine(hand=["R"]), [move("equip", card="R")]),
    ("SSD-JOU-1", "relic"): (mine(hand=["H"]), [move("relic", card="H")]),
    ("SSD-JOU-1", "terrain"): (mine(hand=["H"]), [move("play", card="H", facing="A/armour")]),
    ("SSD-JOU-1", "empty"): ({**mine(hand=["H"]), **GAP}, [move("play", card="H", facing=THIRD)]),
    ("SSD-JOU-1", "already"): (mine(armour="A-2 @common/terrain/3"), [move("engage", facing=THIRD)]),
    ("SSD-JOU-4", "none"): ({}, [move("engage", facing=THIRD)]),
    ("SSD-MAR-1", ""): (
        {"seats": {"A": {"play": ["H"]}, "B": {"marked": ["H wound"]}}},
        [move("heal", with_="A/play/1", on="B/marked/1", token="frost")],
    ),
    ("SSD-MAR-1", "place"): (mine(play=["H"]), [move("heal", with_="A/play/1", on="B/marked/1")]),
    ("SSD-EFF-1", ""): (mine(discard=["E-SHED"]), [move("effect", card="A/discard/1", effect="défausser")]),
    ("SSD-EFF-1", "used"): (mine(discard=["H"]), [move("acquire", card=THIRD, by_="force", with_=["A/discard/1"])]),
    ("SSD-EFF-1", "other"): (
        {"seats": {"B": {"play": ["E-SHED"]}}}, [move("effect", card="B/play/1", effect="défausser")],
    ),
    ("SSD-EFF-1", "empty"): ({}, [move("effect", card="A/play/4", effect="défausser")]),
    ("SSD-EFF-2", "pick"): (mine(hand=["E-PUT"]), [put("E-PUT"), move("answer", pick="no")]),
    ("SSD-EFF-4", "pick"): (
        {"seats": {"A": {"hand": ["E-SLAY"]}, "B": {"play": ["H", "HUGE"]}}},
        [put("E-SLAY"), YES, move("answer", pick="A/play/1")],
    ),
    ("SSD-RET-1", "pick"): (mine(hand=["E-PUSH"]), [put("E-PUSH"), YES, move("answer", pick="A/play/1")]),
    ("SSD-ACQ-2", "pick"): (mine(hand=["E-GRAB"]), [put("E-GRAB"), YES, move("answer", pick="A/play/1")]),
    ("SSD-DEF-1", "pick"): (
        mine(hand=["E-DROP", "H"], armour="A-2"), [put("E-DROP"), YES, move("answer", pick="B/play/1")],
    ),
    ("SSD-EFF-6", "guard"): ({**mine(hand=["H"]), **GUARDED}, [move("play", card="H", facing=THIRD)]),
    ("SSD-MAIN-2", ""): (
        SETTING_UP, [{"by": "A", "do": "setup", "chance": [{"draw": ["?", "?"]}]}],
    ),
    ("SSD-MAIN-2", "terrain"): (
        {**SETTING_UP, "common": {"terrain": [None] * 6}},
        [{"by": "table", "do": "setup", "chance": [{"first_player": "A"}, {"reveal": ["R"]}]}],
    ),
    ("SSD-SOI-1", "guard"): (
        {**mine(play=["H"], marked=["H wound"]), "common": {"terrain": ["E-NOCURE", *[PLAIN] * 5]}},
        [move("heal", with_="A/play/1", on="A/marked/1")],
    ),
    ("SSD-EFF-3", "guard"): (
        mine(play=["E-SHIELD @common/terrain/3", "E-BLEED @common/terrain/3"]),
        [move("effect", card="A/play/2", effect="blesser")],
    ),
    ("SSD-TER-1", "few"): (
        {**mine(play=["HUGE @common/terrain/3"]), "common": {"terrain": [PLAIN, PLAIN, "E-CROWD", *[PLAIN] * 3]}},
        [ACQUIRE],
    ),
    ("SSD-TER-1", "toll"): (
        {
            **mine(play=["HUGE @common/terrain/3"], hand=[]),
            "common": {"terrain": [PLAIN, PLAIN, "E-TOLL", *[PLAIN] * 3]},
        },
        [ACQUIRE],
    ),
    ("SSD-VER-3", ""): ({**mine(play=["HUGE fights @common/terrain/3"]), **BARRED}, [ACQUIRE]),
    ("SSD-VER-3", "forbidden"): ({**mine(play=["HUGE @common/terrain/3"]), **BARRED}, [ACQUIRE]),
}  # fmt: skip
