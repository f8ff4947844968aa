"""The results desk as the server answers it: finding a table, entering slips, undo, refreshing changed rows.

Results are entered by keys: digits in numpad layout for the six common outcomes (7 is 2–0, 4 is 2–1, 9 is 0–2), letters
for the rest. What the script does in the browser is tested in `tests/e2e`.
"""

import json
import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, a_table_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import Person, User
from tournaments.common import ledger
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.judging.penalties import give_penalty
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.play.models import Match, Round, Seat
from tournaments.web.live import positions
from tournaments.web.pages.results.outcomes import outcomes_of

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


def test_a_table_is_found_by_number_or_part_of_a_name(cast: Cast, event: Event, match: Match) -> None:
    Person.objects.filter(given_name="Player 1").update(given_name="Éloïse")
    client, desk = signed_in(cast.scorekeeper), address("staff_results", event.public_id, 1)
    slip = f'action="{address("staff_slip", match.public_id)}"'
    for wanted in (str(match.table), "elois", " ÉLO "):
        assert slip in text(client.get(desk, {"find": wanted})), wanted
    several = text(client.get(desk, {"find": "player"}))
    assert slip not in several and several.count('href="?find=') >= 4
    assert "No table matches" in text(client.get(desk, {"find": "nobody"}))


def test_names_are_escaped_in_the_columns_of_the_desk(cast: Cast, event: Event, match: Match) -> None:
    Person.objects.filter(given_name="Player 1").update(given_name='<b>"Éloïse" & co</b>')
    page = text(signed_in(cast.scorekeeper).get(address("staff_results", event.public_id, 1)))
    assert "<span data-name>&lt;b&gt;&quot;Éloïse&quot; &amp; co&lt;/b&gt;</span>" in page
    assert "<b>" not in page


def test_a_button_enters_result_and_drops_and_undo_reverts_both(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    done = client.post(address("staff_slip", match.public_id), {"outcome": "4", "drop": ["2"]}, follow=True)
    assert "2–1" in text(done) and address("staff_slip_undo", match.public_id) in text(done)
    seats = match.seats.order_by("number")
    assert [(seat.games_won, seat.entrant.status) for seat in seats] == [(2, "registered"), (1, "dropped")]
    client.post(address("staff_slip_undo", match.public_id))
    assert [(seat.games_won, seat.entrant.status) for seat in seats.all()] == [(None, "registered")] * 2


def test_a_different_result_shows_old_and_new_and_needs_a_reason(cast: Cast, match: Match) -> None:
    client, slip = signed_in(cast.scorekeeper), address("staff_slip", match.public_id)
    client.post(slip, {"outcome": "7"})
    refused = client.post(slip, {"outcome": "9"})
    page = text(refused)
    assert (refused.status_code, "reason_missing" in page, "2–0" in page, "0–2" in page) == (422, True, True, True)
    assert client.post(slip, {"outcome": "9", "reason": "Read upside down."}).status_code == 302
    assert list(match.seats.values_list("games_won", flat=True)) == [0, 2]


def test_the_script_gets_the_outcome_as_json(cast: Cast, match: Match) -> None:
    client, slip = signed_in(cast.scorekeeper), address("staff_slip", match.public_id)
    states = [json.loads(client.post(slip, {"outcome": key}, headers=JSON).content)["state"] for key in "778"]
    assert states == ["entered", "same", "differs"]
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    undone = client.post(address("staff_slip_undo", match.public_id), headers=JSON)
    assert json.loads(undone.content)["state"] == "undone"


def test_a_contested_match_is_left_to_a_judge(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)
    play.contest_result(match=match, report=report, by=second, now=NOW)
    answer = signed_in(cast.scorekeeper).post(address("staff_slip", match.public_id), {"outcome": "7"}, headers=JSON)
    told = json.loads(answer.content)
    assert (answer.status_code, told["state"], told["code"]) == (409, "refused", "disputed")


def test_each_table_is_in_the_column_of_its_state(cast: Cast, event: Event, match: Match) -> None:
    play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    page = text(signed_in(cast.scorekeeper).get(address("staff_results", event.public_id, 1)))
    waiting, claimed, done = (page.index(f'id="column-{name}"') for name in ("waiting", "claimed", "done"))
    assert claimed < page.index(address("staff_slip", match.public_id)) < done
    (other,) = match.round.matches.exclude(pk=match.pk)
    assert waiting < page.index(address("staff_slip", other.public_id)) < claimed


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_every_key_enters_a_result_that_the_match_structure_allows(cast: Cast, best_of: int) -> None:
    round_ = a_published_round(a_running_event(cast, best_of=best_of), cast.organizer)
    match = match_of(round_, cast.player)
    for number, outcome in enumerate(outcomes_of(round_.stage)):
        reason = "" if number == 0 else "Once more."
        entered = play.enter_result(
            match=match, by=cast.organizer, games=outcome.games, kind=outcome.kind, reason=reason, now=NOW
        )
        assert entered, outcome


def test_only_scorekeepers_have_a_results_desk(cast: Cast, event: Event, match: Match) -> None:
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


def test_a_draft_round_has_no_results_desk(cast: Cast, event: Event) -> None:
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    answer = signed_in(cast.scorekeeper).get(address("staff_results", event.public_id, 1))
    assert answer.url == address("staff_round", event.public_id, 1)


@pytest.mark.parametrize("language", ["fr", "it"])
def test_the_desk_is_translated(cast: Cast, event: Event, round_: Round, language: str) -> None:
    User.objects.update(language=language)
    page = text(signed_in(User.objects.get(pk=cast.organizer.pk)).get(address("staff_results", event.public_id, 1)))
    assert f'<html lang="{language}"' in page and "No result yet" not in page


def test_the_number_of_queries_does_not_grow_with_the_tables(cast: Cast) -> None:
    costs = []
    for players, name in ((2, "Small"), (6, "Large")):
        event = a_running_event(cast, players=players, name=name)
        a_published_round(event, cast.organizer)
        costs.append(queries_of(signed_in(cast.scorekeeper), address("staff_results", event.public_id, 1)))
    assert costs[0] == costs[1]


def changed_since(client: Client, round_: Round, number: int) -> HttpResponse:
    """Ask for the changes of an open desk that shows the tables as of this revision of the ledger."""
    desk = address("staff_results", round_.stage.event.public_id, round_.number)
    return client.get(desk, {"since": number}, headers={"HX-Request": "true"})


def tables_in(answer: HttpResponse) -> dict[str, list[str]]:
    """Map each column of an answer to the ids of its matches."""
    columns = re.split(r'data-column="(\w+)"', text(answer))
    return {
        name: re.findall(r'data-slip-address="/m/(m-[a-z0-9]+)/', column)
        for name, column in zip(columns[1::2], columns[2::2], strict=True)
    }


def test_after_a_result_an_open_desk_gets_only_its_row(cast: Cast, event: Event, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    before = ledger.revision(event.public_id)
    play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=NOW)
    answer = changed_since(client, match.round, before)
    assert answer["HX-Reswap"] == "none"
    assert tables_in(answer) == {"contested": [], "waiting": [], "claimed": [], "done": [match.public_id]}
    now_at = ledger.revision(event.public_id)
    assert f'<div data-since="{now_at}">' in text(answer) and "2–1" in text(answer)
    assert not any(tables_in(changed_since(client, match.round, now_at)).values())


def test_the_columns_contain_the_ledger_revision_they_show(cast: Cast, event: Event, match: Match) -> None:
    page = text(signed_in(cast.scorekeeper).get(address("staff_results", event.public_id, 1)))
    assert f'data-since="{ledger.revision(event.public_id)}"' in page


def test_reports_contests_calls_and_penalties_refresh_the_rows_of_their_matches(
    cast: Cast, event: Event, match: Match
) -> None:
    client = signed_in(cast.scorekeeper)
    first, second = users_of(match)
    entrant = match.seats.get(entrant__member__person__account=first).entrant
    steps: list[tuple[str, Callable[[], object]]] = [
        ("waiting", lambda: call_judge(match=match, by=first, matter="rules", now=NOW)),
        ("claimed", lambda: play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)),
        (
            "contested",
            lambda: play.contest_result(match=match, report=match.reports.get(), by=second, now=NOW),
        ),
        (
            "contested",
            lambda: give_penalty(
                entrant=entrant, match=match, infraction="misplay", level="warning", by=cast.judge, now=NOW
            ),
        ),
    ]
    for column, happens in steps:
        before = ledger.revision(event.public_id)
        happens()
        found = tables_in(changed_since(client, match.round, before))
        assert found == {name: [match.public_id] if name == column else [] for name in found}, column


def test_a_table_waiting_for_a_judge_is_refreshed_each_time(cast: Cast, event: Event, match: Match) -> None:
    call_judge(match=match, by=cast.player, matter="rules", now=NOW)
    # Nothing has changed since, but the row shows how many minutes the table has waited.
    answer = changed_since(signed_in(cast.scorekeeper), match.round, ledger.revision(event.public_id))
    assert tables_in(answer)["waiting"] == [match.public_id]


def test_an_entry_about_a_player_refreshes_the_row_of_their_match(cast: Cast, event: Event, match: Match) -> None:
    before = ledger.revision(event.public_id)
    play.drop(entrant=match.seats.first().entrant, by=cast.organizer, now=NOW)
    answer = changed_since(signed_in(cast.scorekeeper), match.round, before)
    assert tables_in(answer)["waiting"] == [match.public_id]


def test_the_whole_desk_is_refreshed_if_any_row_may_have_changed(
    cast: Cast, event: Event, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, before = signed_in(cast.scorekeeper), ledger.revision(event.public_id)
    tables = match.round.matches.filter(table__isnull=False).count()

    def is_whole(number: int) -> bool:
        answer = changed_since(client, match.round, number)
        return "HX-Reswap" not in answer and sum(map(len, tables_in(answer).values())) == tables

    assert is_whole(before + 1), "an entry that the ledger does not have"
    for each in match.round.matches.filter(table__isnull=False):
        play.enter_result(match=each, by=cast.organizer, games=(2, 0, 0), now=NOW)
    assert not is_whole(before)
    monkeypatch.setattr(positions, "MOST_READ", 1)
    assert is_whole(before), "more entries than are read"
    monkeypatch.undo()
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    assert is_whole(before), "an entry about the round"


@pytest.mark.parametrize("since", ["", "x", "-1", "1.0", "9" * 30, "²"])
def test_an_invalid_revision_refreshes_the_whole_desk(cast: Cast, event: Event, match: Match, since: str) -> None:
    desk = address("staff_results", event.public_id, 1)
    answer = signed_in(cast.scorekeeper).get(desk, {"since": since}, headers={"HX-Request": "true"})
    assert answer.status_code == 200 and 'id="columns"' in text(answer)


def test_staff_who_play_see_their_own_row_marked(cast: Cast, event: Event, match: Match) -> None:
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    before = ledger.revision(event.public_id)
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    for user, own in ((cast.player, True), (cast.scorekeeper, False)):
        answer = changed_since(signed_in(user), match.round, before)
        assert tables_in(answer)["done"] == [match.public_id]
        assert (" data-own" in text(answer)) is own


def test_only_scorekeepers_get_the_changed_rows(cast: Cast, event: Event, match: Match) -> None:
    for user, status in ((cast.stranger, 404), (cast.player, 404), (cast.judge, 403)):
        assert changed_since(signed_in(user), match.round, 1).status_code == status


def test_one_button_starts_the_next_round_and_another_undoes_it(cast: Cast, event: Event, round_: Round) -> None:
    client, desk = signed_in(cast.scorekeeper), address("staff_round", event.public_id, 1)
    follow, undo = address("staff_follow", event.public_id, 1), address("staff_undo_follow", event.public_id, 2)
    assert follow not in text(client.get(desk))
    assert "results_missing" in text(client.post(follow, {"minutes": "3"}))
    for each in round_.matches.filter(table__isnull=False):
        play.enter_result(match=each, by=cast.organizer, games=(2, 0, 0), now=NOW)
    assert follow in text(client.get(desk))
    assert "minutes_invalid" in text(client.post(follow, {"minutes": "99"}))
    published = text(client.post(follow, {"minutes": "3"}, follow=True))
    assert undo in published and "starts at" in published
    assert client.post(undo).url == desk
    for user, status in ((cast.stranger, 404), (cast.player, 404), (cast.judge, 403)):
        assert signed_in(user).post(follow, {"minutes": "3"}).status_code == status
        assert signed_in(user).post(address("staff_undo_follow", event.public_id, 1)).status_code == status


def test_who_drops_with_a_slip_is_read_back(cast: Cast, match: Match) -> None:
    client, slip = signed_in(cast.scorekeeper), address("staff_slip", match.public_id)
    names = [seat.entrant.full_name for seat in match.seats.order_by("number")]
    said = json.loads(client.post(slip, {"outcome": "7", "drop": ["2"]}, headers=JSON).content)["said"]
    assert f"{names[1]} drops after this round." in said and f"{names[0]} drops" not in said
    differs = json.loads(client.post(slip, {"outcome": "9", "drop": ["1"]}, headers=JSON).content)
    assert f"{names[0]} drops after this round." in differs["html"]


def test_until_the_planned_start_the_desk_offers_what_is_still_possible(
    cast: Cast, event: Event, round_: Round
) -> None:
    for each in round_.matches.filter(table__isnull=False):
        play.enter_result(match=each, by=cast.organizer, games=(2, 0, 0), now=NOW)
    client, desk = signed_in(cast.scorekeeper), address("staff_round", event.public_id, 2)
    cancel, hands = (
        address("staff_clock", event.public_id, 2, "cancel"),
        address("staff_hands", event.public_id, 2),
    )
    unpublish = address("staff_undo", event.public_id, 2, "unpublish")
    client.post(address("staff_follow", event.public_id, 1), {"minutes": "60"})
    page = text(client.get(desk))
    assert cancel in page and hands in page and unpublish in page
    players = [
        seat.entrant.public_id for seat in Seat.objects.filter(round__number=2).order_by("match__table", "number")
    ]
    preview = text(client.get(hands, {"command": "swap", "first": players[0], "second": players[2]}))
    assert "Give the first the bye" not in preview and "notified" in preview
    swap = address("staff_hand", event.public_id, 2, "swap")
    assert client.post(swap, {"first": players[0], "second": players[2]}).url == desk
    assert Seat.objects.get(round__number=2, entrant__public_id=players[2]).match.table == 1
    assert "starts at" not in text(client.post(cancel, follow=True))
    client.post(address("staff_clock", event.public_id, 2, "start"))
    page = text(client.get(desk))
    assert not {cancel, hands, unpublish} & set(re.findall(r'(?:action|href)="([^"]+)"', page))
    assert "round_begun" in text(client.post(swap, {"first": players[0], "second": players[2]}))


def test_a_multiplayer_table_is_entered_as_one_digit_per_player(cast: Cast) -> None:
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
    # The rank of seat 1, of seat 2 and of seat 3.
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
    assert differs["state"] == "differs" and "1, 2, 3" in differs["html"]


def test_slips_of_multiplayer_tables_ask_for_ranks(cast: Cast) -> None:
    event = a_table_event(cast)
    table = a_published_round(event, cast.organizer).matches.get(table=1)
    client = signed_in(cast.scorekeeper)
    slips = text(client.get(address("print_page", event.public_id, "slips"), {"round": "1"}))
    assert "Rank and points" in slips and "Games won" not in slips
    assert slips.count('class="sign"') == table.seats.count()


def test_the_desk_of_a_bracket_has_no_key_for_a_draw(cast: Cast) -> None:
    bracket = a_bracket(cast)
    keys = [outcome.key for outcome in outcomes_of(current_stage(bracket))]
    assert {"7", "4", "6", "9", "q"} <= set(keys) and not {"8", "5", "d"} & set(keys)
