"""`manage.py import_event FILE [--owner EMAIL] [--play-on]`: import an event that is not here yet."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.accounts.models import User
from tournaments.archive.services import import_event
from tournaments.common.clock import now
from tournaments.common.refusals import Refusal


class Command(BaseCommand):
    help = (
        "Verify an event file and import its event, as an archive or to play on; refused if the event is here already."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="as it came, or packed by gzip")
        parser.add_argument("--owner", metavar="EMAIL", help="an account that becomes an owner of the event")
        parser.add_argument("--play-on", action="store_true", help="leave the event as it is, instead of archiving it")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(email=(options["owner"] or "").lower()).first()
        if options["owner"] and owner is None:
            raise CommandError("there is no such account")
        try:
            with options["file"].open("rb") as stream:
                event = import_event(stream=stream, owner=owner, now=now(), play_on=options["play_on"])
        except OSError as error:
            raise CommandError(f"no_such_file: {error.strerror}") from error
        except Refusal as refusal:
            raise CommandError(f"{refusal.code}: {refusal.message} {refusal.details or ''}".rstrip()) from refusal
        self.stdout.write(f"{event.public_id} imported, {event.status}")
