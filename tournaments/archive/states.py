"""Checks of rounds, seatings, reports, points and games against what the ledger recorded.

Whatever the ledger records step by step is replayed from its entries, and the result is compared with the rows of the
file. Each `…_faults` function yields the differences.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.archive.tournament import BRACKETS, BROUGHT_IN, Tournament, plays_by_boards
from tournaments.events.models import Event
from tournaments.play.merged_entrants import Merged, read_merge
from tournaments.play.models import Match, Round
from tournaments.swiss.field import ALONE_POINTS, points_of
from tournaments.swiss.field import Match as Played
from tournaments.swiss.tables import table_points
from tournaments.swiss.teams import boards_won

HAND = "+hand"  # ends the algorithm of a round whose pairings were changed by hand
GONE = ("round.discarded", "round.follow_undone")  # the round no longer exists after these
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
    """The rounds of an event, replayed from its ledger: `status`, `paired` and `tables` by round number.

    `paired` is the data of the `round.paired` or `round.brought` entry, `tables` the entrants at each table, byes
    included.
    """

    def __init__(self, ledger: list[Row]) -> None:
        self.status: dict[int, str] = {}
        self.paired: dict[int, Row] = {}
        self.tables: dict[int, Tables] = {}
        self._before: dict[int, Tables] = {}  # tables before the last manual change: only that one can be undone
        for entry in ledger:
            if entry["code"] == "entrant.merged":
                self._merge(read_merge(entry["object"], entry["before"], entry["after"]))
            elif entry["code"].startswith("round."):
                self._apply(int(entry["object"][1:]), entry)

    def _apply(self, number: int, entry: Row) -> None:
        code, after = entry["code"], entry["after"]
        if code in GONE:
            for kept in (self.status, self.paired, self.tables):
                kept.pop(number, None)
            return
        self.status[number] = STATUS.get(code, self.status.get(number, ""))
        if code == BROUGHT_IN:
            self.status[number] = after["status"]
        if code in ("round.paired", BROUGHT_IN):
            self.paired[number] = after
            self.tables[number] = [list(ids) for ids in after["pairs"]]
        elif code == "round.hand_undone":
            self.tables[number] = self._before[number]
        elif code in MANUAL_EDITS:
            tables = self.tables[number]
            self._before[number] = [list(ids) for ids in tables]
            MANUAL_EDITS[code](tables, *after["entrants"])
        elif code == "round.mended":
            self._repair(number, after["changes"])

    def _repair(self, number: int, changes: list[Any]) -> None:
        # Apply a repair of the round; `changes` are (table, entrants before, entrants after).
        moved = {player for _table, was, now in changes for player in (*was, *now)}
        stay = [ids for ids in self.tables[number] if not moved.intersection(ids)]
        self.tables[number] = stay + [list(now) for _table, _was, now in changes if now]

    def _merge(self, merged: Merged | None) -> None:
        # Put the kept entrant in place of the merged one, and remove the byes that the merge removed.
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
    """Give the bye of `second` to `first`; if they sat at the same table, both get a bye."""
    together = _table_of(tables, first)
    if second not in together:
        _exchange(tables, first, second)
        return
    tables.remove(together)
    tables += [[first], [second]]


def _seat_together(tables: Tables, first: str, second: str) -> None:
    """Seat two players at one table.

    The opponent of `first` swaps seats with `second`. If `first` has a bye, they swap seats with the opponent of
    `second` instead; if both have byes, they get a new table.
    """
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


MANUAL_EDITS = {"round.swapped": _exchange, "round.bye_given": _give_bye, "round.seated": _seat_together}


def round_faults(file: EventFile, tournament: Tournament) -> Faults:
    """Yield rounds whose state, seed, algorithm or seating differs from the ledger, and rounds that are missing."""
    recorded = Rounds(file["ledger"])
    present = set()
    for line, row in file.numbered("round"):
        number, where = row["number"], f"round {row['number']}"
        present.add(number)
        if number not in recorded.paired:
            yield Fault("round_unrecorded", line, where)
            continue
        for name, expected in _recorded_fields(row, recorded).items():
            if row[name] != expected:
                yield Fault("round_unrecorded", line, where, differing(name, expected, row[name]))
        # In a bracket, correcting a result also reseats a later round, and `round.paired` does not have these tables.
        if tournament.stages[row["stage"]]["kind"] not in BRACKETS:
            yield from _seating_faults(tournament, row, line, recorded.tables[number])
    for number in sorted(recorded.paired.keys() - present):
        yield Fault("record_missing", 0, f"round {number}")


def _recorded_fields(row: Row, recorded: Rounds) -> Row:
    # The fields of a round that the ledger determines. A manual change adds `+hand` to the algorithm it recorded.
    expected: Row = {"status": recorded.status[row["number"]], "seed": recorded.paired[row["number"]]["seed"]}
    if not row["algorithm"].endswith(HAND):
        expected["algorithm"] = recorded.paired[row["number"]]["algorithm"]
    return expected


def _seating_faults(tournament: Tournament, row: Row, line: int, tables: Tables) -> Faults:
    """Yield the tables that differ from the ledger, whether they were paired automatically or by hand."""
    found = Counter(
        tuple(sorted(tournament.ids_at(match)))
        for match in tournament.matches[row["number"]]
        if match["kind"] != Match.Kind.MISSED
    )
    expected = Counter(tuple(sorted(ids)) for ids in tables)
    for ids in sorted((expected - found).keys()):
        yield Fault("seating_unrecorded", line, f"round {row['number']}", differing("table", " - ".join(ids), ""))
    for ids in sorted((found - expected).keys()):
        yield Fault("seating_unrecorded", line, f"round {row['number']}", differing("table", "", " - ".join(ids)))


def report_faults(file: EventFile) -> Faults:
    """Yield reports of results that the ledger did not record, and recorded ones that are missing.

    Entries about matches that are not in the file are skipped: those matches went away with a discarded round.
    """
    matches = {row["public_id"] for row in file["match"]}
    recorded = Counter(
        _report_key(entry["object"], entry["at"], entry["actor"], entry["after"])
        for entry in file["ledger"]
        if entry["code"] in REPORTED and entry["object"] in matches
    )
    for line, row in file.numbered("report"):
        key = _report_key(row["match"], row["at"], row["by"], row)
        if not recorded[key]:
            yield Fault("report_unrecorded", line, row["match"])
        recorded[key] -= 1
    for (match, at, _by, _games, _kind), left in sorted(recorded.items()):
        if left > 0:
            yield Fault("record_missing", 0, match, f"report of {at}")


def board_report_faults(file: EventFile) -> Faults:
    """Yield reports of single boards that the ledger did not record.

    None is said to be missing: a corrected bracket opens the boards of a later match again, without their reports.
    """
    recorded = Counter(
        (entry["object"], entry["after"]["board"], entry["at"], entry["actor"], str(entry["after"]["games"]))
        for entry in file["ledger"]
        if entry["code"] == "result.board_reported"
    )
    for line, row in file.numbered("board_report"):
        match, number = row["board"]
        key = match, number, row["at"], row["by"], str(row["games"])
        if not recorded[key]:
            yield Fault("report_unrecorded", line, f"{match} board {number}")
        recorded[key] -= 1


def _report_key(match: str, at: str, by: str, what: Row) -> tuple[str, str, str, str, str]:
    # What identifies a report; `games` as text, since a list is not hashable.
    return match, at, by, str(what["games"]), what["kind"]


def point_faults(file: EventFile, tournament: Tournament) -> Faults:
    """Yield seats whose points differ from what the result of their match gives."""
    lines = {(row["match"], row["number"]): line for line, row in file.numbered("seat")}
    boards_decide = plays_by_boards(file.event)
    best_of = {row["number"]: file.event["team_size"] if boards_decide else row["best_of"] for row in file["stage"]}
    stage_of = {row["number"]: row["stage"] for row in file["round"]}
    for match in file["match"]:
        seats = tournament.seats[match["public_id"]]
        expected = _points(match, seats, best_of[stage_of[match["round"]]])
        if boards := tournament.games_by_board(match["public_id"]):
            # The boards are added up anew: what the seats say has to follow from them.
            expected = [{**values, "games_won": won} for values, won in zip(expected, boards_won(boards), strict=False)]
        for seat, values in zip(seats, expected, strict=True):
            for name, value in values.items():
                if seat[name] != value:
                    where = f"{match['public_id']} seat {seat['number']}"
                    line = lines[match["public_id"], seat["number"]]
                    yield Fault("points_differ", line, where, differing(name, value, seat[name]))


def _points(match: Row, seats: list[Row], best_of: int) -> list[Row]:
    """The values that each seat must have, given the result of the match."""
    if match["games_drawn"] is None:
        return [{"points": None, "games_won": None, "rank": None, "score": None} for _seat in seats]
    if len(seats) == 1:
        won = best_of // 2 + 1 if match["kind"] == Match.Kind.BYE else 0
        return [{"points": ALONE_POINTS[match["kind"]], "games_won": won}]
    if any(seat["rank"] is not None for seat in seats):  # a table of three or more: they have ranks, not games
        return [{"points": points} for points in table_points([seat["rank"] for seat in seats])]
    one, two = seats
    games = (one["games_won"] or 0, two["games_won"] or 0, match["games_drawn"])
    played = Played(one["entrant"], two["entrant"], *games, kind=match["kind"])
    return [{"points": points} for points in points_of(played)]


def game_faults(file: EventFile) -> Faults:
    """Yield games whose evidence and report digest match none of their audits in the ledger.

    A game that was never audited must have neither.
    """
    recorded: defaultdict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
    for entry in file["ledger"]:
        if entry["code"] in ("game.audited", "game.evidence_withdrawn"):
            after = entry["after"]
            recorded[entry["object"], after["game"]].add((after["evidence"], after["report"]))
    for line, row in file.numbered("game"):
        audits = recorded[row["match"], row["number"]]
        found = (row["evidence"], row["report_digest"])
        if found not in (audits or {("", "")}):
            yield Fault("game_unrecorded", line, f"{row['match']} game {row['number']}", row["evidence"])


def event_faults(file: EventFile) -> Faults:
    """Yield a fault if the state of the event is not the last one that the ledger recorded."""
    line, row = file.numbered("event")[0]
    expected: str = Event.Status.DRAFT
    for entry in file["ledger"]:
        after = entry["after"]
        if entry["object"] == row["public_id"] and isinstance(after, dict) and "status" in after:
            expected = after["status"]
    if row["status"] != expected:
        yield Fault("event_unrecorded", line, row["public_id"], differing("status", expected, row["status"]))


def ledger_end_faults(file: EventFile) -> Faults:
    """Yield stages and rounds that depend on an entry beyond the end of the ledger: its end was cut off."""
    last: int = file["ledger"][-1]["number"] if file["ledger"] else 0
    counted: Mapping[str, str] = {"stage": "stage", "round": "round"}
    for section, words in counted.items():
        for line, row in file.numbered(section):
            if row["results_version"] > last:
                detail = f"entry #{row['results_version']}, the last is #{last}"
                yield Fault("ledger_cut", line, f"{words} {row['number']}", detail)


def differing(what: str, expected: Any, found: Any) -> str:
    """A short text of an expected and a found value, for the `detail` of a fault; at most 500 characters."""
    return f"{what}: expected {_shown(expected)}, found {_shown(found)}"[:500]


def _shown(value: Any) -> str:
    return "nothing" if value in (None, "") else str(value)
