"""Why a pairing is as it is: a flag for each thing that departs from the ideal."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.swiss.costs import again, off, wishes
from tournaments.swiss.situation import Situation

Flags = dict[str, tuple[str, ...]]


def flags_of(now: Situation, pairs: Iterable[tuple[int, int]], bye: int | None) -> Flags:
    """What there is to say of each player, by id; the first of a pair is the one with more match points."""
    flags: Flags = {}
    plain = not (now.clubs or now.sides or now.order)
    for a, b in pairs:
        if plain and b not in now.met[a] and now.points[a] == now.points[b]:
            continue
        shared = _of_both(now, a, b)
        for player, other in ((a, b), (b, a)):
            if said := [*_floats(now, player, other), *shared]:
                flags[now.ids[player]] = tuple(said)
    if bye is not None:
        flags[now.ids[bye]] = _of_bye(now, bye)
    for player, asked in enumerate(now.asked):
        if asked and player != bye:
            flags[now.ids[player]] = (*flags.get(now.ids[player], ()), "bye_not_given")
    return dict(sorted(flags.items()))


def _floats(now: Situation, player: int, other: int) -> list[str]:
    gap = now.points[player] - now.points[other]
    if not gap:
        return []
    moved, before = ("pulled_down", now.downs[player]) if gap > 0 else ("pulled_up", now.ups[player])
    return [moved, *(["pulled_again"] if before else [])]


def _of_both(now: Situation, a: int, b: int) -> list[str]:
    said = []
    if times := now.met[a].count(b):
        said.append("rematch_forced")
        if again(times):
            said.append("met_often")
    if now.clubs and now.clubs[a] and now.clubs[a] == now.clubs[b]:
        said.append("club_mates")
    if now.sides and wishes(now, a, b) > ("club_mates" in said):
        said.append("sides_uneven")
    if now.order is not None and off(now.order, now.points[a], now.points[b], a, b):
        said.append("out_of_order")
    return said


def _of_bye(now: Situation, bye: int) -> tuple[str, ...]:
    said = ["bye_lowest" if now.points[bye] == min(now.points) else "bye_raised"]
    if now.byes[bye]:
        said.append("second_bye")
    if now.asked[bye]:
        said.append("bye_asked")
    return tuple(said)
