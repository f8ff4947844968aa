"""Compare two positions of one game, each a declared position or the end of a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.report.ask import situation
from engine.core.shown import views
from engine.core.table.game import Game
from engine.core.table.header import CatalogSource
from engine.core.table.log import read
from engine.core.text.errors import Malformed


def difference(
    one: bytes | str | Mapping[str, Any],
    two: bytes | str | Mapping[str, Any],
    *,
    catalogs: Sequence[CatalogSource] = (),
) -> list[dict[str, Any]]:
    """Return every fact that is known on both boards and differs, as `{"fact", "one", "two"}`, in board order.

    A fact is a path as in the claims of a log ("A.pv", "A/T1/fighters/2", "turn.phase", "memory.attacked"). For a row
    or a pile, `one` and `two` are the cards that only that board has. Raises EngineError for documents that cannot be
    read, and Malformed `other_game` for boards of two different games.
    """
    (game, first), (other, second) = (_facts(document, catalogs) for document in (one, two))
    if game.id != other.id:
        raise Malformed("other_game", f"a board of {game.id} and one of {other.id}")
    found = []
    for fact in first:
        if fact in second and first[fact] != second[fact]:
            # Rows and piles that differ only in the order of their cards leave nothing on either side.
            left = _apart(first[fact], second[fact])
            found += [{"fact": fact, "one": left[0], "two": left[1]}] if left[0] != left[1] else []
    return found


def _facts(document: Any, catalogs: Sequence[CatalogSource]) -> tuple[Game, dict[str, Any]]:
    game, state, _book = situation(read(document), catalogs)
    shown = views.board(state, None, views.JUDGE)
    # Counters are "A.pv" as facts but lie below their seat on a board, so both are compared with slashes.
    unknown = {fact.replace(".", "/", 1) for fact in state.unknown}
    facts = {f"turn.{key}": value for key, value in shown["turn"].items()}
    for owner, side in (*shown["seats"].items(), *((("common", shown["common"]),) if "common" in shown else ())):
        facts.update(_side(game, owner, side))
    facts.update({f"memory.{note}": shown.get("memory", {}).get(note, []) for note in game.notes})
    return game, {fact: value for fact, value in facts.items() if fact.replace(".", "/", 1) not in unknown}


def _side(game: Game, path: str, side: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in side.items():
        inner = f"{path}/{key}"
        if isinstance(value, Mapping) and "ref" not in value:
            yield from _side(game, inner, value)
        elif isinstance(value, list) and _numbered(game, inner.partition("/")[2]):
            yield from ((f"{inner}/{number}", _card(card)) for number, card in enumerate(value, 1))
        elif isinstance(value, list):
            yield inner, [_card(card) for card in value]
        elif key in (*game.layout.counters, *game.layout.shared):
            yield f"{path}.{key}", value
        else:
            yield inner, _card(value)


def _numbered(game: Game, zone: str) -> bool:
    return f"{zone}/1" in (*game.layout.zones, *game.layout.common)


def _card(card: Any) -> Any:
    """Return a card as its ref, or as {ref, marks, on} if it has marks or is attached to something."""
    if not isinstance(card, Mapping):
        return card
    borne = {key: card[key] for key in ("marks", "on") if card.get(key)}
    return {"ref": card["ref"], **borne} if borne else card["ref"]


def _apart(one: Any, two: Any) -> tuple[Any, Any]:
    """Return both values, or for two lists the items that each has and the other lacks."""
    if not (isinstance(one, list) and isinstance(two, list)):
        return one, two
    alone, others = [], list(two)
    for item in one:
        if item in others:
            others.remove(item)
        else:
            alone.append(item)
    return alone, others
