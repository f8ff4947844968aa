"""Time and memory to pair round 6 of a simulated event, compared with other matchings in the same run.

Our time covers everything from the prepared field to the tables. The peers are given a head start: dense matchings by
rustworkx and networkx, and a sparse one by rustworkx with the next opponents not yet met, get the weights of every edge
for free; py4swiss gets its file already parsed, and its FIDE Dutch rules also solve colours and ranking order. Figures
are seconds of processor time, the best of the runs; each line has the ratio to ours, and the rematches and squares of
the answer.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

import networkx
import rustworkx

from bench import _dutch
from bench._clock import race
from tournaments.swiss.costs import cost_of, pair_cost, scale_for
from tournaments.swiss.field import Field
from tournaments.swiss.pairing import pair
from tournaments.swiss.replies import paired
from tournaments.swiss.simulate import simulate
from tournaments.swiss.situation import Situation, read
from tournaments.swiss.wire import parse

ROUNDS = 5
LONG = 13
NEXT = 10
SIZES = (64, 256, 1_000, 4_000, 10_000, 100_000)
BOUNDS = {1_000: 0.02, 10_000: 0.1, 100_000: 2.0}
ROOT = Path(__file__).parents[1]
Pairs = list[tuple[int, int]]
Edges = list[tuple[int, int, int]]


def edges_of(now: Situation, *, sparse: bool) -> Edges:
    """Weighted edges for the peers, with the same weights as our pairing.

    Every pair of players, or with `sparse` only each player's next opponents by points whom they have not met.
    """
    size = len(now.ids)
    order = sorted(range(size), key=lambda player: (-now.points[player], player))
    scale = scale_for(size, now.points)
    costs = []
    for at, a in enumerate(order):
        after = order[at + 1 :]
        near = [b for b in after[: NEXT + len(now.met[a])] if now.open(a, b)][:NEXT] if sparse else after
        costs += [(a, b, scale.weigh(pair_cost(now, a, b))) for b in near]
    # The peers maximize, so costs are turned around.
    top = max(cost for _, _, cost in costs)
    return [(a, b, top - cost) for a, b, cost in costs]


def by_rustworkx(size: int, edges: Edges) -> Pairs:
    """A matching by rustworkx, including the construction of the graph."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    return list(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))


def by_networkx(edges: Edges) -> Pairs:
    """A matching by networkx, including the construction of the graph."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    return list(networkx.max_weight_matching(graph, maxcardinality=True))


def by_us(field: Field, now: Situation) -> Pairs:
    """Our pairing, including the reading of the field."""
    number = {player: i for i, player in enumerate(now.ids)}
    return [(number[a], number[b]) for a, b in pair(field, seed=1).pairs]


def growth(players: int, rounds: int, runs: int) -> None:
    """Print a line for our pairing, with its ratio to the bound if there is one."""
    field = simulate(players=players, rounds=rounds, seed=1)
    took = race({"ours": [partial(pair, field, seed=1)]}, runs)["ours"]
    found = pair(field, seed=1)
    bound = 0.3 if rounds == LONG else BOUNDS.get(players)
    print(
        f"players={players} round={rounds + 1} seconds={took:.4f} certified={found.certified} proven={found.proven} "
        f"rematches={found.cost['rematches']} squares={found.cost['squares']}"
        + (f" ratio={took / bound:.2f} of the bound of {bound} s" if bound else ""),
        flush=True,
    )


def compare(players: int, runs: int, *, networkx_too: bool, dutch_too: bool) -> None:
    """Print a line for us and one for each peer, all on the same field."""
    field = simulate(players=players, rounds=ROUNDS, seed=1)
    now = read(field, (), Random(1))
    dense, sparse = edges_of(now, sparse=False), edges_of(now, sparse=True)
    event = _dutch.parsed(field, now) if dutch_too else None
    contenders: dict[str, Callable[[], Pairs]] = {
        "arbitre": partial(by_us, field, now),
        "rustworkx_next": partial(by_rustworkx, players, sparse),
        "rustworkx": partial(by_rustworkx, players, dense),
    }
    if networkx_too:
        contenders["networkx"] = partial(by_networkx, dense)
    if event is not None:
        contenders["py4swiss"] = partial(_dutch.paired, event)
    elif dutch_too:
        print("py4swiss is not installed: left out")
    answers: dict[str, Pairs] = {}

    # Keep the answers of the timed runs, so that nothing is computed again to compare them.
    def kept(name: str, work: Callable[[], Pairs]) -> None:
        answers[name] = work()

    times = race({name: [partial(kept, name, work)] for name, work in contenders.items()}, runs)
    for name, took in times.items():
        cost = cost_of(now, answers[name], None)
        print(
            f"players={players} round={ROUNDS + 1} tool={name} seconds={took:.4f} ratio={took / times['arbitre']:.1f} "
            f"rematches={cost.rematches} squares={cost.squares} pairs={len(answers[name])} runs={runs}",
            flush=True,
        )


def command_line(players: int) -> None:
    """Print the time of `python -m tournaments.swiss pair`, including Python's startup, reading and writing."""
    event = simulate(players=players, rounds=ROUNDS, seed=1)
    text = text_of(event)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "tournaments.swiss", "pair"]
    subprocess.run(command, input=text, capture_output=True, check=True, cwd=ROOT)
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"players={players} by the command line: seconds={cpu:.2f} elapsed={took:.2f} ratio={cpu / 2:.2f} of 2 s")


def memory(players: int) -> None:
    """Print the peak memory allocated by one pairing, from the prepared field and from JSON."""
    field = simulate(players=players, rounds=ROUNDS, seed=1)
    text = text_of(field)
    for title, work in (("prepared", partial(pair, field, seed=1)), ("from JSON", lambda: paired(parse(text)))):
        tracemalloc.start()
        work()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"players={players} memory {title}: peak={peak / 2**20:.1f} MiB")


def text_of(field: Field) -> bytes:
    """The event as JSON for the command line."""
    rounds = [
        {"matches": [[m.a, m.b, f"{m.games_a}-{m.games_b}-{m.drawn}"] for m in matches]} for matches in field.rounds
    ]
    return json.dumps({"players": [{"id": player.id} for player in field.players], "rounds": rounds}).encode()


def main() -> None:
    """Print all figures, smallest field first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of each; one where a peer needs seconds")
    parser.add_argument("--all", action="store_true", help="py4swiss and dense rustworkx on 1,000 and more (minutes)")
    parser.add_argument("--small", action="store_true", help="16 players alone, to see that it runs")
    asked = parser.parse_args()
    if asked.small:
        growth(16, ROUNDS, 1)
        compare(16, 1, networkx_too=True, dutch_too=True)
        return
    for players in SIZES:
        growth(players, ROUNDS, asked.runs)
    growth(10_000, LONG, asked.runs)
    compare(64, asked.runs, networkx_too=True, dutch_too=True)
    compare(256, 3, networkx_too=True, dutch_too=True)
    compare(1_000, 1, networkx_too=False, dutch_too=asked.all)
    if asked.all:
        compare(2_000, 1, networkx_too=False, dutch_too=False)
    command_line(10_000)
    memory(10_000)


if __name__ == "__main__":
    main()
