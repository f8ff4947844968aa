"""Reads the JSON of Limitless (play.limitlesstcg.com): details, standings and pairings, alone or in one object.

Source: docs.limitlesstcg.com, "Tournaments". Who won each match is there, but no games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from tournaments.transfers.brought import ROUND_ROBIN, SWISS, Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats import decks
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import unreadable
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import alone, both_lost, decided, unfinished
from tournaments.transfers.formats.source import Source
from tournaments.transfers.formats.values import Value

PARTS = ("details", "standings", "pairings")
PLAYER = ("player", "name", "decklist", "drop")
LOST_OF_PLAYER = {"country": "federations", "placing": "ranks", "record": "ranks", "deck": "deck_names"}
DETAILS = ("name", "date", "phases", "decklists", "isPublic", "isOnline", "players", *PARTS)
LOST_OF_DETAILS = {"id": "ids", "organizer": "staff", "game": "game", "format": "game", "platform": "game"}
PAIRING = ("round", "phase", "table", "match", "player1", "player2", "winner")
TIE, DOUBLE_LOSS = "0", "-1"
_BRACKET = re.compile(r"bracket|elimination", re.IGNORECASE)
_LIVE = re.compile(r"T([0-9]{1,4})-([0-9]{1,4})")
_BEST_OF = re.compile(r"BO([1-9])")


def recognizes(source: Source) -> bool:
    """Whether a file is one of the three answers of the API, or an object that holds two or three of them."""
    document = source.json
    if _is_details(document) or _is_standings(document) or _is_pairings(document):
        return True
    parts = {part: Value(document.raw[part]) for part in PARTS if document.holds(part)}
    if "details" in parts:
        return _is_details(parts["details"])
    return any(_is_standings(part) or _is_pairings(part) for part in parts.values())


def _is_details(value: Value) -> bool:
    return value.holds("game", "phases") or value.holds("game", "organizer", "platform")


def _is_standings(value: Value) -> bool:
    return value.items_hold("player", "placing") or value.items_hold("player", "record")


def _is_pairings(value: Value) -> bool:
    return value.items_hold("player1", "winner", "round") or value.items_hold("player1", "phase", "round")


def read(source: Source) -> Brought:
    """Read a file. Without standings, the players are those of the pairings, under their user names."""
    document, losses = source.document, Losses()
    details, standings, pairings = _parts(document)
    losses.keys(details, DETAILS, LOST_OF_DETAILS)
    phases = {value.at("phase").whole() or 0: value for value in details.at("phases").each()}
    found = [_match(value, losses) for value in pairings.each()]
    stages = _stages(found, phases)
    players = _players(standings, stages, losses)
    if not players:
        raise unreadable(_("The details alone have no players: add the standings or the pairings."))
    if not found:
        losses.add("matches_missing")
    made: list[BroughtStage] = []
    swiss: list[structure.Round] = []
    for number, rounds in stages.items():
        phase = phases.get(number)
        stage = _stage(phase, rounds, players, swiss, losses, later=bool(made))
        made.append(stage)
        swiss += stage.rounds
    return assembled(
        "limitless",
        players,
        made,
        losses,
        name=details.at("name").text(),
        starts_at=details.at("date").moment(),
        best_of=_best_of(phases),
    )


def _parts(document: Value) -> tuple[Value, Value, Value]:
    if _is_standings(document):
        return Value(None), document, Value(None)
    if _is_pairings(document):
        return Value(None), Value(None), document
    details = document.at("details") if document.holds("details") else document
    standings, pairings = document.at("standings"), document.at("pairings")
    return details, standings, pairings


def _best_of(phases: Mapping[int, Value]) -> int | None:
    """The number of games of a match in the first phase, if it is odd."""
    first = next(iter(phases.values()), Value(None))
    found = _BEST_OF.fullmatch(first.at("mode").text().upper())
    return int(found[1]) if found and int(found[1]) % 2 else None


def _match(value: Value, losses: Losses) -> tuple[tuple[int, int], str, BroughtMatch]:
    """The phase and the round, the label, and the match."""
    losses.keys(value, PAIRING, {})
    at = (value.at("phase").whole() or 1, value.at("round").whole() or 1)
    first, second = value.at("player1").key(), value.at("player2").key()
    winner, table = value.at("winner").key(), value.at("table").whole()
    label = value.at("match").text().upper()
    if not first or not second:
        only = first or second
        # The other reason for having no opponent is to have been late: the round is lost.
        if winner not in ("", only):
            losses.add("late_losses")
            return at, label, alone(only, "zero_bye")
        return at, label, alone(only)
    if not winner:
        return at, label, unfinished(first, second, table)
    if winner == DOUBLE_LOSS:
        return at, label, both_lost(first, second, table)
    if winner not in (TIE, first, second):
        raise unreadable(_("The winner is neither of the two players."), value.path)
    return at, label, decided(first, second, "" if winner == TIE else winner, table)


def _stages(
    found: Sequence[tuple[tuple[int, int], str, BroughtMatch]], phases: Mapping[int, Value]
) -> dict[int, tuple[structure.Round, ...]]:
    """The rounds of each phase, in order. A live bracket is one round in the file: its labels tell the rounds."""
    stages: dict[int, tuple[structure.Round, ...]] = {}
    for number in sorted({at[0] for at, _label, _match in found}):
        mine = [(at[1], label, match) for at, label, match in found if at[0] == number]
        if any(label for _round, label, _match in mine):
            sizes = [_LIVE.fullmatch(label) for _round, label, _match in mine]
            if all(sizes):
                by_size = structure.grouped(
                    (int(size[1]) if size else 0, match) for size, (_r, _l, match) in zip(sizes, mine, strict=True)
                )
                stages[number] = tuple(by_size[size] for size in sorted(by_size, reverse=True))
            else:
                stages[number] = structure.in_play_order(match for _round, _label, match in mine)
        else:
            by_round = structure.grouped((round_, match) for round_, _label, match in mine)
            stages[number] = tuple(by_round[round_] for round_ in sorted(by_round))
    return stages


def _stage(
    phase: Value | None,
    rounds: tuple[structure.Round, ...],
    players: Sequence[BroughtPlayer],
    before: Sequence[structure.Round],
    losses: Losses,
    *,
    later: bool,
) -> BroughtStage:
    kind = phase.at("type").text() if phase else ""
    entered = structure.seeded(structure.players_of(rounds), players, before) if later else ()
    if _BRACKET.search(kind):
        return structure.bracket(rounds, entered or structure.players_of(rounds))
    if not kind:
        losses.add("structure")
    planned = phase.at("rounds").whole() if phase else None
    if "ROBIN" in kind.upper():
        return BroughtStage(ROUND_ROBIN, rounds, seeds=entered)
    everybody = len(entered) == len(players)
    return BroughtStage(SWISS, rounds, planned, seeds=() if everybody else entered)


def _players(
    standings: Value, stages: Mapping[int, tuple[structure.Round, ...]], losses: Losses
) -> list[BroughtPlayer]:
    rounds = [matches for some in stages.values() for matches in some]
    if not standings:
        return [BroughtPlayer(key, key) for key in structure.players_of(rounds)]
    return [_player(value, rounds, losses) for value in standings.each()]


def _player(value: Value, rounds: Sequence[structure.Round], losses: Losses) -> BroughtPlayer:
    losses.keys(value, PLAYER, LOST_OF_PLAYER)
    key, listed = value.at("player").key(), value.at("decklist")
    decklist = decks.of_sections(listed) if isinstance(listed.raw, dict) else ""
    if listed and not decklist:
        losses.add("decklists")
    found = BroughtPlayer(key, value.at("name").text() or key, decklist=decklist)
    dropped = value.at("drop").whole()
    return replace(found, dropped_after=_dropped_after(key, dropped, rounds)) if dropped else found


def _dropped_after(key: str, dropped: int, rounds: Sequence[structure.Round]) -> int:
    """How many rounds had been played: the file says in which round the player left, who may have played it."""
    dropped = max(0, min(dropped, len(rounds))) if rounds else max(0, dropped)
    played = not rounds or any(key in match.seats for match in rounds[dropped - 1])
    return dropped if played else dropped - 1
