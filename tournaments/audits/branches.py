"""What-if branches: a log with one entry corrected, audited, and stored with the dispute of its match.

The log itself never changes, and a branch is never evidence for a game.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from engine import face
from tournaments.accounts.models import User
from tournaments.audits.disputes import open_dispute, record_opened
from tournaments.audits.models import BACK_TO, Branch, MoveLog
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import own_catalogs

Correction = Branch.Correction
MAX_ENTRIES = 2000  # in the log; a branch is audited during the request, while the judge waits
MAX_BRANCHES = 20  # in one dispute
MAX_LINE = 200  # entries with which a game is played on
Correcting = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None  # the entries of a correction


def open_branch(*, log: MoveLog, n: int, correction: str, by: User, now: datetime, entry: Correcting = None) -> Branch:
    """Correct entry `n` of a log, audit the corrected log, and store the branch with the match's dispute.

    `correction` is one of these:

    - "undo": remove the entry
    - "replace": put `entry` in its place
    - "insert": put `entry` after entry `n` (0 for the beginning)
    - "swap": swap it with the next entry
    - "continue": play on after entry `n` with `entry`, a list of at most `MAX_LINE` entries, instead of what followed

    If the match has no live dispute, one is opened.

    Raises Refusal `log_too_long` and `too_many_branches`, InvalidInput `no_such_move`, `entry_missing`,
    `line_too_long` and `entry_unreadable`.
    """
    document = corrected(log.document, n, correction, entry)
    if "\\u0000" in document:  # PostgreSQL cannot store NUL, and the report quotes what it cannot read
        raise InvalidInput("entry_unreadable", _("This entry cannot be read."))
    # Before the transaction, because nothing is computed while a lock is held.
    report = face.audits.audit(document, own_catalogs(log.game.match.round.stage.event))
    with transaction.atomic():
        dispute, new = open_dispute(match=log.game.match, now=now)
        if dispute.branches.count() >= MAX_BRANCHES:
            raise Refusal("too_many_branches", _("This dispute already has twenty branches."))
        used = entry if correction in (Correction.REPLACE, Correction.INSERT, Correction.CONTINUE) else None
        branch = Branch.objects.create(
            dispute=dispute, log=log, n=n, correction=correction, entry=used, by=by, at=now, report=report
        )
        if new:
            record_opened(dispute, by=by, now=now)
    return branch


def corrected(document: str, n: int, correction: str, entry: Correcting) -> str:
    """Return the log's JSON with one entry corrected (see `open_branch`).

    Entries are renumbered and lose their hashes, and later `back_to` entries are adjusted to lead to the same place. A
    replacement with the same verb and no `chance` of its own keeps the old entry's chance.
    """
    log = json.loads(document)
    moves: list[dict[str, Any]] = log["moves"]
    if len(moves) > MAX_ENTRIES:
        raise Refusal("log_too_long", _("A log of more than 2,000 moves cannot be continued here."))
    # What comes after an entry can also come before the first one (after "entry 0"); a swap needs a next entry.
    first = int(correction not in (Correction.INSERT, Correction.CONTINUE))
    if not first <= n <= len(moves) - (correction == Correction.SWAP):
        raise InvalidInput("no_such_move", _("The log has no such move."))
    if correction == Correction.UNDO:
        placed = [*moves[: n - 1], *moves[n:]]
    elif correction == Correction.SWAP:
        placed = [*moves[: n - 1], moves[n], moves[n - 1], *moves[n + 1 :]]
    elif not entry or isinstance(entry, Mapping) == (correction == Correction.CONTINUE):
        raise InvalidInput("entry_missing", _("Choose the move or the ruling to put there."))
    elif not isinstance(entry, Mapping):
        if len(entry) > MAX_LINE:
            raise InvalidInput("line_too_long", _("Add at most 200 moves."))
        placed = [*moves[:n], *(dict(each) for each in entry)]
        log.pop("claimed", None)  # the log's result is not that of another game
    elif correction == Correction.REPLACE:
        old = moves[n - 1]
        chance = {"chance": old["chance"]} if "chance" in old and old.get("do") == entry.get("do") else {}
        placed = [*moves[: n - 1], {**chance, **entry}, *moves[n:]]
    else:
        placed = [*moves[:n], dict(entry), *moves[n:]]
    shift = len(placed) - len(moves)
    log["moves"] = [
        {**_moved(move, n, shift if number > n else 0), "n": number}
        for number, move in enumerate(({key: value for key, value in move.items() if key != "h"} for move in placed), 1)
    ]
    return json.dumps(log)


def correction_of(repair: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments `n`, `correction` and `entry` of `open_branch` that apply one of a report's `repairs`."""
    n, kind = repair["n"], repair["kind"]
    if kind == "missing":  # `n` is the place of the missing entry; insertions name the entry before it
        return {"n": n - 1, "correction": Correction.INSERT, "entry": repair["entry"]}
    if kind in ("doubled", "swapped"):
        return {"n": n, "correction": Correction.UNDO if kind == "doubled" else Correction.SWAP, "entry": None}
    entry = repair["entry"]
    if kind == "drawn":
        entry = {"chance": [], **entry}  # an entry without chance would keep the wrong chance of the log (`corrected`)
    return {"n": n, "correction": Correction.REPLACE, "entry": entry}


def document_of(branch: Branch) -> str:
    """The corrected log of a branch, as JSON text."""
    return corrected(branch.log.document, branch.n, branch.correction, branch.entry)


def _moved(move: dict[str, Any], n: int, shift: int) -> dict[str, Any]:
    """A move, with the target of a `back_to` adjusted by `shift` if that target lies after entry `n`."""
    args = move.get("args")
    if not shift or move.get("do") != BACK_TO or not isinstance(args, dict) or type(args.get("n")) is not int:
        return move
    return {**move, "args": {**args, "n": args["n"] + shift if args["n"] > n else args["n"]}}
