"""A real HTTP server on this machine that records the requests it gets, with configurable answers."""

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.common.server import Handler, serving

CERTIFICATE = Path(__file__).with_name("hooks.pem")  # self-signed, for hooks.example.com


@dataclass
class Message:
    """A request as it was received; header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A running server: its port, the requests it got, and how it answers; by path if it is in `statuses`.

    `slowly` is the pause in seconds between lines of an endless answer; 0 for a normal one. `pause` is how many seconds
    it takes to answer, and `most` the number of requests that it had at the same time.
    """

    port: int = 0
    status: int = 204
    location: str = ""
    slowly: float = 0.0
    pause: float = 0.0
    most: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    got: list[Message] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/told?by=us"


@contextmanager
def receiver(*, tls: bool = False, address: str = "127.0.0.1", port: int = 0) -> Iterator[Receiver]:
    """Run a server for the duration of the block; port 0 takes a free one."""
    kept = Receiver()

    class Receiving(Handler):
        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            kept.got.append(Message(self.path, headers, self.body()))
            with kept.lock:
                kept.busy += 1
                kept.most = max(kept.most, kept.busy)
            time.sleep(kept.pause)
            with kept.lock:
                kept.busy -= 1
            with suppress(OSError):  # the sender may have closed the connection
                self._answer()

        def _answer(self) -> None:
            if kept.slowly:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for _line in range(200):
                    self.wfile.write(b"x-drip: 1\r\n")
                    time.sleep(kept.slowly)
            location = {"location": kept.location} if kept.location else {}
            self.send(kept.statuses.get(self.path, kept.status), **kept.headers, **location)

    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
    with serving(Receiving, address=address, port=port, tls=context) as kept.port:
        yield kept
