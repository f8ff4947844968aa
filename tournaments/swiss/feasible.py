"""Quick check whether the forbidden pairs leave any pairing, before the search for the cheapest one.

Split the players into the `crowd`, each of whom is barred from at most `d` others, and the `few`, such that the crowd
(including the bye) outnumbers the few by at least `2d + 2`. Match the few, to each other or into the crowd, as far as
possible.

- If all of them can be matched, an even number of at least `2d + 2` players of the crowd is left. Each of them can meet
  at least half of the rest, so by Dirac's theorem they form a cycle in which neighbors may meet, and can be paired.
- If the few cannot all be matched, there is no pairing.

A player among the few who can meet at least as many of the crowd as there are few is left out of the matching: whoever
the others took, somebody is left for them.
"""

from __future__ import annotations

import rustworkx

from tournaments.swiss.situation import Situation

BYE = -1


def leaves_no_pairing(now: Situation) -> bool:
    """Whether the forbidden pairs certainly leave no pairing.

    False also means "unknown": so many pairs are forbidden that there is no crowd as described above.
    """
    few = _few(now)
    return few is not None and not _matched(now, few)


def _few(now: Situation) -> set[int] | None:
    """The players barred from more others than the rest, who then form a crowd; None if no split gives one."""
    degrees = [len(barred) for barred in now.forbidden]
    # The bye counts as one more player, whom everybody may meet.
    players = len(degrees) + len(degrees) % 2
    for degree in sorted(set(degrees)):
        few = {player for player, barred in enumerate(degrees) if barred > degree}
        if players - 2 * len(few) >= 2 * degree + 2:
            return few
    return None


def _matched(now: Situation, few: set[int]) -> bool:
    """Whether all of the few can be matched at the same time."""
    crowd = [player for player in range(len(now.ids)) if player not in few]
    crowd += [BYE] * (len(now.ids) % 2)
    near = {player: [other for other in crowd if other not in now.forbidden[player]] for player in few}
    hard = {player for player, others in near.items() if len(others) < len(few)}
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    node = {player: graph.add_node(player) for player in sorted(few.union(*(near[player] for player in hard)))}
    for player in sorted(hard):
        others = [other for other in few if other not in now.forbidden[player] and other != player]
        for other in [*near[player], *others]:
            # Two hard players find each other, and their edge is added once.
            if other not in hard or player < other:
                # An edge weighs as many `hard` players as it covers, so the total is the number of them matched.
                graph.add_edge(node[player], node[other], 1 + (other in hard))
    pairs = rustworkx.max_weight_matching(graph, weight_fn=int)
    return sum(graph.get_edge_data(*pair) for pair in pairs) == len(hard)
