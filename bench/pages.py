"""Time of each page for an event of 1,000 players, beside the same page for 10 players, in one run, on SQLite.

The server's part: a person asks, as a browser does. Every page of `docs/routes.md` that shows an event is asked for, in
the state of the event in which it says most; `bench._pages` lists them, and what is left out. The time is that of the
processor, beside it the time that passed, of which a busy machine takes more.
"""

import argparse
from functools import partial

from bench._installation import ready

ready(sqlite=True)

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from bench._clock import Work, race_by_both
from bench._pages import PAGES, WHOLE, Page
from bench._states import STATES
from tests.api.scenes import Scene
from tests.cast import Cast, make_cast
from tests.web.routes import address
from tournaments.web.urls import urlpatterns

FEW = 10
BOUND = 150  # milliseconds
ROUTES = {pattern.name: pattern for pattern in urlpatterns}
Times = dict[str, tuple[float, float]]


def opened(client: Client, address: str) -> None:
    """Ask for a page; it is there."""
    cache.clear()  # the brakes of the site
    answer = client.get(address, headers={"accept-encoding": "identity"})
    assert answer.status_code == 200, (address, answer.status_code)
    if answer.streaming:
        assert b"".join(answer.streaming_content)


def client_of(role: str, cast: Cast) -> Client:
    client = Client()
    if role != "visitor":
        client.force_login(getattr(cast, role))
    return client


def asked(page: Page, scene: Scene, clients: dict[str, Client]) -> Work:
    """What asks for a page in a scene. It was asked for once: the first fills what the process keeps."""
    where = address(ROUTES[page.route], scene, **page.said) + page.query
    work = partial(opened, clients[page.role], where)
    work()
    return work


def times(cast: Cast, players: int, pages: list[Page], runs: int) -> Times:
    """Seconds of each page in an event of so many: of the processor, and passed."""
    clients = {role: client_of(role, cast) for role in {page.role for page in pages}}
    found: Times = {}
    for state in dict.fromkeys(page.state for page in pages):  # what an organizer has of other events comes later
        scene = STATES[state](cast, players)
        works = {str(page): [asked(page, scene, clients)] for page in pages if page.state == state}
        found |= race_by_both(works, runs)
    return found


def told(page: str, few: Times, many: Times) -> None:
    """Print the line of a page."""
    (processor, passed), ten = many[page], few[page][0]
    print(f"{page:52} {1000 * processor:8.1f} ms {1000 * passed:8.1f} ms {processor / ten:6.2f} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="the pages whose line contains this")
    args = parser.parse_args()
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    call_command("migrate", verbosity=0)
    cast = make_cast()
    pages = [page for page in (*PAGES, *WHOLE) if args.only in str(page)]
    few, many = (times(cast, players, pages, args.runs) for players in (FEW, args.players))
    print(f"{'page':52} {'processor':>11} {'passed':>11} times the page of {FEW}, at {args.players:,} players")
    for page in map(str, pages):
        told(page, few, many)
    slow = [str(page) for page in pages if page not in WHOLE and many[str(page)][0] * 1000 > BOUND]
    print(f"pages over {BOUND} ms of processor: {'; '.join(slow) or 'none'}")


if __name__ == "__main__":
    main()
