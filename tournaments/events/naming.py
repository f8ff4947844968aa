"""Keeps the public names within an event distinct.

Everybody reads as little of a family name as is needed to tell two players apart (`common.names`). How much that is
depends on everybody else in the event, so it is stored with each member and recomputed when a name is added or changed.
"""

from collections import defaultdict
from typing import Any

from tournaments.accounts.models import Person
from tournaments.common.names import Named, NameDistinction, tell_apart
from tournaments.events.models import Event, Member
from tournaments.events.selectors import NAME_FIELDS, OVER, named

BATCH = 500  # members per UPDATE statement


def refresh_shown_names(event: Event) -> None:
    """Recompute how much of each name in an event is shown.

    Call it after a member was added or a name changed, with the event's row locked. One query reads all names; only
    the members whose `letters` or `apart` change are written.
    """
    people: dict[int, Named] = {}
    before: dict[int, NameDistinction] = {}
    rows = Member.objects.filter(event=event).order_by("pk").values_list("pk", "letters", "apart", *NAME_FIELDS)
    for key, letters, apart, *fields in rows:
        people[key], before[key] = named(*fields), NameDistinction(letters, apart)
    # Most members that change get the same value, so one UPDATE for each distinct value is far cheaper than one a row.
    changed: defaultdict[NameDistinction, list[int]] = defaultdict(list)
    for key, distinction in tell_apart(people).items():
        if distinction != before[key]:
            changed[distinction].append(key)
    for distinction, keys in changed.items():
        for start in range(0, len(keys), BATCH):
            batch = Member.objects.filter(pk__in=keys[start : start + BATCH])
            batch.update(letters=distinction.letters, apart=distinction.apart)


def follow_person(sender: object, person: Person, **kwargs: Any) -> None:
    """Recompute the shown names in all unfinished events of a person who was renamed or erased."""
    live = Event.objects.filter(entrants__member__person=person).exclude(status__in=OVER)
    # Locked in the order of their keys, so that two renames at once cannot deadlock.
    for event in Event.objects.select_for_update().filter(pk__in=live.values("pk")).order_by("pk"):
        refresh_shown_names(event)
