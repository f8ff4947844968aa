"""Size of the round page for staff with 100 tables, uncompressed and compressed.

It is measured twice: while all results are missing, and after time was called, when every table also has a button for
its next turn. The bound is 120 KiB before compression, because a whole hall shares one access point.
"""

import argparse
from datetime import timedelta
from itertools import product

from bench._installation import make_tables, ready

ready(sqlite=True)

from django.conf import settings
from django.test import Client
from django.urls import reverse

from bench._events import played_round
from tests.builders import a_large_event, a_published_round
from tests.cast import make_cast
from tournaments.accounts.models import Person
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.play import services as play

TABLES = 100
BOUND = 120 * 1024
GIVEN = ("Emma", "Jean-Baptiste", "Léa", "Francesca", "Thomas", "Chiara", "Élodie", "Matteo", "Alexandre", "Anna")
FAMILY = ("Martin", "de la Cruz", "Rossi", "Lefebvre", "Bianchi", "Dubois", "O'Neill", "Fontaine", "Esposito", "Roux")


def named(event: Event) -> None:
    """Give everybody a given and a family name of typical length."""
    people = list(Person.objects.filter(member__entrant__event=event).order_by("pk"))
    for person, (given, family) in zip(people, 2 * list(product(GIVEN, FAMILY)), strict=False):
        person.given_name, person.family_name = given, family
    Person.objects.bulk_update(people, ["given_name", "family_name"])


def told(state: str, client: Client, address: str) -> bool:
    """Print the sizes of the page in one state, and return whether it is within the bound."""
    answers = [client.get(address, headers={"accept-encoding": kind}) for kind in ("identity", "gzip")]
    assert {answer.status_code for answer in answers} == {200}
    whole, sent = (len(answer.content) for answer in answers)
    print(f"{state:28} {whole / 1024:7.1f} KiB {sent / 1024:7.1f} KiB compressed")
    return whole <= BOUND


def main() -> None:
    """Print a line for each state, and whether both are within the bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    tables = parser.parse_args().tables
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    make_tables()
    cast = make_cast()
    event = a_large_event(cast, 2 * tables)
    named(event)
    played_round(event, cast)
    round_ = a_published_round(event, cast.organizer)
    client, address = Client(), reverse("web:staff_round", args=[event.public_id, round_.number])
    client.force_login(cast.organizer)
    kept = [told(f"{tables} tables, no result", client, address)]
    # Far enough in the past that time is over at every table.
    play.start_clock(round_=round_, by=cast.organizer, now=now() - timedelta(hours=3))
    kept.append(told(f"{tables} tables, after time", client, address))
    print(f"bound of {BOUND // 1024} KiB kept: {'yes' if all(kept) else 'NO'}")


if __name__ == "__main__":
    main()
