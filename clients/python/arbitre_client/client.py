"""The API as methods."""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, cast

from arbitre_client.errors import NoAnswer
from arbitre_client.transport import Transport
from arbitre_client.types import (
    Account,
    BulkAudit,
    Call,
    DeckCheck,
    Decklist,
    Dispute,
    Entrant,
    Event,
    EventFile,
    LedgerEntry,
    Log,
    Match,
    Paper,
    Penalty,
    Recording,
    Round,
    Stage,
    Standings,
    Verification,
    Webhook,
)

PAGE = 100


class Arbitre:
    """One account's access: `url` of the site, and a token (none: what is public)."""

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
        """The JSON answer of any route, its path as in docs/api.md; None where it has no body."""
        answer = self._transport.send(method, path.lstrip("/"), json=json, params=params, key=key)
        return answer.json() if answer.content else None

    def pages(self, path: str, **params: str | int) -> Iterator[Any]:
        """Every row of a list that comes in pages, fetched as they are asked for."""
        offset = 0
        while True:
            page = self.request("GET", path, params={"limit": PAGE, **params, "offset": offset})
            yield from page["results"]
            offset += len(page["results"])
            if page["next"] is None or not page["results"]:
                return

    # ---------------------------------------------------------------------------------------------------- events

    def me(self) -> Account:
        """The account of the token, and where it plays."""
        return cast(Account, self.request("GET", "me/"))

    def presets(self) -> list[dict[str, Any]]:
        """The formats that events are created from."""
        return cast(list[dict[str, Any]], self.request("GET", "presets/"))

    def events(self, status: str | None = None) -> Iterator[Event]:
        """Public events and one's own drafts, the newest first."""
        yield from self.pages("events/", **({"status": status} if status else {}))

    def create_event(self, *, name: str, preset: str, **options: Any) -> Event:
        """A new event, a draft."""
        return cast(Event, self.request("POST", "events/", json={"name": name, "preset": preset, **options}))

    def event(self, event: str) -> Event:
        """An event."""
        return cast(Event, self.request("GET", f"events/{event}/"))

    def step(self, event: str, step: str, **options: Any) -> Event:
        """A step in the life of an event: `open`, `lock`, `check_in`, `start`, `finish`, …"""
        return cast(Event, self.request("POST", f"events/{event}/steps/", json={"step": step, **options}))

    def grant(self, event: str, *, email: str, role: str) -> Any:
        """Give an account a role at an event."""
        return self.request("POST", f"events/{event}/staff/", json={"email": email, "role": role})

    def stages(self, event: str) -> list[Stage]:
        """The stages of an event."""
        return cast(list[Stage], self.request("GET", f"events/{event}/stages/"))

    def add_stage(self, event: str, kind: str, **options: Any) -> Stage:
        """Plan a stage after the others, such as a bracket: `single_elimination`, `cut_top=8`."""
        return cast(Stage, self.request("POST", f"events/{event}/stages/", json={"kind": kind, **options}))

    def start_stage(self, event: str) -> Stage:
        """Start the next stage with who comes into it."""
        return cast(Stage, self.request("POST", f"events/{event}/stages/start/"))

    def announce(self, event: str, text: str, **options: Any) -> dict[str, Any]:
        """Say something to all, to a stage or to a table."""
        body = {"text": text, **options}
        return cast(dict[str, Any], self.request("POST", f"events/{event}/announcements/", json=body))

    def ledger(self, event: str, *, since: int = 0, code: str | None = None) -> Iterator[LedgerEntry]:
        """What happened, entry by entry; with `since`, after that number."""
        narrowed: dict[str, str | int] = {"since": since, **({"code": code} if code else {})}
        yield from self.pages(f"events/{event}/ledger/", **narrowed)

    # -------------------------------------------------------------------------------------------------- entrants

    def entrants(self, event: str, status: str | None = None) -> Iterator[Entrant]:
        """Who plays, in the order they came."""
        yield from self.pages(f"events/{event}/entrants/", **({"status": status} if status else {}))

    def register(self, event: str, *, given_name: str | None = None, family_name: str | None = None) -> Entrant:
        """Register oneself; with a name, somebody else from the desk."""
        named = {"given_name": given_name, "family_name": family_name}
        body = {key: value for key, value in named.items() if value is not None}
        return cast(Entrant, self.request("POST", f"events/{event}/entrants/", json=body))

    def submit_decklist(self, entrant: str, text: str) -> Decklist:
        """Submit a version of one's list, or as the desk one from paper; an illegal one is kept with its faults."""
        return cast(Decklist, self.request("PUT", f"entrants/{entrant}/decklist/", json={"text": text}))

    def decklist(self, entrant: str) -> Decklist:
        """The newest version of a list."""
        return cast(Decklist, self.request("GET", f"entrants/{entrant}/decklist/"))

    def drop(self, entrant: str) -> Entrant:
        """Take an entrant out of the rounds to come."""
        return cast(Entrant, self.request("POST", f"entrants/{entrant}/drop/", json={}))

    def check_in(self, entrant: str) -> Entrant:
        """Note that an entrant is there."""
        return cast(Entrant, self.request("POST", f"entrants/{entrant}/check-in/"))

    def penalize(self, entrant: str, infraction: str, **options: Any) -> Penalty:
        """Give a penalty, of the level that the ladder proposes unless `level` names another."""
        body = {"infraction": infraction, **options}
        return cast(Penalty, self.request("POST", f"entrants/{entrant}/penalties/", json=body))

    # ---------------------------------------------------------------------------------------------------- rounds

    def pair(self, event: str) -> Round:
        """Pair the next round, as a draft."""
        return cast(Round, self.request("POST", f"events/{event}/rounds/", json={}))

    def publish(self, event: str, number: int) -> Round:
        """Show the pairings to all."""
        return cast(Round, self.request("POST", f"events/{event}/rounds/{number}/publish/", json={}))

    def close_round(self, event: str, number: int) -> Round:
        """Close a round of which every result counts."""
        return cast(Round, self.request("POST", f"events/{event}/rounds/{number}/close/", json={}))

    def round(self, event: str, number: int) -> Round:
        """A round with its matches."""
        return cast(Round, self.request("GET", f"events/{event}/rounds/{number}/"))

    def clock(self, event: str, number: int, action: str, **options: Any) -> dict[str, Any]:
        """Run the clock of a round: `start`, `pause`, `resume`, `extend` by `minutes`."""
        body = {"action": action, **options}
        return cast(dict[str, Any], self.request("POST", f"events/{event}/rounds/{number}/clock/", json=body))

    def check_decks(self, event: str, number: int, *, tables: int) -> list[DeckCheck]:
        """Draw tables of a round at random, of which both decks are checked."""
        path = f"events/{event}/rounds/{number}/deck-checks/"
        return cast(list[DeckCheck], self.request("POST", path, json={"tables": tables}))

    def finish_check(self, check: str, **found: Any) -> DeckCheck:
        """Say what was counted; nothing: all is as listed."""
        return cast(DeckCheck, self.request("POST", f"deck-checks/{check}/", json=found))

    # --------------------------------------------------------------------------------------------------- results

    def match(self, match: str) -> Match:
        """A match."""
        return cast(Match, self.request("GET", f"matches/{match}/"))

    def report(self, match: str, games: Sequence[int], **more: Any) -> Match:
        """Report one's own match: games won by seat 1, by seat 2, and drawn."""
        return cast(Match, self.request("POST", f"matches/{match}/report/", json={"games": list(games), **more}))

    def confirm(self, match: str, report: int) -> Match:
        """Agree with a report."""
        return cast(Match, self.request("POST", f"matches/{match}/confirm/", json={"report": report}))

    def contest(self, match: str, report: int, **more: Any) -> Match:
        """Do not agree with a report: a judge decides."""
        return cast(Match, self.request("POST", f"matches/{match}/contest/", json={"report": report, **more}))

    def enter_result(self, match: str, games: Sequence[int], **more: Any) -> Match:
        """Enter a result from the desk."""
        return cast(Match, self.request("POST", f"matches/{match}/result/", json={"games": list(games), **more}))

    def rule(self, match: str, games: Sequence[int], *, reason: str, **more: Any) -> Match:
        """Rule on a match as a judge."""
        body = {"games": list(games), "reason": reason, **more}
        return cast(Match, self.request("POST", f"matches/{match}/ruling/", json=body))

    def call_judge(self, match: str, **options: Any) -> Call:
        """Call a judge to one's table."""
        return cast(Call, self.request("POST", f"matches/{match}/calls/", json=options))

    def calls(self, event: str) -> Iterator[Call]:
        """The calls that wait or are being answered."""
        yield from self.pages(f"events/{event}/calls/")

    def answer_call(self, call: str, action: str, **options: Any) -> Call:
        """`claim` a call, `escalate` or `resolve` it."""
        return cast(Call, self.request("POST", f"calls/{call}/", json={"action": action, **options}))

    def claim(self, match: str, *, reason: str) -> None:
        """Ask a judge to look into a result that counts."""
        self.request("POST", f"matches/{match}/claim/", json={"reason": reason})

    def appeal(self, match: str, *, reason: str) -> None:
        """Ask the head judge to look at the last ruling."""
        self.request("POST", f"matches/{match}/appeal/", json={"reason": reason})

    def disputes(self, event: str) -> Iterator[Dispute]:
        """The disputes that wait for a judge."""
        yield from self.pages(f"events/{event}/disputes/")

    def settle(self, match: str, decision: str, *, reason: str, **more: Any) -> Match:
        """Rule without a new result: `keep` the one that counts, or `replay` the match or one `game`."""
        body = {"decision": decision, "reason": reason, **more}
        return cast(Match, self.request("POST", f"matches/{match}/ruling/", json=body))

    def standings(self, event: str, *, wait: float = 0.0) -> Standings:
        """The newest standings; with `wait`, those of the newest results, asked for that many seconds."""
        return cast(
            Standings,
            self._until(
                lambda: self.request("GET", f"events/{event}/standings/"), lambda it: not it["computing"], wait
            ),
        )

    def export(self, event: str, table: str) -> Any:
        """A whole table: `entrants`, `pairings`, `results`, `standings` or `decks`."""
        return self.request("GET", f"events/{event}/exports/{table}/", params={"as": "json"})

    def export_csv(self, event: str, table: str) -> str:
        """A whole table as CSV."""
        return self._transport.send("GET", f"events/{event}/exports/{table}/", params={"as": "csv"}).text

    def event_file(self, event: str, *, wait: float = 0.0) -> EventFile:
        """Have the whole event written as one file; with `wait`, one that is ready, asked for that many seconds."""
        asked = self.request("POST", f"events/{event}/file/")["id"]
        ready = self._until(lambda: self.request("GET", f"files/{asked}/"), lambda it: bool(it["ready"]), wait)
        return cast(EventFile, ready)

    def event_file_content(self, file: str) -> bytes:
        """The file itself, packed."""
        return self._transport.send("GET", f"files/{file}/download/").content

    def verify(self, document: bytes, *, wait: float = 0.0) -> Verification:
        """Have an event file verified; with `wait`, once it is done, asked for that many seconds."""
        kind = "application/octet-stream"
        asked = self._transport.send("POST", "verifications/", content=document, kind=kind).json()["id"]
        found = self._until(lambda: self.request("GET", f"verifications/{asked}/"), lambda it: bool(it["ready"]), wait)
        return cast(Verification, found)

    def paper(self, event: str, kind: str, *, wait: float = 0.0, **options: Any) -> Paper:
        """Have a PDF drawn: `slips`, `standings`, …; with `wait`, one that is ready."""
        asked = self.request("POST", f"events/{event}/papers/", json={"kind": kind, **options})["id"]
        ready = self._until(lambda: self.request("GET", f"papers/{asked}/"), lambda it: bool(it["ready"]), wait)
        return cast(Paper, ready)

    def paper_file(self, paper: str) -> bytes:
        """The PDF itself."""
        return self._transport.send("GET", f"papers/{paper}/file/").content

    # ------------------------------------------------------------------------------------------------------ logs

    def record(self, match: str, game: int) -> Recording:
        """Begin to record a game, or go on with the recording that is open."""
        return cast(Recording, self.request("POST", f"matches/{match}/games/{game}/recordings/"))

    def recording(self, recording: str) -> Recording:
        """A recording with the moves that are legal now."""
        return cast(Recording, self.request("GET", f"recordings/{recording}/"))

    def record_move(self, recording: str, n: int, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Enter a move as number `n`."""
        body = {"n": n, "key": str(uuid.uuid4()), "entry": dict(entry)}
        return cast(dict[str, Any], self.request("POST", f"recordings/{recording}/moves/", json=body))

    def hand_in(self, recording: str) -> Log:
        """End a recording: its log is kept for the game and audited."""
        return cast(Log, self.request("POST", f"recordings/{recording}/hand-in/"))

    def board(self, log: str, n: int) -> dict[str, Any]:
        """The board after entry `n` of an audited log."""
        return cast(dict[str, Any], self.request("GET", f"logs/{log}/board/", params={"n": n}))

    def legal(self, log: str, n: int) -> list[dict[str, Any]]:
        """The moves that were legal at that board."""
        return cast(list[dict[str, Any]], self.request("GET", f"logs/{log}/legal/", params={"n": n}))

    def branch(self, log: str, n: int, correction: str, **options: Any) -> dict[str, Any]:
        """Go on from entry `n` with a correction: `undo`, `replace`, `insert`, `swap`."""
        body = {"n": n, "correction": correction, **options}
        return cast(dict[str, Any], self.request("POST", f"logs/{log}/branches/", json=body))

    def upload_log(self, match: str, game: int, document: bytes) -> Log:
        """Submit a move log; its audit follows."""
        answer = self._transport.send("POST", f"matches/{match}/games/{game}/logs/", content=document)
        return cast(Log, answer.json())

    def log(self, log: str, *, wait: float = 0.0) -> Log:
        """A log with its audit; with `wait`, one that is done, asked for that many seconds."""
        return cast(
            Log,
            self._until(lambda: self.request("GET", f"logs/{log}/"), lambda it: bool(it["audit"]["verdict"]), wait),
        )

    def document(self, log: str) -> bytes:
        """A log byte for byte as it was sent."""
        return self._transport.send("GET", f"logs/{log}/document/").content

    def audit_all(self, event: str, options: Mapping[str, str] | None = None) -> BulkAudit:
        """Have all logs of an event audited again, under other interpretations or as they are."""
        return cast(
            BulkAudit, self.request("POST", f"events/{event}/bulk-audits/", json={"options": dict(options or {})})
        )

    def bulk_audit(self, bulk: str, *, wait: float = 0.0) -> BulkAudit:
        """How far it is; with `wait`, once it is over, asked for that many seconds."""
        return cast(
            BulkAudit,
            self._until(
                lambda: self.request("GET", f"bulk-audits/{bulk}/"), lambda it: it["state"]["status"] != "running", wait
            ),
        )

    def bulk_changes(self, bulk: str) -> Iterator[dict[str, Any]]:
        """The logs in which something changes."""
        yield from self.pages(f"bulk-audits/{bulk}/changes/")

    # -------------------------------------------------------------------------------------------------- webhooks

    def create_webhook(self, url: str, kinds: Sequence[str], *, event: str | None = None) -> Webhook:
        """A webhook of an event, or of all events that one organizes; its secret is in this answer alone."""
        path = f"events/{event}/webhooks/" if event else "webhooks/"
        return cast(Webhook, self.request("POST", path, json={"url": url, "kinds": list(kinds)}))

    def deliveries(self, webhook: str) -> Iterator[dict[str, Any]]:
        """What was sent to a webhook, the newest first."""
        yield from self.pages(f"webhooks/{webhook}/deliveries/")

    def _until(self, ask: Callable[[], Any], done: Callable[[Any], bool], wait: float) -> Any:
        """What is asked for once it is done; at once where nobody waits. Raises NoAnswer when it takes too long."""
        until = time.monotonic() + wait
        while not done(found := ask()) and wait:
            if time.monotonic() >= until:
                raise NoAnswer(f"not done in {wait} seconds")
            self._sleep(0.2)
        return found
