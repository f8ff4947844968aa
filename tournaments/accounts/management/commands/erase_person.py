"""`manage.py erase_person PUBLIC_ID`: erase the names of a person, with or without an account, who asks for it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from tournaments.accounts.models import Person
from tournaments.accounts.services import erase_person
from tournaments.common import clock
from tournaments.common.management.typed import public_id


class Command(BaseCommand):
    help = "Erase the names of one person for good; entrants, results and ledgers keep only the id."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("public_id", help="the public id of the person (n-…), or of an entrant it is (p-…)")

    def handle(self, *args: Any, **options: Any) -> None:
        given = public_id(options["public_id"])
        persons = list(Person.objects.filter(Q(public_id=given) | Q(entrants__public_id=given)).distinct())
        if not persons:
            raise CommandError(f"there is no person (n-…) or entrant (p-…) with the id {given}")
        if len(persons) > 1:
            found = ", ".join(person.public_id for person in persons)
            raise CommandError(f"{given} is a team: give the id of one of its players, {found}")
        erase_person(person=persons[0], now=clock.now())
        self.stdout.write(f"person {persons[0].public_id} is erased")
