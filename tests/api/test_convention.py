"""A convention of three events in one hall, one for 16 teams of three, played to its end through the API alone."""

from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.test import Client

from tests.api.scenes import token_client
from tests.api.test_team_event import Desk
from tests.cast import Cast
from tournaments.common import clock, jobs

pytestmark = pytest.mark.django_db
TEAMS, PLAYERS, SEATED = 16, 24, 12
GAMES = ([2, 0, 0], [2, 1, 0], [0, 2, 0], [1, 2, 0])
HALL = 40


class Convention:
    """A club with a convention and its three events, as its organizer sees them through the API."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.rng, self.start = desk, Random(7), clock.now() + timedelta(days=1)
        self.club = desk.ask("post", "clubs/", {"name": "Card Club"})["id"]
        days = {"first_day": f"{self.start:%Y-%m-%d}", "last_day": f"{self.start + timedelta(days=1):%Y-%m-%d}"}
        wanted = {"name": "Winter", "hall": f"1-{HALL}", "is_public": True, **days}
        self.convention = desk.ask("post", f"clubs/{self.club}/conventions/", wanted)["id"]
        self.events: list[str] = []

    def add(self, name: str, places: int, hours: int, **wanted: object) -> str:
        """Create an event of the convention that begins so many hours after it does."""
        starts_at = (self.start + timedelta(hours=hours)).isoformat()
        said = {"name": name, "preset": "star-safir", "lists": "none", "rounds": 2, **wanted}
        event: str = self.desk.ask("post", "events/", {**said, "capacity": places, "starts_at": starts_at})["id"]
        self.desk.ask("post", f"clubs/{self.club}/events/", {"event": event})
        self.desk.ask("post", f"conventions/{self.convention}/events/", {"event": event})
        self.events.append(event)
        return event

    def enter(self, event: str, players: int) -> None:
        """Open registration and enter players at the desk."""
        self.step(event, "open")
        for number in range(1, players + 1):
            self.desk.ask("post", f"events/{event}/entrants/", {"given_name": f"Player {number} of {event[-4:]}"})

    def step(self, event: str, step: str, **more: object) -> None:
        """Take an event to its next state."""
        self.desk.ask("post", f"events/{event}/steps/", {"step": step, **more})

    def pair(self, event: str, number: int) -> list[int]:
        """Pair and publish a round; returns its tables."""
        self.desk.ask("post", f"events/{event}/rounds/", {})
        self.desk.ask("post", f"events/{event}/rounds/{number}/publish/", {})
        matches = self.desk.ask("get", f"events/{event}/rounds/{number}/")["matches"]
        return [match["table"] for match in matches if match["table"]]

    def enter_results(self, event: str, number: int) -> None:
        """Enter the result of every table of a round, and close it."""
        for match in self.desk.ask("get", f"events/{event}/rounds/{number}/")["matches"]:
            if match["table"]:
                self.desk.ask("post", f"matches/{match['id']}/result/", self.result_of(match))
        self.desk.ask("post", f"events/{event}/rounds/{number}/close/", {})

    def result_of(self, match: dict) -> dict:  # type: ignore[type-arg]  # JSON
        """Any result of a match: of its boards, the places at its table, or its games."""
        seen = self.desk.ask("get", f"matches/{match['id']}/")
        if seen["boards"]:
            return {"boards": [self.rng.choice(GAMES) for _board in seen["boards"]]}
        if len(seen["seats"]) > 2:
            ranks = list(range(1, len(seen["seats"]) + 1))
            self.rng.shuffle(ranks)
            return {"places": [{"rank": rank} for rank in ranks]}
        return {"games": self.rng.choice(GAMES)}


@pytest.mark.slow
def test_a_convention_is_played_to_its_end_through_the_api_alone(cast: Cast) -> None:
    held = Convention(Desk(token_client(cast.organizer, "read", "organize")))
    teams, swiss = held.add("Teams", TEAMS, 0), held.add("Swiss", PLAYERS, 1)
    tables = held.add("Tables", SEATED, 2, kind="tables", best_of=1)
    held.desk.ask("put", f"events/{teams}/teams/settings/", {"team_size": 3, "team_play": "boards", "substitutes": 0})

    shares = held.desk.ask("post", f"conventions/{held.convention}/tables/", {})["events"]
    assert [(share["event"]["id"], share["wanted"], share["tables"], share["clashes"]) for share in shares] == [
        (teams, 8, "1-8", []),
        (swiss, 12, "9-20", []),
        (tables, 3, "21-23", []),
    ]

    held.step(teams, "open")
    for number in range(1, TEAMS + 1):
        players = [f"T{number} B{board}" for board in (1, 2, 3)]
        held.desk.ask("post", f"events/{teams}/teams/", {"name": f"Team {number}", "players": players})
    held.enter(swiss, PLAYERS)
    held.enter(tables, SEATED)
    for event in held.events:
        held.step(event, "lock")
        held.step(event, "start", without_check_in=True)
    for number in (1, 2):
        used = [table for event in held.events for table in held.pair(event, number)]
        assert len(used) == 8 + 12 + 3 and max(Counter(used).values()) == 1 and max(used) <= HALL
        page = Client().get(f"/conventions/{held.convention}/?find=Player 7 of {swiss[-4:]}").content.decode()
        assert f"Round {number}, table" in page
        for event in held.events:
            held.enter_results(event, number)
    for event, count in zip(held.events, (TEAMS, PLAYERS, SEATED), strict=True):
        held.step(event, "finish")
        jobs.run_due(clock.now())
        assert len(held.desk.ask("get", f"events/{event}/standings/")["rows"]) == count
    seen = Client().get(f"/api/v1/conventions/{held.convention}/").json()
    assert [share["event"]["status"] for share in seen["events"]] == ["finished"] * 3
