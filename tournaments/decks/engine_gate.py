"""Where decklists meet the engine: the one module of this app that knows its inside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from engine.core.cardlists import read_cards, written
from engine.core.cards import Catalog, load_catalog, shipped_catalogs
from engine.core.decklist import LineFault, parse
from engine.core.decks import check_deck
from engine.core.errors import EngineError, Malformed, Violation
from engine.core.phrases import error_message
from engine.core.registry import rulebook
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.models import Catalogue
from tournaments.events.models import Event

KEPT = 4  # catalogues of organizers kept in memory, the latest used


@dataclass(frozen=True)
class Reading:
    """What the engine made of a pasted list: either `faults` (lines it cannot read), or the list and its violations."""

    text: str
    cards: dict[str, Any]
    digest: str
    faults: list[dict[str, Any]]
    violations: list[dict[str, Any]]


@dataclass(frozen=True)
class CardList:
    """An organizer's list of cards made a catalogue: what a `Catalogue` keeps of it."""

    catalog: str
    sha256: str
    cards: int
    document: str


def catalog_of(event: Event) -> Catalog:
    """The catalogue an event was given, of the content it had then; refused when it is not installed."""
    for catalog in shipped_catalogs(event.game):
        if (catalog.id, catalog.sha256) == (event.catalog, event.catalog_sha256):
            return catalog
    return _kept(event.catalog_sha256)


def own_catalogs(event: Event) -> tuple[Catalog, ...]:
    """The catalogue that the logs of an event may name beside those shipped with the engine."""
    shipped = any(catalog.sha256 == event.catalog_sha256 for catalog in shipped_catalogs(event.game))
    return () if shipped else (catalog_of(event),)


@lru_cache(maxsize=KEPT)
def _kept(sha256: str) -> Catalog:
    row = Catalogue.objects.filter(sha256=sha256).first()
    if row is None:
        raise Refusal("catalog_unknown", _("The card catalogue of this event is not installed."))
    return load_catalog(row.document)


def shipped(game: str) -> list[tuple[str, str, int]]:
    """The catalogues that come with the engine: id, digest, number of cards."""
    return [(catalog.id, catalog.sha256, len(catalog.cards)) for catalog in shipped_catalogs(game)]


def read_card_list(game: str, content: bytes, name: str, language: str) -> CardList:
    """A list of cards as organizers write it (docs/cards.md), or a whole catalogue, under the id `name`.

    Refused as `cards_unreadable`, with every line at fault.
    """
    try:
        found = load_catalog(content) if _is_catalogue(content) else None
        if found is not None and found.game != game:
            raise Malformed("wrong_game", f"a catalogue of {found.game}", path="game")
        if found is not None:
            return CardList(found.id, found.sha256, len(found.cards), content.decode("utf-8-sig"))
        listed = read_cards(game, content, name)
    except EngineError as error:
        raise InvalidInput("cards_unreadable", _unreadable_cards(), details=[_card_fault(0, error, language)])
    if listed.catalog is None:
        faults = [_card_fault(fault.line, fault.error, language) for fault in listed.faults]
        raise InvalidInput("cards_unreadable", _unreadable_cards(), details=faults)
    made = listed.catalog
    return CardList(made.id, made.sha256, len(made.cards), written(listed.document))


def _is_catalogue(content: bytes) -> bool:
    """Whether JSON says that it is a whole catalogue, with an id and a game of its own."""
    start = content[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"{") and b'"game"' in start and b'"id"' in start


def _unreadable_cards() -> str:
    return _("This list of cards cannot be read.")


def _card_fault(line: int, error: EngineError, language: str) -> dict[str, Any]:
    message = error_message(error.code, error.message, language)
    return {"line": line, "path": error.path, "code": error.code, "message": message}


def read_list(event: Event, text: str | bytes, language: str) -> Reading:
    """Read a pasted list and check it with the rules of the event's game. Every fault, not the first."""
    catalog = catalog_of(event)
    try:
        parsed = parse(text, catalog)
        day = event.starts_at.date() if event.starts_at else None
        violations = (
            [] if parsed.faults else check_deck(event.game, parsed.deck, event.ruleset, catalog=catalog, on=day)
        )
    except EngineError as error:
        return Reading("", {}, "", [_unreadable(error)], [])
    kept = text if isinstance(text, str) else text.decode("utf-8", errors="replace")
    return Reading(
        kept.replace("\x00", ""),
        parsed.deck.to_json(),
        parsed.deck.digest(),
        [_fault(fault, language) for fault in parsed.faults],
        [_violation(violation) for violation in violations],
    )


def describe(game: str, violations: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    """Stored violations as a page shows them: rule, section, message in `language`, args, depends_on."""
    book = rulebook(game)
    return [
        {
            **kept,
            "section": book.rules[kept["rule"]].section,
            "message": book.message(Violation(kept["rule"], kept["args"]), language),
        }
        for kept in violations
    ]


def card_names(event: Event) -> Mapping[str, str]:
    """The name of every card of the event's catalogue, by reference."""
    return {ref: card.name for ref, card in catalog_of(event).cards.items()}


def _violation(violation: Violation) -> dict[str, Any]:
    return {"rule": violation.rule, "args": dict(violation.args), "depends_on": list(violation.depends_on)}


def _fault(fault: LineFault, language: str) -> dict[str, Any]:
    return {
        "line": fault.line,
        "code": fault.code,
        "text": fault.text,
        "message": fault.message(language),
        "suggestions": list(fault.suggestions),
    }


def _unreadable(error: EngineError) -> dict[str, Any]:
    return {"line": 0, "code": error.code, "text": error.path, "message": error.message, "suggestions": []}
