"""Pages of team events: how teams play, entering, joining, boards, and results board by board."""

import re

import pytest
from django.test import Client

from tests.api import scenes
from tests.builders import NOW, a_published_round, a_running_team_event, a_team_event, an_event
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tests.web.routes import PATTERNS
from tests.web.routes import address as route_address
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.events.models import Entrant
from tournaments.events.questions import add_question
from tournaments.events.registration import register_person
from tournaments.events.teams import add_member, captain_of, in_order, join_team, team_signature
from tournaments.paper.sheets import ListSheet, sheets_of
from tournaments.play import services as play
from tournaments.play.boards import score_by_board
from tournaments.play.models import Match
from tournaments.web.live.parts import _seats

pytestmark = pytest.mark.django_db


def test_an_organizer_chooses_how_teams_play_and_adds_teams_from_a_list(cast: Cast) -> None:
    event = an_event(cast, lists="none")
    organizer = signed_in(cast.organizer)
    page = address("staff_teams", event.public_id)
    assert "Everybody plays alone" not in text(organizer.get(page))
    settings = {"team_size": 3, "team_play": "boards", "substitutes": 1}
    assert organizer.post(address("staff_teams_choose", event.public_id), settings).status_code == 302
    lines = "Foxes: Ann Lee, Bob Moss, Cy Dale\nOwls: Dee, Eve"
    assert organizer.post(address("staff_teams_add", event.public_id), {"teams": lines}).status_code == 302
    said = text(organizer.get(page))
    assert "Foxes" in said and "Ann Lee" in said and said.count("Incomplete") == 1
    event.refresh_from_db()
    assert event.has_boards and event.entrants.count() == 2


def test_a_list_that_is_no_list_of_teams_says_which_lines_are_wrong(cast: Cast) -> None:
    event = a_team_event(cast)
    wrong = signed_in(cast.organizer).post(address("staff_teams_add", event.public_id), {"teams": "Foxes\nOwls: Ann"})
    assert wrong.status_code == 422 and "Write a team on each line" in text(wrong)
    assert not event.entrants.exists()


def test_a_captain_registers_a_team_and_a_mate_joins_by_the_link(cast: Cast) -> None:
    event = a_team_event(cast)
    captain, mate = signed_in(cast.player), signed_in(cast.opponent)
    register = address("register", event.public_id)
    assert "Name of the team" in text(captain.post(register, {"person": own_person(cast.player).public_id}))
    sent = {"person": own_person(cast.player).public_id, "asked": "1", "team_name": "Foxes"}
    answer = captain.post(register, sent)
    team = event.entrants.get()
    assert answer.url == address("team", team.public_id)
    page = text(captain.get(answer.url))
    link = address("team_join", team.public_id, team_signature(team))
    assert link in page
    assert "Sign in to join" in text(Client().get(link))
    assert mate.post(link, {"person": own_person(cast.opponent).public_id}).url == answer.url
    assert [member.board for member in in_order(team)] == [1, 2]
    taken = captain.post(register, {**sent, "team_name": "Other"})
    assert taken.status_code == 302 and event.entrants.count() == 1


def test_a_name_that_is_taken_is_said_on_the_form(cast: Cast) -> None:
    event = a_team_event(cast)
    register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    sent = {"person": own_person(cast.opponent).public_id, "asked": "1", "team_name": "foxes"}
    answer = signed_in(cast.opponent).post(address("register", event.public_id), sent)
    assert answer.status_code == 200 or answer.status_code == 422
    assert "Another team of this event has this name." in text(answer)


def test_everybody_who_joins_answers_the_questions_of_the_event(cast: Cast) -> None:
    event = a_team_event(cast)
    add_question(event=event, kind="text", label="Allergies", required=True, by=cast.organizer, now=NOW)
    sent = {"asked": "1", "team_name": "Foxes", "q1": "none"}
    assert signed_in(cast.player).post(address("register", event.public_id), sent).status_code == 302
    team = event.entrants.get()
    link = address("team_join", team.public_id, team_signature(team))
    mate = signed_in(cast.opponent)
    assert "Allergies" in text(mate.post(link, {}))
    assert mate.post(link, {"asked": "1", "q1": ""}).status_code == 422
    assert mate.post(link, {"asked": "1", "q1": "nuts"}).status_code == 302
    assert team.member_set.count() == 2


def test_each_member_reads_their_own_answers_and_the_desk_those_of_the_captain(cast: Cast) -> None:
    event = a_team_event(cast)
    add_question(event=event, kind="text", label="Allergies", by=cast.organizer, now=NOW)
    person = own_person(cast.player)
    said = {"1": "none"}
    team = register_person(event=event, person=person, by=cast.player, now=NOW, team_name="Foxes", answers=said)
    join_team(team=team, person=own_person(cast.opponent), by=cast.opponent, now=NOW, answers={"1": "nuts"})
    page = f"/api/v1/entrants/{team.public_id}/answers/"
    given = [
        scenes.token_client(user, *scopes).get(page).json()["answers"]
        for user, scopes in ((cast.player, ["read"]), (cast.opponent, ["read"]), (cast.scorekeeper, ["read"]))
    ]
    assert given == [{"1": "none"}, {"1": "nuts"}, {"1": "none"}]


def test_the_captain_changes_the_boards_the_name_and_the_captain(cast: Cast) -> None:
    team = a_team_of_two(cast)
    captain, page = signed_in(cast.player), address("team", team.public_id)
    first, second = (member.person.public_id for member in in_order(team))
    assert captain.post(page, {"command": "lineup", "board_1": second, "board_2": first}).status_code == 302
    assert [member.person.public_id for member in in_order(team)] == [second, first]
    twice = captain.post(page, {"command": "lineup", "board_1": first, "board_2": first})
    assert twice.status_code == 422 and "Give each board one member" in text(twice)
    captain.post(page, {"command": "rename", "name": "Red Foxes"})
    captain.post(page, {"command": "captain", "person": second})
    team = Entrant.objects.get(pk=team.pk)
    chosen = captain_of(team)
    assert team.name == "Red Foxes" and chosen is not None and chosen.person.public_id == second
    assert captain.post(page, {"command": "rename", "name": "Mine"}).status_code == 403


def a_team_of_two(cast: Cast) -> Entrant:
    event = a_team_event(cast)
    team = register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    join_team(team=team, person=own_person(cast.opponent), by=cast.opponent, now=NOW)
    return team


def test_a_label_and_its_value_have_the_colon_of_the_language(cast: Cast) -> None:
    team = a_team_of_two(cast)
    client = signed_in(cast.player)
    assert "Board 1: <strong>" in text(client.get(address("team", team.public_id)))
    User.objects.filter(pk=cast.player.pk).update(language="fr")
    client = signed_in(User.objects.get(pk=cast.player.pk))
    assert "Poste 1\N{NO-BREAK SPACE}: <strong>" in text(client.get(address("team", team.public_id)))


def test_a_member_leaves_and_the_desk_adds_another(cast: Cast) -> None:
    team = a_team_of_two(cast)
    page = address("team", team.public_id)
    leaving = signed_in(cast.opponent).post(page, {"command": "leave", "person": own_person(cast.opponent).public_id})
    assert leaving.status_code == 302 and team.member_set.count() == 1
    assert signed_in(cast.scorekeeper).post(page, {"command": "add", "name": "Cy Dale"}).status_code == 302
    assert [member.full_name for member in in_order(team)][1] == "Cy Dale"
    assert signed_in(cast.player).post(page, {"command": "add", "name": "Dee"}).status_code == 404


def test_players_report_a_team_match_board_by_board(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    player, opponent = signed_in(cast.player), signed_in(cast.opponent)
    page = address("report", match.public_id)
    assert "Board 2" in text(player.get(page)) and "wins 2–0" in text(player.get(page))
    assert player.post(page, {"board_1": "2-0-0"}).status_code == 422
    assert player.post(page, {"board_1": "2-0-0", "board_2": "1-1-0"}).status_code == 302
    report = match.reports.get()
    seat = text(opponent.get(address("me", event.public_id)))
    assert ("Your opponent has reported" in seat and "2–0, 1–1" in seat) or "0–2, 1–1" in seat
    opponent.post(address("confirm", match.public_id), {"report": report.pk})
    match.refresh_from_db()
    assert match.has_result and score_by_board(match) == [[2, 0, 0], [1, 1, 0]]
    assert "Board" in text(Client().get(address("match", match.public_id)))


def test_the_desk_enters_a_team_match_board_by_board_or_in_one_line(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=4, size=2)
    round_ = a_published_round(event, cast.organizer)
    one, two = round_.matches.order_by("table")
    desk = signed_in(cast.scorekeeper)
    page = address("staff_result", one.public_id)
    assert "Winner of a match that was not played" in text(desk.get(page))
    assert desk.post(page, {"kind": "played", "board_1": "2-0-0"}).status_code == 422
    sent = {"kind": "played", "board_1": "2-0-0", "board_2": "0-2-0", "winner": "", "seen": "0"}
    assert desk.post(page, sent).status_code == 302
    assert score_by_board(one) == [[2, 0, 0], [0, 2, 0]]
    results = text(desk.get(address("staff_results", event.public_id, 1) + f"?find={two.table}"))
    assert "Boards, from board 1 on" in results
    assert desk.post(address("staff_slip", two.public_id), {"outcome": "7 6"}).status_code == 302
    assert score_by_board(two) == [[2, 0, 0], [1, 2, 0]]
    assert text(desk.get(address("staff_round", event.public_id, 1)))


def test_the_desk_enters_a_team_that_did_not_come(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    desk = signed_in(cast.scorekeeper)
    assert desk.post(address("staff_slip", match.public_id), {"outcome": "w"}).status_code == 302
    match.refresh_from_db()
    assert (match.kind, [seat.points for seat in match.seats.all()]) == ("no_show", [0, 3])


def test_a_judge_rules_on_a_team_match_board_by_board(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0], [0, 2, 0]], now=NOW)
    judge = signed_in(cast.judge)
    page = address("judge_match", match.public_id)
    assert "Board 2" in text(judge.get(page))


def test_the_pages_of_a_team_event_name_teams_and_their_players(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=4, size=2)
    a_published_round(event, cast.organizer)
    team = event.entrants.order_by("pk")[0]
    visitor = Client()
    assert "Team 1" in text(visitor.get(address("pairings", event.public_id, 1)))
    page = text(visitor.get(address("entrant", event.public_id, team.public_id)))
    assert "Captain" in page and "Board 2" in page
    seat = text(signed_in(cast.player).get(address("me", event.public_id)))
    assert "Board 2" in seat


def test_a_substitute_comes_in_between_rounds_on_the_page_of_the_team(cast: Cast) -> None:
    event = a_team_event(cast, size=2)
    team = register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    for name in ("Bea", "Cyd"):
        add_member(team=team, name=name, by=cast.organizer, now=NOW)
    desk = signed_in(cast.organizer)
    desk.post(address("staff_teams_add", event.public_id), {"teams": "Owls: Eve, Flo"})
    for step in ("lock", "start"):
        desk.post(address("staff_step", event.public_id, step), {"without_check_in": "1"})
    one, _two, three = (member.person.public_id for member in in_order(team))
    page = address("team", team.public_id)
    sent = {"command": "lineup", "board_1": one, "board_2": three}
    assert signed_in(cast.player).post(page, sent).status_code == 302
    assert [member.name for member in in_order(team)][1] == "Cyd"


OF_THE_EVENT = {"event_id", "number", "match_id", "entrant_id", "kind", "what", "table", "form", "n"}


@pytest.mark.slow
def test_every_page_of_a_team_event_opens(cast: Cast) -> None:
    scene = scenes.team_match(cast)
    browsers = [signed_in(cast.organizer), signed_in(cast.judge), signed_in(cast.player)]
    opened, failed = set(), []
    for pattern in PATTERNS:
        names = set(re.findall(r"<\w+:(\w+)>", str(pattern.pattern)))
        if not names or not names <= OF_THE_EVENT:
            continue
        page = route_address(pattern, scene, entrant_id=scene.entrant.public_id)
        for browser in browsers:
            try:
                status = browser.get(page).status_code
            except Exception as error:  # the page that failed is named below
                failed.append((pattern.name, repr(error)))
                continue
            opened.update({pattern.name} if status == 200 else ())
    assert failed == []
    assert {"staff_entrants", "staff_round", "judge_match", "printing", "pairings", "export", "screen"} <= opened


def board_page(match: Match, number: int, step: str) -> str:
    return f"/m/{match.public_id}/boards/{number}/{step}/"


def test_the_two_players_of_a_board_report_it_from_their_seats(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    player, opponent = signed_in(cast.player), signed_in(cast.opponent)
    seat = address("me", event.public_id)
    assert "No result yet" in text(player.get(seat))
    assert player.post(board_page(match, 1, "report"), {"games": "2-0-0"}).status_code == 302
    assert "You reported" in text(player.get(seat))
    page = text(opponent.get(seat))
    assert "Your opponent reported" in page and "That is right" in page
    report = match.boards.get(number=1).reports.get()
    assert opponent.post(board_page(match, 1, "confirm"), {"report": report.pk}).status_code == 302
    assert 'badge--ok">Final <span class="num">' in text(player.get(seat))
    assert "2–0" in text(Client().get(address("match", match.public_id)))
    for browser in (player, opponent):
        assert browser.post(board_page(match, 2, "report"), {"games": "0-2-0"}).status_code == 302
    match.refresh_from_db()
    assert match.has_result and score_by_board(match) == [[2, 0, 0], [0, 2, 0]]


def test_a_contested_board_is_shown_to_the_judge_with_both_claims(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    player, opponent = signed_in(cast.player), signed_in(cast.opponent)
    player.post(board_page(match, 2, "report"), {"games": "2-1-0"})
    report = match.boards.get(number=2).reports.get()
    sent = {"report": report.pk, "reason": "Game 3 was drawn"}
    assert opponent.post(board_page(match, 2, "contest"), sent).status_code == 302
    assert "A judge decides" in text(player.get(address("me", event.public_id)))
    page = text(signed_in(cast.judge).get(address("judge_match", match.public_id)))
    assert "Board 2, " in page and ": 2–1." in page and "Game 3 was drawn" in page


def test_the_desk_sees_which_boards_are_missing_and_gets_the_agreed_ones(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=3)
    match = a_published_round(event, cast.organizer).matches.get()
    for user in (cast.player, cast.opponent):
        play.report_board(board=match.boards.get(number=1), by=user, games=[2, 1, 0], now=NOW)
    play.report_board(board=match.boards.get(number=3), by=cast.player, games=[2, 0, 0], now=NOW)
    desk = signed_in(cast.scorekeeper)
    words = "Boards to confirm: 3. Missing boards: 2."
    assert words in text(desk.get(address("staff_results", event.public_id, 1)))
    assert words in text(desk.get(address("staff_round", event.public_id, 1)))
    assert 'value="2-1-0" selected' in desk.get(address("staff_result", match.public_id)).content.decode()
    slip = {"outcome": "777"}
    whole = signed_in(cast.player).get(address("report", match.public_id)).content.decode()
    assert 'value="2-1-0" selected' in whole
    refused = desk.post(address("staff_slip", match.public_id), slip)
    assert refused.status_code == 422 and "agreed on another result" in text(refused)


def test_a_board_takes_no_input_that_is_no_score_and_no_report_of_another(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    player = signed_in(cast.player)
    assert player.post(board_page(match, 1, "report"), {"games": "2–0"}).status_code == 422
    assert player.post(board_page(match, 1, "confirm"), {"report": "x"}).status_code == 409
    assert player.post(board_page(match, 9, "report"), {"games": "2-0-0"}).status_code == 404
    assert signed_in(cast.stranger).post(board_page(match, 1, "report"), {"games": "2-0-0"}).status_code == 404


def test_the_public_pages_and_screens_say_at_which_board_each_member_sits(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=3, size=2)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get(table__isnull=False)
    visitor = Client()
    names = {member.name for board in match.boards.all() for member in (board.first, board.second)}
    by_table = text(visitor.get(address("pairings", event.public_id, 1)))
    by_name = text(visitor.get(address("pairings", event.public_id, 1) + "?by=name"))
    for name in names:
        assert name in by_table and name in by_name
    assert by_name.count("<td>Bye</td>") == 2  # the two members of the third team
    found = text(
        visitor.get(address("pairings", event.public_id, 1) + f"?find={match.boards.get(number=2).first.name}")
    )
    assert match.public_id in found
    screen = text(visitor.get(f"/e/{event.public_id}/screen/pairings/"))
    assert screen.count('<b class="figure">1</b> <small>board 2</small>') == 2
    own = round_.matches.get(seats__entrant__member__person__account=cast.player)
    page = text(signed_in(cast.player).get(address("pairings", event.public_id, 1)))
    assert own.table is None or "Your table: <strong>1</strong>, board <strong>1</strong>" in page


def test_the_printed_pairings_list_each_member_by_family_name(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=3, size=2)
    round_ = a_published_round(event, cast.organizer)
    (sheet,) = sheets_of(event, round_, "by_name")
    assert isinstance(sheet, ListSheet)
    assert [column.heading for column in sheet.columns] == ["Name", "Table", "Board", "Opponent"]
    assert len(sheet.rows) == 6
    assert sum(row[1:] == ("–", "–", "Bye") for row in sheet.rows) == 2
    board = round_.matches.get(table=1).boards.get(number=2)
    against = f"{board.second.name} ({board.second.entrant.name})"
    assert (board.first.name, "1", "2", against) in sheet.rows


def test_a_round_by_the_api_has_the_boards_of_its_matches(cast: Cast) -> None:
    scene = scenes.team_match(cast)
    shown = scenes.token_client(cast.stranger, "read").get(f"/api/v1/events/{scene.event.public_id}/rounds/1/").json()
    boards = shown["matches"][0]["boards"]
    assert [(board["number"], board["games"], board["agreed"], board["reports"]) for board in boards] == [
        (1, None, None, []),
        (2, None, None, []),
    ]


def test_reports_of_boards_are_for_players_and_staff(cast: Cast) -> None:
    scene = scenes.board_reported(cast)
    assert scene.match is not None
    page = f"/api/v1/matches/{scene.match.public_id}/"
    seen = [
        len(scenes.token_client(user, "read").get(page).json()["boards"][0]["reports"])
        for user in (cast.player, cast.scorekeeper, cast.stranger)
    ]
    assert seen == [1, 1, 0]


def test_a_seat_page_that_hears_of_a_round_names_the_boards(cast: Cast) -> None:
    scene = scenes.team_match(cast)
    assert scene.round is not None and scene.entrant is not None and scene.match is not None
    [said] = _seats(scene.round, {scene.entrant.public_id})[scene.entrant.public_id].parts.values()
    board = scene.match.boards.get(number=2)
    names = {board.first.entrant_id: board.first.name, board.second.entrant_id: board.second.name}
    assert f'<span class="num">2</span> {names[scene.entrant.pk]} – ' in said


def test_lists_of_boards_cost_the_same_queries_for_a_few_teams_and_for_many(cast: Cast) -> None:
    counted = []
    for teams in (2, 8):
        event = a_running_team_event(cast, teams=teams, size=2, name=f"Cup of {teams}")
        a_published_round(event, cast.organizer)
        pages = (
            (Client(), address("pairings", event.public_id, 1)),
            (Client(), address("pairings", event.public_id, 1) + "?by=name"),
            (Client(), f"/e/{event.public_id}/screen/pairings/"),
            (signed_in(cast.scorekeeper), address("staff_results", event.public_id, 1)),
            (signed_in(cast.player), address("me", event.public_id)),
        )
        counted.append([queries_of(browser, page) for browser, page in pages])
    assert counted[0] == counted[1]
