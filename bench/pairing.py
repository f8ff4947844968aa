"""Time to pair round 6 of a simulated event, beside dense matchings of the same graph by rustworkx and networkx.

Run `python -m bench.pairing` or `python bench/pairing.py`. Every contender pairs the same field under the same weights.
Our time is everything, from the field to the tables; a peer's time is its own graph and matching, the weights being
given to it. A line has the median time, the ratio to ours, and the rematches and squares of the answer.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

import networkx
import rustworkx

from tournaments.swiss.costs import Cost, pair_cost, scale_for, total
from tournaments.swiss.field import Field
from tournaments.swiss.pairing import pair
from tournaments.swiss.simulate import simulate
from tournaments.swiss.situation import Situation, read

ROUNDS = 5
Pairs = list[tuple[int, int]]
Edges = list[tuple[int, int, int]]


def dense_edges(now: Situation) -> Edges:
    """Every pair of players, weighed as the pairing weighs it."""
    size = len(now.ids)
    scale = scale_for(size, now.points)
    costs = [(i, j, scale.weigh(pair_cost(now, i, j))) for i in range(size) for j in range(i + 1, size)]
    top = max(cost for _, _, cost in costs)
    return [(i, j, top - cost) for i, j, cost in costs]


def by_rustworkx(size: int, edges: Edges) -> Pairs:
    """Dense matching by rustworkx, the graph's making included."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    return list(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))


def by_networkx(edges: Edges) -> Pairs:
    """Dense matching by networkx, the graph's making included."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    return list(networkx.max_weight_matching(graph, maxcardinality=True))


def by_us(field: Field, now: Situation) -> Pairs:
    """Our pairing, the reading of the field included."""
    number = {player: i for i, player in enumerate(now.ids)}
    return [(number[a], number[b]) for a, b in pair(field, seed=1).pairs]


def measure(work: Callable[[], Pairs], runs: int) -> tuple[float, Pairs]:
    """The median time of some runs, in seconds, and the last answer."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        pairs = work()
        times.append(time.perf_counter() - began)
    return median(times), pairs


def compare(players: int, runs: int, peers: dict[str, int]) -> None:
    """Print a line for us and one for each peer, `peers` saying how many runs each has."""
    field = simulate(players=players, rounds=ROUNDS, seed=1)
    now = read(field, (), Random(1))
    edges = dense_edges(now) if peers else []
    contenders: dict[str, tuple[int, Callable[[], Pairs]]] = {
        "arbitre": (runs, lambda: by_us(field, now)),
        "rustworkx": (peers.get("rustworkx", 0), lambda: by_rustworkx(players, edges)),
        "networkx": (peers.get("networkx", 0), lambda: by_networkx(edges)),
    }
    ours = 0.0
    for name, (times, work) in contenders.items():
        if not times:
            continue
        took, pairs = measure(work, times)
        ours = ours or took
        cost: Cost = total(pair_cost(now, a, b) for a, b in pairs)
        print(
            f"players={players} round={ROUNDS + 1} tool={name} seconds={took:.4f} ratio={took / ours:.1f} "
            f"rematches={cost.rematches} squares={cost.squares} runs={times}",
            flush=True,
        )


def main() -> None:
    """The figures, smallest field first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of ours; peers have fewer where they are slow")
    parser.add_argument("--all", action="store_true", help="networkx on 512 players too (minutes)")
    parser.add_argument("--small", action="store_true", help="16 players alone, to see that it runs")
    asked = parser.parse_args()
    few = max(asked.runs // 2, 1)
    if asked.small:
        compare(16, asked.runs, {"rustworkx": asked.runs, "networkx": few})
        return
    compare(128, asked.runs, {"rustworkx": asked.runs, "networkx": few})
    compare(512, asked.runs, {"rustworkx": few, "networkx": int(asked.all)})
    compare(10_000, few, {})


if __name__ == "__main__":
    main()
