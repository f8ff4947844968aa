"""Refusals: what a person asked for cannot be done, for a reason with a stable code and a message.

Pages show the message, the API returns the code (`application/problem+json`), and tests assert the code. Every code has
its heading in docs/refusals.md. A bug is never a Refusal.
"""

from collections.abc import Sequence
from typing import Any


class Refusal(Exception):
    """The current state, or somebody who was faster, does not allow it (HTTP 409).

    `details` is a list of JSON values, one for each fault.
    """

    status = 409

    def __init__(self, code: str, message: object, *, details: Sequence[object] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.details: list[Any] = list(details)


class InvalidInput(Refusal):
    """The input is not valid (HTTP 422)."""

    status = 422


class NotAllowed(Refusal):
    """The person's role does not allow this action (HTTP 403). People with no role here get a 404 instead."""

    status = 403
