"""JSON bodies, strict and bounded: no duplicate keys, no NaN, no lone surrogates, no depth, no size without end."""

import json
import math
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from tournaments.common.refusals import InvalidInput

MAX_BYTES = 512 * 1024  # a decklist of 64 KiB with every character escaped, and room to spare
MAX_DEPTH = 16
MAX_DIGITS = 18
MAX_DOCUMENT = 8 * 1024 * 1024  # a move log


class TooLarge(InvalidInput):
    """More bytes than this route takes (HTTP 413)."""

    status = 413


class StrictJSONParser(BaseParser):
    """The parser of every route but the logs'. Whatever is not plain JSON is a 400 `malformed`."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        """The value of the body."""
        return read_json(_bounded(stream, MAX_BYTES))


class DocumentParser(BaseParser):
    """The body as the bytes that came, for move logs: what is kept is exactly what was sent."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> bytes:
        """The body itself."""
        return _bounded(stream, MAX_DOCUMENT)


class BytesParser(DocumentParser):
    """The body as the bytes that came, for event files."""

    media_type = "*/*"


def read_json(source: bytes) -> Any:
    """The value of a JSON text; ParseError when it is not strict JSON within the bounds.

    >>> read_json(b'{"games": [2, 1, 0]}')
    {'games': [2, 1, 0]}
    """
    try:
        value = json.loads(
            source.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_integer,
        )
        _check_depth(value)
        return value
    except UnicodeDecodeError:
        raise ParseError(_("The body is not UTF-8."))
    except (ValueError, RecursionError) as error:
        raise ParseError(_("The body is not strict JSON: %(why)s") % {"why": error})


def _bounded(stream: IO[bytes], most: int) -> bytes:
    body = stream.read(most + 1)
    if len(body) > most:
        raise TooLarge("too_large", _("The request is larger than %(bytes)d bytes.") % {"bytes": most})
    return body


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {_checked(key)[:40]!r} is written twice")
        found[_checked(key)] = value
    return found


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"an integer has more than {MAX_DIGITS} digits")
    return int(digits)


def _checked(text: str) -> str:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("half of a surrogate pair in a string")
    if "\x00" in text:
        raise ValueError("a NUL in a string")  # PostgreSQL keeps none
    return text


def _check_depth(root: Any) -> None:
    """Walk the value without recursion: its depth, and the strings that the hooks do not see."""
    waiting: list[tuple[Any, int]] = [(root, 1)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str):
            _checked(value)
        elif isinstance(value, Mapping | list):
            if depth > MAX_DEPTH:
                raise ValueError(f"more than {MAX_DEPTH} levels of nesting")
            inner = value.values() if isinstance(value, Mapping) else value
            waiting.extend((item, depth + 1) for item in inner)
