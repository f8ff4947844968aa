"""Whether forbidden pairs leave any pairing at all, before one of least cost is looked for.

Let `crowd` be players of whom each is kept from at most `d` others, and `few` the others, such that the crowd (the
bye counts as one of it) has at least `2d + 2` more than the few. Match the few, to each other or into the crowd, as far
as can be. If all of them are matched, at least `2d + 2` of the crowd are left, an even number, each of whom can meet at
least half of the rest; by Dirac's theorem they stand in a circle of neighbours who can meet, so they can be paired. If
the few cannot all be matched, nobody can pair the field. One of the few who can meet as many of the crowd as there are
few is matched last, whatever the others took.
"""

from __future__ import annotations

import rustworkx

from tournaments.swiss.situation import Situation

BYE = -1


def leaves_no_pairing(now: Situation) -> bool:
    """Whether the forbidden pairs certainly leave no pairing. False where it is not known: pairs that bar too many."""
    few = _few(now)
    return few is not None and not _matched(now, few)


def _few(now: Situation) -> set[int] | None:
    """The players kept from the most others, as few as leave a crowd; None where there is no such crowd."""
    degrees = [len(barred) for barred in now.forbidden]
    players = len(degrees) + len(degrees) % 2
    for degree in sorted(set(degrees)):
        few = {player for player, barred in enumerate(degrees) if barred > degree}
        if players - 2 * len(few) >= 2 * degree + 2:
            return few
    return None


def _matched(now: Situation, few: set[int]) -> bool:
    """Whether all of the few can be matched at once."""
    crowd = [player for player in range(len(now.ids)) if player not in few]
    crowd += [BYE] * (len(now.ids) % 2)
    near = {player: [other for other in crowd if other not in now.forbidden[player]] for player in few}
    hard = {player for player, others in near.items() if len(others) < len(few)}
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    node = {player: graph.add_node(player) for player in sorted(few.union(*(near[player] for player in hard)))}
    for player in sorted(hard):
        others = [other for other in few if other not in now.forbidden[player] and other != player]
        for other in [*near[player], *others]:
            if other not in hard or player < other:
                graph.add_edge(node[player], node[other], 1 + (other in hard))
    pairs = rustworkx.max_weight_matching(graph, weight_fn=int)
    return sum(graph.get_edge_data(*pair) for pair in pairs) == len(hard)
