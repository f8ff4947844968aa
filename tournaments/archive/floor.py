"""What an event file tells of who sat where and what came of it, as the arithmetic of tournaments reads it.

The tables of the database are read by `play.field`; this reads the lines of a file, and nothing else.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.events.models import Entrant, Stage
from tournaments.events.scoring import read_scoring
from tournaments.play.field import closed_up, in_points
from tournaments.play.merges import Merged, read_merge
from tournaments.play.models import Round
from tournaments.swiss import multiplayer
from tournaments.swiss.bracket import (
    NOBODY,
    Bracket,
    Played,
    Slot,
    double_elimination,
    places,
    read,
    single_elimination,
)
from tournaments.swiss.field import Field, Match, Player, points_of
from tournaments.swiss.standings import Row as Line
from tournaments.swiss.standings import SwissRow, standings
from tournaments.swiss.tables import table_points

COUNTED = (
    "result.entered",
    "result.confirmed",
    "result.ruled",
    "result.conceded",
    "result.penalized",
    "result.undone",
)
TAKEN_AWAY = ("result.voided", "result.undone")
BRACKETS = (Stage.Kind.SINGLE_ELIMINATION, Stage.Kind.DOUBLE_ELIMINATION)


@dataclass(frozen=True)
class Result:
    """A result that counts: games won by each seat and drawn, or rank and points of each seat."""

    games: list[Any]
    kind: str
    authority: str


Results = Mapping[str, Result]


def _duel(players: Sequence[str], result: Result) -> Match:
    """The match of two that ended with a result."""
    won, lost, drawn = result.games
    return Match(players[0], players[1], won, lost, drawn, kind=result.kind)


class Floor:
    """Stages, rounds, matches and seats of a file, by their keys."""

    def __init__(self, file: EventFile) -> None:
        self.stages: dict[int, Row] = {row["number"]: row for row in file["stage"]}
        self.entrants: dict[str, Row] = {row["public_id"]: row for row in file["entrant"]}
        self.rounds: defaultdict[int, list[Row]] = defaultdict(list)
        for row in sorted(file["round"], key=lambda row: row["number"]):
            self.rounds[row["stage"]].append(row)
        self.matches: defaultdict[int, list[Row]] = defaultdict(list)
        for row in file["match"]:
            self.matches[row["round"]].append(row)
        self.seats: defaultdict[str, list[Row]] = defaultdict(list)
        for row in sorted(file["seat"], key=lambda row: row["number"]):
            self.seats[row["match"]].append(row)
        self.entries: defaultdict[int, list[Row]] = defaultdict(list)
        for row in sorted(file["stage_entry"], key=lambda row: row["seed"]):
            self.entries[row["stage"]].append(row)
        self.ledger = file["ledger"]
        self.scoring = file.event.get("scoring", {})

    def as_of(self, number: int) -> "Floor":
        """This floor with the entries that were merged after entry `number` of the ledger two again."""
        later = [entry for entry in self.ledger if entry["code"] == "entrant.merged" and entry["number"] > number]
        merges = [read_merge(entry["object"], entry["before"], entry["after"]) for entry in reversed(later)]
        if not any(merges):
            return self
        then = copy(self)
        then.entrants = dict(self.entrants)
        then.seats = defaultdict(list, self.seats)
        then.matches = defaultdict(list, {number: list(rows) for number, rows in self.matches.items()})
        then.entries = defaultdict(list, {number: list(rows) for number, rows in self.entries.items()})
        for merged in merges:
            if merged is not None:
                then._take_apart(merged)
        return then

    def _take_apart(self, merged: Merged) -> None:
        self.entrants[merged.gone] = {**self.entrants[merged.kept], "public_id": merged.gone}
        for rows in self.entries.values():
            rows += [{**row, "entrant": merged.gone} for row in rows if row["entrant"] == merged.kept]
        for match in (match for number in merged.rounds for match in self.matches[number]):
            self.seats[match["public_id"]] = [
                {**seat, "entrant": merged.gone} if seat["entrant"] == merged.kept else seat
                for seat in self.seats[match["public_id"]]
            ]
        for player, line in merged.lines:
            key = f"{player}:{line.round}"
            match = {"public_id": key, "round": line.round, "table": None, "kind": line.kind, "games_drawn": 0}
            self.matches[line.round].append(match)
            self.seats[key] = [{"match": key, "number": 1, "entrant": player, "games_won": line.won}]

    def ids_at(self, match: Row) -> list[str]:
        """The entrants of a match, seat by seat."""
        return [seat["entrant"] for seat in self.seats[match["public_id"]]]

    def results_at(self, number: int | None = None) -> Results:
        """The result of each match as the ledger told it last, up to entry `number`; byes are told by no entry."""
        found: dict[str, Result] = {}
        for entry in self.ledger:
            if number is not None and entry["number"] > number:
                break
            if entry["code"] in COUNTED and entry["after"]:
                after = entry["after"]
                found[entry["object"]] = Result(after["games"], after["kind"], after["authority"])
            elif entry["code"] in TAKEN_AWAY:
                found.pop(entry["object"], None)
        return found

    def results_now(self) -> Results:
        """The result of each match of two or more seats as its lines say."""
        found = {}
        for matches in self.matches.values():
            for match in matches:
                seats = self.seats[match["public_id"]]
                if match["table"] is None or match["games_drawn"] is None or match["disputed"]:
                    continue
                if any(seat["rank"] is not None for seat in seats):
                    games: list[Any] = [[seat["rank"], seat["score"]] for seat in seats]
                else:
                    games = [*(seat["games_won"] or 0 for seat in seats), match["games_drawn"]]
                found[match["public_id"]] = Result(games, match["kind"], match["authority"])
        return found

    def shown_rounds(self, stage: int, before: int | None = None, *, closed: bool = False) -> list[Row]:
        """The published (or only the `closed`) rounds of a stage, before round `before` where that is given."""
        left_out = (Round.Status.DRAFT, Round.Status.PUBLISHED) if closed else (Round.Status.DRAFT,)
        return [
            row
            for row in self.rounds[stage]
            if row["status"] not in left_out and (before is None or row["number"] < before)
        ]

    def entered(self, stage: int) -> list[str]:
        """Who takes part in a stage, by seed where there are seeds."""
        playing = {
            key
            for key, row in self.entrants.items()
            if row["status"] != Entrant.Status.WAITING and row["dropped_after"] != 0
        }
        listed = [row["entrant"] for row in self.entries[stage]] or list(self.entrants)
        return [player for player in listed if player in playing]

    def gone_before(self, number: int) -> set[str]:
        """Who had dropped when round `number` was paired."""
        return {
            key
            for key, row in self.entrants.items()
            if row["dropped_after"] is not None and row["dropped_after"] < number
        }

    def field(
        self,
        stage: int,
        results: Results,
        *,
        before: int | None = None,
        gone: Iterable[str] | None = None,
        among: Iterable[str] | None = None,
        closed: bool = False,
    ) -> Field:
        """The field of a stage before a round; `gone` is who is not paired (else who dropped), `among` a part of it.

        `closed` leaves out a round being played.
        """
        here = self.entered(stage) if among is None else [each for each in self.entered(stage) if each in set(among)]
        out = set(gone) if gone is not None else self._dropped()
        rounds = [
            [
                match
                for row in self.matches[round_["number"]]
                if (match := self._match(row, results)) is not None and set(match.seats) <= set(here)
            ]
            for round_ in self.shown_rounds(stage, before, closed=closed)
        ]
        return Field(tuple(Player(each, dropped=each in out) for each in here), tuple(map(tuple, rounds)))

    def _dropped(self) -> set[str]:
        return {key for key, row in self.entrants.items() if row["status"] == Entrant.Status.DROPPED}

    def _match(self, row: Row, results: Results) -> Match | None:
        ids = self.ids_at(row)
        if row["table"] is None:
            won = self.seats[row["public_id"]][0]["games_won"] or 0
            return Match(ids[0], None, won, 0, 0, kind=row["kind"]) if row["games_drawn"] is not None else None
        result = results.get(row["public_id"])
        return None if result is None else _duel(ids, result)

    def table_rounds(self, stage: int, before: int, results: Results) -> tuple[list[list[list[str]]], dict[str, int]]:
        """Who sat together in the rounds before, and the table points of each so far."""
        rounds, points = [], dict.fromkeys(self.entered(stage), 0)
        for round_ in self.shown_rounds(stage, before):
            tables = []
            for match in self.matches[round_["number"]]:
                ids = self.ids_at(match) if match["table"] is not None else []
                tables.append(ids)
                result = results.get(match["public_id"])
                worth = table_points([rank for rank, _score in result.games]) if result and ids else ()
                for player, more in zip(ids, worth, strict=False):
                    points[player] += more
            rounds.append(tables)
        return rounds, points

    def bracket(
        self, stage: int, results: Results, before: int | None = None, *, closed: bool = False
    ) -> tuple[Bracket, dict[str, Slot]]:
        """A bracket as the rounds before `before`, or only the `closed` ones, left it."""
        row, seeds = self.stages[stage], self.entered(stage)
        if row["kind"] == Stage.Kind.DOUBLE_ELIMINATION:
            made = double_elimination(len(seeds), reset=row["reset"])
        else:
            made = single_elimination(len(seeds), third_place=row["third_place"])
        played = {
            match["node"]: self._played(match, results)
            for round_ in self.shown_rounds(stage, before, closed=closed)
            for match in self.matches[round_["number"]]
        }
        gone = self._dropped() if before is None else self.gone_before(before)
        return made, read(made, seeds, played, gone)

    def _played(self, row: Row, results: Results) -> Played:
        ids = self.ids_at(row)
        if len(ids) == 1:
            return Played(ids[0], NOBODY, ids[0])
        result = results.get(row["public_id"])
        won = points_of(_duel(ids, result)) if result else ()
        winner = next((player for player, points in zip(ids, won, strict=False) if points == 3), None)
        return Played(ids[0], ids[1], winner)

    def ranking(self, stage: int, results: Results) -> tuple[Line | SwissRow, ...]:
        """The standings of a stage by its structure, of its closed rounds; who was disqualified has no line."""
        row = self.stages[stage]
        out = {key for key, each in self.entrants.items() if each["disqualified"]}
        if row["kind"] in BRACKETS:
            lines: Iterable[Line | SwissRow] = self._bracket_lines(stage, results)
        elif row["kind"] == Stage.Kind.TABLES:
            lines = self._table_lines(stage, results)
        else:
            lines = standings(
                self.field(stage, results, closed=True),
                row["scheme"],
                seed=row["seed"],
                scoring=read_scoring(self.scoring),
            )
        return closed_up([line for line in lines if line.player not in out]) if out else tuple(lines)

    def _bracket_lines(self, stage: int, results: Results) -> list[Line]:
        made, slots = self.bracket(stage, results, closed=True)
        played = [slot for slot in slots.values() if slot.state == "played"]
        won, lost = (
            {player: [getattr(slot, side) for slot in played].count(player) for player in self.entered(stage)}
            for side in ("winner", "loser")
        )
        return [
            Line(rank, player, 3 * won[player], {}, (won[player], lost[player], 0))
            for rank, player in places(made, slots, self.entered(stage))
        ]

    def _table_lines(self, stage: int, results: Results) -> list[Line]:
        rounds: list[list[multiplayer.Table]] = []
        for round_ in self.shown_rounds(stage, closed=True):
            counted = [(self.ids_at(row), results.get(row["public_id"])) for row in self.matches[round_["number"]]]
            told = [(ids, result) for ids, result in counted if result is not None]
            if told:
                rounds.append([
                    tuple(
                        multiplayer.Place(player, score or 0, rank)
                        for player, (rank, score) in zip(ids, result.games, strict=True)
                    )
                    for ids, result in told
                ])
        return [in_points(line) for line in multiplayer.standings(self.entered(stage), rounds)]
