"""The command coverage: how much of a catalogue and of decklists the engine executes by itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.cli.output import blaming, read_catalogs, read_file, refuse, say, say_json
from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog, merged, shipped_catalogs, vocabulary_of
from engine.core.decks.coverage import STANDINGS, DeckCoverage, NameCoverage, blockers, by_name, of_deck
from engine.core.decks.decklist import MAX_BYTES, parse
from engine.core.text.errors import EngineError, Malformed
from engine.core.text.rulebook import LANGUAGES


def add_commands(commands: Any) -> None:
    """Add this module's command to the subparsers of `python -m engine`."""
    command = commands.add_parser(
        "coverage", help="how much of a catalogue the engine executes (exit 0 all, 1 not all, 2)"
    )
    command.add_argument("game")
    command.add_argument(
        "--catalog", action="append", default=[], help="a catalogue to use instead of the built-in ones"
    )
    command.add_argument("--deck", action="append", default=[], help="a decklist to count the exact cards of")
    command.add_argument("--where", action="append", default=[], help="only cards with this word, such as set=CORE")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    command.set_defaults(run=run_coverage)


def run_coverage(options: argparse.Namespace) -> int:
    """Print the coverage by name and by deck; exit 0 if everything is exact, 1 if not, 2 for unreadable input."""
    try:
        vocabulary = vocabulary_of(options.game)
        catalog = merged(read_catalogs(options.catalog) or list(shipped_catalogs(options.game)))
        if catalog.game != options.game:
            raise Malformed("wrong_game", f"{catalog.id} is a catalogue of {catalog.game}, not of {options.game}")
        names = by_name(_chosen(catalog, options.where), vocabulary)
        decks = {name: of_deck(_deck(name, catalog), catalog, vocabulary) for name in options.deck}
    except EngineError as error:
        return refuse(error, as_json=options.json, lang=options.lang)
    if options.json:
        say_json(_as_json(names, decks))
    else:
        for line in _lines(names, decks):
            say(line)
    whole = all(found.standing == STANDINGS[0] for found in names) and not any(deck.blocked for deck in decks.values())
    return 0 if whole else 1


def _chosen(catalog: Catalog, where: Sequence[str]) -> list[Card]:
    """Return the cards with these words ("set=CORE"). Raises Malformed, code `bad_value`."""
    wanted = [item.partition("=") for item in where]
    if not all(key and sign and value for key, sign, value in wanted):
        raise Malformed(
            "bad_value", "--where must be a word of the cards and its value, such as set=CORE", path="--where"
        )
    return [card for card in catalog.cards.values() if all(card.words.get(key) == value for key, _, value in wanted)]


def _deck(name: str, catalog: Catalog) -> Any:
    """Return the decklist in a file. Raises Malformed, code `bad_value`, if a line of it cannot be read."""
    with blaming(name):
        parsed = parse(read_file(name, MAX_BYTES).decode("utf-8", errors="replace"), catalog)
        if parsed.faults:
            raise Malformed(
                "bad_value",
                f"line {parsed.faults[0].line} cannot be read",
                path=f"{name}, line {parsed.faults[0].line}",
            )
        return parsed.deck


def _counts(names: Sequence[NameCoverage]) -> dict[str, int]:
    return {word: sum(1 for found in names if found.standing == word) for word in STANDINGS}


def _as_json(names: Sequence[NameCoverage], decks: Mapping[str, DeckCoverage]) -> dict[str, Any]:
    listed = [
        {"name": found.name, "standing": found.standing, "refs": list(found.refs), "blocked_by": list(found.blocked_by)}
        for found in names
    ]
    told = [
        {"deck": name, "copies": dict(deck.copies), "blocked": {ref: list(why) for ref, why in deck.blocked.items()}}
        for name, deck in decks.items()
    ]
    counts = {"total": len(names), **_counts(names)}
    return {"names": counts, "blocked_by": blockers(names), "cards": listed, "decks": told}


def _lines(names: Sequence[NameCoverage], decks: Mapping[str, DeckCoverage]) -> Iterator[str]:
    counts = _counts(names)
    yield f"{len(names)} names: " + ", ".join(f"{counts[word]} {word}" for word in STANDINGS)
    for word, count in blockers(names).items():
        yield f"  {count:>4}  {word}"
    for found in names:
        if found.blocked_by:
            yield f"{found.name}: {found.standing}: {', '.join(found.blocked_by)}"
    for name, deck in decks.items():
        total = sum(deck.copies.values())
        yield f"{name}: {total} cards: " + ", ".join(f"{deck.copies[word]} {word}" for word in STANDINGS)
        for ref, why in deck.blocked.items():
            yield f"  {ref}: {', '.join(why)}"
