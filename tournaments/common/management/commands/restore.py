"""`manage.py restore FILE [--force]`: restore and migrate a backup, apply the erasure journal, verify the ledger."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.common.backups import BackupRefused, restore, restored
from tournaments.common.management.typed import why


class Command(BaseCommand):
    help = "Restore a backup into an empty database, migrate it, apply the erasure journal and verify the ledger."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what backup has written")
        parser.add_argument("--force", action="store_true", help="replace all that is in the database")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restore(options["file"], force=options["force"])
        except BackupRefused as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(why(error)) from error
        call_command("migrate", interactive=False, verbosity=0)  # the backup may come from an older version
        for _receiver, sentence in restored.send(sender=None):
            self.stdout.write(str(sentence))
        call_command("verify_ledger", stdout=self.stdout)
        self.stdout.write("restored")
