"""A relay of TCP connections: `python -m bench._relay ADDRESS TARGET…`, each target as HOST:PORT.

It listens on a free port of the address for each target, and prints these ports on one line.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from bench._listeners import ROOT
from tournaments.config.launcher import end_with_parent

PIECE = 65_536  # bytes relayed at a time
BACKLOG = 2_048


@contextmanager
def relay(address: str, targets: list[str]) -> Iterator[tuple[list[int], int]]:
    """Run a relay; yields its port for each target, and its pid."""
    with listening("bench._relay", address, *targets) as running:
        yield running


@contextmanager
def listening(module: str, *arguments: str) -> Iterator[tuple[list[int], int]]:
    """Run a module that prints the ports on which it listens; yields them and its pid."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=end_with_parent,
    )
    assert process.stdout
    try:
        ports = [int(port) for port in process.stdout.readline().split()]
        if not ports:
            raise SystemExit(f"{module} did not start")
        yield ports, process.pid
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def address_of(text: str) -> tuple[str, int]:
    """The host and the port of HOST:PORT."""
    host, _, port = text.rpartition(":")
    return host, int(port)


async def join(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    its_reader: asyncio.StreamReader,
    its_writer: asyncio.StreamWriter,
    patience: float | None = None,
) -> None:
    """Relay between a client and a server until one of them closes.

    With `patience`, the server must send something at least once in so many seconds.
    """
    await asyncio.gather(_pass(reader, its_writer), _pass(its_reader, writer, patience))


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience: float | None = None) -> None:
    with suppress(OSError):  # which includes TimeoutError
        while True:
            async with asyncio.timeout(patience):
                data = await reader.read(PIECE)
            if not data:
                break
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()


async def _serve(address: str, targets: list[str]) -> None:
    async def connected(target: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            its_reader, its_writer = await asyncio.open_connection(*address_of(target))
        except OSError:
            writer.close()
            return
        await join(reader, writer, its_reader, its_writer)

    servers = [await asyncio.start_server(partial(connected, each), address, 0, backlog=BACKLOG) for each in targets]
    print(*(server.sockets[0].getsockname()[1] for server in servers), flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(sys.argv[1], sys.argv[2:]))
