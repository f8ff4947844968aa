"""Values of a JSON document with the place they came from, so that every refusal says where."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.moments import OUT_OF_RANGE, is_accepted
from tournaments.common.refusals import InvalidInput
from tournaments.transfers.formats.bounds import MAX_DEPTH, MAX_KEY, MAX_MARKS, MAX_NAME, clean, unreadable

_SHORT_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
NOON = 12


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a document. `path` says where it is, such as `rounds[2].tables[0]`; `raw` is None if it is missing."""

    raw: Any
    path: str = ""

    def __bool__(self) -> bool:
        return bool(self.raw)

    def at(self, key: str) -> Value:
        """The value of a key, missing for a missing key. Raises `transfer_unreadable` if this is no object."""
        return Value(self.object().get(key), f"{self.path}.{key}" if self.path else key)

    def part(self, key: str) -> Value:
        """The value of a key; missing as well if this is no object."""
        return self.at(key) if isinstance(self.raw, dict) else Value(None, self.path)

    def first(self, *keys: str) -> Value:
        """The value of the first of these keys that is there and not null."""
        found = (self.at(key) for key in keys)
        return next((value for value in found if value.raw is not None), self.at(keys[0]))

    def object(self) -> Mapping[str, Any]:
        """The keys and values of an object; none if it is missing."""
        if self.raw is None:
            return {}
        if not isinstance(self.raw, dict):
            raise unreadable(_("An object with keys is expected here."), self.path)
        return self.raw

    def each(self) -> Iterator[Value]:
        """The values of a list; none if it is missing, or an empty object instead."""
        if self.raw in (None, {}):
            return
        if not isinstance(self.raw, list):
            raise unreadable(_("A list is expected here."), self.path)
        for number, value in enumerate(self.raw):
            yield Value(value, f"{self.path}[{number}]")

    def keys(self) -> frozenset[str]:
        """The keys of an object; none of anything else."""
        return frozenset(self.raw) if isinstance(self.raw, dict) else frozenset()

    def holds(self, *keys: str) -> bool:
        """Whether this is an object with all of these keys."""
        return self.keys() >= {*keys}

    def items_hold(self, *keys: str) -> bool:
        """Whether this is a list whose first item is an object with all of these keys."""
        return isinstance(self.raw, list) and bool(self.raw) and Value(self.raw[0]).holds(*keys)

    def text(self, most: int = MAX_NAME) -> str:
        """A text on one line, or a number as text; "" if it is missing."""
        if self.raw is None:
            return ""
        if isinstance(self.raw, str):
            return clean(self.raw, most)
        if isinstance(self.raw, int | float) and not isinstance(self.raw, bool):
            return str(self.raw)[:most]
        raise unreadable(_("A text is expected here."), self.path)

    def key(self) -> str:
        """What a player is referred to by: a text or a whole number; "" if it is missing."""
        found = self.text(MAX_KEY + 1)
        if len(found) > MAX_KEY:
            raise unreadable(_("This is too long to refer to a player."), self.path)
        return found

    def whole(self) -> int | None:
        """A whole number, which may be written as text or with `.0`; None if it is missing."""
        if self.raw is None or self.raw == "":
            return None
        if not isinstance(self.raw, bool):
            if isinstance(self.raw, int) and abs(self.raw) < 10**12:
                return self.raw
            if isinstance(self.raw, float) and self.raw.is_integer() and abs(self.raw) < 10**12:
                return int(self.raw)
            if isinstance(self.raw, str) and re.fullmatch(r"\s*-?[0-9]{1,9}\s*", self.raw):
                return int(self.raw)
        raise unreadable(_("A whole number is expected here."), self.path)

    def flag(self) -> bool | None:
        """True or false; None if it is missing."""
        if self.raw is None or isinstance(self.raw, bool):
            return self.raw
        raise unreadable(_("True or false is expected here."), self.path)

    def moment(self) -> datetime | None:
        """A date with or without a time (see `moment_of`), or seconds since 1970; None if there is none.

        Raises `transfer_unreadable` for a date outside the accepted years.
        """
        numeric = isinstance(self.raw, int | float) and not isinstance(self.raw, bool)
        found = _since_1970(self.raw) if numeric else moment_of(self.text())
        if found is None or found.year == 1:  # in .NET the first day of the year 1 stands for no date
            return None
        if not is_accepted(found):
            raise unreadable(str(OUT_OF_RANGE), self.path)
        return found


def _since_1970(number: float) -> datetime | None:
    try:
        # Read as seconds, so large a number would be after the year 5000: it is in milliseconds.
        return datetime.fromtimestamp(number / 1000 if number > 10**11 else number, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def moment_of(text: str) -> datetime | None:
    """A date as a moment: with a time and no time zone, that time in UTC; without a time, noon in UTC.

    At noon in UTC it is the same day nearly everywhere. None for what is no date.

    >>> moment_of("2026-11-26").isoformat(), moment_of("2026-11-26T19:30:00+01:00").isoformat()
    ('2026-11-26T12:00:00+00:00', '2026-11-26T18:30:00+00:00')
    """
    text = text.strip()
    try:
        if short := _SHORT_DATE.fullmatch(text):
            year, month, day = map(int, short.groups())
            return datetime(year, month, day, NOON, tzinfo=UTC)
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def parsed(text: str) -> Value:
    """Parse a JSON document. Raises `transfer_unreadable` for what is no JSON, too deep or too large."""
    # Counted before parsing: the parser would already have allocated all the values.
    if sum(map(text.count, (",", "[", "{"))) > MAX_MARKS:
        raise unreadable(_("The file holds too many values."))
    try:
        raw = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise unreadable(_("This is not valid JSON."), _("Line %(line)d") % {"line": error.lineno}) from None
    except ValueError:
        raise unreadable(_("This is not valid JSON.")) from None
    _check_depth(raw)
    return Value(raw)


def _no_number(name: str) -> None:
    raise ValueError(name)


def _too_deep() -> InvalidInput:
    return unreadable(_("The values of the file are nested too deeply."))


def _check_depth(root: Any) -> None:
    level: list[Any] = [root]
    for _depth in range(MAX_DEPTH):
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            return
    raise _too_deep()


def _inside(value: Any) -> Iterable[Any]:
    inner: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (item for item in inner if isinstance(item, dict | list))
