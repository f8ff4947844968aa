"""The recent changes of each event, in memory, so that a page that reconnects can catch up without the database.

A phone is put away and taken out again a hundred times in a tournament. What it has missed is nearly always in here.
"""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from tournaments.web.live.address import Shown
from tournaments.web.live.parts import Parts, changes
from tournaments.web.live.positions import News, Position
from tournaments.web.live.seats import Own

REMEMBERED = 240  # reads that found a change: a minute or more of a busy event
MOST_LINES = 20  # parts in a message that catches up; beyond that, the page requests its fragment again


class Heard(NamedTuple):
    """A change of one event, with the parts for each kind of page; None instead of parts if they are too many."""

    news: News
    parts: Mapping[Shown, Parts | None]


class History:
    """The changes of one event since a position, oldest first."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._heard: deque[Heard] = deque()

    def add(self, heard: Heard) -> None:
        """Add a change; the oldest is forgotten when there are more than `REMEMBERED`."""
        self._heard.append(heard)
        if len(self._heard) > REMEMBERED:
            self._start = self._heard.popleft().news.position

    def since(self, position: Position, shown: Shown | None) -> Heard | None:
        """Everything since a position, merged into one change; None if the history does not go back that far.

        `shown` is what the page shows in parts, if anything.
        """
        if not reaches(position, self._start):
            return None
        later = [heard for heard in self._heard if not reaches(position, heard.news.position)]
        news = News(
            later[-1].news.position if later else position,
            frozenset().union(*(heard.news.topics for heard in later)),
            {match: number for heard in later for match, number in heard.news.matches.items()},
            any(heard.news.published for heard in later),
            any(heard.news.unplaced for heard in later),
        )
        return Heard(news, {shown: _together(later, shown)} if shown else {})


def _together(later: list[Heard], shown: Shown) -> Parts | None:
    """Merge parts, later ones replacing earlier ones; None if some of a change are missing or they are too many."""
    together, own = dict[str, str](), dict[str, Own]()
    for heard in later:
        parts = heard.parts.get(shown)
        if parts is None and changes(heard.news, shown):
            return None
        together |= parts.all if parts else {}
        for entrant, each in (parts.own if parts else {}).items():
            before = own.get(entrant, Own({}))
            own[entrant] = Own({**before.parts, **each.parts}, before.topics | each.topics)
    # Parts show everything about a topic only if those of every change about it do.
    own = {
        entrant: each._replace(topics=each.topics.difference(*(_unshown(heard, shown, entrant) for heard in later)))
        for entrant, each in own.items()
    }
    return Parts(together, own) if len(together) <= MOST_LINES else None


def _unshown(heard: Heard, shown: Shown, entrant: str) -> frozenset[str]:
    """The topics of a change of which the parts for an entrant do not show everything."""
    parts = heard.parts.get(shown)
    own = parts.own.get(entrant) if parts else None
    return heard.news.topics - (own.topics if own else frozenset())


def reaches(position: Position, other: Position) -> bool:
    """Whether a position has everything that another one has."""
    # The parts of a position grow independently: a page may know a newer table and an older ledger number.
    return all(mine >= its for mine, its in zip(position, other, strict=True))
