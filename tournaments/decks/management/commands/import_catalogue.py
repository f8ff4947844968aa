"""`manage.py import_catalogue [GAME] FILE`: saves a file of cards as a shared catalogue for every organizer."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import engine
from tournaments.common import clock
from tournaments.common.management.typed import why
from tournaments.common.refusals import InvalidInput
from tournaments.decks.catalogues import import_catalogue, name_from


class Command(BaseCommand):
    help = "Recognize a file of cards and save it as a new version of a catalogue."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", nargs="?", choices=engine.games(), help="needed if the file does not say its game")
        parser.add_argument("file", type=Path)
        parser.add_argument("--legality", type=Path, help="suspensions by date, for the list of Altered")
        parser.add_argument("--id", help="the id of the catalogue (default: the name of the file)")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        name = options["id"] or name_from(file.name)
        try:
            history = options["legality"] and options["legality"].read_bytes()
            game, content = options["game"] or "", file.read_bytes()
            kept = import_catalogue(game=game, content=content, name=name, now=clock.now(), legality=history)
        except OSError as error:
            raise CommandError(why(error))
        except InvalidInput as refusal:
            lines = [_fault(fault) for fault in refusal.details]
            raise CommandError("\n".join([f"{file}: {refusal.code}: {refusal.message}", *lines]))
        self.stdout.write(f"{kept.catalog} version {kept.version}: {kept.cards} cards, sha256 {kept.sha256}")
        for reason in kept.report.get("file", {}).get("left_out", []):
            self.stdout.write(f"left out: {reason['count']} × {reason['code']}, first{_fault(reason['first'][0])}")


def _fault(fault: Any) -> str:
    line = f"line {fault['line']}" if fault["line"] else ""
    where = ", ".join(part for part in (line, fault["path"]) if part)
    return f"  {where}: {fault['message']}" if where else f"  {fault['message']}"
