"""How good the tables of multiplayer events are: exchanging players, against the integer program, in the same events.

Simulates events of 9 to 64 players over 3 to 6 rounds. Each round is seated in both ways from the same position, and
the event goes on with the tables of the program. Says how many pairs sat together again, how far the points of a table
lay apart, how many rounds are proven to have the best tables, how large the gap is where they are not, and the time.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tournaments.swiss import table_solver
from tournaments.swiss.tables import Seating, seat_tables, table_points


@dataclass(frozen=True)
class Seated:
    """The tables of one position in both ways, and the seconds each took."""

    players: int
    exchanged: Seating
    solved: Seating
    seconds: tuple[float, float]


def simulated(events: int) -> Iterator[Seated]:
    """Play events of random sizes and strengths. The first rounds, in which nobody has met, are left out."""
    rng = Random(1)
    for event in range(events):
        players = rng.randint(9, 64)
        strength = {f"P{number:02}": rng.random() for number in range(players)}
        points = dict.fromkeys(strength, 0)
        played: list[tuple[tuple[str, ...], ...]] = []
        for number in range(rng.randint(3, 6)):
            seed = 100 * event + number
            began = time.perf_counter()
            exchanged = seat_tables(points, played, seed=seed, effort=0)
            between = time.perf_counter()
            solved = seat_tables(points, played, seed=seed)
            ended = time.perf_counter()
            if number:
                yield Seated(players, exchanged, solved, (between - began, ended - between))
            played.append(solved.tables)
            for table in solved.tables:
                order = sorted(table, key=lambda player: -strength[player] - rng.gauss(0, 0.5))
                for player, won in zip(order, table_points(range(1, len(order) + 1)), strict=True):
                    points[player] += won


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200)
    args = parser.parse_args()
    if not table_solver.available():
        raise SystemExit("OR-tools is not installed: pip install -r requirements/tables.txt")
    rounds = list(simulated(args.events))
    ways = {"exchanging players": [each.exchanged for each in rounds], "the program": [each.solved for each in rounds]}
    print(f"{args.events} events, {len(rounds)} rounds after the first, 9 to 64 players")
    for at, (name, seatings) in enumerate(ways.items()):
        seconds = sorted(each.seconds[at] for each in rounds)
        print(f"\n{name}")
        print(f"  pairs who sat together again    {sum(each.cost['repeats'] for each in seatings):>10}")
        print(f"  gaps in points, squared         {sum(each.cost['spread'] for each in seatings):>10}")
        print(f"  proven to be the best           {sum(each.certified for each in seatings):>10} of {len(seatings)}")
        print(f"  seconds a round, median         {statistics.median(seconds):>13.2f}")
        print(f"  seconds a round, 95 of 100      {seconds[len(seconds) * 95 // 100]:>13.2f}")
        print(f"  seconds a round, most           {seconds[-1]:>13.2f}")
    better = [each for each in rounds if each.solved.cost != each.exchanged.cost]
    fewer = sum(each.solved.cost["repeats"] < each.exchanged.cost["repeats"] for each in rounds)
    print(f"\nthe program found better tables in {len(better)} rounds, with fewer repeated pairs in {fewer}")
    open_ = [each.solved for each in rounds if not each.solved.certified]
    if open_:
        repeats = sum(each.cost["repeats"] - each.bound["repeats"] for each in open_)
        spread = sum(each.cost["spread"] - each.bound["spread"] for each in open_)
        print(f"not proven: {len(open_)} rounds; together at most {repeats} pairs and {spread} in gaps better")
    least, most = (sum(each.cost["spread"] for each in ways[name]) for name in ("the program", "exchanging players"))
    print(f"ratio of the gaps, exchanging / program   {most / max(1, least):.2f}   more is better")


if __name__ == "__main__":
    main()
