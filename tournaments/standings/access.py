"""Who may read standings and statistics now: as the visibility of the event says."""

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.decks.access import lists_are_open
from tournaments.events.access import event_for_viewer, hidden_now, may_read_hidden, readers_of
from tournaments.events.models import Event, Stage
from tournaments.events.visibility import NOW, PARTS, PUBLIC, STANDINGS, Moment, part_of, read_visibility, shows
from tournaments.play.models import Round


def shows_standings(readers: Collection[str], stage: Stage) -> bool:
    """Whether such a reader sees the standings of a stage now: its round is over when none is being played."""
    event = stage.event
    round_over = not Round.objects.filter(stage=stage, status=Round.Status.PUBLISHED).exists()
    moment = Moment(part_of(stage.number), round_over, event.is_over)
    return shows(read_visibility(event.visibility), STANDINGS, readers, moment)


def shows_all_standings(readers: Collection[str], event: Event) -> bool:
    """Whether such a reader sees the standings of every stage that has begun; no query where nothing is ever hidden."""
    table = read_visibility(event.visibility)
    if all(table[f"{STANDINGS}.{PUBLIC}.{part}"] == NOW for part in PARTS):
        return True
    stages = event.stages.exclude(number__gt=1, started_at=None).select_related("event")
    return all(shows_standings(readers, stage) for stage in stages)


def require_standings(user: Any, stage: Stage) -> Stage:
    """The stage, when its standings are shown to this account; refused as `hidden_now`."""
    if not shows_standings(readers_of(user, stage.event), stage):
        raise hidden_now()
    return stage


def require_all_standings(user: Any, event: Event) -> Event:
    """The event, when the standings of all its stages are shown to this account; refused as `hidden_now`."""
    if not shows_all_standings(readers_of(user, event), event):
        raise hidden_now()
    return event


def statistics_are_open(event: Event, readers: Collection[str]) -> bool:
    """Whether such a reader sees what was played: the event is over, and its lists are shown."""
    return event.is_over and lists_are_open(event, readers)


def shows_statistics(user: Any, event: Event) -> bool:
    """Whether an account sees the statistics; staff who read decklists and do not play see them at any time."""
    return may_read_hidden(user, event, "read_decks") or statistics_are_open(event, readers_of(user, event))


def event_for_statistics(user: Any, event_id: str) -> Event:
    """An event whose statistics this account may read."""
    event = event_for_viewer(user, event_id)
    if not shows_statistics(user, event):
        sentence = _("Statistics are shown once the event is over, to those to whom its decklists are.")
        raise NotAllowed("statistics_later", sentence)
    return event
