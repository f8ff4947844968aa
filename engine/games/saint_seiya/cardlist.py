"""Import of the community's list of Saint Seiya cards as a catalogue.

The list has numbers and classes but no texts. Cards that `effects/base.json` knows get their effects from there; every
other card whose effect is marked in the list is left to rulings. The list does not say how many copies of a card the
box has.

An entry has `id`, `nom`, `classe` (a list), `set`, and where the card has them `rang`, `cout_force`, `cout_cosmos`,
`force`, `cosmos`, `soin`, `pv`. Only the heroes and bronze armours of the base set make up starting packets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.core.cards.card import UNKNOWN_TEXT
from engine.core.cards.card_file import Community, convert
from engine.core.cards.card_list import CardList, Row
from engine.core.cards.catalog import MAX_BYTES, MAX_DEPTH, MAX_STRING
from engine.core.text import strictjson
from engine.core.text.encodings import Encodings, effects, shipped
from engine.core.text.errors import Malformed
from engine.games.saint_seiya.vocabulary import (
    ARMURE,
    BRONZE,
    CLASSES,
    EPOPEE,
    EVOLUE,
    HEROS,
    PACKET,
    PERSONNAGE,
    PILIER,
    RANKS,
    RELIQUE,
    TRIGGERS,
)

GAME, FILE = "saint-seiya", "base.json"
BASE = "base"  # the set whose heroes and bronze armours make up the starting packets
FIGURES: Mapping[str, str] = {
    "cout_force": "cost_force", "cout_cosmos": "cost_cosmos", "force": "force", "cosmos": "cosmos", "soin": "soin",
    "pv": "pv",
}  # fmt: skip
_LAST_WORD = re.compile(r"(?:de |du |d['’])(?P<constellation>[^ ]+)$")


def _card(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the catalogue entry of a card. Raises Malformed with the key at fault as its path."""
    if type(entry.get("id")) is not int:
        raise Malformed("missing_key", "the key 'id' is missing or no integer", path="id")
    if not isinstance(entry.get("nom"), str):
        raise Malformed("missing_key", "the key 'nom' is missing or no string", path="nom")
    classes = entry.get("classe")
    if not isinstance(classes, list) or not all(isinstance(name, str) for name in classes):
        raise Malformed("wrong_type", "classe must be a list of strings", path="classe")
    card: dict[str, Any] = {
        "ref": f"SSD-{entry['id']:04}",
        "name": entry["nom"],
        "kind": _kind(classes, entry.get("set")),
        "factions": [name for name in classes if name in CLASSES],
        "text": UNKNOWN_TEXT if _does_something(entry) else "",
    }
    card |= {ours: entry[theirs] for theirs, ours in FIGURES.items() if entry.get(theirs) is not None}
    if entry.get("rang") in RANKS:
        card["rank"] = entry["rang"]
    if isinstance(entry.get("set"), str):
        card["set"] = entry["set"]
    return card


def _kind(classes: Sequence[str], of_set: Any) -> str:
    if of_set == BASE and classes == ["Héros"]:
        return HEROS
    if of_set == BASE and "Héros" in classes:
        return EVOLUE
    if of_set == BASE and "Armure de Bronze" in classes:
        return BRONZE
    named = {"Pilier": PILIER, "Epopée": EPOPEE, "Relique": RELIQUE}
    for name in classes:
        if name in named:
            return named[name]
    return ARMURE if any(name.startswith("Armure") for name in classes) else PERSONNAGE


def _does_something(entry: Mapping[str, Any]) -> bool:
    """Whether the card has an effect, whose words the list does not have."""
    return bool(entry.get("effets_declencheurs") or entry.get("a_effet_permanent") or entry.get("pv_variable"))


def _finished(cards: list[dict[str, Any]], day: str, encoded: Encodings | None = None) -> list[dict[str, Any]]:
    """Join what cards do, and say of each card of a packet whose it is.

    That is a hero's own name, or that of the hero of the same constellation.
    """
    known = shipped(GAME, FILE) if encoded is None else encoded
    for card in cards:
        if card["ref"] in known:
            card.update(effects(known[card["ref"]], TRIGGERS[0], day))
    heroes = {_constellation(card["name"]): card["name"] for card in cards if card["kind"] == HEROS}
    for card in cards:
        if card["kind"] in PACKET:
            card["hero"] = heroes.get(_constellation(card["name"]), card["name"])
    return cards


def _constellation(name: str) -> str:
    found = _LAST_WORD.search(name)
    return found["constellation"] if found else name


COMMUNITY = Community(
    keys=frozenset(("id", "nom", "classe", "rang", "cout_force", "cout_cosmos")),
    card=_card,
    lacks=("texts", "copies"),
    finish=_finished,
)


def read_saint_seiya(content: bytes, id_: str, encoded: Encodings | None = None) -> CardList:
    """Read the list as a catalogue named `id_`; `encoded` is what cards do, by default what comes with the engine.

    Entries that cannot be read are left out. Raises Malformed as `read_cards` does.
    """
    entries = strictjson.read(content, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)
    if not isinstance(entries, list) or not entries:
        raise Malformed("no_cards", "a list of cards is expected")
    rows = [Row(0, f"cards[{index}]", entry) for index, entry in enumerate(entries)]
    return convert(replace(COMMUNITY, finish=partial(_finished, encoded=encoded)), GAME, rows, id_)
