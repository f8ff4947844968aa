"""Boards and moves in the reader's words, and as a seat or the public sees them.

A board is in the form of `core.shown.views.board`. Documents go in as JSON text or plain values.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.report.ask import situation
from engine.core.report.report import error_sentence
from engine.core.shown import views
from engine.core.shown.commentary import capital, chance_words, move_line, placed
from engine.core.shown.commentary import move_sentence as move_sentence
from engine.core.shown.commentary import move_sentences as move_sentences
from engine.core.shown.views import visible_notes as visible_notes
from engine.core.shown.words import Words
from engine.core.table.header import load_game
from engine.core.table.state import COMMON as COMMON
from engine.core.table.state import Layout
from engine.core.text.errors import EngineError
from engine.core.text.phrases import known, note_key
from engine.core.text.phrases import speaker as speaker

Catalogs = Sequence[Catalog]
"""The cards that a log can refer to in addition to those shipped with the engine."""

QUIET = ("live", "inert", "made", "allowed", "vouched")  # internal notes of the effect interpreter, not for people

Document = str | Mapping[str, Any]  # JSON text, or its parsed value


@dataclass(frozen=True)
class Place:
    """A part of a board that a judge can declare: a counter or a zone.

    `owner`: the letter of the seat, or `COMMON`.
    `counter`: a counter; the other fields are then unused.
    `slots`: the number of numbered slots of the zone; 0 for a row or a pile.
    `single`: the zone holds at most one card.
    `counted`: nobody sees the cards, so only their number is declared.
    `in_play`: its cards are in play.
    `bears`: its cards can carry marks.
    """

    owner: str
    name: str
    counter: bool = False
    slots: int = 0
    single: bool = False
    counted: bool = False
    in_play: bool = False
    bears: bool = False


@dataclass(frozen=True)
class Mat:
    """Everything that a declared position of a game can contain, for forms that enter one."""

    phases: Sequence[str]
    notes: Sequence[str]
    marks: Sequence[str]
    verbs: Sequence[str]
    places: Sequence[Place]


def mat_of(game: str, seats: Sequence[str]) -> Mat:
    """The mat of a game with these seats."""
    loaded = load_game(game)
    layout = loaded.layout
    places = [place for seat in seats for place in _places(layout, seat, layout.counters, layout.zones)]
    common = [zone for zone in layout.common if zone not in layout.resolving]
    places += _places(layout, COMMON, layout.shared, common)
    notes = [note for note in loaded.notes if note not in (*QUIET, *layout.opening)]
    return Mat(loaded.phases, notes, layout.marks, list(loaded.verbs()), places)


def _places(layout: Any, owner: str, counters: Iterable[str], zones: Sequence[str]) -> Iterator[Place]:
    for name in counters:
        yield Place(owner, name, counter=True)
    # Numbered zones ("T1/fighters/2") are the slots of one place ("T1/fighters").
    for zone in dict.fromkeys(zone.rpartition("/")[0] if zone[-1].isdecimal() else zone for zone in zones):
        slots = sum(1 for known in zones if known.rpartition("/")[0] == zone)
        yield Place(
            owner,
            zone,
            slots=slots,
            single=layout.capacity.get(zone) == 1,
            counted=layout.hidden.get(zone) == "nobody",
            in_play=layout.in_play(zone),
            bears=bool(layout.marks) and zone in layout.rows,
        )


def board_of(position: Document, language: str, catalogs: Catalogs = ()) -> dict[str, Any]:
    """The board of a position as a judge sees it. Raises ValueError if it is unreadable or impossible."""
    try:
        _game, state, _book = situation(position, catalogs)
        return views.board(state, None, views.JUDGE)
    except EngineError as error:
        raise ValueError(error_sentence(error, language)) from error


def layout_of(game: str) -> Layout:
    """The zones and counters of a game: which there are, who sees them, and what lies in a row."""
    return load_game(game).layout


def fact_words(game: str, fact: str, language: str) -> str:
    """A fact about the turn, or about what is remembered, such as `turn.n` or `memory.attacked`, in words."""
    return Words(language, game).fact(fact)


def item_words(game: str, value: Any, language: str, names: Callable[[str], str | None]) -> str:
    """A value of a move in words: a card by its name, a place, yes or no, a number."""
    return Words(language, game, names).item(value)


def actor_words(by: str, language: str) -> str:
    """Who makes a move, if it is not a player with a name: “the judge”."""
    return Words(language).say(f"actor.{by}")


def has_words(key: str) -> bool:
    """Whether the engine has words for a key such as `zone.hand` or `verb.play`."""
    return known(key)


def say(key: str, language: str, **args: object) -> str:
    """The engine's words for a key in `language`, filled in with `args`."""
    return speaker(language)(key, **args)


def say_note(game: str, note: str, language: str, what: str) -> str:
    """The sentence of a board's note about `what`."""
    return speaker(language)(note_key(game, note), what=what)


def places_in_play(board: Mapping[str, Any]) -> list[str]:
    """The places of all cards in play, such as "A/T1/fighters/2"."""
    game = load_game(board["game"])

    def places(value: Any, path: str) -> Iterator[str]:
        if isinstance(value, Mapping) and "ref" not in value:
            for key, inner in value.items():
                yield from places(inner, f"{path}/{key}")
        elif isinstance(value, list) and game.layout.in_play(path.partition("/")[2]):
            yield from (f"{path}/{number}" for number, card in enumerate(value, 1) if card is not None)

    return [place for seat, side in board["seats"].items() for place in places(side, seat)]


def in_play(game: str, zone: str) -> bool:
    """Whether the cards of a zone (named without its seat) are in play."""
    return load_game(game).layout.in_play(zone)


def seen_by(board: Mapping[str, Any], seat: str | None) -> dict[str, Any]:
    """Cut a judge's board down to what one seat sees, or the public (None). Hidden cards become "?".

    The options of a pending choice of another seat are left out, because they can name cards in hand.
    """
    hidden = [zone for zone, who in load_game(board["game"]).layout.hidden.items() if who == "owner"]
    sides = {owner: side if owner == seat else _covered(side, hidden) for owner, side in board["seats"].items()}
    seen = {**board, "seats": sides}
    choice = board.get("pending")
    if choice and choice["by"] != seat:
        seen["pending"] = {key: value for key, value in choice.items() if key != "options"}
    return seen


def _covered(side: Mapping[str, Any], hidden: Sequence[str]) -> dict[str, Any]:
    def covered(cards: Any) -> Any:
        return ["?"] * len(cards) if isinstance(cards, list) else "?" if isinstance(cards, Mapping) else cards

    return {zone: covered(cards) if zone in hidden else cards for zone, cards in side.items()}


def seen_move(
    move: Mapping[str, Any],
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    seat: str | None,
    cards: Container[str],
) -> dict[str, Any]:
    """A move of a log as one seat sees it, between two boards that `seen_by` cut down to what that seat sees.

    In the moves of others, every one of the `cards` (refs) that does not come or go on these boards becomes "?".
    """
    args = move["args"]
    if move["by"] != seat:
        args = covered_args(args, cards, brought_to_light(before, after))
    return {**move, "args": args, "at": move_cards(before, {**move, "args": args})}


def board_text(board: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A board as lines of text. `names` are the names of the cards, by ref."""
    return views.as_text(board, language, names.get)


def move_words(game: str, move: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A move as a sentence without who makes it. `move["at"]` has the cards at its places, `names` their names."""
    return move_sentence(game, move, language, names.get, move.get("at"))


def entry_words(game: str, move: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A move in words with the seat, the table or the judge that makes it: “A plays Raclos”."""
    return capital(move_line(game, move, language, names.get, move.get("at")))


def entry_chance_words(game: str, entry: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """What an entry notes of chance, in words: “draws Raclos”; "" if it notes none."""
    return chance_words(game, entry.get("chance") or [], language, names.get)


def moves_words(game: str, moves: Sequence[Mapping[str, Any]], language: str, names: Mapping[str, str]) -> list[str]:
    """Moves that are listed together, as sentences that differ wherever the moves do."""
    at = {place: ref for move in moves for place, ref in move.get("at", {}).items()}
    return move_sentences(game, moves, language, names.get, at)


def move_cards(board: Mapping[str, Any], move: Mapping[str, Any]) -> dict[str, str]:
    """The places that a move names, also by the number of a slot, with the ref of the card there on a board."""
    return cards_at(board, [move.get("args"), placed(board["game"], move)])


def brought_to_light(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """Refs whose number of visible copies changed, and refs of cards that are alone in a zone (a commander, say)."""
    were, are = Counter(_refs(before)), Counter(_refs(after))
    lone = {card["ref"] for side in after["seats"].values() for card in side.values() if _is_card(card)}
    return lone | {ref for ref in {*were, *are} if were[ref] != are[ref]}


def _is_card(value: Any) -> bool:
    return isinstance(value, Mapping) and "ref" in value


def _refs(value: Any) -> Iterator[str]:
    """The refs of all cards on a board, with repetitions."""
    if _is_card(value):
        yield value["ref"]
    elif isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _refs(item)


def covered_args(value: Any, cards: Container[str], visible: Container[str]) -> Any:
    """The arguments of a move, with every ref of `cards` that is not in `visible` replaced by "?"."""
    if isinstance(value, Mapping):
        return {key: covered_args(item, cards, visible) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [covered_args(item, cards, visible) for item in value]
    return "?" if isinstance(value, str) and value in cards and value not in visible else value


def counters(game: str) -> list[str]:
    """The names of the counters that each seat of a game has."""
    return list(load_game(game).layout.counters)


def card_at(board: Mapping[str, Any], place: str) -> Mapping[str, Any] | None:
    """Return the card at a place of a board, such as "A/T1/fighters/2"; None if there is no card or no such place."""
    seat, *path = place.split("/")
    found: Any = board.get(COMMON) if seat == COMMON else board["seats"].get(seat)
    for part in path:
        if isinstance(found, Mapping) and "ref" not in found:
            found = found.get(part)
        elif isinstance(found, list | tuple) and part.isdecimal() and 1 <= int(part) <= len(found):
            found = found[int(part) - 1]
        else:
            return None
    return found if isinstance(found, Mapping) and "ref" in found else None


def cards_at(board: Mapping[str, Any], value: Any) -> dict[str, str]:
    """Return the places named anywhere in the arguments of a move, with the ref of the card there if it is known."""
    if isinstance(value, str):
        card = card_at(board, value) if board and "/" in value else None
        return {value: card["ref"]} if card and card["ref"] != "?" else {}
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return {place: ref for item in items for place, ref in cards_at(board, item).items()}
