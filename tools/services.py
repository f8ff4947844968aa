"""Run the tests on PostgreSQL, Redis and RabbitMQ: `make test-services`.

TEST_DATABASE_URL, TEST_REDIS_URL and TEST_AMQP_URL name existing services. For those not set, the usual local service
is used if it answers; otherwise a temporary server is started in a temporary folder, if its program is installed, and
stopped at the end. If a service is not available, it is named and no test is run. A browser test that fails is run once
more by itself (`tools/flaky.py`).
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis
from kombu import Connection

BASE = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(BASE))

from tools.flaky import run_session  # noqa: E402

PATIENCE = 60.0  # seconds a server may take to answer
TESTS = ("-rfEs", "-p", "tests.strict_skips")
SIDE_BY_SIDE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder", "--durations", "20", "-m")
# They use no services, and `make test` has run them.
PURE = tuple(
    f"--ignore=tests/{path}"
    for path in (
        "boards",
        "contracts",
        "engine",
        "swiss",
        "transfers/test_bounds.py",
        "transfers/test_real_events.py",
        "transfers/test_recognition.py",
    )
)
# The first session creates its database by migrations, as an installation does; the other from the models, faster.
SESSIONS = ((*SIDE_BY_SIDE, "not slow", *PURE), (*SIDE_BY_SIDE, "slow", "--no-migrations"))


@dataclass(frozen=True)
class Service:
    """A kind of server.

    It has the environment variable that names one, the usual local address, a function that asks whether it answers,
    and one that starts it.
    """

    name: str
    variable: str
    usual: str
    answers: Callable[[str], bool]
    start: Callable[[Path, ExitStack], str | None]


def main() -> int:
    """Find or start the services and run both test sessions; returns the exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with ExitStack() as stack:
        found = {service.variable: _find(service, stack) for service in SERVICES}
        if not all(found.values()):
            return 1
        urls = {name: url for name, url in found.items() if url}
        environment = os.environ | urls | {"REQUIRE_SERVICES": "1"}
        environment |= {"DATABASE_URL": urls["TEST_DATABASE_URL"], "CELERY_BROKER_URL": urls["TEST_REDIS_URL"]}
        codes = [
            run_session([*TESTS, *session], again=[*TESTS, "--no-migrations"], environment=environment)
            for session in SESSIONS
        ]
    return 0 if all(code == 0 for code in codes) else 1


def _find(service: Service, stack: ExitStack) -> str | None:
    """The address of a service that answers, or None (with a message) if there is none."""
    named = os.environ.get(service.variable)
    url = named or service.usual
    if service.answers(url):
        print(f"{service.name}: the one that is there", flush=True)
        return url
    if named:
        print(f"{service.name}: {service.variable} is set, and nothing answers there", file=sys.stderr)
        return None
    folder = Path(tempfile.mkdtemp(prefix="arbitre-service-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    url = service.start(folder, stack)
    if url is None or not _wait(service, url):
        why = "its program is not installed" if url is None else "it was started and does not answer"
        print(f"{service.name}: {why}; install it, or set {service.variable}", file=sys.stderr)
        return None
    print(f"{service.name}: started for these tests", flush=True)
    return url


def _wait(service: Service, url: str) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if service.answers(url):
            return True
        time.sleep(0.3)
    return False


def _postgresql_answers(url: str) -> bool:
    # The tests create their own database, connected to the one that always exists.
    try:
        with psycopg.connect(url, dbname="postgres", connect_timeout=3) as connection:
            row = connection.execute(
                "select rolcreatedb or rolsuper from pg_roles where rolname = current_user"
            ).fetchone()
    except psycopg.Error:
        return False
    return row is not None and bool(row[0])


def _redis_answers(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3).ping())
    except redis.RedisError:
        return False


def _rabbitmq_answers(url: str) -> bool:
    connection = Connection(url, connect_timeout=3)
    try:
        connection.connect()
    except (*connection.recoverable_connection_errors, *connection.connection_errors, OSError):
        return False
    finally:
        connection.release()
    return True


def _start_postgresql(folder: Path, stack: ExitStack) -> str | None:
    initdb = newest("initdb", "/usr/lib/postgresql/*/bin/initdb")
    if initdb is None:
        return None
    owner = hand_over(folder, "postgres")
    data = str(folder / "data")
    once(owner, initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
    port = free_port()
    options = ("-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=300")
    server = initdb.resolve().with_name("postgres")
    _serve(stack, owner, server, "-D", data, "-p", port, "-k", folder, *options, stop=signal.SIGINT)
    return f"postgres://postgres@127.0.0.1:{port}/test"


def _start_redis(folder: Path, stack: ExitStack) -> str | None:
    program = shutil.which("redis-server")
    if program is None:
        return None
    port = free_port()
    _serve(stack, None, program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder)
    return f"redis://127.0.0.1:{port}/9"


def _start_rabbitmq(folder: Path, stack: ExitStack) -> str | None:
    program = newest("rabbitmq-server", "/usr/lib/rabbitmq/bin/rabbitmq-server")
    if program is None:
        return None
    owner = hand_over(folder, "rabbitmq")
    port = free_port()
    # Without its own file, it would use the port configured on this machine.
    settings = folder / "rabbitmq.conf"
    settings.write_text(f"listeners.tcp.1 = 127.0.0.1:{port}\n")
    variables = {
        "HOME": folder,
        "RABBITMQ_CONFIG_FILE": settings,
        "RABBITMQ_CONF_ENV_FILE": folder / "none",
        "RABBITMQ_NODENAME": f"arbitre{port}@localhost",
        "RABBITMQ_DIST_PORT": free_port(),
        "RABBITMQ_MNESIA_BASE": folder / "data",
        "RABBITMQ_LOG_BASE": folder / "log",
        "RABBITMQ_PID_FILE": folder / "pid",
        "RABBITMQ_ENABLED_PLUGINS_FILE": folder / "plugins",
    }
    _serve(stack, owner, program, **{name: str(value) for name, value in variables.items()})
    return f"amqp://guest:guest@127.0.0.1:{port}//"


def newest(name: str, pattern: str) -> Path | None:
    """The program of a server.

    Prefers the place where Debian installs it, which is not on PATH and not a wrapper script, then looks on PATH.
    """
    installed = sorted(Path("/").glob(pattern.lstrip("/")))
    found = shutil.which(name)
    return installed[-1] if installed else Path(found) if found else None


def hand_over(folder: Path, account: str) -> str | None:
    """Give a folder to the account that will run a server, because servers refuse to run as root.

    Returns that account, or None if this process does not run as root and runs the server itself.
    """
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    owner = account if account in known else "nobody"
    shutil.chown(folder, owner)
    return owner


def once(owner: str | None, *command: object) -> None:
    arguments = [str(part) for part in command]
    subprocess.run(arguments, user=owner, cwd="/", check=True, stdout=subprocess.DEVNULL)


def _serve(
    stack: ExitStack, owner: str | None, *command: object, stop: signal.Signals = signal.SIGTERM, **variables: str
) -> None:
    """Start a server in a process group of its own. It is stopped when the stack unwinds."""
    process = subprocess.Popen(
        [str(part) for part in command],
        user=owner,
        cwd="/",
        env=os.environ | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    stack.callback(_end, process, stop)


def _end(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    process.send_signal(number)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


SERVICES = (
    Service(
        "PostgreSQL",
        "TEST_DATABASE_URL",
        "postgres://postgres@127.0.0.1:5432/test",
        _postgresql_answers,
        _start_postgresql,
    ),
    Service("Redis", "TEST_REDIS_URL", "redis://127.0.0.1:6379/9", _redis_answers, _start_redis),
    Service("RabbitMQ", "TEST_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672//", _rabbitmq_answers, _start_rabbitmq),
)

if __name__ == "__main__":
    sys.exit(main())
