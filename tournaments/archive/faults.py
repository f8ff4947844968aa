"""The findings of a verification: single faults, and the report that collects them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One finding of a verification.

    - `code`: what is wrong, one of `words.FAULTS` (or of `words.LEFT` for what could not be checked)
    - `line`: its line in the file, 0 if there is none
    - `where`: the object it is about, such as a public id or `round 3`
    - `detail`: more about it, in ids and numbers only, never names
    """

    code: str
    line: int = 0
    where: str = ""
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the fault as reports store it."""
        return asdict(self)


Faults = Iterator[Fault]
SHOWN = 200  # faults that a report lists; the others are only counted


@dataclass(frozen=True)
class VerificationReport:
    """The report of a verification.

    - `digest`: the digest of the file's main part; empty for an event read from the database
    - `checked`: how many of each kind were checked, by the names in `words.CHECKED`
    - `faults`: the first `SHOWN` faults; `faulty` counts all of them
    - `left`: what could not be checked, which is not a fault
    - `entry`: the number of the last ledger entry
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
        """Whether no fault was found."""
        return self.faulty == 0

    def as_json(self) -> dict[str, Any]:
        """Return the report as jobs store it and the API returns it."""
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


def joined(found: VerificationReport, more: Iterable[Fault], checked: Mapping[str, int]) -> VerificationReport:
    """Return the report with additional faults and counts."""
    faults = list(more)
    return replace(
        found,
        checked={**found.checked, **checked},
        faults=(*found.faults, *faults)[:SHOWN],
        faulty=found.faulty + len(faults),
    )
