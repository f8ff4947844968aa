"""`manage.py import_event FILE [--owner EMAIL] [--play-on]`: import an event that is not here yet."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.accounts.management.accounts import account_named
from tournaments.archive.lines import Unreadable
from tournaments.archive.services import import_event
from tournaments.common.clock import now
from tournaments.common.management.typed import why
from tournaments.common.refusals import Refusal


class Command(BaseCommand):
    help = (
        "Verify an event file and import its event, as an archive or to play on; refused if the event is here already."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="as it came, or packed by gzip")
        parser.add_argument(
            "--owner", metavar="ACCOUNT", help="the account that becomes an owner: its address, sign-in name or id"
        )
        parser.add_argument("--play-on", action="store_true", help="leave the event as it is, instead of archiving it")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = account_named(options["owner"]) if options["owner"] is not None else None
        try:
            with options["file"].open("rb") as stream:
                event = import_event(stream=stream, owner=owner, now=now(), play_on=options["play_on"])
        except OSError as error:
            raise CommandError(why(error)) from error
        except Refusal as refusal:
            unread = refusal.__cause__
            details = unread if isinstance(unread, Unreadable) else refusal.details or ""
            raise CommandError(f"{refusal.code}: {refusal.message} {details}".rstrip()) from refusal
        self.stdout.write(f"{event.public_id} imported, {event.status}")
