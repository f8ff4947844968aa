"""How the commands read their files and print: text or JSON, bounded, never a traceback for what was read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from engine.core.cards import MAX_BYTES, Catalog, load_catalog
from engine.core.errors import EngineError, Malformed
from engine.core.phrases import error_message, speaker
from engine.core.report import describe, error_line


def read_file(name: str, limit: int) -> bytes:
    """The content of a file, or of standard input for `-`, of at most `limit` bytes.

    Raises Malformed, codes `cannot_read` and `too_large`.
    """
    try:
        if name == "-":
            content = _standard_input().read(limit + 1)
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
    """The catalogues of these files. An error names the file it was met in."""
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
    """Put the name of the file in front of the place of every error met in it."""
    try:
        yield
    except EngineError as error:
        if error.path != name:
            error.path = f"{name}: {error.path}" if error.path else name
        raise


def say(text: str = "", *, error: bool = False) -> None:
    """Print a line, with escapes for the signs the terminal cannot show; nothing where the shell closed the stream."""
    stream = sys.stderr if error else sys.stdout
    if stream is not None:
        encoding = stream.encoding or "utf-8"
        print(text.encode(encoding, errors="backslashreplace").decode(encoding), file=stream)


def say_json(value: Any) -> None:
    """Print a value as indented JSON, in ASCII alone where the terminal cannot show the rest."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode((sys.stdout and sys.stdout.encoding) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    say(text)


def finish() -> None:
    """Write out what is still buffered. Raises OSError where nobody takes it any more."""
    if sys.stdout is not None:
        sys.stdout.flush()


def give_up() -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not complain of it on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(error: EngineError, *, as_json: bool, faults: list[dict[str, Any]] | None = None, lang: str = "en") -> int:
    """Say why something cannot be read, and return the exit code for it, 2."""
    message = error_message(error.code, error.message, lang)
    if as_json:
        problem = {"code": error.code, "message": message, "path": error.path, "detail": error.message}
        say_json({"error": problem, "faults": faults or []})
    else:
        say(error_line(describe(error), lang), error=True)
        for fault in faults or []:
            hint = f" — {' / '.join(fault['suggestions'])} ?" if fault["suggestions"] else ""
            said = speaker(lang)("report.line", n=fault["line"], message=fault["message"])
            say(f"  {said}{hint}", error=True)
    return 2
