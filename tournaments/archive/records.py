"""What judges did, as the ledger tells it, held against the rows of an event file: calls, deck checks, penalties with
what is lost by them, disputes with their rulings.

A match that was taken away with its round took its calls and checks along; what was given to a player stays.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.events.models import Stage
from tournaments.judging.checks import counted_digest, order_of
from tournaments.judging.models import Call, Penalty
from tournaments.play.models import Loss

BRACKETS = (Stage.Kind.SINGLE_ELIMINATION, Stage.Kind.DOUBLE_ELIMINATION)
COSTS = {Penalty.Level.GAME_LOSS: Loss.What.GAME, Penalty.Level.MATCH_LOSS: Loss.What.MATCH}


class Told:
    """The entries of a ledger by code and object, and the matches that are in the file."""

    def __init__(self, file: EventFile) -> None:
        self.entries: list[Row] = file["ledger"]
        self.of: defaultdict[str, list[Row]] = defaultdict(list)
        self.coded: defaultdict[str, list[Row]] = defaultdict(list)
        for entry in self.entries:
            self.of[entry["object"]].append(entry)
            self.coded[entry["code"]].append(entry)
        self.matches: dict[str, Row] = {row["public_id"]: row for row in file["match"]}

    def of_kind(self, kind: str, object_id: str) -> list[Row]:
        """The entries on an object whose codes begin so."""
        return [entry for entry in self.of[object_id] if entry["code"].startswith(kind)]

    def missing(self, code: str, section: str, held: set[str]) -> Faults:
        """Objects that are told, whose match is in the file, and whose row is not."""
        for entry in self.coded[code]:
            of_match = entry["after"].get("match")
            if entry["object"] not in held and (not of_match or of_match in self.matches):
                yield Fault("record_missing", 0, entry["object"], f"{section} #{entry['number']}")


def record_faults(file: EventFile) -> Faults:
    """Rows of the judges' floor that the ledger does not tell so, and what it tells that is not in the file."""
    told = Told(file)
    yield from _calls(file, told)
    yield from _checks(file, told)
    yield from _penalties(file, told)
    yield from _losses(file, told)
    yield from _disputes(file, told)


def _compared(code: str, line: int, where: str, row: Row, expected: Mapping[str, Any] | None) -> Faults:
    """A fault for a row of which nothing is told, or for the first field that is told otherwise."""
    if expected is None:
        yield Fault(code, line, where)
        return
    wrong = next((name for name, value in expected.items() if row[name] != value), None)
    if wrong is not None:
        yield Fault(code, line, where, wrong)


def _ids(file: EventFile, section: str) -> set[str]:
    return {row["public_id"] for row in file[section]}


# --- calls ----------------------------------------------------------------------------------------------------------


def _calls(file: EventFile, told: Told) -> Faults:
    for line, row in file.numbered("call"):
        expected = _call(told.of_kind("call.", row["public_id"]))
        if expected is not None and row["seat"] is None:
            expected.pop("seat")
        yield from _compared("call_unrecorded", line, row["public_id"], row, expected)
    yield from told.missing("call.made", "call", _ids(file, "call"))


def _call(entries: list[Row]) -> Row | None:
    """A call as its entries make it, one after the other."""
    if not entries or entries[0]["code"] != "call.made":
        return None
    made = entries[0]
    call: Row = {
        "match": made["after"]["match"],
        "seat": [made["after"]["match"], made["after"]["seat"]],
        "by": made["actor"],
        "matter": made["after"]["matter"],
        "called_at": made["at"],
        "status": Call.Status.WAITING,
        "claimed_by": None,
        "claimed_at": None,
        "escalated_at": None,
        "ended_at": None,
    }
    for entry in entries[1:]:
        match entry["code"]:
            case "call.claimed":
                call |= {"status": Call.Status.CLAIMED, "claimed_by": entry["actor"], "claimed_at": entry["at"]}
            case "call.released" | "call.escalated" as code:
                call |= {"status": Call.Status.WAITING, "claimed_by": None, "claimed_at": None}
                call |= {"escalated_at": entry["at"]} if code == "call.escalated" else {}
            case "call.withdrawn":
                call |= {"status": Call.Status.WITHDRAWN, "ended_at": entry["at"]}
            case "call.resolved":
                call |= {"status": Call.Status.RESOLVED, "ended_at": entry["at"]}
    return call


# --- deck checks ----------------------------------------------------------------------------------------------------


def _checks(file: EventFile, told: Told) -> Faults:
    for entry in told.coded["check.drawn"]:
        drawn = entry["after"]
        if drawn["tables"] != order_of(drawn["seed"], drawn["from"])[: len(drawn["tables"])]:
            yield Fault("draw_differs", 0, f"#{entry['number']}")
    others = {row["public_id"] for row in file["deck_check.personal"]}
    for line, row in file.numbered("deck_check"):
        expected = _check(row, told)
        yield from _compared("check_unrecorded", line, row["public_id"], row, expected)
        if expected is not None and row["done_at"] is not None:
            yield from _count(file, row, line, told, row["public_id"] in others)
    yield from told.missing("check.done", "deck_check", _ids(file, "deck_check"))


def _check(row: Row, told: Told) -> Row | None:
    """A deck check as the entries of its opening and of its end make it."""
    match = told.matches[row["match"]]
    opened = [
        entry
        for entry in (*told.coded["check.drawn"], *told.coded["check.opened"])
        if entry["at"] == row["opened_at"]
        and (
            entry["object"] == match["public_id"]
            if row["seed"] is None
            else (entry["object"], entry["after"].get("seed")) == (f"r{match['round']}", row["seed"])
        )
    ]
    if not opened:
        return None
    done = told.of_kind("check.done", row["public_id"])
    if not done:
        return {"by": opened[-1]["actor"], "done_at": None, "counted": {}, "minutes": 0}
    after, listed = done[-1]["after"], row["decklist"]
    return {
        "match": after["match"],
        "entrant": after["entrant"],
        "decklist": listed if listed is None or listed[2:] == [after["version"]] else after["version"],
        "by": done[-1]["actor"],
        "done_at": done[-1]["at"],
        "minutes": after["minutes"],
    }


def _count(file: EventFile, row: Row, line: int, told: Told, others: bool) -> Faults:
    """What was counted is another than the ledger tells, or makes another difference to the list."""
    after = told.of_kind("check.done", row["public_id"])[-1]["after"]
    listed: dict[str, int] = {}
    for decklist in file["decklist"]:
        if [decklist["entrant"], decklist["stage"], decklist["version"]] == row["decklist"]:
            commander = decklist["cards"].get("commander")
            listed = dict(decklist["cards"].get("main", {}))
            if commander:
                listed[commander] = listed.get(commander, 0) + 1
    differs = row["counted"] != listed or others
    unknown = not file.with_names and after["differs"]  # perhaps by cards that are not on the list: they are personal
    changed = after.get("counted") not in (None, counted_digest(row["counted"]))
    if changed or (differs != after["differs"] and not unknown):
        yield Fault("check_unrecorded", line, row["public_id"], "counted")


# --- penalties and what is lost by them -----------------------------------------------------------------------------


def _penalties(file: EventFile, told: Told) -> Faults:
    for line, row in file.numbered("penalty"):
        expected = _penalty(row, told)
        yield from _compared("penalty_unrecorded", line, row["public_id"], row, expected)
        if expected is not None and (row["loss"] is not None) != _costs(row):
            yield Fault("penalty_unrecorded", line, row["public_id"], "loss")
    yield from told.missing("penalty.given", "penalty", _ids(file, "penalty"))


def _costs(penalty: Row) -> bool:
    return penalty["level"] in COSTS and penalty["withdrawn_at"] is None


def _penalty(row: Row, told: Told) -> Row | None:
    given = told.of_kind("penalty.given", row["public_id"])
    if not given:
        return None
    withdrawn = told.of_kind("penalty.withdrawn", row["public_id"])
    after = given[0]["after"]
    match = after["match"] or None
    return {
        **{name: after[name] for name in ("entrant", "infraction", "level", "proposed", "when")},
        "match": match if match in told.matches else None,
        "by": given[0]["actor"],
        "at": given[0]["at"],
        "entry": given[0]["number"],
        "withdrawn_at": withdrawn[0]["at"] if withdrawn else None,
    }


def _losses(file: EventFile, told: Told) -> Faults:
    penalties = {row["loss"]: row for row in file["penalty"] if row["loss"] is not None}
    stages = {row["number"]: row["kind"] for row in file["stage"]}
    rounds = {row["number"]: stages.get(row["stage"]) for row in file["round"]}
    seated = {(row["match"], row["number"]): row["entrant"] for row in file["seat"]}
    carried: defaultdict[str, int] = defaultdict(int)
    held: list[tuple[Any, ...]] = []
    for line, row in file.numbered("loss"):
        penalty = penalties.get(row["public_id"])
        where = row["public_id"]
        if wrong := _loss_fault(row, penalty, told, rounds, seated):
            yield Fault("loss_unrecorded", line, where, wrong)
        if penalty is None and row["seat"]:
            held.append((row["seat"][0], row["entrant"], row["at"]))
        carried[row["entrant"]] += row["carried"]
    for entry in told.coded["table.game_lost"]:
        key = (entry["object"], entry["after"]["entrant"], entry["at"])
        if entry["object"] in told.matches and key not in held:
            yield Fault("record_missing", 0, entry["object"], f"loss #{entry['number']}")
    yield from _waiting_faults(told, carried)


def _loss_fault(
    row: Row, penalty: Row | None, told: Told, rounds: Mapping[int, Any], seated: Mapping[tuple[str, int], str]
) -> str:
    """The first field of a loss that is not as told: by its penalty, the round that it waited for, or lateness."""
    if row["seat"] is not None and seated.get(tuple(row["seat"])) != row["entrant"]:
        return "seat"
    if row["before"] is not None and not _was_told(row, told):
        return "before"
    if penalty is None:
        return _late_fault(row, told)
    if (row["entrant"], row["at"]) != (penalty["entrant"], penalty["at"]):
        return "entrant" if row["entrant"] != penalty["entrant"] else "at"
    given = told.of_kind("penalty.given", penalty["public_id"])
    after = given[0]["after"] if given else {}
    if row["carried"]:
        if row["later"]:
            return "later"
        return "" if row["seat"] is None or _was_served(row, told) else "carried"
    if row["what"] not in (COSTS.get(penalty["level"]), Loss.What.MATCH):
        return "what"
    if row["seat"] is None:
        of_match = told.matches.get(after.get("match", ""))
        waits = penalty["when"] != Penalty.When.NOW or of_match is None or rounds.get(of_match["round"]) in BRACKETS
        return "" if waits and row["game"] is None and not row["later"] else "seat"
    if penalty["when"] == Penalty.When.NEXT_ROUND or row["seat"][0] != after.get("match"):
        return "seat"
    if row["game"] != after.get("game"):
        return "game"
    if row["what"] != (Loss.What.MATCH if row["game"] is None else Loss.What.GAME):
        return "what"
    later = penalty["when"] == Penalty.When.NEXT_GAME and row["game"] is not None
    return "later" if row["later"] != later else ""


def _late_fault(row: Row, told: Told) -> str:
    """A loss without a penalty is that of a player who came late, or who was disqualified at a table of several."""
    if any(entry["at"] == row["at"] for entry in told.of_kind("entrant.disqualified", row["entrant"])):
        return "" if row["what"] == Loss.What.MATCH and row["game"] is None and not row["carried"] else "what"
    at_table = row["seat"][0] if row["seat"] else ""
    late = [
        entry["after"]
        for entry in told.of_kind("table.game_lost", at_table)
        if (entry["after"]["entrant"], entry["at"]) == (row["entrant"], row["at"])
    ]
    if not late or row["later"] or row["carried"]:
        return "seat"
    if row["what"] == Loss.What.GAME and row["game"] not in [each["game"] for each in late]:
        return "game"
    return ""


def _was_served(row: Row, told: Told) -> bool:
    served = [entry["after"] for entry in told.of_kind("penalty.served", row["seat"][0])]
    return {name: row[name] for name in ("entrant", "what", "game")} in served


def _was_told(row: Row, told: Told) -> bool:
    """Whether the result that a loss took the place of is one that the ledger told of that match."""
    return row["seat"] is not None and any(
        isinstance(entry["after"], dict) and {name: entry["after"].get(name) for name in row["before"]} == row["before"]
        for entry in told.of_kind("result.", row["seat"][0])
    )


def _waiting_faults(told: Told, carried: Mapping[str, int]) -> Faults:
    """Losses that were served more often than rows say: one of them was set back to waiting, or is not there."""
    withdrawn = [(entry["before"]["entrant"], entry["number"]) for entry in told.coded["penalty.withdrawn"]]
    for entrant, served in _served(told).items():
        taken_back = sum(who == entrant and number > min(served) for who, number in withdrawn)
        if len(served) > carried[entrant] + taken_back:
            yield Fault("record_missing", 0, entrant, f"loss #{served[-1]}")


def _served(told: Told) -> Mapping[str, list[int]]:
    """The entries that tell of served losses, by entrant: those in rounds that were not taken back since."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for entry in told.coded["penalty.served"]:
        match = told.matches.get(entry["object"])
        if match is None:
            continue
        undone = told.of_kind("round.unpublished", f"r{match['round']}")
        if not any(each["number"] > entry["number"] for each in undone):
            found[entry["after"]["entrant"]].append(entry["number"])
    return found


# --- disputes and their rulings -------------------------------------------------------------------------------------


def _disputes(file: EventFile, told: Told) -> Faults:
    opened = defaultdict(set)
    for row in file["branch"]:
        opened[row["dispute"]].add(row["at"])
    for line, row in file.numbered("dispute"):
        where = row["public_id"]
        entries = told.of_kind("dispute.", where)
        starts = opened[where] | {entry["at"] for entry in entries if entry["code"] != "dispute.appealed"}
        if row["opened_at"] not in starts:
            yield Fault("dispute_unrecorded", line, where, "opened_at")
        yield from _compared("dispute_unrecorded", line, where, row, _dispute(row, entries))
    for code in ("dispute.claimed", "dispute.opened", "dispute.ruled"):
        yield from told.missing(code, "dispute", _ids(file, "dispute"))
    yield from _rulings(file, told)


def _dispute(row: Row, entries: list[Row]) -> Row:
    """A dispute as its entries make it; one that a branch opened has none in older ledgers."""
    appeals = [entry for entry in entries if entry["code"] == "dispute.appealed"]
    last = entries[-1]["code"] if entries else "dispute.claimed"
    status = {"dispute.ruled": "ruled", "dispute.appealed": "appealed"}.get(last, "open")
    return {
        "match": entries[0]["after"]["match"] if entries else row["match"],
        "status": status,
        "appealed_by": appeals[-1]["actor"] if appeals else None,
        "appealed_at": appeals[-1]["at"] if appeals else None,
    }


def _rulings(file: EventFile, told: Told) -> Faults:
    entries = {entry["number"]: entry for entry in told.coded["dispute.ruled"]}
    for line, row in file.numbered("ruling"):
        where = f"{row['dispute']} {row['number']}"
        yield from _compared("ruling_unrecorded", line, where, row, _ruling(entries.get(row["entry"]), told))
    disputes, ruled = _ids(file, "dispute"), {row["entry"] for row in file["ruling"]}
    for number, entry in entries.items():
        if entry["object"] in disputes and number not in ruled:
            yield Fault("record_missing", 0, entry["object"], f"ruling #{number}")


def _ruling(entry: Row | None, told: Told) -> Row | None:
    """A ruling as its entry tells it; older entries say not whether a head judge ruled."""
    if entry is None:
        return None
    after = entry["after"]
    same = ("decision", "games", "kind", "game", "state", *(["head"] if "head" in after else []))
    before = list(_before(entry, told))
    return {
        "dispute": entry["object"],
        "number": len(before) + 1,
        "by": entry["actor"],
        "at": entry["at"],
        **{name: after.get(name) for name in same},
    }


def _before(entry: Row, told: Told) -> Iterator[Row]:
    return (each for each in told.of_kind("dispute.ruled", entry["object"]) if each["number"] < entry["number"])
