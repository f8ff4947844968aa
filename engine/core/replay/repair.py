"""Repairs: the smallest change to a log after which the entry that stopped its audit is legal.

An entry is refused either because a player broke a rule, or because the log is not what was played: an entry was left
out, written twice, written before the one that came first, or names the wrong slot, copy or card. `repairs` tries such
changes at the refused entry and a little before it, plays the rest of the log after each of them, and returns the few
that explain it best. A repair is a possible reading of the log, not a proof.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.core.replay.doubt import Doubts
from engine.core.replay.replay import Replay
from engine.core.shown.listing import listing
from engine.core.table.context import Context
from engine.core.table.game import Move, Verb
from engine.core.table.header import CatalogSource
from engine.core.table.log import JUMPS, Entry, Log, parse, parse_entry
from engine.core.table.state import State
from engine.core.text.errors import EngineError

# The search is bounded by the number of entries played, not by time: the same log always gives the same repairs.
NEAR, FAR = 24, 60  # entries before the refused one where changes are tried: at first, and if those explain too little
NOTED = 12  # entries before the first wrong claim where changes are tried
BUDGET = 6_000  # entries played to try changes near the refused one, and as many again for those further back
LISTING = 4  # cost of listing the legal moves of a position, in entries played
FOLLOWED = 60  # changes followed beyond the refused entry; their number is halved at every stage, down to LEAST
LEAST = 3
STRIDE = 4  # the first stage ends this many entries after the refused one, each further stage four times as far
FURTHER = 20_000  # entries played in all stages together
WORLDS = 10  # answers that one trial may try for facts that a declared position leaves out
OPEN = 4  # cost of trying one such answer, or of playing an entry while such facts are open, in entries played
CLOSINGS = 6  # ways to fill in the chance of one entry
OFFERED = 3  # repairs in one report

# The cost of a change, by what was written wrong: likelier slips are cheaper. A routine entry that carries no decision
# is easily left out, a wrong place is easily written, a wrong card less so.
ROUTINE, PLACE, HIDDEN, CHANCE, DECISION, CARD, OTHER = 0, 1, 1, 2, 2, 3, 9

Args = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Repair:
    """One change to a log, and how the log goes on after it.

    - `kind`: `missing` (an entry was left out), `doubled` (written twice), `swapped` (written before the one that came
      first), `aimed` (it names the wrong slot, copy or card), `drawn` (its chance is wrong), `response` (its `resp` is
      wrong) or `misnumbered` (its `n` is wrong).
    - `n`: the entry that changes. For a missing entry, the number it gets; for a doubled one, the second of the two;
      for two swapped entries, the first.
    - `entry`: how that entry reads after the change, None if it is removed. "?" stands for cards nobody knows; cards
      that an entry must name are a guess.
    - `legal`: how many entries of the log, from the refused one on, are legal after the change.
    - `reaches_end`: whether all of them are.
    - `contradicted`: how many facts noted in the log, the claimed result included, are wrong after the change.
    - `supported`: whether the rest of the log speaks for the change, that is, goes on better than it does with the
      refused entry simply left out.
    """

    kind: str
    n: int
    entry: Mapping[str, Any] | None
    legal: int
    reaches_end: bool
    contradicted: int
    supported: bool


class LazyRepairs:
    """The repairs of a log. The search runs when somebody first asks for them."""

    def __init__(self, search: Callable[[], tuple[Repair, ...]]) -> None:
        self._search = search

    @cached_property
    def found(self) -> tuple[Repair, ...]:
        """At most three repairs, best first."""
        return self._search()


def repairs(log: Log, *, catalogs: Sequence[CatalogSource] = ()) -> tuple[Repair, ...]:
    """Return the changes that make the entry legal at which the audit of a log stops: at most three, best first.

    A change that explains less than leaving the entry out is not offered. The work is bounded: some 12,000 entries are
    played to try changes, and 20,000 to follow the best of them.
    """
    return _Search(log, catalogs).found()


def renumbered(document: Mapping[str, Any], n: int, *, catalogs: Sequence[CatalogSource] = ()) -> tuple[Repair, ...]:
    """Return the repair of a log that cannot be read because entry `n` has the wrong number; none if that is not all.

    `document` is the log as JSON values.
    """
    moves = [{**raw, "n": number} for number, raw in enumerate(document["moves"], 1)]
    try:
        replay = Replay(parse({**document, "moves": moves}), catalogs=catalogs, keep=False)
    except EngineError:
        return ()
    contradicted = 0
    while (step := replay.step()) is not None and step is not replay.stopped:
        contradicted += len(step.claims)
    if replay.stopped is not None:
        return ()
    contradicted += _wrong_result(replay)
    return (Repair("misnumbered", n, moves[n - 1], len(moves) - n + 1, True, contradicted, True),)


def repaired(document: Mapping[str, Any], repair: Repair) -> dict[str, Any]:
    """Return the log, as JSON values, with a repair applied: entries renumbered, hashes removed."""
    entries = [parse_entry({**raw, "n": number}, number) for number, raw in enumerate(document["moves"], 1)]
    new = [] if repair.entry is None else [parse_entry({**repair.entry, "n": repair.n}, repair.n)]
    if repair.kind == "swapped":
        new.append(entries[repair.n - 1])
    dropped = {"missing": 0, "swapped": 2}.get(repair.kind, 1)
    made = _Spliced(entries, _Change(repair.kind, repair.n, tuple(new), dropped, 0))
    return {**document, "moves": [_raw(entry) for entry in made]}


class _Point(NamedTuple):
    """A position that a trial can start from: after entry `n`, with the number of claims contradicted so far."""

    n: int
    state: State
    doubts: Doubts
    contradicted: int


class _Change(NamedTuple):
    """A change to try: `entries` in place of `dropped` entries of the log, from number `n` on.

    `cost` is smaller for a likelier slip. `move` is the move of its first entry if its chance may have to be filled in,
    `like` the entry it replaces, `back` how many entries before it must be played again.
    """

    kind: str
    n: int
    entries: tuple[Entry, ...]
    dropped: int
    cost: int
    move: Move | None = None
    like: Entry | None = None
    back: int = 0

    @property
    def shift(self) -> int:
        """By how much the numbers of the entries after it change."""
        return len(self.entries) - self.dropped

    def responses(self, numbers: Sequence[int]) -> list[int]:
        """Return the numbers of the entries that are responses after the change; `numbers` are those before it."""
        after = self.n + self.dropped
        kept = [n + self.shift if n >= after else n for n in numbers if not self.n <= n < after]
        return [*kept, *(n for n, entry in enumerate(self.entries, self.n) if entry.resp)]

    # The number of a missing entry is left out as well: before or after its neighbor, it often makes the same game.
    @property
    def says(self) -> str:
        """What it changes, whatever slot or place it names. Of changes that say the same, only one is offered."""
        if self.move is None:
            return f"{self.kind} {self.n}"
        place = "" if self.kind == "missing" else self.n
        return f"{self.kind} {place} {self.move.by} {self.move.do} {_unplaced(self.entries[0].args)}"


class _Spliced(Sequence[Entry]):
    """The entries of a log with a change made, renumbered as they are read."""

    def __init__(self, entries: Sequence[Entry], change: _Change) -> None:
        self.entries = entries
        self.change = change
        self.new = [_numbered(entry, number, 0, 0) for number, entry in enumerate(change.entries, change.n)]

    def __len__(self) -> int:
        return len(self.entries) + self.change.shift

    def __getitem__(self, index: Any) -> Any:
        change = self.change
        start = change.n - 1
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index < start:
            return self.entries[index]
        if index < start + len(self.new):
            return self.new[index - start]
        return _numbered(self.entries[index - change.shift], index + 1, change.n, change.shift)


class _Trial(Replay):
    """A replay that continues from a position of another replay, with a change to the log."""

    def __init__(self, base: Replay, point: _Point, change: _Change) -> None:
        # `Replay.__init__` would set the game up again; everything that a trial does not replace below is shared.
        self.__dict__.update(vars(base))
        self.change = change
        self.contradicted = point.contradicted
        self.judged = False  # whether `contradicted` includes the claimed result
        self.log = Log(base.log.header, _Spliced(base.log.entries, change))
        self.state = point.state.copy()
        self.stopped = None
        self._context = Context(self.state)
        self._doubts = point.doubts
        self._played = point.n
        self._worlds = min(self._worlds, WORLDS)
        self._responses = change.responses(base._responses)
        self._targets = {
            (n + change.shift if n >= change.n else n): (state if n <= point.n else None)
            for n, state in base._targets.items()
        }
        if point.n in self._targets:
            self._targets[point.n] = point.state

    @property
    def reached(self) -> int:
        """How many entries of the original log have been played or dropped."""
        return self._played - self.change.shift

    @property
    def through(self) -> bool:
        """Whether every entry to the end of the log was legal."""
        return self.stopped is None and self._played >= len(self.log.entries)

    @property
    def whole(self) -> bool:
        """Whether the change explains everything: legal to the end, and no fact noted in the log contradicts it."""
        return self.through and not self.contradicted

    def advance(self, reached: int) -> int:
        """Play on until `reached` entries of the original log are done or one is refused.

        Returns the cost, in entries.
        """
        cost, worlds = 0, self._worlds
        while self.reached < reached and (step := self.step()) is not None:
            cost += OPEN if self.state.unknown else 1
            if step is not self.stopped:
                self.contradicted += len(step.claims)
        return cost + OPEN * (worlds - self._worlds)


class _Blank:
    """A dealer for chance that nobody noted: it deals any cards that are left and picks the options a script says."""

    window = False

    def __init__(self, script: Sequence[int] = ()) -> None:
        self.script = script
        self.counts: list[int] = []  # how many options there were at each pick

    def pick(self, options: Sequence[Any], kind: str = "pick") -> Any:
        """Return the option that the script says, or the first one."""
        index = self.script[len(self.counts)] if len(self.counts) < len(self.script) else 0
        self.counts.append(len(options))
        return options[index]

    def deal(self, unseen: Mapping[str, int], count: int, kind: str = "draw") -> list[str]:
        """Deal the cards of which most copies are left, so that cards drawn later in the log are still possible."""
        cards = [(-left, ref) for ref in sorted(unseen) for left in range(unseen[ref], 0, -1)]
        return [ref for _left, ref in sorted(cards)[:count]]


class _Search:
    """One search: the positions around the refused entry, the changes tried, and those that made the entry legal.

    A slip may show before the refused entry, where a fact noted at the table does not match the board. So changes are
    tried near the refused entry and near the first such fact.
    """

    def __init__(self, log: Log, catalogs: Sequence[CatalogSource]) -> None:
        self.base = Replay(log, catalogs=catalogs, keep=False)
        self.entries = log.entries
        self.game = self.base.game
        self.verbs = self.game.verbs()
        self.n = 0  # the refused entry
        self.noted: int | None = None  # the first entry with a claim that does not match the board
        self.points: dict[int, _Point] = {}
        self.budget = BUDGET
        self.alive: list[_Trial] = []
        self.done: list[_Trial] = []
        self.listed: dict[int, dict[str, Move]] = {}

    def found(self) -> tuple[Repair, ...]:
        """Try the changes, follow those that make the refused entry legal, and return the best."""
        self._replay()
        if not self.n:
            return ()
        self._try_all(self._changes())
        if not any(trial.whole for trial in self.done):
            self.budget = BUDGET
            self._try_all(self._further())
        if not self.done:
            return ()
        without = self._without(max(trial.reached for trial in self.done))
        self.done = [trial for trial in self.done if _explained(trial) <= _explained(without)]
        best = islice(self._apart(), OFFERED)
        return tuple(self._repair(trial, _explained(trial) < _explained(without)) for trial in best)

    def _replay(self) -> None:
        """Play up to the refused entry, keeping the positions that a change may start from."""
        base, contradicted = self.base, 0
        kept: deque[_Point] = deque(maxlen=FAR)
        kept.append(_Point(0, base.state.copy(), base._doubts, 0))
        while (step := base.step()) is not None and step is not base.stopped:
            if step.entry.do in JUMPS:
                # A change before a gap or a take-back cannot be carried across it: the state after it is replaced.
                kept.clear()
                self.points, self.noted = {}, None
            elif step.claims and self.noted is None:
                self.noted = step.n
                self.points = {point.n: point for point in list(kept)[-NOTED:]}
            contradicted += len(step.claims)
            kept.append(_Point(step.n, base.state.copy(), base._doubts, contradicted))
        self.points |= {point.n: point for point in kept}
        stopped = base.stopped
        # A broken hash chain means that the file was altered, which is no slip of the person who kept the log.
        if stopped is not None and (stopped.error is None or stopped.error.code != "chain_broken"):
            self.n = stopped.n

    def _try_all(self, changes: Iterator[_Change]) -> None:
        """Try changes while the budget lasts, then follow those that make the refused entry legal."""
        for change in changes:
            if self.budget <= 0:
                break
            self._try(change)
        self._follow()

    def _try(self, change: _Change) -> None:
        """Make a change and play on, filling in its chance if need be."""
        trial = self._played(change)
        move = change.move
        if trial is None or move is None or trial.stopped is None or trial.stopped.n != change.n:
            return
        # Refused at the new entry itself: its chance may be all that is missing.
        for closed in closings(self.verbs[move.do], self.points[change.n - 1].state, move):
            self.budget -= 1
            if closed.chance:
                self._played(change._replace(entries=(as_entry(closed, change.n, change.like),)))

    def _played(self, change: _Change) -> _Trial | None:
        """Make a change and play up to the refused entry. If that entry is then legal, the change is followed later."""
        point = self.points.get(change.n - 1 - change.back)
        if point is None:
            return None
        trial = _Trial(self.base, point, change)
        if self.noted is not None and change.n <= self.noted:
            self.budget -= trial.advance(self.noted)
            if trial.contradicted and self.noted <= self.n - NEAR:
                return trial  # it was tried because of a wrong claim and does not put it right
        self.budget -= trial.advance(self.n)
        if trial.stopped is None and trial.reached >= self.n:
            self.alive.append(trial)
        return trial

    def _follow(self) -> None:
        """Play the log on after each change, dropping the worst changes on the way."""
        width, further, spent = FOLLOWED, STRIDE, 0
        while self.alive and spent < FURTHER:
            spent += sum(trial.advance(self.n + further) for trial in self.alive)
            going = [trial for trial in self.alive if trial.stopped is None and not trial.through]
            self.done += [trial for trial in self.alive if trial not in going]
            self.alive = sorted(going, key=_rank)[:width]
            width, further = max(LEAST, width // 2), further * STRIDE
        self.done += self.alive
        self.alive = []
        for trial in self.done:
            if trial.through and not trial.judged:
                trial.judged = True
                trial.contradicted += _wrong_result(trial)

    def _apart(self) -> Iterator[_Trial]:
        """Yield the changes that lead to different games, best first."""
        found: list[tuple[Any, ...]] = []
        for trial in sorted(self.done, key=_rank):
            game = (trial.change.says, _explained(trial), _shape(trial.state))
            if game not in found:
                found.append(game)
                yield trial

    def _without(self, reached: int) -> _Trial:
        """Play the log without the refused entry. A change must explain more than that."""
        trial = _Trial(self.base, self.points[self.n - 1], _Change("", self.n, (), 1, OTHER))
        trial.advance(reached)
        if trial.through:
            trial.contradicted += _wrong_result(trial)
        return trial

    def _repair(self, trial: _Trial, supported: bool) -> Repair:
        change = trial.change
        entry = {**_raw(change.entries[0]), "n": change.n} if change.entries else None
        legal = trial.reached - self.n + 1
        return Repair(change.kind, change.n, entry, legal, trial.through, trial.contradicted, supported)

    def _changes(self) -> Iterator[_Change]:
        """Yield the changes worth trying, likeliest first: at the refused entry, then further and further before it."""
        near = self._back(self.n, NEAR)
        for n in near:
            yield from self._at(n)
        yield from self._drawn()
        yield from self._response()
        for n in self._back(self.noted, NOTED) if self.noted is not None else ():
            if n not in near:
                yield from self._at(n)
                yield from self._missing(n, fresh=False)
        for n in near[1:]:
            yield from self._missing(n, fresh=False)

    def _further(self) -> Iterator[_Change]:
        """Yield the changes still further back, for when nothing near the refused entry explains the whole log."""
        for n in self._back(self.n, FAR)[NEAR:]:
            yield from self._at(n)

    def _back(self, last: int, count: int) -> list[int]:
        """Return the entries from `last` backwards at which a change can be tried."""
        return [n for n in range(last, last - count, -1) if n - 1 in self.points]

    def _at(self, n: int) -> Iterator[_Change]:
        """Yield the changes at entry `n`."""
        entries = self.entries
        if n > 1 and _same(entries[n - 2], entries[n - 1]):
            yield _Change("doubled", n, (), 1, ROUTINE)
        if n < len(entries):
            yield _Change("swapped", n, (entries[n], entries[n - 1]), 2, PLACE)
        yield from self._aimed(n)
        yield from self._missing(n, fresh=True)

    def _moves(self, n: int) -> dict[str, Move]:
        """Return the legal moves before entry `n`, by actor, verb and arguments."""
        found = self.listed.get(n)
        if found is None:
            self.budget -= LISTING
            moves = listing(self.game, self.points[n - 1].state).moves
            found = self.listed[n] = {f"{move.by} {move.do} {plain(move.args)}": move for move in moves}
        return found

    def _missing(self, n: int, fresh: bool) -> Iterator[_Change]:
        """Yield the legal moves that may have been left out before entry `n`.

        `fresh` selects the moves that can no longer be made after entry `n`; without it, those that still can.
        """
        later = self._moves(n + 1) if n < self.n and n in self.points else {}
        for key, move in self._moves(n).items():
            if (key not in later) == fresh:
                cost = HIDDEN if "?" in move.args.values() else DECISION if move.args else ROUTINE
                yield _Change("missing", n, (as_entry(move, n),), 0, cost, move)

    def _aimed(self, n: int) -> Iterator[_Change]:
        """Yield the legal moves that differ from entry `n` in one argument: a slot, copy or card named wrongly."""
        entry, state = self.entries[n - 1], self.points[n - 1].state
        if not entry.args or entry.do not in self.verbs:
            return
        readings = [dict(entry.args)]
        # The parsed arguments are a second reading: an entry may name a card by its ref, a legal move by its place.
        with suppress(EngineError):  # the entry may be unreadable, which is why it was refused
            readings.append(plain(self.verbs[entry.do].parse(state, entry).args))
        for move in self._moves(n).values():
            if move.do == entry.do and move.by == entry.by:
                other = plain(move.args)
                cost = min(_distance(reading, other, state.terms.cards) for reading in readings)
                if 0 < cost < OTHER:
                    yield _Change("aimed", n, (as_entry(move, n, entry),), 1, cost, move, entry)

    def _drawn(self) -> Iterator[_Change]:
        """Yield the refused entry with other chance than was noted."""
        n, entry = self.n, self.entries[self.n - 1]
        like = replace(entry, raw={key: value for key, value in entry.raw.items() if key != "chance"})
        for move in self._moves(n).values():
            if move.do == entry.do and move.by == entry.by and plain(move.args) == plain(entry.args):
                yield _Change("drawn", n, (as_entry(move, n, like),), 1, CHANCE, move, like)

    def _response(self) -> Iterator[_Change]:
        """Yield the refused entry as a response to the one before it, or, if it was one, as no response."""
        entry = self.entries[self.n - 1]
        if entry.resp or entry.do in self.game.responses:
            raw = {key: value for key, value in entry.raw.items() if key not in ("h", "resp")}
            if not entry.resp:
                raw["resp"] = True
            yield _Change("response", self.n, (parse_entry(raw, self.n),), 1, PLACE, back=1)


def closings(verb: Verb, state: State, move: Move) -> Iterator[Move]:
    """Yield the move with its chance filled in: hidden cards as "?", and what must be named in a few different ways."""
    # The list grows while it is read: only the first script, once played, tells how many options each pick has.
    scripts: list[tuple[int, ...]] = [()]
    for script in scripts:
        dealer = _Blank(script)
        try:
            closed = verb.close(state, move, dealer)
        except (EngineError, LookupError, ValueError):
            return  # the move depends on cards that nobody has identified
        hidden = verb.conceal(closed)
        args = move.args if closed.args == move.args else hidden.args
        yield Move(hidden.by, hidden.do, args, hidden.chance)
        if not script:
            for index, options in enumerate(dealer.counts):
                scripts += [(0,) * index + (picked,) for picked in range(1, options)]
            del scripts[CLOSINGS:]


def as_entry(move: Move, n: int, like: Entry | None = None) -> Entry:
    """Return a move as a log entry.

    If it replaces the entry `like`, it keeps the notes of that entry, and its chance if the move has none.
    """
    raw: dict[str, Any] = {} if like is None else {k: v for k, v in like.raw.items() if k not in ("h", "args")}
    raw |= {"n": n, "by": move.by, "do": move.do}
    if move.args:
        raw["args"] = plain(move.args)
    if move.chance:
        raw["chance"] = [{kind: list(value) if isinstance(value, tuple) else value} for kind, value in move.chance]
    return parse_entry(raw, n)


def plain(values: Args) -> dict[str, Any]:
    """Return arguments as JSON values."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def _numbered(entry: Entry, number: int, n: int, shift: int) -> Entry:
    """Return an entry under another number. A take-back after the change gets the new number of its target."""
    if entry.n == number and entry.h is None:
        return entry
    args = entry.args
    if shift and entry.do == "back_to" and type(args.get("n")) is int and args["n"] >= n:
        args = {**args, "n": args["n"] + shift}
    # The hash covers the entries before as well, so it no longer holds.
    return replace(entry, n=number, args=args, h=None)


def _raw(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON values, as it reads after a change."""
    raw = {key: value for key, value in entry.raw.items() if key != "h"}
    return {**raw, "n": entry.n, **({"args": dict(entry.args)} if entry.args else {})}


def _unplaced(value: Any) -> Any:
    """Return an argument without the numbers of slots and places."""
    if isinstance(value, Mapping):
        return {key: _unplaced(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_unplaced(item) for item in value]
    if isinstance(value, str):
        path, slash, number = value.rpartition("/")
        return f"{path}/" if slash and number.isdecimal() else value
    return "" if isinstance(value, int) else value


def _distance(one: Args, two: Args, cards: Mapping[str, Any]) -> int:
    """Return how much two readings of an entry differ: 0 if not at all, `OTHER` if in more than one argument."""
    differ = [key for key in {**one, **two} if one.get(key) != two.get(key)]
    if len(differ) != 1:
        return OTHER if differ else 0
    written, meant = one.get(differ[0]), two.get(differ[0])
    if isinstance(written, list) and isinstance(meant, list):
        apart = [item for item in meant if item not in written]
        return PLACE if len(written) == len(meant) and len(apart) <= 1 else CARD
    return CARD if isinstance(meant, str) and meant in cards else PLACE


def _same(one: Entry, two: Entry) -> bool:
    """Return whether two entries are the same, apart from notes about them."""
    return (one.by, one.do, one.args, one.chance, one.resp, one.ref, one.events) == (
        two.by, two.do, two.args, two.chance, two.resp, two.ref, two.events
    )  # fmt: skip


def _wrong_result(replay: Replay) -> int:
    """Return how many parts of the claimed result (winner, each score) are wrong at the end of a log."""
    header, state = replay.log.header, replay.state
    result = state.result or replay.game.closing(state).outcome
    if result is None:
        return 0
    score = replay.game.score(state)
    wrong = [seat for seat, points in header.score.items() if score.get(seat, points) != points]
    return len(wrong) + (header.winner is not None and header.winner != result.winner)


def _shape(state: State) -> tuple[Any, ...]:
    """Return what a board has in common with all boards that differ only in slots or in the order of a row."""
    cards = []
    for path, objects in state.zones.items():
        row = path.rstrip("0123456789")
        cards += [(row, state.refs[obj] or "", sorted(state.marks.get(obj, {}).items())) for obj in objects]
    return sorted(cards), state.counters, state.turn, state.phase


def _explained(trial: _Trial) -> tuple[int, int]:
    """Sort key for how well the log goes on after a change: more legal entries first, then fewer facts contradicted."""
    return -trial.reached, trial.contradicted


def _rank(trial: _Trial) -> tuple[int, int, int, int]:
    """Sort key for changes: how well the log goes on, then the smaller change, then the later one."""
    return *_explained(trial), trial.change.cost, -trial.change.n
