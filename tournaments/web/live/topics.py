"""What a ledger entry is about, in the words that pages follow.

A topic is what stands before the dot of a ledger code: `result.confirmed` is about `result`. Where the entry concerns a
match or an entrant, the topic names it behind a colon, as a keyed digest: `result:k3f9ab2c`. A page that shows a match
knows its digests; to all others they say nothing, so a stream that everybody may open does not tell at which table the
judge was called.

A page follows `result` (all results), or `result:k3f9ab2c` (those of one match).
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings

NAMED = ("m-", "p-")  # the public ids of matches and of entrants
MANY = 300  # topics that name something, in one message: beyond, the topic alone is told


@lru_cache(maxsize=20_000)
def about(topic: str, public_id: str) -> str:
    """The topic of one match or entrant, such as `result:k3f9ab2c`."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"arbitre.live {topic} {public_id}".encode(), hashlib.sha256)
    return f"{topic}:{base64.b32encode(digest)[:8].decode().lower()}"


def topics_of(code: str, concerned: Iterable[object]) -> set[str]:
    """The topics of a ledger entry with this code: one for each match or entrant concerned, else the topic alone."""
    topic = code.partition(".")[0]
    named = {about(topic, found) for found in concerned if isinstance(found, str) and found.startswith(NAMED)}
    return named or {topic}


def told(topics: Iterable[str]) -> frozenset[str]:
    """The same topics, where those that name many things are told by the topic alone: a message stays small."""
    topics = frozenset(topics)
    if len(topics) <= MANY:
        return topics
    return frozenset(topic.partition(":")[0] for topic in topics)
