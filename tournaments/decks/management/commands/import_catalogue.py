"""`manage.py import_catalogue GAME FILE`: saves a card list as a shared catalogue that every organizer can choose."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import engine
from tournaments.common import clock
from tournaments.common.refusals import InvalidInput
from tournaments.decks.catalogues import import_catalogue, name_from


class Command(BaseCommand):
    help = "Read a list of cards, CSV, JSON or a whole catalogue, into a new version of a catalogue."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=engine.games())
        parser.add_argument("file", type=Path)
        parser.add_argument("--id", help="the id of the catalogue (default: the name of the file)")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        name = options["id"] or name_from(file.name)
        try:
            kept = import_catalogue(game=options["game"], content=file.read_bytes(), name=name, now=clock.now())
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}")
        except InvalidInput as refusal:
            lines = [_fault(fault) for fault in refusal.details]
            raise CommandError("\n".join([f"{file}: {refusal.code}: {refusal.message}", *lines]))
        self.stdout.write(f"{kept.catalog} version {kept.version}: {kept.cards} cards, sha256 {kept.sha256}")


def _fault(fault: Any) -> str:
    line = f"line {fault['line']}" if fault["line"] else ""
    where = ", ".join(part for part in (line, fault["path"]) if part)
    return f"  {where}: {fault['message']}" if where else f"  {fault['message']}"
