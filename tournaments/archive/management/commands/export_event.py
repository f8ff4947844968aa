"""`manage.py export_event EVENT [--out FILE] [--without-names]`: write an event as one portable file."""

import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.archive.writing import pack_file, write_file
from tournaments.common.management.typed import public_id, why
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event


class Command(BaseCommand):
    help = "Write an event to one file, which verify_event checks and import_event reads."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", metavar="EVENT", help="the event's public id")
        parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output; .gz is packed")
        parser.add_argument("--without-names", action="store_true", help="leave out names, clubs and free texts")

    def handle(self, *args: Any, **options: Any) -> None:
        given = public_id(options["event"])
        event = Event.objects.filter(public_id=given).first()
        if event is None:
            raise CommandError(f"there is no event {given}")
        try:
            packed = options["out"] is not None and options["out"].suffix == ".gz"
            written = (pack_file if packed else write_file)(event, names=not options["without_names"])
        except Refusal as refusal:
            raise CommandError(f"{refusal.code}: {refusal.message}") from refusal
        out: Path | None = options["out"]
        if out is None:
            sys.stdout.buffer.write(written)
            return
        try:
            _write(out, written)
        except OSError as error:
            raise CommandError(why(error)) from error
        self.stdout.write(f"{out}: {len(written)} bytes")


def _write(out: Path, written: bytes) -> None:
    """Write all of a file or nothing: an older one of this name stays if the disk is full. Raises OSError."""
    if out.exists() and not out.is_file():  # a pipe, a terminal; a folder is refused
        out.write_bytes(written)
        return
    aside = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        aside.write_bytes(written)
        aside.replace(out)
    finally:
        aside.unlink(missing_ok=True)
