"""The words used in reports, boards, moves and errors, in three languages, read from the `phrases*.toml` files here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from engine.core.text.errors import Malformed
from engine.core.text.rulebook import LANGUAGES

LONGEST = 60  # characters of a value repeated in a sentence
_LIMIT = re.compile(r"\b(?:than|limit is|limite est de|limite è) (?P<n>\d+)(?: (?P<unit>bytes|digits))?")
_VALUE = re.compile(r"'([^'\n]+)'|[“«]\s?([^”»\n]+?)\s?[”»]")
_COUNT = re.compile(r"\b(?P<detail>\d+) [^,:]+, more than \d|: (?P<said>\d+) [^(:]*\(")
_ALLOWED = re.compile(r"\b(?:of|or|are|has): (?P<options>.+)$")
_RANGE = re.compile(r"\b(?P<low>\d+) to (?P<high>\d+)\b")
_EXAMPLE = re.compile(r"\bsuch as (?P<example>\S+)$")
_TYPE = re.compile(r"\b(object|list|string|integer|number|true or false)\b")
FILES = ("phrases.toml", "phrases_board.toml", "phrases_errors.toml")


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    folder = files("engine.core.text")
    return {
        f"{group}.{key}": words
        for name in FILES
        for group, entries in tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8")).items()
        for key, words in entries.items()
    }


def error_message(code: str, detail: str, lang: str, value: str | int | None = None) -> str:
    """Return the sentence for an error in `lang`: that of its code, or of an unreadable log if the code has none.

    `detail` is the note for programmers written where the error was raised, or an earlier sentence about the error.
    Nobody reads it, but it has the figures: the limit that was exceeded and how many there were, the `value` that does
    not belong there (in quotes) unless it is given, the values allowed instead, an example, and the type expected. So a
    report that was stored can be read in another language.

    >>> error_message("unknown_verb", "no verb 'melt'; there are: draw, play", "en")
    'The game has no such action: “melt”. Allowed: draw, play.'
    >>> error_message("too_many_cards", "812 cards of A up to here, more than 500", "en")
    'Too many cards: 812 (the limit is 500).'
    >>> error_message("too_many_moves", "more than 4000 entries", "fr")
    'Trop d’entrées dans le journal\N{NO-BREAK SPACE}: la limite est de 4000.'
    """
    table, say = _table(), speaker(lang)
    counted = _COUNT.search(detail) if f"counted.{code}" in table else None
    count = None if counted is None else counted["detail"] or counted["said"]
    found = table.get(f"error.{code}", table["report.unreadable"]) if count is None else table[f"counted.{code}"]
    words = found[lang].format(limit=_limit(detail, say), count=count)
    quoted = _VALUE.search(detail)
    if value in (None, "") and quoted is not None:
        value = quoted[1] or quoted[2]
    if value not in (None, ""):
        first, stop, rest = words.partition(". ")
        words = say("report.found", message=first.rstrip("."), value=str(value)[:LONGEST]) + (stop + rest or ".")
    return " ".join([words, *_advice(code, detail, words, say)])


def _advice(code: str, detail: str, words: str, say: Callable[..., str]) -> Iterator[str]:
    """Yield what a detail says about the right value, unless `words` say it already."""
    if code == "wrong_type" and (expected := _TYPE.search(detail)):
        yield say(f"expected.{expected[1].replace(' ', '_')}")
    for name, pattern in (("allowed", _ALLOWED), ("range", _RANGE), ("example", _EXAMPLE)):
        found = pattern.search(detail)
        if found is not None and found.groups()[-1] not in words:
            yield say(f"report.{name}", **found.groupdict())


def _limit(detail: str, say: Callable[..., str]) -> str:
    """Return the limit that a detail names, with its unit if it is one of bytes or digits."""
    found = _LIMIT.search(detail)
    if found is None:
        return "…"
    return say(f"unit.{found['unit']}", n=found["n"]) if found["unit"] else found["n"]


def known(key: str) -> bool:
    """Return whether there are words for a key."""
    return key in _table()


def note_key(game: str, note: str) -> str:
    """Return the phrase key of a note: one of the game's own where it has one, else the common one."""
    own = f"memory.{game}.{note}"
    return own if known(own) else f"memory.{note}"


def speaker(lang: str) -> Callable[..., str]:
    """Return a function that turns a key and arguments into a sentence in `lang`.

    A key without words gives its own last part. Raises Malformed `unknown_language`.

    >>> say = speaker("en")
    >>> say("no.such.key")
    'key'
    """
    if lang not in LANGUAGES:
        raise Malformed("unknown_language", f"the language must be one of: {', '.join(LANGUAGES)}")
    table = _table()

    def say(key: str, **args: object) -> str:
        words = table.get(key)
        return key.rpartition(".")[2] if words is None else words[lang].format(**args)

    return say
