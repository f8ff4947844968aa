"""The newest ledger entry of each topic of an event, cached: after the first read, only newer entries are read."""

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable

from django.db.models import Max

from tournaments.common.models import LedgerEntry

MOST_EVENTS = 500  # cached at a time; the one that was read longest ago is dropped


class Newest:
    """A cache of the numbers of the newest entries, for the events this process was asked about recently."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[int, dict[str, int]]] = OrderedDict()
        self._lock = threading.Lock()

    def last(self, chain: str, number: int, topics: Iterable[str]) -> int:
        """The number of a chain's newest entry about one of `topics`, or 0. `number` is the chain's last entry.

        A topic is the part of a code before the dot: `result.confirmed` is about `result`.
        """
        found = self._of(chain, number)
        return max((found.get(topic, 0) for topic in topics), default=0)

    def last_except(self, chain: str, number: int, topics: Collection[str]) -> int:
        """The number of a chain's newest entry about none of `topics`, or 0. `number` is the chain's last entry."""
        return max((last for topic, last in self._of(chain, number).items() if topic not in topics), default=0)

    def clear(self) -> None:
        """Forget everything, for tests."""
        with self._lock:
            self._known.clear()

    def _of(self, chain: str, number: int) -> dict[str, int]:
        with self._lock:
            known, last = self._known.get(chain, (0, {}))
        if known >= number:
            return last
        entries = LedgerEntry.objects.filter(chain=chain, number__gt=known).order_by()
        last = dict(last)
        for code, its in list(entries.values_list("code").annotate(last=Max("number"))):
            topic = code.partition(".")[0]
            last[topic] = max(its, last.get(topic, 0))
        # Outside the lock: threads may read the same entries at once. One that puts back an older answer does no harm,
        # because number and topics belong together, and the next call reads what is newer.
        with self._lock:
            self._known[chain] = (max([number, *last.values()]), last)
            self._known.move_to_end(chain)
            while len(self._known) > MOST_EVENTS:
                self._known.popitem(last=False)
        return last


newest = Newest()
