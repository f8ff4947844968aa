"""Input and output of the commands.

Files are read up to a size limit, results are printed as text or JSON, and bad input never causes a traceback.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from engine.core.cards.catalog import MAX_BYTES, Catalog, load_catalog
from engine.core.report.report import error_sentence
from engine.core.text.errors import EngineError, Malformed
from engine.core.text.phrases import error_message, speaker


class Unwritable(Exception):
    """Standard output cannot be written; its text is the system's reason."""


def read_file(name: str, limit: int) -> bytes:
    """Read a file, or standard input for `-`, of at most `limit` bytes.

    Raises Malformed, codes `cannot_read` and `too_large`.
    """
    try:
        if name == "-":
            content = _standard_input().read(limit + 1)  # one byte more shows that it is too large
        else:
            with Path(name).open("rb") as file:
                content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Malformed("cannot_read", f"{name}: {reason}", path=name) from None
    if len(content) > limit:
        raise Malformed("too_large", f"{name} is larger than {limit} bytes", path=name)
    return content


def read_catalogs(names: list[str]) -> list[Catalog]:
    """Load the catalogues of these files. Errors name the file they occurred in. Raises EngineError."""
    found = []
    for name in names:
        with blaming(name):
            found.append(load_catalog(read_file(name, MAX_BYTES)))
    return found


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # the shell closed it
        raise ValueError("standard input is closed")
    return sys.stdin.buffer


@contextmanager
def blaming(name: str) -> Iterator[None]:
    """Prefix the path of every EngineError raised in the block with the name of the file."""
    try:
        yield
    except EngineError as error:
        if error.path != name:
            error.path = f"{name}: {error.path}" if error.path else name
        raise


def say(text: str = "", *, error: bool = False) -> None:
    """Print a line, escaping characters the terminal cannot show. Does nothing if the shell closed the stream."""
    stream = sys.stderr if error else sys.stdout
    if stream is not None:
        encoding = stream.encoding or "utf-8"
        with _writing():
            print(text.encode(encoding, errors="backslashreplace").decode(encoding), file=stream)


def say_json(value: Any) -> None:
    """Print a value as indented JSON, in ASCII only if the terminal cannot show the other characters."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode((sys.stdout and sys.stdout.encoding) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    say(text)


def finish() -> None:
    """Flush standard output. Raises Unwritable, and BrokenPipeError if nobody reads it any more."""
    if sys.stdout is not None:
        with _writing():
            sys.stdout.flush()


@contextmanager
def _writing() -> Iterator[None]:
    """Tell a failure to write from every other OSError, which is one of reading."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(error.strerror) from None


def give_up() -> None:
    """Redirect standard output to the null device, so that the final flush of the interpreter does not fail too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(error: EngineError, *, as_json: bool, faults: list[dict[str, Any]] | None = None, lang: str = "en") -> int:
    """Print why the input cannot be read, and return its exit code, 2.

    `faults` are the unreadable lines of a list; messages are in `lang`.
    """
    message = error_message(error.code, error.message, lang, error.value)
    if as_json:
        problem = {"code": error.code, "message": message, "path": error.path, "detail": error.message}
        say_json({"error": problem, "faults": faults or []})
    else:
        say(error_sentence(error, lang), error=True)
        say(speaker(lang)("report.code", code=error.code), error=True)
        for fault in faults or []:
            hint = f" — {' / '.join(fault['suggestions'])} ?" if fault["suggestions"] else ""
            sentence = speaker(lang)("report.line", n=fault["line"], message=fault["message"])
            say(f"  {sentence}{hint}", error=True)
    return 2
