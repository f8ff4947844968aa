"""`manage.py forget_old`: run the daily retention job now. See `archive/retention.py`."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.archive.retention import forget_old
from tournaments.common import clock


class Command(BaseCommand):
    help = "Delete expired sessions and links, old failed jobs and photos, and names after KEEP_NAMES_DAYS."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, count in asdict(forget_old(now=clock.now())).items():
            self.stdout.write(f"{name}: {count}")
