"""`manage.py forget_old`: run the daily retention job now. See `archive/retention.py`."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.archive.retention import forget_old
from tournaments.common import clock


class Command(BaseCommand):
    help = "Forget sessions, links and failed jobs that are over, old photos, and names as KEEP_NAMES_DAYS says."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, count in asdict(forget_old(now=clock.now())).items():
            self.stdout.write(f"{name}: {count}")
