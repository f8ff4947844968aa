"""Pages that are left open: they follow the live stream of an event, and open it again when it ends."""

import asyncio
import html
import json
import random
import re
import time
from collections.abc import Mapping
from contextlib import suppress

import httpx

from tools.chaos.actions import AGAIN, Sender, cookie_header

SILENCE = (
    20.0  # seconds without a beat until a stream is opened again; the server sends one every 15, the pages wait 40
)
LEARNED_WITHIN = 30.0  # seconds after which a page must have heard of what was saved


class Follower:
    """A page of an event, from `load` until `close`.

    - `name`: whose page it is
    - `number`: the last ledger entry of the event that it knows of
    - `heard`: the ledger number and the topics of each message
    - `opened`: how often it opened its stream
    - `problems`: what should not have happened
    """

    def __init__(self, name: str, base: str, page: str, cookies: Mapping[str, str]) -> None:
        self.name, self.number, self.opened = name, 0, 0
        self.heard: list[tuple[int, frozenset[str]]] = []
        self.problems: list[str] = []
        self._page, self._headers = page, cookie_header(cookies) if cookies else {}
        self._position, self._address = "", ""
        self._client = httpx.AsyncClient(base_url=base, timeout=SILENCE, trust_env=False)
        self._following: asyncio.Task[None] | None = None

    async def load(self, sender: Sender) -> None:
        """Open the page, and follow its stream from then on."""
        answer = await sender.read(self._page, self._headers)
        found = re.search(r'data-live-stream="([^"]+)"', answer.text) if answer is not None else None
        if found is None:
            self.problems.append(f"the page of {self.name} has no stream")
            return
        self._address = html.unescape(found[1])
        self._following = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Leave the page."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
        await self._client.aclose()

    async def missed(self, number: int, topic: str, after: int) -> list[str]:
        """What the page did not learn: it has to know of ledger entry `number`, and of a `topic` later than `after`."""
        end = time.monotonic() + LEARNED_WITHIN
        while self._following is not None and self.number < number and time.monotonic() < end:
            await asyncio.sleep(0.1)
        if self.number < number:
            return [*self.problems, f"the stream of {self.name} ended at entry {self.number} of {number}"]
        later = {each for at, topics in self.heard if at > after for each in topics}
        return [*self.problems, *([] if topic in later else [f"the stream of {self.name} missed: {topic}"])]

    async def _follow(self) -> None:
        while True:
            with suppress(httpx.TransportError):  # it was cut, or is silent
                await self._stream()
            await asyncio.sleep(random.uniform(*AGAIN))

    async def _stream(self) -> None:
        """Read the stream until it ends."""
        last = {"Last-Event-ID": self._position} if self._position else {}
        async with self._client.stream("GET", self._address, headers={**self._headers, **last}) as answer:
            problem = f"the stream of {self.name} was answered {answer.status_code}"
            if answer.status_code not in (200, 503) and problem not in self.problems:
                self.problems.append(problem)
            if answer.status_code != 200:
                return
            self.opened += 1
            event = position = ""
            async for line in answer.aiter_lines():
                field, _, value = line.partition(": ")
                event, position = (value if field == "event" else event), (value if field == "id" else position)
                if field == "data" and event == "revision":
                    self.hear(position, frozenset(json.loads(value)["topics"]))

    def hear(self, position: str, topics: frozenset[str]) -> None:
        """Take note of a message."""
        self._position, self.number = position, int(position.partition(".")[0])
        self.heard.append((self.number, topics))
