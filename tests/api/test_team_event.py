"""A team event of 16 teams of three, entered, played to its end and read through the API alone."""

from itertools import count
from random import Random

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, a_running_team_event
from tests.cast import Cast, account
from tournaments.common import clock, jobs
from tournaments.play.services import report_board

pytestmark = pytest.mark.django_db
TEAMS, BOARDS, ROUNDS = 16, 3, 4
SCORES = ([2, 0, 0], [2, 1, 0], [0, 2, 0], [1, 2, 0], [1, 1, 1])


class Desk:
    """The organizer of the event, who only has an API token."""

    def __init__(self, client: APIClient) -> None:
        self.client = client
        self.keys = count()

    def ask(self, method: str, address: str, body: object = None) -> dict:  # type: ignore[type-arg]  # JSON
        answer = getattr(self.client, method)(f"/api/v1/{address}", body, format="json")
        assert answer.status_code in (200, 201), (method, address, answer.content)
        found: dict = answer.json()  # type: ignore[type-arg]  # JSON
        return found


@pytest.mark.slow
def test_a_team_event_is_played_to_its_end_through_the_api_alone(cast: Cast) -> None:
    desk = Desk(token_client(cast.organizer, "read", "organize"))
    captain, mate = token_client(cast.player, "read", "play"), token_client(account("Mate"), "read", "play")
    wanted = {"name": "Team Cup", "preset": "star-safir", "rounds": ROUNDS, "lists": "none"}
    event = desk.ask("post", "events/", wanted)["id"]
    settings = {"team_size": BOARDS, "team_play": "boards", "substitutes": 1}
    assert desk.ask("put", f"events/{event}/teams/settings/", settings)["team_size"] == BOARDS
    desk.ask("post", f"events/{event}/steps/", {"step": "open"})

    # The captain registers a team; a mate joins it by the link, and the desk adds the others.
    own = Desk(captain).ask("post", f"events/{event}/teams/", {"name": "Foxes"})
    link = Desk(captain).ask("get", f"entrants/{own['id']}/team/link/")
    Desk(mate).ask("post", f"entrants/{own['id']}/team/members/", {"signature": link["signature"]})
    for name in ("Cy Dale", "Dee Sub"):
        desk.ask("post", f"entrants/{own['id']}/team/members/", {"name": name})
    for number in range(2, TEAMS + 1):
        players = [f"T{number} B{board}" for board in range(1, BOARDS + 1)]
        desk.ask("post", f"events/{event}/teams/", {"name": f"Team {number}", "players": players})
    teams = desk.ask("get", f"events/{event}/teams/")
    assert teams["count"] == TEAMS and all(team["complete"] for team in teams["results"])
    for step in ("lock", "start"):
        extra = {"without_check_in": True} if step == "start" else {}
        desk.ask("post", f"events/{event}/steps/", {"step": step, **extra})

    rng = Random(1)
    met: set[frozenset[str]] = set()
    for number in range(1, ROUNDS + 1):
        if number == 3:  # between two rounds, the substitute takes a board
            team = desk.ask("get", f"entrants/{own['id']}/team/")
            one, two, _three, four = (member["person"] for member in team["members"])
            Desk(captain).ask("put", f"entrants/{own['id']}/team/lineup/", {"boards": [one, two, four]})
        desk.ask("post", f"events/{event}/rounds/", {})
        desk.ask("post", f"events/{event}/rounds/{number}/publish/", {})
        matches = desk.ask("get", f"events/{event}/rounds/{number}/")["matches"]
        assert len(matches) == TEAMS // 2
        for match in matches:
            pair = frozenset(seat["entrant"]["id"] for seat in match["seats"])
            assert pair not in met, "no two teams meet twice"
            met.add(pair)
            boards = [rng.choice(SCORES) for _board in range(BOARDS)]
            seen = desk.ask("get", f"matches/{match['id']}/")
            assert [board["number"] for board in seen["boards"]] == [1, 2, 3]
            if own["id"] in pair and number == 1:
                Desk(captain).ask("post", f"matches/{match['id']}/report/", {"boards": boards})
                report = Desk(captain).ask("get", f"matches/{match['id']}/")["report"]
                assert report["boards"] == boards and report["games"] == report["places"] == []
            entered = desk.ask("post", f"matches/{match['id']}/result/", {"boards": boards})
            won = [sum(board[at] > board[1 - at] for board in boards) for at in (0, 1)]
            assert [seat["games_won"] for seat in entered["seats"]] == won
            assert [board["games"] for board in entered["boards"]] == boards
        desk.ask("post", f"events/{event}/rounds/{number}/close/", {})
    desk.ask("post", f"events/{event}/steps/", {"step": "finish"})
    jobs.run_due(clock.now())

    standings = desk.ask("get", f"events/{event}/standings/")
    assert len(standings["rows"]) == TEAMS
    boards_read = Client().get(f"/api/v1/events/{event}/standings/boards/").json()
    played = [(row["board"], row["won"] + row["lost"] + row["drawn"]) for row in boards_read]
    assert [sum(games for board, games in played if board == at) for at in (1, 2, 3)] == [TEAMS * ROUNDS] * 3
    # The member who was replaced has two boards, and so has the substitute.
    assert sorted(row["won"] + row["lost"] + row["drawn"] for row in boards_read if row["team"] == "Foxes") == [
        2,
        2,
        4,
        4,
    ]


def test_what_boards_agreed_on_is_in_every_answer_that_shows_the_match(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    for user in (cast.player, cast.opponent):
        report_board(board=match.boards.get(number=1), by=user, games=[2, 1, 0], now=NOW)
    entrant = match.seats.get(entrant__member__person__account=cast.player).entrant.public_id
    read = token_client(cast.player, "read")
    own = read.get("/api/v1/me/").json()["entrants"][0]["match"]
    progress = read.get(f"/api/v1/entrants/{entrant}/progress/").json()["match"]
    alone = read.get(f"/api/v1/matches/{match.public_id}/").json()
    for answer in (own, progress, alone):
        assert [board["agreed"] for board in answer["boards"]] == [[2, 1, 0], None]
