"""A typed client of Arbitre's API."""

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
