"""`manage.py seed_demo`: create the demonstration events that do not exist yet, and run the jobs that follow."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.demo.services import seed_demo, unseeded


class Command(BaseCommand):
    help = "Create the demonstration events and run their jobs; running it again changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if unseeded():
            seed_demo(now=now())
            jobs.run_due(now())
