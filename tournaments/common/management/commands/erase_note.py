"""`manage.py erase_note CHAIN NUMBER`: erase the free text of a ledger entry."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.common import ledger
from tournaments.common.models import LedgerEntry


class Command(BaseCommand):
    help = "Erase the free text of one ledger entry; the chain stays valid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("chain", help="an event's public id")
        parser.add_argument("number", type=int, help="the entry's number")

    def handle(self, *args: Any, **options: Any) -> None:
        entry = LedgerEntry.objects.filter(chain=options["chain"], number=options["number"]).first()
        if entry is None or not ledger.erase_note(entry):
            raise CommandError("there is no such note")
        self.stdout.write("erased")
