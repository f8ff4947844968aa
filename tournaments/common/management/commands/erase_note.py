"""`manage.py erase_note CHAIN NUMBER`: erase the free text of a ledger entry."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from tournaments.common import clock, erasures, ledger
from tournaments.common.management.typed import public_id


class Command(BaseCommand):
    help = "Erase the free text of one ledger entry; the chain stays valid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("chain", help="an event's public id")
        parser.add_argument("number", type=int, help="the entry's number")

    def handle(self, *args: Any, **options: Any) -> None:
        chain, number = public_id(options["chain"]), options["number"]
        if chain not in ledger.chains():
            raise CommandError(f"there is no ledger {chain}")
        with transaction.atomic():
            if not ledger.erase_note(chain, number):
                raise CommandError(f"entry {number} of {chain} has no note, or it is erased already")
            erasures.note(erasures.id_of_note(chain, number), at=clock.now())
        self.stdout.write("erased")
