"""The stages, rounds, matches and results of an event file, in the forms that pairing and standings are computed from.

`play.field` does the same from the database; this module reads only the rows of a file.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.scoring import read_scoring
from tournaments.play.field import in_points, reranked
from tournaments.play.merged_entrants import Merged, read_merge
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
from tournaments.swiss.teams import boards_won, is_by_board

COUNTED = (  # ledger codes after which a match has the result in `after`
    "result.entered",
    "result.confirmed",
    "result.ruled",
    "result.conceded",
    "result.penalized",
    "result.undone",
)
REMOVED = ("result.voided", "result.undone")  # after these, without a result in `after`, the match has none
BROUGHT_IN = "round.brought"  # a whole round with its results, from another program
BOARD_GAMES = ("first_games", "second_games", "games_drawn")
BRACKETS = (Stage.Kind.SINGLE_ELIMINATION, Stage.Kind.DOUBLE_ELIMINATION)


@dataclass(frozen=True)
class Result:
    """A result that counts.

    `games` is `[won by seat 1, won by seat 2, drawn]`, or for a table of three or more `[[rank, score], …]` by seat, or
    for a team match those of each board.
    """

    games: list[Any]
    kind: str
    authority: str


Results = Mapping[str, Result]  # by the match's public id


def plays_by_boards(event: Row) -> bool:
    """Whether teams play an event of a file by boards."""
    return bool(event["team_size"] > 1 and event["team_play"] == Event.TeamPlay.BOARDS)


def _duel(players: Sequence[str], result: Result) -> Match:
    """The match of two players with this result."""
    if not is_by_board(result.games):
        won, lost, drawn = result.games
        return Match(players[0], players[1], won, lost, drawn, kind=result.kind)
    boards = tuple((board[0], board[1], board[2]) for board in result.games)
    return Match(players[0], players[1], *boards_won(boards), kind=result.kind, boards=boards)


class Tournament:
    """The stages, rounds, matches and seats of a file.

    `stages` are by number and `entrants` by public id; `rounds` are by stage in the order of their numbers, `matches`
    by round, `seats` and `boards` by match in their order, and `entries` (who is in a stage) by stage in the order of
    their seeds.
    """

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
        self.boards: defaultdict[str, list[Row]] = defaultdict(list)
        for row in sorted(file["board"], key=lambda row: row["number"]):
            self.boards[row["match"]].append(row)
        self.entries: defaultdict[int, list[Row]] = defaultdict(list)
        for row in sorted(file["stage_entry"], key=lambda row: row["seed"]):
            self.entries[row["stage"]].append(row)
        self.ledger = file["ledger"]
        self.scoring = file.event.get("scoring", {})

    def as_of(self, number: int) -> "Tournament":
        """Return a copy in which the entrants that were merged after ledger entry `number` are separate again.

        Rounds that were paired before a merge can only be computed again with both entrants.
        """
        later = [entry for entry in self.ledger if entry["code"] == "entrant.merged" and entry["number"] > number]
        # The last merge is undone first; older entries (None) do not say enough to undo them.
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
                then._undo_merge(merged)
        return then

    def _undo_merge(self, merged: Merged) -> None:
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
        """Return the entrants of a match in the order of their seats."""
        return [seat["entrant"] for seat in self.seats[match["public_id"]]]

    def results_at(self, number: int | None = None) -> Results:
        """Return the last result of each match according to the ledger, up to entry `number` if that is given.

        Byes have no entries and are not included.
        """
        found: dict[str, Result] = {}
        for entry in self.ledger:
            if number is not None and entry["number"] > number:
                break
            if entry["code"] in COUNTED and entry["after"]:
                after = entry["after"]
                found[entry["object"]] = Result(after["games"], after["kind"], after["authority"])
            elif entry["code"] in REMOVED:
                found.pop(entry["object"], None)
            elif entry["code"] == BROUGHT_IN:
                for match, after in entry["after"]["results"].items():
                    found[match] = Result(after["games"], after["kind"], after["authority"])
        return found

    def results_now(self) -> Results:
        """Return the result of each match according to its rows, without byes and disputed matches."""
        found = {}
        for matches in self.matches.values():
            for match in matches:
                seats = self.seats[match["public_id"]]
                if match["table"] is None or match["games_drawn"] is None or match["disputed"]:
                    continue
                if any(seat["rank"] is not None for seat in seats):
                    games: list[Any] = [[seat["rank"], seat["score"]] for seat in seats]
                elif boards := self.games_by_board(match["public_id"]):
                    games = boards
                else:
                    games = [*(seat["games_won"] or 0 for seat in seats), match["games_drawn"]]
                found[match["public_id"]] = Result(games, match["kind"], match["authority"])
        return found

    def games_by_board(self, match: str) -> list[list[int]]:
        """Return the games of each board of a team match; empty if its result was not played board by board."""
        rows = [[row[name] for name in BOARD_GAMES] for row in self.boards[match]]
        return [] if any(None in row for row in rows) else rows

    def shown_rounds(self, stage: int, before: int | None = None, *, closed: bool = False) -> list[Row]:
        """Return the published rounds of a stage (only the closed ones if `closed`), up to round `before` if given.

        Round `before` itself is not included.
        """
        left_out = (Round.Status.DRAFT, Round.Status.PUBLISHED) if closed else (Round.Status.DRAFT,)
        return [
            row
            for row in self.rounds[stage]
            if row["status"] not in left_out and (before is None or row["number"] < before)
        ]

    def entered(self, stage: int) -> list[str]:
        """Return the entrants of a stage, by seed if there are seeds.

        Without those on the waiting list and those who dropped before the first round.
        """
        playing = {
            key
            for key, row in self.entrants.items()
            if row["status"] != Entrant.Status.WAITING and row["dropped_after"] != 0
        }
        listed = [row["entrant"] for row in self.entries[stage]] or list(self.entrants)
        return [player for player in listed if player in playing]

    def gone_before(self, number: int) -> set[str]:
        """Return the entrants who had dropped before round `number` was paired."""
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
        """Return the field of a Swiss, pod or round-robin stage: its players and the matches of its rounds.

        - `before`: only the rounds before this one; all rounds if not given
        - `gone`: the players marked as dropped, who are not paired; by default those who have dropped by now
        - `among`: only these players and the matches between them, for a pod
        - `closed`: leaves out the round being played
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
        """Return the tables of each round before `before`, and the table points of each player so far.

        For stages with tables of three or more. A bye is an empty table.
        """
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
        """Return a bracket and its slots by node, after the rounds before `before` (or only the `closed` ones)."""
        row, seeds = self.stages[stage], self.entered(stage)
        if row["kind"] == Stage.Kind.DOUBLE_ELIMINATION:
            bracket = double_elimination(len(seeds), reset=row["reset"])
        else:
            bracket = single_elimination(len(seeds), third_place=row["third_place"])
        played = {
            match["node"]: self._played(match, results)
            for round_ in self.shown_rounds(stage, before, closed=closed)
            for match in self.matches[round_["number"]]
        }
        gone = self._dropped() if before is None else self.gone_before(before)
        return bracket, read(bracket, seeds, played, gone)

    def _played(self, row: Row, results: Results) -> Played:
        ids = self.ids_at(row)
        if len(ids) == 1:
            return Played(ids[0], NOBODY, ids[0])
        result = results.get(row["public_id"])
        won = points_of(_duel(ids, result)) if result else ()
        winner = next((player for player, points in zip(ids, won, strict=False) if points == 3), None)
        return Played(ids[0], ids[1], winner)

    def ranking(self, stage: int, results: Results) -> tuple[Line | SwissRow, ...]:
        """Return the standings of a stage after its closed rounds, computed as its structure requires.

        Disqualified entrants are left out, and the ranks below them move up.
        """
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
        return reranked([line for line in lines if line.player not in out]) if out else tuple(lines)

    def _bracket_lines(self, stage: int, results: Results) -> list[Line]:
        bracket, slots = self.bracket(stage, results, closed=True)
        played = [slot for slot in slots.values() if slot.state == "played"]
        won, lost = (
            {player: [getattr(slot, side) for slot in played].count(player) for player in self.entered(stage)}
            for side in ("winner", "loser")
        )
        return [
            Line(rank, player, 3 * won[player], {}, (won[player], lost[player], 0))
            for rank, player in places(bracket, slots, self.entered(stage))
        ]

    def _table_lines(self, stage: int, results: Results) -> list[Line]:
        rounds: list[list[multiplayer.Table]] = []
        for round_ in self.shown_rounds(stage, closed=True):
            counted = [(self.ids_at(row), results.get(row["public_id"])) for row in self.matches[round_["number"]]]
            counted_tables = [(ids, result) for ids, result in counted if result is not None]
            if counted_tables:
                rounds.append([
                    tuple(
                        multiplayer.Place(player, score or 0, rank)
                        for player, (rank, score) in zip(ids, result.games, strict=True)
                    )
                    for ids, result in counted_tables
                ])
        return [in_points(line) for line in multiplayer.standings(self.entered(stage), rounds)]
