"""What tells the names of an event apart: kept with each member, brought up to date when a name comes or changes."""

from collections import defaultdict
from typing import Any

from tournaments.accounts.models import Person
from tournaments.common.names import Named, Telling, tell_apart
from tournaments.events.models import Event, Member
from tournaments.events.selectors import NAME_FIELDS, OVER, named

BATCH = 500  # members changed in one statement


def tell_names_apart(event: Event) -> None:
    """Bring up to date how much of each name is shown; call it with the event's row locked, after who came or changed.

    One query reads all names, and only members whose telling changes are written.
    """
    people: dict[int, Named] = {}
    before: dict[int, Telling] = {}
    rows = Member.objects.filter(event=event).order_by("pk").values_list("pk", "letters", "apart", *NAME_FIELDS)
    for key, letters, apart, *fields in rows:
        people[key], before[key] = named(*fields), Telling(letters, apart)
    changed: defaultdict[Telling, list[int]] = defaultdict(list)
    for key, telling in tell_apart(people).items():
        if telling != before[key]:
            changed[telling].append(key)
    for telling, keys in changed.items():
        for start in range(0, len(keys), BATCH):
            batch = Member.objects.filter(pk__in=keys[start : start + BATCH])
            batch.update(letters=telling.letters, apart=telling.apart)


def follow_person(sender: object, person: Person, **kwargs: Any) -> None:
    """Tell names apart anew in the events of a person who changed the name or was erased."""
    live = Event.objects.filter(entrants__member__person=person).exclude(status__in=OVER)
    for event in Event.objects.select_for_update().filter(pk__in=live.values("pk")).order_by("pk"):
        tell_names_apart(event)
