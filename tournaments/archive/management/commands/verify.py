"""`manage.py verify EVENT…`, `--all` or `--head FILE`: verify events, ledgers or a signed head in the database.

The exit code is that of the worst finding: 0 if no fault was found, 1 for faults, 2 if something could not be checked.
A fault counts more than something that was not checked.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.archive.faults import Fault, VerificationReport
from tournaments.archive.heads import head_faults
from tournaments.archive.present import verify_event
from tournaments.archive.words import CHECKED, FAULTS, LEFT
from tournaments.common import ledger
from tournaments.common.heads import SignedHead, read_head
from tournaments.common.management import typed
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event

HOLDS, FAULTY, NOT_LOOKED = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Verify events straight from the database: ledger, results, standings, pairings and audits together. "
        "Exit 0 when nothing was found, 1 for faults, 2 when something could not be looked at."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("events", nargs="*", metavar="EVENT", help="public ids of events")
        parser.add_argument("--all", action="store_true", help="every event, and every ledger there is")
        parser.add_argument(
            "--head", metavar="FILE", help="a signed head that was handed out: a file, its JSON, or - to read it"
        )
        parser.add_argument("--replay", action="store_true", help="replay every move log too: slow")
        parser.add_argument("--json", action="store_true", help="the whole report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if sum(map(bool, (options["events"], options["all"], options["head"]))) != 1:
            raise CommandError("name the events, or give --all or --head", returncode=NOT_LOOKED)
        reports: list[dict[str, Any]] = []
        worst = {self._verify(event, options, reports) for event in _ids(options)}
        if options["head"]:
            worst = {self._verify_head(_head(options["head"]), options, reports)}
        if options["all"]:
            worst |= {self._verify_chain(chain, options, reports) for chain in _other_chains()}
        if options["json"]:
            self.stdout.write(json.dumps(reports, indent=1))
        # `max` alone would let "not checked" (2) hide a fault (1).
        code = FAULTY if FAULTY in worst else max(worst, default=HOLDS)
        if code:
            sys.exit(code)

    def _verify(self, public_id: str, options: dict[str, Any], reports: list[dict[str, Any]]) -> int:
        event = Event.objects.filter(public_id=public_id).first()
        if event is None:
            return self._not_looked(public_id, "there is no such event", options, reports)
        try:
            found = verify_event(event, replay=options["replay"])
        except Refusal as refusal:
            return self._not_looked(public_id, f"{refusal.code}: {refusal.message}", options, reports)
        reports.append(found.as_json())
        if not options["json"]:
            self.stdout.write("\n".join(_lines(found)))
        return HOLDS if found.holds else FAULTY

    def _verify_chain(self, chain: str, options: dict[str, Any], reports: list[dict[str, Any]]) -> int:
        """Verify the chain of a ledger that does not belong to an event, such as a league's."""
        faults = list(ledger.faults(chain))
        reports.append({"chain": chain, "holds": not faults, "faults": faults})
        if not options["json"]:
            for fault in faults:
                self.stdout.write(f"{chain}: FAULT {fault}")
            self.stdout.write(f"{chain}: only the chain of its ledger was checked; {_said(len(faults))}")
        return FAULTY if faults else HOLDS

    def _verify_head(self, head: SignedHead, options: dict[str, Any], reports: list[dict[str, Any]]) -> int:
        """Verify that the chain still contains the entry of a head that was handed out earlier."""
        if head.chain not in ledger.chains():
            return self._not_looked(head.chain, "there is no such ledger", options, reports)
        faults = list(head_faults(head))
        reports.append({"head": head.as_json(), "holds": not faults, "faults": [fault.as_json() for fault in faults]})
        if not options["json"]:
            for fault in faults:
                self.stdout.write(_line(head.chain, "FAULT", FAULTS[fault.code], fault))
            self.stdout.write(
                f"{head.chain}: checked the chain of its ledger, and entry {head.number} of the signed head"
            )
            self.stdout.write(f"{head.chain}: {_said(len(faults))}")
        return FAULTY if faults else HOLDS

    def _not_looked(self, public_id: str, why: str, options: dict[str, Any], reports: list[dict[str, Any]]) -> int:
        reports.append({"event": public_id, "not_looked": why})
        if not options["json"]:
            self.stdout.write(f"{public_id}: not checked: {why}")
        return NOT_LOOKED


def _head(given: str) -> SignedHead:
    """Read a head from a file, from standard input (`-`), or from JSON given as the argument itself."""
    try:
        text = (
            sys.stdin.read() if given == "-" else given if given.lstrip().startswith("{") else Path(given).read_text()
        )
        head = read_head(json.loads(text))
    except OSError as error:
        raise CommandError(f"the head cannot be read: {typed.why(error)}", returncode=NOT_LOOKED) from error
    except ValueError as error:
        raise CommandError("the head cannot be read: it is not JSON", returncode=NOT_LOOKED) from error
    if head is None:
        raise CommandError("this is not a signed head", returncode=NOT_LOOKED)
    return head


def _ids(options: dict[str, Any]) -> list[str]:
    if options["all"]:
        return list(Event.objects.order_by("pk").values_list("public_id", flat=True))
    return list(dict.fromkeys(typed.public_id(each) for each in options["events"]))


def _other_chains() -> list[str]:
    # The ledgers that do not belong to an event.
    events = set(Event.objects.values_list("public_id", flat=True))
    return [chain for chain in ledger.chains() if chain not in events]


def _lines(found: VerificationReport) -> Iterator[str]:
    checked = ", ".join(f"{words}: {found.checked[name]}" for name, words in CHECKED.items() if found.checked.get(name))
    for fault in found.faults:
        yield _line(found.event, "FAULT", FAULTS[fault.code], fault)
    if found.faulty > len(found.faults):
        yield f"{found.event}: … and {found.faulty - len(found.faults)} more"
    for fault in found.left:
        yield _line(found.event, "not checked", LEFT[fault.code], fault)
    yield f"{found.event}: checked up to ledger entry {found.entry}. {checked}"
    yield f"{found.event}: {_said(found.faulty)}"


def _line(event: str, mark: str, words: object, fault: Fault) -> str:
    said = "; ".join(part for part in (fault.where, fault.detail) if part)
    return f"{event}: {mark} {words} [{fault.code}] {said}".rstrip()


def _said(faults: int) -> str:
    return {0: "no fault was found in what was checked", 1: "1 fault"}.get(faults, f"{faults} faults")
