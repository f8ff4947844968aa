"""Many clients of one live stream, as browsers hold them, and a web process that serves them."""

import asyncio
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tournaments.config.launcher import end_with_parent, web

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 30.0  # seconds for a server to answer, and for a message to arrive
AT_ONCE = 50  # streams opened at a time; real phones do not all connect in the same millisecond


@contextmanager
def web_process(
    workers: int = 1,
    address: str = "127.0.0.1",
    inside: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple[int, int]]:
    """Start the web server on this environment's database, with one or more processes; yields its port and pid.

    It may listen on another address, in a network namespace that the command `inside` enters, and with an environment
    of its own.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    # uvicorn listens on the last --host.
    command = [*inside, sys.executable, *web(port, workers), "--host", address]
    server = subprocess.Popen(command, cwd=ROOT, env=environment or os.environ, preexec_fn=end_with_parent)
    try:
        wait_for(f"http://{address}:{port}/healthz", server)
        yield port, server.pid
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_for(url: str, process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait until a web server answers, or until its process has ended."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and (process is None or process.poll() is None):
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise SystemExit("the web process does not answer")


class Listener:
    """One open stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int, path: str) -> "Listener":
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
        status = await reader.readline()
        if b" 200 " not in status:
            raise SystemExit(f"a stream was not opened: {status.decode().strip()}")
        # The server sends this first, so the stream is open and will miss no message.
        await reader.readuntil(b"retry: ")
        return cls(reader, writer)

    async def told(self, position: str = "") -> float:
        """Wait for the next revision message and return its arrival time by `time.perf_counter`.

        With `position`, wait for the first message whose position ends with it.
        """
        while f"{position}\n".encode() not in await self._reader.readuntil(b"event: revision"):
            continue
        return time.perf_counter()

    def close(self) -> None:
        self._writer.close()


async def listeners(port: int, path: str, count: int) -> list[Listener]:
    """Open `count` streams of one address."""
    found: list[Listener] = []
    while len(found) < count:
        more = min(AT_ONCE, count - len(found))
        found += await asyncio.gather(*(Listener.open(port, path) for _ in range(more)))
    return found


def resident(pid: int) -> int:
    """The resident memory of a process, in bytes."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) * 1024


def held_open(pid: int, file: str) -> int:
    """The number of descriptors of a process that point to files starting with this path, such as a database."""
    held = 0
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            held += str(link.readlink()).startswith(file)
        except OSError:  # closed while we looked
            continue
    return held
