"""One case for each reason of a rule of Wakfu: a position, and entries of which the last is refused."""

from __future__ import annotations

from typing import Any

Case = tuple[dict[str, Any], list[dict[str, Any]]]

SETTING_UP = {"turn": {"phase": "preparation", "seat": None, "first": None}}
FIGHT = {"seats": {"A": {"combat": ["C-3-2-0 attacks"]}, "B": {"combat": ["C-1-1-0 blocks"]}}}


def move(do: str, by: str = "A", **args: Any) -> dict[str, Any]:
    """Return an entry; `with_` gives the argument `with`."""
    return {"by": by, "do": do, "args": {key.rstrip("_"): value for key, value in args.items()}}


def drawing(do: str, *cards: str, by: str = "A", **args: Any) -> dict[str, Any]:
    """Return an entry that records the cards drawn."""
    return {**move(do, by, **args), "chance": [{"draw": list(cards)}]}


def phase(name: str, **given: Any) -> dict[str, Any]:
    """Return a position in a phase of A's turn."""
    return {"turn": {"phase": name}, **given}


def mine(name: str = "invocation", **zones: Any) -> dict[str, Any]:
    """Return a position in a phase of A's turn, in which A has these cards."""
    return phase(name, seats={"A": zones})


def put(card: str, *pay: str, by: str = "A", **args: Any) -> dict[str, Any]:
    """Return an entry that plays a card, paid with the cards at the places `pay`."""
    return move("play", by, card=card, pay=list(pay), **args)


ATTACK = move("attack", attackers=["A/leader"])
SHARE = move("distribute", on="B/leader", points=1)
SHARED = {**phase("combat", **FIGHT), "memory": {"shared": ["A"]}}

REFUSALS: dict[tuple[str, str], Case] = {
    ("WAK-LEA-1", "hand"): (mine(hand=["L"]), [put("L")]),
    ("WAK-LEA-1", "list"): (SETTING_UP, [drawing("leader", "?", "?", "?", "?", "?", card="L-TT")]),
    ("WAK-OR-1", ""): ({"seats": {"A": {"hand": ["C-1-1-0"]}, "B": {"combat": ["E-NOPLAY"]}}}, [put("C-1-1-0")]),
    ("WAK-OR-1", "pick"): (
        {"seats": {"A": {"hand": ["X-SLAY"]}, "B": {"combat": ["C-1-1-0", "C-2-1-0"]}}},
        [put("X-SLAY"), move("answer", pick="A/leader")],
    ),
    ("WAK-CAR-PA", ""): (mine(hand=6), [move("end_turn")]),
    ("WAK-CAR-PA", "opening"): (SETTING_UP, [drawing("leader", "?", card="L")]),
    ("WAK-CAR-PA", "within"): (mine(hand=["X"]), [move("discard", card="X")]),
    ("WAK-TER-1", ""): (phase("mouvement"), [move("move", card="A/rest/3")]),
    ("WAK-TER-1", "zones"): (phase("mouvement"), [move("move", card="B/rest/1")]),
    ("WAK-PHA-1", "turn"): ({}, [move("attack", "B", attackers=["B/leader"])]),
    ("WAK-PHA-1", "own"): (phase("blocage"), [move("block", blockers=[])]),
    ("WAK-PHA-1", "setup"): (SETTING_UP, [ATTACK]),
    ("WAK-PHA-1", "start"): (phase("degagement"), [ATTACK]),
    ("WAK-PHA-1", "blocks"): (mine("blocage", hand=["C-1-1-0"]), [put("C-1-1-0")]),
    ("WAK-PHA-1", "sharing"): (mine("combat", hand=["C-1-1-0"]), [put("C-1-1-0")]),
    ("WAK-PHA-1", "drop"): (mine("drop", hand=["X-I"]), [put("X-I")]),
    ("WAK-PHA-1", "early"): (phase("attaque"), [SHARE]),
    ("WAK-PHA-1", "late"): (phase("invocation2"), [ATTACK]),
    ("WAK-PHA-1", "moving"): (mine("contre", rest=["C-1-1-0"]), [move("move", card="A/rest/1")]),
    ("WAK-PHA-1", "last"): (phase("fin"), [move("end_phase")]),
    ("WAK-PHA-1", "begun"): ({}, [drawing("begin_turn", "?")]),
    ("WAK-PHA-1", "started"): ({}, [drawing("leader", "?", "?", "?", "?", "?", card="L")]),
    ("WAK-PHA-1", "chosen"): (
        {"turn": {**SETTING_UP["turn"], "first": "A"}},
        [{"by": "table", "do": "first_player", "chance": [{"first_player": "B"}]}],
    ),
    ("WAK-PHA-1", "ready"): (
        {**SETTING_UP, "memory": {"ready": ["A"]}}, [drawing("leader", "?", "?", "?", "?", "?", card="L")],
    ),
    ("WAK-1-1", "many"): (phase("degagement"), [drawing("begin_turn", "?", "?")]),
    ("WAK-1-1", "due"): (phase("degagement"), [{**move("begin_turn"), "chance": []}]),
    ("WAK-1-1", "first"): (
        {"turn": {"phase": "degagement", "n": 1}, "options": {"I-WAK-14": "skip"}}, [drawing("begin_turn", "?")],
    ),
    ("WAK-2-1", "zone"): (mine(hand=["C-1-1-T1"], combat=["G-T"]), [put("C-1-1-T1", "A/combat/1")]),
    ("WAK-2-1", "empty"): (mine(hand=["C-1-1-T1"]), [put("C-1-1-T1", "A/rest/1")]),
    ("WAK-2-1", "engaged"): (mine(hand=["C-1-1-T1"], rest=["G-T engaged"]), [put("C-1-1-T1", "A/rest/1")]),
    ("WAK-2-2", "twice"): (mine(hand=["C-1-1-T2"], rest=["G-T"]), [put("C-1-1-T2", "A/rest/1", "A/rest/1")]),
    ("WAK-2-2", "leader"): (
        mine(hand=["C-1-1-T1"]), [move("play", card="C-1-1-T1", pay=[{"card": "A/leader", "mana": "Terre"}])],
    ),
    ("WAK-2-2", "pair"): (
        mine(hand=["C-1-1-T1", "C-1-1-F1"]), [put("C-1-1-T1", "A/leader", with_="C-1-1-F1")],
    ),
    ("WAK-2-3", ""): (
        mine(hand=["C-1-1-F1"], rest=["G-T"]),
        [move("play", card="C-1-1-F1", pay=[{"card": "A/rest/1", "mana": "Feu"}])],
    ),
    ("WAK-2-3", "none"): (mine(hand=["C-1-1-T1"], rest=["G-0"]), [put("C-1-1-T1", "A/rest/1")]),
    ("WAK-4-1", "zone"): (mine(rest=["C-1-1-0"]), [move("attack", attackers=["A/rest/1"])]),
    ("WAK-4-1", "engaged"): (mine(leader="L engaged"), [ATTACK]),
    ("WAK-5-1", "zone"): (
        phase("blocage", seats={"B": {"rest": ["C-1-1-0"]}}), [move("block", "B", blockers=["B/rest/1"])],
    ),
    ("WAK-5-1", "engaged"): (
        phase("blocage", seats={"B": {"leader": "L engaged"}}), [move("block", "B", blockers=["B/leader"])],
    ),
    ("WAK-5-1", "unattacked"): ({}, [move("block", "B", blockers=[])]),
    ("WAK-6-2", "order"): (phase("combat", **FIGHT), [move("distribute", "B", on="A/leader", points=1)]),
    ("WAK-6-2", "none"): (SHARED, [SHARE]),
    ("WAK-6-2", "target"): (phase("combat", **FIGHT), [move("distribute", on="A/leader", points=1)]),
    ("WAK-6-2", "again"): (
        phase("combat", **FIGHT),
        [move("distribute", on="B/combat/1", points=1), move("distribute", on="B/combat/1", points=1)],
    ),
    ("WAK-6-2", "many"): (phase("combat", **FIGHT), [move("distribute", on="B/leader", points=4)]),
    ("WAK-6-2", "few"): (
        phase("combat", **FIGHT),
        [move("distribute", on="B/combat/1", points=1), move("distribute", on="B/leader", points=1)],
    ),
    ("WAK-6-2", "done"): (phase("combat", **FIGHT), [move("distribute", done=True)]),
    ("WAK-6-3", ""): ({**phase("drop"), "memory": {"won": ["A", "A"]}}, [drawing("drop_keep", "?", keep=1)]),
    ("WAK-6-3", "keep"): ({**phase("drop"), "memory": {"won": ["A", "A"]}}, [move("drop_keep", keep=3)]),
    ("WAK-6-3", "other"): ({**phase("drop"), "memory": {"won": ["A", "A"]}}, [move("drop_keep", "B", keep=1)]),
    ("WAK-8-1", "turn"): ({}, [move("end_turn", "B")]),
    ("WAK-8-1", "setup"): (SETTING_UP, [move("end_turn")]),
    ("WAK-8-1", "start"): (phase("degagement"), [move("end_turn")]),
    ("WAK-8-1", "combat"): (phase("blocage"), [move("end_turn")]),
    ("WAK-EFF-1", ""): (mine("blocage", hand=["X"]), [put("X")]),
    ("WAK-EFF-1", "turn"): ({"seats": {"B": {"hand": ["X"]}}}, [put("X", by="B")]),
    ("WAK-EFF-1", "combat"): (
        {**phase("combat", seats={**FIGHT["seats"], "A": {"combat": ["C-3-2-0 attacks"], "hand": ["X-C"]}})},
        [move("distribute", on="B/combat/1", points=1), put("X-C")],
    ),
    ("WAK-EFF-1", "timing"): (mine(hand=["X-C"]), [put("X-C")]),
    ("WAK-EQU-1", ""): (mine(hand=["EQ-PA"]), [put("EQ-PA", on="A/rest/1")]),
    ("WAK-EQU-1", "kind"): (mine(hand=["C-1-1-0"]), [put("C-1-1-0", on="A/leader")]),
}  # fmt: skip
