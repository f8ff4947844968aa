"""The two axes of a result: who stands behind it and since when, and what proves it and since when.

Both are told from the event's ledger, where each change of them is an entry.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.common.models import LedgerEntry
from tournaments.play.models import Match

Authority = Match.Authority
# The entry that gives a result its authority, and who stands behind it then.
STANDS_BEHIND = {
    "result.reported": (Authority.CLAIMED, "player"),
    "result.confirmed": (Authority.AGREED, "players"),
    "result.entered": (Authority.WITNESSED, "desk"),
    "result.ruled": (Authority.RULED, "judge"),
    "result.penalized": (Authority.RULED, "judge"),
}
AUDITED = "game.audited"


@dataclass(frozen=True)
class Axes:
    """Where a result stands. `by` is "player", "players", "desk" or "judge", or empty; a time without entry is None."""

    authority: str
    by: str
    authority_at: datetime | None
    evidence: str
    evidence_at: datetime | None
    disputed: bool


def axes_of(matches: Iterable[Match]) -> dict[int, Axes]:
    """The axes of matches, by their keys; one query, the matches read with their rounds' stages."""
    by_id = {match.public_id: match for match in matches}
    stood: dict[str, tuple[str, datetime]] = {}
    proven: dict[str, datetime] = {}
    chains = {match.round.stage.event.public_id for match in by_id.values()}
    entries = LedgerEntry.objects.filter(chain__in=chains, object__in=by_id, code__in=[*STANDS_BEHIND, AUDITED])
    for entry in entries.only("object", "code", "at", "after").order_by("number"):
        match = by_id[entry.object]
        if entry.code == AUDITED:
            if entry.after and entry.after.get("evidence") == match.evidence:
                proven.setdefault(entry.object, entry.at)
        elif STANDS_BEHIND[entry.code][0] == match.authority:
            stood[entry.object] = STANDS_BEHIND[entry.code][1], entry.at
    return {match.pk: _axes(match, stood.get(match.public_id), proven.get(match.public_id)) for match in by_id.values()}


def _axes(match: Match, stood: tuple[str, datetime] | None, proven: datetime | None) -> Axes:
    by, at = stood or ("", None)
    return Axes(match.authority, by, at, match.evidence, proven if match.evidence else None, match.disputed)
