"""Judging a move in a position with unknown facts: ask only for facts that change the verdict.

A move is judged, and made, in copies of the state that record which unknown fact is read first. For each answer that
fact may have, another copy is made in which it is known, and so on. If all copies end alike, the verdict holds whatever
the facts are. If not, the fact whose answers lead to different ends is the one to ask for. `Game.answers` need not list
every answer: it gives enough of them that if they agree, all others do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from engine.core.effects.host import host_of
from engine.core.table.context import Context
from engine.core.table.game import Game, Move, Verb
from engine.core.table.naming import frames, memory
from engine.core.table.places import place
from engine.core.table.state import State, add
from engine.core.text.errors import EngineError, Missing, Violation

MAX_WORLDS = 200  # copies tried for one move; beyond that, the fact at hand is asked for
ALL_WORLDS = 10_000  # copies tried for one log, not counting the first of each move
MAX_MISSING = 32  # facts named for one move
LURKS = "lurks:"  # prefix of a slot: the question is only what its card does from there, not which card it is
TURN = {"turn.n": "turn", "turn.seat": "seat", "turn.phase": "phase", "turn.first": "first"}
FIELDS = tuple(spec.name for spec in fields(State) if spec.init)

Perform = Callable[[Game, Context, Verb, Move], None]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of trying the answers.

    - `violations`: those that hold whatever the unknown facts are.
    - `missing`: the facts to ask for, the first one first.
    - `agree`: the facts that were tried and make no difference.
    - `worlds`: how many copies of the state this took, not counting the first.
    """

    violations: tuple[Violation, ...] = ()
    missing: tuple[Missing, ...] = ()
    agree: tuple[str, ...] = ()
    worlds: int = 0


def open_facts(state: State) -> bool:
    """Return whether anything is unknown: a fact that the position leaves out, or which card lies somewhere in play."""
    return bool(state.unknown) or any(True for _ in unnamed(state))


def unnamed(state: State) -> Iterator[tuple[str, int]]:
    """Yield the cards in play that nobody has identified, as (place, object), except those that lie face down."""
    terms = state.terms
    for obj, ref in enumerate(state.refs):
        path = state.where[obj]
        there = path in terms.capacity or path in host_of(state).in_play
        if ref is None and there and path.split("/", 1)[1] not in terms.layout.face_down:
            yield place(state, obj), obj


def acts(state: State, fact: str) -> bool:
    """Return whether a fact is about the card in a slot or row from which cards act."""
    path = fact if fact in state.zones else fact.rpartition("/")[0]
    return state.terms.capacity.get(path) == 1 or path in host_of(state).in_play


def consider(
    game: Game,
    state: State,
    verb: Verb,
    move: Move,
    perform: Perform | None = None,
    *,
    window: bool = False,
    most: int = MAX_WORLDS,
) -> Finding:
    """Judge a move in a position with unknown facts, and with `perform` also what it does.

    `window` says that the next entry responds to it. `most` limits how many copies of the state may be tried.
    """
    trial = _Trial(game, state, verb, move, perform, window, min(most, MAX_WORLDS))
    if trial.proven():
        return Finding(tuple(trial.reasons))
    # Some facts are needed whatever the others are, such as the choice that is awaited: ask before trying any answers.
    wanted = game.wants(state, move) if perform is not None or "agenda" in state.unknown else []
    if wanted:
        return Finding((), tuple(reason for reason in wanted if isinstance(reason, Missing)))
    missing: list[Missing] = []
    decided: dict[str, Any] = {}
    found: Any = None
    # Name every fact whose answers lead to different ends. To find the next one, assume the first answer of this one.
    while len(missing) < MAX_MISSING:
        try:
            found = trial.explore(decided)
            break
        except _Disagreement as disagreement:
            missing.append(disagreement.reason())
            answers = trial.answers(disagreement.fact)
            if not answers or disagreement.fact in decided:
                break
            decided[disagreement.fact] = answers[0]
    if missing:
        return Finding((), tuple(missing), trial.agreed(), trial.worlds - 1)
    # Prefer the violations found in the declared position over those of a copy, whose arguments hold assumed facts.
    declared = {reason.rule: reason for reason in trial.reasons}
    violations = tuple(declared.get(reason.rule, reason) for reason in found.violations)
    return Finding(violations, (), trial.agreed(), trial.worlds - 1)


class _Needed(Exception):
    """Raised when an unknown fact is read."""

    def __init__(self, fact: str, rule: str = "") -> None:
        super().__init__(fact)
        self.fact = fact
        self.rule = rule


class _Disagreement(Exception):
    """Raised when the answers to a fact lead to different ends."""

    def __init__(self, fact: str, rule: str) -> None:
        super().__init__(fact)
        self.fact = fact
        self.rule = rule

    def reason(self) -> Missing:
        return Missing(self.rule, {}, (), self.fact.removeprefix(LURKS))


@dataclass(frozen=True, slots=True)
class _End:
    """How one copy ends: the rules that refuse the move, or what everybody can see once it is made."""

    rules: tuple[str, ...]
    seen: Any = None
    # Not compared, because their arguments hold the facts that each copy assumes.
    violations: tuple[Violation, ...] = field(default=(), compare=False)

    def common(self, other: _End) -> _End | None:
        """Return what two ends agree on: the rules that refuse the move in both, or an equal board. None if nothing."""
        if not (self.rules and other.rules):
            return self if self == other else None
        rules = tuple(rule for rule in self.rules if rule in other.rules)
        kept = tuple(reason for reason in self.violations if reason.rule in rules)
        return _End(rules, None, kept) if rules else None


class _Trial:
    """One move, tried under the answers to the facts it turns out to need."""

    def __init__(
        self, game: Game, state: State, verb: Verb, move: Move, perform: Perform | None, window: bool, most: int
    ) -> None:
        self.game = game
        self.state = state
        self.verb = verb
        self.move = move
        self.perform = perform
        self.window = window
        self.most = most
        found = verb.check(state, move)
        self.rules = {reason.fact: reason.rule for reason in found if isinstance(reason, Missing)}
        self.reasons = [reason for reason in found if not isinstance(reason, Missing)]
        self.worlds = 0
        self.agree: dict[str, None] = {}
        self._answers: dict[str, Sequence[Any] | None] = {}
        slots = (*state.unknown, *(path for path, _ in unnamed(state)))
        self.lurking = tuple(
            path for path in slots if acts(state, path) and len(self.answers(f"{LURKS}{path}") or ()) != 1
        )

    def proven(self) -> bool:
        """Return whether known facts alone refuse the move.

        That is so if no unknown fact was read to refuse it, and none can change what was read.
        """
        acting = any(fact in self.state.unknown for fact in ("agenda", "lasting", f"memory.{self.game.order}"))
        if not self.reasons or acting or self.lurking:
            return False
        try:
            found = self.verb.check(_world(self.game, self.state, {}, ()), self.move)
        except _Needed:
            return False
        return any(not isinstance(reason, Missing) for reason in found)

    def answers(self, fact: str) -> Sequence[Any] | None:
        """Return the possible answers to a fact. The game is asked once for each fact."""
        if fact not in self._answers:
            self._answers[fact] = self.game.answers(self.state, fact)
        return self._answers[fact]

    def agreed(self) -> tuple[str, ...]:
        """Return the facts that were tried and make no difference."""
        return tuple(dict.fromkeys(fact.removeprefix(LURKS) for fact in self.agree))

    def explore(self, decided: Mapping[str, Any]) -> _End:
        """Return how every copy with these facts decided ends. Raises _Disagreement if they do not end alike."""
        self.worlds += 1
        try:
            return self.end(_world(self.game, self.state, decided, self.lurking))
        except _Needed as needed:
            fact = needed.fact
            rule = needed.rule or self.rules.get(fact) or self.game.cites(self.move, fact)
        answers = self.answers(fact)
        if not answers or fact in decided or self.worlds > self.most:
            raise _Disagreement(fact, rule)
        found: _End | None = None
        for answer in answers:
            other = self.explore({**decided, fact: answer})
            found = other if found is None else found.common(other)
            if found is None:
                raise _Disagreement(fact, rule)
        assert found is not None, "there are answers"
        self.agree[fact] = None
        return found

    def end(self, world: State) -> _End:
        """Judge the move in one copy and, if it is legal, make it there. Raises _Needed."""
        if "turn.n" in world.unknown:  # a plain attribute, so reading it cannot be noticed
            raise _Needed("turn.n")
        reasons = self.verb.check(world, self.move)
        violations = tuple(reason for reason in reasons if not isinstance(reason, Missing))
        for reason in reasons:
            if isinstance(reason, Missing) and not violations:
                raise _Needed(reason.fact, reason.rule)
        if violations or self.perform is None:
            return _End(tuple(reason.rule for reason in violations), None, violations)
        ctx = _TrialContext(world)
        ctx.window = self.window
        try:
            self.perform(self.game, ctx, self.verb, self.move)
        except EngineError as error:
            return _End((), error.code)
        return _End((), (tuple(ctx.doubts), _seen(self.game, world, self.state.unknown)))


def _seen(game: Game, world: State, unknown: Sequence[str]) -> Any:
    """Return everything that is known in a copy, without the unknown facts, so that ends can be compared."""
    assert isinstance(world, _World)
    world.guard.shut = True
    left = dict.fromkeys(unknown)
    noted = memory(world, game)
    cards, owners = list(world.refs), world.owners
    # The names that a copy assumed must not make its end differ from that of another copy.
    for obj in world.guard.named:
        cards[obj] = None
    return (
        (world.seat, world.phase, world.first, world.result, None if "turn.n" in left else world.turn),
        {path: value for path, value in world.counters.items() if path not in left},
        {
            path: [(cards[obj], owners[obj]) for obj in objects]
            for path, objects in world.zones.items()
            if objects and path not in left
        },
        [
            (key, kept)
            for key, values in noted.items()
            if f"memory.{key}" not in left and (kept := [value for value in values if value not in left])
        ],
        [game.record_json(world, record) for record in world.lasting],
        frames(world, game),
        world.marks,
    )


class _Guard:
    """What a copy watches: the facts that are not decided, and the objects that it named or added itself.

    It is `shut` while reads must not stop anything: inside the reducers, and once the copy is compared from outside.
    """

    def __init__(self, facts: Sequence[str]) -> None:
        self.facts = dict.fromkeys(facts)
        self.unnamed: dict[int, str] = {}
        self.lurking: tuple[str, ...] = ()
        self.named: dict[int, None] = {}
        self.order = ""
        self.shut = False

    def read(self, fact: str) -> None:
        if not self.shut and fact in self.facts:
            raise _Needed(fact)

    def note(self, key: str) -> None:
        self.read(f"memory.{key}")
        # The order of play is read to find the cards that act, which a card in an undeclared slot might be.
        if key == self.order and self.lurking and not self.shut:
            raise _Needed(f"{LURKS}{self.lurking[0]}")

    def name(self, obj: int) -> None:
        if not self.shut and obj in self.unnamed:
            raise _Needed(self.unnamed[obj])


class _Facts(dict[str, Any]):
    """Zones or counters by path; reading an unknown one raises _Needed."""

    guard: _Guard

    def __getitem__(self, path: str) -> Any:
        self.guard.read(path)
        return super().__getitem__(path)

    def get(self, path: str, default: Any = None) -> Any:
        self.guard.read(path)
        return super().get(path, default)


class _Notes(dict[str, Any]):
    """The memory; reading an unknown note raises _Needed."""

    guard: _Guard

    def __getitem__(self, key: str) -> Any:
        self.guard.note(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.guard.note(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.guard.note(key)
        return super().get(key, default)


class _Names(list[str | None]):
    """The refs by object; reading that of an unidentified card raises _Needed."""

    guard: _Guard

    def __getitem__(self, obj: Any) -> Any:
        self.guard.name(obj)
        return super().__getitem__(obj)


class _Records(list[tuple[Any, ...]]):
    """The lasting effects; reading them while they are unknown raises _Needed."""

    guard: _Guard

    def __len__(self) -> int:
        self.guard.read("lasting")
        return super().__len__()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        self.guard.read("lasting")
        return super().__iter__()


class _NoCache(dict[tuple[str, str], Sequence[Any]]):
    """A cache that stores nothing, because every read must be noticed."""

    def __setitem__(self, key: tuple[str, str], found: Sequence[Any]) -> None:
        """Do nothing."""


class _World(State):
    """A copy of a state that notices what is read of it."""

    watched = True
    guard: _Guard

    def starter(self) -> str | None:
        """Return who went first. Raises _Needed while it is unknown, which reading `first` itself does not."""
        self.guard.read("turn.first")
        return self.first


class _TrialContext(Context):
    """A context whose events may touch unknown facts: what they change there stays unknown."""

    __slots__ = ()

    def emit(self, *event: object) -> None:
        guard = self.state.guard  # type: ignore[attr-defined]
        guard.shut = True  # a reducer reads old values to compute the inverse, which decides nothing
        try:
            super().emit(*event)
        finally:
            guard.shut = False


def _world(game: Game, state: State, decided: Mapping[str, Any], lurking: Sequence[str]) -> _World:
    """Return a copy of the state in which these facts are known."""
    plain = state.copy()
    guard = _Guard([fact for fact in state.unknown if fact not in decided])
    plain.unknown = tuple(guard.facts)
    for path, obj in unnamed(state):
        if path not in decided:
            guard.unnamed[obj] = path
    for fact, answer in decided.items():
        _decide(game, plain, guard, fact, answer)
    guard.order = game.order
    guard.lurking = tuple(path for path in lurking if not {path, f"{LURKS}{path}"} & decided.keys())
    # The mappings and lists of the copy are replaced by ones that tell the guard what is read of them.
    world = _World(**{name: getattr(plain, name) for name in FIELDS})
    world.guard, world.acting = guard, _NoCache()
    world.zones, world.counters = _Facts(plain.zones), _Facts(plain.counters)
    world.memory, world.refs, world.lasting = _Notes(plain.memory), _Names(plain.refs), _Records(plain.lasting)
    for watched in (world.zones, world.counters, world.memory, world.refs, world.lasting):
        watched.guard = guard
    return world


def _decide(game: Game, state: State, guard: _Guard, fact: str, answer: Any) -> None:
    """Make a fact known: a counter, a note, a fact of the turn, or the card in a slot."""
    path = fact.removeprefix(LURKS)
    if path in state.counters:
        state.counters[path] = answer
    elif path.startswith("turn."):
        setattr(state, TURN[path], answer)
    elif path.startswith("memory."):
        state.memory.pop(path.removeprefix("memory."), None)
        if answer:
            state.memory[path.removeprefix("memory.")] = list(answer)
    elif answer:
        obj = next(iter(state.zones[path]), None)
        if obj is None:
            obj = add(state, path.split("/")[0], path)
        state.refs[obj] = answer[0]
        guard.named[obj] = None
        guard.unnamed.pop(obj, None)
        # First, because in the order of play the card may come before those that are known (see `Game.answers`).
        for key in answer[1:]:
            state.memory.setdefault(key, []).insert(0, obj)
        # The card may act from where it is assumed to lie.
        game.awaken(state)
