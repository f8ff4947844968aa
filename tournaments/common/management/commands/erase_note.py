"""`manage.py erase_note CHAIN NUMBER`: erase the free text of a ledger entry."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from tournaments.common import clock, erasures, ledger


class Command(BaseCommand):
    help = "Erase the free text of one ledger entry; the chain stays valid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("chain", help="an event's public id")
        parser.add_argument("number", type=int, help="the entry's number")

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            if not ledger.erase_note(options["chain"], options["number"]):
                raise CommandError("there is no such note")
            erasures.note(erasures.id_of_note(options["chain"], options["number"]), at=clock.now())
        self.stdout.write("erased")
