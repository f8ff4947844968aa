"""Time to open the replay page at a move of a long game, compared with a short game in the same run.

Only the server's part is timed: a signed-in judge requests the page, its fragment (a step), and the legal moves there.
"""

import argparse
from functools import partial

from bench._installation import make_tables, ready

ready()

from django.conf import settings
from django.core.cache import cache
from django.test import Client

from bench import _logs
from bench._clock import milliseconds, race, ratio
from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import make_cast
from tournaments.audits.services import submit_log
from tournaments.common import clock, jobs

SHORT = 20
BOUND = 300  # milliseconds
HTMX = {"HX-Request": "true"}


def opened(client: Client, address: str, headers: dict[str, str] | None = None) -> None:
    """Request a page and check that it is served."""
    cache.clear()  # the rate limits of the site
    answer = client.get(address, headers=headers or {})
    assert answer.status_code == 200, (address, answer.status_code)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    make_tables()
    cast = make_cast()
    match = match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)
    game = match.games.get(number=1)
    logs = {
        moves: submit_log(game=game, document=_logs.long_game(moves), by=cast.judge, now=NOW).public_id
        for moves in (SHORT, args.moves)
    }
    jobs.run_due(clock.now())
    client = Client()
    client.force_login(cast.judge)
    pages = {
        f"{what}, {moves} moves": [partial(opened, client, f"/logs/{log}/moves/{n}/{end}", headers)]
        for moves, log in logs.items()
        for n in (moves // 2,)
        for what, end, headers in (("the page", "", None), ("a step", "", HTMX), ("legal moves", "legal/", HTMX))
    }
    for works in pages.values():
        works[0]()
    times = race(pages, args.runs)
    for title, seconds in times.items():
        milliseconds(title, seconds)
    long, short = (times[f"the page, {moves} moves"] for moves in (args.moves, SHORT))
    ratio("times the page of the short game", long / short, f"the page: at most {BOUND} ms")


if __name__ == "__main__":
    main()
