"""The two axes of a result: its authority (who vouches for it) and its evidence (what proves it), with their times.

The times come from the event's ledger, which has an entry for every change of either axis.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.common.models import LedgerEntry
from tournaments.common.prepared import Names, Prepared
from tournaments.play.models import Match, Report
from tournaments.play.selectors import waiting_of

Authority = Match.Authority
# Ledger entries that give a result its authority: code -> (authority, who vouches for it).
STANDS_BEHIND = {
    "result.reported": (Authority.CLAIMED, "player"),
    "result.confirmed": (Authority.AGREED, "players"),
    "result.entered": (Authority.WITNESSED, "desk"),
    "result.ruled": (Authority.RULED, "judge"),
    "result.penalized": (Authority.RULED, "judge"),
}
AUDITED = "game.audited"
WITHDRAWN = "game.evidence_withdrawn"


@dataclass(frozen=True)
class Axes:
    """The authority and evidence of a result.

    `by` is "player", "players", "desk", "judge" or empty. A time is None if the ledger has no entry for it. `differ` is
    whether two players report different results, and no judge looks into it yet; `contested` covers both.
    """

    authority: str
    by: str
    authority_at: datetime | None
    evidence: str
    evidence_at: datetime | None
    disputed: bool
    differ: bool = False

    @property
    def contested(self) -> bool:
        """Whether the players report different results."""
        return self.disputed or self.differ


_ENTRIES = Prepared(
    lambda chains, matches: (
        LedgerEntry.objects
        .filter(chain__in=chains, object__in=matches, code__in=[*STANDS_BEHIND, AUDITED, WITHDRAWN])
        .only("object", "code", "at", "after")
        .order_by("number")
    ),
    Names,
    Names,
)


def axes_of(matches: Iterable[Match]) -> dict[int, Axes]:
    """The axes of matches, by the match's key. Read the matches with their rounds, stages and events.

    One query, and another one if a result is reported that does not count yet (none if its reports are loaded).
    """
    by_id = {match.public_id: match for match in matches}
    stood: dict[str, tuple[str, datetime]] = {}
    proven: dict[str, datetime] = {}
    chains = {match.round.stage.event.public_id for match in by_id.values()}
    for entry in _ENTRIES.rows(chains, list(by_id)):
        match = by_id[entry.object]
        if entry.code == WITHDRAWN:
            proven.pop(entry.object, None)  # a log is gone: what it proved counts from a later audit on
        if entry.code in (AUDITED, WITHDRAWN):
            if entry.after and entry.after.get("evidence") == match.evidence:
                proven.setdefault(entry.object, entry.at)  # since the first audit that found this much
        elif STANDS_BEHIND[entry.code][0] == match.authority:
            stood[entry.object] = STANDS_BEHIND[entry.code][1], entry.at  # since the latest entry
    apart = _with_differing_reports(by_id.values())
    return {
        match.pk: _axes(match, stood.get(match.public_id), proven.get(match.public_id), match.pk in apart)
        for match in by_id.values()
    }


def _with_differing_reports(matches: Iterable[Match]) -> frozenset[int]:
    claimed = [match for match in matches if match.authority == Authority.CLAIMED and not match.disputed]
    loaded = {match.pk for match in claimed if hasattr(match, "waiting_reports")}
    apart = {match.pk for match in claimed if match.pk in loaded and waiting_of(match)[1]}
    unread = [match.pk for match in claimed if match.pk not in loaded]
    counters = Report.objects.filter(match__in=unread, status=Report.Status.COUNTER)
    return frozenset(apart | (set(counters.order_by().values_list("match", flat=True)) if unread else set()))


def _axes(match: Match, stood: tuple[str, datetime] | None, proven: datetime | None, differ: bool) -> Axes:
    by, at = stood or ("", None)
    return Axes(match.authority, by, at, match.evidence, proven if match.evidence else None, match.disputed, differ)
