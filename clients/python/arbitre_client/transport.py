"""Sends requests with the token and an idempotency key, and retries them where that is safe and useful."""

import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self

import httpx

from arbitre_client.errors import NoAnswer, problem_of

AGAIN = (429, 503)


@dataclass
class Transport:
    """The connection to one site.

    - `url`: the address of the site, without the path of the API
    - `token`: a token of the account; without one, only public routes work
    - `attempts`: how often a request is sent at most
    - `patience`: how many seconds to wait between the attempts of a request at most, in total
    - `timeout`: seconds for one attempt
    - `sleep`: replaces `time.sleep`, for tests
    """

    url: str
    token: str | None = None
    language: str = "en"
    attempts: int = 5
    patience: float = 120.0
    timeout: float = 30.0
    sleep: Callable[[float], None] = time.sleep
    _http: httpx.Client = field(init=False, repr=False)

    def __post_init__(self) -> None:
        headers = {"Accept": "application/json, application/problem+json", "Accept-Language": self.language}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        self._http = httpx.Client(base_url=self.url.rstrip("/") + "/api/v1/", headers=headers, timeout=self.timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        content: bytes | None = None,
        kind: str = "application/json",
        params: Mapping[str, str | int] | None = None,
        key: str | None = None,
    ) -> httpx.Response:
        """Send a request and return its successful response.

        `path` is relative to the API, such as `events/`. A write without `key` gets a new idempotency key; pass one to
        make retries by the caller safe, too. 429, 503, "still in progress" and missing responses are retried.

        Raises `Problem` for an error response, `NoAnswer` if there was none.
        """
        headers: dict[str, str] = {}
        if method != "GET":  # with the same key, a repeated write takes effect once, so it is safe to retry
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        if content is not None:
            headers["Content-Type"] = kind
        waited = 0.0
        for attempt in range(1, self.attempts + 1):
            answer, failure = self._once(method, path, json, content, params, headers)
            if answer is not None and answer.status_code < 400:
                return answer
            wait = _wait(answer, attempt)
            again = answer is None or _comes_later(answer)
            if not again or attempt == self.attempts or waited + wait > self.patience:
                break
            self.sleep(wait)
            waited += wait
        if answer is None:
            raise NoAnswer(str(failure)) from failure
        raise problem_of(answer.status_code, answer.content)

    def _once(
        self,
        method: str,
        path: str,
        json: Any,
        content: bytes | None,
        params: Mapping[str, str | int] | None,
        headers: Mapping[str, str],
    ) -> tuple[httpx.Response | None, httpx.TransportError | None]:
        try:
            answer = self._http.request(
                method, path, json=json, content=content, params=dict(params or {}), headers=dict(headers)
            )
        except httpx.TransportError as failure:
            return None, failure
        return answer, None


def _comes_later(answer: httpx.Response) -> bool:
    """Whether to try again: the server is busy, or still working on an earlier attempt."""
    return answer.status_code in AGAIN or problem_of(answer.status_code, answer.content).code == "in_progress"


def _wait(answer: httpx.Response | None, attempt: int) -> float:
    """Seconds until the next attempt: those in `Retry-After` (a number or a date), else twice as many each time."""
    asked = answer.headers.get("Retry-After", "") if answer is not None else ""
    if asked.isdecimal():
        return float(asked)
    if asked:
        try:
            return max(0.0, (parsedate_to_datetime(asked) - datetime.now(UTC)).total_seconds())
        except (TypeError, ValueError):
            pass
    return 0.5 * float(2 ** (attempt - 1))
