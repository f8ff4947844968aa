"""The answers of the API, as far as the methods of the client name them; an answer may hold more."""

from typing import Any, NotRequired, TypedDict


class Account(TypedDict):
    """The account of a token, and where it plays."""

    account: dict[str, Any]
    entrants: list[dict[str, Any]]


class Stage(TypedDict):
    """A part of an event, such as its Swiss rounds or the bracket after them."""

    number: int
    kind: str


class LedgerEntry(TypedDict):
    """Something that happened."""

    number: int
    code: str
    object: str


class Call(TypedDict):
    """A call to a table."""

    id: str
    match: str
    status: str


class Penalty(TypedDict):
    """A penalty, and the level that the ladder proposed."""

    id: str
    entrant: str
    infraction: str
    level: str


class DeckCheck(TypedDict):
    """A check of one deck against its list."""

    id: str
    match: str
    entrant: str


class Dispute(TypedDict):
    """A dispute over a result."""

    id: str
    match: str
    status: str


class Recording(TypedDict):
    """A game being recorded: `n` entries so far, and the moves that are legal now."""

    id: str
    n: int
    legal: list[dict[str, Any]]


class Paper(TypedDict):
    """A PDF, drawn by a job."""

    id: str
    kind: str
    ready: bool


class EventFile(TypedDict):
    """An event as one file, written by a job."""

    id: str
    event: str
    ready: bool
    progress: int
    error: str


class Verification(TypedDict):
    """The verification of an event file; its `report` once it is ready."""

    id: str
    ready: bool
    report: dict[str, Any] | None


class Event(TypedDict):
    """An event."""

    id: str
    name: str
    game: str
    status: str
    revision: NotRequired[int]


class Entrant(TypedDict):
    """Somebody who plays an event."""

    id: str
    name: str
    status: str


class Decklist(TypedDict):
    """A version of a list, with its faults."""

    legal: bool | None
    violations: list[dict[str, Any]]
    digest: str
    version: int
    cards: dict[str, Any]


class Seat(TypedDict):
    """A place at a table."""

    number: int
    entrant: dict[str, str]


class Match(TypedDict):
    """A table of a round."""

    id: str
    event: str
    round: int
    table: int | None
    kind: str
    has_result: bool
    authority: str
    disputed: bool
    seats: list[Seat]
    report: dict[str, Any] | None


class Round(TypedDict):
    """A round; its matches where one round is read."""

    number: int
    status: str
    tables: int
    matches: NotRequired[list[Match]]


class Audit(TypedDict):
    """What the engine found; `verdict` is empty until then."""

    verdict: str
    digest: str
    report: NotRequired[dict[str, Any] | None]
    state: NotRequired[str]
    progress: NotRequired[int]


class Log(TypedDict):
    """A move log."""

    id: str
    match: str
    game: int
    sha256: str
    audit: Audit


class Standings(TypedDict):
    """A table of standings; `computing` while results have moved since."""

    rows: list[dict[str, Any]]
    version: int | None
    computing: bool


class BulkAudit(TypedDict):
    """All logs of an event audited again."""

    id: str
    event: str
    options: dict[str, str]
    state: NotRequired[dict[str, Any]]
    verdicts: NotRequired[list[dict[str, Any]]]


class Webhook(TypedDict):
    """A webhook; its secret in the answer that made it."""

    id: str
    event: str | None
    url: str
    kinds: list[str]
    disabled_for: str
    secret: NotRequired[str | None]
