"""Print a link that signs an account in once, for people without an e-mail address who forgot their password."""

from typing import Any

from django.core.management import BaseCommand, CommandParser
from django.urls import reverse

from tournaments.accounts.management.accounts import account_named
from tournaments.accounts.services import make_sign_in_link
from tournaments.common import clock
from tournaments.common.mail import address_of


class Command(BaseCommand):
    """`manage.py sign_in_link ACCOUNT`."""

    help = "Print a link that signs an account in once, within 12 hours."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument that names the account."""
        parser.add_argument("account", help="its e-mail address, its sign-in name or its id")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link."""
        secret = make_sign_in_link(user=account_named(options["account"]), now=clock.now())
        self.stdout.write(address_of(reverse("web:link", args=[secret])))
