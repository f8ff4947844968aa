"""The words of reports, boards, moves and errors in three languages, read from the files `phrases*.toml` here."""

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
    """What an error says in `lang`: its detail, which is English, or what its code means in another language."""
    if lang == "en":
        return detail
    table = _table()
    return table.get(f"error.{code}", table["report.unreadable"])[lang]


def known(key: str) -> bool:
    """Whether somebody wrote the words of a key."""
    return key in _table()


def note_key(game: str, note: str) -> str:
    """The key of what a note of a game says: where a game means something else by its name, its own words."""
    own = f"memory.{game}.{note}"
    return own if known(own) else f"memory.{note}"


def speaker(lang: str) -> Callable[..., str]:
    """A function from a key and arguments to a sentence in `lang`. A key nobody wrote says its own last word.

    Raises Malformed, code `unknown_language`.
    """
    if lang not in LANGUAGES:
        raise Malformed("unknown_language", f"languages are: {', '.join(LANGUAGES)}")
    table = _table()

    def say(key: str, **args: object) -> str:
        words = table.get(key)
        return key.rpartition(".")[2] if words is None else words[lang].format(**args)

    return say
