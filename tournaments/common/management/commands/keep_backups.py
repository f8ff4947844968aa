"""`manage.py keep_backups [--once]`: make and check a backup every day, and keep the newest few."""

import logging
import time
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connection

from tournaments.common import clock
from tournaments.common.backups import BackupRefused
from tournaments.common.kept_backups import keep_one, last_good
from tournaments.common.management.typed import why

logger = logging.getLogger(__name__)
EVERY = timedelta(hours=24)
LOOK = 300  # seconds until it looks again whether one is due; also after one has failed


class Command(BaseCommand):
    help = "Make a backup in BACKUP_DIR every day, check it, encrypt and copy it, and delete the oldest."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="make one now and stop, for cron")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            try:
                self.stdout.write(keep_one(now=clock.now()))
            except BackupRefused as error:
                raise CommandError(str(error)) from error
            except OSError as error:
                raise CommandError(why(error)) from error
            return
        while True:
            self.keep_if_due()
            time.sleep(LOOK)

    def keep_if_due(self) -> None:
        """Make a backup unless the last good one is less than a day old; if it fails, say so in the log."""
        now, last = clock.now(), last_good()
        if last is not None and now - last < EVERY:
            return
        try:
            self.stdout.write(keep_one(now=now))
        except (BackupRefused, OSError, Error) as error:
            logger.error("no backup was made: %s", error)
        finally:
            connection.close()
