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
    "verify",
    "went on",
    "longest wait",
)


@dataclass
class Row:
    """One fault on one stack.

    - `answered`: actions answered with success
    - `again`: actions sent more than once
    - `unavailable`, `errors`: answers of 503, and of 500 and above
    - `faults`: problems found by `manage.py verify`
    - `wait`: the longest wait for an answer, in seconds
    - `problems`: everything that should not have happened
    - `skipped`: why the fault was not run, or empty
    """

    stack: str
    fault: str
    injected: int = 0
    answered: int = 0
    again: int = 0
    unavailable: int = 0
    errors: int = 0
    lost: int = 0
    doubled: int = 0
    faults: int = 0
    went_on: bool = True
    wait: float = 0.0
    problems: list[str] = field(default_factory=list)
    skipped: str = ""

    @property
    def failed(self) -> bool:
        """Whether anything was wrong."""
        return bool(self.problems or self.errors or self.lost or self.doubled or self.faults or not self.went_on)

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
    counted = (row.injected, row.answered, row.again, row.unavailable, row.errors, row.lost, row.doubled)
    verified = "ok" if not row.faults else f"{row.faults} faults"
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
