"""Parsers of request bodies: strict JSON, and raw bytes for documents.

Strict JSON has no duplicate keys, no NaN, no lone surrogates and no NUL; its nesting, its integers and its size are
bounded.
"""

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
MAX_DIGITS = 18  # such integers fit in 64 bits, signed
MAX_DOCUMENT = 8 * 1024 * 1024  # a move log, an event file, a list of cards, a photo


class TooLarge(InvalidInput):
    """The body is larger than this route accepts (HTTP 413)."""

    status = 413


class StrictJSONParser(BaseParser):
    """The default parser of the API. Anything that is not strict JSON gets a 400 `malformed`."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return the value of the body."""
        return read_json(_bounded(stream, MAX_BYTES))


class DocumentParser(BaseParser):
    """Takes the body as raw bytes, for move logs: they are stored exactly as they were sent."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return the body itself, as bytes."""
        return _bounded(stream, MAX_DOCUMENT)


class BytesParser(DocumentParser):
    """Takes the body as raw bytes of any media type, for event files, lists of cards and photos."""

    media_type = "*/*"


def read_json(source: bytes) -> Any:
    """Return the value of a JSON text in UTF-8.

    Raises ParseError if it is not strict JSON within the bounds.

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
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise _refused(_("line %(line)d, column %(column)d cannot be read") % place)
    except ValueError as error:
        raise _refused(error)
    except RecursionError:  # json.loads recurses: it may give up before the depth is checked
        raise _refused(_too_deep())


def _refused(why: object) -> ParseError:
    return ParseError(_("The body is not strict JSON: %(why)s") % {"why": why})


def _too_deep() -> str:
    return _("more than %(levels)d levels of nesting") % {"levels": MAX_DEPTH}


def _bounded(stream: IO[bytes], most: int) -> bytes:
    body = stream.read(most + 1)  # one byte more tells a body at the limit from a longer one
    if len(body) > most:
        raise TooLarge("too_large", _("The request is too large (the limit is %(bytes)d bytes).") % {"bytes": most})
    return body


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(_("the key “%(key)s” is written twice") % {"key": _checked(key)[:40]})
        found[_checked(key)] = value
    return found


def _constant(name: str) -> None:
    raise ValueError(_("%(value)s is not a number") % {"value": name})


def _float(digits: str) -> float:
    value = float(digits)  # infinite for 1e999
    if not math.isfinite(value):
        raise ValueError(_("a number is too large"))
    return value


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(_("an integer has more than %(digits)d digits") % {"digits": MAX_DIGITS})
    return int(digits)


def _checked(text: str) -> str:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(_("half of a character is missing"))
    if "\x00" in text:
        raise ValueError(_("a text contains the character NUL"))  # PostgreSQL cannot store it
    return text


def _check_depth(root: Any) -> None:
    """Check the depth of a value, and those of its strings that the hooks of `json.loads` do not see."""
    waiting: list[tuple[Any, int]] = [(root, 1)]  # a stack: recursion would fail on the very depth it checks
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str):
            _checked(value)
        elif isinstance(value, Mapping | list):
            if depth > MAX_DEPTH:
                raise ValueError(_too_deep())
            inner = value.values() if isinstance(value, Mapping) else value
            waiting.extend((item, depth + 1) for item in inner)
