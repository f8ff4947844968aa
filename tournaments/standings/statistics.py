"""The metagame of an event, from its decklists and results."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from django.core.cache import cache

from tournaments.decks.engine_gate import profiles_of
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Event, Stage
from tournaments.events.selectors import current_stage, revision
from tournaments.play.models import Match, Seat
from tournaments.standings.metagame import Meeting, Metagame, metagame

LEAD, FACTIONS = "lead", "factions"  # what decks can be grouped by
BY = (LEAD, FACTIONS)
# Results that depend on the decks: no byes, no-shows, penalties or intentional draws.
PLAYED = (Match.Kind.PLAYED, Match.Kind.TIME, Match.Kind.CONCESSION)
KEPT = 600  # seconds


def metagame_of(event: Event, by: str, language: str) -> Metagame:
    """The metagame of an event, with decks grouped by their leader (hero, commander) or by their factions.

    `by` is `LEAD` or `FACTIONS`. Cached until the event's ledger has a new entry, for `KEPT` seconds at most.
    """
    key = f"metagame:{event.public_id}:{revision(event)}:{by}:{language}"
    found: Any = cache.get_or_set(key, lambda: _computed(event, by, language), KEPT)
    return cast(Metagame, found)


def _computed(event: Event, by: str, language: str) -> Metagame:
    stages = list(event.stages.filter(rounds__isnull=False).distinct().order_by("number"))
    groups = {stage.pk: _groups(event, stage, by, language) for stage in stages}
    # A deck per entrant, not per seat: in a later stage the entrant's group is replaced by that of their current list.
    decks: dict[int, str | None] = {}
    for stage in stages:
        sat = Seat.objects.filter(round__stage=stage).values_list("entrant", flat=True).distinct()
        decks |= {entrant: groups[stage.pk].get(entrant) for entrant in sat}
    return metagame(decks.values(), _meetings(event, groups))


def factions_of(event: Event) -> dict[str, str]:
    """The factions of each entrant's current decklist, by public id, such as "Nova / Orbit"; without decks of none."""
    stage = current_stage(event)
    groups = _groups(event, stage, FACTIONS, "en")
    ids = dict(event.entrants.values_list("pk", "public_id"))
    return {ids[entrant]: group for entrant, group in groups.items() if group and entrant in ids}


def _groups(event: Event, stage: Stage, by: str, language: str) -> dict[int, str]:
    """The group of each entrant's current list in a stage; empty if the engine does not know the game.

    Empty in a team event too, where an entrant has several lists.
    """
    if not event.has_engine or event.is_team_event:
        return {}
    lists: list[tuple[int, Mapping[str, Any]]] = list(current_lists(stage).values_list("entrant", "cards"))
    profiles = profiles_of(event, [cards for _entrant, cards in lists], language)
    return {
        entrant: profile.lead if by == LEAD else " / ".join(profile.factions)
        for (entrant, _cards), profile in zip(lists, profiles, strict=True)
    }


def _meetings(event: Event, groups: Mapping[int, Mapping[int, str]]) -> Iterator[Meeting]:
    # A table of several players is no meeting of two decks.
    counts = Seat.objects.filter(
        round__stage__event=event, match__kind__in=PLAYED, match__games_drawn__isnull=False, match__disputed=False
    ).exclude(round__stage__kind=Stage.Kind.TABLES)
    rows = counts.order_by("match", "number").values_list("match", "round__stage", "entrant", "points")
    # Rows come ordered by match, so the two seats of a match follow each other.
    before: tuple[int, int, int, int | None] | None = None
    for row in rows.iterator(chunk_size=2_000):
        if before is not None and before[0] == row[0]:
            _match, stage, entrant, points = row
            known, first, second = groups[stage], before[3] or 0, points or 0
            outcome = (first > second) - (first < second)
            yield Meeting(known.get(before[2]), known.get(entrant), outcome)
            before = None
        else:
            before = row
