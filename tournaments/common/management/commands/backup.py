"""`manage.py backup FILE`: write the whole database to one file while the site runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.common import clock
from tournaments.common.backups import BackupRefused, backup
from tournaments.common.management.typed import why


class Command(BaseCommand):
    help = "Write the whole database to a file for `restore`; the site can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a file that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup(options["file"], now=clock.now())
        except BackupRefused as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(why(error)) from error
        self.stdout.write(f"{options['file']}: {options['file'].stat().st_size} bytes")
