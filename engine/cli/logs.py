"""Commands about recorded games: audit, show, selfplay, merge, ask."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from engine.cli.output import blaming, read_catalogs, read_file, refuse, say, say_json
from engine.core.cards.catalog import merged as as_one
from engine.core.replay import selfplay
from engine.core.replay.merge import Differ, merge
from engine.core.replay.replay import Replay
from engine.core.report.ask import Answer
from engine.core.report.ask import ask as answer
from engine.core.report.audit import audit
from engine.core.report.report import Report, describe, within
from engine.core.shown import views
from engine.core.shown.words import names_of
from engine.core.table import log
from engine.core.text.errors import EngineError, Malformed
from engine.core.text.phrases import speaker
from engine.core.text.rulebook import LANGUAGES


def add_commands(commands: Any) -> None:
    """Add this module's commands to the subparsers of `python -m engine`."""
    _add_audit(commands)
    _add_show(commands)
    _add_selfplay(commands)
    _add_merge(commands)
    _add_ask(commands)


def _reports(parser: argparse.ArgumentParser) -> None:
    """Add the options shared by the commands that judge a log."""
    parser.add_argument(
        "--catalog", action="append", default=[], help="a catalogue to use besides the built-in ones; repeatable"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")


def _add_audit(commands: Any) -> None:
    parser = commands.add_parser(
        "audit", help="check logs and print a report (exit 0 confirmed, 1 another verdict, 2 unreadable)"
    )
    parser.add_argument("logs", nargs="+", metavar="LOG", help="a log, or - for standard input")
    _reports(parser)
    parser.set_defaults(run=run_audit)


def _add_show(commands: Any) -> None:
    parser = commands.add_parser("show", help="print the board after a move")
    parser.add_argument("log", metavar="LOG", help="a log, or - for standard input")
    parser.add_argument("--at", type=int, required=True, metavar="N", help="the number of the move; 0 for the set-up")
    parser.add_argument("--seat", default=views.JUDGE, help="whose view: a seat, or judge (default)")
    _reports(parser)
    parser.set_defaults(run=run_show)


def _add_selfplay(commands: Any) -> None:
    parser = commands.add_parser("selfplay", help="play a complete random legal game and print its log")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--seed", required=True, help="the same seed gives the same game")
    parser.add_argument("--out", help="the file to write (default: standard output)")
    parser.add_argument("--catalog", action="append", default=[], help="the catalogue to play with")
    parser.add_argument("--ruleset", help="the ruleset to play by (default: the newest of the game)")
    parser.set_defaults(run=run_selfplay)


def _add_merge(commands: Any) -> None:
    parser = commands.add_parser("merge", help="merge two half-logs (exit 0 merged, 1 they differ, 2 unreadable)")
    parser.add_argument("one", metavar="A")
    parser.add_argument("two", metavar="B")
    parser.add_argument("--out", help="the file to write (default: standard output)")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    parser.set_defaults(run=run_merge)


def _add_ask(commands: Any) -> None:
    parser = commands.add_parser(
        "ask", help="is this move legal? (exit 0 legal, 1 illegal, 2 unreadable, 3 undetermined)"
    )
    parser.add_argument("position", metavar="POSITION", help="a log or a declared position, or - for standard input")
    parser.add_argument("move", metavar="MOVE", help="an entry of a log: a file, - or the JSON itself")
    _reports(parser)
    parser.set_defaults(run=run_ask)


def run_audit(options: argparse.Namespace) -> int:
    """Print the report on each log. The exit code is the highest of theirs."""
    reports = [_audited(name, options.catalog) for name in options.logs]
    if options.json:
        found = [report.as_json(options.lang) for report in reports]
        say_json(found if len(found) > 1 else found[0])
    else:
        for name, report in zip(options.logs, reports, strict=True):
            if len(reports) > 1:
                say(f"== {name}")
            say(report.as_text(options.lang))
    return max(report.exit_code for report in reports)


def _audited(name: str, catalogs: list[str]) -> Report:
    try:
        return audit(read_file(name, log.MAX_BYTES), catalogs=read_catalogs(catalogs))
    except EngineError as error:
        return Report("unreadable", error=describe(error))


def run_show(options: argparse.Namespace) -> int:
    """Print the board after a move, as seen by a seat or a judge."""
    try:
        replay = Replay(read_file(options.log, log.MAX_BYTES), catalogs=read_catalogs(options.catalog))
        if options.seat not in (views.JUDGE, *replay.game.seats):
            raise Malformed("unknown_seat", f"no seat {options.seat[:40]!r}", path="--seat")
        shown = replay.board_at(options.at, options.seat)
    except EngineError as error:
        return refuse(error, as_json=options.json, lang=options.lang)
    if options.json:
        say_json(shown)
    else:
        say(views.as_text(shown, options.lang, names_of(replay.catalog.cards, options.lang)))
    return 0


def run_selfplay(options: argparse.Namespace) -> int:
    """Write a random legal game as canonical JSON."""
    try:
        given = read_catalogs(options.catalog)
        catalog = as_one(given) if len(given) > 1 else (given[0] if given else None)
        document = selfplay.play(options.game, options.seed, catalog=catalog, ruleset=options.ruleset)
        _write(options.out, log.canonical(document))
    except EngineError as error:
        return refuse(error, as_json=False)
    return 0


def run_merge(options: argparse.Namespace) -> int:
    """Merge two half-logs into one, or print their first difference."""
    try:
        merged = merge(_log(options.one), _log(options.two))
        _write(options.out, log.canonical(merged))
    except Differ as error:
        one, two = (log.canonical(value).decode() for value in (error.one, error.two))
        speak = speaker(options.lang)
        n = error.n or error.n_two  # a log that ends before the other has no such move
        move = "" if n is None else speak("what.move", n=n)
        path = ", ".join(filter(None, (move, within(error.path, n))))
        say(speak("merge.differ", path=path, one=one, two=two))
        return 1
    except EngineError as error:
        return refuse(error, as_json=False, lang=options.lang)
    return 0


def run_ask(options: argparse.Namespace) -> int:
    """Print whether a move is legal now."""
    try:
        position = read_file(options.position, log.MAX_BYTES)
        # An entry is a JSON object, and no usual file name starts with a brace.
        inline = options.move.lstrip().startswith("{")
        move = options.move if inline else read_file(options.move, log.MAX_BYTES)
        found = answer(position, move, catalogs=read_catalogs(options.catalog))
    except EngineError as error:
        found = Answer("unreadable", error=describe(error))
    if options.json:
        say_json(found.as_json(options.lang))
    else:
        say(found.as_text(options.lang))
    return found.exit_code


def _log(name: str) -> log.Log:
    with blaming(name):
        return log.parse(read_file(name, log.MAX_BYTES))


def _write(name: str | None, content: bytes) -> None:
    """Write to a file, or print if there is no name. Raises Malformed, code `cannot_write`."""
    if name is None:
        say(content.decode())
        return
    try:
        Path(name).write_bytes(content + b"\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Malformed("cannot_write", f"{name}: {reason}", path=name) from None
