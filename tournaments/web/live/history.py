"""What the streams of a process heard lately, so that a page that comes back is told without asking the database.

A phone is looked at and put away again a hundred times in a tournament. What it missed is nearly always here.
"""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from tournaments.web.live.address import Shown
from tournaments.web.live.parts import Parts, changes
from tournaments.web.live.positions import News, Position

REMEMBERED = 240  # readings in which something had moved: a minute or more of a busy event
MOST_LINES = 20  # in a message to who comes back: beyond, its page asks for its fragment again


class Heard(NamedTuple):
    """What has moved of one event, with the parts for each thing that pages show; None: too much to be sent."""

    news: News
    parts: Mapping[Shown, Parts | None]


class History:
    """What was heard of one event since a position, in the order in which it was read."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._heard: deque[Heard] = deque()

    def add(self, heard: Heard) -> None:
        """Note what was heard now; the oldest is forgotten when there is too much."""
        self._heard.append(heard)
        if len(self._heard) > REMEMBERED:
            self._start = self._heard.popleft().news.position

    def since(self, position: Position, shown: Shown | None) -> Heard | None:
        """All that was heard after a position, as one; None where that is longer ago than is remembered."""
        if not _reaches(position, self._start):
            return None
        later = [heard for heard in self._heard if not _reaches(position, heard.news.position)]
        news = News(
            later[-1].news.position if later else position,
            frozenset().union(*(heard.news.topics for heard in later)),
            frozenset().union(*(heard.news.matches for heard in later)),
            any(heard.news.published for heard in later),
            any(heard.news.unplaced for heard in later),
        )
        touched = [heard for heard in later if shown and changes(heard.news, shown)]
        return Heard(news, {shown: _together([heard.parts.get(shown) for heard in touched])} if shown else {})


def _together(all_parts: list[Parts | None]) -> Parts | None:
    """Several parts as one, where what came later replaces what came before; None when it is too much."""
    together, own = dict[str, str](), dict[str, str]()
    for parts in all_parts:
        if parts is None:
            return None
        together |= parts.all
        own |= parts.own
    return Parts(together, own) if len(together) <= MOST_LINES else None


def _reaches(position: Position, other: Position) -> bool:
    return all(mine >= its for mine, its in zip(position, other, strict=True))
