"""A proxy in front of web hosts, as small as can be.

`python -m bench._balancer --pages HOST:PORT… --streams HOST:PORT…` prints the port on which it listens. Each connection
goes to the next host in turn. The first line of its first request decides whether that is a host of pages or, if there
are such, one of live streams; so a client must not use one connection for both.

It handles a host that dies as nginx does with `proxy_connect_timeout 2s` and `fail_timeout=5s`:

- A host that does not accept a connection within 2 seconds is away for 5, and the connection goes to the next host.
  After that, one connection tries it again, while the others avoid it.
- Connections to a host that dies without a word stay open, as they do by default in nginx, HAProxy, Envoy and Caddy.
  After 60 seconds without a byte from the host (nginx's default), the proxy closes them. A stream is never that quiet,
  as it has a heartbeat every 15 seconds; a page reopens its stream by itself after 40 seconds without one.
- A request that was sent to a host is not sent to another one, because it may have been carried out.
"""

import argparse
import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from bench._listeners import wait_for
from bench._relay import BACKLOG, address_of, join, listening

CONNECT = 2.0  # seconds in which a host must accept a connection
AWAY = 5.0  # seconds for which a host gets no connections after that
FIRST_LINE = 10.0  # seconds in which a client must send the first line of its request
SILENCE = 60.0  # seconds after which a host that sends nothing is given up


@contextmanager
def balancer(pages: Sequence[str], streams: Sequence[str] = ()) -> Iterator[tuple[int, int]]:
    """Run the proxy in front of these hosts, each named as HOST:PORT; yields its port and its pid."""
    apart = ("--streams", *streams) if streams else ()
    with listening("bench._balancer", "--pages", *pages, *apart) as ((port,), pid):
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield port, pid


class Hosts:
    """Hosts that take turns; those that did not accept a connection are left out for some seconds."""

    def __init__(self, hosts: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._hosts = list(hosts)
        self._clock = clock
        self._away: dict[str, float] = {}  # until when

    def in_turn(self) -> list[str]:
        """All hosts in the order in which to try them: those that are away come last."""
        self._hosts.append(self._hosts.pop(0))
        return sorted(self._hosts, key=self._is_away)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the next host that accepts it. Raises OSError if none does."""
        for host in self.in_turn():
            if host in self._away:
                self._away[host] = self._clock() + CONNECT  # the other connections avoid it while this one tries it
            with suppress(OSError):
                async with asyncio.timeout(CONNECT):
                    found = await asyncio.open_connection(*address_of(host))
                self._away.pop(host, None)
                return found
            self._away[host] = self._clock() + AWAY
        raise OSError("no host answers")

    def _is_away(self, host: str) -> bool:
        return self._away.get(host, 0.0) > self._clock()


def of_streams(line: bytes) -> bool:
    """Whether the first line of a request asks for a live stream."""
    return line.partition(b" ")[2].startswith(b"/live/")


async def start(pages: Sequence[str], streams: Sequence[str]) -> asyncio.Server:
    """Start the proxy on a free port of this machine."""
    of_pages = Hosts(pages)
    apart = Hosts(streams) if streams else of_pages

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(FIRST_LINE):
                line = await reader.readuntil(b"\n")
            its_reader, its_writer = await (apart if of_streams(line) else of_pages).connect()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.close()
            return
        its_writer.write(line)
        await join(reader, writer, its_reader, its_writer, SILENCE)

    return await asyncio.start_server(connected, "127.0.0.1", 0, backlog=BACKLOG)


async def serve(pages: Sequence[str], streams: Sequence[str]) -> None:
    """Relay connections until the process is ended."""
    server = await start(pages, streams)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", nargs="+", required=True)
    parser.add_argument("--streams", nargs="+", default=[])
    args = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(args.pages, args.streams))
