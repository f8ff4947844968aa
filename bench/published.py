"""Cost of the published rounds of real events, compared with the least possible cost.

Each round is paired again from the rounds before it, for the players who were seated in it. There is a line for each
event; the ratio is the published sum of squared differences of match points divided by the least. Play-offs that an
event lists among its rounds are left out, starting with the first round that has at most four matches and at most half
as many as the round before.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from tournaments.swiss.costs import Cost, cost_of, total
from tournaments.swiss.field import Field, Match, Player
from tournaments.swiss.kernel import solve
from tournaments.swiss.simulate import simulate
from tournaments.swiss.situation import read
from tournaments.swiss.wire import field_of

EVENTS = Path(__file__).parents[2] / "shared" / "data" / "events" / "swiss_events.json"

PLAY_OFF = 4


def main() -> None:
    """Print one line for each event, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="one simulated event, to see that it runs")
    asked = parser.parse_args()
    if not (asked.small or EVENTS.exists()):
        print("../shared/data/events is absent: nothing to compare")
        return
    played: list[Cost] = []
    least: list[Cost] = []
    certified = rounds = 0
    for name, event in simulated() if asked.small else published():
        pairs = [compared(event, number) for number in range(len(event.rounds))]
        played += (theirs := [theirs for theirs, _, _ in pairs])
        least += (ours := [ours for _, ours, _ in pairs])
        certified += sum(proven for _, _, proven in pairs)
        rounds += len(pairs)
        print_line(f"{name} players={len(event.players)} rounds={len(pairs)}", total(theirs), total(ours))
    print_line(f"all rounds={rounds} certified={certified}", total(played), total(least))
    better = sum(ours[:4] < theirs[:4] for ours, theirs in zip(least, played, strict=True))
    print(f"rounds that cost more than the least on levels 1 to 4: {better} of {rounds}")


def print_line(title: str, theirs: Cost, ours: Cost) -> None:
    """Print the published and the least cost, level by level."""
    print(
        f"{title} rematches={theirs.rematches}/{ours.rematches} second_byes={theirs.second_bye}/{ours.second_bye} "
        f"bye_points={theirs.bye_points}/{ours.bye_points} squares={theirs.squares}/{ours.squares} "
        f"ratio={theirs.squares / ours.squares if ours.squares else 1:.3f}"
    )


def compared(event: Field, number: int) -> tuple[Cost, Cost, bool]:
    """The cost of a round as published, the least cost, and whether that is certified."""
    round_ = event.rounds[number]
    seated = {seat for match in round_ for seat in match.seats}
    alone = [match.a for match in round_ if match.b is None]
    awarded = set(alone[len(seated) % 2 :])  # all byes beyond the one an odd field needs were awarded by hand
    players = tuple(Player(p.id, dropped=p.id not in seated or p.id in awarded) for p in event.players)
    now = read(Field(players, event.rounds[:number]), (), Random(1))
    at = {player: i for i, player in enumerate(now.ids)}
    pairs = [(at[match.a], at[match.b]) for match in round_ if match.b is not None]
    bye = next((at[seat] for seat in alone if seat not in awarded), None)
    found = solve(now, Random(1))
    return cost_of(now, pairs, bye), found.cost, found.certified


def published() -> Iterator[tuple[str, Field]]:
    """The real events, by name."""
    for place, event in enumerate(json.loads(EVENTS.read_text()), start=1):
        yield f"event={place}", _field(event)


def _field(event: Mapping[str, Any]) -> Field:
    rounds = event["rounds"]
    sizes = [len(round_["matches"]) for round_ in rounds]
    shrunk = (i for i in range(1, len(sizes)) if sizes[i] <= min(PLAY_OFF, sizes[i - 1] // 2))
    swiss = next(shrunk, len(sizes))
    seats = {seat for round_ in rounds[:swiss] for match in round_["matches"] for seat in match[:2] if seat}
    return field_of({"players": [{"id": seat} for seat in sorted(seats)], "rounds": rounds[:swiss]})


def simulated() -> Iterator[tuple[str, Field]]:
    """An event whose last round repeats the pairs of the first, so that there is something to improve."""
    event = simulate(players=8, rounds=2, seed=1)
    repeated = tuple(Match(match.a, match.b, 2, 0, 0) for match in event.rounds[0])
    yield "simulated", Field(event.players, (*event.rounds, repeated))


if __name__ == "__main__":
    main()
