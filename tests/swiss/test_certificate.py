"""The independent checker accepts valid certificates, and rejects worse pairings and invalid figures."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.swiss.fields import field_of, random_field, swiss_field
from tournaments.swiss import certificate as verifier
from tournaments.swiss import proof
from tournaments.swiss.certificate import BYE, Certificate, Position, Worth, refusals
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.options import Options
from tournaments.swiss.pairing import Pairing, cost_of_seating, pair
from tournaments.swiss.proof import prove
from tournaments.swiss.scoring import scoring_of

SEARCH = {"costs", "kernel", "matching", "realize", "mates", "situation", "pairing", "repair", "feasible", "exchange"}


def position_of(field: Field, forbidden: tuple[tuple[str, str], ...] = (), worth: Worth | None = None) -> Position:
    return Position([player.id for player in field.live()], field.rounds, forbidden, worth)


def proven(position: Position) -> Certificate:
    found = prove(position)
    assert found is not None
    return found


@st.composite
def rounds(draw: st.DrawFn, most: int = 40) -> tuple[Field, int]:
    """A field with any history, paired well or badly so far, and a seed."""
    rng = Random(draw(st.integers(0, 2**32)))
    made = draw(st.sampled_from([random_field, swiss_field]))
    field = made(rng, draw(st.integers(2, most)), draw(st.integers(0, 9)), drops=draw(st.integers(0, 1)))
    return field, draw(st.integers(0, 2**32))


def imported(module: object) -> set[str]:
    """The modules of this project that a module imports."""
    tree = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]  # a module
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.rsplit(".", 1)[-1] for name in froms if name.startswith("tournaments.")}


def test_the_checker_and_the_prover_share_no_code_with_the_search() -> None:
    assert imported(verifier) == {"field"}
    assert imported(proof) == {"certificate"}
    assert not SEARCH & (imported(verifier) | imported(proof))


@settings(max_examples=300)
@given(rounds())
def test_every_certified_pairing_is_proven(played: tuple[Field, int]) -> None:
    field, seed = played
    found = pair(field, seed=seed)
    position = position_of(field)
    assert found.certified
    assert refusals(position, found.pairs, found.bye, proven(position)) == []


@settings(max_examples=200)
@given(rounds(), st.randoms(use_true_random=False))
def test_a_pairing_is_rejected_exactly_when_it_costs_more(played: tuple[Field, int], rng: Random) -> None:
    """Swap two players: the pairing stays proven only if its cost, by the solver's own count, stays the same."""
    field, seed = played
    found = pair(field, seed=seed)
    if not found.pairs:
        return
    pairs, bye = mutated(found, rng)
    position = position_of(field)
    alone = [] if bye is None else [[bye]]
    same = levels(field, [*pairs, *alone]) == levels(field, [*found.pairs, *([[found.bye]] if found.bye else [])])
    assert (refusals(position, pairs, bye, proven(position)) == []) == same


def mutated(found: Pairing, rng: Random) -> tuple[list[list[str]], str | None]:
    pairs, bye = [list(ids) for ids in found.pairs], found.bye
    if bye is not None and (len(pairs) == 1 or rng.random() < 0.3):
        one = rng.choice(pairs)
        one[0], bye = bye, one[0]
    elif len(pairs) > 1:
        one, two = rng.sample(pairs, 2)
        one[0], two[1] = two[1], one[0]
    return pairs, bye


def levels(field: Field, seated: list[list[str]]) -> list[int]:
    return list(cost_of_seating(field, seated).values())[:4]


@settings(max_examples=200)
@given(rounds(), st.randoms(use_true_random=False))
def test_a_changed_figure_is_rejected(played: tuple[Field, int], rng: Random) -> None:
    """Changing any single figure by the smallest amount breaks the sum."""
    field, seed = played
    found, position = pair(field, seed=seed), position_of(field)
    # With nobody left to pair, there is no figure to change.
    if not position.nodes:
        return
    true = proven(position)
    node = rng.choice(position.nodes)
    for change in (-1, 1):
        players = {**true.players, node: true.players.get(node, 0) + change}
        assert refusals(position, found.pairs, found.bye, replace(true, players=players))
    if true.sets:
        sets = list(true.sets)
        at = rng.randrange(len(sets))
        sets[at] = (sets[at][0], sets[at][1] + 1)
        assert refusals(position, found.pairs, found.bye, replace(true, sets=sets))


@settings(max_examples=100)
@given(rounds(), st.randoms(use_true_random=False))
def test_shifting_figures_between_players_is_rejected_if_a_pair_exceeds_its_cost(
    played: tuple[Field, int], rng: Random
) -> None:
    """The sum stays the same, so only the pairs can reveal the change. Compare with a check of every single pair."""
    field, seed = played
    found, position = pair(field, seed=seed), position_of(field)
    if len(position.nodes) < 2:
        return
    true = proven(position)
    one, two = rng.sample(position.nodes, 2)
    moved = dict.fromkeys(position.nodes, 0) | dict(true.players)
    moved[one] += 4
    moved[two] -= 4
    changed = replace(true, players=moved)
    assert bool(refusals(position, found.pairs, found.bye, changed)) == any(
        dear(position, changed, a, b) for i, a in enumerate(position.nodes) for b in position.nodes[:i]
    )


def dear(position: Position, certificate: Certificate, one: str, two: str) -> bool:
    if not position.may_meet(one, two):
        return False
    parted = sum(figure for members, figure in certificate.sets if (one in members) != (two in members))
    figures = certificate.players
    return figures.get(one, 0) + figures.get(two, 0) + parted > certificate.scale * position.cost(one, two)


@settings(max_examples=60)
@given(rounds(most=8))
def test_the_proven_bound_is_the_least_cost_of_all_pairings(played: tuple[Field, int]) -> None:
    """Compare with every possible pairing, tried one after the other."""
    field, _seed = played
    if len(field.live()) < 2:
        return
    position = position_of(field)
    true = proven(position)
    bound = sum(true.players.values()) + sum(figure for _members, figure in true.sets)
    everyone = [player.id for player in field.live()]
    costs = [
        sum(position.cost(a, b) for a, b in ids)
        for ids in all_pairings([*everyone, *([BYE] if len(everyone) % 2 else [])])
    ]
    assert bound == true.scale * min(costs)


def all_pairings(nodes: list[str]) -> list[list[tuple[str, str]]]:
    if not nodes:
        return [[]]
    first, *others = nodes
    return [
        [(first, other), *rest] for other in others for rest in all_pairings([node for node in others if node != other])
    ]


@pytest.mark.parametrize(("players", "played"), [(33, 9), (65, 7), (130, 6), (257, 8), (1_001, 7)])
@pytest.mark.parametrize("made", [swiss_field, random_field])
def test_large_fields_are_proven_with_few_figures(players: int, played: int, made: object) -> None:
    field = made(Random(players), players, played)  # type: ignore[operator]  # one of two functions
    found, position = pair(field, seed=1), position_of(field)
    true = proven(position)
    assert refusals(position, found.pairs, found.bye, true) == []
    assert len(true.players) < 300
    one, two = found.pairs[0], found.pairs[-1]
    worse = [(one[0], two[0]), (one[1], two[1]), *found.pairs[1:-1]]
    assert refusals(position, worse, found.bye, true)


@settings(max_examples=60)
@given(rounds(most=20), st.randoms(use_true_random=False))
def test_the_checker_respects_forbidden_pairs_and_scoring(played: tuple[Field, int], rng: Random) -> None:
    field, seed = played
    ids = [player.id for player in field.live()]
    if len(ids) < 4:
        return
    forbidden = tuple(tuple(rng.sample(ids, 2)) for _ in range(3))
    scoring = rng.choice([{"win": 2, "draw": 1}, {"win": 1, "draw": "1/2"}, {"win": 3, "draw": 1, "loss": 1}])
    try:
        options = Options(scoring=scoring_of(scoring))
        found = pair(field, seed=seed, forbidden=forbidden, options=options)
    except SwissError:
        return
    position = position_of(field, forbidden, Worth.of(scoring))
    assert refusals(position, found.pairs, found.bye, proven(position)) == []


def test_players_with_an_awarded_bye_are_not_part_of_the_proof() -> None:
    field = random_field(Random(1), 9, 3)
    found = pair(field, seed=5, options=Options(awarded={"P001": "half_bye"}))
    players = [player.id for player in field.live() if player.id != "P001"]
    position = Position(players, field.rounds)
    assert refusals(position, found.pairs, found.bye, proven(position)) == []


def test_an_invalid_pairing_is_rejected_before_any_figure_is_read() -> None:
    field = field_of(["A", "B", "C", "D"])
    position = position_of(field, (("A", "B"),))
    true = proven(position)
    assert refusals(position, [("A", "B"), ("C", "D")], None, true) == ["A and B must not meet"]
    assert refusals(position, [("A", "C")], None, true) == ["not everybody is paired once"]
    assert refusals(position, [("A", "C"), ("A", "D")], None, true) == ["not everybody is paired once"]
    assert refusals(position, [("A", "B", "C"), ("D",)], None, true) == ["a pair is of two"]


def test_invalid_sets_are_rejected() -> None:
    """No pair needs to leave a set of even size, and a negative figure would allow any sum."""
    position = position_of(field_of(["A", "B", "C", "D"]))
    pairs = [("A", "B"), ("C", "D")]
    for members, figure in (({"A", "B"}, 1), ({"A", "B", "C"}, -1), ({"A", "B", "E"}, 1)):
        assert refusals(position, pairs, None, Certificate(1, {}, [(frozenset(members), figure)]))
    assert refusals(position, pairs, None, Certificate(0, {}, []))
    assert refusals(position, pairs, None, Certificate(1, {"E": 0}, []))
    assert refusals(position, pairs, None, Certificate(1, {}, [])) == []


def test_there_is_no_proof_if_there_is_no_pairing() -> None:
    field = field_of(["A", "B", "C", "D"])
    assert prove(position_of(field, (("A", "B"), ("A", "C"), ("A", "D")))) is None


def test_the_checker_counts_points_in_halves() -> None:
    field = field_of(["A", "B", "C"], [("A", "B", "2-0-0"), ("C", None, "2-0-0")], [("A", "C", "1-1-0")])
    assert position_of(field).points == {"A": 8, "B": 0, "C": 8}
    with pytest.raises(ValueError, match="halves"):
        Worth.of({"win": "1/3"})
