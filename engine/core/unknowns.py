"""Whether a fact that a declared position leaves out matters: where its answers agree, nothing is asked.

A move is judged and made in copies of the state that notice the first unknown fact somebody reads. Each answer that
fact may have makes a copy in which it is known, and so on. Where all copies end alike, whatever the answers, the
verdict stands; where they do not, the fact whose answers part them is the one to ask for. `Game.answers` gives
answers such that, if these agree, every other one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from engine.core.context import Context
from engine.core.errors import EngineError, Missing, Violation
from engine.core.game import Game, Move, Verb
from engine.core.naming import frames, memory
from engine.core.places import place
from engine.core.state import State, add

MAX_WORLDS = 200  # copies tried for one move; beyond, the fact at hand is asked for
ALL_WORLDS = 10_000  # copies tried for one log beside the first of each move
MAX_ASKED = 32  # facts named for one move
LURKS = "lurks:"  # before a slot: only what its card does from there is in question, not what card it is
TURN = {"turn.n": "turn", "turn.seat": "seat", "turn.phase": "phase", "turn.first": "first"}
FIELDS = tuple(spec.name for spec in fields(State) if spec.init)

Perform = Callable[[Game, Context, Verb, Move], None]


@dataclass(frozen=True, slots=True)
class Finding:
    """What trying the answers gave: the violations that stand in all of them, the facts to ask for (the first one
    first), the facts that were tried and change nothing, and how many copies that took beside the first."""

    violations: tuple[Violation, ...] = ()
    missing: tuple[Missing, ...] = ()
    agree: tuple[str, ...] = ()
    worlds: int = 0


def open_facts(state: State) -> bool:
    """Whether anything is left out: a fact, or which card lies somewhere in play."""
    return bool(state.unknown) or any(True for _ in unnamed(state))


def unnamed(state: State) -> Iterator[tuple[str, int]]:
    """The places of cards in play that nobody identified, which are not there face down, and those cards."""
    terms = state.terms
    for obj, ref in enumerate(state.refs):
        path = state.where[obj]
        there = path in terms.capacity or path in terms.host.in_play
        if ref is None and there and path.split("/", 1)[1] not in terms.layout.face_down:
            yield place(state, obj), obj


def acts(state: State, fact: str) -> bool:
    """Whether a fact is what lies in a slot or row from where cards act."""
    path = fact if fact in state.zones else fact.rpartition("/")[0]
    return state.terms.capacity.get(path) == 1 or path in state.terms.host.in_play


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
    """Whether `move` may be made, and with `perform` what it does, whatever the facts left out are.

    `window`: the next entry responds to it. `most`: how many copies may be tried.
    """
    trial = _Trial(game, state, verb, move, perform, window, min(most, MAX_WORLDS))
    if trial.proven():
        return Finding(tuple(trial.reasons))
    wanted = game.wants(state, move) if perform is not None or "agenda" in state.unknown else []
    if wanted:
        return Finding((), tuple(reason for reason in wanted if isinstance(reason, Missing)))
    missing: list[Missing] = []
    decided: dict[str, Any] = {}
    found: Any = None
    while len(missing) < MAX_ASKED:
        try:
            found = trial.explore(decided)
            break
        except _Parted as parted:
            missing.append(parted.reason())
            answers = trial.answers(parted.fact)
            if not answers or parted.fact in decided:
                break
            decided[parted.fact] = answers[0]
    if missing:
        return Finding((), tuple(missing), trial.agreed(), trial.worlds - 1)
    told = {reason.rule: reason for reason in trial.reasons}
    violations = tuple(told.get(reason.rule, reason) for reason in found.violations)
    return Finding(violations, (), trial.agreed(), trial.worlds - 1)


class _Needed(Exception):
    """An unknown fact was read."""

    def __init__(self, fact: str, rule: str = "") -> None:
        super().__init__(fact)
        self.fact = fact
        self.rule = rule


class _Parted(Exception):
    """The answers of a fact do not all give the same."""

    def __init__(self, fact: str, rule: str) -> None:
        super().__init__(fact)
        self.fact = fact
        self.rule = rule

    def reason(self) -> Missing:
        return Missing(self.rule, {}, (), self.fact.removeprefix(LURKS))


@dataclass(frozen=True, slots=True)
class _End:
    """How one world ends: the rules that refuse the move, or what everybody can see once it is made."""

    rules: tuple[str, ...]
    seen: Any = None
    violations: tuple[Violation, ...] = field(default=(), compare=False)

    def common(self, other: _End) -> _End | None:
        """What two worlds agree on: the rules that refuse the move in both, or the same board; None for nothing."""
        if not (self.rules and other.rules):
            return self if self == other else None
        rules = tuple(rule for rule in self.rules if rule in other.rules)
        kept = tuple(reason for reason in self.violations if reason.rule in rules)
        return _End(rules, None, kept) if rules else None


class _Trial:
    """One move tried under the answers of the facts it turns out to need."""

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
        """Whether known facts alone refuse the move: nothing left out acts on what is known, or was read for it."""
        acting = any(fact in self.state.unknown for fact in ("agenda", "lasting", f"memory.{self.game.order}"))
        if not self.reasons or acting or self.lurking:
            return False
        try:
            found = self.verb.check(_world(self.game, self.state, {}, ()), self.move)
        except _Needed:
            return False
        return any(not isinstance(reason, Missing) for reason in found)

    def answers(self, fact: str) -> Sequence[Any] | None:
        """The answers of a fact, asked of the game once."""
        if fact not in self._answers:
            self._answers[fact] = self.game.answers(self.state, fact)
        return self._answers[fact]

    def agreed(self) -> tuple[str, ...]:
        """The facts that were tried and change nothing."""
        return tuple(dict.fromkeys(fact.removeprefix(LURKS) for fact in self.agree))

    def explore(self, decided: Mapping[str, Any]) -> _End:
        """How every world with these facts decided ends. Raises _Parted where they do not end alike."""
        self.worlds += 1
        try:
            return self.end(_world(self.game, self.state, decided, self.lurking))
        except _Needed as needed:
            fact = needed.fact
            rule = needed.rule or self.rules.get(fact) or self.game.cites(self.move, fact)
        answers = self.answers(fact)
        if not answers or fact in decided or self.worlds > self.most:
            raise _Parted(fact, rule)
        found: _End | None = None
        for answer in answers:
            other = self.explore({**decided, fact: answer})
            found = other if found is None else found.common(other)
            if found is None:
                raise _Parted(fact, rule)
        assert found is not None, "there are answers"
        self.agree[fact] = None
        return found

    def end(self, world: State) -> _End:
        """Judge the move in one world and, if it may be made, make it there. Raises _Needed."""
        if "turn.n" in world.unknown:  # read as a plain number, so nothing notices it
            raise _Needed("turn.n")
        reasons = self.verb.check(world, self.move)
        violations = tuple(reason for reason in reasons if not isinstance(reason, Missing))
        for reason in reasons:
            if isinstance(reason, Missing) and not violations:
                raise _Needed(reason.fact, reason.rule)
        if violations or self.perform is None:
            return _End(tuple(reason.rule for reason in violations), None, violations)
        ctx = _Trying(world)
        ctx.window = self.window
        try:
            self.perform(self.game, ctx, self.verb, self.move)
        except EngineError as error:
            return _End((), error.code)
        return _End((), (tuple(ctx.doubts), _seen(self.game, world, self.state.unknown)))


def _seen(game: Game, world: State, unknown: Sequence[str]) -> Any:
    """What is known of a world: everything but the facts left out."""
    assert isinstance(world, _World)
    world.guard.shut = True
    left = dict.fromkeys(unknown)
    noted = memory(world, game)
    cards, owners = list(world.refs), world.owners
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
    """What a world watches: the facts nobody decided, and the objects it gave a name or put there itself.

    `shut` while nobody is to be stopped: in the reducers, and once the world is looked at from outside.
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
        if key == self.order and self.lurking and not self.shut:
            raise _Needed(f"{LURKS}{self.lurking[0]}")

    def name(self, obj: int) -> None:
        if not self.shut and obj in self.unnamed:
            raise _Needed(self.unnamed[obj])


class _Facts(dict[str, Any]):
    """Zones or counters by path."""

    guard: _Guard

    def __getitem__(self, path: str) -> Any:
        self.guard.read(path)
        return super().__getitem__(path)

    def get(self, path: str, default: Any = None) -> Any:
        self.guard.read(path)
        return super().get(path, default)


class _Notes(dict[str, Any]):
    """The memory."""

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
    """The cards by object."""

    guard: _Guard

    def __getitem__(self, obj: Any) -> Any:
        self.guard.name(obj)
        return super().__getitem__(obj)


class _Records(list[tuple[Any, ...]]):
    """What effects do for a while."""

    guard: _Guard

    def __len__(self) -> int:
        self.guard.read("lasting")
        return super().__len__()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        self.guard.read("lasting")
        return super().__iter__()


class _Unkept(dict[tuple[str, str], Sequence[Any]]):
    """Which cards in force say a word, where every read is to be noticed: nothing is kept."""

    def __setitem__(self, asked: tuple[str, str], found: Sequence[Any]) -> None:
        """Forget it at once."""


class _World(State):
    """A copy of a state that notices what is read of it."""

    watched = True
    guard: _Guard


class _Trying(Context):
    """A context whose events are free to touch what is unknown: what they did to it stays unknown."""

    __slots__ = ()

    def emit(self, *event: object) -> None:
        guard = self.state.guard  # type: ignore[attr-defined]
        guard.shut = True
        try:
            super().emit(*event)
        finally:
            guard.shut = False


def _world(game: Game, state: State, decided: Mapping[str, Any], lurking: Sequence[str]) -> _World:
    """A copy of the state in which these facts are known."""
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
    world = _World(**{name: getattr(plain, name) for name in FIELDS})
    world.guard, world.acting = guard, _Unkept()
    world.zones, world.counters = _Facts(plain.zones), _Facts(plain.counters)
    world.memory, world.refs, world.lasting = _Notes(plain.memory), _Names(plain.refs), _Records(plain.lasting)
    for watched in (world.zones, world.counters, world.memory, world.refs, world.lasting):
        watched.guard = guard
    return world


def _decide(game: Game, state: State, guard: _Guard, fact: str, answer: Any) -> None:
    """Make a fact known: a counter, a note, a fact of the turn, or what a slot holds."""
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
        for key in answer[1:]:
            state.memory.setdefault(key, []).insert(0, obj)
        game.awaken(state)
