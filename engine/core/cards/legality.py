"""Card legality by date: the suspensions and bans of a catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.cards.card import Card
from engine.core.text.errors import Malformed

MAX_ENTRIES = 2_000
MAX_TEXT = 120  # characters of a name or a word
KEYS = ("name", "faction", "where", "from", "until", "status")
STATUSES = ("suspended", "banned")

_DAY = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")


@dataclass(frozen=True, slots=True)
class Suspension:
    """A suspension or ban of the cards with a given name, from the day `start` to the day before `end` ("": no end).

    Days are written as 2026-03-14. `faction` and `where` (words of the card and their values) limit it to some of the
    cards with that name.
    """

    name: str
    start: str
    end: str = ""
    faction: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    status: str = "suspended"

    def concerns(self, card: Card) -> bool:
        """Whether this applies to the card."""
        narrowed = all(card.words.get(word) == value for word, value in self.where.items())
        return self.name in card.every_name and narrowed and (not self.faction or self.faction in card.factions)

    def holds(self, day: str | None) -> bool:
        """Whether it is in force on that day; without a day, whether it has no end."""
        if day is None:
            return not self.end
        # Days in ISO form sort as text.
        return self.start <= day and (not self.end or day < self.end)


def read_legality(raw: Any) -> tuple[Suspension, ...]:
    """Read the entries of a catalogue's `legality`.

    Raises Malformed with `path` ("legality[3].from"): `wrong_type`, `unknown_key`, `missing_key`, `bad_value`,
    `too_long`.
    """
    if not isinstance(raw, list):
        raise Malformed("wrong_type", "legality must be a list", path="legality")
    if len(raw) > MAX_ENTRIES:
        raise Malformed("too_long", f"more than {MAX_ENTRIES} entries", path="legality")
    return tuple(_entry(item, f"legality[{index}]") for index, item in enumerate(raw))


def _entry(raw: Any, path: str) -> Suspension:
    if not isinstance(raw, dict):
        raise Malformed("wrong_type", "an entry must be an object", path=path)
    for key in raw:
        if key not in KEYS:
            raise Malformed("unknown_key", f"unknown key {key[:40]!r}", path=path)
    for key in ("name", "from"):
        if key not in raw:
            raise Malformed("missing_key", f"the key {key!r} is missing", path=path)
    where = raw.get("where", {})
    if not isinstance(where, dict):
        raise Malformed("wrong_type", "where must be an object", path=f"{path}.where")
    status = raw.get("status", STATUSES[0])
    if status not in STATUSES:
        raise Malformed("bad_value", f"status must be one of: {', '.join(STATUSES)}", path=f"{path}.status")
    return Suspension(
        name=_text(raw["name"], f"{path}.name"),
        start=_day(raw["from"], f"{path}.from"),
        end=_day(raw["until"], f"{path}.until") if "until" in raw else "",
        faction=_text(raw["faction"], f"{path}.faction") if "faction" in raw else "",
        where={word: _text(value, f"{path}.where.{word[:40]}") for word, value in where.items()},
        status=status,
    )


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT:
        raise Malformed("bad_value", f"1 to {MAX_TEXT} characters", path=path)
    return value


def _day(value: Any, path: str) -> str:
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise Malformed("bad_value", "a day is written as 2026-03-14", path=path)
    return value
