"""What another result does to what stands on it already: said before it is done.

In a bracket the players of later matches change; after a cut the standings may name others for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.events.models import Entrant, Stage
from tournaments.play.field import bracket_of, placed
from tournaments.play.models import Loss, Match, Seat
from tournaments.swiss.bracket import consequences
from tournaments.swiss.cut import cut
from tournaments.swiss.field import Match as SwissMatch
from tournaments.swiss.field import points_of
from tournaments.swiss.multiplayer import Place, Table


@dataclass(frozen=True)
class Effect:
    """One thing that follows. `what` is one of:

    - "reseated": `into` takes the seat of `out` at a match that has no result yet;
    - "stands": the match was played by `out`, and its result stands;
    - "cut": by the standings `into` would have come into the next stage and `out` would not; the stage stands;
    - "taken_back": the next round of a bracket, in which nothing was done, is paired again after a match is replayed.
    """

    what: str
    out: str
    into: str
    node: str = ""

    def as_json(self) -> dict[str, str]:
        """As the API tells it."""
        return {"what": self.what, "out": self.out, "into": self.into, "node": self.node}


def effects_of(match: Match, score: Sequence[Any], kind: str) -> list[Effect]:
    """What follows if this result takes the place of the one that counts; nothing for a first result."""
    stage = match.round.stage
    if not match.has_result:
        return []
    if match.has_ranks:
        return _at_cut(stage, tables={match.pk: _ranked(match, score)})
    told = _told(match, score, kind)
    if stage.is_bracket:
        return _in_bracket(stage, match, told)
    return _at_cut(stage, changed={match.pk: told})


def _told(match: Match, score: Sequence[Any], kind: str) -> SwissMatch:
    first, second = [seat.entrant.public_id for seat in match.seats.select_related("entrant").order_by("number")]
    won, lost, drawn = score
    return SwissMatch(first, second, won, lost, drawn, kind=kind)


def _ranked(match: Match, places: Sequence[Any]) -> Table:
    seats = match.seats.select_related("entrant").order_by("number")
    return tuple(
        Place(seat.entrant.public_id, points or 0, rank) for seat, (rank, points) in zip(seats, places, strict=True)
    )


def _in_bracket(stage: Stage, match: Match, told: SwissMatch) -> list[Effect]:
    now = bracket_of(stage)
    winner = told.a if points_of(told)[0] == 3 else told.b
    found = consequences(now.bracket, now.slots, match.node, winner or "")
    return [
        Effect("stands" if change.decided else "reseated", change.out, change.into, change.node) for change in found
    ]


def _at_cut(
    stage: Stage, *, changed: Mapping[int, SwissMatch] | None = None, tables: Mapping[int, Table] | None = None
) -> list[Effect]:
    later = stage.event.stages.filter(number=stage.number + 1, started_at__isnull=False).first()
    if later is None:
        return []
    came = list(later.entries.order_by("seed").values_list("entrant__public_id", flat=True))
    lines = placed(stage, changed=changed, tables=tables)
    known = {line.player for line in lines}
    # Who came in and dropped since is not asked again: the seat was theirs.
    stayed = [player for player in came if player in known]
    would = cut(lines, seed=later.seed, top=later.cut_top, points=later.cut_points).players
    would = would[: len(stayed)] if later.cut_top else would
    out = [player for player in stayed if player not in would]
    into = [player for player in would if player not in came]
    pairs = max(len(out), len(into))
    return [Effect("cut", *both) for both in zip(_filled(out, pairs), _filled(into, pairs), strict=True)]


def _filled(players: list[str], length: int) -> list[str]:
    return players + [""] * (length - len(players))


def apply_effect(stage: Stage, effect: Effect) -> None:
    """Seat who takes another's place; what was played stands, and so does a stage that was cut."""
    if effect.what != "reseated":
        return
    into = Entrant.objects.get(event=stage.event_id, public_id=effect.into)
    seat = Seat.objects.filter(match__round__stage=stage, match__node=effect.node, entrant__public_id=effect.out)
    Loss.objects.filter(seat__in=seat).update(seat=None, game=None, carried=False)  # it is not the other's
    seat.update(entrant=into)
    Match.objects.filter(round__stage=stage, node=effect.node).update(starts=None)
