"""Flags that explain a pairing: one for each departure from the ideal. docs/pairing.md lists them."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.swiss.costs import again, off, wishes
from tournaments.swiss.situation import Situation

Flags = dict[str, tuple[str, ...]]


def flags_of(now: Situation, pairs: Iterable[tuple[int, int]], bye: int | None) -> Flags:
    """The flags of each player who has any, by id.

    Every pair must list the player with more match points first.
    """
    flags: Flags = {}
    # Without wishes, most pairs of a large field have no flag and can be skipped.
    plain = not (now.clubs or now.sides or now.order)
    for a, b in pairs:
        if plain and b not in now.met[a] and now.points[a] == now.points[b]:
            continue
        shared = _of_both(now, a, b)
        for player, other in ((a, b), (b, a)):
            if names := [*_floats(now, player, other), *shared]:
                flags[now.ids[player]] = tuple(names)
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
    flags = []
    if times := now.met[a].count(b):
        flags.append("rematch_forced")
        if again(times):
            flags.append("met_often")
    if now.clubs and now.clubs[a] and now.clubs[a] == now.clubs[b]:
        flags.append("club_mates")
    # `wishes` counts club mates as one, so anything beyond that is about sides.
    if now.sides and wishes(now, a, b) > ("club_mates" in flags):
        flags.append("sides_uneven")
    if now.order is not None and off(now.order, now.points[a], now.points[b], a, b):
        flags.append("out_of_order")
    return flags


def _of_bye(now: Situation, bye: int) -> tuple[str, ...]:
    # A raised bye happens only to avoid a rematch or a second bye.
    flags = ["bye_lowest" if now.points[bye] == min(now.points) else "bye_raised"]
    if now.byes[bye]:
        flags.append("second_bye")
    if now.asked[bye]:
        flags.append("bye_asked")
    return tuple(flags)
