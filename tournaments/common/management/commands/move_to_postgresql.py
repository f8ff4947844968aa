"""`manage.py move_to_postgresql URL [--force]`: copy the SQLite database to PostgreSQL and verify the copy."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.common.moving import MoveRefused, move

TOP = Path(__file__).resolve().parents[4]  # the folder that holds the package `tournaments`


class Command(BaseCommand):
    help = "Copy everything from SQLite to an empty PostgreSQL database, compare every value, and verify the ledger."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", metavar="URL", help="postgres://user:password@host:5432/name")
        parser.add_argument("--force", action="store_true", help="replace all that is in the new database")

    def handle(self, *args: Any, **options: Any) -> None:
        url = options["url"].strip()
        try:
            move(url, force=options["force"], say=self.stdout.write)
        except MoveRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write("every value compared: the same in both databases")
        self._verify(url)
        self.stdout.write("Set DATABASE_URL to the new database and start the site. The SQLite file is unchanged.")

    def _verify(self, url: str) -> None:
        """Verify the ledger of the copy in a process of its own, which reads it as the site will."""
        done = subprocess.run(
            [sys.executable, "-m", "django", "verify_ledger"],
            cwd=TOP,
            env=os.environ | {"DATABASE_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )
        self.stdout.write(done.stdout.strip())
        if done.returncode or "chains verified" not in done.stdout:
            raise CommandError(f"the ledger of the copy is not intact {done.stderr.strip()[-500:]}")
