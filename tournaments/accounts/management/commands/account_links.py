"""Print the links that an account waits for, on a site that sends no e-mails."""

from typing import Any

from django.core.management import BaseCommand, CommandParser

from tournaments.accounts.addresses import confirmation_path
from tournaments.accounts.guardianship import guardian_path
from tournaments.accounts.management.accounts import account_named
from tournaments.common.mail import address_of


class Command(BaseCommand):
    """`manage.py account_links ACCOUNT`."""

    help = "Print the links of the e-mails an account waits for: for its new address, and for a child's guardian."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument that names the account."""
        parser.add_argument("account", help="its e-mail address, its sign-in name or its id")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line a link: whom it is for, and the link."""
        user = account_named(options["account"])
        links = []
        if user.new_email or (user.email and not user.email_confirmed_at):
            address = user.new_email or user.email
            links.append(f"for {address}, to confirm the address: {address_of(confirmation_path(user))}")
        if hasattr(user, "guardianship"):
            given = user.guardianship
            what = "consent or refuse" if given.confirmed_at is None else "withdraw the consent"
            links.append(f"for the guardian {given.email}, to {what}: {address_of(guardian_path(user))}")
        for line in links or ["this account waits for no link"]:
            self.stdout.write(line)
