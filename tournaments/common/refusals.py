"""A refusal: what a person asked for cannot be done, with a stable code and a sentence.

Pages show the sentence, the API the code (`application/problem+json`), tests assert the code.
Every code has its heading in docs/refusals.md. A bug is another class of exception altogether.
"""

from collections.abc import Sequence


class Refusal(Exception):
    """A state or a race stands in the way (HTTP 409). `details` holds one entry a defect, JSON-able."""

    status = 409

    def __init__(self, code: str, message: object, *, details: Sequence[object] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.details = list(details)


class InvalidInput(Refusal):
    """What was sent cannot be used as it is (HTTP 422)."""

    status = 422


class NotAllowed(Refusal):
    """The person has a role here, and it is too low for this gesture (HTTP 403). Strangers get a 404 instead."""

    status = 403
