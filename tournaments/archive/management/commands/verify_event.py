"""`manage.py verify_event FILE`: verify an event file. Reads nothing from the database.

The exit code is 0 if everything holds, 1 if there are faults, 2 if the file cannot be read.
"""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.archive.faults import Fault, VerificationReport
from tournaments.archive.lines import Unreadable
from tournaments.archive.verification import verify
from tournaments.common.management.typed import why


class Command(BaseCommand):
    help = "Verify an event file: exit 0 when everything holds, 1 when something does not, 2 when it cannot be read."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="as it came, or packed by gzip")
        parser.add_argument("--json", action="store_true", help="the whole report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with options["file"].open("rb") as stream:
                found = verify(stream, progress=self._progress)
        except OSError as error:
            raise CommandError(why(error), returncode=2) from error
        except Unreadable as error:
            raise CommandError(f"{options['file']}: not a whole event file: {error}", returncode=2) from error
        finally:
            self._progress(100)
        self.stdout.write(json.dumps(found.as_json(), indent=1) if options["json"] else "\n".join(_lines(found)))
        if not found.holds:
            sys.exit(1)

    def _progress(self, percent: int) -> None:
        # Show the progress in place; at 100 the line is cleared.
        if self.stderr.isatty():
            self.stderr.write(f"\r{percent:3} %" if percent < 100 else "\r     \r", ending="")


def _lines(found: VerificationReport) -> list[str]:
    checked = ", ".join(f"{count} {name}" for name, count in found.checked.items() if count)
    return [
        *(_line("FAULT", fault) for fault in found.faults),
        *(_line("left out", fault) for fault in found.left),
        f"{found.event}: checked {checked}",
        f"digest {found.digest}",
        "everything holds" if found.holds else f"{found.faulty} faults",
    ]


def _line(mark: str, fault: Fault) -> str:
    at = f"line {fault.line}: " if fault.line else ""
    return f"{mark} {at}{fault.code} {fault.where} {fault.detail}".rstrip()
