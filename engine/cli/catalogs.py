"""Commands that convert files of cards to catalogues: import-cards, import-altered."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from engine.cli.output import read_file, refuse, say, say_json
from engine.core.cards.card_file import CardFile, Reason, read_card_file
from engine.core.cards.card_list import RowFault, written
from engine.core.cards.catalog import MAX_BYTES, coverage
from engine.core.text.errors import EngineError, Malformed
from engine.core.text.phrases import error_message
from engine.core.text.rulebook import LANGUAGES

HISTORY = "legality_history.json"  # read by default if it is in the same folder as Altered's card list


def add_commands(commands: Any) -> None:
    """Add this module's commands to the subparsers of `python -m engine`."""
    cards = commands.add_parser("import-cards", help="turn a file of cards into a catalogue (exit 0, 1, 2)")
    cards.add_argument("game")
    _add_options(cards)
    altered = commands.add_parser("import-altered", help="the same as import-cards altered")
    _add_options(altered)
    altered.set_defaults(game="altered")


def _add_options(command: Any) -> None:
    command.add_argument("file", help="the list, or - for standard input")
    command.add_argument("--out", required=True, help="the catalogue to write")
    command.add_argument("--id", help="the id of the catalogue (default: the name of the file it goes to)")
    command.add_argument("--legality", help=f"suspensions by date (Altered only; default: {HISTORY} beside FILE)")
    command.add_argument(
        "--date",
        default="",
        help="use the card texts of this day (Altered only), such as 2025-03-14 (default: the newest)",
    )
    command.set_defaults(run=run_import_cards)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")


def run_import_cards(options: argparse.Namespace) -> int:
    """Convert a file of cards to a catalogue; exit 1 with all of its faults and nothing written, 2 if it is unreadable.

    Suspensions are those given by `--legality` or found beside a list of Altered.
    """
    try:
        content = read_file(options.file, MAX_BYTES)
        history = _history(options)
        legality = None if history is None else read_file(history, MAX_BYTES)
        found = read_card_file(content, _id(options), options.game, legality, _day(options.date))
        return _finish(found, options)
    except EngineError as error:
        return refuse(error, as_json=options.json, lang=options.lang)


def _day(text: str) -> str:
    """Return a date as it is written, or "". Raises Malformed, code `bad_value`."""
    try:
        return text and date.fromisoformat(text).isoformat()
    except ValueError:
        raise Malformed("bad_value", "--date must be a day such as 2025-03-14", path="--date") from None


def _history(options: argparse.Namespace) -> str | None:
    if options.legality is not None or options.file == "-" or options.game != "altered":
        return options.legality  # type: ignore[no-any-return]
    beside = Path(options.file).with_name(HISTORY)
    return str(beside) if beside.is_file() else None


def _id(options: argparse.Namespace) -> str:
    """Return the id from the options, or one derived from the name of the output file."""
    if options.id is not None:
        return str(options.id)
    return re.sub(r"[^0-9a-z]+", "-", Path(options.out).stem.casefold()).strip("-") or "cards"


def _finish(file: CardFile, options: argparse.Namespace) -> int:
    """Write the catalogue and say what was left out, or print the faults of the list. Returns the exit code."""
    found = file.listed
    if found.catalog is None:
        _say_faults([_fault_json(fault, options.lang) for fault in found.faults], options.json)
        return 1
    _write(options.out, written(found.document))
    cover = coverage(found.catalog)
    if options.json:
        counts = {"cards": cover.total, "executable": cover.executable, "legality": len(found.catalog.legality)}
        catalog = {"id": found.catalog.id, "game": found.catalog.game, "sha256": found.catalog.sha256, **counts}
        left_out = [_reason_json(reason, options.lang) for reason in file.reasons]
        say_json({"kind": file.kind, "catalog": catalog, "faults": [], "left_out": left_out, "lacks": [*file.lacks]})
        return 0
    say(f"{found.catalog.id}: {cover.total} cards, {len(cover.manual)} of them left to rulings")
    if found.catalog.legality:
        say(f"{len(found.catalog.legality)} suspensions and bans by date")
    for reason in file.reasons:
        first = _fault_json(reason.first[0], options.lang)
        say(f"left out: {reason.count} × {reason.code}, first {_where(first)}: {first['message']}")
    return 0


def _say_faults(faults: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        say_json({"catalog": None, "faults": faults})
    for fault in [] if as_json else faults:
        say(f"{_where(fault)}: {fault['code']}: {fault['message']}")


def _where(fault: dict[str, Any]) -> str:
    return ", ".join(part for part in (f"line {fault['line']}" if fault["line"] else "", fault["path"]) if part)


def _reason_json(reason: Reason, lang: str) -> dict[str, Any]:
    return {"code": reason.code, "count": reason.count, "first": [_fault_json(fault, lang) for fault in reason.first]}


def _fault_json(fault: RowFault, lang: str) -> dict[str, Any]:
    error = fault.error
    message = error_message(error.code, error.message, lang, error.value)
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
