"""Remove the second factors of an account, for somebody who lost their phone, their key and their recovery codes."""

from typing import Any

from django.core.management import BaseCommand, CommandParser

from tournaments.accounts.factors import remove_second_factors
from tournaments.accounts.management.accounts import account_named
from tournaments.common import clock


class Command(BaseCommand):
    """`manage.py remove_second_factor ACCOUNT`."""

    help = "Remove the second factors of an account, so that its password or a link is enough to sign in."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument that names the account."""
        parser.add_argument("account", help="its e-mail address, its sign-in name or its id")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove them, and say how many there were."""
        user = account_named(options["account"])
        removed = remove_second_factors(user=user, now=clock.now())
        self.stdout.write(f"account {user.public_id}: second factors removed: {removed}")
