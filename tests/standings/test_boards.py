"""Board standings: what each member of a team scored at a board."""

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, a_running_team_event
from tests.cast import Cast
from tests.web.pages import address, text
from tournaments.common import jobs
from tournaments.common.csv_tables import as_csv
from tournaments.events.models import Event
from tournaments.exports.datasets import table_of
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings.boards import board_standings
from tournaments.swiss import trf

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    """A team event of two teams with one closed round: 2-0, 1-2 and a draw."""
    event = a_running_team_event(cast, teams=2)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get()
    play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0], [1, 2, 0], [1, 1, 1]], now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    return event


def test_each_member_has_a_line_with_the_points_of_their_board(event: Event) -> None:
    rows = board_standings(event.stages.get())
    lines = [(row.board, row.rank, float(row.points), row.tally.games_won, row.tally.games_lost) for row in rows]
    # Board 3 was drawn, and so was the match: both teams share their rank, and so do their members.
    assert lines == [
        (1, 1, 3, 2, 0),
        (1, 2, 0, 0, 2),
        (2, 1, 3, 2, 1),
        (2, 2, 0, 1, 2),
        (3, 1, 1, 1, 1),
        (3, 1, 1, 1, 1),
    ]
    assert {row.team for row in rows} == {"Team 1", "Team 2"}


def test_an_open_round_does_not_count(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    match = a_published_round(event, cast.organizer).matches.get()
    play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0]] * 3, now=NOW)
    assert board_standings(event.stages.get()) == []


def test_a_match_that_was_not_played_counts_for_no_board(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    round_ = a_published_round(event, cast.organizer)
    play.enter_result(
        match=round_.matches.get(), by=cast.scorekeeper, games=[2, 0, 0], kind=Match.Kind.NO_SHOW, now=NOW
    )
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    assert board_standings(event.stages.get()) == []


def test_the_page_and_the_table_show_the_boards(event: Event) -> None:
    page = text(Client().get(address("board_standings", event.public_id)))
    assert page.count("Board 2") and "T1 B" in page and "Team 2" in page
    assert as_csv(table_of(event, "boards", frozenset({"public"}))).count(b"\r\n") == 7


def test_the_boards_of_each_match_are_exported_with_their_games_once_they_count(event: Event, cast: Cast) -> None:
    match = Match.objects.get(round__stage__event=event)
    rows = table_of(event, "board_results", frozenset({"public"})).as_dicts()
    assert [(row["board"], row["seat"], row["games_won"], row["games_lost"], row["games_drawn"]) for row in rows] == [
        *((1, 1, 2, 0, 0), (1, 2, 0, 2, 0)),
        *((2, 1, 1, 2, 0), (2, 2, 2, 1, 0)),
        *((3, 1, 1, 1, 1), (3, 2, 1, 1, 1)),
    ]
    sat = match.boards.get(number=2)
    assert [(row["entrant"], row["name"]) for row in rows[2:4]] == [
        (member.entrant.public_id, member.name) for member in (sat.first, sat.second)
    ]
    assert {row["team"] for row in rows} == {"Team 1", "Team 2"}
    Match.objects.filter(pk=match.pk).update(disputed=True)
    contested = table_of(event, "board_results", frozenset({"public"})).as_dicts()
    assert {row["games_won"] for row in contested} == {None}
    assert "Boards of each match" in text(Client().get(address("exports", event.public_id)))
    a_draft = a_running_team_event(cast, teams=2)
    assert table_of(a_draft, "board_results", frozenset({"public"})).rows == ()


def test_an_event_of_single_players_has_no_board_standings(cast: Cast) -> None:
    event = a_running_event(cast)
    assert Client().get(address("board_standings", event.public_id)).status_code == 404
    assert "standings/boards" not in text(Client().get(address("standings", event.public_id)))


def test_the_players_of_a_team_event_are_written_in_trf_with_their_teams(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=3)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get(table__isnull=False)
    play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0], [1, 2, 0], [1, 1, 1]], now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    file = Client().get(address("standings_trf", event.public_id) + "?players=1").content.decode()
    read = trf.read(file)
    teams = trf.teams_of(read)
    assert [len(team.players) for team in teams] == [3, 3, 3]
    assert {team.name for team in teams} == {"Team 1", "Team 2", "Team 3"}
    assert sorted(number for team in teams for number in team.players) == list(range(1, 10))
    results = [entry.result for each in read.competitors for entry in each.entries if entry is not None]
    assert sorted(results) == sorted("U" * 3 + "1" * 2 + "0" * 2 + "=" * 2)
    # The match was drawn: 1 match point each, and 1½ game points. The bye is worth 2, and 3 at its boards.
    points = sorted((team.half_match_points, team.half_game_points, team.rank) for team in teams)
    assert points == [(2, 3, 2), (2, 3, 2), (4, 6, 1)]
    line = next(line for line in file.splitlines() if line.startswith("013 "))
    assert (line[4:10], line[35], [int(line[at : at + 4]) for at in (36, 41, 46)]) == (teams[0].name, " ", [1, 2, 3])
    assert trf.read(trf.write(read)) == read


def test_the_players_file_is_for_team_events_by_boards_alone(cast: Cast) -> None:
    event = a_running_event(cast)
    answer = Client().get(f"/api/v1/events/{event.public_id}/standings/trf/?players=true")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_trf")
