"""Actions that people send over HTTP, repeated under the same idempotency key until they are answered."""

import asyncio
import random
import re
import secrets
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx

PATIENCE = 10.0  # seconds to wait for one answer; the pages wait 15
AGAIN = (0.3, 0.9)  # seconds until an action is sent again; the pages wait 5
LATER = (429, 503)
Deed = tuple[str, str]  # what is left behind, and the object it is about


@dataclass
class Action:
    """Something one person does once. `leaves` lists the ledger entries and rows it must leave behind."""

    kind: str
    event: str
    path: str
    leaves: tuple[Deed, ...]
    key: str = field(default_factory=lambda: secrets.token_hex(16))
    sent: float = 0.0  # by time.monotonic, like `answered`
    answered: float | None = None
    tries: int = 0
    refused: str = ""

    @property
    def accepted(self) -> bool:
        """Whether it was answered with success."""
        return self.answered is not None and not self.refused


class Sender:
    """Send actions to the web and record how each was answered.

    With `twice`, every action is sent as two simultaneous requests.
    """

    def __init__(self, base: str) -> None:
        self.actions: list[Action] = []
        self.failures: Counter[str] = Counter()  # answers that nobody should ever get, by description
        self.errors = 0  # answers of 500 and above, except 503
        self.unavailable = 0  # answers of 503
        self.doubles = 0  # actions sent as two simultaneous requests
        self.twice = False
        self.give_up_at = float("inf")
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        # Many people share this client: each sends their own cookies, and those of answers are not kept.
        forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self._client = httpx.AsyncClient(
            base_url=base, timeout=PATIENCE, trust_env=False, limits=limits, cookies=forgetful
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def read(self, path: str, headers: Mapping[str, str]) -> httpx.Response | None:
        """Request a page or an API resource until it is answered. None if it never is, or is refused."""
        while time.monotonic() < self.give_up_at:
            answer = await self._ask("GET", path, {"headers": headers})
            if answer is not None and answer.status_code == 200:
                return answer
            if answer is not None and answer.status_code < 500 and answer.status_code not in LATER:
                self.failures[f"{answer.status_code} {_code(answer)} to GET {_route(path)}"] += 1
                return None
            await asyncio.sleep(random.uniform(*AGAIN))
        return None

    async def page(self, action: Action, cookies: Mapping[str, str], form: Mapping[str, str]) -> bool:
        """Submit a form of a page. Returns whether it was accepted."""
        data = {**form, "csrfmiddlewaretoken": cookies["csrftoken"], "form_token": action.key}
        return await self._until_answered(action, {"headers": cookie_header(cookies), "data": data}) is not None

    async def api(self, action: Action, token: str, body: Any) -> Any:
        """Send a write to the API. Returns the JSON of the answer, or None if it was not accepted."""
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": action.key}
        answer = await self._until_answered(action, {"headers": headers, "json": body})
        return answer.json() if answer is not None else None

    async def _until_answered(self, action: Action, request: dict[str, Any]) -> httpx.Response | None:
        self.actions.append(action)
        action.sent = time.monotonic()
        while time.monotonic() < self.give_up_at:
            answers = [answer for answer in await self._send(action, request) if self._is_final(answer, action)]
            if answers:
                return self._settle(action, answers)
            await asyncio.sleep(random.uniform(*AGAIN))
        return None

    async def _send(self, action: Action, request: dict[str, Any]) -> list[httpx.Response]:
        copies = 2 if self.twice else 1
        self.doubles += copies - 1
        action.tries += copies
        answers = await asyncio.gather(*(self._ask("POST", action.path, request) for _ in range(copies)))
        return [answer for answer in answers if answer is not None]

    def _settle(self, action: Action, answers: list[httpx.Response]) -> httpx.Response | None:
        """Record the answers to one action. If any is a success, a refusal among the others is a failure."""
        action.answered = time.monotonic()
        refusals = [_code(answer) for answer in answers if answer.status_code >= 400]
        accepted = [answer for answer in answers if answer.status_code < 400]
        for refusal in refusals:
            self.failures[f"refused: {action.kind}, {refusal}"] += 1
        if not accepted:
            action.refused = refusals[0]
            return None
        return accepted[0]

    def _is_final(self, answer: httpx.Response, action: Action) -> bool:
        if answer.status_code in LATER or answer.status_code >= 500 or _code(answer) == "in_progress":
            return False
        if "/sign-in" in answer.headers.get("location", ""):
            self.failures[f"signed out by a {action.kind}"] += 1
            return False
        return True

    async def _ask(self, method: str, path: str, request: dict[str, Any]) -> httpx.Response | None:
        """Send one request on a connection of its own; None if no answer came."""
        try:
            answer = await self._client.request(method, path, **request)
        except httpx.TransportError:
            return None
        if answer.status_code == 503:
            self.unavailable += 1
        elif answer.status_code >= 500:
            self.errors += 1
            self.failures[f"{answer.status_code} to {method} {_route(path)}"] += 1
        return answer


def cookie_header(cookies: Mapping[str, str]) -> dict[str, str]:
    """The header in which a browser sends these cookies."""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


def _route(path: str) -> str:
    """A path without its ids, so that the same failure is counted together."""
    return re.sub(r"/[a-z]-[0-9a-z]{6,}", "/…", path)


def _code(answer: httpx.Response) -> str:
    """The error code of a refusal, or its status if it has none; empty for a success."""
    if answer.status_code < 400:
        return ""
    if "json" in answer.headers.get("content-type", ""):
        return str(answer.json().get("code", answer.status_code))
    found = re.search(r'class="code">(\w+)<', answer.text)
    return found[1] if found else str(answer.status_code)
