"""Sentences about overlapping events: which one, when, and which tables both use."""

from collections.abc import Iterable

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.common.moments import in_words, local
from tournaments.events.models import Event
from tournaments.events.overlaps import Overlap, ranges
from tournaments.events.zones import zone_of


def overlap_lines(event: Event, overlaps: Iterable[Overlap]) -> list[str]:
    """The sentence for staff about each overlap, with hours in the time zone of their event."""
    return [_line(event, overlap) for overlap in overlaps]


def clashes(event: Event, overlaps: Iterable[Overlap]) -> list[str]:
    """The sentence for a player who has entered both events, for each overlap."""
    said = _("You are also entered in %(event)s, which is played at the same time (%(hours)s, estimated).")
    return [said % {"event": overlap.event.name, "hours": _hours(event, overlap)} for overlap in overlaps]


def _line(event: Event, overlap: Overlap) -> str:
    named = {"event": overlap.event.name, "hours": _hours(event, overlap), "tables": ranges(overlap.tables)}
    if overlap.tables:
        return _("%(event)s is played %(hours)s (estimated), and both use the tables %(tables)s.") % named
    if overlap.same_place:
        return _("%(event)s is played %(hours)s (estimated) in the same place; they share no table.") % named
    return _("%(event)s, by the same organizers, is played %(hours)s (estimated); they share no table.") % named


def _hours(event: Event, overlap: Overlap) -> str:
    start = date_format(local(overlap.starts_at, zone_of(event)), "DATETIME_FORMAT")
    return _("from %(start)s to %(end)s") % {"start": start, "end": in_words(overlap.ends_at, event.time_zone, "H:i")}
