"""Permission checks for standings and statistics, by the visibility settings of the event."""

from collections.abc import Collection
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.decks.access import lists_are_open
from tournaments.events.access import event_for_staff, event_for_viewer, hidden_now, may_read_hidden, readers_of
from tournaments.events.models import Event, Stage
from tournaments.events.visibility import NOW, PARTS, PUBLIC, STANDINGS, Moment, part_of, read_visibility, shows
from tournaments.play.models import Round
from tournaments.standings.models import PrizeCategory


def shows_standings(readers: Collection[str], stage: Stage) -> bool:
    """Whether these readers can see the standings of a stage now.

    `readers` are kinds of reader, as `events.access.readers_of` returns them. The stage's round counts as over while no
    round of it is being played.
    """
    played = Round.objects.filter(stage=stage, status=Round.Status.PUBLISHED)
    return shows_standings_at(readers, stage, round_over=not played.exists())


def shows_standings_at(readers: Collection[str], stage: Stage, *, round_over: bool) -> bool:
    """`shows_standings` without a query, for lists: the caller says whether no round of the stage is being played."""
    event = stage.event
    moment = Moment(part_of(stage.number), round_over, event.is_over)
    return shows(read_visibility(event.visibility), STANDINGS, readers, moment)


def shows_all_standings(readers: Collection[str], event: Event) -> bool:
    """Whether these readers can see the standings of every stage that has begun.

    Takes no query if the event never hides standings from the public.
    """
    table = read_visibility(event.visibility)
    if all(table[f"{STANDINGS}.{PUBLIC}.{part}"] == NOW for part in PARTS):
        return True
    # The first stage needs no start of its own, so it always counts as begun.
    stages = event.stages.exclude(number__gt=1, started_at=None).select_related("event")
    return all(shows_standings(readers, stage) for stage in stages)


def require_standings(user: Any, stage: Stage) -> Stage:
    """The stage, if this account can see its standings; else raises NotAllowed `hidden_now`."""
    if not shows_standings(readers_of(user, stage.event), stage):
        raise hidden_now()
    return stage


def require_all_standings(user: Any, event: Event) -> Event:
    """The event, if this account can see the standings of all its stages; else raises NotAllowed `hidden_now`."""
    if not shows_all_standings(readers_of(user, event), event):
        raise hidden_now()
    return event


def statistics_are_open(event: Event, readers: Collection[str]) -> bool:
    """Whether these readers can see the statistics: the event is over and they can see its decklists."""
    return event.is_over and lists_are_open(event, readers)


def shows_statistics(user: Any, event: Event) -> bool:
    """Whether an account can see the statistics of an event.

    Staff who can read decklists and do not play in the event can see them at any time.
    """
    return may_read_hidden(user, event, "read_decks") or statistics_are_open(event, readers_of(user, event))


def event_for_statistics(user: Any, event_id: str) -> Event:
    """An event whose statistics this account can see; raises NotAllowed `statistics_later` if not yet."""
    event = event_for_viewer(user, event_id)
    if not shows_statistics(user, event):
        sentence = _("Statistics are shown once the event is over, to everybody who can see its decklists.")
        raise NotAllowed("statistics_later", sentence)
    return event


def category_for_staff(user: Any, event_id: str, number: int, action: str) -> PrizeCategory:
    """A prize category, by its number, of an event at which the user may do `action`."""
    event = event_for_staff(user, event_id, action)
    category: PrizeCategory | None = event.prize_categories.filter(number=number).select_related("event").first()
    if category is None:
        raise Http404
    return category
