"""The words used in reports, boards, moves and errors, in three languages, read from the `phrases*.toml` files here."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

from engine.core.errors import Malformed
from engine.core.rulebook import LANGUAGES

FILES = ("phrases.toml", "phrases_board.toml", "phrases_errors.toml")


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    folder = files("engine.core")
    return {
        f"{group}.{key}": words
        for name in FILES
        for group, entries in tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8")).items()
        for key, words in entries.items()
    }


def error_message(code: str, detail: str, lang: str) -> str:
    """Return the message of an error in `lang`.

    In English that is `detail`, written where the error was raised. In the other languages it is the general sentence
    for `code`, or that of an unreadable log if the code has none.
    """
    if lang == "en":
        return detail
    table = _table()
    return table.get(f"error.{code}", table["report.unreadable"])[lang]


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
