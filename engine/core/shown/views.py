"""The board as JSON and as text, as seen by the public, a seat or a judge, and the facts that a log may claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog, vocabulary_of
from engine.core.shown.words import Names, Words, nobody
from engine.core.table.agenda import pending
from engine.core.table.events import MADE
from engine.core.table.game import Game
from engine.core.table.header import load_game
from engine.core.table.naming import memory
from engine.core.table.places import at, place
from engine.core.table.state import COMMON, State
from engine.core.text import phrases
from engine.core.text.errors import Malformed

JUDGE = "judge"


def board(state: State, catalog: Catalog | None = None, seat: str | None = None) -> dict[str, Any]:
    """Return the position as JSON values, as seen by the public (None), a seat ("A") or a judge ("judge").

    `{"game", "ruleset", "turn": {n, seat, phase, first}, "seats": {"A": {counters…, zones…}}, "result"}`, where:

    - A slot such as "T1/fighters/2" is `["T1"]["fighters"][1]` below its seat: a card `{ref, name, kind, atk, val,
      def}`, "?" if it is hidden, null if the slot is empty.
    - A zone that nobody sees is given as its number of cards, a zone without numbered slots as a list.
    - A card in play has its figures in force, and the `printed` ones if they differ, with whatever else the game shows
      of it (`Game.in_force`); `owner` if that is another seat.
    - A card in a row has its `marks`, and in `on` the place of what it is attached to.
    - `common` is what belongs to no seat.
    - `memory`, `lasting` and `pending` are what cards do not show (who attacked, effects that last, the choice
      awaited), if there is any.
    - `unknown` lists the facts that a declared position leaves out; their counters and numbers of cards are null.

    `catalog` provides names and figures; by default it is the catalogue the game is played with.
    """
    cards = state.terms.cards if catalog is None else catalog.cards
    result = state.result
    game = load_game(state.terms.game)
    return {
        "game": state.terms.game,
        "ruleset": state.terms.ruleset,
        "turn": {"n": state.turn, "seat": state.seat, "phase": state.phase, "first": state.first},
        "seats": {owner: _owned(state, game, cards, owner, seat) for owner in state.terms.seats},
        **({"common": _owned(state, game, cards, COMMON, JUDGE)} if state.terms.layout.common else {}),
        "result": None if result is None else {"winner": result.winner, "reason": result.reason, "rule": result.rule},
        **_unseen(state, game, seat),
        **({"unknown": list(state.unknown)} if state.unknown else {}),
    }


def _unseen(state: State, game: Game, seat: str | None) -> dict[str, Any]:
    """Return what the cards on the table do not show: notes, lasting effects, and the choice that is awaited.

    A choice is {by, options, optional, rule}. Its options are shown only to the seat that chooses and to a judge,
    because they may name cards of a hand.
    """
    choice = dict(pending(state) or {})
    if choice and seat not in (choice["by"], JUDGE):
        del choice["options"]
    lasting = [dict(game.record_json(state, record)) for record in state.lasting]
    found = {"memory": memory(state, game), "lasting": lasting, "pending": choice}
    return {key: value for key, value in found.items() if value}


def _owned(state: State, game: Game, cards: Mapping[str, Any], owner: str, seat: str | None) -> dict[str, Any]:
    """Return the counters and zones of a seat, or those that belong to no seat, as `seat` sees them."""
    layout = state.terms.layout
    zones, names = (layout.common, layout.shared) if owner == COMMON else (layout.zones, layout.counters)
    counters = ((name, f"{owner}.{name}") for name in names)
    side: dict[str, Any] = {name: None if path in state.unknown else state.counters[path] for name, path in counters}
    for zone in zones:
        objects = state.zones[f"{owner}/{zone}"]
        hidden = layout.hidden.get(zone)
        if hidden == "nobody":
            side[zone] = None if f"{owner}/{zone}" in state.unknown else len(objects)
            continue
        seen = hidden is None or seat in (owner, JUDGE)
        shown = [_card(state, game, cards, obj, owner) if seen else "?" for obj in objects]
        # Nest the zone below its groups; numbered slots ("T1/fighters/2") are appended to one list, in their order.
        *groups, last = zone.split("/")
        place = side
        for group in groups[:-1] if last.isdigit() else groups:
            place = place.setdefault(group, {})
        if last.isdigit():
            place.setdefault(groups[-1], []).append(shown[0] if shown else None)
        else:
            place[last] = (shown[0] if shown else None) if layout.capacity.get(zone) == 1 else shown
    return side


def _card(state: State, game: Game, cards: Mapping[str, Card], obj: int, seat: str) -> Any:
    ref = state.refs[obj]
    borne = _borne(state, obj)
    if ref is None:
        return {"ref": "?", **borne} if borne else "?"
    whose = {"owner": state.owners[obj]} if state.owners[obj] != seat else {}
    card = cards.get(ref)
    if card is None:
        return {"ref": ref, **borne, **whose}
    figures = {key: card.figures.get(key) for key in vocabulary_of(game.id).printed}
    # In a hand or a discard the printed figures are all there is: no effect changes a card there.
    path = state.where[obj]
    slotted = state.terms.capacity.get(path) == 1 or path.partition("/")[2] in state.terms.layout.rows
    in_play = game.in_force(state, obj) if slotted else {}
    return {"ref": ref, "name": card.name, "kind": card.kind, **figures, **in_play, **borne, **whose}


def _borne(state: State, obj: int) -> dict[str, Any]:
    """Return the marks on a card in a row, and the place of what it is attached to."""
    if state.where[obj].partition("/")[2] not in state.terms.layout.rows:
        return {}
    host = state.hosts.get(obj)
    on = {} if host is None else {"on": place(state, host)}
    return {"marks": dict(state.marks.get(obj, {})), **on}


def fact(state: State, path: str) -> int | str | None:
    """Return a fact as logs claim it.

    The path is "A.pi" (a counter), "A.hand" (the number of cards in a zone) or "A/T1/fighters/2" (a ref, "?" if hidden,
    None if empty). Raises Malformed `unknown_claim`.
    """
    value = state.counters.get(path)
    if value is not None:
        return value
    objects = state.zones.get(path.replace(".", "/", 1))
    if objects is not None:
        if "." in path:
            return len(objects)
        if state.terms.capacity.get(path) == 1:
            return (state.refs[objects[0]] or "?") if objects else None
    row, _, number = path.rpartition("/")
    if row.partition("/")[2] in state.terms.layout.rows and row in state.zones and number.isdecimal():
        obj = at(state, path)
        return None if obj is None else state.refs[obj] or "?"
    raise Malformed("unknown_claim", f"no fact {path[:40]!r}", path=f"claims.{path[:40]}")


def stated(state: State, path: str) -> bool:
    """Return whether a fact, as logs claim it, is known. A declared position may leave it out."""
    return path not in state.unknown and path.replace(".", "/", 1) not in state.unknown


def visible_notes(shown: Mapping[str, Any]) -> dict[str, Sequence[int | str]]:
    """Return the notes of a board that matter to a reader now.

    Left out are the notes of the set-up once a turn has begun, and those that effects keep for their own use.
    """
    game = load_game(shown["game"])
    # "inert", `MADE` and the game's order of play serve the interpreter; they say nothing to a player.
    silent = ("inert", MADE, game.order, *(game.layout.opening if shown["turn"]["n"] else ()))
    return {key: noted for key, noted in shown.get("memory", {}).items() if key not in silent}


def as_text(shown: Mapping[str, Any], lang: str = "en", names: Names = nobody) -> str:
    """Return the board of `board()` as lines of text in "fr", "en" or "it".

    `names` provides the names of cards in that language. Without it, the names in the board are used.
    """
    cards = dict(_cards(shown["seats"], "")) | dict(_cards(shown.get("common", {}), COMMON))
    printed = {card["ref"]: card["name"] for card in cards.values() if "name" in card}
    at = {path: card["ref"] for path, card in cards.items() if card["ref"] in printed}
    words = Words(lang, shown["game"], lambda ref: names(ref) or printed.get(ref), at)
    return "\n".join(_BoardLines(shown, words).lines())


class _BoardLines:
    """The lines of one board in one language."""

    def __init__(self, shown: Mapping[str, Any], words: Words) -> None:
        self.shown = shown
        self.words = words
        self.say = words.say

    def lines(self) -> Iterator[str]:
        """Yield the turn, each seat with its rows, the common zones, then what cards do not show."""
        shown, words = self.shown, self.words
        turn = shown["turn"]
        yield self.say("board.turn", n=turn["n"], seat=words.seat(turn["seat"]), phase=words.phase(turn["phase"]))
        for seat, side in shown["seats"].items():
            yield from self._side(seat, side)
        for zone, cards in shown.get("common", {}).items():
            yield self._zone(zone, cards)
        for key, noted in shown.get("memory", {}).items():
            what = self.say("move.next").join(map(words.item, noted))
            yield self.say(phrases.note_key(shown["game"], key), what=what)
        yield from map(self._lasts, shown.get("lasting", ()))
        yield from self._choice()
        if shown.get("unknown"):
            yield self.say("board.unknown", facts=self.say("move.next").join(map(words.fact, shown["unknown"])))
        result = shown["result"]
        if result is not None:
            reason = self.say(f"reason.{result['reason']}")
            yield self.say("board.result", winner=words.winner(result["winner"]), reason=reason)

    def _side(self, seat: str, side: Mapping[str, Any]) -> Iterator[str]:
        groups = {key: value for key, value in side.items() if isinstance(value, dict) and "ref" not in value}
        unknown = self.shown.get("unknown", ())
        # Unknown counters and zones are null or empty in the board; as text they would look like an empty zone.
        hidden = [path.replace("/", ".").removeprefix(f"{seat}.") for path in unknown]
        facts = [self._zone(key, "?" if key in hidden else value) for key, value in side.items() if key not in groups]
        yield f"{seat}  " + " · ".join(facts)
        for key, group in groups.items():
            left_out = [path.removeprefix(f"{seat}/{key}/") for path in unknown]
            rows = [self._zone(name, _left_out(name, value, left_out)) for name, value in group.items()]
            yield f"   {self.words.zone(key)}  " + " | ".join(rows)

    def _zone(self, zone: str, value: Any) -> str:
        """Return a zone with its cards, or a counter with its value."""
        return f"{self.words.zone(zone)} {self._facts(value)}"

    def _choice(self) -> Iterator[str]:
        choice = self.shown.get("pending")
        if choice is not None:
            options = " · ".join(map(self.words.item, choice.get("options", ()))) or "?"
            yield self.say("board.pending", seat=choice["by"], options=options, rule=choice["rule"])

    def _lasts(self, record: Mapping[str, Any]) -> str:
        """Return one lasting effect as a line."""
        until = record["until"]
        end = self.say(f"until.{until}") if isinstance(until, str) else self.say("until.turn", n=until)
        figure = f" {self.say('figure.' + record['stat'])} {record['n']:+d}" if "stat" in record else ""
        what = self.say(f"lasts.{record['effect']}") + figure
        return self.say("board.lasting", on=self.words.item(record["on"]), what=what, end=end)

    def _facts(self, value: Any) -> str:
        if isinstance(value, list):
            return " ".join(map(self._facts, value)) or "0"
        if isinstance(value, dict):
            return self._card(value)
        return "[ ]" if value is None else str(value)

    def _card(self, card: Mapping[str, Any]) -> str:
        """Return a card: its name, its figures, the printed ones if they differ, its marks, what it is attached to."""
        figures = [figure for figure in card.values() if figure is None or type(figure) is int]
        numbers = "" if all(figure is None for figure in figures) else f" {_figures(figures)}"
        was = f" ({_figures(list(card['printed'].values()))})" if "printed" in card else ""
        marks = "".join(f" {self.say('mark.' + name, n=count)}" for name, count in card.get("marks", {}).items())
        on = f" → {self.words.place(card['on'])}" if "on" in card else ""
        name = self.words.item(card["ref"]) if card["ref"] != "?" else "?"
        return f"[{name}{numbers}{was}{marks}{on}]"


def _left_out(name: str, value: Any, left_out: Sequence[str]) -> Any:
    """Return a row of slots or a zone with "?" for what a declared position leaves out."""
    if name in left_out:
        return "?"
    if isinstance(value, list) and left_out:
        return ["?" if f"{name}/{index + 1}" in left_out else item for index, item in enumerate(value)]
    return value


def _figures(figures: Sequence[int | None]) -> str:
    return "/".join("–" if figure is None else str(figure) for figure in figures)


def _cards(value: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the cards in a part of a board, each with its place."""
    if isinstance(value, Mapping) and "ref" in value:
        yield path, value
    elif isinstance(value, Mapping | list):
        items = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
        for key, item in items:
            yield from _cards(item, f"{path}/{key}".lstrip("/"))
