"""A page of pairings that is kept, brought up to date by the parts that phones are sent, instead of rendered again.

A result changes one line of a hundred. Rendering the hundred again costs more than everything else that a server does
while results come in; putting the changed line into what is kept costs next to nothing.
"""

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from tournaments.web.live.address import Shown
from tournaments.web.live.parts import parts_of
from tournaments.web.live.positions import ROW_TOPICS, News, Position, news_since

IN_PARTS = ROW_TOPICS | {"clock"}
"""Topics of what parts say in full; what concerns others needs the whole page."""
_LINE = re.compile(r'id="line-(m-[a-z0-9]+)"')
_SINCE = re.compile(r"(data-live-stream=\"[^\"]*\bsince=)[0-9.]+")


def mended(page: str, event_id: str, shown: Shown, since: Position, topics: Collection[str]) -> str | None:
    """A page that was right at a position, as it is now; None where it has to be rendered.

    `topics` are what the page is about, `shown` whose parts it has. Five queries at most, and two when none of its
    lines has changed.
    """
    news = news_since({event_id: since}).get(event_id, News(since, frozenset()))
    if not _in_parts(news, topics):
        return None
    here = news.matches.intersection(_LINE.findall(page))
    parts = parts_of(event_id, shown, news._replace(topics=frozenset({"clock"}), matches=here, published=False))
    if parts is None:
        return None
    for name, html in parts.all.items():
        found = _span(page, name)
        if found is None:
            return None
        page = page[: found[0]] + html + page[found[1] :]
    return _SINCE.sub(rf"\g<1>{news.position}", page, count=1)


def _in_parts(news: News, topics: Collection[str]) -> bool:
    touched = {topic.partition(":")[0] for topic in news.topics}.intersection(topics)
    return not news.unplaced and touched <= IN_PARTS


def _span(page: str, name: str) -> tuple[int, int] | None:
    """From where to where an element reaches, found by its id; None where the page has none."""
    opening = re.search(rf'<([a-z]+) id="{re.escape(name)}"', page)
    if opening is None:
        return None
    depth = 0
    for tag in _tags(opening[1]).finditer(page, opening.start()):
        depth += -1 if tag[0].startswith("</") else 1
        if depth == 0:
            return opening.start(), tag.end()
    return None


@lru_cache(maxsize=10)
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"<{name}\b|</{name}>")


Mend = Callable[[str, Position], str | None]


def mending(event_id: str, shown: Shown | None, topics: Collection[str]) -> Mend | None:
    """How to bring a page of an event up to date; None where it shows nothing that is sent in parts."""
    if shown is None:
        return None
    return lambda page, since: mended(page, event_id, shown, since, topics)
