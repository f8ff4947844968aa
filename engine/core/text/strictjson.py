"""A bounded, strict JSON reader. Every refusal has a code and says where in the document the fault is.

A document that is clearly sound is read at once by msgspec, which keeps only the last of two equal keys and has no
limits. Anything that may have to be refused is read again by the standard library's decoder, whose hooks see each
object and number.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.core.text.errors import Malformed

MAX_DIGITS = 18  # digits of an integer that always fit a signed 64-bit number
KEY_SHOWN = 40  # characters of a key repeated in a path

# A string or one bracket. The string may be cut short and the quantifiers are possessive, so no text can make the scan
# backtrack.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)

# Translation tables for the quick look at a whole document: brackets as "(" and ")", quotes, and runs of digits.
_MARKS = bytes.maketrans(b"[{]}", b"(())")
_NOT_MARKS = bytes(byte for byte in range(256) if byte not in b'[]{}"')
_DIGITS = bytes(48 if byte in b"0123456789" else 32 for byte in range(256))
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_BLANKS = b" \t\r\n"


def _no_float(digits: str) -> float:
    raise ValueError(digits)


_DECODE = msgspec.json.Decoder(float_hook=_no_float).decode
_ENCODE = msgspec.json.encode


@dataclass(frozen=True, slots=True)
class _Refused:
    """Stands in the parsed tree for a value that the decoder let through and the walk must refuse."""

    code: str
    message: str


class _Doubled(dict[str, Any]):
    """An object in which `key` occurs twice."""

    __slots__ = ("key",)

    def __init__(self, pairs: list[tuple[str, Any]], key: str) -> None:
        super().__init__(pairs)
        self.key = key


def read(source: str | bytes, *, max_bytes: int = 8 * 1024 * 1024, max_depth: int = 32, max_string: int = 4096) -> Any:
    """Read a JSON document and return its value: dicts, lists, strings, integers, booleans, None.

    Limits: `max_bytes` of UTF-8, `max_depth` nested brackets, `max_string` characters in any string or key, 18 digits
    in an integer. A byte order mark at the start is ignored.

    Raises Malformed with `path` ("moves[4].args.slot", or "line 3 column 7") and one of the codes `too_large`,
    `too_deep`, `string_too_long`, `duplicate_key`, `not_a_number`, `float`, `lone_surrogate`, `not_json`, `not_utf8`.

    >>> read('{"moves": [1, true, null]}')
    {'moves': [1, True, None]}
    """
    data = _encoded(source, max_bytes)
    # Escaped backslashes go first, so that in `plain` every quote begins or ends a string. Lengths stay the same.
    plain = data.replace(b"\\\\", b"__").replace(b'\\"', b"__") if b"\\" in data else data
    shallow = _is_shallow(plain, max_depth)
    large = b"0" * (MAX_DIGITS + 1) in data.translate(_DIGITS)
    suspect = _may_hold_more(data, plain, max_string)
    if shallow and not large and not suspect and plain is data:
        try:
            return _at_once(data)
        except (msgspec.DecodeError, ValueError):
            pass  # the slower reader below finds out what is wrong, and where
    text = data.decode("utf-8")
    if not shallow:
        _check_depth(text, max_depth)
    hooks = _Hooks()
    try:
        value = json.loads(
            text,
            object_pairs_hook=hooks.object,
            parse_int=hooks.integer if large else int,
            parse_float=hooks.float,
            parse_constant=hooks.constant,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise Malformed("not_json", f"not JSON: {error.msg}", path=where) from None
    if hooks.suspect or suspect:
        _check_values(value, max_string)
    return value


def canonical(value: Any) -> bytes:
    """Return `value` in canonical JSON: keys sorted, no spaces, UTF-8. Digests are taken over this form."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _at_once(data: bytes) -> Any:
    """Return the value of a document without a backslash. Raises ValueError or DecodeError if it needs a closer look.

    Duplicate keys are found by counting. As no quote is escaped, a quote before a colon either ends a key or begins a
    string that starts with a colon. Writing the value again gives the same number of them, unless a duplicate key lost
    a member.
    """
    value = _DECODE(data)
    if _colons(data) != _colons(_ENCODE(value)):
        raise ValueError("a key is written twice")
    return value


def _colons(data: bytes) -> int:
    return data.translate(None, _BLANKS).count(b'":')


def _encoded(source: str | bytes, max_bytes: int) -> bytes:
    """Return `source` as UTF-8 without its byte order mark, after checking its size and encoding."""
    if len(source) > max_bytes:
        raise Malformed("too_large", f"the document is larger than {max_bytes} bytes")
    if isinstance(source, bytes):
        try:
            source.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Malformed("not_utf8", "the document is not UTF-8", path=f"byte {error.start}") from None
        return source.removeprefix(codecs.BOM_UTF8)
    try:
        data = source.encode("utf-8")
    except UnicodeEncodeError as error:
        path = f"character {error.start}"
        raise Malformed("lone_surrogate", "half of a surrogate pair in the document", path=path) from None
    if len(data) > max_bytes:
        raise Malformed("too_large", f"the document is larger than {max_bytes} bytes")
    return data.removeprefix(codecs.BOM_UTF8)


def _is_shallow(plain: bytes, max_depth: int) -> bool:
    """Return whether a quick look shows that the document is not nested too deeply. `plain` has no escaped quote.

    Only the brackets are kept, and innermost pairs are removed, one level at a time: after `max_depth` rounds nothing
    may be left. If a quote (from a bracket in a string) or an unmatched bracket is left, the document needs a closer
    look.
    """
    marks = plain.translate(_MARKS, _NOT_MARKS).replace(b'""', b"")
    # Each round is one `replace` in C, where a scan in Python would look at every character of an 8 MiB document.
    for _ in range(max_depth):
        inner = len(marks)
        marks = marks.replace(b"()", b"")
        if len(marks) in (0, inner):
            break
    return not marks


def _may_hold_more(data: bytes, plain: bytes, max_string: int) -> bool:
    """Return whether values must be checked one by one: there may be an overlong string or half of a surrogate pair.

    A string longer than `max_string` covers at least one whole block of half that size, so that block has no quote.
    """
    block = max(1, max_string // 2)
    gap = any(plain.find(b'"', start, start + block) < 0 for start in range(0, len(plain) - block + 1, block))
    if gap and re.search(rb'"[^"]{%d}' % (max_string + 1), plain):
        return True
    return b"\\u" in data and _SURROGATE.search(data) is not None


class _Hooks:
    """The decoder's hooks for objects and for numbers that may have to be refused; `suspect` is set once one is met."""

    def __init__(self) -> None:
        self.suspect = False

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        self.suspect = True
        return _doubled(pairs)

    def float(self, digits: str) -> _Refused:
        self.suspect = True
        return _Refused("float", "numbers are integers here")

    def constant(self, name: str) -> _Refused:
        self.suspect = True
        return _Refused("not_a_number", f"{name} is not a number")

    def integer(self, digits: str) -> int | _Refused:
        if len(digits.lstrip("-")) <= MAX_DIGITS:
            return int(digits)
        self.suspect = True
        return _Refused("too_large", f"an integer has more than {MAX_DIGITS} digits")


def _check_depth(text: str, max_depth: int) -> None:
    """Refuse a document that is nested too deeply, before a recursive decoder sees it."""
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = text[token.start()]
        if mark in "[{":
            depth += 1
            if depth > max_depth:
                path = f"character {token.start()}"
                raise Malformed("too_deep", f"more than {max_depth} levels of nesting", path=path)
        elif mark in "]}":
            depth -= 1


def _doubled(pairs: list[tuple[str, Any]]) -> _Doubled:
    """Return the object together with the first key that it has twice."""
    seen: dict[str, None] = {}
    for key, _ in pairs:
        if key in seen:
            break
        seen[key] = None
    return _Doubled(pairs, key)


def _check_values(root: Any, max_string: int) -> None:
    """Walk the tree without recursion and refuse the first value that may not be in it."""
    waiting: list[tuple[Any, str]] = [(root, "")]
    while waiting:
        value, path = waiting.pop()
        if isinstance(value, str):
            _check_string(value, max_string, path)
        elif isinstance(value, _Refused):
            raise Malformed(value.code, value.message, path=path)
        elif isinstance(value, dict):
            waiting.extend(_entries(value, max_string, path))
        elif isinstance(value, list):
            waiting.extend((item, f"{path}[{index}]") for index, item in enumerate(value) if type(item) is not int)


def _entries(value: dict[str, Any], max_string: int, path: str) -> Iterator[tuple[Any, str]]:
    """Yield the values of an object with their paths, checking its keys."""
    if isinstance(value, _Doubled):
        shown = value.key[:KEY_SHOWN]
        raise Malformed(
            "duplicate_key", f"the key {shown!r} is written twice", path=f"{path}.{shown}" if path else shown
        )
    for key, item in value.items():
        _check_string(key, max_string, path)
        if type(item) is not int:
            yield item, f"{path}.{key[:KEY_SHOWN]}" if path else key[:KEY_SHOWN]


def _check_string(text: str, max_string: int, path: str) -> None:
    if len(text) > max_string:
        raise Malformed("string_too_long", f"a string is longer than {max_string} characters", path=path)
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed("lone_surrogate", "half of a surrogate pair in a string", path=path) from None
