"""Who can find and see an event: everybody, whoever has the link, or only people who are invited.

An unlisted event is left out of lists, but its pages open for anybody. A private event exists only for its staff, its
entrants, their guardians, and accounts that followed its join link (`events.joining`), its guests. A new join link
replaces the old one; guests stay. The check is `events.access.is_shown`, lists are `selectors.visible_events`.
"""

from datetime import datetime

from django.db import transaction

from tournaments.accounts.models import Person, User
from tournaments.events.models import Event, Guest
from tournaments.events.services import record


def renew_join_link(*, event: Event, by: User, now: datetime) -> Event:
    """Replace the join link of an event: the old one opens nothing any more. Guests stay. Returns the changed event."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        event.join_links += 1
        event.save(update_fields=["join_links"])
        record(event, by, "event.join_link_renewed", now, after={"links": event.join_links})
    return event


def welcome(*, event: Event, user: User, now: datetime) -> None:
    """Let an account that followed the join link see the event from now on if it is private. Idempotent."""
    if event.listing == Event.Listing.PRIVATE:
        Guest.objects.get_or_create(event=event, user=user, defaults={"at": now})


def forget_guests(*, person: Person, **_signal: object) -> None:
    """When the last person of an account is erased, forget which events it was invited to."""
    if person.account is not None and not Person.objects.filter(account=person.account).exists():
        Guest.objects.filter(user=person.account).delete()
