"""Which announcements stand, and for whom."""

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
    """Every announcement that is neither over nor withdrawn, the newest first: what staff see."""
    shown = Announcement.objects.filter(event=event, withdrawn_at=None, until__gt=now)
    return shown.select_related("stage", "match__round")


def for_everybody(event: Event, now: datetime) -> QuerySet[Announcement]:
    """What screens and visitors see: announcements to all and to a stage."""
    return standing(event, now).filter(match=None)


def heard(user: Any, event: Event, now: datetime) -> list[Announcement]:
    """What the reader of a page sees: players what is for them, everybody else what is for everybody."""
    if not read_kept(event.public_id, "announced", lambda: Announcement.objects.filter(event=event).exists()):
        return []
    mine = own_entrants(user, event)
    return for_entrants(event, mine, now) if mine else list(for_everybody(event, now))


def for_entrants(event: Event, entrants: Collection[Entrant], now: datetime) -> list[Announcement]:
    """What players see: those to all, to a stage they take part in, and to a table at which they sit."""
    own = {entrant.pk for entrant in entrants}
    here = Q(match=None) | Q(match__seats__entrant__in=own)
    found = standing(event, now).filter(here).distinct()
    return [each for each in found if each.stage is None or entered(each.stage).filter(pk__in=own).exists()]
