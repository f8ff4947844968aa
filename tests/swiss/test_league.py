"""League points: the worked example of the documentation, and properties that hold for every league."""

from fractions import Fraction as F

from hypothesis import given
from hypothesis import strategies as st

from tournaments.swiss.league import LeagueEvent, Placing, Rules, league, one

RULES = Rules(by_rank=(10, 6, 4, 3), later=1, per_match_point=1, attendance=2, best=2)


def an_event(name: str, *placings: tuple[str, int, int]) -> LeagueEvent:
    return LeagueEvent(name, tuple(Placing(f"{name}/{who}", (who,), rank, F(points)) for who, rank, points in placings))


SEASON = (
    an_event("spring", ("a", 1, 9), ("b", 2, 6), ("c", 2, 6), ("d", 4, 0)),
    an_event("summer", ("b", 1, 9), ("a", 2, 6)),
    an_event("autumn", ("a", 1, 7), ("c", 2, 4), ("b", 3, 3)),
)


def totals(lines) -> dict[str, F]:
    return {line.player: line.total for line in lines}


def test_the_worked_example_of_the_documentation():
    lines = league(SEASON, RULES)
    assert totals(lines) == {
        "a": F(10 + 9 + 10 + 7 + 3 * 2),  # the 12 points of summer are dropped, its attendance is not
        "b": F(10 + 9 + 5 + 6 + 3 * 2),
        "c": F(5 + 6 + 6 + 4 + 2 * 2),
        "d": F(3 + 0 + 2),
    }
    assert [result.why for result in lines[0].results] == ["counts", "counts", "dropped"]


def test_players_who_share_a_place_share_the_points_of_their_places():
    shared = {line.player: line.results[0] for line in league(SEASON[:1], RULES)}
    assert shared["b"].by_rank == shared["c"].by_rank == F(6 + 4, 2)
    assert (shared["b"].place, shared["b"].sharing) == (2, 2)


def test_equal_totals_share_a_rank_and_the_following_ranks_are_skipped():
    lines = league([an_event("x", ("a", 1, 0), ("b", 1, 0), ("c", 3, 0))], RULES)
    assert [(line.rank, line.sharing) for line in lines] == [(1, 2), (1, 2), (3, 1)]


def test_a_player_entered_twice_in_an_event_gets_the_better_result_and_one_attendance():
    (line,) = league([an_event("x", ("a", 1, 9), ("a2", 2, 6))], RULES, {"a2": "a"})
    assert line.total == F(10 + 9 + 2)
    assert [result.why for result in line.results] == ["counts", "double"]


def test_each_member_of_a_team_gets_the_points_of_the_team():
    team = LeagueEvent("x", (Placing("t", ("a", "b"), 1, F(3)),))
    assert totals(league([team], RULES)) == {"a": F(15), "b": F(15)}


def test_a_chain_of_merged_players_resolves_to_one_even_if_it_is_a_cycle():
    assert one("c", {"c": "b", "b": "a"}) == "a"
    assert one("b", {"a": "b", "b": "a"}) == one("a", {"a": "b", "b": "a"}) == "a"
    assert one("z", {"z": "b", "a": "b", "b": "a"}) == "a"


PLAYERS = "abcdef"
figures = st.integers(0, 30)
rules = st.builds(
    Rules,
    by_rank=st.lists(figures, max_size=6).map(tuple),
    later=figures,
    per_match_point=st.integers(0, 3),
    attendance=figures,
    best=st.none() | st.integers(1, 5),
)


@st.composite
def seasons(draw: st.DrawFn) -> list[LeagueEvent]:
    """Events in which each player plays at most once."""
    season = []
    for number in range(draw(st.integers(0, 5))):
        who = draw(st.lists(st.sampled_from(PLAYERS), unique=True))
        season.append(
            an_event(f"e{number}", *((each, draw(st.integers(1, len(who))), draw(st.integers(0, 15))) for each in who))
        )
    return season


@given(seasons(), rules, st.randoms(use_true_random=False))
def test_standings_do_not_depend_on_the_order_of_events(season, rules, random):
    mixed = [LeagueEvent(each.id, tuple(random.sample(each.placings, len(each.placings)))) for each in season]
    random.shuffle(mixed)
    assert league(mixed, rules) == league(season, rules)


@given(seasons(), rules)
def test_merging_two_players_equals_one_player_with_both_results(season, rules):
    renamed = [
        LeagueEvent(
            each.id,
            tuple(
                Placing(placing.entrant, tuple("a" if who == "b" else who for who in placing.players), *_rest(placing))
                for placing in each.placings
            ),
        )
        for each in season
    ]
    assert league(season, rules, {"b": "a"}) == league(renamed, rules)


def _rest(placing: Placing) -> tuple[int, F]:
    return placing.rank, placing.points


@given(seasons(), rules, st.integers(1, 6))
def test_counting_more_results_never_lowers_a_total(season, rules, n):
    fewer, more = (totals(league(season, _with_best(rules, best))) for best in (n, n + 1))
    assert all(fewer[player] <= more[player] for player in fewer)
    assert totals(league(season, _with_best(rules, 6))) == totals(league(season, _with_best(rules, None)))


def _with_best(rules: Rules, best: int | None) -> Rules:
    return Rules(rules.by_rank, rules.later, rules.per_match_point, rules.attendance, best)


@given(seasons(), rules)
def test_a_total_is_the_sum_of_its_counted_results_and_attendance(season, rules):
    for line in league(season, rules):
        counted = sum((each.points for each in line.results if each.why == "counts"), F(0))
        assert line.total == counted + sum((each.attendance for each in line.results), F(0))
        assert rules.best is None or sum(each.why == "counts" for each in line.results) <= rules.best


@given(seasons(), rules)
def test_an_event_awards_exactly_the_points_of_its_places(season, rules):
    for event in season:
        given = sum((line.results[0].by_rank for line in league([event], rules)), F(0))
        places = range(len(event.placings))
        assert given == sum(rules.by_rank[place] if place < len(rules.by_rank) else rules.later for place in places)
