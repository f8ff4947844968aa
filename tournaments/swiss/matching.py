"""The weighted matching under the pairing: a perfect matching of least cost, in exact integers."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import rustworkx

SAFE_BITS = 125
"""rustworkx computes in 128 bits and checks no overflow; its dual variables stay below `8 × nodes × weight`."""


def weight_limit(nodes: int) -> int:
    """The largest cost of an edge that a matching of so many nodes holds without overflow."""
    return (1 << SAFE_BITS) // (8 * max(nodes, 1))


def cheapest_perfect(nodes: int, edges: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]] | None:
    """The perfect matching of least total cost, or None if the graph has no perfect matching.

    `edges` are `(i, j, cost)` with `0 <= i < j < nodes`, each pair at most once, costs not negative. Raises
    `OverflowError` if a cost passes `weight_limit(nodes)`. The search is Galil's blossom method, cubic in the nodes.
    """
    if nodes == 0:
        return []
    if not edges or nodes % 2:
        return None
    top = max(cost for _, _, cost in edges)
    if top > weight_limit(nodes):
        raise OverflowError(f"a cost of {top.bit_length()} bits is too wide for {nodes} nodes")
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(i, j, top - cost) for i, j, cost in edges])
    mates = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=index)
    if 2 * len(mates) < nodes:
        return None
    return sorted((min(pair), max(pair)) for pair in mates)
