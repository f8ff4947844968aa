"""A hall of phones that follow one event: how fast reports and results travel, and what it costs.

The phones follow an event of 1,000 players. Half of the players have the page of their own seat open, the others the
pairings or the standings; at any moment three out of ten phones are put away. Phones beyond the number of players
belong to spectators without an account. First a result comes in at every table, reported by one player and confirmed by
the other: a third of them spread over the round, the rest within its last minutes, as in real halls. Then the next
round is published, and all phones load its pairings within ten seconds. The phones do what the scripts of the pages do
(`bench/_phones.py`); web, worker and phones share the machine. What the machine is worth is printed beside the figures:
compare processor time per result between two machines only with that.

With `--hosts` there are several web hosts behind a proxy, and with `--kill` the last one is killed in the middle of the
surge; the figures are given for each. With `--streams-apart`, each host has one more process, which serves the live
streams; `--proxy` puts the proxy in front of a single host too, to compare the two. With `--namespaces`, each host has
a network namespace with an address of its own, and `--kill` also cuts its link: connections to it then hang, as when a
machine loses power (on Linux, as root).

Runs on SQLite with the queue in files, or on the PostgreSQL that `DATABASE_URL` names, with the Redis of `REDIS_URL`.
"""

import argparse
import asyncio
import math
import os
import random
import resource
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench._installation import make_tables, ready

POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")
if POSTGRESQL:
    redis = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379")
    os.environ |= {"CACHE_URL": f"{redis}/14", "CELERY_BROKER_URL": f"{redis}/15"}
FOLDER = ready()
from django.db import connections

from bench._balancer import balancer
from bench._clock import calibrate, milliseconds, ratio
from bench._hosts import Host, web_host
from bench._namespaces import Namespace, namespaces
from bench._phones import Hall, Phone, Player
from bench._processes import family, memory_of, processor, worker
from bench._sessions import LANGUAGES, prepared, session_of
from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.play.selectors import waiting_tables

HERD_SECONDS = 10.0
SURGING = 2 / 3  # of the results come in the last minutes
SETTLED = 5.0  # seconds for which all pages are open before the next round is published
ARRIVAL = 0.03  # seconds between the arrival of two phones, before the results
ALONE = 20  # results that come in before anybody follows
MOST = 3.0  # times what such a result costs, with 200 phones


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=1000)
    parser.add_argument(
        "--players", type=int, default=1000, help="of the event; further phones are those of spectators"
    )
    parser.add_argument("--minutes", type=float, default=6.0, help="in which the results come in")
    parser.add_argument(
        "--surge", action=argparse.BooleanOptionalAction, default=True, help="two thirds of them in the last minutes"
    )
    parser.add_argument("--last", type=float, default=2.0, help="these last minutes")
    parser.add_argument("--herd", action="store_true", help="only the herd: all results are there from the start")
    parser.add_argument("--workers", type=int, default=2 if POSTGRESQL else 1, help="web processes of each host")
    parser.add_argument("--hosts", type=int, default=1, help="web hosts, behind a proxy if more than one")
    parser.add_argument("--kill", action="store_true", help="kill the last of them in the middle of the surge")
    parser.add_argument("--proxy", action="store_true", help="put the proxy in front of a single host too")
    parser.add_argument(
        "--streams-apart", action="store_true", help="a process of its own for the streams of each host"
    )
    parser.add_argument("--namespaces", action="store_true", help="a network namespace for each host; needs root")
    args = parser.parse_args()
    if args.hosts < 1 + args.kill:
        parser.error("--hosts must be at least 1, and at least 2 with --kill")
    # Every phone holds a stream open, here and in the web process.
    resource.setrlimit(resource.RLIMIT_NOFILE, (16_384, 16_384))
    random.seed(1)
    with ExitStack() as stack:
        spaces = separated(stack, args)
        calibrate()
        make_tables()
        event, cast = prepared(min(args.players, args.phones))
        if args.herd:
            for match in Match.objects.filter(round=event_round(event), table__isnull=False):
                play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=now())
        hosts = [
            stack.enter_context(
                web_host(f" {number}" if args.hosts > 1 else "", args.workers, apart=args.streams_apart, space=space)
            )
            for number, space in enumerate(spaces, 1)
        ]
        pids = {name: pid for host in hosts for name, pid in host.pids.items()}
        if args.hosts > 1 or args.proxy or args.streams_apart or args.namespaces:
            streams = [host.streams for host in hosts if host.streams]
            port, pids["proxy"] = stack.enter_context(balancer([host.pages for host in hosts], streams))
        else:
            port = int(hosts[0].pages.rpartition(":")[2])
        for host in hosts:
            pids |= host.relays
        pids["worker"] = stack.enter_context(worker())
        asyncio.run(evening(event, cast, port, pids, hosts[-1], args))


def separated(stack: ExitStack, args: argparse.Namespace) -> Sequence[Namespace | None]:
    """A network namespace for each host, or none; ends the bench with exit code 2 if the system does not allow it."""
    if not args.namespaces:
        return [None] * args.hosts
    try:
        return stack.enter_context(namespaces(args.hosts))
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def crowd(hall: Hall, event: Event, round_: Round, count: int) -> tuple[list[Phone], list[tuple[Player, Player]]]:
    """Create the phones. Returns all of them, and the pairs of phones that play at a table."""
    seats: dict[str, list[User]] = {}
    matches = Match.objects.filter(round=round_, table__isnull=False)
    for match, user in matches.order_by("table", "seats__number").values_list(
        "public_id", "seats__entrant__member__person__account"
    ):
        seats.setdefault(match, []).append(User.objects.get(pk=user))
    phones: list[Phone] = []
    pairs = []
    base = f"/e/{event.public_id}"
    for table, (match, users) in enumerate(seats.items()):
        pair = []
        for number, user in enumerate(users):
            phone = Player(hall, f"{base}/me/", session_of(user), user.language)
            phone.match, phone.confirms = match, number == 1
            pair.append(phone)
        pairs.append((pair[0], pair[1]))
        # At half of the tables both players have the page of their seat open. At the others they follow public pages,
        # and open the page of their seat only to report.
        if table % 2:
            page = 1 + table // 100
            kind = random.choice((f"{base}/rounds/{round_.number}/?page={page}", f"{base}/standings/"))
            strange = random.random() < 0.5
            for user in users:
                cookies = {} if strange else session_of(user)
                phones.append(Phone(hall, kind, cookies, user.language))
        else:
            phones += pair
    pages = [f"{base}/rounds/{round_.number}/?page={page}" for page in range(1, 1 + len(pairs) // 100)]
    while len(phones) < count:
        address = random.choice((random.choice(pages), f"{base}/standings/"))
        phones.append(Phone(hall, address, {}, random.choice(LANGUAGES)))
    return phones, pairs


async def evening(
    event: Event, cast: Cast, port: int, pids: dict[str, int], last_host: Host, args: argparse.Namespace
) -> None:
    """Results for the given number of minutes, then all phones at once on the new pairings.

    With `--kill`, the last host is killed on the way.
    """
    hall = Hall(port, ARRIVAL * args.phones)
    round_ = await asyncio.to_thread(lambda: event_round(event))
    phones, pairs = await asyncio.to_thread(crowd, hall, event, round_, args.phones)
    if args.herd:
        await asyncio.gather(*(_arrives(phone) for phone in phones))
    else:
        spared = pairs[: min(ALONE, len(pairs) // 4)]
        # Before anybody comes: phones that come back later would find that they have missed these results.
        unseen = await alone(hall, spared, pids) if spared else 0.0
        followed = await results(hall, phones, pairs[len(spared) :], pids, last_host, args)
        if spared:
            milliseconds("the same, for a result that nobody follows", unseen)
            ratio("  ratio of the two", followed / unseen, f"at most {MOST:g}")
    await herd(hall, event, cast, phones, pids)


async def alone(hall: Hall, pairs: list[tuple[Player, Player]], pids: dict[str, int]) -> float:
    """The seconds of processor time that the web needs for a result while nobody else follows the event."""

    async def played(one: Player, other: Player) -> None:
        one.follows = other.follows = False
        await one.load()
        await one.report(0)
        await other.load()
        other.came(other.page)
        if other.confirming:
            await other.confirming

    half = len(pairs) // 2
    await asyncio.gather(*(played(*pair) for pair in pairs[:half]))  # so that everything is compiled and connected
    before = of_web(spent(pids))
    await asyncio.gather(*(played(*pair) for pair in pairs[half:]))
    took = of_web(spent(pids)) - before
    for phone in (phone for pair in pairs for phone in pair):
        phone.follows = True
    hall.figures = type(hall.figures)()
    return took / len(pairs[half:])


async def results(
    hall: Hall,
    phones: list[Phone],
    pairs: list[tuple[Player, Player]],
    pids: dict[str, int],
    last_host: Host,
    args: argparse.Namespace,
) -> float:
    """Enter a result at every table within the given number of minutes.

    Returns the seconds of processor time of the web per result.
    """
    arrival = hall.arrival
    start = time.perf_counter()
    until = start + arrival + 5 + 60 * args.minutes
    lives = [asyncio.ensure_future(phone.live(until)) for phone in phones]
    actions = [asyncio.ensure_future(_table(pair, start + arrival + _moment(args), phones)) for pair in pairs]
    peaks = asyncio.ensure_future(_watched(pids, until))
    # What it costs counts from when everybody is there: the results come after that.
    await asyncio.sleep(max(start + arrival - time.perf_counter(), 0))
    before, there = spent(pids), time.perf_counter()
    if args.kill:
        middle = there + 60 * (args.minutes - min(args.last, args.minutes) / 2)
        actions.append(asyncio.ensure_future(_killed(last_host, middle)))
    await asyncio.gather(*actions, return_exceptions=False)
    await asyncio.sleep(max(until - 1 - time.perf_counter(), 0))
    missed = sum(phone.missed() for phone in phones)
    await asyncio.gather(*lives)
    seconds = time.perf_counter() - there
    memory, connections_ = await peaks
    took = spent(pids, before)
    print_hall(hall, len(phones), len(pairs), seconds, took, memory, connections_)
    print(f"{'results missed on open pages':44} {missed:8}")
    return of_web(took) / len(pairs)


def _moment(args: argparse.Namespace) -> float:
    """When a result is reported, in seconds after the start of the round."""
    last = min(args.last, args.minutes) if args.surge and random.random() < SURGING else args.minutes
    return 60 * (args.minutes - last + random.random() * last)


async def _arrives(phone: Phone) -> None:
    await asyncio.sleep(random.random() * phone.hall.arrival)
    await phone.load()
    phone.close()


def event_round(event: Event) -> Round:
    """The round in progress."""
    found = Round.objects.filter(stage__event=event).order_by("-number").first()
    assert found is not None
    return found


async def _table(pair: tuple[Player, Player], at: float, phones: Sequence[Phone]) -> None:
    """One result: one player reports, the other is notified, looks and confirms."""
    one, other = pair
    on_hand = other in phones
    if not on_hand:  # both have a public page open and open the page of their seat a little before
        await asyncio.sleep(max(at - 5 - time.perf_counter(), 0))
        await asyncio.gather(one.load(), other.load())
    await one.report(at)
    if one not in phones:
        one.close()
    # Two minutes at most. Every 20 seconds, the other player looks at the page again.
    for _ in range(120):
        if one.match in one.hall.settled:
            break
        if other.confirms and _ % 20 == 19:
            other.hall.reported.pop(other.match, None)  # the phone was put away: reload it, and do not count its time
            await other.load()
            other.came(other.page)
        await asyncio.sleep(1)
    else:
        one.hall.figures.errors["never confirmed"] += 1
    if not on_hand:
        other.close()


async def herd(hall: Hall, event: Event, cast: Cast, phones: Sequence[Phone], pids: dict[str, int]) -> None:
    """Publish the next round, and let all phones load its pairings."""

    def publish() -> Round:
        for match in waiting_tables(event_round(event)):  # a table that never confirmed goes to the desk
            play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=now())
        play.close_round(round_=event_round(event), by=cast.organizer, now=now())
        round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=now())
        play.publish_round(round_=round_, by=cast.organizer, now=now())
        hall.published = time.perf_counter()
        return round_

    async def taken_out(phone: Phone) -> None:
        await asyncio.sleep(random.random() * HERD_SECONDS)
        phone.follow()

    await asyncio.gather(*(taken_out(phone) for phone in phones))
    await asyncio.sleep(SETTLED)
    # Only what happens from here on is part of the figures.
    hall.figures = type(hall.figures)()
    before = spent(pids)
    round_ = await asyncio.to_thread(publish)

    async def come(phone: Phone) -> None:
        await asyncio.sleep(random.random() * HERD_SECONDS)
        phone.address = f"/e/{event.public_id}/rounds/{round_.number}/"
        await phone.load()

    start = time.perf_counter()
    await asyncio.gather(*(come(phone) for phone in phones))
    seconds = time.perf_counter() - start
    await asyncio.wait(
        [phone.reloading for phone in phones if phone.reloading] or [asyncio.ensure_future(asyncio.sleep(0))],
        timeout=60,
    )
    for phone in phones:
        phone.close()
    figures = hall.figures
    print(f"the herd: {len(phones)} phones on the pairings of round {round_.number}, all there after {seconds:.1f} s")
    line("a page", figures.pages, 2.0)
    line("the own table, told by the stream", figures.tables, 2.0)
    line("age of pages sent as they were", figures.kept)
    line("the own page after such a one", figures.own_pages)
    line("a fragment", figures.fragments)
    for name, took in spent(pids, before).items():
        print(f"{'processor, ' + name:44} {took:10.1f} s")
    print(f"{'errors':44} {sum(figures.errors.values()):8}   {dict(figures.errors)}")


def print_hall(
    hall: Hall, phones: int, tables: int, seconds: float, took: dict[str, float], memory: dict[str, int], held: int
) -> None:
    """Print the figures of the results."""
    figures = hall.figures
    bound = 0.5 if phones <= 1000 else 1.0
    print(f"{phones} phones, {tables} results in {seconds:.0f} s, {'PostgreSQL' if POSTGRESQL else 'SQLite'}")
    line("a report or a confirmation, to its page", figures.reports, bound)
    line("the other player sees the report", figures.seats, 2.0)
    line("a result seen on the pairings", figures.lines, 2.0)
    line("a page", figures.pages)
    line("age of pages sent as they were", figures.kept)
    line("a fragment", figures.fragments)
    for name, value in took.items():
        print(f"{'processor, ' + name:44} {value / seconds:10.2f} of a core")
    milliseconds("processor of the web, per result", of_web(took) / tables)
    for name, size in memory.items():
        print(f"{'memory, ' + name:44} {size / 2**20:8.0f} MiB")
    print(f"{'connections of the database, at most':44} {held:8}")
    print(f"{'messages of the streams':44} {figures.messages / seconds:8.1f} a second")
    print(f"{'answers':44} {sum(figures.statuses.values()):8}   {dict(figures.statuses)}")
    print(f"{'sent':44} {figures.received / 1024 / seconds:8.0f} KiB a second")
    print(f"{'errors':44} {sum(figures.errors.values()):8}   {dict(figures.errors)}", flush=True)


def line(title: str, seconds: Sequence[float], bound: float | None = None) -> None:
    """Print the median, the 95th and 99th percentile and the maximum of some times."""
    if not seconds:
        print(f"{title:44} none")
        return
    ordered = sorted(seconds)
    at = {share: ordered[math.ceil(share * len(ordered)) - 1] for share in (0.5, 0.95, 0.99)}
    said = ", ".join(f"{value:.2f}" for value in at.values())
    print(f"{title:44} {said}, {ordered[-1]:.2f} s   (p50, p95, p99, most, of {len(ordered)})")
    if bound is not None:
        ratio(f"  ratio to {bound} s, p95", at[0.95] / bound, "at most 1")


# ------------------------------------------------------------------ what it costs


_most: dict[str, float] = {}  # a host that was killed keeps what it had used when it was last looked at


def spent(pids: dict[str, int], before: dict[str, float] | None = None) -> dict[str, float]:
    """Seconds of processor time by part, including the phones; with `before`, the increase since then."""
    taken = {name: sum(processor(each) for each in family(pid)) for name, pid in pids.items()}
    taken["phones"] = processor(os.getpid())
    for name, value in taken.items():
        _most[name] = max(value, _most.get(name, 0.0))
    return {name: _most[name] - (before or {}).get(name, 0.0) for name in taken}


def of_web(taken: dict[str, float]) -> float:
    """The part of all web hosts, with their processes of streams."""
    return sum(value for name, value in taken.items() if name.startswith(("web", "streams")))


async def _killed(host: Host, at: float) -> None:
    """Kill a host at this moment of `time.perf_counter`."""
    await asyncio.sleep(max(at - time.perf_counter(), 0))
    await asyncio.to_thread(host.kill)


async def _watched(pids: dict[str, int], until: float) -> tuple[dict[str, int], int]:
    """The maximum memory by part and number of database connections, until the given moment."""
    most = dict.fromkeys(pids, 0)
    held = 0
    while time.perf_counter() < until:
        for name, pid in pids.items():
            most[name] = max(most[name], sum(memory_of(each) for each in family(pid)))
        held = max(held, await asyncio.to_thread(_held, pids))
        await asyncio.sleep(5)
    return most, held


def _held(pids: dict[str, int]) -> int:
    if POSTGRESQL:
        try:
            with connections["default"].cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
                return int(cursor.fetchone()[0]) - 1
        finally:
            connections.close_all()
    file = str(FOLDER / "bench.sqlite3")
    links = (link for pid in pids.values() for each in family(pid) for link in Path(f"/proc/{each}/fd").iterdir())
    return sum(_leads(link, file) for link in links)


def _leads(link: Path, file: str) -> bool:
    try:
        return str(link.readlink()) == file
    except OSError:
        return False


if __name__ == "__main__":
    main()
