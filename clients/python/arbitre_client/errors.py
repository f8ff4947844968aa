"""What can go wrong, by what one does about it. Programs decide by `code`; `detail` is for people."""

import json
from collections.abc import Mapping
from typing import Any


class ArbitreError(Exception):
    """Anything that this client raises."""


class NoAnswer(ArbitreError):
    """No answer came: the address is wrong, the net is down, or it took too long."""


class Problem(ArbitreError):
    """A refusal (RFC 9457) with its `status`, `code`, sentence and defects."""

    def __init__(self, status: int, code: str, detail: str, details: list[Any]) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.details = details


class Unauthenticated(Problem):
    """401: there is no token, or it is unknown, revoked or too old."""


class NotAllowed(Problem):
    """403: the role or the token's scopes do not reach."""


class NotFound(Problem):
    """404: it is not there, or not for this account."""


class Refused(Problem):
    """409: a state or a race stands in the way; look again, then decide."""


class Invalid(Problem):
    """400, 405, 413, 415 or 422: what was sent cannot be used as it is; `details` has one entry a defect."""


class Throttled(Problem):
    """429, after all attempts."""


class ServerError(Problem):
    """5xx, after all attempts."""


_BY_STATUS: Mapping[int, type[Problem]] = {
    401: Unauthenticated,
    403: NotAllowed,
    404: NotFound,
    409: Refused,
    429: Throttled,
}


def problem_of(status: int, body: bytes) -> Problem:
    """The error of an answer that is none; of a proxy's page that is no problem document, too."""
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
