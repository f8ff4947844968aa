"""The results desk without its script: the table found, one button a result, old beside new, undone."""

import json

import pytest
from django.test import Client

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, a_table_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import Person, User
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.web.views.staff.outcomes import outcomes_of

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast)


@pytest.fixture
def round_(cast: Cast, event: Event) -> Round:
    return a_published_round(event, cast.organizer)


@pytest.fixture
def match(cast: Cast, round_: Round) -> Match:
    return match_of(round_, cast.player)


def test_a_table_is_found_by_its_number_and_by_a_fragment_of_a_name(cast: Cast, event: Event, match: Match) -> None:
    Person.objects.filter(given_name="Player 1").update(given_name="Éloïse")
    client, desk = signed_in(cast.scorekeeper), address("staff_results", event.public_id, 1)
    slip = f'action="{address("staff_slip", match.public_id)}"'
    for wanted in (str(match.table), "elois", " ÉLO "):
        assert slip in text(client.get(desk, {"find": wanted})), wanted
    several = text(client.get(desk, {"find": "player"}))
    assert slip not in several and several.count('href="?find=') >= 4
    assert "No table is called" in text(client.get(desk, {"find": "nobody"}))


def test_a_button_enters_the_slip_and_its_drops_and_undo_takes_both_back(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    done = client.post(address("staff_slip", match.public_id), {"outcome": "4", "drop": ["2"]}, follow=True)
    assert "2–1" in text(done) and address("staff_slip_undo", match.public_id) in text(done)
    seats = match.seats.order_by("number")
    assert [(seat.games_won, seat.entrant.status) for seat in seats] == [(2, "registered"), (1, "dropped")]
    client.post(address("staff_slip_undo", match.public_id))
    assert [(seat.games_won, seat.entrant.status) for seat in seats.all()] == [(None, "registered")] * 2


def test_a_different_result_shows_old_and_new_and_is_entered_with_a_reason(cast: Cast, match: Match) -> None:
    client, slip = signed_in(cast.scorekeeper), address("staff_slip", match.public_id)
    client.post(slip, {"outcome": "7"})
    refused = client.post(slip, {"outcome": "9"})
    page = text(refused)
    assert (refused.status_code, "reason_missing" in page, "2–0" in page, "0–2" in page) == (422, True, True, True)
    assert client.post(slip, {"outcome": "9", "reason": "Read upside down."}).status_code == 302
    assert list(match.seats.values_list("games_won", flat=True)) == [0, 2]


def test_the_script_is_answered_with_what_happened(cast: Cast, match: Match) -> None:
    client, slip = signed_in(cast.scorekeeper), address("staff_slip", match.public_id)
    states = [json.loads(client.post(slip, {"outcome": key}, headers=JSON).content)["state"] for key in "778"]
    assert states == ["entered", "same", "differs"]
    play.override_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    undone = client.post(address("staff_slip_undo", match.public_id), headers=JSON)
    assert json.loads(undone.content)["state"] == "undone"


def test_a_contested_table_is_left_to_its_judge(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)
    play.contest_result(match=match, report=report, by=second, now=NOW)
    answer = signed_in(cast.scorekeeper).post(address("staff_slip", match.public_id), {"outcome": "7"}, headers=JSON)
    told = json.loads(answer.content)
    assert (answer.status_code, told["state"], told["code"]) == (409, "refused", "disputed")


def test_the_columns_say_where_each_table_stands(cast: Cast, event: Event, match: Match) -> None:
    play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    page = text(signed_in(cast.scorekeeper).get(address("staff_results", event.public_id, 1)))
    waiting, claimed, done = (page.index(f'id="column-{name}"') for name in ("waiting", "claimed", "done"))
    assert claimed < page.index(address("staff_slip", match.public_id)) < done
    (other,) = match.round.matches.exclude(pk=match.pk)
    assert waiting < page.index(address("staff_slip", other.public_id)) < claimed


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_every_key_enters_a_result_that_its_structure_allows(cast: Cast, best_of: int) -> None:
    round_ = a_published_round(a_running_event(cast, best_of=best_of), cast.organizer)
    match = match_of(round_, cast.player)
    for number, outcome in enumerate(outcomes_of(round_.stage)):
        reason = "" if number == 0 else "Once more."
        entered = play.enter_slip(
            match=match, by=cast.organizer, games=outcome.games, kind=outcome.kind, reason=reason, now=NOW
        )
        assert entered, outcome


def test_who_is_no_scorekeeper_has_no_desk(cast: Cast, event: Event, match: Match) -> None:
    desk, slip, undo = (
        address("staff_results", event.public_id, 1),
        address("staff_slip", match.public_id),
        address("staff_slip_undo", match.public_id),
    )
    for user, status in ((cast.stranger, 404), (cast.player, 404), (cast.judge, 403)):
        client = signed_in(user)
        assert client.get(desk).status_code == status
        assert client.post(slip, {"outcome": "7"}).status_code == status
        assert client.post(undo).status_code == status
    assert Client().get(desk).status_code == 302
    assert signed_in(cast.scorekeeper).get(slip).url == address("staff_result", match.public_id)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    assert "own_match" in text(signed_in(cast.player).post(slip, {"outcome": "7"}))


def test_a_draft_has_no_results_desk(cast: Cast, event: Event) -> None:
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    answer = signed_in(cast.scorekeeper).get(address("staff_results", event.public_id, 1))
    assert answer.url == address("staff_round", event.public_id, 1)


@pytest.mark.parametrize("language", ["fr", "it"])
def test_the_desk_reads_in_the_other_languages(cast: Cast, event: Event, round_: Round, language: str) -> None:
    User.objects.update(language=language)
    page = text(signed_in(User.objects.get(pk=cast.organizer.pk)).get(address("staff_results", event.public_id, 1)))
    assert f'<html lang="{language}"' in page and "Not reported" not in page


def test_the_queries_of_the_desk_do_not_grow_with_the_tables(cast: Cast) -> None:
    costs = []
    for players, name in ((2, "Small"), (6, "Large")):
        event = a_running_event(cast, players=players, name=name)
        a_published_round(event, cast.organizer)
        costs.append(queries_of(signed_in(cast.scorekeeper), address("staff_results", event.public_id, 1)))
    assert costs[0] == costs[1]


def test_the_next_round_is_one_button_and_its_undo_another(cast: Cast, event: Event, round_: Round) -> None:
    client, desk = signed_in(cast.scorekeeper), address("staff_round", event.public_id, 1)
    follow, undo = address("staff_follow", event.public_id, 1), address("staff_undo_follow", event.public_id, 2)
    assert follow not in text(client.get(desk))
    assert "results_missing" in text(client.post(follow, {"minutes": "3"}))
    for each in round_.matches.filter(table__isnull=False):
        play.override_result(match=each, by=cast.organizer, games=(2, 0, 0), now=NOW)
    assert follow in text(client.get(desk))
    assert "minutes_invalid" in text(client.post(follow, {"minutes": "99"}))
    published = text(client.post(follow, {"minutes": "3"}, follow=True))
    assert undo in published and "starts at" in published
    assert client.post(undo).url == desk
    for user, status in ((cast.stranger, 404), (cast.player, 404), (cast.judge, 403)):
        assert signed_in(user).post(follow, {"minutes": "3"}).status_code == status
        assert signed_in(user).post(address("staff_undo_follow", event.public_id, 1)).status_code == status


def test_a_table_of_several_is_entered_by_a_digit_a_player(cast: Cast) -> None:
    event = a_table_event(cast, players=3)
    round_ = a_published_round(event, cast.organizer)
    table = round_.matches.get(table=1)
    client, slip = signed_in(cast.scorekeeper), address("staff_slip", table.public_id)
    desk = address("staff_results", event.public_id, round_.number)
    page = text(client.get(desk, {"find": "1"}))
    assert address("staff_result", table.public_id) in page and 'data-seats="3" data-ranked' in page
    assert f'action="{slip}"' in page and 'id="ranks"' in page
    for wrong in ("7", "21", "2134", "x13"):
        refused = client.post(slip, {"outcome": wrong})
        assert (refused.status_code, "score_invalid" in text(refused)) == (422, True), wrong
    assert client.post(slip, {"outcome": "219"}).status_code == 422
    done = client.post(slip, {"outcome": "2 1 3", "drop": ["3"]}, follow=True)
    seats = table.seats.order_by("number")
    assert [(seat.rank, seat.entrant.status) for seat in seats] == [
        (2, "registered"),
        (1, "registered"),
        (3, "dropped"),
    ]
    assert address("staff_slip_undo", table.public_id) in text(done)
    assert json.loads(client.post(slip, {"outcome": "213"}, headers=JSON).content)["state"] == "same"
    differs = json.loads(client.post(slip, {"outcome": "123"}, headers=JSON).content)
    assert (differs["state"], differs["new"]) == ("differs", "1, 2, 3")


def test_the_slips_of_tables_of_several_ask_for_ranks(cast: Cast) -> None:
    event = a_table_event(cast)
    table = a_published_round(event, cast.organizer).matches.get(table=1)
    client = signed_in(cast.scorekeeper)
    slips = text(client.get(address("print_page", event.public_id, "slips"), {"round": "1"}))
    assert "Rank and points" in slips and "Games won" not in slips
    assert slips.count('class="sign"') == table.seats.count()


def test_a_bracket_has_no_key_for_a_draw(cast: Cast) -> None:
    bracket = a_bracket(cast)
    keys = [outcome.key for outcome in outcomes_of(current_stage(bracket))]
    assert {"7", "4", "6", "9", "q"} <= set(keys) and not {"8", "5", "d"} & set(keys)
