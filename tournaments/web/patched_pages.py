"""Bring a cached page of pairings up to date by replacing only the lines that have changed.

A result changes one line out of hundreds. Rendering the whole page again costs more than everything else a server does
while results come in; replacing one line in the cached page costs next to nothing. The new lines are the same HTML that
phones get in the live stream.
"""

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from tournaments.web.live.address import Shown
from tournaments.web.live.parts import parts_of
from tournaments.web.live.positions import ROW_TOPICS, News, Position, news_since

IN_PARTS = ROW_TOPICS | {"clock"}
"""Topics that the parts of a page cover completely. Anything else needs the whole page to be rendered."""
_LINE = re.compile(r'id="line-(m-[a-z0-9]+)"')
_SINCE = re.compile(r"(data-live-stream=\"[^\"]*\bsince=)[0-9.]+")


def patched(page: str, event_id: str, shown: Shown, since: Position, topics: Collection[str]) -> str | None:
    """Return a page that was right at position `since` as it is now, or None if it has to be rendered.

    `topics` are the topics of the page, `shown` the audience that its parts are rendered for. Takes at most eight
    queries, and two if none of its lines has changed, or all of them are known already.
    """
    news = news_since({event_id: since}).get(event_id, News(since, frozenset()))
    if not _in_parts(news, topics):
        return None
    here = {match: news.matches[match] for match in _LINE.findall(page) if match in news.matches}
    # The clock is always rendered again, because it shows the time left.
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
    """The start and end of the element with an id, or None if the page has no such element.

    A regular expression is enough, and fast: the pages come from the site's own templates, so their tags are balanced.
    """
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


Patch = Callable[[str, Position], str | None]


def patching(event_id: str, shown: Shown | None, topics: Collection[str]) -> Patch | None:
    """The function that brings a page of an event up to date; None if nothing on the page is sent in parts."""
    if shown is None:
        return None
    return lambda page, since: patched(page, event_id, shown, since, topics)
