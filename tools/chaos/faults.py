"""The faults of a chaos run.

Each function injects one, holds it for a moment, ends it, and returns how often it was injected.
"""

import asyncio
import errno
import json
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tools.chaos import server_faults
from tools.chaos.installation import OLD, Installation
from tools.chaos.network import LOSS
from tools.chaos.target import Chaos
from tools.previous_release import PREVIOUS, NoHistory, of_previous

CALM = (0.2, 1.2)  # seconds between two faults
OVERTIME = 90.0  # seconds for which a fault that was not injected in time is tried again
HOUR = 3600
EVERYWHERE = ("sqlite", "redis", "rabbitmq")
POINTS = ("/next/", "/next/", "/logs/", "/entrants/", "/report/", "/confirm/", "/calls/")


@dataclass(frozen=True)
class Fault:
    """A kind of fault.

    `stacks` are those it is run on. `impossible` returns why it cannot be injected, or an empty string. `how` returns
    how it is done if that depends on the machine.
    """

    name: str
    title: str
    inject: Callable[[Chaos], Awaitable[int]]
    stacks: tuple[str, ...] = ("sqlite", "redis")
    impossible: Callable[[Installation], str] = lambda _installation: ""
    how: Callable[[Installation], str] = lambda _installation: ""

    def described(self, installation: Installation) -> str:
        """The title, with how the fault is done if that depends on the machine."""
        how = self.how(installation)
        return f"{self.title} ({how})" if how else self.title


async def nothing(chaos: Chaos) -> int:
    """Everything works."""
    await asyncio.sleep(max(chaos.until - time.monotonic(), 0))
    return 0


async def web_killed(chaos: Chaos) -> int:
    """SIGKILL the web, or one of its processes."""
    return await _killed(chaos, "web")


async def worker_killed(chaos: Chaos) -> int:
    """SIGKILL the worker, or one of its processes."""
    done = await _killed(chaos, "worker")
    await asyncio.sleep(chaos.rng.uniform(0, 2))  # it takes that long to be ready again
    return done


async def _killed(chaos: Chaos, name: str) -> int:
    number = chaos.rng.randrange(100)
    if number % 2 or not chaos.installation.parts[name].kill_child(number):
        chaos.installation.kill(name)
    return 1


async def web_frozen(chaos: Chaos) -> int:
    """The web stands still, as when its machine is paused: connections stay open, and nobody answers."""
    return await _frozen(chaos, "web")


async def worker_frozen(chaos: Chaos) -> int:
    """The worker stands still."""
    return await _frozen(chaos, "worker")


async def _frozen(chaos: Chaos, name: str) -> int:
    part = chaos.installation.parts[name]
    try:
        part.send(signal.SIGSTOP)
        await asyncio.sleep(chaos.rng.uniform(2, 7))
    finally:
        part.send(signal.SIGCONT)
    return 1


async def old_worker(chaos: Chaos) -> int:
    """A worker of the previous version takes over, until the present one is back, as while a version is rolled out.

    Returns how many jobs it did.
    """
    installation, before = chaos.installation, chaos.installation.done_by_previous()
    await installation.run(OLD)
    try:
        await installation.stop("worker")
        end = time.monotonic() + 30
        await asyncio.sleep(5)
        while installation.done_by_previous() == before and time.monotonic() < end:
            await asyncio.sleep(0.2)
    finally:
        await installation.run("worker")
        await asyncio.sleep(2)  # for a moment there are both
        await installation.stop(OLD)
    return installation.done_by_previous() - before


async def killed_at_commit(chaos: Chaos) -> int:
    """The web kills itself in the middle of an action: just before it commits, or just after."""
    point, path = chaos.installation.kill_point, chaos.rng.choice(POINTS)
    order = {"path": path, "commit": 1, "done": chaos.rng.random() < 0.5}
    chaos.installation.may_die = True
    for wanted, seconds in ((path, 5.0 if path == "/next/" else 1.0), ("/", 1.0)):
        point.write_text(json.dumps({**order, "path": wanted}))
        reached = await _taken(point, seconds)
        if reached:
            break
    await asyncio.sleep(1)  # so that the watcher sees that it died
    chaos.installation.may_die = False
    return int(reached)


async def _taken(path: Path, seconds: float) -> bool:
    """Whether somebody else removes a file within this many seconds. Afterwards it is gone in any case."""
    end = time.monotonic() + seconds
    while path.exists() and time.monotonic() < end:
        await asyncio.sleep(0.05)
    try:
        path.unlink()
    except FileNotFoundError:
        return True
    return False


async def answers_lost(chaos: Chaos) -> int:
    """For half of the requests, the connection breaks after the web did what it was asked, before the answer."""
    proxy = chaos.installation.proxies["web"]
    before, proxy.unanswered = proxy.thrown_away, 0.5
    await asyncio.sleep(3)
    proxy.restore()
    return proxy.thrown_away - before


async def sent_twice(chaos: Chaos) -> int:
    """Every action is sent as two simultaneous requests, like a double click."""
    before, chaos.sender.twice = chaos.sender.doubles, True
    await asyncio.sleep(3)
    chaos.sender.twice = False
    return chaos.sender.doubles - before


async def packets_lost(chaos: Chaos) -> int:
    """The network loses packets in both directions."""
    return await _lossy(chaos, LOSS, 5)


async def network_cut(chaos: Chaos) -> int:
    """The network loses everything, and neither side notices that a connection is gone."""
    return await _lossy(chaos, 1, chaos.rng.uniform(1, 5))


async def _lossy(chaos: Chaos, share: float, seconds: float) -> int:
    network, proxies = chaos.installation.network, chaos.installation.proxies.values()
    try:
        if network is not None:
            network.lose(share)
        for proxy in proxies if network is None else ():
            proxy.loss, proxy.silent = share, share == 1
        await asyncio.sleep(seconds)
    finally:
        if network is not None:
            network.restore()
        for proxy in proxies:
            proxy.restore()
    return 1


async def disk_full(chaos: Chaos) -> int:
    """The disk with the data is full. If none can be mounted, no file of the web and the worker can grow."""
    installation, filler = chaos.installation, chaos.installation.disk / "filler"
    try:
        if installation.small_disk:
            await asyncio.to_thread(_fill, filler, installation.var / "arbitre.sqlite3")
        else:
            installation.limit_files(0)
        await asyncio.sleep(3)
    finally:
        if installation.small_disk:
            filler.unlink(missing_ok=True)
        else:
            installation.limit_files(-1)
    await installation.revive_servers()
    return 1


def _fill(filler: Path, database: Path) -> None:
    """Use up all the space on the disk.

    SQLite could go on for a while inside an existing long write-ahead log, so that is truncated first.
    """
    if database.exists():
        with closing(sqlite3.connect(database, timeout=10)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(64 * 1024))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


async def slow_commits(chaos: Chaos) -> int:
    """Every commit takes 0.2 seconds longer, as on a disk that is busy or failing."""
    slow = chaos.installation.slow
    try:
        slow.write_text("0.2")
        await asyncio.sleep(4)
    finally:
        slow.unlink(missing_ok=True)
    return 1


async def clock_jumps(chaos: Chaos) -> int:
    """The clocks of web and worker jump an hour ahead, then to an hour behind, then back."""
    for offset in (HOUR, -HOUR, 0):
        chaos.installation.clock.write_text(str(offset))
        await asyncio.sleep(2 if offset else 0.5)
    return 3


def _by_proxies(installation: Installation) -> str:
    return f"by proxies: {installation.no_network}" if installation.network is None else ""


def _no_disk(installation: Installation) -> str:
    if installation.small_disk or installation.stack == "sqlite":
        return ""
    return "no disk may be mounted here, and a limit on files ends a database server"


def _no_history(_installation: Installation) -> str:
    try:
        of_previous("cat-file", "-e", PREVIOUS)
    except NoHistory as missing:
        return str(missing)
    return ""


def _by_limit(installation: Installation) -> str:
    return "" if installation.small_disk else "by a limit on files: no disk may be mounted here"


GROWN = ("redis", "rabbitmq")
REDIS, RABBITMQ = ("redis",), ("rabbitmq",)
FAULTS = (
    Fault("none", "no fault", nothing, EVERYWHERE),
    Fault("web-killed", "web killed", web_killed, EVERYWHERE),
    Fault("worker-killed", "worker killed", worker_killed, EVERYWHERE),
    Fault("commit", "web killed at a commit", killed_at_commit),
    Fault("web-frozen", "web frozen", web_frozen),
    Fault("worker-frozen", "worker frozen", worker_frozen, EVERYWHERE),
    Fault("old-worker", "worker of the previous version", old_worker, EVERYWHERE, _no_history),
    Fault("answers-lost", "answers lost on the way", answers_lost),
    Fault("sent-twice", "everything sent twice at once", sent_twice),
    Fault("disk-full", "disk full", disk_full, EVERYWHERE, _no_disk, _by_limit),
    Fault("slow-commits", "slow commits", slow_commits),
    Fault("clock", "clock an hour ahead, then behind", clock_jumps),
    Fault("packets-lost", "packets lost", packets_lost, how=_by_proxies),
    Fault("network-cut", "network cut", network_cut, EVERYWHERE, how=_by_proxies),
    Fault("connections-ended", "connections ended by PostgreSQL", server_faults.connections_ended, REDIS),
    Fault("connections-used-up", "connections used up", server_faults.connections_used_up, REDIS),
    Fault("postgresql-killed", "PostgreSQL killed", server_faults.postgresql_killed, REDIS),
    Fault("postgresql-cut", "PostgreSQL cut off", server_faults.database_cut, REDIS),
    Fault("postgresql-read-only", "PostgreSQL read-only", server_faults.read_only, REDIS),
    Fault("table-locked", "table locked", server_faults.table_locked, REDIS),
    Fault("redis-killed", "Redis killed", server_faults.redis_killed, REDIS),
    Fault("redis-cut", "Redis cut off", server_faults.redis_cut, REDIS),
    Fault("redis-full", "Redis full", server_faults.redis_full, GROWN),
    Fault("rabbitmq-killed", "RabbitMQ killed", server_faults.rabbitmq_killed, RABBITMQ),
    Fault("rabbitmq-cut", "RabbitMQ cut off", server_faults.rabbitmq_cut, RABBITMQ),
    Fault("connections-reset", "connections to services reset", server_faults.connections_reset, GROWN),
    Fault("services-slow", "services slow", server_faults.services_slow, REDIS),
)


async def inject(fault: Fault, chaos: Chaos) -> int:
    """Inject a fault repeatedly until it is time to stop. Returns how often it was injected.

    Some faults wait for somebody to do something, which takes longer on a slow machine: so it goes on until the fault
    was injected once, for `OVERTIME` at most.
    """
    injected = 0
    await asyncio.sleep(0.5)
    while True:
        injected += await fault.inject(chaos)
        chaos.installation.lifted.append(time.monotonic())
        await chaos.installation.until_healthy()
        calm = chaos.rng.uniform(*CALM)
        is_enough = injected or fault.inject is nothing
        if time.monotonic() + calm > chaos.until + (0 if is_enough else OVERTIME):
            return injected
        await asyncio.sleep(calm)
