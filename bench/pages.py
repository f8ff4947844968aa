"""Server time of each page of an event: the 95th percentile and the median of the runs.

Every page of `docs/routes.md` that shows an event is requested as a browser does, in the state of the event in which it
shows most; only the server's part is timed. `bench._pages` lists the pages, and those left out with the reason. Each
line also has the processor time of this process, and how many times that is what the same page takes with 10 players.

Pages that a process caches for a few seconds are rendered again each time. Runs on SQLite, or on the PostgreSQL that
`DATABASE_URL` names: there the database works in a process of its own, whose processor time is not counted here.
"""

import argparse
import os
from functools import partial
from statistics import median

from bench._installation import make_tables, ready

ready()

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client

from bench._clock import Samples, Work, percentile, sampled
from bench._pages import PAGES, WHOLE, Page
from bench._states import STATES
from tests.api.scenes import Scene
from tests.cast import Cast, make_cast
from tests.web.routes import address
from tournaments.config import asgi  # noqa: F401 - sets up garbage collection as in a web process
from tournaments.web.shared import shelf
from tournaments.web.urls import urlpatterns

FEW = 10
SHEETS = 4  # sheets and exports of all entrants are requested a quarter as often: they take seconds
BOUND = 0.150  # seconds, for 95 of 100 requests
ROUTES = {pattern.name: pattern for pattern in urlpatterns}
Times = dict[str, Samples]


def opened(client: Client, address: str) -> None:
    """Request a page, rendered from scratch, and check that it is served."""
    cache.clear()  # the rate limits of the site
    shelf.clear()
    answer = client.get(address, headers={"accept-encoding": "identity"})
    assert answer.status_code == 200, (address, answer.status_code)
    if answer.streaming:
        assert b"".join(answer.streaming_content)


def client_of(role: str, cast: Cast) -> Client:
    """A browser of somebody with this role, signed in unless it is a visitor."""
    client = Client()
    if role != "visitor":
        client.force_login(getattr(cast, role))
    return client


def asked(page: Page, scene: Scene, clients: dict[str, Client]) -> Work:
    """A call that requests a page of a scene. The first request is made here, to warm the caches of the process."""
    where = address(ROUTES[page.route], scene, **page.said) + page.query
    work = partial(opened, clients[page.role], where)
    work()
    return work


def times(cast: Cast, players: int, pages: list[Page], runs: int) -> Times:
    """The samples of each page, by its name, in events with this many players."""
    clients = {role: client_of(role, cast) for role in {page.role for page in pages}}
    found: Times = {}
    for state in dict.fromkeys(page.state for page in pages):  # later states also add to the organizer's other events
        scene = STATES[state](cast, players)
        _analyzed()
        for group, turns in ((PAGES, runs), (WHOLE, max(runs // SHEETS, 1))):
            works = {str(page): asked(page, scene, clients) for page in pages if page.state == state and page in group}
            found |= sampled(works, turns)
    return found


def _analyzed() -> None:
    """Update the statistics of PostgreSQL's planner, as autovacuum does within a minute of the rows being written."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def told(page: str, few: Times, many: Times) -> None:
    """Print the line of a page."""
    passed, processor = many[page].passed, many[page].processor
    figures = (percentile(passed), median(passed), percentile(processor), median(processor))
    columns = " ".join(f"{1000 * seconds:8.1f} ms" for seconds in figures)
    print(f"{page:52} {columns} {median(processor) / median(few[page].processor):6.2f} times")


def over(pages: list[Page], many: Times) -> list[str]:
    """The pages that take longer than the bound, slowest first, each with its time."""
    slow = {str(page): percentile(many[str(page)].passed) for page in pages}
    names = sorted((name for name in slow if slow[name] > BOUND), key=lambda name: -slow[name])
    return [f"{name} {1000 * slow[name]:.0f} ms" for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=20, help="requests for each page")
    parser.add_argument("--only", default="", help="only pages whose line contains this")
    args = parser.parse_args()
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    make_tables()
    cast = make_cast()
    pages = [page for page in (*PAGES, *WHOLE) if args.only in str(page)]
    few, many = (times(cast, players, pages, args.runs) for players in (FEW, args.players))
    print(f"{args.players:,} players on {connection.vendor}, {args.runs} runs, load {os.getloadavg()[0]:.1f}")
    print(f"{'page':52} {'passed p95':>11} {'median':>11} {'proc. p95':>11} {'median':>11} times the page of {FEW}")
    for page in map(str, pages):
        told(page, few, many)
    for title, group in (("pages", PAGES), ("sheets and tables", WHOLE)):
        slow = over([page for page in pages if page in group], many)
        print(f"{title} over the bound of {1000 * BOUND:.0f} ms at p95: {'; '.join(slow) or 'none'}")


if __name__ == "__main__":
    main()
