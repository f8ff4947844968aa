"""The API as methods of one class, `Arbitre`. Arguments and responses are described in docs/api.md."""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, cast

from arbitre_client.errors import NoAnswer
from arbitre_client.transport import Transport
from arbitre_client.types import (
    Account,
    Application,
    BulkAudit,
    Call,
    DeckCheck,
    Decklist,
    Dispute,
    Entrant,
    EntryImport,
    Event,
    EventFile,
    Invitation,
    LedgerEntry,
    Log,
    Match,
    Paper,
    Penalty,
    Progress,
    Qualified,
    Recording,
    Round,
    Stage,
    Standings,
    TableToRecord,
    Transfer,
    Verification,
    Webhook,
)

PAGE = 100


class Arbitre:
    """A connection to the API with the token of one account. Without a token, only public data can be read.

    - `url`: the address of the site
    - `language`: the language of the messages in errors
    - `attempts`: how often a request is sent at most
    - `patience`: how many seconds to wait between the attempts of a request at most, in total
    - `timeout`: seconds for one attempt
    - `sleep`: replaces `time.sleep`, for tests

    All methods raise `Problem` for an error response and `NoAnswer` if there was none. Methods with `wait` start or
    read something that a job computes: they return its current state at once, or with `wait` poll for that many seconds
    until it is done, and raise `NoAnswer` if it is not.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = "en",
        attempts: int = 5,
        patience: float = 120.0,
        timeout: float = 30.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._transport = Transport(url, token, language, attempts, patience, timeout, sleep)
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    # ------------------------------------------------------------------------------------------------ any route

    def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, str | int] | None = None,
        key: str | None = None,
    ) -> Any:
        """Call any route, with its path as in docs/api.md, and return its JSON; None if the response has no body.

        A write is sent with the idempotency key `key`, or with a new one.
        """
        answer = self._transport.send(method, path.lstrip("/"), json=json, params=params, key=key)
        return answer.json() if answer.content else None

    def pages(self, path: str, **params: str | int) -> Iterator[Any]:
        """Iterate over all rows of a paginated list; each page is fetched when its first row is needed."""
        offset = 0
        while True:
            page = self.request("GET", path, params={"limit": PAGE, **params, "offset": offset})
            yield from page["results"]
            offset += len(page["results"])
            if page["next"] is None or not page["results"]:  # an empty page would be requested again forever
                return

    # ---------------------------------------------------------------------------------------------------- events

    def me(self) -> Account:
        """Return the account of the token, with its entrants in current events."""
        return cast(Account, self.request("GET", "me/"))

    def presets(self) -> list[dict[str, Any]]:
        """List the formats that events can be created from."""
        return cast(list[dict[str, Any]], self.request("GET", "presets/"))

    def events(self, status: str | None = None) -> Iterator[Event]:
        """Iterate over public events and your own drafts, newest first."""
        yield from self.pages("events/", **({"status": status} if status else {}))

    def create_event(self, *, name: str, preset: str, **options: Any) -> Event:
        """Create an event as a draft; you become its owner."""
        return cast(Event, self.request("POST", "events/", json={"name": name, "preset": preset, **options}))

    def event(self, event: str) -> Event:
        """Return an event."""
        return cast(Event, self.request("GET", f"events/{event}/"))

    def step(self, event: str, step: str, **options: Any) -> Event:
        """Move an event to its next state: `open`, `lock`, `check_in`, `start`, `finish`, …"""
        return cast(Event, self.request("POST", f"events/{event}/steps/", json={"step": step, **options}))

    def grant(self, event: str, *, email: str, role: str, table: int | None = None) -> Any:
        """Grant a role at an event: `owner`, `organizer`, `scorekeeper`, `head_judge`, `judge` or `scribe`.

        `table` is for scribes: the only table whose games they record.
        """
        only = {} if table is None else {"table": table}
        return self.request("POST", f"events/{event}/staff/", json={"email": email, "role": role, **only})

    def invite(self, event: str, role: str, *, email: str = "", table: int | None = None) -> Invitation:
        """Create a link through which somebody can accept a role, and send it to `email` if that is given.

        `table` is as for `grant`.
        """
        body = {"role": role, "email": email, "table": table}
        return cast(Invitation, self.request("POST", f"events/{event}/invitations/", json=body))

    def embed_sites(self, event: str) -> list[str]:
        """List the sites that may embed an event."""
        return cast(list[str], self.request("GET", f"events/{event}/embed-sites/")["sites"])

    def choose_embed_sites(self, event: str, sites: Sequence[str]) -> list[str]:
        """Replace the sites that may embed an event, and return them.

        Example: `api.choose_embed_sites(event, ["https://club.example"])`
        """
        return cast(
            list[str], self.request("PUT", f"events/{event}/embed-sites/", json={"sites": list(sites)})["sites"]
        )

    def stages(self, event: str) -> list[Stage]:
        """List the stages of an event, in order."""
        return cast(list[Stage], self.request("GET", f"events/{event}/stages/"))

    def add_stage(self, event: str, kind: str, **options: Any) -> Stage:
        """Add a stage after the others, such as a bracket: `api.add_stage(event, "single_elimination", cut_top=8)`."""
        return cast(Stage, self.request("POST", f"events/{event}/stages/", json={"kind": kind, **options}))

    def start_stage(self, event: str) -> Stage:
        """Start the next stage with the entrants who advance to it."""
        return cast(Stage, self.request("POST", f"events/{event}/stages/start/"))

    def announce(self, event: str, text: str, **options: Any) -> dict[str, Any]:
        """Announce something to everybody, or to one `stage` or `table`."""
        body = {"text": text, **options}
        return cast(dict[str, Any], self.request("POST", f"events/{event}/announcements/", json=body))

    def ledger(self, event: str, *, since: int = 0, code: str | None = None) -> Iterator[LedgerEntry]:
        """Iterate over the ledger of an event, from the entry after number `since`; only those with `code` if given."""
        narrowed: dict[str, str | int] = {"since": since, **({"code": code} if code else {})}
        yield from self.pages(f"events/{event}/ledger/", **narrowed)

    # -------------------------------------------------------------------------------------------------- entrants

    def entrants(self, event: str, status: str | None = None) -> Iterator[Entrant]:
        """Iterate over the entrants in the order they entered."""
        yield from self.pages(f"events/{event}/entrants/", **({"status": status} if status else {}))

    def register(self, event: str, *, given_name: str | None = None, family_name: str | None = None) -> Entrant:
        """Register yourself; with a name, enter somebody else as the desk."""
        named = {"given_name": given_name, "family_name": family_name}
        body = {key: value for key, value in named.items() if value is not None}
        return cast(Entrant, self.request("POST", f"events/{event}/entrants/", json=body))

    def applications(self, event: str, status: str | None = None) -> Iterator[Application]:
        """Iterate over the applications for a place, oldest first; `status` is `waiting`, for example."""
        yield from self.pages(f"events/{event}/applications/", **({"status": status} if status else {}))

    def decide(self, event: str, decision: str, applications: Sequence[str], *, reason: str = "") -> dict[str, Any]:
        """`approve` or `decline` applications. The answer has those `done` and those `refused`."""
        body = {"decision": decision, "applications": list(applications), "reason": reason}
        return cast(dict[str, Any], self.request("POST", f"events/{event}/applications/decide/", json=body))

    def import_entrants(self, event: str, text: str, **reading: Any) -> EntryImport:
        """Upload a CSV file, or one name per line, for review. Nobody is entered before `confirm_import`."""
        return cast(EntryImport, self.request("POST", f"events/{event}/imports/", json={"text": text, **reading}))

    def confirm_import(self, entry_import: str, *, invite: bool = False, wait: float = 0.0) -> EntryImport:
        """Enter everybody in a file; with `invite`, e-mail a link to take over the entry to those with an address."""
        self.request("POST", f"imports/{entry_import}/confirm/", json={"invite": invite})
        done = self._until(
            lambda: self.request("GET", f"imports/{entry_import}/"),
            lambda it: it["status"] == "done" or bool(it["error"]),
            wait,
        )
        return cast(EntryImport, done)

    def invite_entrants(self, event: str, entrants: Sequence[str] | None = None, *, again: bool = False) -> Any:
        """E-mail a link to take over the entry to everybody not yet invited, or to these `entrants`."""
        chosen = {} if entrants is None else {"entrants": list(entrants)}
        return self.request("POST", f"events/{event}/entry-invitations/", json={**chosen, "again": again})

    def submit_decklist(self, entrant: str, text: str, *, member: str = "") -> Decklist:
        """Submit a version of your decklist or, as the desk, somebody's from paper.

        An illegal one is saved, with its violations. In a team, `member` is the person whose it is; "" for yourself.
        """
        said = {"text": text, **({"member": member} if member else {})}
        return cast(Decklist, self.request("PUT", f"entrants/{entrant}/decklist/", json=said))

    def decklist(self, entrant: str, *, member: str = "") -> Decklist:
        """Return the newest version of a decklist; in a team, that of a `member` (a person) or your own."""
        whose = {"member": member} if member else None
        return cast(Decklist, self.request("GET", f"entrants/{entrant}/decklist/", params=whose))

    def drop(self, entrant: str) -> Entrant:
        """Drop an entrant from all later rounds."""
        return cast(Entrant, self.request("POST", f"entrants/{entrant}/drop/", json={}))

    def check_in(self, entrant: str) -> Entrant:
        """Check an entrant in."""
        return cast(Entrant, self.request("POST", f"entrants/{entrant}/check-in/"))

    def progress(self, entrant: str) -> Progress:
        """Return how an entrant does, to follow a player: the match being played, the earlier ones and the place."""
        return cast(Progress, self.request("GET", f"entrants/{entrant}/progress/"))

    def penalize(self, entrant: str, infraction: str, **options: Any) -> Penalty:
        """Give a penalty, at the level that the ladder proposes unless you pass `level`."""
        body = {"infraction": infraction, **options}
        return cast(Penalty, self.request("POST", f"entrants/{entrant}/penalties/", json=body))

    # ---------------------------------------------------------------------------------------------------- rounds

    def pair(self, event: str, *, acknowledged: bool = False) -> Round:
        """Pair the next round, as a draft. `acknowledged`: even if nobody meets in it."""
        return cast(Round, self.request("POST", f"events/{event}/rounds/", json={"acknowledged": acknowledged}))

    def publish(self, event: str, number: int) -> Round:
        """Publish the pairings of a round."""
        return cast(Round, self.request("POST", f"events/{event}/rounds/{number}/publish/", json={}))

    def close_round(self, event: str, number: int) -> Round:
        """Close a round once every result counts."""
        return cast(Round, self.request("POST", f"events/{event}/rounds/{number}/close/", json={}))

    def round(self, event: str, number: int, **part: int) -> Round:
        """Return a round with its matches, or with those selected by `limit` and `offset`."""
        return cast(Round, self.request("GET", f"events/{event}/rounds/{number}/", params=part))

    def clock(self, event: str, number: int, action: str, **options: Any) -> dict[str, Any]:
        """Control the clock: `start`, `cancel` (a planned start), `pause`, `resume`, `extend` by `minutes`."""
        body = {"action": action, **options}
        return cast(dict[str, Any], self.request("POST", f"events/{event}/rounds/{number}/clock/", json=body))

    def check_decks(self, event: str, number: int, *, tables: int) -> list[DeckCheck]:
        """Start deck checks at random tables of a round; all decks at these tables are checked."""
        path = f"events/{event}/rounds/{number}/deck-checks/"
        return cast(list[DeckCheck], self.request("POST", path, json={"tables": tables}))

    def finish_check(self, check: str, **found: Any) -> DeckCheck:
        """Finish a deck check with what was `counted`, by card; cards that are not given were as listed."""
        return cast(DeckCheck, self.request("POST", f"deck-checks/{check}/", json=found))

    # --------------------------------------------------------------------------------------------------- results

    def match(self, match: str) -> Match:
        """Return a match."""
        return cast(Match, self.request("GET", f"matches/{match}/"))

    def report(self, match: str, games: Sequence[int], **more: Any) -> Match:
        """Report the result of your own match: games won by seat 1, won by seat 2, and drawn.

        Example: `api.report("m-23456789ab", [2, 1, 0])`
        """
        return cast(Match, self.request("POST", f"matches/{match}/report/", json={"games": list(games), **more}))

    def confirm(self, match: str, report: int) -> Match:
        """Confirm the report of your opponent."""
        return cast(Match, self.request("POST", f"matches/{match}/confirm/", json={"report": report}))

    def contest(self, match: str, report: int, **more: Any) -> Match:
        """Contest the report of your opponent; a judge will decide."""
        return cast(Match, self.request("POST", f"matches/{match}/contest/", json={"report": report, **more}))

    def report_board(self, match: str, board: int, games: Sequence[int]) -> Match:
        """Report the result of your own board in a team match: games won by seat 1, won by seat 2, and drawn.

        Example: `api.report_board("m-23456789ab", 2, [2, 1, 0])`
        """
        body = {"games": list(games)}
        return cast(Match, self.request("POST", f"matches/{match}/boards/{board}/report/", json=body))

    def confirm_board(self, match: str, board: int, report: int) -> Match:
        """Confirm what your opponent reported about your board."""
        body = {"report": report}
        return cast(Match, self.request("POST", f"matches/{match}/boards/{board}/confirm/", json=body))

    def contest_board(self, match: str, board: int, report: int, **more: Any) -> Match:
        """Contest what your opponent reported about your board; a judge will decide."""
        body = {"report": report, **more}
        return cast(Match, self.request("POST", f"matches/{match}/boards/{board}/contest/", json=body))

    def enter_result(self, match: str, games: Sequence[int], **more: Any) -> Match:
        """Enter a result as the desk."""
        return cast(Match, self.request("POST", f"matches/{match}/result/", json={"games": list(games), **more}))

    def rule(self, match: str, games: Sequence[int], *, reason: str, **more: Any) -> Match:
        """Rule on a match as a judge, with a new result."""
        body = {"games": list(games), "reason": reason, **more}
        return cast(Match, self.request("POST", f"matches/{match}/ruling/", json=body))

    def call_judge(self, match: str, **options: Any) -> Call:
        """Call a judge to your table; `matter` may be `rules`, `mistake`, `slow` or `private`."""
        return cast(Call, self.request("POST", f"matches/{match}/calls/", json=options))

    def calls(self, event: str) -> Iterator[Call]:
        """Iterate over the judge calls that are waiting or being answered, oldest first."""
        yield from self.pages(f"events/{event}/calls/")

    def answer_call(self, call: str, action: str, **options: Any) -> Call:
        """Answer a judge call: `claim`, `release`, `escalate` or `resolve` it, with a time extension of `minutes`."""
        return cast(Call, self.request("POST", f"calls/{call}/", json={"action": action, **options}))

    def claim(self, match: str, *, reason: str) -> None:
        """Ask a judge to look into a match whose result counts; the result stands until then."""
        self.request("POST", f"matches/{match}/claim/", json={"reason": reason})

    def appeal(self, match: str, *, reason: str) -> None:
        """Ask the head judge to review the last ruling; the ruling stands until then."""
        self.request("POST", f"matches/{match}/appeal/", json={"reason": reason})

    def disputes(self, event: str) -> Iterator[Dispute]:
        """Iterate over the disputes that are waiting for a judge."""
        yield from self.pages(f"events/{event}/disputes/")

    def settle(self, match: str, decision: str, *, reason: str, **more: Any) -> Match:
        """Rule without a new result: `keep` the current one, or have the match or one `game` replayed (`replay`)."""
        body = {"decision": decision, "reason": reason, **more}
        return cast(Match, self.request("POST", f"matches/{match}/ruling/", json=body))

    def standings(self, event: str, *, wait: float = 0.0, **part: int) -> Standings:
        """Return the newest standings; with `wait`, those that include the newest results.

        `limit` and `offset` select some of the rows.
        """

        def ask() -> Any:
            return self.request("GET", f"events/{event}/standings/", params=part)

        return cast(Standings, self._until(ask, lambda it: not it["computing"], wait))

    def export(self, event: str, table: str) -> Any:
        """Return a whole table as JSON: `entrants`, `pairings`, `results`, `standings` or `decks`."""
        return self.request("GET", f"events/{event}/exports/{table}/", params={"as": "json"})

    def export_csv(self, event: str, table: str) -> str:
        """Return a whole table as CSV."""
        return self._transport.send("GET", f"events/{event}/exports/{table}/", params={"as": "csv"}).text

    def event_file(self, event: str, *, wait: float = 0.0) -> EventFile:
        """Request the whole event as one file; download it with `event_file_content` once it is ready."""
        asked = self.request("POST", f"events/{event}/file/")["id"]
        ready = self._until(lambda: self.request("GET", f"files/{asked}/"), lambda it: bool(it["ready"]), wait)
        return cast(EventFile, ready)

    def event_file_content(self, file: str) -> bytes:
        """Download a requested event file, compressed with gzip."""
        return self._transport.send("GET", f"files/{file}/download/").content

    def transfer(self, document: bytes) -> Transfer:
        """Upload a file of another program, or an event file, to see what it is. Nothing is made of it yet."""
        kind = "application/octet-stream"
        return cast(Transfer, self._transport.send("POST", "transfers/", content=document, kind=kind).json())

    def make_event(self, transfer: str, goal: str = "play_on", *, wait: float = 0.0, **settings: Any) -> Transfer:
        """Make an event of a file: to `play_on`, or as an `archive`. Once it is there, the answer has its `event`.

        The file of another program needs a `name` and a `preset`.
        """
        self.request("POST", f"transfers/{transfer}/event/", json={"goal": goal, **settings})
        made = self._until(
            lambda: self.request("GET", f"transfers/{transfer}/"),
            lambda it: it["status"] == "done" or bool(it["error"]),
            wait,
        )
        return cast(Transfer, made)

    def enter_players_of(self, transfer: str, event: str) -> EntryImport:
        """Hand the players of a file on to the import of entrants of an event; see `confirm_import`."""
        return cast(EntryImport, self.request("POST", f"transfers/{transfer}/entrants/", json={"event": event}))

    def qualify(self, event: str, into: str, first: int, **options: Any) -> Qualified:
        """Enter the first players of an event that is over into another one. Idempotent.

        Options are `skip_dropped`, `declined` (entrants whose places go to the next) and `invite`.
        """
        wanted = {"into": into, "first": first, **options}
        return cast(Qualified, self.request("POST", f"events/{event}/qualification/", json=wanted))

    def verify(self, document: bytes, *, wait: float = 0.0) -> Verification:
        """Request the verification of an event file; the token may have any scope."""
        kind = "application/octet-stream"
        asked = self._transport.send("POST", "verifications/", content=document, kind=kind).json()["id"]
        found = self._until(lambda: self.request("GET", f"verifications/{asked}/"), lambda it: bool(it["ready"]), wait)
        return cast(Verification, found)

    def paper(self, event: str, kind: str, *, wait: float = 0.0, **options: Any) -> Paper:
        """Request a PDF: `slips`, `standings`, …; download it with `paper_file` once it is ready."""
        asked = self.request("POST", f"events/{event}/papers/", json={"kind": kind, **options})["id"]
        ready = self._until(lambda: self.request("GET", f"papers/{asked}/"), lambda it: bool(it["ready"]), wait)
        return cast(Paper, ready)

    def paper_file(self, paper: str) -> bytes:
        """Download a requested PDF."""
        return self._transport.send("GET", f"papers/{paper}/file/").content

    # ------------------------------------------------------------------------------------------------------ logs

    def tables_to_record(self, event: str) -> list[TableToRecord]:
        """List the tables of the current round whose games you may record, as a scribe or a judge."""
        return cast(list[TableToRecord], self.request("GET", f"events/{event}/tables-to-record/"))

    def record(self, match: str, game: int) -> Recording:
        """Start recording a game, or continue the open recording."""
        return cast(Recording, self.request("POST", f"matches/{match}/games/{game}/recordings/"))

    def recording(self, recording: str) -> Recording:
        """Return a recording, with the moves that are legal now."""
        return cast(Recording, self.request("GET", f"recordings/{recording}/"))

    def record_move(self, recording: str, n: int, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Enter a move as number `n`, the next one after the last entry."""
        # The key is in the body, so the retries of the transport count as one move.
        body = {"n": n, "key": str(uuid.uuid4()), "entry": dict(entry)}
        return cast(dict[str, Any], self.request("POST", f"recordings/{recording}/moves/", json=body))

    def hand_in(self, recording: str) -> Log:
        """End a recording: its log is saved for the game and audited."""
        return cast(Log, self.request("POST", f"recordings/{recording}/hand-in/"))

    def take_back(self, recording: str) -> Recording:
        """Open a recording again that was handed in, and withdraw its log. Refused once a judge has ruled."""
        return cast(Recording, self.request("POST", f"recordings/{recording}/take-back/"))

    def board(self, log: str, n: int) -> dict[str, Any]:
        """Return the board after entry `n` of an audited log; 0 is the board before the first entry."""
        return cast(dict[str, Any], self.request("GET", f"logs/{log}/board/", params={"n": n}))

    def legal(self, log: str, n: int) -> list[dict[str, Any]]:
        """List the moves that were legal after entry `n` of an audited log."""
        return cast(list[dict[str, Any]], self.request("GET", f"logs/{log}/legal/", params={"n": n}))

    def branch(self, log: str, n: int, correction: str, **options: Any) -> dict[str, Any]:
        """Try out a variation of a log: continue from entry `n` after an `undo`, `replace`, `insert` or `swap`."""
        body = {"n": n, "correction": correction, **options}
        return cast(dict[str, Any], self.request("POST", f"logs/{log}/branches/", json=body))

    def upload_log(self, match: str, game: int, document: bytes) -> Log:
        """Submit a move log; a job audits it."""
        answer = self._transport.send("POST", f"matches/{match}/games/{game}/logs/", content=document)
        return cast(Log, answer.json())

    def log(self, log: str, *, wait: float = 0.0) -> Log:
        """Return a log with its audit."""
        return cast(
            Log,
            self._until(lambda: self.request("GET", f"logs/{log}/"), lambda it: bool(it["audit"]["verdict"]), wait),
        )

    def document(self, log: str) -> bytes:
        """Return a log byte for byte as it was submitted."""
        return self._transport.send("GET", f"logs/{log}/document/").content

    def audit_all(self, event: str, options: Mapping[str, str] | None = None) -> BulkAudit:
        """Start a bulk audit: audit all logs of an event again, under other interpretations if `options` are given.

        Example: `api.audit_all(event, {"I-SAF-07": "no"})`
        """
        return cast(
            BulkAudit, self.request("POST", f"events/{event}/bulk-audits/", json={"options": dict(options or {})})
        )

    def bulk_audit(self, bulk: str, *, wait: float = 0.0) -> BulkAudit:
        """Return a bulk audit, with its state; with `wait`, once it has ended."""
        return cast(
            BulkAudit,
            self._until(
                lambda: self.request("GET", f"bulk-audits/{bulk}/"), lambda it: it["state"]["status"] != "running", wait
            ),
        )

    def bulk_changes(self, bulk: str) -> Iterator[dict[str, Any]]:
        """Iterate over the logs in which something changed, or that could not be audited."""
        yield from self.pages(f"bulk-audits/{bulk}/changes/")

    # -------------------------------------------------------------------------------------------------- webhooks

    def create_webhook(self, url: str, kinds: Sequence[str], *, event: str | None = None) -> Webhook:
        """Create a webhook for one event, or for all events that you organize.

        Its `secret` is only in this response.
        """
        path = f"events/{event}/webhooks/" if event else "webhooks/"
        return cast(Webhook, self.request("POST", path, json={"url": url, "kinds": list(kinds)}))

    def deliveries(self, webhook: str) -> Iterator[dict[str, Any]]:
        """Iterate over the messages of a webhook, sent and pending, newest first."""
        yield from self.pages(f"webhooks/{webhook}/deliveries/")

    def _until(self, ask: Callable[[], Any], done: Callable[[Any], bool], wait: float) -> Any:
        """Call `ask` until its result is `done`, or once if `wait` is 0. Raises `NoAnswer` after `wait` seconds."""
        until = time.monotonic() + wait
        while not done(found := ask()) and wait:
            if time.monotonic() >= until:
                raise NoAnswer(f"not done in {wait} seconds")
            self._sleep(0.2)
        return found
