"""The ranks that everybody may see, of entrants of many events at once."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournaments.decks.access import lists_are_open_in
from tournaments.decks.models import Decklist
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.visibility import PUBLIC
from tournaments.play.models import Round
from tournaments.standings.access import shows_standings_at
from tournaments.standings.models import StandingsTable
from tournaments.standings.selectors import in_final_order, seeded

READERS = frozenset({PUBLIC})
Stages = Mapping[int, list[Stage]]


@dataclass(frozen=True)
class Place:
    """A rank in the newest standings of an event, and how many players have one."""

    rank: int
    players: int


def stages_of(events: Collection[Event]) -> Stages:
    """The first stage and all later ones that have started, in order, by event key. One query.

    Each has `newest`, the key of its newest standings (see `standings_of`) or None, and `in_play`.
    """
    tables = StandingsTable.objects.filter(stage=OuterRef("pk")).order_by("-results_version", "-pk").values("pk")
    newest = Coalesce(Subquery(tables.filter(scheme=OuterRef("scheme"))[:1]), Subquery(tables[:1]))
    in_play = Round.objects.filter(stage=OuterRef("pk"), status=Round.Status.PUBLISHED)
    begun = Stage.objects.filter(event__in=[event.pk for event in events]).exclude(number__gt=1, started_at=None)
    by_key = {event.pk: event for event in events}
    found: defaultdict[int, list[Stage]] = defaultdict(list)
    for stage in begun.annotate(newest=newest, in_play=Exists(in_play)).order_by("event", "number"):
        stage.event = by_key[stage.event_id]
        found[stage.event_id].append(stage)
    return found


def places_of(entrants: Collection[Entrant], stages: Stages) -> dict[int, Place]:
    """The places of entrants by key, where everybody may see the standings of their event. One query.

    `stages` are those of their events, as `stages_of` returns them.
    """
    open_ = {entrant.event_id for entrant in entrants if _shows(stages.get(entrant.event_id, []))}
    keys = [stage.newest for event in open_ for stage in stages[event] if stage.newest]  # type: ignore[attr-defined]
    counted = StandingsTable.objects.filter(pk__in=keys, round_number__gt=0)
    tables = dict(counted.values_list("pk", "rows"))
    found: dict[int, Place] = {}
    for entrant in entrants:
        if entrant.event_id in open_:
            place = _place(entrant, stages[entrant.event_id], tables)
            if place is not None:
                found[entrant.pk] = place
    return found


def _shows(stages: Collection[Stage]) -> bool:
    return all(shows_standings_at(READERS, stage, round_over=not stage.in_play) for stage in stages)  # type: ignore[attr-defined]


def _place(entrant: Entrant, stages: list[Stage], tables: Mapping[int, list[dict[str, object]]]) -> Place | None:
    rows = in_final_order([tables.get(stage.newest, []) for stage in stages], seeded=seeded(stages))  # type: ignore[attr-defined]
    ranks = (row["rank"] for row in rows if row["entrant"] == entrant.public_id)
    rank = next(ranks, None)
    return None if rank is None else Place(rank, len(rows))


def open_lists_of(entrants: Collection[Entrant], stages: Stages) -> dict[int, int]:
    """The keys of the current decklists by entrant key, where everybody may read them. At most one query.

    Without those of teams, which have several.
    """
    current = {
        entrant.pk: stages[entrant.event_id][-1]
        for entrant in entrants
        if entrant.event_id in stages and lists_are_open_in(stages[entrant.event_id][-1], entrant.event, READERS)
    }
    if not current:
        return {}
    versions = Decklist.objects.filter(entrant__in=list(current), member=None).order_by("stage__number", "version")
    found: dict[int, int] = {}
    for pk, entrant_key, number in versions.values_list("pk", "entrant", "stage__number"):
        if number <= current[entrant_key].number:
            found[entrant_key] = pk
    return found
