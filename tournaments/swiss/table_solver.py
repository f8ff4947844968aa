"""The best multiplayer tables: an integer program for CP-SAT of OR-tools, which is optional.

Players are put in the order of their points. The first of each table is its leader. The program decides for each player
and each possible leader whether the player sits at the table of that leader: then the spread, which is the sum of what
the players are away from their leaders, is linear. First the repeated pairs are minimized, then, with no more of them,
the spread. Each step either proves that nothing is lower, or says below which value nothing can be.

The solver uses one thread and a fixed seed, and stops by the work done and not by the clock, so the same version finds
the same tables again. Another version may find others that are as good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from tournaments.swiss.table_bounds import Met

EFFORT = 2.0
"""The work for each of the two steps, in the solver's own units: about as many seconds."""
LONGEST = 20.0  # seconds, in case that the solver's count of its work is wrong
MOST_PLAYERS = 400
_SEED = 1


def available() -> bool:
    """Whether OR-tools is installed."""
    return find_spec("ortools") is not None


@dataclass(frozen=True, slots=True)
class Problem:
    """Players in the order of their points, highest first, with these points; tables of `sizes` (at most two)."""

    players: Sequence[str]
    points: Sequence[int]
    met: Met
    sizes: Sequence[int]


@dataclass(frozen=True, slots=True)
class Solution:
    """Tables as lists of players, and the bounds that are proven for `repeats` and `spread`."""

    tables: tuple[tuple[str, ...], ...]
    repeats_bound: int
    spread_bound: int


def improved(
    problem: Problem,
    tables: Sequence[Sequence[str]],
    cost: tuple[int, int],
    bound: tuple[int, int],
    *,
    effort: float = EFFORT,
) -> Solution:
    """Search for better tables than these, whose `repeats` and `spread` are `cost` and cannot be below `bound`.

    The spread's bound holds for all seatings with no more repeated pairs than the tables returned.
    """
    (repeats, spread), (repeats_bound, spread_bound) = cost, bound
    # With fewer repeated pairs to be found, the spread may rise; otherwise nobody is further from the leader than this.
    program = _Program(problem, tables, reach=spread if repeats == repeats_bound else None)
    if repeats > repeats_bound:
        repeats, repeats_bound = program.minimize(program.repeats, (repeats, repeats_bound), effort)
    program.model.add(program.repeats <= repeats)
    spread, spread_bound = program.minimize(program.spread, (program.spread_now(), spread_bound), effort)
    return Solution(program.tables(), repeats_bound, spread_bound)


class _Program:
    """The variables and constraints, and `leaders`, the best seating so far: the leader of each player."""

    def __init__(self, problem: Problem, tables: Sequence[Sequence[str]], *, reach: int | None) -> None:
        from ortools.sat.python import cp_model  # takes a second to import, and is needed only here

        self.problem, self.solver_of, self.model = problem, cp_model, cp_model.CpModel()
        place = {player: number for number, player in enumerate(problem.players)}
        self.leaders = {place[player]: min(map(place.__getitem__, table)) for table in tables for player in table}
        self.sits = {
            (player, leader): self.model.new_bool_var(f"{player} at {leader}")
            for player in range(len(place))
            for leader in range(player + 1)
            if reach is None or self._gap(player, leader) <= reach
        }
        self._seat_everybody()
        self.repeats = self._repeats(place)
        self.spread = sum(self._gap(*pair) * sits for pair, sits in self.sits.items())

    def _gap(self, player: int, leader: int) -> int:
        return (self.problem.points[leader] - self.problem.points[player]) ** 2

    def _seat_everybody(self) -> None:
        """Everybody has one leader, leaders lead themselves, and the tables have their sizes."""
        count, small, large = len(self.problem.players), min(self.problem.sizes), max(self.problem.sizes)
        larges = []
        for player in range(count):
            self.model.add_exactly_one(self._of_player(player))
            leads = self.sits[player, player]
            others = self._of_leader(player)
            for sits in others:
                self.model.add_implication(sits, leads)
            is_large = self.model.new_bool_var(f"{player} leads a large table") if small < large else 0
            if small < large:
                self.model.add_implication(is_large, leads)
                larges.append(is_large)
            self.model.add(sum(others) == small * leads + (large - small) * is_large)
        self.model.add(sum(self.sits[player, player] for player in range(count)) == len(self.problem.sizes))
        if larges:
            self.model.add(sum(larges) == self.problem.sizes.count(large))

    def _of_player(self, player: int) -> list[Any]:
        return [self.sits[player, leader] for leader in range(player + 1) if (player, leader) in self.sits]

    def _of_leader(self, leader: int) -> list[Any]:
        players = range(leader, len(self.problem.players))
        return [self.sits[player, leader] for player in players if (player, leader) in self.sits]

    def _repeats(self, place: Mapping[str, int]) -> Any:
        """The repeated pairs, as a linear expression."""
        terms: list[Any] = []
        self.together: dict[tuple[int, int], Any] = {}
        for one, others in self.problem.met.items():
            for other, times in others.items():
                if one not in place or other not in place or place[one] > place[other]:
                    continue
                first, second = place[one], place[other]
                both = self.together[first, second] = self.model.new_bool_var(f"{first} with {second}")
                for leader in range(first + 1):
                    if (first, leader) in self.sits and (second, leader) in self.sits:
                        either_not = (self.sits[first, leader].Not(), self.sits[second, leader].Not())
                        self.model.add_bool_or([*either_not, both])
                terms.append(times * both)
        return sum(terms) if terms else 0 * self.sits[0, 0]

    def minimize(self, aim: Any, known: tuple[int, int], effort: float) -> tuple[int, int]:
        """Minimize an expression from the best seating on; returns its value and its proven bound.

        `known` are the value of the best seating so far, and a bound.
        """
        value, bound = known
        if value <= bound:
            return value, bound
        self.model.clear_hints()  # type: ignore[no-untyped-call, unused-ignore]
        for (player, leader), sits in self.sits.items():
            self.model.add_hint(sits, self.leaders[player] == leader)
        for (first, second), both in self.together.items():
            self.model.add_hint(both, self.leaders[first] == self.leaders[second])
        self.model.minimize(aim)
        solver = self.solver_of.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = _SEED
        solver.parameters.max_deterministic_time = effort
        solver.parameters.max_time_in_seconds = LONGEST
        status = solver.solve(self.model)
        if status not in (self.solver_of.OPTIMAL, self.solver_of.FEASIBLE):
            return value, bound
        self.leaders = {player: leader for (player, leader), sits in self.sits.items() if solver.boolean_value(sits)}
        return round(solver.objective_value), max(bound, _up(solver.best_objective_bound))

    def spread_now(self) -> int:
        """The spread of the best seating so far."""
        return sum(self._gap(player, leader) for player, leader in self.leaders.items())

    def tables(self) -> tuple[tuple[str, ...], ...]:
        """The best seating: tables in the order of their leaders, players in the order of their points."""
        found: dict[int, list[str]] = {}
        for player, leader in sorted(self.leaders.items(), key=lambda pair: (pair[1], pair[0])):
            found.setdefault(leader, []).append(self.problem.players[player])
        return tuple(map(tuple, found.values()))


def _up(figure: float) -> int:
    """The least integer that is not below a bound, which the solver gives as a float."""
    return int(-(-(figure - 1e-6) // 1))
