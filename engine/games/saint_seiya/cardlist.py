"""Import of the community's list of Saint Seiya cards as a catalogue.

The list has numbers and classes but no texts, so every card whose effect is marked in it is left to rulings. It does
not say how many copies of a card the box has.

An entry has `id`, `nom`, `classe` (a list), `set`, and where the card has them `rang`, `cout_force`, `cout_cosmos`,
`force`, `cosmos`, `soin`, `pv`. Only the heroes and bronze armours of the base set make up starting packets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.card import UNKNOWN_TEXT
from engine.core.cardfiles import Community
from engine.core.errors import Malformed
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
)

BASE = "base"  # the set whose heroes and bronze armours make up the starting packets
FIGURES: Mapping[str, str] = {
    "cout_force": "cost_force", "cout_cosmos": "cost_cosmos", "force": "force", "cosmos": "cosmos", "soin": "soin",
    "pv": "pv",
}  # fmt: skip
_LAST_WORD = re.compile(r"(?:de |du |d['’])(?P<constellation>[^ ]+)$")


def _card(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the catalogue entry of a card. Raises Malformed with the key at fault as its path."""
    if type(entry.get("id")) is not int:
        raise Malformed("missing_key", "the key id is missing or no integer", path="id")
    if not isinstance(entry.get("nom"), str):
        raise Malformed("missing_key", "the key nom is missing or no string", path="nom")
    classes = entry.get("classe")
    if not isinstance(classes, list) or not all(isinstance(name, str) for name in classes):
        raise Malformed("wrong_type", "classe is a list of strings", path="classe")
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


def _finished(cards: list[dict[str, Any]], day: str) -> list[dict[str, Any]]:
    """Say of each card of a packet whose it is: a hero's own name, or that of the hero of the same constellation."""
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
