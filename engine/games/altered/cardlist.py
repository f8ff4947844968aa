"""Import of the community's list of Altered cards as a catalogue.

The list has facts and names but no texts. Cards that `encodings` knows get their effects from there; every other card
is left to rulings. The list also lacks the three Tumult cards, without which no game can be set up; these are added.

An entry has `reference`, `name_en`, `faction`, `rarity`, `type`, and where the card has them `name_fr`, `main_cost`,
`recall_cost`, `forest`, `mountain`, `ocean`, `reserve_limit`, `landmark_limit`, `set`, `subtypes`. The faction is that
of the entry, never that of the reference: ALT_CORE_B_AX_04_R2 is a card of Muna.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.core.cards.card import UNKNOWN_TEXT
from engine.core.cards.card_file import Community, convert
from engine.core.cards.card_list import CardList, Row
from engine.core.cards.catalog import MAX_BYTES, MAX_DEPTH, MAX_STRING
from engine.core.text import strictjson
from engine.core.text.encodings import Encodings
from engine.core.text.errors import Malformed
from engine.games.altered import encodings
from engine.games.altered.vocabulary import (
    EXPEDITION,
    FACTIONS,
    HEROS,
    JETON,
    JOINS,
    MANA,
    PERMANENT,
    PERSONNAGE,
    SORT,
    TUMULTE,
)

GAME = "altered"
KINDS: Mapping[str, str] = {
    "hero": HEROS, "character": PERSONNAGE, "spell": SORT, "permanent": PERMANENT, "landmark_permanent": PERMANENT,
    "expedition_permanent": PERMANENT, "token": JETON, "foiler": JETON, "mana_token": MANA,
}  # fmt: skip
FIGURES: Mapping[str, str] = {
    "main_cost": "main", "recall_cost": "reserve", "forest": "foret", "mountain": "montagne", "ocean": "eau",
    "reserve_limit": "reserve_limit", "landmark_limit": "landmark_limit",
}  # fmt: skip
# The types of the west and of the east region of each Tumult card, which the list does not have.
TUMULTS: Sequence[tuple[Sequence[str], Sequence[str]]] = (
    (("foret",), ("montagne", "eau")),
    (("montagne",), ("foret", "eau")),
    (("eau",), ("foret", "montagne")),
)
FIRST = ("CORE", "COREKS")  # sets whose printing is taken as the original
NAMES: Mapping[str, str] = {
    "Axiom": "AX", "Bravos": "BR", "Lyra": "LY", "Muna": "MU", "Ordis": "OR", "Yzmir": "YZ",
}  # fmt: skip
_EXTENT = re.compile(r"(?P<name>.+?) \((?P<versions>[^()]+)\)")
_UNIQUES = re.compile(r"all Uniques, (?:all factions|(?P<faction>\w+) only)")


def read_altered(
    content: bytes, id_: str, legality: bytes | None = None, *, effects: Encodings | None = None, day: str = ""
) -> CardList:
    """Read the list as a catalogue named `id_`; `legality` is the history of suspensions by date, if there is one.

    `effects` are the encodings to join, by default those shipped. Cards that errata have changed have the text of `day`
    (as 2025-03-14), by default the newest.

    Entries that cannot be read are left out. Raises Malformed as `read_cards` does, and with code `bad_value` for a
    history of another shape.
    """
    entries = strictjson.read(content, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)
    if not isinstance(entries, list) or not entries:
        raise Malformed("no_cards", "a list of cards is expected")
    rows = [Row(0, f"cards[{index}]", entry) for index, entry in enumerate(entries)]
    community = COMMUNITY if effects is None else replace(COMMUNITY, finish=partial(_finished, effects=effects))
    return convert(community, GAME, rows, id_, legality, day)


def _card(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the catalogue entry of a card. Raises Malformed with the key at fault as its path."""
    for key in ("reference", "name_en", "faction", "rarity", "type"):
        if not isinstance(entry.get(key), str):
            raise Malformed("missing_key", f"the key {key!r} is missing or no string", path=key)
    if entry["type"] not in KINDS:
        raise Malformed("unknown_kind", f"type must be one of: {', '.join(KINDS)}", path="type")
    card: dict[str, Any] = {
        "ref": entry["reference"],
        "name": _name(str(entry.get("name_fr") or entry["name_en"])),
        "names": {"en": _name(entry["name_en"])},
        "kind": KINDS[entry["type"]],
        "factions": [entry["faction"]],
        "rarity": entry["rarity"].lower(),
        # A Mana Convergence has no text; what any other card says is unknown, which makes it `manual`.
        "text": "" if entry["type"] == "mana_token" else UNKNOWN_TEXT,
    }
    card |= {ours: entry[theirs] for theirs, ours in FIGURES.items() if entry.get(theirs) is not None}
    if entry["type"] == "expedition_permanent":
        card[JOINS] = EXPEDITION
    if isinstance(entry.get("set"), str):
        card["set"] = entry["set"]
    if entry.get("subtypes"):
        card["subtypes"] = entry["subtypes"]
    return card


def _finished(cards: list[dict[str, Any]], day: str, effects: Encodings | None = None) -> list[dict[str, Any]]:
    """Mark the reprints, join what the cards do on that day, and add the Tumult cards."""
    printings = _printings(cards)
    _mark_reprints(printings)
    encodings.join(printings, encodings.shipped() if effects is None else effects, day)
    return [*cards, *_tumults()]


def _tumults() -> Iterator[dict[str, Any]]:
    for number, (west, east) in enumerate(TUMULTS, start=1):
        regions = {"ouest": dict.fromkeys(west, 1), "est": dict.fromkeys(east, 1)}
        yield {"ref": f"ALT_TUMULTE_{number}", "name": f"Tumulte {number}", "kind": TUMULTE, **regions}


def _name(name: str) -> str:
    """Return the name with each run of blanks (also no-break spaces) as one plain space."""
    return " ".join(name.split())


def _printings(cards: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Group the printings of each card: those with the same name, kind, rarity and faction."""
    printings: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for card in cards:
        # Two uniques of one name are different cards, so their ref is part of the key.
        serial = card["ref"] if card["rarity"] == "unique" else ""
        key = (card["names"]["en"], card["kind"], card["rarity"], *card["factions"], serial)
        printings.setdefault(key, []).append(card)
    return list(printings.values())


def _mark_reprints(printings: Sequence[Sequence[dict[str, Any]]]) -> None:
    """Mark reprints, which refer to the original printing of their card."""
    for same in printings:
        first = min(same, key=lambda card: FIRST.index(card["set"]) if card.get("set") in FIRST else len(FIRST))
        for card in same:
            if card is not first:
                card["reprint_of"] = first["ref"]


def suspensions(history: bytes) -> Iterator[dict[str, Any]]:
    """Yield the `legality` entries of a catalogue: what each patch added or kept, until a patch no longer names it.

    A patch has `effective`, and names in `suspended_add`, `suspended_stay` and `banned`, such as
    "Baba Yaga (Ordis Rare)", "Ozma (Common & Ordis Rare)" or "Moonlight Jellyfish (all Uniques, all factions)".
    Raises Malformed, code `bad_value`, with `path`.
    """
    document = strictjson.read(history, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)
    patches = document.get("patches") if isinstance(document, dict) else None
    if not isinstance(patches, list):
        raise Malformed("bad_value", "an object with patches is expected", path="legality")
    read = sorted(
        (_patch(patch, f"patches[{index}]") for index, patch in enumerate(patches)), key=lambda found: found[0]
    )
    since: dict[tuple[str, str], str] = {}
    for day, named in read:
        # A patch names everything that stays suspended, so what it leaves out is free from that day on.
        for key in [key for key in since if key not in named]:
            yield from _entries(*key, since.pop(key), day)
        for key in named:
            since.setdefault(key, day)
    for key, day in since.items():
        yield from _entries(*key, day, "")


def _patch(raw: Any, path: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the day a patch takes effect, and what is suspended or banned from then on."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("effective"), str):
        raise Malformed("bad_value", "a patch has the day it is effective", path=path)
    found = []
    for group, status in (("suspended_stay", "suspended"), ("suspended_add", "suspended"), ("banned", "banned")):
        names = raw.get(group, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise Malformed("bad_value", "a list of names is expected", path=f"{path}.{group}")
        found += [(name, status) for name in names]
    return raw["effective"], tuple(found)


def _entries(words: str, status: str, start: str, end: str) -> Iterator[dict[str, Any]]:
    """Yield one entry for each version named by words such as "Ozma (Common & Ordis Rare)"."""
    match = _EXTENT.fullmatch(words)
    if match is None:
        raise Malformed("bad_value", f"no name with its versions: {words[:60]!r}", path="legality")
    entry: dict[str, Any] = {"name": _name(match["name"]), "from": start, "status": status}
    if end:
        entry["until"] = end
    for rarity, faction in _versions(match["versions"]):
        yield {**entry, "where": {"rarity": rarity}, **({"faction": faction} if faction else {})}


def _versions(words: str) -> Iterator[tuple[str, str]]:
    """Yield each rarity with its faction, "" for any faction. Raises Malformed, code `bad_value`."""
    if match := _UNIQUES.fullmatch(words):
        yield "unique", _faction(match["faction"]) if match["faction"] else ""
        return
    for part in re.split(r" & | and |, ", words):
        if part == "Common":
            yield "common", ""
        else:
            yield "rare", _faction(part.removesuffix(" Rare"))


def _faction(name: str) -> str:
    if name not in NAMES:
        raise Malformed("bad_value", f"unknown faction {name[:40]!r}; there are: {', '.join(NAMES)}", path="legality")
    assert NAMES[name] in FACTIONS
    return NAMES[name]


COMMUNITY = Community(
    keys=frozenset(("reference", "name_en", "faction", "rarity", "type")),
    card=_card,
    lacks=("texts", "suspensions"),
    finish=_finished,
    legality=suspensions,
)
