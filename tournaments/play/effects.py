"""What a corrected result changes in matches and stages that followed from the old one.

Nothing here is done silently: services refuse a correction that has effects (`affects_later`, with the effects) until
it is acknowledged. In a bracket the players of later matches change; after a cut, others might have advanced.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.events.models import Entrant, Stage
from tournaments.play.boards import open_boards, totals
from tournaments.play.field import bracket_of, placed
from tournaments.play.models import Loss, Match, Round, Seat
from tournaments.play.selectors import declined_places
from tournaments.swiss.bracket import consequences
from tournaments.swiss.cut import cut
from tournaments.swiss.field import Match as SwissMatch
from tournaments.swiss.field import points_of
from tournaments.swiss.multiplayer import Place, Table
from tournaments.swiss.teams import is_by_board


@dataclass(frozen=True)
class Effect:
    """One consequence of a corrected result: `into` takes, or would have taken, the place of `out`.

    `what` is one of:

    - "reseated": `into` takes the seat of `out` at the match of `node`, which has no result yet
    - "stands": `out` has played the match of `node`, and its result stands
    - "cut": by the corrected standings `into` would have advanced and `out` would not; the next stage stands
    - "taken_back": the next round of a bracket, which has not begun, is paired again after a match is replayed
    """

    what: str
    out: str
    into: str
    node: str = ""

    def as_json(self) -> dict[str, str]:
        """As the API and the details of a refusal give it."""
        return {"what": self.what, "out": self.out, "into": self.into, "node": self.node}


def effects_of(match: Match, score: Sequence[Any], kind: str) -> list[Effect]:
    """The consequences of replacing the result of a match; empty if the match has no result yet.

    `score` is games won by seat 1, by seat 2, and drawn, or a rank and points for each seat.
    """
    stage = match.round.stage
    if not match.has_result:
        return []
    if match.has_ranks:
        return _at_cut(stage, tables={match.pk: _ranked(match, score)})
    corrected = _as_swiss(match, score, kind)
    if stage.is_bracket:
        return _in_bracket(stage, match, corrected)
    return _at_cut(stage, changed={match.pk: corrected})


def _as_swiss(match: Match, score: Sequence[Any], kind: str) -> SwissMatch:
    first, second = [seat.entrant.public_id for seat in match.seats.select_related("entrant").order_by("number")]
    won, lost, drawn = totals(match, score)
    boards = tuple((board[0], board[1], board[2]) for board in score) if is_by_board(score) else ()
    return SwissMatch(first, second, won, lost, drawn, kind=kind, boards=boards)


def _ranked(match: Match, places: Sequence[Any]) -> Table:
    seats = match.seats.select_related("entrant").order_by("number")
    return tuple(
        Place(seat.entrant.public_id, points or 0, rank) for seat, (rank, points) in zip(seats, places, strict=True)
    )


def _in_bracket(stage: Stage, match: Match, corrected: SwissMatch) -> list[Effect]:
    now = bracket_of(stage)
    winner = corrected.a if points_of(corrected)[0] == 3 else corrected.b
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
    gone = declined_places(later)
    lines = [line for line in placed(stage, changed=changed, tables=tables) if line.player not in gone]
    known = {line.player for line in lines}
    # A player who advanced and dropped since is not replaced, so the cuts are compared for the remaining places only.
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
    """Seat `into` in place of `out`. Only "reseated" changes anything: played matches and started stages stand."""
    if effect.what != "reseated":
        return
    into = Entrant.objects.get(event=stage.event_id, public_id=effect.into)
    seat = Seat.objects.filter(match__round__stage=stage, match__node=effect.node, entrant__public_id=effect.out)
    # A loss belongs to the entrant, not to the seat: it waits for the entrant's next match.
    Loss.objects.filter(seat__in=seat).update(seat=None, game=None, carried=False)
    seat.update(entrant=into)
    # Who starts was chosen by the higher seed of the old pairing.
    at_node = Match.objects.filter(round__stage=stage, node=effect.node)
    at_node.update(starts=None)
    open_boards(stage, at_node.exclude(round__status=Round.Status.DRAFT))
