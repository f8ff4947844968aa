"""How the community's list of cards states conditional points."""

from __future__ import annotations

from typing import Any


def clause(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a conditional clause of the data as a static ability of the catalogue."""
    if "if_own_name_contains" in raw:
        return {"points": raw["vp"], "when": "any", "named": raw["if_own_name_contains"]}
    if "bonus" in raw:
        return {"points": raw["bonus"]["vp"], "when": "most", "class": raw["bonus"]["count"].partition(":")[2]}
    group = {"group": raw["group"]} if "group" in raw else {}
    if raw["per"] == "destroyed_cards":
        return {"points": raw["vp"], "of": "destroyed", **group}
    word, _, value = raw["per"].partition(":")
    return {"points": raw["vp"], **group, **({"class": value, "distinct": True} if word == "distinct_name" else {})}
