"""What is found in an event file that does not hold: a code, and where."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One thing that does not hold. `line` is where it stands in the file; `detail` says more, by ids and numbers."""

    code: str
    line: int = 0
    where: str = ""
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        """As reports keep it."""
        return asdict(self)


Faults = Iterator[Fault]
SHOWN = 200


@dataclass(frozen=True)
class Found:
    """What a verification found: how many of what were checked, what does not hold, what could not be computed.

    `faulty` counts all faults; the first `SHOWN` are told. `entry` is the number of the last ledger entry.
    """

    event: str
    digest: str
    with_names: bool
    checked: Mapping[str, int]
    faults: tuple[Fault, ...]
    faulty: int
    left: tuple[Fault, ...]
    entry: int = 0

    @property
    def holds(self) -> bool:
        """Whether everything is as the file says."""
        return self.faulty == 0

    def as_json(self) -> dict[str, Any]:
        """As a job keeps it and the API tells it."""
        return {
            "holds": self.holds,
            "event": self.event,
            "digest": self.digest,
            "entry": self.entry,
            "with_names": self.with_names,
            "checked": dict(self.checked),
            "faulty": self.faulty,
            "faults": [fault.as_json() for fault in self.faults],
            "left": [fault.as_json() for fault in self.left],
        }


def joined(found: Found, more: Iterable[Fault], checked: Mapping[str, int]) -> Found:
    """What was found, with further faults and counts."""
    faults = list(more)
    return replace(
        found,
        checked={**found.checked, **checked},
        faults=(*found.faults, *faults)[:SHOWN],
        faulty=found.faulty + len(faults),
    )
