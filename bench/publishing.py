"""Time and queries to pair and publish a round, from the button to the public page, at two sizes in one run.

The steps are the server's part of what the organizer does: pair as a draft, view the draft, publish, view the round,
and view the players' page of the pairings. Runs in a new database on the server that `DATABASE_URL` names, or on
SQLite.
"""

import argparse
import statistics
import time

from bench._installation import make_tables, ready

ready()

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench._clock import milliseconds, ratio
from bench._events import played_round
from tests.builders import a_large_event
from tests.cast import Cast, make_cast
from tournaments.events.models import Event

STEPS = ("pair as a draft", "the draft shown", "publish", "the round shown", "the pairings shown", "pair and publish")
BOUND = 3  # seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5, help="played before the one that is measured")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    make_tables()
    cast = make_cast()
    sizes = (args.players // 10, args.players)
    found = {players: measured(cast, players, args.rounds, args.runs) for players in sizes}
    engine = settings.DATABASES["default"]["ENGINE"].rsplit(".", 1)[-1]
    print(f"round {args.rounds + 1}, {engine}: {sizes[0]} and {sizes[1]} players")
    for step in STEPS:
        (few, few_queries), (many, many_queries) = (found[players][step] for players in sizes)
        milliseconds(f"{step}, {sizes[0]}", few)
        milliseconds(f"{step}, {sizes[1]}", many)
        print(f"{step + ', queries':44} {few_queries:8} {many_queries:8}")
    ratio(f"ratio to {BOUND} s, pair and publish", found[sizes[1]][STEPS[-1]][0] / BOUND, "at most 1")


def measured(cast: Cast, players: int, rounds: int, runs: int) -> dict[str, tuple[float, int]]:
    """For each step, the median seconds of the runs and the number of queries, in an event of this many players."""
    event = a_large_event(cast, players)
    for _round in range(rounds):
        played_round(event, cast)
    client = Client()
    client.force_login(cast.organizer)
    # The number of queries is the same in every run, so that of the last is enough.
    taken = [_one(client, event, rounds + 1) for _run in range(runs)]
    return {step: (statistics.median(run[step][0] for run in taken), taken[-1][step][1]) for step in STEPS}


def _one(client: Client, event: Event, number: int) -> dict[str, tuple[float, int]]:
    """Time all steps once, then undo: the round is unpublished and its draft discarded."""

    def address(name: str, *more: object) -> str:
        return reverse(f"web:{name}", args=[event.public_id, *more])

    asked = (
        (address("staff_pair"), True),
        (address("staff_round", number), False),
        (address("staff_publish", number), True),
        (address("staff_round", number), False),
        (address("pairings", number), False),
    )
    steps = {}
    for step, (page, posted) in zip(STEPS, asked, strict=False):
        steps[step] = _timed(client, page, posted=posted)
    whole = [steps[step] for step in ("pair as a draft", "publish")]
    steps[STEPS[-1]] = (sum(seconds for seconds, _ in whole), sum(queries for _, queries in whole))
    for name, more in (("staff_undo", ("unpublish",)), ("staff_discard", ())):
        client.post(address(name, number, *more), {"number": number})
    return steps


def _timed(client: Client, page: str, *, posted: bool) -> tuple[float, int]:
    cache.clear()  # the rate limits of the site
    with CaptureQueriesContext(connection) as caught:
        start = time.perf_counter()
        answer = client.post(page) if posted else client.get(page)
        seconds = time.perf_counter() - start
    if answer.status_code != (302 if posted else 200):
        raise SystemExit(f"{page} answered {answer.status_code}")
    return seconds, len(caught)


if __name__ == "__main__":
    main()
