"""A stand-in for the API that gives prepared answers and records the requests, for tests of the clients."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from arbitre_client import Arbitre

from tests.common.server import Handler, serving

Answer = tuple[int, dict[str, str], Any]  # status, headers, JSON (None: the server closes the connection)


@dataclass
class Scripted:
    """A server that gives these answers in turn, repeats the last one, and records the requests."""

    answers: list[Answer] = field(default_factory=list)
    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def client(self, **options: Any) -> Arbitre:
        """A Python client of this server, which notes in `slept` how long it would wait."""
        return Arbitre(self.url, "arb_x", sleep=self.slept.append, **options)


@contextmanager
def scripted() -> Iterator[Scripted]:
    """Run such a server for the duration of the block."""
    script = Scripted()

    class Answering(Handler):
        def do_GET(self) -> None:
            body = self.body()
            said = {name.lower(): value for name, value in self.headers.items()}
            script.asked.append((self.command, self.path, said, body))
            status, headers, value = script.answers.pop(0) if len(script.answers) > 1 else script.answers[0]
            if value is None:
                self.connection.close()
                return
            self.send(status, json.dumps(value).encode(), **{"content-type": "application/json", **headers})

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    with serving(Answering) as script.port:
        yield script


def refusal(status: int, code: str, **headers: str) -> Answer:
    """An error response of the API."""
    return status, headers, {"status": status, "code": code, "detail": "No.", "details": [{"field": "name"}]}
