"""Checks of judge calls, deck checks, penalties, losses, disputes and rulings against what the ledger recorded.

For each row, the expected values are rebuilt from the ledger entries and compared field by field. When a round is
discarded, its matches go away, and with them their calls and deck checks; penalties stay, since they belong to players.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.archive.tournament import plays_by_boards
from tournaments.events.models import Stage
from tournaments.judging.checks import counted_digest, order_of
from tournaments.judging.models import Call, Penalty
from tournaments.play.models import Loss

BRACKETS = (Stage.Kind.SINGLE_ELIMINATION, Stage.Kind.DOUBLE_ELIMINATION)
COSTS = {Penalty.Level.GAME_LOSS: Loss.What.GAME, Penalty.Level.MATCH_LOSS: Loss.What.MATCH}


class LedgerIndex:
    """The entries of the ledger by object (`by_object`) and by code (`by_code`), and the matches of the file by id."""

    def __init__(self, file: EventFile) -> None:
        self.entries: list[Row] = file["ledger"]
        self.by_object: defaultdict[str, list[Row]] = defaultdict(list)
        self.by_code: defaultdict[str, list[Row]] = defaultdict(list)
        for entry in self.entries:
            self.by_object[entry["object"]].append(entry)
            self.by_code[entry["code"]].append(entry)
        self.matches: dict[str, Row] = {row["public_id"]: row for row in file["match"]}

    def of_kind(self, kind: str, object_id: str) -> list[Row]:
        """The entries about an object whose codes start with `kind`, oldest first."""
        return [entry for entry in self.by_object[object_id] if entry["code"].startswith(kind)]

    def missing(self, code: str, section: str, present: set[str]) -> Faults:
        """Yield a fault for each object that the ledger created (by `code`) and that has no row.

        Objects whose match is not in the file are skipped: they went away with it.
        """
        for entry in self.by_code[code]:
            of_match = entry["after"].get("match")
            if entry["object"] not in present and (not of_match or of_match in self.matches):
                yield Fault("record_missing", 0, entry["object"], f"{section} #{entry['number']}")


def record_faults(file: EventFile) -> Faults:
    """Yield rows about judging that differ from the ledger, and recorded objects that have no row."""
    ledger = LedgerIndex(file)
    yield from _calls(file, ledger)
    yield from _checks(file, ledger)
    yield from _penalties(file, ledger)
    yield from _losses(file, ledger)
    yield from _disputes(file, ledger)


def _compared(code: str, line: int, where: str, row: Row, expected: Mapping[str, Any] | None) -> Faults:
    """Yield a fault if nothing was recorded about the row (`expected` is None), or for the first field that differs."""
    if expected is None:
        yield Fault(code, line, where)
        return
    wrong = next((name for name, value in expected.items() if row[name] != value), None)
    if wrong is not None:
        yield Fault(code, line, where, wrong)


def _ids(file: EventFile, section: str) -> set[str]:
    return {row["public_id"] for row in file[section]}


# --- calls ----------------------------------------------------------------------------------------------------------


def _calls(file: EventFile, ledger: LedgerIndex) -> Faults:
    for line, row in file.numbered("call"):
        expected = _call(ledger.of_kind("call.", row["public_id"]))
        if expected is not None and row["seat"] is None:  # the seat may go away while the call stays
            expected.pop("seat")
        yield from _compared("call_unrecorded", line, row["public_id"], row, expected)
    yield from ledger.missing("call.made", "call", _ids(file, "call"))


def _call(entries: list[Row]) -> Row | None:
    """The fields of a call, built from its entries one after the other; None unless the first one made the call."""
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


def _checks(file: EventFile, ledger: LedgerIndex) -> Faults:
    for entry in ledger.by_code["check.drawn"]:
        drawn = entry["after"]
        # The seed determines the selection, so anybody can draw the tables again.
        if drawn["tables"] != order_of(drawn["seed"], drawn["from"])[: len(drawn["tables"])]:
            yield Fault("draw_differs", 0, f"#{entry['number']}")
    others = {row["public_id"] for row in file["deck_check.personal"]}
    for line, row in file.numbered("deck_check"):
        expected = _check(row, ledger)
        yield from _compared("check_unrecorded", line, row["public_id"], row, expected)
        if expected is not None and row["done_at"] is not None:
            yield from _count(file, row, line, ledger, row["public_id"] in others)
    yield from ledger.missing("check.done", "deck_check", _ids(file, "deck_check"))


def _check(row: Row, ledger: LedgerIndex) -> Row | None:
    """The fields of a deck check, built from the entries that opened and finished it; None if no entry opened it.

    A check of a chosen table (no seed) is recorded on its match; a random selection is recorded on the round, with its
    seed.
    """
    match = ledger.matches[row["match"]]
    opened = [
        entry
        for entry in (*ledger.by_code["check.drawn"], *ledger.by_code["check.opened"])
        if entry["at"] == row["opened_at"]
        and (
            entry["object"] == match["public_id"]
            if row["seed"] is None
            else (entry["object"], entry["after"].get("seed")) == (f"r{match['round']}", row["seed"])
        )
    ]
    if not opened:
        return None
    done = ledger.of_kind("check.done", row["public_id"])
    if not done:
        return {"by": opened[-1]["actor"], "done_at": None, "counted": {}, "minutes": 0}
    after, listed = done[-1]["after"], row["decklist"]
    # The ledger has only the version of the decklist, while the row has [entrant, stage, version]. If the versions
    # differ, the bare version is expected, which never equals the row's value.
    return {
        "match": after["match"],
        "entrant": after["entrant"],
        "member": [after["entrant"], after["member"]] if "member" in after else None,
        "decklist": listed if listed is None or listed[2:] == [after["version"]] else after["version"],
        "by": done[-1]["actor"],
        "done_at": done[-1]["at"],
        "minutes": after["minutes"],
    }


def _count(file: EventFile, row: Row, line: int, ledger: LedgerIndex, others: bool) -> Faults:
    """Yield a fault if the counted cards differ from the ledger, or if `differs` does not follow from the decklist.

    `others` says whether the personal part names cards that are not on the decklist.
    """
    after = ledger.of_kind("check.done", row["public_id"])[-1]["after"]
    listed: dict[str, int] = {}
    for decklist in file["decklist"]:
        if [decklist["entrant"], decklist["stage"], decklist["version"]] == row["decklist"]:
            commander = decklist["cards"].get("commander")
            listed = dict(decklist["cards"].get("main", {}))
            if commander:
                listed[commander] = listed.get(commander, 0) + 1
    differs = row["counted"] != listed or others
    # Without the personal part nobody can tell whether the difference came from cards that are not on the decklist.
    unknown = not file.with_names and after["differs"]
    changed = after.get("counted") not in (None, counted_digest(row["counted"]))  # older entries have no digest
    if changed or (differs != after["differs"] and not unknown):
        yield Fault("check_unrecorded", line, row["public_id"], "counted")


# --- penalties and the losses they cause ----------------------------------------------------------------------------


def _penalties(file: EventFile, ledger: LedgerIndex) -> Faults:
    boards = plays_by_boards(file.event)
    for line, row in file.numbered("penalty"):
        expected = _penalty(row, ledger)
        yield from _compared("penalty_unrecorded", line, row["public_id"], row, expected)
        if expected is not None and (row["loss"] is not None) != _costs(row, boards=boards):
            yield Fault("penalty_unrecorded", line, row["public_id"], "loss")
    yield from ledger.missing("penalty.given", "penalty", _ids(file, "penalty"))


def _costs(penalty: Row, *, boards: bool) -> bool:
    # Whether a penalty must have a loss. Where teams play by boards, a lost game is in the result of its board.
    in_its_result = boards and penalty["level"] == Penalty.Level.GAME_LOSS
    return penalty["level"] in COSTS and not in_its_result and penalty["withdrawn_at"] is None


def _penalty(row: Row, ledger: LedgerIndex) -> Row | None:
    # The fields of a penalty, built from its entries; None if it was never given.
    given = ledger.of_kind("penalty.given", row["public_id"])
    if not given:
        return None
    withdrawn = ledger.of_kind("penalty.withdrawn", row["public_id"])
    after = given[0]["after"]
    match = after["match"] or None
    return {
        **{name: after[name] for name in ("entrant", "infraction", "level", "proposed", "when")},
        "match": match if match in ledger.matches else None,  # a penalty outlives a match discarded with its round
        "by": given[0]["actor"],
        "at": given[0]["at"],
        "entry": given[0]["number"],
        "withdrawn_at": withdrawn[0]["at"] if withdrawn else None,
    }


def _losses(file: EventFile, ledger: LedgerIndex) -> Faults:
    penalties = {row["loss"]: row for row in file["penalty"] if row["loss"] is not None}
    stages = {row["number"]: row["kind"] for row in file["stage"]}
    rounds = {row["number"]: stages.get(row["stage"]) for row in file["round"]}
    seated = {(row["match"], row["number"]): row["entrant"] for row in file["seat"]}
    carried: defaultdict[str, int] = defaultdict(int)
    present: list[tuple[Any, ...]] = []
    for line, row in file.numbered("loss"):
        penalty = penalties.get(row["public_id"])
        where = row["public_id"]
        if wrong := _loss_fault(row, penalty, ledger, rounds, seated):
            yield Fault("loss_unrecorded", line, where, wrong)
        if penalty is None and row["seat"]:
            present.append((row["seat"][0], row["entrant"], row["at"]))
        carried[row["entrant"]] += row["carried"]
    for entry in ledger.by_code["table.game_lost"]:
        key = (entry["object"], entry["after"]["entrant"], entry["at"])
        if entry["object"] in ledger.matches and key not in present:
            yield Fault("record_missing", 0, entry["object"], f"loss #{entry['number']}")
    yield from _waiting_faults(ledger, carried)


def _loss_fault(
    row: Row, penalty: Row | None, ledger: LedgerIndex, rounds: Mapping[int, Any], seated: Mapping[tuple[str, int], str]
) -> str:
    """The first field of a loss that contradicts the ledger; empty if there is none.

    A loss is due to a penalty (served at once, or carried to a later round) or, without one, to lateness or a
    disqualification. `rounds` gives the kind of the stage by round number, `seated` the entrant by match and seat.
    """
    if row["seat"] is not None and seated.get(tuple(row["seat"])) != row["entrant"]:
        return "seat"
    if row["before"] is not None and not _was_recorded(row, ledger):
        return "before"
    if penalty is None:
        return _late_fault(row, ledger)
    if (row["entrant"], row["at"]) != (penalty["entrant"], penalty["at"]):
        return "entrant" if row["entrant"] != penalty["entrant"] else "at"
    given = ledger.of_kind("penalty.given", penalty["public_id"])
    after = given[0]["after"] if given else {}
    if row["carried"]:
        if row["later"]:
            return "later"
        return "" if row["seat"] is None or _was_served(row, ledger) else "carried"
    if row["what"] not in (COSTS.get(penalty["level"]), Loss.What.MATCH):
        return "what"
    if row["seat"] is None:  # it waits for a round in which the entrant has an opponent
        of_match = ledger.matches.get(after.get("match", ""))
        waits = penalty["when"] != Penalty.When.NOW or of_match is None or rounds.get(of_match["round"]) in BRACKETS
        return "" if waits and row["game"] is None and not row["later"] else "seat"
    if penalty["when"] == Penalty.When.NEXT_ROUND or row["seat"][0] != after.get("match"):
        return "seat"
    if row["game"] != after.get("game"):
        return "game"
    # In a match of one game, the loss of the game is the loss of the match and has no game number.
    if row["what"] != (Loss.What.MATCH if row["game"] is None else Loss.What.GAME):
        return "what"
    later = penalty["when"] == Penalty.When.NEXT_GAME and row["game"] is not None
    return "later" if row["later"] != later else ""


def _late_fault(row: Row, ledger: LedgerIndex) -> str:
    """The first wrong field of a loss without a penalty; empty if there is none.

    Such a loss belongs to a player who was late, or who was disqualified at a table of three or more.
    """
    if any(entry["at"] == row["at"] for entry in ledger.of_kind("entrant.disqualified", row["entrant"])):
        return "" if row["what"] == Loss.What.MATCH and row["game"] is None and not row["carried"] else "what"
    at_table = row["seat"][0] if row["seat"] else ""
    late = [
        entry["after"]
        for entry in ledger.of_kind("table.game_lost", at_table)
        if (entry["after"]["entrant"], entry["at"]) == (row["entrant"], row["at"])
    ]
    if not late or row["later"] or row["carried"]:
        return "seat"
    if row["what"] == Loss.What.GAME and row["game"] not in [each["game"] for each in late]:
        return "game"
    return ""


def _was_served(row: Row, ledger: LedgerIndex) -> bool:
    # Whether the ledger recorded that this loss was served at the match of its seat.
    served = [entry["after"] for entry in ledger.of_kind("penalty.served", row["seat"][0])]
    return {name: row[name] for name in ("entrant", "what", "game")} in served


def _was_recorded(row: Row, ledger: LedgerIndex) -> bool:
    """Whether the result that the loss replaced (`before`) is one that the ledger recorded for that match."""
    return row["seat"] is not None and any(
        isinstance(entry["after"], dict) and {name: entry["after"].get(name) for name in row["before"]} == row["before"]
        for entry in ledger.of_kind("result.", row["seat"][0])
    )


def _waiting_faults(ledger: LedgerIndex, carried: Mapping[str, int]) -> Faults:
    """Yield a fault for each entrant with more served losses in the ledger than carried rows.

    One of the rows was then reset to waiting, or is missing. Withdrawing a penalty removes its loss legitimately.
    """
    withdrawn = [(entry["before"]["entrant"], entry["number"]) for entry in ledger.by_code["penalty.withdrawn"]]
    for entrant, served in _served(ledger).items():
        taken_back = sum(who == entrant and number > min(served) for who, number in withdrawn)
        if len(served) > carried[entrant] + taken_back:
            yield Fault("record_missing", 0, entrant, f"loss #{served[-1]}")


def _served(ledger: LedgerIndex) -> Mapping[str, list[int]]:
    """The numbers of the `penalty.served` entries by entrant, without rounds that were unpublished afterwards."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for entry in ledger.by_code["penalty.served"]:
        match = ledger.matches.get(entry["object"])
        if match is None:
            continue
        undone = ledger.of_kind("round.unpublished", f"r{match['round']}")
        if not any(each["number"] > entry["number"] for each in undone):
            found[entry["after"]["entrant"]].append(entry["number"])
    return found


# --- disputes and their rulings -------------------------------------------------------------------------------------


def _disputes(file: EventFile, ledger: LedgerIndex) -> Faults:
    opened = defaultdict(set)  # a branch that a judge tries out may open a dispute, too
    for row in file["branch"]:
        opened[row["dispute"]].add(row["at"])
    for line, row in file.numbered("dispute"):
        where = row["public_id"]
        entries = ledger.of_kind("dispute.", where)
        starts = opened[where] | {entry["at"] for entry in entries if entry["code"] != "dispute.appealed"}
        if row["opened_at"] not in starts:
            yield Fault("dispute_unrecorded", line, where, "opened_at")
        yield from _compared("dispute_unrecorded", line, where, row, _dispute(row, entries))
    for code in ("dispute.claimed", "dispute.opened", "dispute.ruled"):
        yield from ledger.missing(code, "dispute", _ids(file, "dispute"))
    yield from _rulings(file, ledger)


def _dispute(row: Row, entries: list[Row]) -> Row:
    """The fields of a dispute, built from its entries. In older ledgers, one opened by a branch has no entries."""
    appeals = [entry for entry in entries if entry["code"] == "dispute.appealed"]
    last = entries[-1]["code"] if entries else "dispute.claimed"
    status = {"dispute.ruled": "ruled", "dispute.appealed": "appealed"}.get(last, "open")
    return {
        "match": entries[0]["after"]["match"] if entries else row["match"],
        "status": status,
        "appealed_by": appeals[-1]["actor"] if appeals else None,
        "appealed_at": appeals[-1]["at"] if appeals else None,
    }


def _rulings(file: EventFile, ledger: LedgerIndex) -> Faults:
    entries = {entry["number"]: entry for entry in ledger.by_code["dispute.ruled"]}
    for line, row in file.numbered("ruling"):
        where = f"{row['dispute']} {row['number']}"
        yield from _compared("ruling_unrecorded", line, where, row, _ruling(entries.get(row["entry"]), ledger))
    disputes, ruled = _ids(file, "dispute"), {row["entry"] for row in file["ruling"]}
    for number, entry in entries.items():
        if entry["object"] in disputes and number not in ruled:
            yield Fault("record_missing", 0, entry["object"], f"ruling #{number}")


def _ruling(entry: Row | None, ledger: LedgerIndex) -> Row | None:
    """The fields of a ruling, built from its entry. Older entries do not say whether a head judge ruled."""
    if entry is None:
        return None
    after = entry["after"]
    same = ("decision", "games", "kind", "game", "state", *(["head"] if "head" in after else []))
    before = list(_before(entry, ledger))
    return {
        "dispute": entry["object"],
        "number": len(before) + 1,
        "by": entry["actor"],
        "at": entry["at"],
        **{name: after.get(name) for name in same},
    }


def _before(entry: Row, ledger: LedgerIndex) -> Iterator[Row]:
    # The earlier rulings on the same dispute.
    return (each for each in ledger.of_kind("dispute.ruled", entry["object"]) if each["number"] < entry["number"])
