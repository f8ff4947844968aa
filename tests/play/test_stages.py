"""Events with several stages: cuts, brackets, round robin and pods, and the effect of drops and corrections on them."""

import pytest

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    a_stage_played,
    an_event,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common import jobs, ledger
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.stages import add_stage, configure_stage, remove_stage
from tournaments.play import services as play
from tournaments.play.draws import pods_of
from tournaments.play.field import bracket_of, ranking
from tournaments.play.models import Match, Round
from tournaments.play.selectors import last_round_of
from tournaments.standings.selectors import standings_of

pytestmark = pytest.mark.django_db


def seeds_of(event: Event) -> list[str]:
    return list(current_stage(event).entries.values_list("entrant__public_id", flat=True))


def entrant(public_id: str) -> Entrant:
    return Entrant.objects.get(public_id=public_id)


def win(match: Match, public_id: str, by, **options: object) -> None:
    """Enter at the desk that this entrant won."""
    first = match.seats.get(number=1).entrant.public_id == public_id
    play.enter_result(match=match, by=by, games=[2, 0, 0] if first else [0, 2, 0], now=NOW, **options)


def node(event: Event, name: str) -> Match:
    return Match.objects.get(round__stage=current_stage(event), node=name)


def test_a_bracket_starts_from_the_standings_and_continues_the_round_numbers(cast: Cast) -> None:
    event = a_running_event(cast, players=5, rounds=2)
    add_stage(event=event, kind="single_elimination", cut_top=4, third_place=True, by=cast.organizer, now=NOW)
    a_stage_played(event, cast.organizer, 2)
    ranks = {row.player: row.rank for row in ranking(current_stage(event))}
    stage = play.start_stage(event=event, by=cast.organizer, now=NOW)
    came = [ranks.pop(seed) for seed in seeds_of(event)]
    assert came == sorted(came)
    assert len(came) == 4 and max(came) <= min(ranks.values())
    assert (stage.first_round, stage.rounds_planned) == (3, 2)
    round_ = a_published_round(event, cast.organizer)
    assert (round_.number, round_.of_stage) == (3, 1)
    seeds = seeds_of(event)
    pairs = [{seat.entrant.public_id for seat in match.seats.all()} for match in round_.matches.order_by("node")]
    assert pairs == [{seeds[0], seeds[3]}, {seeds[1], seeds[2]}]
    play_out(round_, cast.organizer)
    last = a_published_round(event, cast.organizer)
    assert sorted(last.matches.values_list("node", flat=True)) == ["T1", "W2.1"]
    play_out(last, cast.organizer)
    with assert_refused("rounds_over"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert [row.rank for row in ranking(current_stage(event))] == [1, 2, 3, 4]
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    assert [row["rank"] for row in standings_of(current_stage(event)).rows] == [1, 2, 3, 4]
    assert list(ledger.faults(event.public_id)) == []


@pytest.mark.slow
def test_top_seeds_get_the_byes_of_a_bracket_and_advance(cast: Cast) -> None:
    event = a_bracket(cast, players=3)
    round_ = a_published_round(event, cast.organizer)
    bye = round_.matches.get(table=None)
    assert (bye.node, bye.seats.get().entrant.public_id) == ("W1.1", seeds_of(event)[0])
    play_out(round_, cast.organizer)
    final = a_published_round(event, cast.organizer)
    assert final.matches.get().node == "W2.1"


def test_a_bracket_match_cannot_be_drawn(cast: Cast) -> None:
    event = a_bracket(cast)
    match = a_published_round(event, cast.organizer).matches.first()
    for games, kind in (([1, 1, 0], "played"), ([0, 0, 0], "intentional_draw"), ([0, 0, 0], "double_loss")):
        with assert_refused("winner_missing"):
            play.enter_result(match=match, by=cast.organizer, games=games, kind=kind, now=NOW)
    with assert_refused("winner_missing"):
        play.report_result(match=match, by=users_of(match)[0], games=[1, 1, 0], now=NOW)


def test_the_next_rank_moves_up_if_a_player_drops_before_the_cut(cast: Cast) -> None:
    event = a_running_event(cast, players=5, rounds=1)
    add_stage(event=event, kind="single_elimination", cut_top=4, by=cast.organizer, now=NOW)
    a_stage_played(event, cast.organizer, 1)
    ranked = [row.player for row in ranking(current_stage(event))]
    play.drop(entrant=entrant(ranked[0]), by=cast.organizer, now=NOW)
    play.start_stage(event=event, by=cast.organizer, now=NOW)
    assert set(seeds_of(event)) == set(ranked[1:])


def test_the_start_of_a_stage_can_be_undone_until_a_round_of_it_is_paired(cast: Cast) -> None:
    event = a_bracket(cast)
    play.undo_stage(event=event, by=cast.organizer, now=NOW)
    assert current_stage(event).number == 1
    with assert_refused("no_stage_to_undo"):
        play.undo_stage(event=event, by=cast.organizer, now=NOW)
    stage = play.start_stage(event=event, by=cast.organizer, now=NOW)
    draft = play.pair_round(stage=stage, by=cast.organizer, now=NOW)
    with assert_refused("stage_begun"):
        play.undo_stage(event=event, by=cast.organizer, now=NOW)
    play.discard_draft(round_=draft, by=cast.organizer, now=NOW)
    play.undo_stage(event=event, by=cast.organizer, now=NOW)
    assert last_round_of(event).number == 1


def test_dropping_in_a_bracket_concedes_the_current_match(cast: Cast) -> None:
    event = a_bracket(cast)
    round_ = a_published_round(event, cast.organizer)
    leaver = seeds_of(event)[0]
    match = round_.matches.get(seats__entrant__public_id=leaver)
    other = match.seats.exclude(entrant__public_id=leaver).get().entrant.public_id
    play.drop(entrant=entrant(leaver), by=cast.organizer, now=NOW)
    match.refresh_from_db()
    assert (match.kind, match.has_result) == ("concession", True)
    assert bracket_of(current_stage(event)).slots[match.node].winner == other


def test_dropping_between_bracket_rounds_lets_the_opponent_advance(cast: Cast) -> None:
    event = a_bracket(cast)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    final = bracket_of(current_stage(event)).slots["W2.1"]
    play.drop(entrant=entrant(final.a or ""), by=cast.organizer, now=NOW)
    with assert_refused("rounds_over"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert ranking(current_stage(event))[0].player == final.b
    play.finish_event(event=event, by=cast.organizer, now=NOW)


@pytest.mark.slow
def test_an_event_with_a_planned_stage_cannot_be_finished(cast: Cast) -> None:
    event = a_running_event(cast, rounds=1)
    stage = add_stage(event=event, kind="single_elimination", by=cast.organizer, now=NOW)
    with assert_refused("round_open"):
        play.start_stage(event=event, by=cast.organizer, now=NOW)
    a_stage_played(event, cast.organizer, 1)
    with assert_refused("stage_to_come"):
        play.finish_event(event=event, by=cast.organizer, now=NOW)
    remove_stage(stage=stage, by=cast.organizer, now=NOW)
    with assert_refused("no_next_stage"):
        play.start_stage(event=event, by=cast.organizer, now=NOW)
    play.finish_event(event=event, by=cast.organizer, now=NOW)


def test_correcting_a_bracket_result_needs_confirmation_and_reseats_unplayed_matches(cast: Cast) -> None:
    event = a_bracket(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    a_published_round(event, cast.organizer)
    match = node(event, "W1.1")
    was, other = (seat.entrant.public_id for seat in match.seats.order_by("number"))
    with assert_refused("affects_later") as caught:
        win(match, other, cast.organizer, reason="wrong slip")
    assert caught.value.details == [{"what": "reseated", "out": was, "into": other, "node": "W2.1"}]
    win(match, other, cast.organizer, reason="wrong slip", acknowledged=True)
    assert node(event, "W2.1").seats.filter(entrant__public_id=other).exists()
    assert not node(event, "W2.1").seats.filter(entrant__public_id=was).exists()


@pytest.mark.slow
def test_a_played_final_stands_when_a_semi_final_is_corrected(cast: Cast) -> None:
    event = a_bracket(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    match = node(event, "W1.1")
    was, other = (seat.entrant.public_id for seat in match.seats.order_by("number"))
    with assert_refused("affects_later") as caught:
        win(match, other, cast.organizer, reason="wrong slip")
    assert [effect["what"] for effect in caught.value.details] == ["stands"]
    win(match, other, cast.organizer, reason="wrong slip", acknowledged=True)
    assert node(event, "W2.1").seats.filter(entrant__public_id=was).exists()


def test_correcting_a_swiss_result_after_the_cut_shows_who_would_have_advanced(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=1)
    add_stage(event=event, kind="single_elimination", cut_top=2, by=cast.organizer, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    play.start_stage(event=event, by=cast.organizer, now=NOW)
    came = set(seeds_of(event))
    match = round_.matches.order_by("table").first()
    first, second = (seat.entrant.public_id for seat in match.seats.order_by("number"))
    with assert_refused("affects_later") as caught:
        win(match, second, cast.organizer, reason="misread")
    assert caught.value.details == [{"what": "cut", "out": first, "into": second, "node": ""}]
    win(match, second, cast.organizer, reason="misread", acknowledged=True)
    assert set(seeds_of(event)) == came
    assert ranking(event.stages.get(number=1))[0].player != first


@pytest.mark.slow
def test_double_elimination_can_be_played_to_its_end(cast: Cast) -> None:
    event = a_bracket(cast, kind="double_elimination")
    rounds = 0
    while bracket_of(current_stage(event)).slots["F1"].winner is None:
        play_out(a_published_round(event, cast.organizer), cast.organizer)
        rounds += 1
    final = node(event, "F1")
    if bracket_of(current_stage(event)).slots["F2"].state == "ready":
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    assert rounds == 4 and final.has_result
    assert [row.rank for row in ranking(current_stage(event))] == [1, 2, 3, 4]
    play.finish_event(event=event, by=cast.organizer, now=NOW)


def test_in_a_round_robin_everybody_meets_everybody_and_a_drop_gives_byes(cast: Cast) -> None:
    event = a_running_event(cast, players=4, kind="round_robin")
    met = set()
    for number in range(3):
        round_ = a_published_round(event, cast.organizer)
        met |= {
            frozenset(seat.entrant_id for seat in match.seats.all()) for match in round_.matches.filter(table__gte=1)
        }
        play_out(round_, cast.organizer)
        if number == 1:
            play.drop(entrant=event.entrants.first(), by=cast.organizer, now=NOW)
    # Of 6 pairs, one is lost to the drop before the last round.
    assert len(met) == 5
    assert Match.objects.filter(round__number=3, kind="bye").count() == 1
    with assert_refused("rounds_over"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)


@pytest.mark.slow
def test_a_pod_pairs_players_across_the_table_and_never_repeats_a_bye(cast: Cast) -> None:
    event = a_running_event(cast, players=7, kind="pods", rounds=None)
    (pod,) = pods_of(current_stage(event))
    assert current_stage(event).rounds_planned == 3
    round_ = a_published_round(event, cast.organizer)
    pairs = {frozenset(seat.entrant.public_id for seat in match.seats.all()) for match in round_.matches.all()}
    expected = {frozenset((pod.players[place], pod.players[place + 3])) for place in range(3)}
    assert pairs == expected | {frozenset(pod.players[-1:])}
    play_out(round_, cast.organizer)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    byes = list(Match.objects.filter(kind="bye").values_list("seats__entrant", flat=True))
    assert len(byes) == len(set(byes)) == 2


def test_a_pod_stage_with_too_few_players_cannot_start(cast: Cast) -> None:
    with assert_refused("cannot_start_stage") as caught:
        a_running_event(cast, players=4, kind="pods")
    assert caught.value.details == ["too_few_players"]


def test_stages_that_have_not_started_can_be_configured_and_removed(cast: Cast) -> None:
    event = an_event(cast)
    first = current_stage(event)
    configure_stage(stage=first, kind="round_robin", twice=True, by=cast.organizer, now=NOW)
    first.refresh_from_db()
    assert (first.kind, first.twice, first.rounds_planned) == ("round_robin", True, None)
    for options, code in (
        ({"third_place": True}, "option_unknown"),
        ({"cut_top": 8}, "option_unknown"),
        ({"kind": "ladder"}, "structure_unknown"),
        ({"round_minutes": 9_999}, "out_of_bounds"),
    ):
        with assert_refused(code):
            configure_stage(stage=first, by=cast.organizer, now=NOW, **options)
    second = add_stage(event=event, kind="single_elimination", cut_top=8, by=cast.organizer, now=NOW)
    third = add_stage(event=event, kind="round_robin", by=cast.organizer, now=NOW)
    with assert_refused("stage_not_last"):
        remove_stage(stage=second, by=cast.organizer, now=NOW)
    remove_stage(stage=third, by=cast.organizer, now=NOW)
    with assert_refused("first_stage"):
        remove_stage(stage=first, by=cast.organizer, now=NOW)


@pytest.mark.slow
def test_a_started_stage_cannot_be_configured_or_removed(cast: Cast) -> None:
    event = a_bracket(cast)
    for stage in Stage.objects.filter(event=event):
        with assert_refused("stage_started"):
            configure_stage(stage=stage, kind="swiss", by=cast.organizer, now=NOW)
    with assert_refused("stage_started"):
        remove_stage(stage=current_stage(event), by=cast.organizer, now=NOW)


def test_a_disqualified_player_loses_the_match_and_leaves_the_standings(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    round_ = a_published_round(event, cast.organizer)
    match = match_of(round_, cast.player)
    out = match.seats.get(entrant__member__person__account=cast.player).entrant
    with assert_refused("reason_missing"):
        play.disqualify(entrant=out, by=cast.organizer, now=NOW, reason=" ")
    play.disqualify(entrant=out, by=cast.organizer, now=NOW, reason="marked cards")
    match.refresh_from_db()
    assert match.kind == Match.Kind.DISQUALIFIED
    assert match.seats.exclude(entrant=out).get().points == 3
    assert out.public_id not in {row.player for row in ranking(current_stage(event))}
    with assert_refused("disqualified"):
        play.reinstate(entrant=out, by=cast.organizer, now=NOW)
    assert Round.objects.get(stage__event=event).status == "published"
