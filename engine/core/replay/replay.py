"""Replay: plays a log again entry by entry, checks every move, and gives the board after any of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.core.replay import partial
from engine.core.replay.doubt import Doubts, standing
from engine.core.replay.unknown import ALL_WORLDS, consider, open_facts
from engine.core.shown import views
from engine.core.table.agenda import open_window, pending, unanswered
from engine.core.table.context import Context
from engine.core.table.events import apply
from engine.core.table.game import Game, Move, Ruleset, Verb
from engine.core.table.header import CatalogSource as CatalogSource
from engine.core.table.header import choose_catalog as choose_catalog
from engine.core.table.header import load_game as load_game
from engine.core.table.header import ruleset_of as ruleset_of
from engine.core.table.implied import FilledIn, fill_in
from engine.core.table.log import JUMPS, Entry, Header, Log, chain_start, forms, link, parse
from engine.core.table.naming import UNFIT, unfit
from engine.core.table.overrides import ALLOWED, VOUCHED, note_of, notes_for, remaining
from engine.core.table.state import State
from engine.core.table.step import Mismatch, Step
from engine.core.table.verbs import find_verb
from engine.core.text.errors import EngineError, Malformed, Missing, Violation
from engine.core.text.interrupt import go_on

CHECKPOINT = 64  # entries between two kept states: `state_at` applies the events of fewer than this many entries

LogSource = Log | bytes | str | Mapping[str, Any]


PARTIAL = frozenset(("checkpoint", *JUMPS))
# Entries allowed while a choice is open: its answer first of all (`react` names a reaction).
ANY_TIME = PARTIAL.union(("answer", "react", "concede", "draw_agreed", "time", "game_loss", "ruling", "manual"))
SETTLED = PARTIAL.union(("concede", "draw_agreed", "game_loss", "ruling", "manual"))  # depend on no unknown fact
DECLINED = {"pick": None}
GOES_ON = ("ok", "claim_mismatch", "unverified")


def perform(game: Game, ctx: Context, verb: Verb, move: Move, *, fresh: bool = True) -> None:
    """Run a checked move, and end the game if the new position says so.

    If an invariant breaks, everything is rolled back.

    With `fresh` (the default) the move starts a new transaction. Without it, the move joins the one in progress:
    choices declined and moves implied before it are then rolled back with it.
    """
    go_on()
    if fresh:
        ctx.begin()
    state = ctx.state
    try:
        verb.run(ctx, move)
        if state.result is None:
            # Any move can end a game. Verbs such as `concede` set the result themselves.
            outcome = game.outcome(state)
            if outcome is not None:
                ctx.emit("end", *outcome[:3])
                for interpretation in outcome.depends_on:
                    ctx.depend_on(interpretation)
    except EngineError:
        ctx.roll_back()
        raise


class Replay:
    """A log and the game it describes. Iterate over it for its steps; ask `board_at(n)` for the board after entry `n`.

    >>> from engine.core.replay.selfplay import play
    >>> replay = Replay(play("star-safir", 7))
    >>> [(step.n, step.outcome) for step in replay][:2]
    [(1, 'ok'), (2, 'ok')]
    >>> board = replay.board_at(12, "A")  # the board after entry 12, as seat A sees it
    >>> sorted(board["seats"])
    ['A', 'B']

    `catalogs` are Catalog objects or their JSON, in addition to those shipped. With `keep` (the default) a state is
    kept every 64 entries, so that boards come back quickly; without it, the replay only goes forward. `skip` names
    rulings whose events are not applied.

    Raises EngineError if the header cannot be read. An entry that cannot be read is a step with an `error`.
    """

    def __init__(
        self,
        log: LogSource,
        *,
        catalogs: Sequence[CatalogSource] = (),
        keep: bool = True,
        skip: tuple[int, ...] = (),
    ) -> None:
        self.log = log if isinstance(log, Log) else parse(log)
        header: Header = self.log.header
        self.game = load_game(header.game)
        self.ruleset = ruleset_of(self.game, header.ruleset)
        self.catalog = choose_catalog(header.game, header.catalog, catalogs)
        self.pad = header.start is None and partial.is_pad(self.game, self.log.entries)
        self.state: State = partial.beginning(self.game, header, self.catalog, self.pad)
        self.partial = header.start is not None  # whether facts may be unknown
        self._worlds = ALL_WORLDS
        self._given = bool(self.state.agenda)  # whether frames were declared, which may not fit the board
        self.steps: list[Step] = []
        self.stopped: Step | None = None
        self._verbs = {**self.game.verbs(), self.game.pad[0]: self.game.pad[1]} if self.pad else self.game.verbs()
        self._context = Context(self.state)
        self._forms = forms(self.log.entries)
        self._linked = 0, chain_start(header)  # how many entries the chain covers so far, and its digest there
        self._played = 0
        self._unread = bool(self.state.terms.cards.unread) and not self.pad  # whether any card may raise a doubt
        self._doubts = Doubts({}, standing(self.state) if self._unread else {})
        self._skip = skip
        self._keep = keep
        self._kept: list[tuple[int, State]] = [(0, self.state.copy())] if keep else []
        self._responses = [entry.n for entry in self.log.entries if entry.resp]
        self._targets = partial.targets(self.log.entries)
        if 0 in self._targets:
            self._targets[0] = self.state.copy()

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The interpretations that the game has depended on so far, in order."""
        return tuple(self._context.depends_on)

    @property
    def digest(self) -> str:
        """The digest of the hash chain after the last entry played, in hexadecimal."""
        return self._digest_after(self.made)

    @property
    def made(self) -> int:
        """How many entries have been played, including the one that stopped the replay."""
        return self._played + (self.stopped is not None)

    @property
    def whole_digest(self) -> str:
        """The digest of the hash chain over all entries, including those after a refused one, in hexadecimal."""
        count, digest = self._linked
        return link(digest, *self._forms[count:]).hex()

    def _digest_after(self, n: int) -> str:
        """Return the digest of the chain after `n` entries. Computed when asked for; `n` must not go down."""
        count, digest = self._linked
        self._linked = n, link(digest, *self._forms[count:n])
        return self._linked[1].hex()

    def __iter__(self) -> Iterator[Step]:
        """Iterate over the steps from the first entry. Entries already played are not played again."""
        index = 0
        while index < len(self.steps) or self._advance():
            yield self.steps[index]
            index += 1

    def _advance(self) -> bool:
        step = self.step()
        if step is None:
            return False
        self.steps.append(step)
        # A gap or a take-back has no events from which `state_at` could rebuild the state after it.
        jumped = step.entry.do in JUMPS
        if self._keep and self.stopped is None and (jumped or self._played % CHECKPOINT == 0):
            self._kept.append((self._played, self.state.copy()))
        return True

    def step(self) -> Step | None:
        """Play the next entry. Returns None at the end of the log, or after an entry that stopped the replay."""
        go_on()
        entries, played = self.log.entries, self._played
        if self.stopped is not None or played >= len(entries):
            return None
        entry = entries[played]
        try:
            step = self._play(entry)
        except EngineError as error:
            error.n = entry.n
            error.path = f"moves[{entry.n - 1}].{error.path}".rstrip(".")
            step = Step(entry.n, entry, error.verdict, error=error)
        except UNFIT:
            # Declared frames can be wrong in ways that only show when they are resolved. In any other game such an
            # exception is a bug of the engine, and must not be reported as a fault of the log.
            if not self._given:
                raise
            self._context.roll_back()
            step = Step(entry.n, entry, "malformed", error=unfit())
        if self._unread and (step.doubts or self._doubts.touched(self.state, step)):
            step = self._doubted(step)
        # An unverified entry stops the replay only if a fact is missing (a violation). With a card in doubt the game
        # goes on, and the verdict says so.
        if step.outcome == "ok" or (step.outcome in GOES_ON and not step.violations):
            self._played = played = played + 1
            if played in self._targets:
                self._targets[played] = self.state.copy()
        else:
            self.stopped = step
        return step

    def _doubted(self, step: Step) -> Step:
        """Return the step with the unreadable cards that it puts in doubt, except those a judge vouched for."""
        self._doubts, raised = self._doubts.after(self.state, step)
        vouched = self.state.memory.get(VOUCHED, ())
        own = [ref for ref in step.doubts if note_of(step.entry.by, ref) not in vouched] if vouched else step.doubts
        doubts = tuple(dict.fromkeys((*own, *raised)))
        if doubts == step.doubts:
            return step
        outcome = step.outcome
        if outcome in GOES_ON and not step.violations:
            outcome = "unverified" if doubts else "claim_mismatch" if step.claims else "ok"
        return replace(step, outcome=outcome, doubts=doubts)

    def _play(self, entry: Entry, *, fresh: bool = True) -> Step:
        do, state = entry.do, self.state
        verb = self._verbs.get(do) or find_verb(self._verbs, do)
        # Checked before anything else: if the entries so far were altered, nothing they lead to is worth a judgement.
        if entry.h is not None and entry.h != self._digest_after(entry.n):
            raise Malformed("chain_broken", "h is not the digest of the entries up to here", path="h")
        if entry.resp and not (open_window(state) and do in self.game.responses):
            raise Malformed("no_window", "nothing opens a window to respond in", path="resp")
        if do == "answer" and self._context.taken and self._answers_nothing(entry):
            claims = self._mismatches(entry) if entry.claims else ()
            return Step(entry.n, entry, "claim_mismatch" if claims else "ok", claims=claims)
        if state.agenda and state.result is None and fresh and not entry.resp and do not in ANY_TIME:
            return self._past_choices(entry)
        ctx, filled = self._context, None
        # Passing is not logged: a window opens only if the next entry says that it is a response.
        if self._responses:
            ctx.window = entry.n + 1 in self._responses
        try:
            move = verb.parse(state, entry)
            reasons: Sequence[Violation] = verb.check(state, move)
            if reasons or self.partial:
                reasons = self._standing(verb, move, reasons)
            if reasons:
                filled = self._fill_in(entry, fresh=fresh) or FilledIn(None, reasons)
        except EngineError:
            filled = self._fill_in(entry, fresh=fresh)
            if filled is None:
                raise
        if filled is not None:
            if filled.move is None:
                reasons = filled.reasons
                return Step(entry.n, entry, outcome_of(reasons, self.ruleset), violations=tuple(reasons))
            move, fresh = filled.move, False
        if self._skip and entry.n in self._skip:
            # The ruling counts as played, without its events: an audit compares how the game ends without it.
            ctx.begin()
        elif do in PARTIAL:
            return self._partial_step(entry, move)
        else:
            aside = notes_for(state, entry.by) if ALLOWED in state.memory else ()
            perform(self.game, ctx, verb, move, fresh=fresh)
            if aside:
                for note in aside:  # a rule is set aside for one move, whether that move needed it or not
                    ctx.emit("clear", ALLOWED, note)
            if self.partial or self.pad:
                self._learn(move)
        claims = self._mismatches(entry) if entry.claims else ()
        if ctx.doubts:
            return Step(entry.n, entry, "unverified", ctx.events, (), claims, tuple(ctx.doubts))
        if claims:
            return Step(entry.n, entry, "claim_mismatch", ctx.events, (), claims)
        return Step(entry.n, entry, "ok", ctx.events)

    def _answers_nothing(self, entry: Entry) -> bool:
        """Return whether an entry answers a choice that had only one option.

        The engine made that choice without asking, so the answer is correct and has no effect.
        """
        ask, answer = pending(self.state), (entry.by, entry.args.get("pick"))
        awaited = ask is not None and ask["by"] == entry.by and answer[1] in ask["options"]
        if awaited or entry.chance or answer not in self._context.taken:
            return False
        self._context.taken.remove(answer)
        return True

    def _standing(self, verb: Verb, move: Move, reasons: Sequence[Violation]) -> Sequence[Violation]:
        """Return the reasons against a move that remain, given the facts left out and the rules set aside."""
        state = self.state
        if self.partial and open_facts(state):
            reasons = self._considered(verb, move, reasons)
        if reasons and ALLOWED in state.memory:
            reasons = remaining(self.game, state, verb, move, reasons, perform)
        return reasons

    def _fill_in(self, entry: Entry, *, fresh: bool) -> FilledIn | None:
        """Play the moves that the log may leave out before an entry.

        Returns None, with nothing played, if no such moves lead to the entry. If the entry is refused even after them,
        its reasons are returned and nothing is played either.
        """
        ctx, state = self._context, self.state
        if entry.do in ANY_TIME or entry.resp or self.pad or (self.partial and open_facts(state)):
            return None
        # Only the entry itself can be responded to, so the moves before it open no window.
        depends_on, window = dict(ctx.depends_on), ctx.window
        if fresh:
            ctx.begin()
        ctx.window = False
        filled = fill_in(self.game, ctx, entry, self._pass_by)
        ctx.window = window
        if filled.move is None:
            ctx.roll_back()
            ctx.depends_on = depends_on
        return filled if filled.move is not None or filled.reasons else None

    def _pass_by(self, verb: Verb, move: Move) -> None:
        """Play a move that the log left out, and decline what it offers.

        Raises EngineError if it must not be left out.
        """
        perform(self.game, self._context, verb, move, fresh=False)
        self._decline()

    def _considered(self, verb: Verb, move: Move, reasons: Sequence[Violation]) -> Sequence[Violation]:
        """Return the reasons against a move while facts are unknown: those that hold anyway, or what to ask for."""
        if move.do in SETTLED:
            return reasons
        found = consider(self.game, self.state, verb, move, perform, window=self._context.window, most=self._worlds)
        self._worlds -= found.worlds
        return found.missing or found.violations

    def _past_choices(self, entry: Entry) -> Step:
        """Play an entry that passes over open choices. If it is refused, the choices stay open."""
        ctx = self._context
        ctx.begin()
        try:
            reasons = self._decline()
            step = Step(entry.n, entry, "unverified", (), reasons) if reasons else self._play(entry, fresh=False)
        except EngineError:
            ctx.roll_back()
            raise
        if step.violations:
            ctx.roll_back()
        return step

    def _decline(self) -> tuple[Violation, ...]:
        """Decline the optional choices that an entry says nothing about.

        Returns the facts missing to know what that does.

        Raises Ambiguous if a choice is not optional.
        """
        answer = self._verbs["answer"]
        while (ask := pending(self.state)) is not None:
            if not ask["optional"]:
                raise unanswered(self.state)
            move = Move(ask["by"], "answer", DECLINED)
            reasons = self._considered(answer, move, []) if self.partial and open_facts(self.state) else ()
            if reasons:
                return tuple(reasons)
            perform(self.game, self._context, answer, move, fresh=False)
        return ()

    def _mismatches(self, entry: Entry) -> tuple[Mismatch, ...]:
        found = []
        for path, claimed in entry.claims.items():
            computed = views.fact(self.state, path)
            if claimed != computed:
                found.append(Mismatch(entry.n, path, claimed, computed))
        if self.partial or self.pad:
            found = [item for item in found if self._comparable(item)]
        return tuple(found)

    def _comparable(self, item: Mismatch) -> bool:
        """Return whether a claim can contradict the board. Claims about unknown facts and hidden cards cannot."""
        hidden = item.computed == "?" and isinstance(item.claimed, str)
        return not hidden and views.stated(self.state, item.claim)

    def _learn(self, move: Move) -> None:
        """Record the facts left out at the start that are known after a move."""
        facts = tuple(fact for fact in self.game.settled(self.state, move) if fact in self.state.unknown)
        if facts:
            self._context.emit("settle", facts)

    def _partial_step(self, entry: Entry, move: Move) -> Step:
        """Compare a checkpoint with the board; for a gap or a take-back, replace the state."""
        if entry.do == "checkpoint":
            found = (Mismatch(entry.n, *item) for item in partial.differences(self.state, move.args))
            claims = (*found, *(self._mismatches(entry) if entry.claims else ()))
            return Step(entry.n, entry, "claim_mismatch" if claims else "ok", claims=claims)
        if entry.do == "gap":
            state = partial.position(self.game, self.log.header, self.catalog, move.args["start"], "args.start")
            self.partial = True
            self._given = self._given or bool(state.agenda)
        else:
            saved = self._targets[move.args["n"]]
            assert saved is not None, "the state after every entry that a take-back names is kept"
            state = saved.copy()
        # A context works on one state. What the game depends on goes on, because it belongs to the whole log.
        depends_on, self.state = self._context.depends_on, state
        self._context = Context(state)
        self._context.depends_on = depends_on
        claims = self._mismatches(entry) if entry.claims else ()
        return Step(entry.n, entry, "claim_mismatch" if claims else "ok", claims=claims)

    def state_at(self, n: int) -> State:
        """Return the state after entry `n` (0: before the first), rebuilt from the nearest checkpoint.

        Raises Malformed `no_such_move` if `n` lies beyond the log, or beyond the entry that stopped the replay.
        """
        if n < 0:
            raise Malformed("no_such_move", "moves are counted from 1; 0 is the set-up", n=n)
        while len(self.steps) < n and self._advance():
            pass
        reached = len(self.steps) - (self.stopped is not None)
        if n > reached:
            raise Malformed("no_such_move", f"there is a board after moves 0 to {reached}", n=n)
        if not self._kept:
            raise Malformed("no_such_move", "this replay keeps no boards", n=n)
        nearest, kept = self._kept[bisect_right(self._kept, n, key=lambda item: item[0]) - 1]
        state = kept.copy()
        # The events of each step are stored, so nothing is checked or decided again.
        for step in self.steps[nearest:n]:
            for event in step.events:
                apply(state, event)
        return state

    def board_at(self, n: int, seat: str | None = views.JUDGE) -> dict[str, Any]:
        """Return the board after entry `n` as `views.board` gives it, for a judge unless `seat` says otherwise."""
        return views.board(self.state_at(n), self.catalog, seat)


def outcome_of(reasons: Sequence[Violation], ruleset: Ruleset) -> str:
    """Return the outcome of a move with these reasons against it.

    `impossible` takes precedence over `illegal`; it is `unverified` if only facts are missing.
    """
    rules = [ruleset.book.rules[reason.rule] for reason in reasons if not isinstance(reason, Missing)]
    if not rules:
        return "unverified"
    return "impossible" if any(rule.outcome == "impossible" for rule in rules) else "illegal"
