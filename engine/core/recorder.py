"""The recorder's gate: a game while it is played. Nothing enters its log that the rules refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from engine.core import partial, views
from engine.core.agenda import open_window
from engine.core.context import Context
from engine.core.doubt import Doubts
from engine.core.errors import EngineError, Malformed, Missing, Violation
from engine.core.events import Event, undo
from engine.core.game import Move
from engine.core.log import MAX_BYTES, MAX_MOVES, Entry, Header, Log, canonical, forms, parse, parse_entry, read
from engine.core.replay import GOES_ON, CatalogSource, Replay, Step
from engine.core.rulebook import Rulebook
from engine.core.state import Outcome, State
from engine.core.words import Words, cards_at, names_of


class Refusal(EngineError):
    """An entry the rules do not let through, with every reason.

    `outcome` is `illegal`, `impossible`, or `unverified` where only facts of a declared position are missing:
    `missing` says which to ask for. `violations` are the rules it breaks.
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
        """The sentence of each violation, in "fr", "en" or "it", with the names of its cards."""
        words = Words(lang, self._terms.game, names_of(self._terms.cards, lang), self._at)
        return [words.sentence(self._book, violation) for violation in self.violations]


class _Unknown:
    """A dealer who knows no card."""

    window = False

    def pick(self, options: Sequence[Any]) -> Any:
        """The first option."""
        return options[0]

    def deal(self, unseen: Mapping[str, int], count: int) -> list[str]:
        """As many unknown cards as there are."""
        return ["?"] * min(count, sum(unseen.values()))


class _Before(NamedTuple):
    """What one entry changes of a replay, as it was before: the way back costs no more than the way there."""

    linked: tuple[int, bytes]
    leaned: int
    state: State
    partial: bool
    doubts: Doubts
    inverses: Sequence[Event]


class _Live(Replay):
    """A replay whose log grows and shrinks by one entry at a time, and gives back the entry it stops at."""

    def __init__(self, header: Header, catalogs: Sequence[CatalogSource]) -> None:
        super().__init__(Log(header, []), catalogs=catalogs)
        self._befores: list[_Before] = []

    def push(self, entry: Entry) -> Step:
        """Play one more entry. One that stops the replay is taken out again and leaves no trace."""
        if entry.resp and self.steps:
            return self._respond(entry)
        if entry.do == "back_to" and type(entry.args.get("n")) is int and 0 <= entry.args["n"] <= len(self.steps):
            self._targets[entry.args["n"]] = self.state_at(entry.args["n"])
        return self._pushed(entry)

    def _respond(self, entry: Entry) -> Step:
        """The last entry opens a window only where a response follows: it is made again with this one behind it."""
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
        linked, leaned, played, doubts = self._linked, len(ctx.leaned), self._played, self._doubts
        self._grow(entry)
        self._advance()
        step = self.steps[-1]
        if _refused(step):
            self.steps.pop()
            self._shrink()
            self._linked, self._played, self._doubts, self.stopped = linked, played, doubts, None
            self._forget(leaned)
        else:
            inverses = ctx.inverses if self.state is state else ()
            self._befores.append(_Before(linked, leaned, state, partial, doubts, inverses))
        return step

    def responses(self) -> list[Move]:
        """What may answer the last entry: it is made again with a window, looked at, and made as it was."""
        if not self.steps or self.steps[-1].entry.do in partial.JUMPS:
            return []
        before = self._back()
        self._responses.append(before.n + 1)
        opened = not _refused(self._pushed(before)) and open_window(self.state)
        found = [move for move in self.game.candidates(self.state) if move.do in self.game.responses] if opened else []
        self._responses.pop()
        if len(self.steps) == before.n:
            self._back()
        self._pushed(before)
        return found

    def pop(self) -> Entry:
        """Take the last entry out again, and with a response the window it was made in."""
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
            leaned, self._context = self._context.leaned, Context(before.state)
            self._context.leaned = leaned
        if self._kept and self._kept[-1][0] == self._played:
            self._kept.pop()
        self._shrink()
        self._linked, self.partial, self._played = before.linked, before.partial, self._played - 1
        self._doubts = before.doubts
        self._forget(before.leaned)
        return entry

    def _grow(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._forms.append(forms([entry])[0])

    def _shrink(self) -> None:
        self.entries.pop()
        self._forms.pop()

    def _forget(self, leaned: int) -> None:
        """Keep the first `leaned` interpretations leaned on."""
        self._context.leaned = dict.fromkeys(islice(self._context.leaned, leaned))

    @property
    def entries(self) -> list[Entry]:
        """The entries of the log, which grows in place."""
        found = self.log.entries
        assert isinstance(found, list)
        return found


def _refused(step: Step) -> bool:
    return step.outcome not in GOES_ON or bool(step.violations)


class OpenGame:
    """A live game: lists the legal moves, accepts one or refuses it with all reasons, undoes the last.

    Its log is that of an audit: `audit(game.log())` says `unfinished`, then `confirmed` once the game is over. Bounds
    are those of a log: 20,000 entries, 8 MiB. `open_game` makes one.
    """

    def __init__(self, header: bytes | str | Mapping[str, Any], *, catalogs: Sequence[CatalogSource] = ()) -> None:
        document = read(header)
        if not isinstance(document, Mapping):
            raise Malformed("wrong_type", "a header is an object")
        log = parse({**document, "moves": document.get("moves", [])})
        # Read again from its text, so that nobody can change it from outside.
        self._header = parse(canonical({**log.header.raw, "moves": []})).header
        self._sizes = [len(canonical(self._header.raw))]
        self._replay = _Live(self._header, catalogs)
        for entry in log.entries:
            self.accept(entry.raw)

    def __len__(self) -> int:
        """How many entries the log has."""
        return len(self._replay.log.entries)

    @property
    def result(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._replay.state.result

    @property
    def digest(self) -> str:
        """The digest of the chain after the last entry, in hexadecimal; an `h` carries that of its own entry."""
        return self._replay.digest

    @property
    def steps(self) -> tuple[Step, ...]:
        """What became of each entry, in order."""
        return tuple(self._replay.steps)

    def legal_moves(self, seat: str | None = None) -> list[dict[str, Any]]:
        """Every move a seat may make now ("table" and "judge" too; None for all), as `{by, do, args}`.

        Chance is left open: whoever writes the move adds its `chance`. What is always allowed (concede, a ruling and
        their like) is not listed.
        """
        game, state = self._replay.game, self._replay.state
        verbs = game.verbs()
        return [
            {"by": move.by, "do": move.do, "args": _plain(move.args)}
            for move in game.candidates(state)
            if (seat is None or move.by == seat) and not (state.unknown and verbs[move.do].check(state, move))
        ]

    def responses(self) -> list[dict[str, Any]]:
        """The moves that respond to the last entry where its window is used: their entries carry `"resp": true`."""
        return [{"by": move.by, "do": move.do, "args": _plain(move.args)} for move in self._replay.responses()]

    def chance_of(self, move: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The chance that one of `legal_moves` needs, as its entry writes it where nobody knows a card: "?" for each
        card, the first option of a choice. Empty where it needs none, or where only known cards tell.
        """
        game, state = self._replay.game, self._replay.state
        wanted = move["by"], move["do"], move.get("args") or {}
        found = (each for each in game.candidates(state) if (each.by, each.do, _plain(each.args)) == wanted)
        candidate = next(found, None)
        if candidate is None:
            return []
        try:
            closed = game.verbs()[candidate.do].close(state, candidate, _Unknown())
        except (EngineError, KeyError):  # it looks into cards that nobody knows
            return []
        return [{kind: list(value) if isinstance(value, tuple) else value} for kind, value in closed.chance or ()]

    def accept(self, entry: bytes | str | Mapping[str, Any]) -> Step:
        """Make a move: an entry of a log, in which `n` may be left out.

        Returns what became of it; a claim that is not so and an effect that needs a ruling do not stop a game. Raises
        Refusal with all reasons where a rule forbids it, and the EngineError that says why where it cannot be read
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
        """Play one more entry, or raise what refuses it."""
        step = self._replay.push(entry)
        if step.error is not None:
            raise step.error
        if _refused(step):
            raise Refusal(entry.n, step.outcome, step.violations, self._replay.ruleset.book, self._replay.state)
        return step

    def undo(self) -> dict[str, Any]:
        """Take the last entry out, and return it, so that it can be accepted again; as quick in a long game as early.

        Raises Malformed `no_such_move` before the first entry.
        """
        if not len(self):
            raise Malformed("no_such_move", "there is no entry to undo", n=0)
        self._sizes.pop()
        return _plain(self._replay.pop().raw)

    def log(self) -> bytes:
        """The log up to here in canonical JSON, as `audit` and `Replay` read it."""
        return canonical({**self._header.raw, "moves": [entry.raw for entry in self._replay.log.entries]})

    def board(self, seat: str | None = views.JUDGE) -> dict[str, Any]:
        """The board now, as a judge sees it unless a seat is named (None: the public)."""
        return views.board(self._replay.state, self._replay.catalog, seat)


def open_game(header: bytes | str | Mapping[str, Any], *, catalogs: Sequence[CatalogSource] = ()) -> OpenGame:
    """A live game under the header of a log (its `moves`, where it has some, are accepted first).

    `catalogs`: Catalog objects or their JSON, beside those shipped. Raises EngineError for a header that cannot be
    read, and Refusal for a first illegal move.
    """
    return OpenGame(header, catalogs=catalogs)


def _copied(entry: bytes | str | Mapping[str, Any], n: int) -> dict[str, Any]:
    """The entry as a value of its own, numbered, within the bounds it will have in the log."""
    raw = read(entry)
    if not isinstance(raw, Mapping):
        raise Malformed("wrong_type", "an entry is an object", path=f"moves[{n - 1}]", n=n)
    copied: dict[str, Any] = read(canonical({"moves": [{"n": n, **raw}]}))["moves"][0]
    return copied


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
