"""Cheap checks of the many reports that the fuzz tests produce from corrupted logs.

Rendering a report starts the search for slips of the scribe (`engine.core.replay.repair`), which plays thousands of
entries. Most reports are therefore rendered without it.
"""

from __future__ import annotations

import json
from dataclasses import replace

from engine.core.report.report import Report


def unsearched(report: Report) -> Report:
    """Return the report without the search for slips, which `test_repair.py` covers."""
    return replace(report, slips=None)


def reads(report: Report, number: int) -> bool:
    """Return whether the report renders as JSON in French and text in Italian; one in sixty includes the search."""
    found = report if number % 60 == 7 else unsearched(report)
    return bool(json.dumps(found.as_json("fr")) and found.as_text("it"))
