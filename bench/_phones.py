"""Phones in a hall: what the scripts of the pages do over the network, without a browser.

A phone loads a page, opens its stream, applies the parts that arrive in it, and requests its fragment again when
notified (at once if it concerns its own match, otherwise spread out as in `live.js`). It is put away and taken out
again, and reloads now and then. Static files are not requested, because a browser has them cached.
"""

import asyncio
import gzip
import html
import json
import random
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

LEAST = 0.3  # minimum seconds over which requests are spread, as in live.js
PATIENCE = 30.0
TRIES, PAUSE, TRY = 12, 5.0, 15.0  # of a report that was not taken, and the seconds for one try, as in offline.js
SILENCE = 40.0  # seconds without a heartbeat after which a stream is opened again, as in live.js
VISIBLE, HIDDEN = 60.0, 30.0  # average seconds for which a phone is used, and put away
RELOADS = 300.0  # average seconds between two reloads


class Answer(NamedTuple):
    """The answer to a request, and the seconds it took."""

    status: int
    headers: dict[str, str]
    body: str
    seconds: float


@dataclass
class Figures:
    """What all phones together observed."""

    reports: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    fragments: list[float] = field(default_factory=list)
    lines: list[float] = field(default_factory=list)
    seats: list[float] = field(default_factory=list)
    tables: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)  # ages of the pages that were sent as they were
    own_pages: list[float] = field(default_factory=list)  # until the reader's own page came after such a one
    statuses: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    received: int = 0
    messages: int = 0


class Hall:
    """The server that the phones talk to, what they observed, and when each result counted.

    All phones arrive within `arrival` seconds.
    """

    def __init__(self, port: int, arrival: float = 0.0) -> None:
        self.port = port
        self.arrival = arrival
        self.figures = Figures()
        self.settled: dict[str, float] = {}
        self.reported: dict[str, float] = {}
        self.published = 0.0

    async def ask(self, path: str, headers: Mapping[str, str], form: Mapping[str, str] | None = None) -> Answer:
        """Send one request on a connection of its own, so that a proxy can route each of them."""
        start = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE if form is None else TRY):
                status, told, body = await self._exchange(path, headers, form)
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            self.figures.errors[type(error).__name__] += 1
            return Answer(0, {}, "", time.perf_counter() - start)
        self.figures.statuses[status] += 1
        self.figures.received += len(body)
        if status >= 400:
            self.figures.errors[str(status)] += 1
        self.figures.unchanged += status == 304
        text = gzip.decompress(body) if told.get("content-encoding") == "gzip" else body
        return Answer(status, told, text.decode(), time.perf_counter() - start)

    async def _exchange(
        self, path: str, headers: Mapping[str, str], form: Mapping[str, str] | None
    ) -> tuple[int, dict[str, str], bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**21)
        try:
            body = urlencode(form).encode() if form is not None else b""
            said = {"Host": f"127.0.0.1:{self.port}", "Accept-Encoding": "gzip", "Connection": "close", **headers}
            if form is not None:
                said |= {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
            lines = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in said.items())]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            told = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            length = told.get("content-length")
            return int(head[0].split()[1]), told, await (reader.readexactly(int(length)) if length else reader.read())
        finally:
            writer.close()


class Phone:
    """One phone on one page.

    `address` is the page, and `cookies` identify the account; without cookies it is an anonymous visitor.
    """

    def __init__(self, hall: Hall, address: str, cookies: Mapping[str, str], language: str) -> None:
        self.hall = hall
        self.address = address
        self.headers = {"Accept-Language": language}
        if cookies:
            self.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.csrf = cookies.get("csrftoken", "")
        self.page = ""
        self.followers = 0
        self.fresh: dict[str, str] = {}  # ETags in the browser's cache, by address and kind
        self.tasks: set[asyncio.Task[None]] = set()
        self.turn: asyncio.TimerHandle | None = None
        self.reloading: asyncio.Future[None] | None = None
        self.seen: dict[str, float] = {}
        self.position = ""  # last position of the stream that its page has seen
        self.follows = True  # whether it opens the stream of its page
        self.looked_at = 0.0  # since when: anything earlier could not be seen

    # ---------------------------------------------------------------- pages
    async def load(self) -> Answer:
        """Load the page and follow its event."""
        self.close()
        self.position, self.looked_at = "", time.perf_counter()
        answer = await self._get(self.address)
        self.hall.figures.pages.append(answer.seconds)
        if answer.status == 200:
            self._show(answer.body)
        self.follow()
        if "age" in answer.headers:  # the site is busy and sent the page as it was some seconds ago
            self.hall.figures.kept.append(float(answer.headers["age"]))
        if "refresh" in answer.headers:
            self.reloading = asyncio.ensure_future(self._own_later(float(answer.headers["refresh"])))
            self._start(self.reloading)
        return answer

    async def _own_later(self, wait: float) -> None:
        """Reload until the page is the reader's own."""
        start = self.looked_at
        while True:
            await asyncio.sleep(wait)
            answer = await self._get(self.address)
            if answer.status == 200 and "refresh" not in answer.headers:
                self._show(answer.body)
                self.hall.figures.own_pages.append(time.perf_counter() - start)
                return
            wait = float(answer.headers.get("refresh") or answer.headers.get("retry-after") or wait)

    def _show(self, page: str) -> None:
        self.page = page

    async def _get(self, path: str, *, part: bool = False) -> Answer:
        kind = f"{path} {part}"
        headers = {**self.headers, **({"HX-Request": "true"} if part else {})}
        if kind in self.fresh:
            headers["If-None-Match"] = self.fresh[kind]
        answer = await self.hall.ask(path, headers)
        if "etag" in answer.headers:
            self.fresh[kind] = answer.headers["etag"]
        return answer

    async def send(self, path: str, form: Mapping[str, str]) -> Answer:
        """Send a form as `offline.js` does, again and again until the site has taken it.

        The answer is the part of the page that changed, or a redirect.
        """
        start = time.perf_counter()
        body = {**form, "csrfmiddlewaretoken": self.csrf, "form_token": random.randbytes(16).hex()}
        for _ in range(TRIES):
            answer = await self.hall.ask(path, {**self.headers, "X-Shown-Page": self.address}, body)
            if answer.status and answer.status < 500:
                break
            self.hall.figures.errors["sent again"] += 1
            await asyncio.sleep(PAUSE * random.uniform(0.6, 1.4))
        sent = time.perf_counter()
        if "x-account" in answer.headers:
            self.came(json.loads(answer.body)["parts"]["report-box"])
        elif answer.status == 302:
            answer = await self.hall.ask(answer.headers["location"], self.headers)
            self._show(answer.body)
        self.hall.figures.reports.append(time.perf_counter() - start)
        return answer._replace(seconds=sent)

    def missed(self) -> int:
        """The number of results on its open page that counted four seconds ago or more, and that it does not show."""
        late = time.perf_counter() - 4
        lines = {match: self._line(match) for match, at in self.hall.settled.items() if at < late} if self.tasks else {}
        return sum("axis" not in line for match, line in lines.items() if line and match not in self.seen)

    def _line(self, match: str) -> str:
        found = re.search(rf'<tr id="line-{match}".*?</tr>', self.page, re.DOTALL)
        return found[0] if found else ""

    # ---------------------------------------------------------------- what live.js does
    def follow(self) -> None:
        """Open the stream of the page."""
        found = re.search(r'data-live-stream="([^"]+)"', self.page)
        if found and self.follows:
            self._start(self._stream(html.unescape(found[1])))

    def close(self) -> None:
        """Put the phone away, or leave the page."""
        for task in list(self.tasks):
            task.cancel()
        if self.turn:
            self.turn.cancel()
            self.turn = None

    def _start(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[arg-type]
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _stream(self, path: str) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.hall.port, limit=2**21)
            except OSError as error:
                self.hall.figures.errors[f"stream {type(error).__name__}"] += 1
                await asyncio.sleep(3)
                continue
            try:
                last = f"Last-Event-ID: {self.position}\r\n" if self.position else ""
                cookies = f"Cookie: {self.headers['Cookie']}\r\n" if "Cookie" in self.headers else ""
                writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{last}{cookies}\r\n".encode())
                status = await reader.readuntil(b"\r\n\r\n")
                if b" 200 " not in status.partition(b"\r\n")[0]:
                    self.hall.figures.errors["stream refused"] += 1
                    await asyncio.sleep(30)
                    continue
                while True:
                    block = await self._block(reader)
                    if not block:
                        break
                    if block.startswith("id: "):
                        self.position = block[4:].partition("\n")[0]
                    if "event: revision" in block:
                        self.told(json.loads(block.partition("data: ")[2]))
            except (OSError, asyncio.IncompleteReadError):
                self.hall.figures.errors["stream cut"] += 1
                await asyncio.sleep(3)
            finally:
                writer.close()

    async def _block(self, reader: asyncio.StreamReader) -> str:
        """The next message or heartbeat of the stream; empty if none comes, and the page then asks for everything."""
        try:
            async with asyncio.timeout(SILENCE):
                return (await reader.readuntil(b"\n\n")).decode()
        except TimeoutError:
            self.hall.figures.errors["stream silent"] += 1
            self._refetch_in_turn()
            return ""

    def told(self, message: dict[str, object]) -> None:
        """Apply the parts of a message, and request the fragment again if the message concerns it."""
        now, figures = time.perf_counter(), self.hall.figures
        figures.messages += 1
        self.followers = int(message.get("followers", self.followers))  # type: ignore[call-overload]
        for part, shown in message.get("parts", {}).items():  # type: ignore[attr-defined]
            if part.startswith("seat-"):
                figures.tables.append(now - self.hall.published)
            if part == "report-box" and 'id="report-box"' in self.page:
                self.came(shown)
            match = part.removeprefix("line-")
            if (
                f'id="{part}"' in self.page
                and match in self.hall.settled
                and "axis" in shown
                and match not in self.seen
            ):
                self.seen[match] = now
                figures.lines.append(now - max(self.hall.settled[match], self.looked_at))
        how = self._touched(message["topics"])  # type: ignore[arg-type]
        if how == "own":
            self._start(self.refetch(own=True))
        elif how == "all":
            self._refetch_in_turn()

    def _refetch_in_turn(self) -> None:
        if self.turn is None:
            cost = re.search(r'data-live-cost="(\d+)"', self.page)
            spread = max(LEAST, self.followers * int(cost[1] if cost else 3) / 1000)
            loop = asyncio.get_running_loop()
            self.turn = loop.call_later(random.random() * spread, lambda: self._start(self.refetch()))

    def _touched(self, topics: list[str]) -> str:
        about = {each for found in re.findall(r'data-live="([^"]*)"', self.page) for each in found.split()}
        if any(":" in topic and topic in about for topic in topics):
            return "own"
        general = {each.partition(":")[0] for each in about}
        told = any(topic.partition(":")[0] in about or (":" not in topic and topic in general) for topic in topics)
        return "all" if told else ""

    async def refetch(self, *, own: bool = False) -> None:
        """Request the fragment of the page again."""
        self.turn = None
        answer = await self._get(self.address, part=True)
        self.hall.figures.fragments.append(answer.seconds)
        if answer.status == 200:
            self._put_main(answer.body)
            if own:
                self.came(answer.body)

    def _put_main(self, fragment: str) -> None:
        self.page = re.sub(r"<main.*</main>", lambda _: f"<main>{fragment}</main>", self.page, flags=re.DOTALL)

    def came(self, html: str) -> None:
        """Called when the player's own seat, or what changed on it, has arrived; see `Player`."""

    async def live(self, until: float) -> None:
        """Be used, put away and reloaded now and then, until this moment of `time.perf_counter`."""
        await asyncio.sleep(random.random() * self.hall.arrival)
        await self.load()
        while (left := until - time.perf_counter()) > 0:
            looked = min(random.expovariate(1 / VISIBLE), left)
            if random.random() < looked / RELOADS:
                await asyncio.sleep(looked)
                await self.load()
                continue
            await asyncio.sleep(looked)
            self.close()
            await asyncio.sleep(min(random.expovariate(1 / HIDDEN), max(until - time.perf_counter(), 0)))
            self.looked_at = time.perf_counter()
            self.follow()
        self.close()


class Player(Phone):
    """The phone of a player on the page of their own seat. It reports a result, or confirms the opponent's report."""

    match = ""
    confirms = False
    confirming: asyncio.Future[None] | None = None

    async def report(self, at: float) -> None:
        """Report the result of the match at this moment; the other player's phone is notified."""
        await asyncio.sleep(max(at - time.perf_counter(), 0))
        answer = await self.send(f"/m/{self.match}/report/", {"games": "2-1-0"})
        self.hall.reported[self.match] = answer.seconds
        if "report-box" not in answer.body:
            self.hall.figures.errors["report not taken"] += 1

    def came(self, html: str) -> None:
        """Confirm the other player's report, after a moment to read it."""
        found = re.search(r'name="report" value="(\d+)"', html)
        if self.confirms and found and f"/m/{self.match}/confirm/" in html:
            self.confirms = False
            if self.match in self.hall.reported:
                since = max(self.hall.reported[self.match], self.looked_at)
                self.hall.figures.seats.append(time.perf_counter() - since)
            self.confirming = asyncio.ensure_future(self._confirm(found[1]))  # continues even if the phone is put away

    async def _confirm(self, report: str) -> None:
        await asyncio.sleep(random.uniform(1, 4))
        answer = await self.send(f"/m/{self.match}/confirm/", {"report": report})
        self.hall.settled[self.match] = answer.seconds
        if "report-box" not in answer.body:
            self.hall.figures.errors["confirmation not taken"] += 1
