"""Rows of an event that the ledger tells step by step: rounds and who sits where in them, reports, points, games."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.floor import BRACKETS, Floor
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.events.models import Event
from tournaments.play.merges import Merged, read_merge
from tournaments.play.models import Match, Round
from tournaments.swiss.field import ALONE_POINTS, points_of
from tournaments.swiss.field import Match as Played
from tournaments.swiss.tables import table_points

HAND = "+hand"
GONE = ("round.discarded", "round.follow_undone")
STATUS = {
    "round.paired": Round.Status.DRAFT,
    "round.published": Round.Status.PUBLISHED,
    "round.closed": Round.Status.CLOSED,
    "round.unpublished": Round.Status.DRAFT,
    "round.reopened": Round.Status.PUBLISHED,
}
REPORTED = ("result.reported", "result.entered", "result.ruled")
Tables = list[list[str]]


class Rounds:
    """The rounds of an event as its ledger tells them: the state of each, what it was paired with, and its tables."""

    def __init__(self, ledger: list[Row]) -> None:
        self.status: dict[int, str] = {}
        self.paired: dict[int, Row] = {}
        self.tables: dict[int, Tables] = {}
        self._before: dict[int, Tables] = {}
        for entry in ledger:
            if entry["code"] == "entrant.merged":
                self._merge(read_merge(entry["object"], entry["before"], entry["after"]))
            elif entry["code"].startswith("round."):
                self._take(int(entry["object"][1:]), entry)

    def _take(self, number: int, entry: Row) -> None:
        code, after = entry["code"], entry["after"]
        if code in GONE:
            for kept in (self.status, self.paired, self.tables):
                kept.pop(number, None)
            return
        self.status[number] = STATUS.get(code, self.status.get(number, ""))
        if code == "round.paired":
            self.paired[number] = after
            self.tables[number] = [list(ids) for ids in after["pairs"]]
        elif code == "round.hand_undone":
            self.tables[number] = self._before[number]
        elif code in HANDS:
            tables = self.tables[number]
            self._before[number] = [list(ids) for ids in tables]
            HANDS[code](tables, *after["entrants"])
        elif code == "round.mended":
            self._mend(number, after["changes"])

    def _mend(self, number: int, changes: list[Any]) -> None:
        moved = {player for _table, was, now in changes for player in (*was, *now)}
        stay = [ids for ids in self.tables[number] if not moved.intersection(ids)]
        self.tables[number] = stay + [list(now) for _table, _was, now in changes if now]

    def _merge(self, merged: Merged | None) -> None:
        if merged is None:
            return
        for player, line in merged.lines:
            if [player] in self.tables.get(line.round, []):
                self.tables[line.round].remove([player])
        for number in merged.rounds & self.tables.keys():
            for ids in self.tables[number]:
                ids[:] = [merged.kept if player == merged.gone else player for player in ids]


def _table_of(tables: Tables, player: str) -> list[str]:
    return next(ids for ids in tables if player in ids)


def _exchange(tables: Tables, first: str, second: str) -> None:
    other = {first: second, second: first}
    for ids in tables:
        ids[:] = [other.get(player, player) for player in ids]


def _give_bye(tables: Tables, first: str, second: str) -> None:
    """The first has the bye in place of the second; where the two sat together each has one."""
    together = _table_of(tables, first)
    if second not in together:
        _exchange(tables, first, second)
        return
    tables.remove(together)
    tables += [[first], [second]]


def _seat_together(tables: Tables, first: str, second: str) -> None:
    """Who sat opposite the first changes places with the second; two who have byes get a table."""
    mine, theirs = _table_of(tables, first), _table_of(tables, second)
    opposite = next((player for player in mine if player != first), None)
    if opposite is not None:
        _exchange(tables, opposite, second)
    elif len(theirs) > 1:
        _exchange(tables, first, next(player for player in theirs if player != second))
    else:
        tables.remove(mine)
        tables.remove(theirs)
        tables.append([first, second])


HANDS = {"round.swapped": _exchange, "round.bye_given": _give_bye, "round.seated": _seat_together}


def round_faults(file: EventFile, floor: Floor) -> Faults:
    """Rounds that are not in the state the ledger left them in, or not paired as it tells; and those that are gone."""
    told = Rounds(file["ledger"])
    held = set()
    for line, row in file.numbered("round"):
        number, where = row["number"], f"round {row['number']}"
        held.add(number)
        if number not in told.paired:
            yield Fault("round_unrecorded", line, where)
            continue
        for name, expected in _round_told(row, told).items():
            if row[name] != expected:
                yield Fault("round_unrecorded", line, where, differing(name, expected, row[name]))
        if floor.stages[row["stage"]]["kind"] not in BRACKETS:  # in a bracket a corrected result seats others too
            yield from _seating_faults(floor, row, line, told.tables[number])
    for number in sorted(told.paired.keys() - held):
        yield Fault("record_missing", 0, f"round {number}")


def _round_told(row: Row, told: Rounds) -> Row:
    expected: Row = {"status": told.status[row["number"]], "seed": told.paired[row["number"]]["seed"]}
    if not row["algorithm"].endswith(HAND):
        expected["algorithm"] = told.paired[row["number"]]["algorithm"]
    return expected


def _seating_faults(floor: Floor, row: Row, line: int, tables: Tables) -> Faults:
    """Tables of a round that are others than the ledger tells, whoever chose them."""
    found = Counter(
        tuple(sorted(floor.ids_at(match)))
        for match in floor.matches[row["number"]]
        if match["kind"] != Match.Kind.MISSED
    )
    expected = Counter(tuple(sorted(ids)) for ids in tables)
    for ids in sorted((expected - found).keys()):
        yield Fault("seating_unrecorded", line, f"round {row['number']}", differing("table", " - ".join(ids), ""))
    for ids in sorted((found - expected).keys()):
        yield Fault("seating_unrecorded", line, f"round {row['number']}", differing("table", "", " - ".join(ids)))


def report_faults(file: EventFile) -> Faults:
    """Reports of results that the ledger does not tell, or that it tells and that are gone."""
    matches = {row["public_id"] for row in file["match"]}
    told = Counter(
        _said(entry["object"], entry["at"], entry["actor"], entry["after"])
        for entry in file["ledger"]
        if entry["code"] in REPORTED and entry["object"] in matches
    )
    for line, row in file.numbered("report"):
        said = _said(row["match"], row["at"], row["by"], row)
        if not told[said]:
            yield Fault("report_unrecorded", line, row["match"])
        told[said] -= 1
    for (match, at, _by, _games, _kind), left in sorted(told.items()):
        if left > 0:
            yield Fault("record_missing", 0, match, f"report of {at}")


def _said(match: str, at: str, by: str, what: Row) -> tuple[str, str, str, str, str]:
    return match, at, by, str(what["games"]), what["kind"]


def point_faults(file: EventFile, floor: Floor) -> Faults:
    """Seats whose points are not those of their match's result."""
    lines = {(row["match"], row["number"]): line for line, row in file.numbered("seat")}
    best_of = {row["number"]: row["best_of"] for row in file["stage"]}
    stage_of = {row["number"]: row["stage"] for row in file["round"]}
    for match in file["match"]:
        seats = floor.seats[match["public_id"]]
        expected = _points(match, seats, best_of[stage_of[match["round"]]])
        for seat, values in zip(seats, expected, strict=True):
            for name, value in values.items():
                if seat[name] != value:
                    where = f"{match['public_id']} seat {seat['number']}"
                    line = lines[match["public_id"], seat["number"]]
                    yield Fault("points_differ", line, where, differing(name, value, seat[name]))


def _points(match: Row, seats: list[Row], best_of: int) -> list[Row]:
    """What each seat of a match has by its result."""
    if match["games_drawn"] is None:
        return [{"points": None, "games_won": None, "rank": None, "score": None} for _seat in seats]
    if len(seats) == 1:
        won = best_of // 2 + 1 if match["kind"] == Match.Kind.BYE else 0
        return [{"points": ALONE_POINTS[match["kind"]], "games_won": won}]
    if any(seat["rank"] is not None for seat in seats):
        return [{"points": points} for points in table_points([seat["rank"] for seat in seats])]
    one, two = seats
    games = (one["games_won"] or 0, two["games_won"] or 0, match["games_drawn"])
    played = Played(one["entrant"], two["entrant"], *games, kind=match["kind"])
    return [{"points": points} for points in points_of(played)]


def game_faults(file: EventFile) -> Faults:
    """Games whose evidence is not one that the ledger tells of an audit."""
    told: defaultdict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
    for entry in file["ledger"]:
        if entry["code"] == "game.audited":
            after = entry["after"]
            told[entry["object"], after["game"]].add((after["evidence"], after["report"]))
    for line, row in file.numbered("game"):
        audits = told[row["match"], row["number"]]
        found = (row["evidence"], row["report_digest"])
        if found not in (audits or {("", "")}):
            yield Fault("game_unrecorded", line, f"{row['match']} game {row['number']}", row["evidence"])


def event_faults(file: EventFile) -> Faults:
    """A state of the event that is not the one the ledger told last."""
    line, row = file.numbered("event")[0]
    expected: str = Event.Status.DRAFT
    for entry in file["ledger"]:
        after = entry["after"]
        if entry["object"] == row["public_id"] and isinstance(after, dict) and "status" in after:
            expected = after["status"]
    if row["status"] != expected:
        yield Fault("event_unrecorded", line, row["public_id"], differing("status", expected, row["status"]))


def ledger_end_faults(file: EventFile) -> Faults:
    """Rows that stand on an entry which the ledger does not have: its end was cut off."""
    last: int = file["ledger"][-1]["number"] if file["ledger"] else 0
    counted: Mapping[str, str] = {"stage": "stage", "round": "round"}
    for section, words in counted.items():
        for line, row in file.numbered(section):
            if row["results_version"] > last:
                detail = f"entry #{row['results_version']}, the last is #{last}"
                yield Fault("ledger_cut", line, f"{words} {row['number']}", detail)


def differing(what: str, expected: Any, found: Any) -> str:
    """What was expected and what was found, in few words of ids and numbers."""
    return f"{what}: expected {_shown(expected)}, found {_shown(found)}"[:500]


def _shown(value: Any) -> str:
    return "nothing" if value in (None, "") else str(value)
