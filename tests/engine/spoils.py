"""Reports on spoiled logs, of which there are many: most are read without the search for a slip of the scribe."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.core.report import Report


def unsearched(report: Report) -> Report:
    """The report as it reads where no slip is searched for; the search has tests of its own."""
    return replace(report, slips=None)


def reads(report: Report, number: int) -> bool:
    """Whether the report can be read in French and Italian; one in sixty of them with its search."""
    found = report if number % 60 == 7 else unsearched(report)
    return bool(json.dumps(found.as_json("fr")) and found.as_text("it"))
