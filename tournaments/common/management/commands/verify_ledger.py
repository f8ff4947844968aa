"""`manage.py verify_ledger [CHAIN]`: verify one chain of the ledger, or all of them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.common import ledger
from tournaments.common.management.typed import public_id


class Command(BaseCommand):
    help = "Verify one chain of the ledger, or all; exit 1 with a line for each fault, 2 if there is no such chain."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("chain", nargs="?", metavar="CHAIN", help="the public id of an event; default: all")

    def handle(self, *args: Any, **options: Any) -> None:
        chains = ledger.chains()
        if options["chain"] is not None:
            chain = public_id(options["chain"])
            if chain not in chains:
                raise CommandError(f'there is no chain "{chain}"', returncode=2)
            chains = [chain]
        faults = [f"{chain}: {fault}" for chain in chains for fault in ledger.faults(chain)]
        for line in faults:
            self.stdout.write(line)
        if faults:
            raise SystemExit(1)
        self.stdout.write(f"chains verified: {len(chains)}, no faults")
