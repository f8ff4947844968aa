"""Import of the prints of Wakfu's 2011 cards, a CSV file of names and types, as a catalogue for deck checks.

A line has `set`, `nom`, `type`, `sous_types` (separated by +) and, for some cards, `force`. The cards of 2011 have no
Drop, and most lines no Force: both are 0 where they are not known, so games cannot be replayed with this catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.cards.card import UNKNOWN_TEXT
from engine.core.cards.card_file import Community, number, ref_of
from engine.core.text.errors import Malformed
from engine.games.wakfu.vocabulary import ALLY, KINDS_2011

UNIQUE = "Unique"


def _card(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the catalogue entry of a card. Raises Malformed with the column at fault as its path."""
    name, kind = str(entry.get("nom") or ""), str(entry.get("type") or "").casefold()
    if not name:
        raise Malformed("missing_key", "the card has no name", path="nom")
    if kind not in KINDS_2011:
        raise Malformed("unknown_kind", f"type must be one of: {', '.join(KINDS_2011)}", path="type")
    card: dict[str, Any] = {"ref": ref_of(f"W11 {name}"), "name": name, "kind": kind, "text": UNKNOWN_TEXT}
    if kind == ALLY:
        card |= {"patt": number("force", str(entry.get("force") or "0")), "drop": 0}
    if UNIQUE in str(entry.get("sous_types") or "").split("+"):
        card["limit"] = "unique"
    return card


COMMUNITY = Community(
    keys=frozenset(("set", "nom", "type", "sous_types", "force")),
    card=_card,
    lacks=("texts", "costs", "figures"),
)
