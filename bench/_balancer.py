"""A proxy in front of several web hosts, as small as can be: `python -m bench._balancer PORT BACKEND BACKEND…`.

Each connection goes to the next host in turn, or to the one after it if that host does not answer.
"""

import asyncio
import itertools
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from bench._listeners import ROOT, wait_for

PIECE = 65_536  # bytes relayed at a time


@contextmanager
def balancer(backends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Run the proxy in front of these ports of this machine; yields its port and its pid."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "bench._balancer", str(port), *map(str, backends)], cwd=ROOT)
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


async def serve(port: int, backends: Sequence[int]) -> None:
    """Relay connections until the process is ended."""
    turns = itertools.count()

    async def connect() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        first = next(turns)
        for step in range(len(backends)):
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", backends[(first + step) % len(backends)])
        raise OSError("no host answers")

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            its_reader, its_writer = await connect()
        except OSError:
            writer.close()
            return
        await asyncio.gather(_pass(reader, its_writer), _pass(its_reader, writer))

    server = await asyncio.start_server(relay, "127.0.0.1", port, backlog=2_048)
    async with server:
        await server.serve_forever()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(PIECE):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), [int(port) for port in sys.argv[2:]]))
