"""Minimum-cost perfect matching in exact integers, on top of rustworkx."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import rustworkx

SAFE_BITS = 125
"""rustworkx computes in 128 bits without overflow checks. Its dual variables stay below `8 × nodes × weight`."""


def weight_limit(nodes: int) -> int:
    """The highest edge cost that a matching of this many nodes can use without overflow."""
    return (1 << SAFE_BITS) // (8 * max(nodes, 1))


def cheapest_perfect(nodes: int, edges: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]] | None:
    """The perfect matching of least total cost, as sorted pairs, or None if the graph has no perfect matching.

    `edges` are `(i, j, cost)` with `0 <= i < j < nodes`, each pair at most once, and non-negative costs. Raises
    `OverflowError` if a cost exceeds `weight_limit(nodes)`. Uses Galil's blossom algorithm, cubic in the number of
    nodes.
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
    # rustworkx maximizes, so costs are turned around. All perfect matchings have the same number of edges, so the order
    # of their totals is exactly reversed.
    graph.add_edges_from([(i, j, top - cost) for i, j, cost in edges])
    # Without `max_cardinality`, pairs of the highest cost could be left out, because they weigh 0 now.
    mates = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=index)
    if 2 * len(mates) < nodes:
        return None
    return sorted((min(pair), max(pair)) for pair in mates)
