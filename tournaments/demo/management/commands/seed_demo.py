"""`manage.py seed_demo`: the events of the demonstration, made once."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.demo.services import seed_demo, unseeded


class Command(BaseCommand):
    help = "Seed the events of the demonstration and do its jobs; a second time changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if unseeded():
            seed_demo(now=now())
            jobs.run_due(now())
