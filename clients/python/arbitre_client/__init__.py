"""A typed client for the Arbitre API.

Example:

    with Arbitre("https://arbitre.example.org", token="arb_…") as api:
        for entrant in api.entrants("e-7kq2m9xw4c"):
            print(entrant["name"])

`Arbitre` has a method for most routes, and `Arbitre.request` reaches all others. Every error is an `ArbitreError`.
"""

from arbitre_client.client import Arbitre
from arbitre_client.errors import (
    ArbitreError,
    Invalid,
    NoAnswer,
    NotAllowed,
    NotFound,
    Problem,
    Refused,
    ServerError,
    Throttled,
    Unauthenticated,
)

__all__ = [
    "Arbitre",
    "ArbitreError",
    "Invalid",
    "NoAnswer",
    "NotAllowed",
    "NotFound",
    "Problem",
    "Refused",
    "ServerError",
    "Throttled",
    "Unauthenticated",
]
