"""Audit a log: the verdict, the first illegal move and its rule, the true result, and what these depend on.

The entry point is `audit`. It replays the log with `replay.replay`, then draws conclusions from how the replay ended;
the finished `Report` is in `report.report`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.core.replay.doubt import EXPLAINED, settled
from engine.core.replay.partial import standing
from engine.core.replay.repair import LazyRepairs, renumbered, repairs
from engine.core.replay.replay import CatalogSource, LogSource, Replay
from engine.core.report.findings import findings
from engine.core.report.report import Ended, Refused, Report, describe
from engine.core.shown import views
from engine.core.shown.commentary import placed
from engine.core.shown.listing import listing
from engine.core.shown.words import cards_at
from engine.core.table.game import Closing
from engine.core.table.log import Log, parse, read
from engine.core.table.state import Outcome
from engine.core.table.step import Mismatch, Step
from engine.core.table.verbs import leader, ranked
from engine.core.text.errors import EngineError, Impossible, Missing, Violation

MAX_ALTERNATIVES = 50  # legal moves listed beside an illegal one
MAX_REPEATS = 4  # the audit is repeated without each ruling, to see whether it decides the result, for up to so many
REPEATED_ENTRIES = 2_000  # … in logs of up to so many entries


def audit(log: LogSource, *, catalogs: Sequence[CatalogSource] = ()) -> Report:
    """Replay a log (JSON text, its parsed form or a `Log`) and report on it. Never raises for what the log contains.

    `catalogs` are Catalog objects or their JSON, used in addition to those shipped with the engine.

    >>> from engine.core.replay.selfplay import play
    >>> audit(play("star-safir", 7)).verdict  # a random game, played by the rules
    'confirmed'
    >>> audit("{}").verdict
    'unreadable'
    """
    try:
        parsed = log if isinstance(log, Log) else parse(log)
        replay = Replay(parsed, catalogs=catalogs, keep=False)
    except Impossible as error:
        return Report("impossible_log", error=describe(error))
    except EngineError as error:
        return _unreadable(error, log, catalogs)
    return _Auditor(replay).report()


def _unreadable(error: EngineError, log: LogSource, catalogs: Sequence[CatalogSource]) -> Report:
    """Report on an unreadable log. If only one entry cannot be read, the entries before it are still audited."""
    slips = _misnumbered(error, log, catalogs)
    if error.n is not None and not isinstance(log, Log):
        document = read(log)
        moves = document["moves"]
        try:
            replay = Replay({**document, "moves": moves[: error.n - 1]}, catalogs=catalogs, keep=False)
        except EngineError:  # the header is unreadable too
            return Report("unreadable", error=describe(error), slips=slips)
        return _Auditor(replay, describe(error, moves[error.n - 1]), slips).report()
    return Report("unreadable", error=describe(error), slips=slips)


def _misnumbered(error: EngineError, log: LogSource, catalogs: Sequence[CatalogSource]) -> LazyRepairs | None:
    """Return the search for a repair of a log with a wrong entry number; None for any other error.

    The search runs only when somebody asks for the repairs.
    """
    if error.code != "wrong_number" or error.n is None or isinstance(log, Log):
        return None
    return LazyRepairs(partial(renumbered, read(log), error.n, catalogs=catalogs))


class _Auditor:
    """One audit: runs the replay to its end, then draws conclusions from it.

    `unread` is the error of the entry right after the replayed ones, if that entry could not be read.
    """

    def __init__(
        self, replay: Replay, unread: Mapping[str, Any] | None = None, slips: LazyRepairs | None = None
    ) -> None:
        self.replay = replay
        self.unread = unread
        self.slips = slips
        self.claims: list[Mismatch] = []
        self.subject_to: list[dict[str, Any]] = []
        self.noted: list[Step] = []
        self.moves = 0
        self.left = 0  # moves with an effect that the engine does not execute
        self.ended = 0  # number of the entry that ended the game, 0 while it goes on

    def report(self) -> Report:
        replay, noted = self.replay, self.noted
        while (step := replay.step()) is not None:
            # A take-back can undo the end of the game, so the entry that ended it may change more than once.
            if (replay.state.result is None) is (self.ended > 0):
                self.ended = 0 if self.ended else step.n
            if step.claims:
                self.claims += step.claims
            if step.doubts or step.entry.do == "ruling":
                self.left += bool(step.doubts)
                noted.append(step)
        self.moves = replay.made
        digest = replay.whole_digest
        stopped = replay.stopped
        entries = replay.log.entries
        # Rulings and doubts that a take-back undid no longer count; the entry that stopped the replay still does.
        kept = standing(entries, len(entries) if stopped is None else stopped.n - 1) if self.noted else {}
        for step in self.noted:
            self._note(step, step.n in kept or step is stopped)
        return self._conclude(stopped, digest)

    def _doubtful(self) -> bool:
        """Whether an effect that no judge has ruled on may have changed the game."""
        return any(item["outcome"] == "unverified" for item in self.subject_to)

    def _explained(self, stopped: Step) -> bool:
        """Whether a card that the engine cannot read may explain the error that stopped the replay."""
        return stopped.error is not None and stopped.error.code in EXPLAINED and self._doubtful()

    def _note(self, step: Step, kept: bool) -> None:
        """Record what a ruling settles and which cards still need one. Entries that were taken back only say so."""
        entry = step.entry
        if not kept:
            refs = (entry.ref,) if entry.do == "ruling" else step.doubts
            self.subject_to += [{"n": step.n, "do": entry.do, "ref": ref, "outcome": "taken_back"} for ref in refs]
            return
        if entry.do == "ruling":
            if step.violations or step.error is not None:
                return
            done = settled(entry)  # a ruling on a card settles every earlier doubt about it
            for item in self.subject_to:
                if item["ref"] in done and item["outcome"] != "taken_back":
                    item["outcome"] = "ruled"
            rules = [value[1] for kind, value in entry.events if kind == "allow"]
            named = {"rules": rules} if rules else {}
            self.subject_to.append({"n": step.n, "do": "ruling", "ref": entry.ref, "outcome": "ruled", **named})
        for ref in step.doubts:
            owner = self._owner(ref)
            found = {"n": step.n, "do": entry.do, "ref": ref, "outcome": "unverified"}
            self.subject_to.append(found if owner is None else {**found, "seat": owner})

    def _owner(self, ref: str) -> str | None:
        """Return the seat whose registered list has this card, or None if no seat or several have it."""
        seats = self.replay.log.header.seats.items()
        owners = [seat for seat, who in seats if who.deck is not None and ref in (*who.deck.main, who.deck.commander)]
        return owners[0] if len(owners) == 1 else None

    def _conclude(self, stopped: Step | None, digest: str) -> Report:
        replay = self.replay
        closing = Closing() if self.unread else _closing(replay)
        result = replay.state.result or closing.outcome
        doubtful = self._doubtful()
        verdict = self._verdict(stopped, result, doubtful or bool(closing.missing))
        score = replay.game.score(replay.state)
        self._compare(stopped, result, score)
        last = len(replay.log.entries) if stopped is None else stopped.n
        broken, lacking = _sorted(last, closing.missing if stopped is None else stopped.violations)
        refused = self._refused(stopped, broken) if stopped is not None and broken else None
        depends_on = dict.fromkeys((*replay.depends_on, *closing.depends_on))
        for violation in broken:
            depends_on.update(dict.fromkeys(violation.depends_on))
        known = None if doubtful else result  # a ruling on the cards in doubt could still change the winner
        self._weigh_rulings()
        shown = refused is not None or verdict == "unreadable"
        return Report(
            verdict,
            ruleset=replay.ruleset.id,
            first_illegal=refused,
            claimed=replay.log.header.winner,
            computed=None if known is None else known.winner,
            reason=None if known is None else known.reason,
            score=score,
            claims=findings(replay, self.claims),
            subject_to=tuple(self.subject_to),
            depends_on=tuple(replay.ruleset.book.left_open(depends_on)),
            coverage=self._coverage(),
            missing=() if broken else lacking,
            digest=digest,
            error=self._error(stopped),
            ended=None if known is None else Ended(self.ended or last, known.rule, known.reason),
            game=replay.game.id,
            options=replay.state.terms.options,
            board=views.board(replay.state, replay.catalog, views.JUDGE) if shown else None,
            book=replay.ruleset.book,
            cards=replay.catalog.cards,
            slips=self.slips or self._slips(stopped),
        )

    def _error(self, stopped: Step | None) -> Mapping[str, Any] | None:
        """Return the error of the entry that could not be read or decided, if there is one."""
        if self.unread or stopped is None or stopped.error is None:
            return self.unread
        return describe(stopped.error, stopped.entry.raw)

    def _slips(self, stopped: Step | None) -> LazyRepairs | None:
        """Return the search for a recording mistake that would explain a refused entry.

        There is none for a score pad, nor where the entry is only unverified for lack of a fact.
        """
        replay = self.replay
        if stopped is None or stopped.outcome == "unverified" or replay.pad:
            return None
        return LazyRepairs(partial(repairs, replay.log, catalogs=(replay.catalog,)))

    def _compare(self, stopped: Step | None, result: Outcome | None, score: Mapping[str, int]) -> None:
        """Compare the claimed score and ranks with the computed ones, if the game is over or the score pad complete."""
        if result is None and (stopped is not None or self.unread or not self.replay.pad):
            return
        header, seats = self.replay.log.header, self.replay.game.seats
        played = len(self.replay.log.entries) if stopped is None else stopped.n - 1
        for seat in sorted(header.score):
            # A seat of the game without a computed score has an undeclared one, which contradicts nothing.
            if (seat in score or seat not in seats) and header.score[seat] != score.get(seat):
                self.claims.append(Mismatch(played, f"{seat}.score", header.score[seat], score.get(seat)))
        self.claims += self._ranks(played, result, score)

    def _ranks(self, n: int, result: Outcome | None, score: Mapping[str, int]) -> list[Mismatch]:
        """Return the claimed ranks that contradict the score. Only compared if the score decided the game."""
        claimed = self.replay.log.header.ranks
        if not claimed or result is None or (result.winner or "draw") != leader(score):
            return []
        found = ranked(score)
        return [
            Mismatch(n, f"{seat}.rank", claimed[seat], found.get(seat))
            for seat in sorted(claimed)
            if claimed[seat] != found.get(seat)
        ]

    def _verdict(self, stopped: Step | None, result: Outcome | None, doubtful: bool) -> str:
        malformed = stopped is not None and stopped.outcome == "malformed" and not self._explained(stopped)
        if malformed or self.unread:
            return "unreadable"
        if stopped is not None:
            if doubtful or stopped.outcome in ("ambiguous", "unverified"):
                return "undetermined"
            return "impossible_log" if stopped.outcome == "impossible" else "illegal_action"
        sort = "consistent_from" if self.replay.partial else "plausible" if self.replay.pad else None
        if result is None:
            return "unfinished" if sort is None else "undetermined" if doubtful else sort
        if doubtful or result.winner is None:
            return "undetermined"
        claimed = self.replay.log.header.winner
        if sort is not None and claimed in (None, result.winner):
            return sort
        return "confirmed" if claimed is None or claimed == result.winner else "overturned"

    def _refused(self, step: Step, broken: tuple[Violation, ...]) -> Refused:
        entry, state = step.entry, self.replay.state
        # The alternatives are the legal moves of the same verb by the same actor.
        same, more = listing(self.replay.game, state, (entry.by,), (entry.do,), MAX_ALTERNATIVES)
        moves = tuple({"by": move.by, "do": move.do, "args": dict(move.args)} for move in same)
        args = {key: value for key, value in entry.args.items() if not isinstance(value, Mapping)}  # boards are long
        told = [placed(state.terms.game, move) for move in ({"by": entry.by, "do": entry.do, "args": args}, *moves)]
        at = cards_at(state, [args, [violation.args for violation in broken], moves, told])
        return Refused(entry.n, entry.by, entry.do, broken, moves, args, at, more)

    def _weigh_rulings(self) -> None:
        """Mark each ruling as decisive or not by replaying the log without it, if that is cheap enough."""
        if not self.subject_to:
            return
        rulings = [item for item in self.subject_to if item["do"] == "ruling"]
        entries = self.replay.log.entries
        if len(rulings) > MAX_REPEATS or len(entries) > REPEATED_ENTRIES:
            return
        for item in rulings:
            other = Replay(self.replay.log, catalogs=(self.replay.catalog,), keep=False, skip=(item["n"],))
            while other.step() is not None:
                pass
            item["decisive"] = _ending(other) != _ending(self.replay)

    def _coverage(self) -> dict[str, Any]:
        """Count the listed cards and the moves, and how many of them the engine executes or leaves to rulings."""
        replay = self.replay
        refs: dict[str, None] = {}
        for seat in replay.log.header.seats.values():
            if seat.deck is not None:
                refs.update(dict.fromkeys(seat.deck.main))
                if seat.deck.commander is not None:
                    refs[seat.deck.commander] = None
        known = replay.catalog.cards
        manual = sorted([ref for ref in refs if not known[ref].executable])
        cards = {"listed": len(refs), "enforced": len(refs) - len(manual), "manual": manual}
        return {**cards, "moves": self.moves, "left_to_rulings": self.left}


def _closing(replay: Replay) -> Closing:
    """Return what the game says of a log that stops here; nothing if an entry was refused, or for a score pad."""
    return Closing() if replay.stopped is not None or replay.pad else replay.game.closing(replay.state)


def _sorted(n: int, reasons: Sequence[Violation]) -> tuple[tuple[Violation, ...], tuple[Mapping[str, Any], ...]]:
    """Split the reasons against entry `n` into broken rules and missing facts {n, fact, rule}, each fact once."""
    if not reasons:
        return (), ()
    lacking: dict[str, Mapping[str, Any]] = {}
    for reason in reasons:
        if isinstance(reason, Missing):
            lacking.setdefault(reason.fact, {"n": n, "fact": reason.fact, "rule": reason.rule})
    return tuple(reason for reason in reasons if not isinstance(reason, Missing)), tuple(lacking.values())


def _ending(replay: Replay) -> tuple[Any, ...]:
    result, stopped = replay.state.result or _closing(replay).outcome, replay.stopped
    return (
        None if result is None else result.winner,
        None if stopped is None else (stopped.n, stopped.outcome),
    )
