"""Where an event stands, and what has moved since.

A position is `<ledger number>.<newest standings table>`, with `.<moves shown>` where there is a feature match. The
standings are finished by a job, which writes no entry: the newest table is watched as well, and gives the topic
`standings`. A move of a feature match is told when its delay is over: how many moves the public sees gives `feature`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from tournaments.audits.models import Feature
from tournaments.audits.watching import shown_counts
from tournaments.common.clock import now
from tournaments.common.models import LedgerEntry, LedgerHead
from tournaments.standings.models import StandingsTable
from tournaments.web.live.topics import topics_of

ROW_TOPICS = frozenset({"result", "table", "game", "dispute", "match"})
"""Topics of entries that may change what the pairings say of a match."""


class Position(NamedTuple):
    """Where an event stands: the number of its last ledger entry, the key of its newest standings table, and how many
    moves of its feature matches the public sees.
    """

    number: int = 0
    table: int = 0
    shown: int = 0

    def __str__(self) -> str:
        return f"{self.number}.{self.table}" + (f".{self.shown}" if self.shown else "")

    @classmethod
    def parse(cls, text: str) -> "Position | None":
        """The position that a page or a browser sends back; None when it is not one."""
        found = re.fullmatch(r"(\d{1,9})\.(\d{1,15})(?:\.(\d{1,9}))?", text)
        return cls(int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


class News(NamedTuple):
    """What a watched event has to tell since a position: the topics, the public ids of matches whose line in the
    pairings may have changed, whether a round was published, and whether an entry about lines names no match
    (`unplaced`): then any line may have changed.
    """

    position: Position
    topics: frozenset[str]
    matches: frozenset[str] = frozenset()
    published: bool = False
    unplaced: bool = False


def positions(event_ids: Iterable[str] | QuerySet[Any, str]) -> dict[str, Position]:
    """Where events stand, in one query; in three where one of them has a feature match."""
    found = _rows(event_ids)
    featured = [chain for chain, *_rest, featured in found if featured]
    shown = shown_counts(featured, now()) if featured else {}
    return {chain: Position(number, table or 0, shown.get(chain, 0)) for chain, number, table, _featured in found}


def _rows(event_ids: Iterable[str] | QuerySet[Any, str]) -> list[tuple[str, int, int | None, bool]]:
    """By event its ledger's number, its newest table, and whether it has a feature match."""
    if isinstance(event_ids, QuerySet):
        return list(_heads(event_ids))
    ids = list(event_ids)
    if len(ids) != 1:
        return list(_heads(ids))
    sql, params = _for_one(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, [ids[0] if each == ANY_EVENT else each for each in params])
        return list(cursor.fetchall())


ANY_EVENT = "e-any"


@cache
def _for_one(_vendor: str) -> tuple[str, tuple[Any, ...]]:
    """The query for a single event as SQL: each page asks it, and building it takes longer than running it."""
    sql, params = _heads([ANY_EVENT]).query.sql_with_params()
    return sql, params


def _heads(event_ids: Any) -> QuerySet[LedgerHead, tuple[str, int, int | None, bool]]:
    newest = StandingsTable.objects.filter(stage__event__public_id=OuterRef("chain")).order_by("-pk").values("pk")[:1]
    features = Feature.objects.filter(match__round__stage__event__public_id=OuterRef("chain"))
    heads = LedgerHead.objects.filter(chain__in=event_ids).annotate(table=Subquery(newest), featured=Exists(features))
    return heads.values_list("chain", "number", "table", "featured")


def news_since(known: Mapping[str, Position]) -> dict[str, News]:
    """The events that have moved since the known positions: one query, and one more where a ledger has grown."""
    here = positions(known)
    moved = {event: position for event, position in here.items() if position != known[event]}
    topics: dict[str, set[str]] = defaultdict(set)
    matches: dict[str, set[str]] = defaultdict(set)
    published: set[str] = set()
    unplaced: set[str] = set()
    for event, code, concerned in _entries({event: known[event].number for event in moved}, moved):
        topics[event] |= topics_of(code, concerned)
        if code.partition(".")[0] in ROW_TOPICS:
            named = {found for found in concerned if isinstance(found, str) and found.startswith("m-")}
            matches[event] |= named
            if not named:
                unplaced.add(event)
        if code == "round.published":
            published.add(event)
    for event, position in moved.items():
        if position.table != known[event].table:
            topics[event].add("standings")
        if position.shown != known[event].shown:
            topics[event].add("feature")
    return {
        event: News(
            position, frozenset(topics[event]), frozenset(matches[event]), event in published, event in unplaced
        )
        for event, position in moved.items()
    }


def _entries(known: Mapping[str, int], moved: Mapping[str, Position]) -> Iterable[tuple[str, str, tuple[object, ...]]]:
    """Event, code and what is concerned, of the entries after the known numbers; no query where there are none."""
    newer = Q()
    for event, number in known.items():
        if moved[event].number > number:
            newer |= Q(chain=event, number__gt=number)
    if not newer:
        return
    entries = LedgerEntry.objects.filter(newer).order_by()
    for event, code, *concerned in entries.values_list("chain", "code", "object", "after__match", "after__entrant"):
        yield event, code, tuple(concerned)
