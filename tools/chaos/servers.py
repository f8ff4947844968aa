"""PostgreSQL, Redis and RabbitMQ servers in a folder of the run, so that they can be killed."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import psycopg
from redis import Redis

from tools.chaos.processes import Program, until
from tools.services import SERVICES, free_port, hand_over, newest, once

PATIENCE = 60.0  # seconds a server may take to answer
DATABASE = ACCOUNT = "arbitre"
OURS = "chaos"  # the name of the connections that keep others from connecting
CONNECTIONS = 60  # at most, three of them for the superuser: few, so that they are quickly used up
ANSWERS: dict[str, Callable[[str], bool]] = {service.name: service.answers for service in SERVICES}


class Missing(Exception):
    """A server cannot be started on this machine; the message says why."""


class Server:
    """A running server. `url` is its direct address."""

    def __init__(self, name: str, url: str, program: Program, *helpers: Program) -> None:
        self.name, self.url = name, url
        self._program, self._helpers = program, helpers
        for each in (*helpers, program):
            each.start()

    def wait(self) -> None:
        """Wait until it answers.

        It is started again if it gives up, as PostgreSQL does while old processes are still ending. Raises Missing.
        """
        if not until(self._answers_or_starts, PATIENCE):
            raise Missing(f"{self.name} was started and does not answer")

    def _answers_or_starts(self) -> bool:
        self._program.start()
        return ANSWERS[self.name](self.url)

    def kill(self) -> None:
        """SIGKILL all its processes."""
        self._program.kill()

    def start(self) -> None:
        """Start it if it is not running."""
        self._program.start()

    @property
    def ended(self) -> bool:
        """Whether its process is gone."""
        return self._program.exit_code is not None

    def close(self) -> None:
        """End it."""
        for each in (self._program, *self._helpers):
            each.end()


def postgresql(disk: Path, logs: Path) -> Server:
    """A server with an empty database. Raises Missing."""
    initdb = newest("initdb", "/usr/lib/postgresql/*/bin/initdb")
    if initdb is None:
        raise Missing("PostgreSQL is not installed")
    folder, owner = _folder(disk, "postgresql", "postgres")
    data, port = folder / "data", free_port()
    once(owner, initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
    # A small write-ahead log, to fit on a small disk; shared memory in the folder, so that it is removed with it.
    options = (
        "listen_addresses=127.0.0.1",
        "max_wal_size=64MB",
        "min_wal_size=32MB",
        "dynamic_shared_memory_type=mmap",
        f"max_connections={CONNECTIONS}",
    )
    command = [initdb.resolve().with_name("postgres"), "-D", data, "-p", port, "-k", folder]
    command += [part for option in options for part in ("-c", option)]
    log = logs / "postgresql.log"
    # SIGQUIT ends it without waiting for its connections to close.
    program = Program("PostgreSQL", command, log=log, environment=os.environ, owner=owner, stop=signal.SIGQUIT)
    return Server("PostgreSQL", f"postgres://postgres@127.0.0.1:{port}/{DATABASE}", program)


def redis(disk: Path, logs: Path) -> Server:
    """A server that stores nothing on disk: once killed, it has lost everything. Raises Missing."""
    command = shutil.which("redis-server")
    if command is None:
        raise Missing("Redis is not installed")
    folder, _owner = _folder(disk, "redis", None)
    port = free_port()
    options = ("--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder)
    program = Program("Redis", [command, *options], log=logs / "redis.log", environment=os.environ)
    return Server("Redis", f"redis://127.0.0.1:{port}/0", program)


def rabbitmq(disk: Path, logs: Path) -> Server:
    """A node of its own, with its own port mapper. Raises Missing."""
    command, mapper = newest("rabbitmq-server", "/usr/lib/rabbitmq/bin/rabbitmq-server"), shutil.which("epmd")
    if command is None or mapper is None:
        raise Missing("RabbitMQ is not installed")
    folder, owner = _folder(disk, "rabbitmq", "rabbitmq")
    port, mapped = free_port(), free_port()
    settings = folder / "rabbitmq.conf"  # without its own file, it would use the port configured on this machine
    settings.write_text(f"listeners.tcp.1 = 127.0.0.1:{port}\n")
    environment = os.environ | {
        "HOME": str(folder),
        "ERL_EPMD_PORT": str(mapped),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_CONFIG_FILE": str(settings),
        "RABBITMQ_CONF_ENV_FILE": str(folder / "none"),
        "RABBITMQ_NODENAME": f"arbitre{port}@localhost",
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_MNESIA_BASE": str(folder / "data"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
    }
    log = logs / "rabbitmq.log"
    node = Program("RabbitMQ", [command], log=log, environment=environment, owner=owner)
    helper = Program("epmd", [mapper, "-port", mapped], log=log, environment=environment, owner=owner)
    return Server("RabbitMQ", f"amqp://guest:guest@127.0.0.1:{port}//", node, helper)


def create_database(server: Server) -> None:
    """Create the database that the URL of a PostgreSQL server names, for the account in `url_of_account`."""
    with _administering(server) as session:
        session.execute(f'CREATE ROLE "{ACCOUNT}" LOGIN')
        session.execute(f'CREATE DATABASE "{DATABASE}" OWNER "{ACCOUNT}"')


def url_of_account(server: Server) -> str:
    """The address of the database for an ordinary account, without the superuser's rights."""
    return server.url.replace("//postgres@", f"//{ACCOUNT}@")


def end_connections(server: Server) -> None:
    """Let PostgreSQL terminate every connection to that database, except those of `use_up_connections`."""
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND application_name <> %s"
    with suppress(psycopg.OperationalError), _administering(server) as session:
        session.execute(ended, [DATABASE, OURS])


def set_read_only(server: Server, on: bool) -> None:
    """Let PostgreSQL refuse all writes, or accept them again."""
    change = "SET default_transaction_read_only = on" if on else "RESET default_transaction_read_only"
    with _administering(server) as session:
        session.execute(f"ALTER SYSTEM {change}")
        session.execute("SELECT pg_reload_conf()")


def lock_table(server: Server, table: str, seconds: float) -> int:
    """Keep a table from being read and written for some seconds. Returns 0 if the lock was not to be had in time."""
    with psycopg.connect(server.url) as session:
        session.execute("SET lock_timeout = '5s'")
        try:
            session.execute(f'LOCK TABLE "{table}" IN ACCESS EXCLUSIVE MODE')
        except psycopg.errors.LockNotAvailable:
            return 0
        time.sleep(seconds)
        session.rollback()
    return 1


def use_up_connections(server: Server, seconds: float) -> None:
    """Hold every connection that an ordinary account may have, for some seconds; all others are ended."""
    with ExitStack() as held:
        for _time in range(2):
            _fill(server, held)
            end_connections(server)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            _fill(server, held)
            time.sleep(0.1)


def _fill(server: Server, held: ExitStack) -> None:
    """Open connections until PostgreSQL refuses one."""
    try:
        while True:
            held.enter_context(closing(psycopg.connect(url_of_account(server), application_name=OURS)))
    except psycopg.OperationalError:
        return


def limit_memory(server: Server, size: int) -> None:
    """Let Redis refuse to store anything once it holds this many bytes; 0 for no limit."""
    with Redis.from_url(server.url) as client:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", size)


@contextmanager
def _administering(server: Server) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """A connection of the superuser, for whom some connections are reserved."""
    with psycopg.connect(server.url, dbname="postgres", autocommit=True) as session:
        yield session


def _folder(disk: Path, name: str, account: str | None) -> tuple[Path, str | None]:
    folder = disk / name
    folder.mkdir()
    return folder, hand_over(folder, account) if account else None
