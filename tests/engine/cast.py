"""Test cards of Star Safir, whose refs spell out their figures, and builders of decks, logs and log entries.

`F-4-3-2` is a fighter of ATK 4, VALEUR 3, DEF 2; `T-1-1-1` a token; `M-2` a magic of VALEUR 2; `C-1` a commander;
`K-1` a fighter with an effect that the engine leaves to the judge; `U-1`, `M-UNREAD` and `C-UNREAD` cards of unknown
text; `H-3` a Humain fighter, `C-H` a Humain commander. `ACTING` has the cards with effects, each named after what it
does: `E-…` are fighters, `MM-…` magics, `EJ-…` tokens, `C-…` commanders.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog

FIGURES = range(10)


THERE = {"side": "opposing"}
Row = tuple[str, tuple[int, int, int] | int | None, tuple[Any, ...], tuple[Any, ...]]


def _on(trigger: str, op: str, **fields: Any) -> dict[str, Any]:
    return {"on": trigger, "do": [{"op": op, **{key.rstrip("_"): value for key, value in fields.items()}}]}


def _bonus(stat: str, add: int, **to: Any) -> dict[str, Any]:
    return {"static": {"stat": stat, "add": add, "to": to}}


def _static(**fields: Any) -> dict[str, Any]:
    return {"static": fields}


# Ref, figures (a fighter has ATK, VALEUR and DEF, a magic its VALEUR, a commander None), keywords, abilities.
ACTING: tuple[Row, ...] = (
    ("E-DOUBLE", (2, 1, 9), ("Double ATK",), ()),
    ("E-REMPART", (0, 1, 5), ("Rempart",), ()),
    ("E-REMPART+", (0, 1, 5), ("Rempart+",), ()),
    ("E-SECOND", (1, 1, 1), ("Seconde Vie",), ()),
    ("E-VOL", (1, 1, 1), ("Vol vie",), ()),
    ("E-FORM", (1, 1, 1), ({"kw": "Transformation", "into": {"atk": 5, "val": 3, "def": 4}},), ()),
    ("E-FORM2", (1, 1, 1), (
        {"kw": "Transformation", "into": {"atk": 5, "val": 3, "def": 4, "keywords": [{"kw": "Double ATK"}]}},
    ), ()),
    ("E-FORM3", (1, 1, 1), (
        {"kw": "Transformation", "into": {"atk": 5, "val": 3, "def": 4}}, "Destruction",
    ), (_on("destroyed", "gain", what="pi", n=2),)),
    ("E-CHIEF", (1, 1, 3), ("En jeu",), (_bonus("atk", 2, side="own"),)),
    ("E-DRUM", (1, 1, 1), ("En jeu", "Adjacent"), (_bonus("atk", 2, beside=True),)),
    ("E-RENT", (1, 1, 1), ("En jeu",), (_on("end_turn", "gain", what="pi", n=1),)),
    ("E-BOON", (1, 1, 1), (), (_on("played", "gain", what="pi", n=1),)),
    ("E-LAST", (1, 1, 1), ("Destruction",), (_on("destroyed", "gain", what="pi", n=2),)),
    ("E-HUSH", (1, 1, 1), ("Silence",), (_on("played", "silence", of=THERE),)),
    ("E-SLAY", (1, 1, 1), (), (_on("played", "destroy", of=THERE),)),
    ("E-MARCH", (1, 1, 1), ("Déplacer",), (
        _on("played", "move", of={"side": "own", "not_self": True}, to="adjacent"),
    )),
    ("E-BESIDE", (1, 1, 1), ("Adjacent",), (_on("played", "buff", of={"beside": True}, stat="atk", n=3, for_="turn"),)),
    ("E-NEXT", (1, 1, 1), ("Bloquer", "Adjacent"), (
        _on("played", "block", of={"side": "opposing", "in": "adjacent"}, for_="opposing_turn"),
    )),
    ("E-OFFER", (1, 1, 1), (), (
        {"on": "played", "do": [{"op": "may", "do": [{"op": "gain", "what": "pv", "n": 1}]}]},
    )),
    ("E-EITHER", (1, 1, 1), (), (
        {"on": "played", "do": [
            {"op": "choose", "of": [[{"op": "draw", "n": 1}], [{"op": "gain", "what": "pi", "n": 2}]]},
        ]},
    )),
    ("E-WEIGH", (3, 1, 1), ("Diviser",), (_on("played", "gain", what="pi", n={"half_up": {"stat": "atk"}}),)),
    ("MM-BANNER", 1, ("En jeu",), (_bonus("atk", 2, side="own"),)),
    ("MM-SLAY", 1, (), (_on("played", "destroy", of=THERE),)),
    ("MM-RED", 1, (), (_on("played", "destroy", of={**THERE, "take": "all"}),)),
    ("MM-BACK", 1, ("Renvoyer",), (_on("played", "return", of=THERE),)),
    ("MM-RISE", 1, ("Ressusciter",), (_on("played", "resurrect", of={"side": "own", "zone": "discard"}),)),
    ("MM-HOLD", 1, ("Bloquer",), (_on("played", "block", of=THERE, for_="opposing_turn"),)),
    ("MM-LOCK", 1, ("Bloquer",), (_on("played", "block", of={**THERE, "zone": "territory"}, for_="opposing_turn"),)),
    ("MM-HALF", 1, ("Diviser",), (_on("played", "divide", of=THERE, stat="def", for_="turn"),)),
    ("MM-TAKE", 1, (), (_on("played", "control", of=THERE),)),
    ("MM-BORN", 1, (), (_on("played", "token", ref="EJ-LAST", n=1),)),
    ("MM-HIDE", 2, ("Caché",), (_on("played", "gain", what="pi", n=3),)),
    ("MM-BOOST", 1, (), (_on("played", "buff", of={"side": "own"}, stat="atk", n=3, for_="turn"),)),
    ("E-AURA", (1, 1, 1), (), (_on("played", "buff", of={"side": "own"}, stat="atk", n=2, for_="while_source"),)),
    ("MM-WEAK", 1, (), (_on("played", "buff", of={"side": "own"}, stat="atk", n=-3, for_="turn"),)),
    ("MM-CURSE", 1, (), (_on("played", "buff", of=THERE, stat="atk", n=-2, for_="permanent"),)),
    ("MM-BOTH", 1, (), (_on("played", "gain", what="pv", n=1, who="both"),)),
    ("MM-AWAY", 1, ("Caché", "Déplacer"), (_on("played", "move", of=THERE, to="adjacent"),)),
    ("E-BIRTH", (1, 1, 1), ("Destruction",), (_on("destroyed", "token", ref="EJ-LAST", n=1),)),
    ("MM-DRAW", 1, (), (_on("played", "draw", n=2),)),
    ("MM-DROP", 1, (), (_on("played", "discard", n=1, who="opponent"),)),
    ("MM-LOSE", 1, (), (_on("played", "lose", what="pi", n=3, who="opponent"),)),
    ("MM-TRAP", 1, ("Caché",), (_on("played", "destroy", of=THERE),)),
    ("E-LOOP", (1, 1, 1), ("Destruction",), (
        {"on": "destroyed", "do": [
            {"op": "resurrect", "of": {"side": "own", "zone": "discard", "in": "here"}},
            {"op": "destroy", "of": {"self": True}},
        ]},
    )),
    ("E-WATCH", (1, 1, 1), ("En jeu",), (
        {**_on("entered", "gain", what="pi", n=1), "of": {"side": "own", "not_self": True, "zone": "fighters"}},
    )),
    ("E-MOURN", (1, 1, 1), ("En jeu",), (
        {**_on("destroyed", "gain", what="pi", n={"stat": "val", "of": "it"}), "of": {"side": "own", "not_self": True}},
    )),
    ("E-EYE", (1, 1, 1), ("En jeu", "Destruction"), (
        {**_on("destroyed", "gain", what="pi", n=1), "of": {"side": "any"}}, _on("destroyed", "gain", what="pv", n=1),
    )),
    ("E-GONE", (1, 1, 1), (), (_on("left", "gain", what="pi", n=1),)),
    ("E-TREK", (1, 1, 1), ("Déplacer",), (
        _on("played", "move", of={"self": True, "may": True}, to="adjacent"), _on("arrived", "gain", what="pv", n=1),
    )),
    ("E-STUNG", (0, 1, 9), (), (_on("attacked", "lose", what="pi", n=1, who="opponent"),)),
    ("E-DAWN", (1, 1, 1), ("En jeu",), (_on("start_turn", "gain", what="pi", n=2),)),
    ("E-CAMP", (1, 1, 1), ("En jeu",), (_on("phase:invocation", "gain", what="pv", n=1),)),
    ("E-HORN", (1, 1, 1), ("En jeu",), (
        {"on": "phase:combat", "do": [
            {"op": "each", "of": {"side": "own", "in": "here", "not_self": True},
             "do": [{"op": "buff", "of": {"it": True}, "stat": "atk", "n": 2, "for": "phase"}]},
        ]},
    )),
    ("E-TRUCE", (1, 1, 1), ("En jeu",), (_static(forbid="attack", to={"side": "opposing", "in": "here"}),)),
    ("E-GATE", (1, 1, 1), ("En jeu",), (_static(forbid="play", to={"side": "opposing", "kind": "magie"}),)),
    ("E-LIGHT", (1, 1, 1), ("En jeu",), (_static(forbid="reveal", to={"side": "opposing"}),)),
    ("E-WARD", (1, 1, 1), ("En jeu",), (_static(forbid="sacrifice", to={"side": "opposing", "in": "here"}),)),
    ("E-MUZZLE", (1, 1, 1), ("En jeu",), (_static(forbid="activate", to={"side": "opposing"}),)),
    ("E-CHEAP", (1, 1, 1), ("En jeu",), (_static(cost=-2, to={"side": "own", "faction": "Humain"}),)),
    ("E-TOLL", (1, 1, 1), ("En jeu",), (_static(cost=2, to={"side": "opposing", "kind": "magie"}),)),
    ("E-LEND", (1, 1, 1), ("En jeu", "Adjacent"), (_static(grant="Rempart", to={"beside": True}),)),
    ("E-GUARD", (1, 1, 9), (), (
        {"would": "destroyed", "of": {"side": "own", "in": "here", "not_self": True}, "may": True,
         "do": [{"op": "destroy", "of": {"self": True}}]},
    )),
    ("E-PHOENIX", (1, 1, 1), ("Renvoyer",), (
        {"would": "destroyed", "do": [{"op": "return", "of": {"self": True}}]},
    )),
    ("E-ANCHOR", (1, 1, 1), (), ({"would": "returned", "do": [{"op": "gain", "what": "pi", "n": 1}]},)),
    ("E-READ", (1, 1, 1), ("En jeu",), (
        {"would": "draw", "may": True, "do": [{"op": "gain", "what": "pi", "n": 3}]},
    )),
    ("E-TWICE", (1, 1, 1), ("Seconde Vie",), (
        {"would": "destroyed", "may": True, "do": [{"op": "gain", "what": "pi", "n": 1}]},
    )),
    ("E-PLAIN", (1, 1, 1), ("Rempart",), (_on("destroyed", "gain", what="pi", n=1, who="controller"),)),
    ("E-BAN", (1, 1, 1), (), (
        _on("played", "cannot", what="attack", of={**THERE, "in": "here"}, for_="while_source"),
    )),
    ("E-LEASH", (1, 1, 1), (), (_on("played", "control", of={**THERE, "in": "here"}, for_="while_source"),)),
    ("MM-PIN", 1, ("En jeu",), (_static(forbid="move", to={"side": "opposing"}),)),
    ("MM-RUSH", 1, (), (_on("played", "buff", of={"side": "own"}, stat="atk", n=3, for_="phase"),)),
    ("MM-LOOK", 1, (), (_on("played", "look", at="deck", n=2),)),
    ("MM-PEEK", 1, (), (_on("played", "look", at="hand", who="opponent"),)),
    ("MM-SHOW", 1, (), (_on("played", "reveal", at="deck", n=1, who="opponent"),)),
    ("MM-SEEK", 1, (), (_on("played", "search", in_="deck", of={"kind": "magie"}),)),
    ("MM-DIG", 1, (), (_on("played", "search", in_="discard", of={"side": "own", "kind": "magie"}),)),
    ("MM-MIX", 1, (), (_on("played", "shuffle"),)),
    ("MM-SWAP", 1, (), (_on("played", "swap", of={"side": "own", "in": "any"}),)),
    ("MM-BLIND", 1, (), (_on("played", "destroy", of={"side": "any", "by": "random"}),)),
    ("MM-ROB", 1, (), (_on("played", "discard", n=1, who="opponent", by="random"),)),
    ("MM-DICE", 1, (), (
        _on("played", "roll", sides=6, at_least=4, do=[{"op": "gain", "what": "pi", "n": 2}],
            else_=[{"op": "gain", "what": "pv", "n": 1}]),
    )),
    ("MM-LUCK", 1, (), (_on("played", "gain", what="pi", n={"bounded": {"roll": 6}, "at_most": 3}),)),
    ("MM-PAY", 1, (), (
        _on("played", "pay", what="pi", at_most=3, do=[
            {"op": "buff", "of": {"side": "own"}, "stat": "atk", "n": {"x": True}, "for": "turn"},
        ]),
    )),
    ("MM-WALL", 1, (), (_on("played", "grant", of={"side": "own"}, keyword="Rempart", for_="own_turn"),)),
    ("MM-CURFEW", 1, (), (_on("played", "cannot", what="play", who="opponent", for_="opposing_turn"),)),
    ("MM-NULL", 1, (), (_on("played", "cancel", who="opponent", for_="opposing_turn"),)),
    ("MM-HIRE", 1, (), (_on("played", "control", of=THERE, for_="turn"),)),
    ("MM-DIGIN", 1, (), (_on("played", "buff", of={"side": "own"}, stat="def", n=3, for_="until:arrived"),)),
    ("MM-GUARD", 1, (), (
        _on("played", "buff", of={"side": "own", "take": "all"}, stat="def", n=2, for_="until:start_turn"),
    )),
    ("MM-OFFER", 1, (), (
        _on("played", "choose", by="opponent", of=[[{"op": "draw", "n": 1}], [{"op": "gain", "what": "pi", "n": 2}]]),
    )),
    ("MM-TITHE", 1, (), (_on("played", "destroy", of={**THERE, "by": "opponent"}),)),
    ("MM-RAM", 1, (), (_on("played", "destroy", of={**THERE, "keyword": "Rempart"}),)),
    ("EJ-LAST", (1, 1, 1), ("Destruction",), (_on("destroyed", "gain", what="pi", n=2),)),
    ("MM-SMASH", 1, (), (_on("played", "destroy", of={**THERE, "zone": "magics"}),)),
    ("MM-RECALL", 1, ("Renvoyer",), (_on("played", "return", of={**THERE, "zone": "magics"}),)),
    ("MM-MUTE", 1, ("Silence",), (_on("played", "silence", of={**THERE, "zone": "magics"}),)),
    ("MM-TALLY", 1, (), (_on("played", "gain", what="pi", n={"count": {"side": "any", "zone": "magics"}}),)),
    ("MM-SWEEP", 1, (), (
        {"on": "played", "do": [
            {"op": "each", "of": {**THERE, "zone": "magics"}, "do": [{"op": "destroy", "of": {
                "side": "any", "zone": "magics", "it": True}}]},
        ]},
    )),
    ("MM-PURGE", 1, (), (
        _on("played", "destroy", of={**THERE, "zone": "magics", "faction": "Humain", "take": "all"}),
    )),
    ("MM-HOME", 1, ("Renvoyer",), (_on("played", "return", of={"side": "own"}),)),
    ("MM-STORM", 1, (), (_on("played", "destroy", of={"side": "any", "take": "all"}),)),
    ("MM-FLOOD", 1, (), (
        {"on": "played", "do": [
            {"op": "each", "of": {"side": "any"}, "do": [{"op": "destroy", "of": {"side": "any", "it": True}}]},
        ]},
    )),
    ("MM-EBB", 1, ("Renvoyer",), (_on("played", "return", of={"side": "any", "take": "all"}),)),
    ("E-FAREWELL", (1, 1, 1), (), (_on("left", "gain", what="pv", n=1),)),
    ("MM-VEIL", 1, ("Caché",), (_on("played", "manual"),)),
    ("E-MAGE", (0, 1, 1), ("En jeu",), (
        {"static": {"stat": "atk", "add": {"count": {"side": "opposing", "zone": "magics"}},
                    "to": {"self": True}}},
    )),
    ("E-CROWN", (2, 1, 1), ("Destruction",), (_on("destroyed", "gain", what="pv", n=1),)),
    ("E-WISH", (1, 1, 1), (), ({"would": "destroyed", "do": [{"op": "gain", "what": "pv", "n": 1}]},)),
    ("E-VIGIL", (1, 1, 1), ("En jeu",), ({**_on("end_turn", "gain", what="pv", n=1), "turn": "opposing"},)),
    ("C-RICH", None, (), (_on("start_game", "gain", what="pi", n=2),)),
    ("C-CALL", None, (), (_on("activated", "gain", what="pi", n=1),)),
    ("C-SLAY", None, (), (_on("activated", "destroy", of=THERE),)),
)  # fmt: skip


def _acting(ref: str, figures: tuple[int, int, int] | int | None, keywords: Any, abilities: Any) -> dict[str, Any]:
    card: dict[str, Any] = {"ref": ref, "name": f"Acting {ref}", "abilities": list(abilities)}
    card["keywords"] = [{"kw": word} if isinstance(word, str) else word for word in keywords]
    if figures is None:
        return {**card, "kind": "commandant"}
    if isinstance(figures, int):
        return {**card, "kind": "magie", "val": figures}
    kind = "jeton" if ref.startswith("EJ-") else "combattant"
    return {**card, "kind": kind, "atk": figures[0], "val": figures[1], "def": figures[2]}


@cache
def catalog() -> Catalog:
    """The catalogue of all test cards of Star Safir, with a fighter for every combination of figures from 0 to 9."""
    cards: list[dict[str, Any]] = [
        {"ref": f"F-{atk}-{val}-{def_}", "name": f"Fighter {atk} {val} {def_}", "kind": "combattant", "atk": atk,
         "val": val, "def": def_}
        for atk in FIGURES for val in FIGURES for def_ in FIGURES
    ]  # fmt: skip
    cards += [
        {"ref": f"T-{n}-{n}-{n}", "name": f"Token {n}", "kind": "jeton", "atk": n, "val": n, "def": n} for n in FIGURES
    ]
    cards += [{"ref": f"M-{n}", "name": f"Magic {n}", "kind": "magie", "val": n} for n in FIGURES]
    cards += [
        {
            "ref": f"H-{n}",
            "name": f"Humain {n}",
            "kind": "combattant",
            "factions": ["Humain"],
            "atk": 1,
            "val": 1,
            "def": 1,
        }
        for n in FIGURES
    ]
    cards += [
        {"ref": f"O-{n}", "name": f"Orc {n}", "kind": "combattant", "factions": ["Orc"], "atk": 1, "val": 1, "def": 1}
        for n in FIGURES
    ]
    cards += [
        {"ref": "C-1", "name": "Commander", "kind": "commandant"},
        {"ref": "C-H", "name": "Humain commander", "kind": "commandant", "factions": ["Humain"]},
        {"ref": "C-HO", "name": "Commander of two", "kind": "commandant", "factions": ["Humain", "Orc"]},
        {"ref": "J-H", "name": "Humain token", "kind": "jeton", "factions": ["Humain"], "atk": 1, "val": 1, "def": 1},
        {"ref": "K-1", "name": "Keyworded", "kind": "combattant", "atk": 1, "val": 1, "def": 1,
         "abilities": [{"on": "played", "do": [{"op": "manual"}]}]},
        {"ref": "C-UNREAD", "name": "Unread commander", "kind": "commandant", "text": "?"},
        {"ref": "U-1", "name": "Unread fighter", "kind": "combattant", "atk": 1, "val": 1, "def": 1, "text": "?"},
        {"ref": "M-UNREAD", "name": "Unread magic", "kind": "magie", "val": 2, "text": "?"},
        {"ref": "X-1", "name": "Explicit cost", "kind": "combattant", "atk": 1, "val": 1, "def": 1, "cost": 3},
    ]  # fmt: skip
    cards += [_acting(*row) for row in ACTING]
    return load_catalog({"id": "test-safir", "game": "star-safir", "cards": cards})


def deck(*refs: str) -> dict[str, Any]:
    """Return a deck of 30 cards: two copies of each given ref, then of filler fighters."""
    filler = [f"F-9-9-{n}" for n in FIGURES] + [f"F-8-9-{n}" for n in FIGURES]
    return {"commander": None, "main": dict.fromkeys([*refs, *filler][:15], 2)}


def header(**changes: Any) -> dict[str, Any]:
    """Return the header of a log between A and B, without moves; `changes` replaces keys."""
    document: dict[str, Any] = {
        "format": 1,
        "game": "star-safir",
        "ruleset": "safir-v2@1",
        "catalog": {"id": "test-safir"},
        "seats": {seat: {"player": f"p-{seat}", "deck": deck("F-1-1-1", "F-2-1-3", "M-1")} for seat in "AB"},
        "moves": [],
    }
    document.update(changes)
    return document


def told(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a log of these entries, which are numbered from 1; `changes` replaces keys of the header.

    >>> told(first("A"), keep("A"))["moves"][1]["n"]
    2
    """
    return header(moves=[{"n": index + 1, **entry} for index, entry in enumerate(entries)], **changes)


HIDDEN = ["?"] * 5


def first(seat: str = "A") -> dict[str, Any]:
    """Return the entry in which the table draws the first player."""
    return {"by": "table", "do": "first_player", "chance": [{"first_player": seat}]}


def keep(seat: str, draw: list[str] | None = None) -> dict[str, Any]:
    """Return the entry in which a seat keeps its opening hand, by default five unknown cards."""
    return {"by": seat, "do": "keep", "chance": [{"draw": draw or HIDDEN}]}


def begin(seat: str, *draw: str) -> dict[str, Any]:
    """Return the entry in which a seat begins its turn and draws these cards (without any, no draw is recorded)."""
    entry: dict[str, Any] = {"by": seat, "do": "begin_turn"}
    return {**entry, "chance": [{"draw": list(draw)}]} if draw else entry


def play(seat: str, card: str, territory: int = 1, slot: int = 1) -> dict[str, Any]:
    """Return the entry in which a seat plays a card."""
    return {"by": seat, "do": "play", "args": {"card": card, "territory": territory, "slot": slot}}


def end(seat: str) -> dict[str, Any]:
    """Return the entry in which a seat ends its turn."""
    return {"by": seat, "do": "end_turn"}


OPENING = (first("A"), keep("A"), keep("B"), begin("A"))
