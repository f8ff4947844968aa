"""Read queries on announcements: which are shown now, and to whom."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.announcements.models import Announcement
from tournaments.common.reading import read_kept
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event
from tournaments.play.field import entered


def standing(event: Event, now: datetime) -> QuerySet[Announcement]:
    """All announcements that are neither over nor withdrawn, newest first; what staff see."""
    shown = Announcement.objects.filter(event=event, withdrawn_at=None, until__gt=now)
    return shown.select_related("stage", "match__round")


def for_everybody(event: Event, now: datetime) -> QuerySet[Announcement]:
    """What screens and visitors see: the announcements to everybody and to a stage, but none to a table."""
    return standing(event, now).filter(match=None)


def heard(user: Any, event: Event, now: datetime) -> list[Announcement]:
    """The announcements shown to a user on a page: players see their own, anybody else those for everybody."""
    # Every page of an event calls this, and most events have no announcement at all.
    if not read_kept(event.public_id, "announced", lambda: Announcement.objects.filter(event=event).exists()):
        return []
    mine = own_entrants(user, event)
    return for_entrants(event, mine, now) if mine else list(for_everybody(event, now))


def for_entrants(event: Event, entrants: Collection[Entrant], now: datetime) -> list[Announcement]:
    """What players see: the announcements to everybody, to a stage in which they play, and to their own tables."""
    own = {entrant.pk for entrant in entrants}
    here = Q(match=None) | Q(match__seats__entrant__in=own)
    found = standing(event, now).filter(here).distinct()
    return [each for each in found if each.stage is None or entered(each.stage).filter(pk__in=own).exists()]
