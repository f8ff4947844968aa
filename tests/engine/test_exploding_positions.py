"""No position makes the list of legal moves explode: random and declared ones with as many cards as are allowed.

What is counted is how often the engine asks whether to go on, which is the same on a slow machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import engine
from engine.core.replay.position import MAX_CARDS, as_start, read_position
from engine.core.replay.replay import Replay, load_game
from engine.core.shown import listing as listings
from engine.core.shown.listing import MOST_MOVES, MOST_WAYS, Listing, listing
from engine.core.table import game as games
from engine.core.table.state import State
from tests.engine.games import a_game
from tests.engine.kits import KITS
from tests.engine.scenario import start

MOST_STEPS = 40_000  # for one seat; the largest positions below need about 12,000


class Exploded(Exception):
    """Raised when the engine goes on for too long."""


def steps(look: Callable[[], object]) -> int:
    """Return how often the engine asks whether to go on. Raises Exploded after `MOST_STEPS`."""
    asked = 0

    def ask() -> None:
        nonlocal asked
        asked += 1
        if asked > MOST_STEPS:
            raise Exploded

    with engine.asking(ask):
        look()
    return asked


def check_lists(state: State) -> None:
    """Check that the list of moves of each seat is short, its own, and quickly made."""
    game = load_game(state.terms.game)
    for seat in (*state.terms.seats, "table"):
        found: list[Listing] = []
        steps(lambda: found.append(listing(game, state, (seat,))))  # noqa: B023  # called at once
        (moves, _), verbs = found[0], game.verbs()
        assert {move.by for move in moves} <= {seat}
        assert all(sum(move.do == do for move in moves) <= MOST_MOVES for do in verbs)


def grown(start_: dict[str, Any], times: int) -> dict[str, Any]:
    """Return the start of a position with the cards of each zone that many times, as far as they are allowed."""
    board = start_["state"]
    for side in (*board["seats"].values(), board.get("common") or {}):
        zones = {key: value for key, value in side.items() if isinstance(value, list) and None not in value}
        left = MAX_CARDS - sum(_count(value) for value in side.values())
        for key, cards in zones.items():
            more = [card for _ in range(times - 1) for card in cards][: max(0, left)]
            if cards and isinstance(cards[0], dict | str) and key not in ("fighters", "magics", "terrain"):
                left -= len(more)
                side[key] = [*cards, *({**card} if isinstance(card, dict) else card for card in more)]
    return {key: value for key, value in start_.items() if key != "unseen"}


def _count(value: Any) -> int:
    if isinstance(value, dict) and "ref" not in value:
        return sum(map(_count, value.values()))
    # A number may be a counter, which is then counted as well: there is a little less room for cards.
    return len(value) if isinstance(value, list) else value if type(value) is int else 1


@pytest.mark.parametrize("game", KITS)
@settings(max_examples=8)
@given(st.integers(0, 2), st.floats(0, 1), st.integers(1, 60))
@example(0, 0.5, 60)
def test_the_moves_of_a_random_position_with_more_and_more_cards_do_not_explode(
    game: str, seed: int, moment: float, times: int
) -> None:
    log = a_game(game, seed)
    replay = Replay(log, keep=False)
    for _ in range(int(moment * len(log["moves"]))):
        replay.step()
    check_lists(replay.state)
    if replay.state.result is None and not replay.state.agenda:
        document = {key: log[key] for key in ("format", "game", "ruleset", "catalog")}
        begun = grown(as_start(load_game(game), replay.state), times)
        check_lists(read_position({**document, "start": begun})[1])


def seiya(**given_: Any) -> dict[str, Any]:
    return {"game": "saint-seiya", "given": given_}


def wakfu(phase: str, options: Mapping[str, str] | None = None, **sides: Any) -> dict[str, Any]:
    return {"game": "wakfu", "options": options or {}, "given": {"turn": {"phase": phase}, "seats": sides}}


def stellar(phase: str, memory: Mapping[str, Any] | None = None, **sides: Any) -> dict[str, Any]:
    given_ = {"turn": {"phase": phase}, "seats": sides, "memory": memory or {}}
    return {"game": "stellar-nexus", "given": given_}


FIGHTERS = [f"F-{atk}-{val}-{def_}" for atk in range(8) for val in range(8) for def_ in range(8)]
CREATURES = [f"C-{patt}-{drop}-{cost}" for patt in range(6) for drop in range(4) for cost in ("T1", "F1", "TF")]
# Positions with n cards in each of the places that a kind of move combines.
POSITIONS: Mapping[str, Callable[[int], dict[str, Any]]] = {
    "many cards on one target": lambda n: seiya(seats={"A": {"play": ["P-3-3-0-F3C4 @common/terrain/1"] * n}}),
    "many cards that are not enough": lambda n: seiya(seats={"A": {"play": ["P-0-0-0-F3C4 @common/terrain/1"] * n}}),
    "healers and tokens": lambda n: seiya(
        seats={"A": {"play": ["P-1-1-2-0"] * n}, "B": {"marked": ["P-1-1-0-0 wound frost"] * n}}
    ),
    "attackers": lambda n: wakfu("attaque", A={"combat": ["C-1-1-T1"] * n}),
    "blockers": lambda n: wakfu("blocage", A={"combat": ["C-1-1-T1 attacks"] * n}, B={"combat": ["C-1-1-T1"] * n}),
    "points and targets": lambda n: wakfu(
        "combat", A={"combat": ["C-5-1-T1 attacks"] * n}, B={"combat": ["C-5-1-T1 blocks"] * n}
    ),
    "payments": lambda n: wakfu("invocation", A={"hand": CREATURES[:9], "rest": ["G-TF"] * n}),
    "payments whose last card is the only one of its element": lambda n: wakfu(
        "invocation", A={"leader": "L-E", "hand": CREATURES[:9], "rest": [*["G-F"] * n, "G-T"]}
    ),
    "payments of two cards at once": lambda n: wakfu(
        "invocation", {"I-WAK-19": "yes"}, A={"hand": CREATURES[: min(n, 72)], "rest": ["G-TF"] * n}
    ),
    "equipments and creatures": lambda n: stellar(
        "principale1", A={"hand": ["Q-1"] * (n // 2), "field": ["C-1-1-1"] * (n // 2), "resources": ["R-K"] * 5}
    ),
    "blockers and attackers": lambda n: stellar(
        "attaque", {"attacking": [f"A/field/{i}" for i in range(1, n + 1)], "declared": ["A"]},
        A={"field": ["C-1-1-1"] * n}, B={"field": ["C-1-1-1"] * n},
    ),
    "cards in hand and in the Reserve": lambda n: {
        "game": "altered",
        "given": {"seats": {"A": {"hand": ["P-2-1-300"] * (n // 3), "reserve": ["E-HELP"] * (n // 3), "mana": n // 3}}},
    },
    "cards in hand and slots": lambda n: {
        "game": "star-safir", "given": {"seats": {"A": {"hand": FIGHTERS[:n], "pi": 15}}},
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", POSITIONS)
@settings(max_examples=6)
@given(st.integers(3, 400))
@example(400)
def test_the_moves_of_a_position_with_many_cards_do_not_explode(kind: str, count: int) -> None:
    check_lists(start(POSITIONS[kind](count)))


@pytest.mark.parametrize(
    "kind",
    [
        "many cards on one target", "healers and tokens", "attackers", "blockers", "points and targets", "payments",
        "payments of two cards at once", "blockers and attackers",
    ],
)  # fmt: skip
def test_without_the_bounds_they_would(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = start(POSITIONS[kind](400))
    game = load_game(state.terms.game)
    found = listing(game, state)
    assert found.more
    monkeypatch.setattr(listings, "MOST_WAYS", 10**9)
    monkeypatch.setattr(games, "MOST_GROUPS", 10**9)
    with pytest.raises(Exploded):
        steps(lambda: listing(game, state, most=10**9))


def test_a_list_that_ends_says_that_there_are_more_and_begins_with_the_same_moves() -> None:
    game, state = load_game("saint-seiya"), start(POSITIONS["many cards on one target"](6))
    every = tuple(move for move in game.candidates(state) if move.do == "acquire")
    assert listing(game, state, None, ("acquire",)) == (every, False)
    assert listing(game, state, ("A",), ("acquire",), most=5) == (every[:5], True)
    assert listing(game, state, ("A",), ("acquire",), most=len(every)) == (every, False)
    assert listing(game, state, ("B",)).moves == ()


def test_groups_that_are_not_enough_leave_room_for_those_that_are() -> None:
    game, state = load_game("saint-seiya"), start(seiya(seats={"A": {"play": ["P-1-0-0-0 @common/terrain/1"] * 12}}))
    found = listing(game, state, ("A",), ("acquire",))
    sizes = [len(move.args["with"]) for move in found.moves]
    assert sizes == [3] * MOST_WAYS + [12] and found.more


def test_what_is_left_out_at_the_very_end_of_a_full_list_is_noticed() -> None:
    game, state = load_game("wakfu"), start(POSITIONS["payments"](40))
    whole = listing(game, state, ("A",), ("play",))
    assert whole.more and len(whole.moves) < MOST_MOVES
    assert listing(game, state, ("A",), ("play",), most=len(whole.moves)).more


def test_an_unlisted_way_can_be_played_and_its_chance_is_asked() -> None:
    raw = POSITIONS["attackers"](20)["given"]
    kit = KITS["wakfu"]
    sides = {seat: kit.side(raw["seats"].get(seat, {})) for seat in "AB"}
    header = kit.header(seats={"A": {}, "B": {}})
    begun = {"kind": "position", "turn": {**kit.turn, **raw["turn"]}, "state": {"seats": sides}, "memory": kit.memory}
    game = engine.open_game({**header, "start": begun}, catalogs=[kit.catalog()])
    unlisted = {"by": "A", "do": "attack", "args": {"attackers": [f"A/combat/{n}" for n in range(3, 15)]}}
    assert unlisted not in game.moves(("A",)).moves and game.moves(("A",)).more
    assert game.complete(unlisted) == (None, unlisted)
    assert game.accept(unlisted).outcome == "ok"


def test_all_ways_are_listed_up_to_the_bound() -> None:
    game = load_game("wakfu")
    for count, more in ((5, False), (6, True)):
        state = start(POSITIONS["attackers"](count))
        found = listing(game, state, ("A",), ("attack",))
        assert found.more == more and len(found.moves) == min(2 ** (count + 1) - 1, MOST_WAYS + 1)
