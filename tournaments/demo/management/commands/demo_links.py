"""`manage.py demo_links`: print sign-in links for accounts of the demonstration.

The links are valid for 12 hours and 100 uses.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from tournaments.accounts.services import make_sign_in_link
from tournaments.common.clock import now
from tournaments.demo.services import demo_event, demo_people


class Command(BaseCommand):
    help = "Print a sign-in link for an organizer, a judge and a player of the demonstration event."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--base-url", default="http://127.0.0.1:8000", help="where the pages are served")

    def handle(self, *args: Any, **options: Any) -> None:
        event = demo_event()
        if event is None:
            raise CommandError("the demonstration is not seeded: run manage.py seed_demo")
        for role, user in demo_people(event).items():
            secret = make_sign_in_link(user=user, now=now(), hours=12, uses=100)
            self.stdout.write(f"{role} {options['base_url']}{reverse('web:link', args=[secret])}")
