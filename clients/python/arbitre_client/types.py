"""The types of API responses. They list the most useful keys; a response may have more (see docs/api.md)."""

from typing import Any, NotRequired, TypedDict


class Account(TypedDict):
    """The account of the token, and its entrants in current events."""

    account: dict[str, Any]
    entrants: list[dict[str, Any]]


class Invitation(TypedDict):
    """An open invitation to a role; `table` is the only one of a scribe, None for every table."""

    id: str
    role: str
    table: int | None
    link: str


class Stage(TypedDict):
    """A stage of an event, such as its Swiss rounds or the bracket after them."""

    number: int
    kind: str


class LedgerEntry(TypedDict):
    """An entry of an event's ledger: something that happened."""

    number: int
    code: str
    object: str


class Call(TypedDict):
    """A judge call."""

    id: str
    match: str
    status: str


class Penalty(TypedDict):
    """A penalty with its level."""

    id: str
    entrant: str
    infraction: str
    level: str


class DeckCheck(TypedDict):
    """A check of one deck against its decklist."""

    id: str
    match: str
    entrant: str


class Dispute(TypedDict):
    """A dispute over a result."""

    id: str
    match: str
    status: str


class Recording(TypedDict):
    """A game that is being recorded: `n` entries so far, and the moves that are `legal` now."""

    id: str
    n: int
    legal: list[dict[str, Any]]


class GameToRecord(TypedDict):
    """A game of a table, with the id of its newest recording."""

    number: int
    recording: str | None
    handed_in: bool


class TableToRecord(TypedDict):
    """A table of the current round whose games you may record."""

    match: str
    table: int
    players: list[str]
    games: list[GameToRecord]


class Paper(TypedDict):
    """A PDF, created by a job."""

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
    """The verification of an event file; `report` is None until it is ready, or if it failed."""

    id: str
    ready: bool
    report: dict[str, Any] | None


class Transfer(TypedDict):
    """An uploaded file of another program: what it is, what can be made of it, and the `event` that was."""

    id: str
    format: str
    status: str
    goals: list[str]
    players: int
    rounds: int
    lost: list[dict[str, Any]]
    error: str
    event: str | None


class EntryImport(TypedDict):
    """A file of entrants: how many it enters, and the lines that it leaves out."""

    id: str
    event: str
    status: str
    entered: int
    waiting: int
    refused: list[dict[str, Any]]
    error: str


class Application(TypedDict):
    """An application for a place at an event with registration by approval."""

    id: str
    name: str
    status: str
    reason: str


class Event(TypedDict):
    """An event, with the `revision` of its ledger."""

    id: str
    name: str
    game: str
    status: str
    revision: NotRequired[int]


class Entrant(TypedDict):
    """An entrant of an event; `name` is the public name."""

    id: str
    name: str
    status: str


class Decklist(TypedDict):
    """A version of a decklist, with its `violations` of the deck rules; in a team, `member` is whose it is."""

    member: str | None
    legal: bool | None
    violations: list[dict[str, Any]]
    digest: str
    version: int
    cards: dict[str, Any]


class Seat(TypedDict):
    """A player's seat in a match."""

    number: int
    entrant: dict[str, str]


class Match(TypedDict):
    """A match of a round; `table` is None for a bye."""

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
    """A round. Only a single round has its `matches`, not one in a list."""

    number: int
    status: str
    tables: int
    count: NotRequired[int]
    matches: NotRequired[list[Match]]


class Progress(TypedDict):
    """How an entrant does: the `match` being played, the `earlier` ones, and the `place` in the standings.

    Each is None or empty if there is none yet; the two last keys say whether the event hides them from you now.
    """

    entrant: dict[str, str]
    status: str
    round: int | None
    clock: dict[str, Any] | None
    match: Match | None
    earlier: list[Match]
    place: dict[str, Any] | None
    pairings_hidden: bool
    standings_hidden: bool


class Audit(TypedDict):
    """The engine's audit of a log; `verdict` is empty until it is done."""

    verdict: str
    digest: str
    report: NotRequired[dict[str, Any] | None]
    state: NotRequired[str]
    progress: NotRequired[int]


class Log(TypedDict):
    """A move log with its audit."""

    id: str
    match: str
    game: int
    sha256: str
    audit: Audit


class Standings(TypedDict):
    """The standings of a stage.

    `count` is the number of all rows, of which `rows` may be a part; `computing` is true while newer results exist.
    """

    count: int
    rows: list[dict[str, Any]]
    version: int | None
    computing: bool


class Qualified(TypedDict):
    """Who was entered into another event now; the last `waiting` of them are on its waiting list."""

    entered: list[dict[str, str]]
    waiting: int


class BulkAudit(TypedDict):
    """A bulk audit: all logs of an event are audited again."""

    id: str
    event: str
    options: dict[str, str]
    state: NotRequired[dict[str, Any]]
    verdicts: NotRequired[list[dict[str, Any]]]


class Webhook(TypedDict):
    """A webhook. Its `secret` is only in the response that created it."""

    id: str
    event: str | None
    url: str
    kinds: list[str]
    disabled_for: str
    secret: NotRequired[str | None]
