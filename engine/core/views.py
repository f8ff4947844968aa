"""The board as JSON and as text: what the public, one seat, or a judge sees. Also the facts a log may claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.core import phrases
from engine.core.agenda import pending
from engine.core.cards import Card, Catalog, vocabulary_of
from engine.core.choice import load_game
from engine.core.errors import Malformed
from engine.core.events import MADE
from engine.core.game import Game
from engine.core.naming import memory
from engine.core.places import at, place
from engine.core.state import COMMON, State

JUDGE = "judge"


def board(state: State, catalog: Catalog | None = None, seat: str | None = None) -> dict[str, Any]:
    """The position as JSON values, as seen by the public (None), a seat ("A"), or a judge ("judge").

    `{"game", "ruleset", "turn": {n, seat, phase, first}, "seats": {"A": {counters…, zones…}}, "result"}`. Below a
    seat, "T1/fighters/2" is `["T1"]["fighters"][1]`: a card `{ref, name, kind, atk, val, def}`, "?" for one that is
    hidden, or null for an empty slot. A zone nobody sees is its number of cards, an unnumbered zone a list. A card of
    a row in play has its `marks`, and `on`, the place of what it is attached to; `common` is what belongs to no seat.
    `catalog` gives the names and figures; None stands for the catalogue the game is played with. What a declared
    position leaves out is listed under `unknown`; its counters and its numbers of cards are null.

    A card in play carries its figures in force, the `printed` ones beside them where they differ, and what else the
    game says of it (`Game.in_force`); `owner` where that is another seat. `memory`, `lasting` and `pending` hold what
    cards do not show (who attacked, what effects do for a while, the choice that is awaited), where there is any.
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
    """What the cards on the table do not show; the options of a choice only to who makes it, for they may name a hand.

    A choice has {by, options, optional, rule}.
    """
    choice = dict(pending(state) or {})
    if choice and seat not in (choice["by"], JUDGE):
        del choice["options"]
    lasting = [dict(game.record_json(state, record)) for record in state.lasting]
    found = {"memory": memory(state, game), "lasting": lasting, "pending": choice}
    return {key: value for key, value in found.items() if value}


def _owned(state: State, game: Game, cards: Mapping[str, Any], owner: str, seat: str | None) -> dict[str, Any]:
    """The counters and zones of a seat, or of nobody, as a seat sees them."""
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
    path = state.where[obj]
    slotted = state.terms.capacity.get(path) == 1 or path.partition("/")[2] in state.terms.layout.rows
    in_play = game.in_force(state, obj) if slotted else {}
    return {"ref": ref, "name": card.name, "kind": card.kind, **figures, **in_play, **borne, **whose}


def _borne(state: State, obj: int) -> dict[str, Any]:
    """The marks on a card of a row, and where what it is attached to is."""
    if state.where[obj].partition("/")[2] not in state.terms.layout.rows:
        return {}
    host = state.hosts.get(obj)
    on = {} if host is None else {"on": place(state, host)}
    return {"marks": dict(state.marks.get(obj, {})), **on}


def fact(state: State, path: str) -> int | str | None:
    """A fact as logs claim it: "A.pi" (a counter), "A.hand" (cards in a zone), "A/T1/fighters/2" (a ref, "?" or None).

    Raises Malformed, code `unknown_claim`.
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
    """Whether a fact, as logs claim it, is known: a declared position may leave it out."""
    return path not in state.unknown and path.replace(".", "/", 1) not in state.unknown


def notes_told(shown: Mapping[str, Any]) -> dict[str, Sequence[int | str]]:
    """The memory of a board that matters to who reads it now.

    The notes of the set-up do not once a turn has begun, nor ever those that effects keep for themselves.
    """
    game = load_game(shown["game"])
    silent = ("inert", MADE, game.order, *(game.layout.opening if shown["turn"]["n"] else ()))
    return {key: noted for key, noted in shown.get("memory", {}).items() if key not in silent}


def as_text(shown: Mapping[str, Any], lang: str = "en") -> str:
    """The board of `board()` as lines of text in "fr", "en" or "it"."""
    turn = shown["turn"]
    say = phrases.speaker(lang)
    lines = [say("board.turn", n=turn["n"], seat=turn["seat"] or "-", phase=say(f"phase.{turn['phase']}"))]
    for seat, side in shown["seats"].items():
        groups = {key: value for key, value in side.items() if isinstance(value, dict) and "ref" not in value}
        hidden = [path.replace("/", ".").removeprefix(f"{seat}.") for path in shown.get("unknown", ())]
        facts = [
            f"{say('zone.' + key)} {'?' if key in hidden else _facts(value)}"
            for key, value in side.items()
            if key not in groups
        ]
        lines.append(f"{seat}  " + " · ".join(facts))
        for key, group in groups.items():
            left_out = [path.removeprefix(f"{seat}/{key}/") for path in shown.get("unknown", ())]
            rows = [f"{say('zone.' + name)} {_row(name, value, left_out)}" for name, value in group.items()]
            lines.append(f"   {key}  " + " | ".join(rows))
    for zone, cards in shown.get("common", {}).items():
        lines.append(f"{say('zone.' + zone)} {_facts(cards)}")
    for key, noted in shown.get("memory", {}).items():
        lines.append(say(phrases.note_key(shown["game"], key), what=" ".join(map(str, noted))))
    lines += [_lasts(record, say) for record in shown.get("lasting", ())]
    choice = shown.get("pending")
    if choice is not None:
        options = " · ".join(choice.get("options", ())) or "?"
        lines.append(say("board.pending", seat=choice["by"], options=options, rule=choice["rule"]))
    if shown.get("unknown"):
        lines.append(say("board.unknown", facts=", ".join(shown["unknown"])))
    result = shown["result"]
    if result is not None:
        lines.append(say("board.result", winner=result["winner"] or "-", reason=say(f"reason.{result['reason']}")))
    return "\n".join(lines)


def _lasts(record: Mapping[str, Any], say: Callable[..., str]) -> str:
    """One effect that lasts, as a line."""
    until = record["until"]
    end = say(f"until.{until}") if isinstance(until, str) else say("until.turn", n=until)
    figure = f" {record['stat']} {record['n']:+d}" if "stat" in record else ""
    return say("board.lasting", on=record["on"], what=say(f"lasts.{record['effect']}") + figure, end=end)


def _row(name: str, value: Any, left_out: list[str]) -> str:
    """A row of slots or a pile, a question mark for what a declared position leaves out."""
    if name in left_out:
        return "?"
    if isinstance(value, list) and left_out:
        return _facts(["?" if f"{name}/{index + 1}" in left_out else item for index, item in enumerate(value)])
    return _facts(value)


def _figures(figures: Sequence[int | None]) -> str:
    return "/".join("-" if figure is None else str(figure) for figure in figures)


def _facts(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_facts(item) for item in value) or "-"
    if isinstance(value, dict):
        figures = [figure for key, figure in value.items() if figure is None or (type(figure) is int)]
        told = "" if all(figure is None for figure in figures) else f" {_figures(figures)}"
        printed = f" ({_figures(list(value['printed'].values()))})" if "printed" in value else ""
        marks = "".join(f" {name}:{count}" for name, count in value.get("marks", {}).items())
        on = f" @{value['on']}" if "on" in value else ""
        return f"[{value['ref']}{told}{printed}{marks}{on}]"
    return "[ ]" if value is None else str(value)
