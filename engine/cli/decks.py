"""Commands about decklists, catalogues and registers: games, check-deck, deck, rules, lint."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from engine.cli.output import read_catalogs, read_file, refuse, say, say_json
from engine.core.abilities.sentences import sentence
from engine.core.cards.catalog import MAX_BYTES, Catalog, coverage, load_catalog, merged, shipped_catalogs
from engine.core.cards.lint import lint
from engine.core.decks import decklist
from engine.core.decks.rules import check_deck, deck_notes, find_format, read_deck
from engine.core.shown.words import names_of
from engine.core.table.header import load_game, ruleset_of
from engine.core.text import registry
from engine.core.text.errors import EngineError, Malformed, Violation
from engine.core.text.phrases import speaker
from engine.core.text.rulebook import LANGUAGES, STATUSES, Rulebook


def add_commands(commands: Any) -> None:
    """Add this module's commands to the subparsers of `python -m engine`."""
    _add_games(commands)
    _add_check_deck(commands)
    _add_deck(commands)
    _add_rules(commands)
    _add_lint(commands)


def _add_games(commands: Any) -> None:
    games = commands.add_parser("games", help="list the games with their rulesets, catalogues and rule coverage")
    games.add_argument("--json", action="store_true", help="print JSON")
    games.set_defaults(run=run_games)


def _add_check_deck(commands: Any) -> None:
    check = commands.add_parser(
        "check-deck", help="list everything wrong with a decklist (exit 0 legal, 1 illegal, 2 unreadable)"
    )
    check.add_argument("game")
    check.add_argument("file", help="the list as pasted, or as JSON; - for standard input")
    check.add_argument("--format", help="a format or ruleset of the game")
    check.add_argument("--date", help="check card legality on this day, such as 2026-03-14")
    check.add_argument("--pool", help="the cards of a limited event, as a decklist")
    check.add_argument("--catalog", action="append", default=[], help="a catalogue to use instead of the built-in ones")
    check.add_argument("--json", action="store_true", help="print JSON")
    check.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    check.set_defaults(run=run_check_deck)


def _add_deck(commands: Any) -> None:
    deck = commands.add_parser("deck", help="print a random legal decklist")
    deck.add_argument("game")
    deck.add_argument("--seed", type=_seed, required=True, help="the same seed gives the same deck")
    deck.add_argument("--catalog", action="append", default=[], help="a catalogue to use instead of the built-in ones")
    deck.set_defaults(run=run_deck)


def _add_rules(commands: Any) -> None:
    rules = commands.add_parser("rules", help="print the rules and interpretations of a game")
    rules.add_argument("game")
    rules.add_argument("--ruleset", help="only the rules and interpretations of this ruleset")
    rules.add_argument("--json", action="store_true", help="print JSON, in all three languages")
    rules.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    rules.set_defaults(run=run_rules)


def _add_lint(commands: Any) -> None:
    linter = commands.add_parser(
        "lint", help="list the problems and coverage of a catalogue (exit 0 no problems, 1 some)"
    )
    linter.add_argument("catalog", help="a catalogue file, or - for standard input")
    linter.add_argument("--json", action="store_true", help="print JSON")
    linter.add_argument("--sentences", choices=LANGUAGES, help="print what each card does in this language")
    linter.set_defaults(run=run_lint)


def run_games(options: argparse.Namespace) -> int:
    """List the games with their rulesets and catalogues, and how many of their rules are enforced."""
    found = [_game(game) for game in registry.GAMES]
    if options.json:
        say_json(found)
        return 0
    for game in found:
        say(str(game["game"]))
        say(f"  rulesets: {', '.join(game['rulesets'])}")
        for catalog in game["catalogs"]:
            say(f"  catalogue {catalog['id']}: {catalog['executable']} of {catalog['cards']} cards executable")
        counts = ", ".join(f"{count} {status}" for status, count in game["rules"].items())
        say(f"  rules: {counts}; interpretations: {game['interpretations']}")
    return 0


def _game(game: str) -> dict[str, Any]:
    book = registry.rulebook(game)
    statuses = [rule.status for rule in book.rules.values()]
    formats = registry.module(game, "deck").FORMATS
    catalogs = [(catalog, coverage(catalog)) for catalog in shipped_catalogs(game)]
    return {
        "game": game,
        "formats": [form.id for form in formats],
        "rulesets": list(dict.fromkeys(name for form in formats for name in form.rulesets)),
        "catalogs": [
            {"id": catalog.id, "sha256": catalog.sha256, "cards": cover.total, "executable": cover.executable}
            for catalog, cover in catalogs
        ],
        "rules": {status: statuses.count(status) for status in STATUSES},
        "interpretations": len(book.interpretations),
    }


def run_check_deck(options: argparse.Namespace) -> int:
    """Print the violations of a decklist; exit 0 if it is legal, 1 if it is not, 2 if it cannot be read."""
    try:
        day = _day(options.date)
        form = find_format(options.game, options.format)
        catalog = _catalog(options.game, options.catalog)
        parsed = read_deck(read_file(options.file, decklist.MAX_BYTES), options.game, form, catalog, options.lang)
        if parsed.faults:
            return _refuse_list(parsed.faults, options)
        pool = _pool(options.pool, catalog)
        violations = check_deck(options.game, parsed.deck, form, catalog=catalog, on=day, pool=pool)
        notes = [*parsed.notes, *deck_notes(options.game, parsed.deck, form, catalog=catalog, lang=options.lang)]
    except EngineError as error:
        return refuse(error, as_json=options.json, lang=options.lang)
    book = registry.rulebook(options.game)
    found = [_violation(violation, book, options.lang) for violation in violations]
    if options.json:
        legal = not found
        listed = {"deck": parsed.deck.to_json(), "digest": parsed.deck.digest()}
        said = {"notes": [_note(note, options.lang) for note in notes]}
        say_json({"game": options.game, "format": form.id, "legal": legal, "violations": found, **listed, **said})
    else:
        fine = speaker(options.lang)("report.legal_list", count=sum(parsed.deck.main.values()))
        lines = _violation_lines(found, options.lang) if found else [fine]
        say("\n".join([*lines, *(note.message(options.lang) for note in notes)]))
    return 1 if found else 0


def _refuse_list(faults: tuple[decklist.LineFault, ...], options: argparse.Namespace) -> int:
    shown = [
        {
            "line": fault.line,
            "code": fault.code,
            "args": dict(fault.args),
            "text": fault.text,
            "message": fault.message(options.lang),
            "suggestions": list(fault.suggestions),
        }
        for fault in faults
    ]
    error = Malformed("unreadable_lines", f"lines that cannot be read: {len(faults)}", path=f"line {faults[0].line}")
    return refuse(error, as_json=options.json, faults=shown, lang=options.lang)


def _note(note: decklist.Note, lang: str) -> dict[str, Any]:
    return {"code": note.code, "args": dict(note.args), "message": note.message(lang)}


def _violation(violation: Violation, book: Rulebook, lang: str) -> dict[str, Any]:
    return {
        "rule": violation.rule,
        "section": book.section(violation.rule, lang),
        "args": dict(violation.args),
        "message": book.message(violation, lang),
        "depends_on": list(violation.depends_on),
    }


def _violation_lines(found: list[dict[str, Any]], lang: str) -> list[str]:
    lines = []
    for violation in found:
        depends_on = f" [{', '.join(violation['depends_on'])}]" if violation["depends_on"] else ""
        cited = speaker(lang)("report.broken", rule=violation["rule"], section=violation["section"])
        lines.append(f"{cited} {violation['message']}{depends_on}")
    return lines


def run_deck(options: argparse.Namespace) -> int:
    """Print a random legal decklist, as text that `check-deck` can read."""
    try:
        catalog = _catalog(options.game, options.catalog)
        make = registry.module(options.game, "deck").random_deck
        deck = make(random.Random(options.seed), catalog)  # noqa: S311
    except EngineError as error:
        return refuse(error, as_json=False)
    say(decklist.render(deck, catalog).rstrip("\n"))
    return 0


def run_rules(options: argparse.Namespace) -> int:
    """Print the rules with their status and message, then the interpretations with their options (`*`: the default)."""
    try:
        book = registry.rulebook(options.game)
        if options.ruleset is not None:
            book = ruleset_of(load_game(options.game), options.ruleset).book
    except EngineError as error:
        return refuse(error, as_json=options.json, lang=options.lang)
    if options.json:
        say_json(_registers(options.game, book, options.lang))
        return 0
    for rule in book.rules.values():
        say(f"{rule.id} [{rule.status}] {book.section(rule.id, options.lang)}\n    {rule.messages[options.lang]}")
    for gap in book.interpretations.values():
        say(f"{gap.id} [{gap.source}] {gap.why[options.lang]}")
        for name, texts in gap.options.items():
            say(f"  {'*' if name == gap.default else ' '} {name}: {texts[options.lang]}")
    return 0


def _registers(game: str, book: Rulebook, lang: str) -> dict[str, Any]:
    rules = [
        {
            "id": rule.id,
            "section": rule.section,
            "status": rule.status,
            "message": rule.messages[lang],
            "messages": dict(rule.messages),
        }
        for rule in book.rules.values()
    ]
    gaps = [
        {"id": gap.id, "default": gap.default, "options": gap.options, "why": gap.why, "source": gap.source}
        for gap in book.interpretations.values()
    ]
    return {"game": game, "rules": rules, "interpretations": gaps}


def run_lint(options: argparse.Namespace) -> int:
    """Print the problems, hints and coverage of a catalogue; exit 1 if there is any problem, else 0."""
    try:
        content = read_file(options.catalog, MAX_BYTES)
        report = lint(content)
    except EngineError as error:
        refuse(error, as_json=options.json)
        return 1
    cover = report.coverage
    if options.json:
        problems, hints = (
            [{"code": p.code, "path": p.path, "message": p.message, "suggestions": list(p.suggestions)} for p in found]
            for found in (report.problems, report.hints)
        )
        counts = cover and {"cards": cover.total, "executable": cover.executable, "manual": list(cover.manual)}
        say_json({"problems": problems, "hints": hints, "coverage": counts, "words": report.words})
    else:
        for found, mark in ((report.problems, ""), (report.hints, "hint: ")):
            for problem in found:
                meant = f" — {' / '.join(problem.suggestions)}?" if problem.suggestions else ""
                say(f"{mark}{problem.code} {problem.path}: {problem.message}{meant}")
        if cover:
            say(f"{cover.executable} of {cover.total} cards executable ({cover.vanilla} vanilla)")
            for line in _coverage(report.words):
                say(line)
            for line in _sentences(content, options.sentences) if options.sentences else ():
                say(line)
    return 1 if report.problems else 0


def _sentences(content: bytes, lang: str) -> Iterator[str]:
    """Yield what each card of a catalogue that can be loaded does, one ability per line."""
    catalog = load_catalog(content)
    for card in catalog.cards.values():
        for ability in card.abilities:
            yield f"{card.ref}: {sentence(ability, catalog.game, lang, names_of(catalog.cards, lang))}"


def _coverage(words: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield one line per group of words: how many of them the catalogue uses, and how often.

    The operation `manual` is counted apart, because it has no effect but leaves the card to a ruling.
    """
    for group, counts in words.items():
        counted = {word: count for word, count in counts.items() if (group, word) != ("operations", "manual")}
        used = sum(1 for count in counted.values() if count)
        apart = f" (manual {counts['manual']}, which leaves a card to a ruling)" if counted != counts else ""
        listed = ", ".join(f"{word} {count}" for word, count in counted.items())
        yield f"{used} of {len(counted)} {group}: {listed}{apart}"


def _catalog(game: str, names: list[str]) -> Catalog:
    """Return the given catalogues, or else the shipped ones, merged into one."""
    registry.package(game)  # an unknown game is refused before any file is read
    catalog = merged(read_catalogs(names) or shipped_catalogs(game))
    if catalog.game != game:
        raise Malformed("wrong_game", f"{catalog.id} is a catalogue of {catalog.game}, not of {game}")
    return catalog


def _pool(name: str | None, catalog: Catalog) -> decklist.Decklist | None:
    if name is None:
        return None
    parsed = decklist.parse(read_file(name, decklist.MAX_BYTES), catalog, led=False)
    if parsed.faults:
        first = parsed.faults[0]
        raise Malformed("unreadable_pool", first.message("en"), path=f"{name}, line {first.line}", value=first.text)
    return parsed.deck


def _seed(text: str) -> int | str:
    """Return the seed as a number if it is one, else as text."""
    return int(text) if text.isdecimal() else text


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise Malformed("bad_date", f"{str(text)[:40]!r} is not a day such as 2026-03-14", path="--date") from None
