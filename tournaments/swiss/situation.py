"""What the pairing of a round needs to know of each live player, read once from the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

from tournaments.swiss.field import Field, SwissError, points_of


@dataclass(frozen=True, slots=True)
class Situation:
    """The live players as numbers 0, 1, …, in an order drawn from the seed; each tuple is indexed by that number.

    `met`: how often each live opponent was met; `forbidden`: who must not be met; `byes`: byes received;
    `downs`, `ups`: rounds in which the player met someone with fewer, with more match points.
    """

    ids: tuple[str, ...]
    points: tuple[int, ...]
    met: tuple[Mapping[int, int], ...]
    forbidden: tuple[frozenset[int], ...]
    byes: tuple[int, ...]
    downs: tuple[int, ...]
    ups: tuple[int, ...]
    asked: tuple[bool, ...]

    def degrees(self) -> list[int]:
        """For each player, the live opponents that cannot be met without a rematch, the forbidden ones included."""
        return [len(met.keys() | barred) for met, barred in zip(self.met, self.forbidden, strict=True)]


@dataclass(slots=True)
class _History:
    points: Counter[str]
    byes: Counter[str]
    downs: Counter[str]
    ups: Counter[str]
    met: dict[str, Counter[str]]


def read(field: Field, forbidden: Iterable[tuple[str, str]], rng: Random) -> Situation:
    """Number the live players in an order drawn from `rng` and gather their histories."""
    live = list(field.live())
    rng.shuffle(live)
    number = {player.id: i for i, player in enumerate(live)}
    past = _history(field)
    barred = _barred(field, forbidden, number)
    ids = tuple(number)
    return Situation(
        ids=ids,
        points=tuple(past.points[i] for i in ids),
        met=tuple({number[o]: n for o, n in past.met.get(i, {}).items() if o in number} for i in ids),
        forbidden=tuple(frozenset(barred.get(i, ())) for i in range(len(ids))),
        byes=tuple(past.byes[i] for i in ids),
        downs=tuple(past.downs[i] for i in ids),
        ups=tuple(past.ups[i] for i in ids),
        asked=tuple(player.bye for player in live),
    )


def _history(field: Field) -> _History:
    past = _History(Counter(), Counter(), Counter(), Counter(), {})
    for matches in field.rounds:
        gains: list[tuple[str, int]] = []
        for match in matches:
            gains.extend(zip(match.seats, points_of(match), strict=False))
            if match.b is None:
                past.byes[match.a] += match.kind == "bye"
                continue
            past.met.setdefault(match.a, Counter())[match.b] += 1
            past.met.setdefault(match.b, Counter())[match.a] += 1
            gap = past.points[match.a] - past.points[match.b]
            if gap:
                high, low = (match.a, match.b) if gap > 0 else (match.b, match.a)
                past.downs[high] += 1
                past.ups[low] += 1
        for seat, points in gains:
            past.points[seat] += points
    return past


def _barred(field: Field, pairs: Iterable[tuple[str, str]], number: Mapping[str, int]) -> dict[int, set[int]]:
    known = {player.id for player in field.players}
    barred: dict[int, set[int]] = {}
    for index, (a, b) in enumerate(pairs):
        path = f"options.forbidden[{index}]"
        for seat in (a, b):
            if seat not in known:
                raise SwissError("unknown_player", f"{seat} is not a player of the event", path)
        if a == b:
            raise SwissError("self_match", f"{a} cannot be kept from themselves", path)
        if a in number and b in number:
            barred.setdefault(number[a], set()).add(number[b])
            barred.setdefault(number[b], set()).add(number[a])
    return barred
