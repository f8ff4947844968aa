"""By event the number of the newest ledger entry of each topic: read once, and then only what has come since."""

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable

from django.db.models import Max

from tournaments.common.models import LedgerEntry

MOST_EVENTS = 500


class Newest:
    """The newest entries of the events that this process was asked about lately."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[int, dict[str, int]]] = OrderedDict()
        self._lock = threading.Lock()

    def last(self, chain: str, number: int, topics: Iterable[str]) -> int:
        """The number of the newest entry of a chain among topics, when the chain stands at `number`; 0 for none.

        A topic is what stands before the dot of a code: `result.confirmed` is about `result`.
        """
        found = self._of(chain, number)
        return max((found.get(topic, 0) for topic in topics), default=0)

    def last_but(self, chain: str, number: int, topics: Collection[str]) -> int:
        """The number of the newest entry of a chain that is of none of the topics; 0 for none."""
        return max((last for topic, last in self._of(chain, number).items() if topic not in topics), default=0)

    def clear(self) -> None:
        """Forget everything: for tests."""
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
        with self._lock:
            self._known[chain] = (max([number, *last.values()]), last)
            self._known.move_to_end(chain)
            while len(self._known) > MOST_EVENTS:
                self._known.popitem(last=False)
        return last


newest = Newest()
