"""The recorder: a game recorded while it is played. It accepts only entries that the rules allow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from engine.core.cards.catalog import Catalog
from engine.core.replay.doubt import Doubts
from engine.core.replay.replay import GOES_ON, CatalogSource, Replay
from engine.core.shown import views
from engine.core.shown.listing import MOST_TRIED, MOST_WAYS, Listing, listing
from engine.core.shown.words import Words, cards_at, names_of
from engine.core.table.agenda import open_window
from engine.core.table.chance import Dealer
from engine.core.table.chance_questions import Question, Told
from engine.core.table.context import Context
from engine.core.table.events import Event, undo
from engine.core.table.game import Move, Wanted
from engine.core.table.log import (
    JUMPS,
    MAX_BYTES,
    MAX_MOVES,
    Entry,
    Header,
    Log,
    canonical,
    forms,
    parse,
    parse_entry,
    read,
)
from engine.core.table.state import Outcome, State
from engine.core.table.step import Step
from engine.core.text.errors import EngineError, Malformed, Missing, Violation
from engine.core.text.rulebook import Rulebook

Found = TypeVar("Found")


class Refusal(EngineError):
    """An entry that the rules refuse, with every reason.

    `outcome` is `illegal`, `impossible`, or `unverified` if only facts that a declared position leaves out stand in the
    way. `violations` are the rules the entry breaks, `missing` the facts to ask the table for.
    """

    def __init__(self, n: int, outcome: str, reasons: Sequence[Violation], book: Rulebook, state: State) -> None:
        rules = ", ".join(dict.fromkeys(reason.rule for reason in reasons))
        super().__init__("refused_move", f"entry {n} is refused: {rules}"[:400], path=f"moves[{n - 1}]", n=n)
        self.verdict = outcome
        self.outcome = outcome
        self.violations = tuple(reason for reason in reasons if not isinstance(reason, Missing))
        self.missing = tuple(reason for reason in reasons if isinstance(reason, Missing))
        self._book = book
        self._terms = state.terms
        self._at = cards_at(state, [violation.args for violation in self.violations])

    def messages(self, lang: str = "en") -> list[str]:
        """Return one sentence for each violation, in "fr", "en" or "it", with the names of its cards."""
        words = Words(lang, self._terms.game, names_of(self._terms.cards, lang), self._at)
        return [words.sentence(self._book, violation) for violation in self.violations]


class Offer(NamedTuple):
    """Legal moves as `{by, do, args}`, and whether there are more."""

    moves: list[dict[str, Any]]
    more: bool


class _Unknown:
    """A dealer that knows no card: it deals "?" and picks the first option."""

    window = False

    def pick(self, options: Sequence[Any], kind: str = "pick") -> Any:
        """Return the first option."""
        return options[0]

    def deal(self, unseen: Mapping[str, int], count: int, kind: str = "draw") -> list[str]:
        """Return `count` unknown cards, or as many as are left."""
        return ["?"] * min(count, sum(unseen.values()))


class _Before(NamedTuple):
    """The state of a replay before an entry, so that undoing the entry costs no more than making it."""

    linked: tuple[int, bytes]
    dependencies: int
    state: State
    partial: bool
    doubts: Doubts
    inverses: Sequence[Event]


class _Live(Replay):
    """A replay whose log grows and shrinks one entry at a time. An entry that stops it is taken out again."""

    def __init__(self, header: Header, catalogs: Sequence[CatalogSource]) -> None:
        super().__init__(Log(header, []), catalogs=catalogs)
        self._befores: list[_Before] = []

    def push(self, entry: Entry) -> Step:
        """Play one more entry. An entry that is refused leaves no trace."""
        if entry.resp and self.steps:
            return self._respond(entry)
        # A whole log says beforehand which states its take-backs need; here the need only shows with the take-back.
        if entry.do == "back_to" and type(entry.args.get("n")) is int and 0 <= entry.args["n"] <= len(self.steps):
            self._targets[entry.args["n"]] = self.state_at(entry.args["n"])
        return self._pushed(entry)

    def _respond(self, entry: Entry) -> Step:
        """Play an entry that responds to the last one.

        A window opens only if the log says that a response follows, so the last entry is played again, this time with
        its window. If the response is refused, the last entry is played once more without it.
        """
        before = self._back()
        self._responses.append(entry.n)
        step = self._pushed(before)
        if not _refused(step):
            step = self._pushed(entry)
        if _refused(step):
            self._responses.pop()
            if len(self.steps) == before.n:
                self._back()
            self._pushed(before)
        return step

    def _pushed(self, entry: Entry) -> Step:
        ctx, state, partial = self._context, self.state, self.partial
        ctx.begin()
        ctx.window = False
        linked, dependencies, played, doubts = self._linked, len(ctx.depends_on), self._played, self._doubts
        self._grow(entry)
        self._advance()
        step = self.steps[-1]
        if _refused(step):
            self.steps.pop()
            self._shrink()
            self._linked, self._played, self._doubts, self.stopped = linked, played, doubts, None
            self._forget(dependencies)
        else:
            # After a gap or a take-back the state is another object; the old one is kept and needs no inverse events.
            inverses = ctx.inverses if self.state is state else ()
            self._befores.append(_Before(linked, dependencies, state, partial, doubts, inverses))
        return step

    def in_window(self, look: Callable[[], Found]) -> Found | None:
        """Return what `look` finds while the last entry awaits responses, and leave the replay as it was.

        The last entry is played again with its window open, and then as before. None if no window opens.
        """
        if not self.steps or self.steps[-1].entry.do in JUMPS:
            return None
        before = self._back()
        self._responses.append(before.n + 1)
        opened = not _refused(self._pushed(before)) and open_window(self.state)
        try:
            return look() if opened else None
        finally:
            self._responses.pop()
            if len(self.steps) == before.n:
                self._back()
            self._pushed(before)

    def pop(self) -> Entry:
        """Take out the last entry, and with a response also the window it was made in."""
        entry = self._back()
        if entry.resp and self._responses and self._responses[-1] == entry.n:
            self._responses.pop()
            if self.steps:
                self._pushed(self._back())
        return entry

    def _back(self) -> Entry:
        before, entry = self._befores.pop(), self.steps.pop().entry
        if self.state is before.state:
            undo(self.state, list(before.inverses))
        else:
            self.state = before.state
            depends_on, self._context = self._context.depends_on, Context(before.state)
            self._context.depends_on = depends_on
        # A state kept after the entry that is taken out would be given as the board of another entry later.
        if self._kept and self._kept[-1][0] == self._played:
            self._kept.pop()
        self._shrink()
        self._linked, self.partial, self._played = before.linked, before.partial, self._played - 1
        self._doubts = before.doubts
        self._forget(before.dependencies)
        return entry

    def _grow(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._forms.append(forms([entry])[0])

    def _shrink(self) -> None:
        self.entries.pop()
        self._forms.pop()

    def _forget(self, dependencies: int) -> None:
        """Keep only the first `dependencies` interpretations that the game depended on."""
        # A move only ever adds at the end, so the first ones are those from before the move.
        self._context.depends_on = dict.fromkeys(islice(self._context.depends_on, dependencies))

    @property
    def entries(self) -> list[Entry]:
        """The entries of the log, a list that grows in place."""
        found = self.log.entries
        assert isinstance(found, list)
        return found


def _refused(step: Step) -> bool:
    return step.outcome not in GOES_ON or bool(step.violations)


class OpenGame:
    """A game in progress: lists the legal moves, accepts a move or refuses it with all reasons, undoes the last one.

    Use `open_game` to make one. Its log is the one an audit reads: `audit(game.log())` says `unfinished`, then
    `confirmed` once the game is over. The limits are those of any log: 20,000 entries and 8 MiB.

        game = open_game(header)
        game.accept(game.legal_moves("table")[0] | {"chance": [{"first_player": "A"}]})
        game.undo()
    """

    def __init__(self, header: bytes | str | Mapping[str, Any], *, catalogs: Sequence[CatalogSource] = ()) -> None:
        document = read(header)
        if not isinstance(document, Mapping):
            raise Malformed("wrong_type", "a header must be an object")
        log = parse({**document, "moves": document.get("moves", [])})
        # Read again from its text: the game must not change when the caller changes the mapping it passed.
        self._header = parse(canonical({**log.header.raw, "moves": []})).header
        # The size of the log after each entry, so that its limit can be checked without writing it out at every move.
        self._sizes = [len(canonical(self._header.raw))]
        self._replay = _Live(self._header, catalogs)
        for entry in log.entries:
            self.accept(entry.raw)

    def __len__(self) -> int:
        """The number of entries in the log."""
        return len(self._replay.log.entries)

    @property
    def catalog(self) -> Catalog:
        """The cards that the game is played with."""
        return self._replay.catalog

    @property
    def result(self) -> Outcome | None:
        """How the game ended, or None if it is not over."""
        return self._replay.state.result

    @property
    def digest(self) -> str:
        """The digest of the hash chain after the last entry, in hexadecimal.

        The `h` of an entry is the digest that includes it.
        """
        return self._replay.digest

    @property
    def steps(self) -> tuple[Step, ...]:
        """The outcome of each entry, in order."""
        return tuple(self._replay.steps)

    def moves(self, seats: Collection[str] | None = None, *, responding: bool = False) -> Offer:
        """Return the moves that these seats may make now (None: all), and whether there are more.

        With `responding`, the moves that may respond to the last entry, in its window; their entries need
        `"resp": true`.

        `seats` may contain "table". Chance is left open: the caller adds it as `chance`. Entries that are always
        allowed (`concede`, a ruling and the like) are not listed. The list has an end: see `engine.core.shown.listing`.
        """
        game = self._replay.game
        if not responding:
            return _offer(listing(game, self._replay.state, seats))
        found = self._replay.in_window(lambda: listing(game, self._replay.state, seats, game.responses))
        return Offer([], False) if found is None else _offer(found)

    def legal_moves(self, seat: str | None = None) -> list[dict[str, Any]]:
        """Return the `moves` of one seat, or of all."""
        return self.moves(None if seat is None else (seat,)).moves

    def responses(self) -> list[dict[str, Any]]:
        """Return the `moves` that may respond to the last entry."""
        return self.moves(responding=True).moves

    def chance_of(self, move: Mapping[str, Any], dealer: Dealer | None = None) -> list[dict[str, Any]]:
        """Return the chance that a move of `legal_moves` needs, in the form of a log entry.

        It comes from `dealer`. Without one, cards are "?", and of the options of a choice the first is given. The list
        is empty if the move needs no chance, or if only known cards could tell.
        """
        game, state = self._replay.game, self._replay.state
        candidate = self._candidate(move)
        if candidate is None:
            return []
        try:
            closed = game.verbs()[candidate.do].close(state, candidate, dealer or _Unknown())
        except (EngineError, KeyError):  # the move depends on cards that nobody has identified
            return []
        return [{kind: list(value) if isinstance(value, tuple) else value} for kind, value in closed.chance or ()]

    def complete(
        self, move: Mapping[str, Any], answers: Sequence[Sequence[Any]] = ()
    ) -> tuple[Question | None, dict[str, Any]]:
        """Ask for the chance of a move of `legal_moves` or `responses`, one question at a time.

        `answers` are the answers so far, a list of values for each question. Returns the next question and the move, or
        None and the entry with its chance, once nothing is left to ask. Nothing of it is guessed: see `told.Question`.
        A response has `"resp": True`. Raises Malformed `missing_chance` for an answer that is not possible.
        """
        if move.get("resp"):
            question, entry = self._replay.in_window(lambda: self._complete(move, answers)) or (None, _entry(move))
            return question, {**entry, "resp": True}
        return self._complete(move, answers)

    def _complete(
        self, move: Mapping[str, Any], answers: Sequence[Sequence[Any]]
    ) -> tuple[Question | None, dict[str, Any]]:
        game, state = self._replay.game, self._replay.state
        candidate = self._candidate(move)
        if candidate is None:
            return None, _entry(move)
        told = Told(answers)
        try:
            closed = game.verbs()[candidate.do].close(state, candidate, told)
        except (EngineError, KeyError):
            # What is not told yet may decide whether an effect can go on: first it is asked.
            if told.question is None:
                raise
            return told.question, _entry(move)
        if told.question is not None:
            return told.question, _entry(move)
        chance = [{kind: list(value) if isinstance(value, tuple) else value} for kind, value in closed.chance or ()]
        entry = _entry({"by": move["by"], "do": move["do"], "args": _plain(closed.args)})
        return None, {**entry, **({"chance": chance} if chance else {})}

    def _candidate(self, move: Mapping[str, Any]) -> Move | None:
        """Return a legal move with its chance open, given as `{by, do, args}`, whether it is listed or not."""
        game, state = self._replay.game, self._replay.state
        by, do, args = move["by"], move["do"], move.get("args") or {}
        for found in islice(game.candidates(state, Wanted((by,), (do,), MOST_WAYS)), MOST_TRIED):
            if _plain(found.args) == args:
                return found
        verb = game.verbs().get(do)
        if verb is None:
            return None
        try:
            # Number 0 is that of a question, which may leave its chance open.
            read = verb.parse(state, parse_entry({"by": by, "do": do, "args": args}))
            return None if verb.check(state, read) else Move(by, do, read.args)
        except EngineError:
            return None

    def accept(self, entry: bytes | str | Mapping[str, Any]) -> Step:
        """Play a move, given as a log entry, in which `n` may be left out.

        Returns the outcome. A claim that does not match and an effect that needs a ruling do not stop a game. Raises
        Refusal with all reasons if a rule forbids the move, and another EngineError if the entry cannot be read
        (`too_many_moves` and `too_large` once the log is full). A refused entry changes nothing.
        """
        n = len(self) + 1
        if n > MAX_MOVES:
            raise Malformed("too_many_moves", f"more than {MAX_MOVES} entries", path="moves")
        raw = _copied(entry, n)
        size = self._sizes[-1] + len(canonical(raw)) + 1
        if size > MAX_BYTES:
            raise Malformed("too_large", f"the log is larger than {MAX_BYTES} bytes", path="moves", n=n)
        step = self._made(parse_entry(raw, n))
        self._sizes.append(size)
        return step

    def _made(self, entry: Entry) -> Step:
        """Play one more entry. Raises what refuses it."""
        step = self._replay.push(entry)
        if step.error is not None:
            raise step.error
        if _refused(step):
            raise Refusal(entry.n, step.outcome, step.violations, self._replay.ruleset.book, self._replay.state)
        return step

    def undo(self) -> dict[str, Any]:
        """Take out the last entry and return it, ready to be accepted again.

        The cost does not grow with the length of the log. Raises Malformed `no_such_move` if there is no entry.
        """
        if not len(self):
            raise Malformed("no_such_move", "there is no entry to undo", n=0)
        self._sizes.pop()
        return _plain(self._replay.pop().raw)

    def log(self) -> bytes:
        """Return the log so far in canonical JSON, as `audit` and `Replay` read it."""
        return canonical({**self._header.raw, "moves": [entry.raw for entry in self._replay.log.entries]})

    def board_at(self, n: int, seat: str | None = views.JUDGE) -> dict[str, Any]:
        """Return the board after entry `n` (0: before the first). Raises Malformed `no_such_move`."""
        return self._replay.board_at(n, seat)

    def board(self, seat: str | None = views.JUDGE) -> dict[str, Any]:
        """Return the current board as `views.board` gives it: for a judge by default, a seat, or the public (None)."""
        return views.board(self._replay.state, self._replay.catalog, seat)


def open_game(header: bytes | str | Mapping[str, Any], *, catalogs: Sequence[CatalogSource] = ()) -> OpenGame:
    """Open a game under the header of a log. If the header has `moves`, they are accepted first.

    `catalogs` are Catalog objects or their JSON, in addition to those shipped. Raises EngineError if the header cannot
    be read, and Refusal for the first of its moves that the rules refuse.

    >>> from engine.core.replay.selfplay import play
    >>> log = play("star-safir", 7)
    >>> game = open_game({**log, "moves": []})
    >>> game.accept(log["moves"][0]).outcome
    'ok'
    >>> len(game), game.result  # one entry, and the game goes on
    (1, None)
    """
    return OpenGame(header, catalogs=catalogs)


def _copied(entry: bytes | str | Mapping[str, Any], n: int) -> dict[str, Any]:
    """Return the entry as a value of its own, numbered, and within the limits of a log."""
    raw = read(entry)
    if not isinstance(raw, Mapping):
        raise Malformed("wrong_type", "an entry must be an object", path=f"moves[{n - 1}]", n=n)
    copied: dict[str, Any] = read(canonical({"moves": [{"n": n, **raw}]}))["moves"][0]
    return copied


def _entry(move: Mapping[str, Any]) -> dict[str, Any]:
    """Return a move as a log entry without chance."""
    return {"by": move["by"], "do": move["do"], **({"args": dict(move["args"])} if move.get("args") else {})}


def _offer(found: Listing) -> Offer:
    return Offer([{"by": move.by, "do": move.do, "args": _plain(move.args)} for move in found.moves], found.more)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
