"""The position of an event, and what has changed since one.

A position is written `<ledger number>.<newest standings table>`, with `.<moves shown>` if there is a feature match. Two
things change without a ledger entry: standings, which a job computes, and the moves of a feature match, which become
public after a delay. So the newest table and the number of public moves are part of the position, and give the topics
`standings` and `feature`.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from tournaments.audits.models import Feature
from tournaments.audits.watching import shown_counts
from tournaments.common.clock import now
from tournaments.common.models import LedgerEntry, LedgerHead
from tournaments.standings.models import StandingsTable
from tournaments.web.live.topics import NAMED, topics_of

ROW_TOPICS = frozenset({"result", "table", "game", "dispute", "match"})
"""Topics of entries that may change a match's line in the pairings."""
NAMING = ("object", "after__match", "after__entrant", "before__entrant", "before__owner")
"""The fields in which a ledger entry may name a match, an entrant or an account."""
OF_PLAYERS = frozenset({"result.reported", "result.confirmed"})
"""Codes of what players do to their result: all that the pages of their seats show of it is sent in parts."""
RIGHTS_TOPICS = frozenset({"staff", "entrant", "application", "event"})
"""Topics of entries after which somebody may have other rights at the event."""
HARMLESS = frozenset({"entrant.checked_in", "entrant.check_in_undone"})
"""Codes among these topics that come by the hundred and change nobody's rights."""
EVERYBODY = frozenset({"public", "players", "staff"})
MOST_READ = 200
"""How many ledger entries are read, at most, to find out which rows of a page have changed."""


class Position(NamedTuple):
    """The position of an event.

    - `number`: the number of its last ledger entry
    - `table`: the primary key of its newest standings table
    - `shown`: how many moves of its feature matches are public
    """

    number: int = 0
    table: int = 0
    shown: int = 0

    def __str__(self) -> str:
        return f"{self.number}.{self.table}" + (f".{self.shown}" if self.shown else "")

    @classmethod
    def parse(cls, text: str) -> "Position | None":
        """Parse a position as a page or a browser sends it back; None if it is not one."""
        found = re.fullmatch(r"(\d{1,9})\.(\d{1,15})(?:\.(\d{1,9}))?", text)
        return cls(int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


class News(NamedTuple):
    """What has changed at an event since a position.

    - `position`: where the event is now
    - `topics`: the topics of the changes
    - `matches`: the public ids of the matches whose line in the pairings may have changed, each with the number of the
      last entry about it
    - `published`: whether a round was published
    - `unplaced`: whether an entry of `ROW_TOPICS` names no match, so that any line may have changed
    - `reported`: those of the matches about which there are only entries of `OF_PLAYERS`
    - `rights`: who may have other rights now: public ids of accounts and entrants, or names of whole audiences
    """

    position: Position
    topics: frozenset[str]
    matches: Mapping[str, int] = MappingProxyType({})
    published: bool = False
    unplaced: bool = False
    reported: frozenset[str] = frozenset()
    rights: frozenset[str] = frozenset()


def positions(event_ids: Iterable[str] | QuerySet[Any, str]) -> dict[str, Position]:
    """The positions of events by public id, in one query, or three if one of them has a feature match."""
    found = _rows(event_ids)
    featured = [chain for chain, *_rest, featured in found if featured]
    shown = shown_counts(featured, now()) if featured else {}
    return {chain: Position(number, table or 0, shown.get(chain, 0)) for chain, number, table, _featured in found}


def _rows(event_ids: Iterable[str] | QuerySet[Any, str]) -> list[tuple[str, int, int | None, bool]]:
    """For each event: its id, ledger number, newest standings table, and whether it has a feature match."""
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
    """The SQL of the query for a single event: every page runs it, and building it takes longer than running it."""
    sql, params = _heads([ANY_EVENT]).query.sql_with_params()
    return sql, params


def _heads(event_ids: Any) -> QuerySet[LedgerHead, tuple[str, int, int | None, bool]]:
    newest = StandingsTable.objects.filter(stage__event__public_id=OuterRef("chain")).order_by("-pk").values("pk")[:1]
    features = Feature.objects.filter(match__round__stage__event__public_id=OuterRef("chain"))
    heads = LedgerHead.objects.filter(chain__in=event_ids).annotate(table=Subquery(newest), featured=Exists(features))
    return heads.values_list("chain", "number", "table", "featured")


def news_since(known: Mapping[str, Position]) -> dict[str, News]:
    """The news of those events that have changed since their known position.

    As many queries as `positions` takes, and one more if a ledger has grown.
    """
    here = positions(known)
    moved = {event: position for event, position in here.items() if position != known[event]}
    topics: dict[str, set[str]] = defaultdict(set)
    matches: dict[str, dict[str, int]] = defaultdict(dict)
    published: set[str] = set()
    unplaced: set[str] = set()
    otherwise: dict[str, set[str]] = defaultdict(set)
    rights: dict[str, frozenset[str]] = defaultdict(frozenset)
    for event, number, code, concerned in _entries({event: known[event].number for event in moved}, moved):
        topics[event] |= topics_of(code, concerned)
        rights[event] |= _rights_in(code, concerned)
        if code.partition(".")[0] in ROW_TOPICS:
            named = {found for found in concerned if isinstance(found, str) and found.startswith("m-")}
            matches[event] |= {match: max(number, matches[event].get(match, 0)) for match in named}
            if code not in OF_PLAYERS:
                otherwise[event] |= named
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
            position,
            frozenset(topics[event]),
            matches[event],
            event in published,
            event in unplaced,
            frozenset(matches[event]) - otherwise[event],
            rights[event],
        )
        for event, position in moved.items()
    }


def _rights_in(code: str, concerned: Iterable[object]) -> frozenset[str]:
    """Who may have other rights after a ledger entry: see `News`."""
    topic = code.partition(".")[0]
    if topic not in RIGHTS_TOPICS or code in HARMLESS:
        return frozenset()
    if topic in ("event", "application"):  # who may see a private event; an event may also become private
        return frozenset({"public"})
    return frozenset(name for name in concerned if isinstance(name, str) and name[:2] in ("u-", "p-")) or EVERYBODY


class Named(NamedTuple):
    """The public ids that some ledger entries name, and the number of the last of these entries."""

    number: int
    matches: frozenset[str]
    entrants: frozenset[str]


def named_since(event_id: str, number: int, topics: Collection[str]) -> Named | None:
    """The matches and entrants named by the ledger entries of an event after `number`, in one query.

    None if anything may have changed: an entry about one of `topics` names nothing, there are more than `MOST_READ`
    entries, or the ledger has no entry `number`.
    """
    entries = LedgerEntry.objects.filter(chain=event_id, number__gte=number).order_by("number")
    found = list(entries.values_list("number", "code", *NAMING)[: MOST_READ + 2])
    if not found or found[0][0] != number or len(found) > MOST_READ + 1:
        return None
    every: set[str] = set()
    for _number, code, *concerned in found[1:]:
        named = {name for name in concerned if isinstance(name, str) and name.startswith(NAMED)}
        if not named and code.partition(".")[0] in topics:
            return None
        every |= named
    matches = frozenset(name for name in every if name.startswith("m-"))
    return Named(found[-1][0], matches, frozenset(every) - matches)


def _entries(
    known: Mapping[str, int], moved: Mapping[str, Position]
) -> Iterable[tuple[str, int, str, tuple[object, ...]]]:
    """Event, number, code and named objects of each entry after the known numbers; no query if there are none."""
    newer = Q()
    for event, number in known.items():
        if moved[event].number > number:
            newer |= Q(chain=event, number__gt=number)
    if not newer:
        return
    entries = LedgerEntry.objects.filter(newer).order_by()
    for event, number, code, *concerned in entries.values_list("chain", "number", "code", *NAMING):
        yield event, number, code, tuple(concerned)
