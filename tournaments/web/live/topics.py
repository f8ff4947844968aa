"""Topics: what a ledger entry is about, in the terms that pages follow.

A topic is the part of a ledger code before the dot: `result.confirmed` is about `result`. If the entry concerns a match
or an entrant, the topic names it as a keyed digest after a colon: `result:k3f9ab2c`. A page that shows a match knows
its digests; to everybody else they mean nothing. So a stream that anybody may open does not reveal at which table a
judge was called.

An entry about a round also has the topic of that round, such as `round-3`.

A page follows `result` (all results) or `result:k3f9ab2c` (those of one match).
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings

_ROUND = re.compile(r"r\d{1,3}")  # how the ledger names a round
NAMED = ("m-", "p-")  # prefixes of the public ids of matches and entrants
MANY = 300  # topics in one message; beyond that, they are sent without the match or entrant


@lru_cache(maxsize=20_000)
def about(topic: str, public_id: str) -> str:
    """The topic of one match or entrant, such as `result:k3f9ab2c`."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"arbitre.live {topic} {public_id}".encode(), hashlib.sha256)
    return f"{topic}:{base64.b32encode(digest)[:8].decode().lower()}"


def topics_of(code: str, concerned: Iterable[object]) -> set[str]:
    """The topics of a ledger entry: one for each match or entrant among `concerned`, else the bare topic."""
    topic = code.partition(".")[0]
    names = [found for found in concerned if isinstance(found, str)]
    named = {about(topic, name) for name in names if name.startswith(NAMED)}
    rounds = {f"round-{name[1:]}" for name in names if topic == "round" and _ROUND.fullmatch(name)}
    return named or {topic} | rounds


def told(topics: Iterable[str]) -> frozenset[str]:
    """The topics to send: if there are more than `MANY`, the bare topics, so that a message stays small."""
    topics = frozenset(topics)
    if len(topics) <= MANY:
        return topics
    return frozenset(topic.partition(":")[0] for topic in topics)
