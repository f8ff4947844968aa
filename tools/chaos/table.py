"""The counts for each fault, and the table of them."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

HEADINGS = (
    "stack",
    "fault",
    "injected",
    "answered",
    "sent again",
    "503",
    "500",
    "lost",
    "doubled",
    "reopened",
    "verify",
    "went on",
    "longest wait",
)
NO_TIME = "no time left"
EXCUSES = (NO_TIME, "the history of the project")


@dataclass
class Row:
    """One fault on one stack.

    - `answered`: actions answered with success
    - `wanted`: how many of them there should have been, 0 for any number
    - `again`: actions sent more than once
    - `unavailable`, `errors`: answers of 503, and of 500 and above
    - `reopened`: how often a page had to open its live stream again
    - `verified`, `faults`: whether `manage.py verify` has run, and the problems that it found
    - `wait`: the longest wait for an answer, in seconds
    - `problems`: everything that should not have happened
    - `skipped`: why the fault was not run, or empty; `NO_TIME` and a missing history are nobody's fault
    """

    stack: str
    fault: str
    injected: int = 0
    answered: int = 0
    wanted: int = 0
    again: int = 0
    unavailable: int = 0
    errors: int = 0
    lost: int = 0
    doubled: int = 0
    reopened: int = 0
    verified: bool = False
    faults: int = 0
    went_on: bool = True
    wait: float = 0.0
    problems: list[str] = field(default_factory=list)
    skipped: str = ""

    @property
    def failed(self) -> bool:
        """Whether anything was wrong."""
        return bool(self.problems or self.errors or self.lost or self.doubled or self.faults or not self.went_on)

    @property
    def is_missing(self) -> bool:
        """Whether it was skipped because of something that should be on this machine."""
        return bool(self.skipped) and not any(excuse in self.skipped for excuse in EXCUSES)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Row":
        """The row written by `as_json`."""
        return cls(**{name: value for name, value in data.items() if name != "failed"})

    def as_json(self) -> dict[str, Any]:
        """All fields, for `--json`."""
        return {**asdict(self), "failed": self.failed}


def markdown(rows: Iterable[Row]) -> str:
    """The table, followed by the problems."""
    rows = list(rows)
    lines = [_line(HEADINGS), _line(["---"] * len(HEADINGS)), *(_line(_cells(row)) for row in rows)]
    problems = [f"{row.stack}, {row.fault}: {problem}" for row in rows for problem in row.problems]
    return "\n".join([*lines, *([""] if problems else []), *problems])


def _cells(row: Row) -> list[str]:
    if row.skipped:
        return [row.stack, row.fault, f"skipped: {row.skipped}", *[""] * (len(HEADINGS) - 3)]
    answered = f"{row.answered} of {row.wanted}" if row.answered < row.wanted else row.answered
    counted = (row.injected, answered, row.again, row.unavailable, row.errors, row.lost, row.doubled, row.reopened)
    verified = f"{row.faults} faults" if row.faults else "ok" if row.verified else "not yet"
    return [
        row.stack,
        row.fault,
        *map(str, counted),
        verified,
        "yes" if row.went_on else "no",
        f"{row.wait:.1f} s",
    ]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
