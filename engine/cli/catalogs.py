"""Commands that convert card lists to catalogues: import-cards, import-altered."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from engine.cli.output import read_file, refuse, say, say_json
from engine.core.cardlists import CardList, RowFault, read_cards, written
from engine.core.cards import MAX_BYTES, coverage
from engine.core.errors import EngineError, Malformed
from engine.core.phrases import error_message
from engine.core.rulebook import LANGUAGES
from engine.games.altered.cardlist import read_altered

HISTORY = "legality_history.json"  # read by default if it is in the same folder as Altered's card list


def add_commands(commands: Any) -> None:
    """Add this module's commands to the subparsers of `python -m engine`."""
    cards = commands.add_parser("import-cards", help="a list of cards, CSV or JSON, as a catalogue (exit 0, 1, 2)")
    cards.add_argument("game")
    _add_options(cards)
    cards.set_defaults(run=run_import_cards)
    altered = commands.add_parser("import-altered", help="Altered's community list of cards as a catalogue")
    _add_options(altered)
    altered.add_argument("--legality", help=f"suspensions by date (default: {HISTORY} beside FILE, if it is there)")
    altered.set_defaults(run=run_import_altered)


def _add_options(command: Any) -> None:
    command.add_argument("file", help="the list; - reads standard input")
    command.add_argument("--out", required=True, help="the catalogue to write")
    command.add_argument("--id", help="the id of the catalogue (default: the name of the file it goes to)")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")


def run_import_cards(options: argparse.Namespace) -> int:
    """Convert a card list to a catalogue; exit 1 with all of its faults and nothing written, 2 if it is unreadable."""
    try:
        found = read_cards(options.game, read_file(options.file, MAX_BYTES), _id(options))
        return _finish(found, options)
    except EngineError as error:
        return refuse(error, as_json=options.json, lang=options.lang)


def run_import_altered(options: argparse.Namespace) -> int:
    """Convert Altered's card list, with the suspensions given by `--legality` or found beside the list."""
    try:
        content = read_file(options.file, MAX_BYTES)
        history = _history(options)
        legality = None if history is None else read_file(history, MAX_BYTES)
        found = read_altered(content, _id(options), legality)
        return _finish(found, options)
    except EngineError as error:
        return refuse(error, as_json=options.json, lang=options.lang)


def _history(options: argparse.Namespace) -> str | None:
    if options.legality is not None or options.file == "-":
        return options.legality  # type: ignore[no-any-return]
    beside = Path(options.file).with_name(HISTORY)
    return str(beside) if beside.is_file() else None


def _id(options: argparse.Namespace) -> str:
    """Return the id from the options, or one derived from the name of the output file."""
    if options.id is not None:
        return str(options.id)
    return re.sub(r"[^0-9a-z]+", "-", Path(options.out).stem.casefold()).strip("-") or "cards"


def _finish(found: CardList, options: argparse.Namespace) -> int:
    """Write the catalogue, or print the faults of the list. Returns the exit code."""
    if found.catalog is None:
        faults = [_fault_json(fault, options.lang) for fault in found.faults]
        if options.json:
            say_json({"catalog": None, "faults": faults})
        for fault in [] if options.json else faults:
            where = ", ".join(
                part for part in (f"line {fault['line']}" if fault["line"] else "", fault["path"]) if part
            )
            say(f"{where}: {fault['code']}: {fault['message']}")
        return 1
    _write(options.out, written(found.document))
    cover = coverage(found.catalog)
    if options.json:
        counts = {"cards": cover.total, "executable": cover.executable, "legality": len(found.catalog.legality)}
        catalog = {"id": found.catalog.id, "game": found.catalog.game, "sha256": found.catalog.sha256, **counts}
        say_json({"catalog": catalog, "faults": []})
    else:
        say(f"{found.catalog.id}: {cover.total} cards, {len(cover.manual)} of them left to rulings")
        if found.catalog.legality:
            say(f"{len(found.catalog.legality)} suspensions and bans by date")
    return 0


def _fault_json(fault: RowFault, lang: str) -> dict[str, Any]:
    error = fault.error
    message = error_message(error.code, error.message, lang)
    return {"line": fault.line, "path": error.path, "code": error.code, "message": message}


def _write(name: str, text: str) -> None:
    """Write a file atomically, through a temporary file that replaces it. Raises Malformed, code `cannot_write`."""
    target = Path(name)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise Malformed("cannot_write", f"{name}: {error.strerror}", path=name) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).chmod(0o644)  # temporary files are created for their owner only
        Path(temporary).replace(target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise Malformed("cannot_write", f"{name}: {error.strerror}", path=name) from None
