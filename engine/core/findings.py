"""The facts noted at the table that are not so: each told once, with the rule and the entry that give its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core import views
from engine.core.errors import Malformed
from engine.core.replay import Mismatch, Replay
from engine.core.report import Finding

MAX_TRACED = 50  # facts of which the audit looks for the entry that changed them last
SET_UP = "setup"
OUTSIDE = ("ruling", "manual", "gap", "back_to")  # entries that change facts by no rule of the text
UNKNOWN = object()  # the value of what is no fact of a board

Traces = Mapping[str, tuple[int, str]]  # by fact, the entry that changed it last and its verb


def findings(replay: Replay, claims: Sequence[Mismatch]) -> tuple[Finding, ...]:
    """Fold the claims about the same fact into the first, and say what gives its computed value."""
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
    """The counter or the zone that a fact is about, whoever's it is: "A/T1/fighters/2" is about "fighters"."""
    parts = [part for part in fact.replace(".", "/").split("/") if not part.isdecimal()]
    return parts[-1]


def _traced(replay: Replay, claims: Iterable[Mismatch]) -> Traces:
    """The entry that last changed each fact before it was noted, found by playing the log again."""
    ends = {claim.claim: claim.n for claim in claims}
    if not ends:
        return {}
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
    """The value of a fact now; the score of a seat is one, and so is its rank, which the score gives."""
    seat, _, kind = fact.partition(".")
    if kind in ("score", "rank"):
        return replay.game.score(replay.state).get(seat)
    try:
        return views.fact(replay.state, fact)
    except Malformed:
        return UNKNOWN
