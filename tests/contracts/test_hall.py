"""The parts of `bench.hall` that put web hosts behind a proxy and into network namespaces."""

import asyncio
import ipaddress
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bench import _balancer as balancer
from bench import _namespaces
from bench._hosts import elsewhere, services
from bench._listeners import wait_for
from bench._namespaces import PREFIX, RANGES, Namespace, free_range, namespaces
from bench._phones import Hall, Phone
from bench._relay import listening, relay
from tests.contracts.project import ROOT

LONG_AGO = 4_194_304  # one more than the highest pid that Linux gives, so such a process never exists


async def a_host(name: str, served: list[asyncio.Server]) -> str:
    """Start a server that answers each first line with its own name and that line; returns its address."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(f"{name} {head.decode()}".encode())
        writer.close()

    served.append(await asyncio.start_server(answer, "127.0.0.1", 0))
    return f"127.0.0.1:{served[-1].sockets[0].getsockname()[1]}"


def unused() -> str:
    """An address on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


async def asked(port: int, *pieces: bytes) -> str:
    """The whole answer of the proxy to a request that arrives in pieces."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece)
        await asyncio.sleep(0.02)
    async with asyncio.timeout(30):
        answer = (await reader.read()).decode()
    writer.close()
    return answer


def behind_a_proxy(act: Callable[[int], Awaitable[None]], *, apart: bool = True, first: str = "") -> None:
    """Run the proxy in front of a host of pages and one of streams, and call `act` with its port.

    `first` is the address of one more host of pages.
    """

    async def run() -> None:
        served: list[asyncio.Server] = []
        pages, streams = await a_host("pages", served), await a_host("streams", served)
        served.append(await balancer.start([first, pages] if first else [pages], [streams] if apart else []))
        await act(served[-1].sockets[0].getsockname()[1])
        for server in served:
            server.close()

    asyncio.run(run())


# ---------------------------------------------------------------- the proxy
def test_the_proxy_sends_streams_and_pages_to_different_hosts() -> None:
    async def act(port: int) -> None:
        stream = b"GET /live/abc/?since=1 HTTP/1.1\r\nHost: here\r\n\r\n"
        assert await asked(port, stream) == f"streams {stream.decode()}", "every byte arrives"
        assert (await asked(port, b"GET /e/abc/?next=/live/ HTTP/1.1\r\n\r\n")).startswith("pages ")
        assert (await asked(port, b"POST /m/abc/report/ HTTP/1.1\r\n\r\n")).startswith("pages ")

    behind_a_proxy(act)


def test_without_hosts_for_streams_the_others_serve_them() -> None:
    async def act(port: int) -> None:
        assert (await asked(port, b"GET /live/abc/ HTTP/1.1\r\n\r\n")).startswith("pages ")

    behind_a_proxy(act, apart=False)


def test_the_first_line_may_arrive_in_pieces() -> None:
    async def act(port: int) -> None:
        assert (await asked(port, b"GET /li", b"ve/abc/ HTTP/1.1\r", b"\n\r\n")).startswith("streams ")

    behind_a_proxy(act)


@pytest.mark.parametrize("line", [b"", b"GET /li", b"x" * 200_000], ids=["nothing", "half", "too long"])
def test_a_connection_without_a_first_line_is_closed(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balancer, "FIRST_LINE", 0.2)

    async def act(port: int) -> None:
        with suppress(ConnectionError):  # closed while we were still sending
            assert await asked(port, line) == ""

    behind_a_proxy(act)


def test_a_host_that_refuses_connections_is_left_out() -> None:
    async def act(port: int) -> None:
        for _request in range(3):
            assert (await asked(port, b"GET / HTTP/1.1\r\n\r\n")).startswith("pages ")

    behind_a_proxy(act, first=unused())


def test_a_host_that_does_not_answer_is_away_and_then_tried_by_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    time, tried, dead = [100.0], [], ["one:1"]

    async def connect(host: str, _port: int) -> str:
        tried.append(host)
        if f"{host}:1" in dead:
            await asyncio.sleep(60)
        return host

    async def run() -> None:
        hosts = balancer.Hosts(["two:1", "one:1"], clock=lambda: time[0])
        assert await hosts.connect() == "two", "the dead one was tried first"
        assert [await hosts.connect() for _ in range(4)] == ["two"] * 4
        assert tried == ["one", *["two"] * 5]
        time[0] += balancer.AWAY
        trying = asyncio.ensure_future(hosts.connect())
        while tried[-1] != "one":  # one connection in two begins with it
            await trying
            trying = asyncio.ensure_future(hosts.connect())
            await asyncio.sleep(0)
        assert [await hosts.connect() for _ in range(4)] == ["two"] * 4, "the others avoid it meanwhile"
        assert await trying == "two"
        dead.clear()
        assert hosts.in_turn()[-1] == "one:1"
        time[0] += balancer.AWAY
        assert {await hosts.connect() for _ in range(2)} == {"one", "two"}

    monkeypatch.setattr(balancer, "CONNECT", 0.1)
    monkeypatch.setattr(asyncio, "open_connection", connect)
    asyncio.run(run())


def test_if_all_hosts_are_away_they_are_tried_all_the_same() -> None:
    async def run() -> None:
        hosts = balancer.Hosts([unused(), unused()])
        for _request in range(2):
            with pytest.raises(OSError, match="no host answers"):
                await hosts.connect()
            assert len(hosts.in_turn()) == 2

    asyncio.run(run())


def test_a_host_that_stays_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balancer, "SILENCE", 0.2)

    async def run() -> None:
        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()  # until the proxy closes the connection
            writer.close()

        host = await asyncio.start_server(silent, "127.0.0.1", 0)
        proxy = await balancer.start([f"127.0.0.1:{host.sockets[0].getsockname()[1]}"], [])
        assert await asked(proxy.sockets[0].getsockname()[1], b"GET / HTTP/1.1\r\n\r\n") == ""
        proxy.close()
        host.close()

    asyncio.run(run())


def test_a_phone_whose_stream_is_silent_asks_for_its_page_and_opens_the_stream_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bench._phones.SILENCE", 0.1)

    async def run() -> None:
        opened = asyncio.Semaphore(0)

        async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            opened.release()
            await reader.read()
            writer.close()

        server = await asyncio.start_server(stream, "127.0.0.1", 0)
        phone = Phone(Hall(server.sockets[0].getsockname()[1]), "/", {}, "en")
        phone.page = '<body data-live-stream="/live/abc/">'
        phone.follow()
        async with asyncio.timeout(30):
            await opened.acquire()
            await opened.acquire()
        assert phone.hall.figures.errors["stream silent"]
        phone.close()
        await asyncio.sleep(0)
        server.close()

    asyncio.run(run())


# ---------------------------------------------------------------- services, and where they are reached
def test_services_are_those_reached_over_the_network() -> None:
    environment = {
        "DATABASE_URL": "postgres://me:secret@[::1]/name?sslmode=disable",
        "CACHE_URL": "redis://localhost/14",
        "CELERY_BROKER_URL": "filesystem://",
    }
    assert services(environment) == {"DATABASE_URL": "::1:5432", "CACHE_URL": "localhost:6379"}
    assert services({"DATABASE_URL": "sqlite:////tmp/a.sqlite3"}) == {}
    assert services({"DATABASE_URL": "postgres:///name?host=/run/postgresql"}) == {}, "a socket is a file"


def test_the_address_of_a_service_keeps_everything_else() -> None:
    moved = elsewhere("postgres://me:se%40cret@[::1]:5432/name?sslmode=disable", "10.231.7.1:40000")
    assert moved == "postgres://me:se%40cret@10.231.7.1:40000/name?sslmode=disable"
    assert elsewhere("redis://127.0.0.1:6379/14", "10.231.7.1:40001") == "redis://10.231.7.1:40001/14"


def test_a_relay_passes_everything_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        target = f"127.0.0.1:{server.getsockname()[1]}"
        with relay("127.0.0.1", [target]) as ((port,), _pid), socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"there")
            accepted, _ = server.accept()
            with accepted:
                assert accepted.recv(5, socket.MSG_WAITALL) == b"there"
                accepted.sendall(b"back")
            assert client.recv(4, socket.MSG_WAITALL) == b"back"
            assert client.recv(1) == b"", "closed once the server has closed"


def test_a_relay_that_cannot_start_ends_the_bench(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="did not start"), listening("bench._relay", "240.0.0.1", "127.0.0.1:1"):
        pass
    capfd.readouterr()


def test_a_web_process_that_ends_because_its_port_is_taken_is_not_waited_for() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        with pytest.raises(SystemExit, match="does not answer"):
            wait_for(f"http://{unused()}/healthz", process)


# ---------------------------------------------------------------- network namespaces
def test_the_names_of_interfaces_are_short_enough_for_linux() -> None:
    assert len(f"{Namespace(99, LONG_AGO, RANGES[0]).link}i") <= 15


def test_a_range_in_use_is_not_taken() -> None:
    routes = "default via 192.0.2.1 dev eth0\nlocal 10.231.7.1 dev x table local\nunreachable 10.231.8.0/22\n"
    assert free_range(routes, 7) == ipaddress.IPv4Network("10.231.12.0/24")
    assert free_range(f"{routes}10.231.255.0/24 dev y", 255 + 256) == RANGES[0]
    with pytest.raises(OSError, match="all are in use"):
        free_range("10.0.0.0/8 via 192.0.2.9 dev vpn", 7)


def test_without_root_or_ip_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("shutil.which", lambda _name: "/sbin/ip")
    with pytest.raises(OSError, match=r"^Network namespaces need root\.$"), namespaces(1):
        pass
    monkeypatch.setattr("shutil.which", lambda _name: None)
    with pytest.raises(OSError, match="the program `ip`, which is not installed"), namespaces(1):
        pass


def test_a_namespace_is_removed_after_an_error_and_half_made(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[tuple[str, ...]] = []

    def ip(*arguments: str) -> str:
        run.append(arguments)
        if arguments[:2] == ("link", "add") and arguments[2].endswith("-2"):
            raise OSError("not permitted")
        return ""

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda _name: "/sbin/ip")
    monkeypatch.setattr(_namespaces, "_ip", ip)
    with pytest.raises(OSError, match="not permitted"), namespaces(2):
        pass
    names = [f"{PREFIX}-{os.getpid()}-{number}" for number in (2, 1)]
    assert [each[2] for each in run if each[:2] == ("netns", "delete")] == names


def test_what_a_killed_run_left_is_removed_and_that_of_a_running_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[tuple[str, ...]] = []

    def ip(*arguments: str) -> str:
        run.append(arguments)
        return f"{PREFIX}-{LONG_AGO}-2 (id: 3)\n{PREFIX}-{os.getpid()}-1\nsomething-else\n"

    monkeypatch.setattr(_namespaces, "_ip", ip)
    _namespaces.remove_stale()
    assert run[1:] == [("link", "delete", f"ah{LONG_AGO}-2"), ("netns", "delete", f"{PREFIX}-{LONG_AGO}-2")]


def test_a_host_whose_link_is_cut_hangs_or_the_system_says_why_there_are_no_namespaces() -> None:
    """Without root, this tests the refusal, because a skip would count as a failure in `make test-services`."""
    server = "import socket; s = socket.create_server(('{}', 8000)); print(1, flush=True); c = s.accept(); s.accept()"
    try:
        spaces = namespaces(1)
        (space,) = spaces.__enter__()
    except OSError as error:
        assert str(error).startswith("Network namespaces")
        return
    try:
        command = [*space.command, sys.executable, "-c", server.format(space.inside)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout
            assert process.stdout.read(1) == b"1"
            with socket.create_connection((space.inside, 8000), timeout=30) as client:
                space.cut()
                process.kill()
                process.wait()
                client.settimeout(0.3)
                with pytest.raises(TimeoutError):  # not closed, as it would be without the cut
                    client.recv(1)
                with pytest.raises(OSError, match=r"timed out|No route|unreachable"):
                    socket.create_connection((space.inside, 8000), timeout=0.3)
    finally:
        spaces.__exit__(None, None, None)
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert space.name not in listed
    assert not Path(f"/sys/class/net/{space.link}").exists()


# ---------------------------------------------------------------- the options
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_hall_runs_in_namespaces_or_says_in_one_sentence_why_not() -> None:
    sizes = ("--phones", "8", "--minutes", "0.2", "--hosts", "2", "--kill", "--namespaces")
    result = subprocess.run(
        [sys.executable, "-m", "bench.hall", *sizes], cwd=ROOT, capture_output=True, text=True, timeout=280
    )
    if result.returncode == 2:
        assert result.stderr.startswith("Network namespaces")
        assert len(result.stderr.splitlines()) == 1
    else:
        assert result.returncode == 0, result.stderr
        assert "processor, web 2" in result.stdout
