"""What if: a log gone on with from one of its moves with a correction, audited, and kept with the dispute.

The log itself is never touched, and no branch is evidence of a game.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.audits import engine_gate
from tournaments.audits.disputes import open_dispute, record_opened
from tournaments.audits.models import Branch, MoveLog
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import own_catalogs

Correction = Branch.Correction
MAX_ENTRIES = 2000  # of a log: its continuation is audited while the judge waits
MAX_BRANCHES = 20  # of a dispute


def open_branch(
    *, log: MoveLog, n: int, correction: str, by: User, now: datetime, entry: Mapping[str, Any] | None = None
) -> Branch:
    """Correct entry `n` of a log (undo it, replace it by `entry`, insert `entry` after it, or swap it with the next
    one) and audit what follows.

    It is kept with the live dispute of the match, which is opened where there is none.
    """
    document = corrected(log.document, n, correction, entry)
    if "\\u0000" in document:  # PostgreSQL keeps none, and the report repeats what it cannot read
        raise InvalidInput("entry_unreadable", _("This entry cannot be read."))
    report = engine_gate.audit(document, own_catalogs(log.game.match.round.stage.event))
    with transaction.atomic():
        dispute, new = open_dispute(match=log.game.match, now=now)
        if dispute.branches.count() >= MAX_BRANCHES:
            raise Refusal("too_many_branches", _("This dispute has twenty branches already."))
        kept = dict(entry) if entry is not None and correction in (Correction.REPLACE, Correction.INSERT) else None
        branch = Branch.objects.create(
            dispute=dispute, log=log, n=n, correction=correction, entry=kept, by=by, at=now, report=report
        )
        if new:
            record_opened(dispute, by=by, now=now)
    return branch


def corrected(document: str, n: int, correction: str, entry: Mapping[str, Any] | None) -> str:
    """The document with its correction: entries numbered anew, hashes left out, take-backs still to the same place.

    A replacement of the same kind without chance keeps the chance of what it replaces.
    """
    log = json.loads(document)
    moves: list[dict[str, Any]] = log["moves"]
    if len(moves) > MAX_ENTRIES:
        raise Refusal("log_too_long", _("A log of more than 2000 moves is not gone on with here."))
    first, last = int(correction != Correction.INSERT), len(moves) - (correction == Correction.SWAP)
    if not first <= n <= last:
        raise InvalidInput("no_such_move", _("The log has no such move."))
    if correction == Correction.UNDO:
        placed = [*moves[: n - 1], *moves[n:]]
    elif correction == Correction.SWAP:
        placed = [*moves[: n - 1], moves[n], moves[n - 1], *moves[n + 1 :]]
    elif entry is None:
        raise InvalidInput("entry_missing", _("Say which move or ruling stands there."))
    elif correction == Correction.REPLACE:
        old = moves[n - 1]
        kept = {"chance": old["chance"]} if "chance" in old and old.get("do") == entry.get("do") else {}
        placed = [*moves[: n - 1], {**kept, **entry}, *moves[n:]]
    else:
        placed = [*moves[:n], dict(entry), *moves[n:]]
    shift = len(placed) - len(moves)
    log["moves"] = [
        {**_moved(move, n, shift if number > n else 0), "n": number}
        for number, move in enumerate(({key: said for key, said in move.items() if key != "h"} for move in placed), 1)
    ]
    return json.dumps(log)


def correction_of(repair: Mapping[str, Any]) -> dict[str, Any]:
    """One of a report's `repairs` as the `n`, `correction` and `entry` of a branch that reads the log so."""
    n, kind = repair["n"], repair["kind"]
    if kind == "missing":
        return {"n": n - 1, "correction": Correction.INSERT, "entry": repair["entry"]}
    if kind in ("doubled", "swapped"):
        return {"n": n, "correction": Correction.UNDO if kind == "doubled" else Correction.SWAP, "entry": None}
    said = repair["entry"]
    if kind == "drawn":
        said = {"chance": [], **said}  # where it has none, the chance of the log must not stay
    return {"n": n, "correction": Correction.REPLACE, "entry": said}


def document_of(branch: Branch) -> str:
    """The corrected log of a branch."""
    return corrected(branch.log.document, branch.n, branch.correction, branch.entry)


def _moved(move: dict[str, Any], n: int, shift: int) -> dict[str, Any]:
    """A take-back behind the correction names its entry by the new number."""
    args = move.get("args")
    if not shift or move.get("do") != "back_to" or not isinstance(args, dict) or type(args.get("n")) is not int:
        return move
    return {**move, "args": {**args, "n": args["n"] + shift if args["n"] > n else args["n"]}}
