"""Prints a link that signs an account in once: for who forgot the password and has no address."""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.db.models import Q
from django.urls import reverse

from tournaments.accounts.models import User
from tournaments.accounts.services import make_sign_in_link
from tournaments.common import clock
from tournaments.common.mail import address_of


class Command(BaseCommand):
    """`manage.py sign_in_link ACCOUNT`."""

    help = "Prints a link that signs an account in once, within 12 hours."

    def add_arguments(self, parser: CommandParser) -> None:
        """The account."""
        parser.add_argument("account", help="its e-mail address, its sign-in name or its id")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link."""
        named = options["account"].strip().lower()
        user = User.objects.filter(Q(email=named) | Q(sign_in_name=named) | Q(public_id=named), is_active=True).first()
        if user is None:
            raise CommandError("there is no such account")
        secret = make_sign_in_link(user=user, now=clock.now())
        self.stdout.write(address_of(reverse("web:link", args=[secret])))
