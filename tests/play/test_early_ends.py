"""Stages that end before their planned rounds, and rounds in which nobody would meet."""

import re

import pytest

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, a_running_team_event, a_table_event
from tests.builders import play_out as close
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
from tournaments.events.stages import add_stage
from tournaments.play import services as play
from tournaments.play.field import bracket_of
from tournaments.play.models import Match, Round

pytestmark = pytest.mark.django_db


def enter_results(round_: Round, cast: Cast, winner: int = 1) -> None:
    games = (2, 0, 0) if winner == 1 else (0, 2, 0)
    for match in round_.matches.filter(table__isnull=False):
        play.enter_result(match=match, by=cast.organizer, games=games, now=NOW)


def leave(event: Event, cast: Cast, *, but: int) -> None:
    """Drop everybody but so many."""
    for entrant in event.entrants.filter(status=Entrant.Status.REGISTERED).order_by("pk")[but:]:
        play.drop(entrant=entrant, by=cast.organizer, now=NOW)


def buttons(event: Event, cast: Cast, round_: Round) -> set[str]:
    """The buttons of the round desk that end the round or go on."""
    page = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, round_.number)))
    found = {words.strip() for words in re.findall(r"<button[^>]*>([^<]+)</button>", page)}
    return found & {"Next round", "Close and pair the next round", "Close the round"}


def next_step(event: Event, cast: Cast) -> str:
    page = text(signed_in(cast.organizer).get(address("staff", event.public_id)))
    card = page.split('aria-labelledby="next"')[1].split("</section>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", card).split())


def finish_by_the_desk(event: Event, cast: Cast, round_: Round) -> None:
    """Press what the desk offers until the event is over: no button may fail."""
    assert buttons(event, cast, round_) == {"Close the round"}
    client = signed_in(cast.organizer)
    assert client.post(address("staff_close", event.public_id, round_.number)).status_code == 302
    assert "Finish the event" in next_step(event, cast)
    assert client.post(address("staff_step", event.public_id, "finish")).status_code == 302
    event.refresh_from_db()
    assert event.status == "finished"


def test_an_undefeated_player_who_wins_the_grand_final_ends_the_stage(cast: Cast) -> None:
    event = a_bracket(cast, players=4, kind="double_elimination")
    while bracket_of(current_stage(event)).slots["F1"].state != "seated":
        round_ = a_published_round(event, cast.organizer)
        if bracket_of(current_stage(event)).slots["F1"].state != "seated":
            close(round_, cast.organizer)
    enter_results(round_, cast)
    finish_by_the_desk(event, cast, round_)


def test_a_grand_final_won_from_the_losers_bracket_is_followed_by_its_reset(cast: Cast) -> None:
    event = a_bracket(cast, players=2, kind="double_elimination")
    round_ = a_published_round(event, cast.organizer)
    while bracket_of(current_stage(event)).slots["F1"].state != "seated":
        close(round_, cast.organizer)
        round_ = a_published_round(event, cast.organizer)
    enter_results(round_, cast, winner=2)
    assert "Next round" in buttons(event, cast, round_)


@pytest.mark.parametrize("kind", ["single_elimination", "double_elimination"])
def test_a_bracket_whose_players_drop_ends_with_the_one_who_is_left(cast: Cast, kind: str) -> None:
    event = a_bracket(cast, players=4, kind=kind)
    round_ = a_published_round(event, cast.organizer)
    enter_results(round_, cast)
    leave(event, cast, but=1)
    finish_by_the_desk(event, cast, round_)


def test_a_final_between_two_who_are_left_is_still_offered(cast: Cast) -> None:
    event = a_bracket(cast, players=4)
    round_ = a_published_round(event, cast.organizer)
    enter_results(round_, cast)
    assert buttons(event, cast, round_) == {"Next round", "Close and pair the next round", "Close the round"}


def test_a_round_robin_ends_once_those_who_are_left_have_met(cast: Cast) -> None:
    event = a_running_event(cast, players=4, kind="round_robin")
    round_ = a_published_round(event, cast.organizer)
    enter_results(round_, cast)
    met = list(Entrant.objects.filter(seats__match=round_.matches.get(table=1)))
    for entrant in event.entrants.exclude(pk__in=[one.pk for one in met]):
        play.drop(entrant=entrant, by=cast.organizer, now=NOW)
    with assert_refused("rounds_over"):
        play.follow_round(round_=round_, minutes=3, by=cast.organizer, now=NOW)
    finish_by_the_desk(event, cast, round_)


def test_a_round_robin_goes_on_over_a_round_of_byes_to_a_meeting_that_is_left(cast: Cast) -> None:
    event = a_running_event(cast, players=4, kind="round_robin")
    round_ = a_published_round(event, cast.organizer)
    close(round_, cast.organizer)
    pairs = [set(match.seats.values_list("entrant", flat=True)) for match in round_.matches.all()]
    second = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    soon = [set(match.seats.values_list("entrant", flat=True)) for match in second.matches.all()]
    play.discard_draft(round_=second, by=cast.organizer, now=NOW)
    pks = set(event.entrants.values_list("pk", flat=True))
    kept = next({a, b} for a in pks for b in pks if a < b and {a, b} not in pairs + soon)
    for entrant in event.entrants.exclude(pk__in=kept):
        play.drop(entrant=entrant, by=cast.organizer, now=NOW)
    with assert_refused("nobody_meets"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    byes = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW, acknowledged=True)
    play.publish_round(round_=byes, by=cast.organizer, now=NOW)
    play.close_round(round_=byes, by=cast.organizer, now=NOW)
    assert a_published_round(event, cast.organizer).matches.filter(table__isnull=False).count() == 1


@pytest.mark.parametrize("kind", ["swiss", "round_robin", "pods"])
def test_one_player_who_is_left_ends_any_stage(cast: Cast, kind: str) -> None:
    event = a_running_event(cast, players=6, kind=kind, rounds=None if kind == "round_robin" else 3)
    round_ = a_published_round(event, cast.organizer)
    enter_results(round_, cast)
    leave(event, cast, but=1)
    finish_by_the_desk(event, cast, round_)


def test_one_team_that_is_left_ends_the_event(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, together=True)
    round_ = a_published_round(event, cast.organizer)
    enter_results(round_, cast)
    leave(event, cast, but=1)
    finish_by_the_desk(event, cast, round_)


def test_pairing_one_player_alone_is_asked_about_on_the_page_and_by_the_api(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=4)
    round_ = a_published_round(event, cast.organizer)
    enter_results(round_, cast)
    leave(event, cast, but=1)
    client = signed_in(cast.organizer)
    for name, form in (("staff_follow", {"minutes": "7"}), ("staff_close", {"pair": "1"})):
        asked = client.post(address(name, event.public_id, 1), {**form, "form_token": "a-token-of-the-form"})
        page = text(asked)
        assert (asked.status_code, "only 1 player is left" in page) == (409, True)
        assert 'name="acknowledged"' in page and all(
            f'name="{field}" value="{value}"' in page for field, value in form.items()
        )
    round_.refresh_from_db()
    assert round_.status == "published"
    token = {"form_token": "a-token-of-the-form", "acknowledged": "1"}
    assert client.post(address("staff_follow", event.public_id, 1), {"minutes": "7", **token}).status_code == 302
    assert Match.objects.get(round__number=2).kind == "bye"


def test_nobody_at_all_cannot_be_paired(cast: Cast) -> None:
    event = a_running_event(cast, players=2, rounds=4)
    round_ = a_published_round(event, cast.organizer)
    close(round_, cast.organizer)
    leave(event, cast, but=0)
    with assert_refused("nobody_to_pair"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW, acknowledged=True)
    assert "Finish the event" in next_step(event, cast)


def test_one_player_at_multiplayer_tables_cannot_be_paired(cast: Cast) -> None:
    event = a_table_event(cast, players=3, rounds=3)
    leave(event, cast, but=1)
    with assert_refused("nobody_to_pair"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW, acknowledged=True)
    assert "Go to the entrants" in next_step(event, cast)


def test_a_planned_stage_that_too_few_are_left_for_is_to_be_removed(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=3)
    add_stage(event=event, kind="single_elimination", cut_top=2, by=cast.organizer, now=NOW)
    close(a_published_round(event, cast.organizer), cast.organizer)
    leave(event, cast, but=1)
    step = next_step(event, cast)
    assert "Go to the stages" in step and "Remove it, then finish the event" in step
