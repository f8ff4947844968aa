"""Explain the claims of a log that are wrong.

Claims are facts noted at the table, such as a score. Each wrong fact is reported once, with the computed value, the
entry that last changed it, and the rule by which it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.replay.replay import Replay
from engine.core.report.report import Finding
from engine.core.shown import views
from engine.core.table.step import Mismatch
from engine.core.text.errors import Malformed

MAX_TRACED = 50  # facts for which the audit looks for the entry that last changed them
SET_UP = "setup"
OUTSIDE = ("ruling", "manual", "gap", "back_to")  # entries that change facts without applying a rule of the game
UNKNOWN = object()  # the value of a claim that names no fact of the board

Traces = Mapping[str, tuple[int, str]]  # fact -> the number and the verb of the entry that last changed it


def findings(replay: Replay, claims: Sequence[Mismatch]) -> tuple[Finding, ...]:
    """Return one finding per wrong fact, its first claim with a count of the later ones, in the order of the log."""
    if not claims:
        return ()
    first: dict[str, Mismatch] = {}
    later: dict[str, int] = {}
    for claim in claims:
        if first.setdefault(claim.claim, claim) is not claim:
            later[claim.claim] = later.get(claim.claim, 0) + 1
    traces = _traced(replay, list(first.values())[:MAX_TRACED])
    return tuple(_finding(replay, claim, traces, later.get(fact, 0)) for fact, claim in first.items())


def _finding(replay: Replay, claim: Mismatch, traces: Traces, later: int) -> Finding:
    if claim.claim not in traces:
        return Finding(*claim, later=later)
    since, do = traces[claim.claim]
    rule = None if do in OUTSIDE else replay.ruleset.book.giver(_kind(claim.claim), do)
    return Finding(*claim, rule, since, later)


def _kind(fact: str) -> str:
    """Return the counter or zone that a fact is about, without seat and number: "fighters" for "A/T1/fighters/2"."""
    parts = [part for part in fact.replace(".", "/").split("/") if not part.isdecimal()]
    return parts[-1]


def _traced(replay: Replay, claims: Iterable[Mismatch]) -> Traces:
    """Replay the log to find the entry that last changed each fact before it was first claimed wrongly."""
    ends = {claim.claim: claim.n for claim in claims}
    if not ends:
        return {}
    # Only logs with wrong claims pay for this second replay.
    again = Replay(replay.log, catalogs=(replay.catalog,), keep=False)
    values = {fact: _value(again, fact) for fact in ends}
    found = {fact: (0, SET_UP) for fact, value in values.items() if value is not UNKNOWN}
    last = max(ends.values())
    while (step := again.step()) is not None and step.n <= last:
        for fact in found:
            if step.n <= ends[fact]:
                value = _value(again, fact)
                if value != values[fact]:
                    values[fact], found[fact] = value, (step.n, step.entry.do)
    return found


def _value(replay: Replay, fact: str) -> Any:
    """Return the current value of a fact. A rank is traced like the score, because the score decides it."""
    seat, _, kind = fact.partition(".")
    if kind in ("score", "rank"):
        return replay.game.score(replay.state).get(seat)
    try:
        return views.fact(replay.state, fact)
    except Malformed:
        return UNKNOWN
