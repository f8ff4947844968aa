"""The exceptions of the client, one class for each way to react.

Programs should check `code`, which is stable; `detail` is for people.
"""

import json
from collections.abc import Mapping
from typing import Any


class ArbitreError(Exception):
    """Base class of all exceptions that this client raises."""


class NoAnswer(ArbitreError):
    """There was no response: the address is wrong, the network is down, or it took too long."""


class Problem(ArbitreError):
    """An error response of the API (problem details, RFC 9457).

    - `status`: the HTTP status
    - `code`: a stable code such as `event_full`; `http_<status>` if the response has none
    - `detail`: a sentence for people, in the language of the client
    - `details`: a list with one entry for each invalid value, where the error has several
    """

    def __init__(self, status: int, code: str, detail: str, details: list[Any]) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.details = details


class Unauthenticated(Problem):
    """401: the token is missing, unknown, revoked or expired."""


class NotAllowed(Problem):
    """403: the account's role or the token's scopes do not allow this."""


class NotFound(Problem):
    """404: it does not exist, or this account cannot see it."""


class Refused(Problem):
    """409: the current state does not allow this, or somebody else was faster. Read the state again, then decide."""


class Invalid(Problem):
    """400, 405, 413, 415 or 422: the request is invalid; `details` has one entry for each defect."""


class Throttled(Problem):
    """429: too many requests, even after all attempts."""


class ServerError(Problem):
    """5xx: the server failed. Only 503 is tried again before this is raised."""


_BY_STATUS: Mapping[int, type[Problem]] = {
    401: Unauthenticated,
    403: NotAllowed,
    404: NotFound,
    409: Refused,
    429: Throttled,
}


def problem_of(status: int, body: bytes) -> Problem:
    """Return the exception for an error response, even if its body is not JSON, such as a proxy's error page."""
    try:
        said = json.loads(body)
    except ValueError:
        said = None
    told = said if isinstance(said, dict) else {}
    details = told.get("details")
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else Invalid)
    return kind(
        status,
        str(told.get("code", f"http_{status}")),
        str(told.get("detail", "")),
        details if isinstance(details, list) else [],
    )
