"""Which entrants of an event have a public profile, for the links on the event's pages.

Those pages are cached for everybody under the number of the event's last ledger entry (`web.shared`), and a profile is
in no ledger. So the links are part of the cache key: when a profile is switched off, the pages that link to it are
rendered again. Each process reads the links of an event at most once in `FRESH_SECONDS`.
"""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from django.db import transaction

from tournaments.events.models import Member
from tournaments.profiles.models import address_of

FRESH_SECONDS = 1.0
MOST_KEPT = 500  # events


class Links(NamedTuple):
    """How addresses name the profiles of an event's entrants, by entrant key, and a digest of that.

    They are shared between requests: do not change them.
    """

    by_entrant: Mapping[int, str]
    digest: str


_kept: OrderedDict[str, tuple[float, Links]] = OrderedDict()
_lock = threading.Lock()


def links_in(event_id: str) -> Links:
    """The links to the profiles of an event's entrants. At most one query."""
    with _lock:
        found = _kept.get(event_id)
    if found is None or found[0] < time.monotonic():
        found = (time.monotonic() + FRESH_SECONDS, _read(event_id))
        with _lock:
            _kept[event_id] = found
            _kept.move_to_end(event_id)
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
    return found[1]


def last_digest(event_id: str) -> str | None:
    """The digest of the links as this process read them last, however long ago; None if it has to read them again."""
    with _lock:
        found = _kept.get(event_id)
    return found[1].digest if found else None


def _read(event_id: str) -> Links:
    members = Member.objects.filter(event__public_id=event_id, person__profile__isnull=False)
    rows = members.values_list("entrant", "person__public_id", "person__profile__short_name")
    found = {entrant: address_of(person, short_name) for entrant, person, short_name in rows.order_by("entrant")}
    return Links(found, hashlib.sha256(repr(found).encode()).hexdigest())


def forget_links() -> None:
    """Forget the links that this process has read: now, and again once the running transaction is committed."""
    clear()
    transaction.on_commit(clear)


def clear() -> None:
    """Forget the links that this process has read, now."""
    with _lock:
        _kept.clear()
