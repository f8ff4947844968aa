"""Time to pair and prove each round of a Swiss event of 1,000 teams of three, beside a peer in the same run.

A team is one entrant, so its rounds are paired by the same code as those of single players; the games of its matches
are the boards that it won, and draws are common. Our time covers everything from the prepared field to the tables; the
time of the proof, which shares nothing with the search, is added to it. The peer is rustworkx, which gets the next
opponents not yet met and the weights of their edges for free, and proves nothing. Figures are seconds of processor
time, the best of the runs. The bound of a round is a second.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench._clock import race
from bench.pairing import by_rustworkx, by_us, edges_of
from tournaments.swiss.certificate import Position, refusals
from tournaments.swiss.costs import cost_of
from tournaments.swiss.field import Field
from tournaments.swiss.pairing import pair
from tournaments.swiss.proof import prove as certificate_of
from tournaments.swiss.simulate import simulate
from tournaments.swiss.situation import read

BOUND = 1.0
BOARDS = 3


def position_of(field: Field) -> Position:
    """What the proof needs of a field."""
    return Position([player.id for player in field.live()], field.rounds)


def prove(field: Field) -> list[str]:
    """Pair a round, search for its certificate and check it; the reasons why it proves nothing, if any."""
    found, position = pair(field, seed=1), position_of(field)
    certificate = certificate_of(position)
    return ["no certificate"] if certificate is None else refusals(position, found.pairs, found.bye, certificate)


def measure(event: Field, number: int, runs: int) -> None:
    """Print a line for us with the proof, and one for the peer, for the round after the first `number`."""
    field = Field(event.players, event.rounds[:number])
    now = read(field, (), Random(1))
    edges = edges_of(now, sparse=True)
    works = {
        "arbitre": [partial(pair, field, seed=1)],
        "arbitre_with_proof": [partial(prove, field)],
        "rustworkx_next": [partial(by_rustworkx, len(now.ids), edges)],
    }
    times = race(works, runs)
    answers = {"arbitre": by_us(field, now), "rustworkx_next": by_rustworkx(len(now.ids), edges)}
    holds = not prove(field)
    for tool, took in times.items():
        cost = cost_of(now, answers[tool.removesuffix("_with_proof")], None)
        said = f" proven={holds} of the bound={took / BOUND:.2f}" if tool == "arbitre_with_proof" else ""
        print(
            f"teams={len(now.ids)} round={number + 1} tool={tool} seconds={took:.4f} "
            f"ratio={took / times['arbitre']:.1f} rematches={cost.rematches} squares={cost.squares}{said}",
            flush=True,
        )


def main() -> None:
    """Print the figures of each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teams", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    event = simulate(players=asked.teams, rounds=asked.rounds, seed=1, boards=BOARDS)
    for number in range(1, asked.rounds + 1):
        measure(event, number, asked.runs)


if __name__ == "__main__":
    main()
