"""The requests in docs/tables.md, played in order, get the responses that the page shows."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, an_entrant, an_open_event, match_of
from tests.cast import Cast
from tests.contracts.project import ROOT
from tournaments.common import clock, jobs
from tournaments.decks.services import lock_decks
from tournaments.events.services import grant_role
from tournaments.play import services as play

PAGE = ROOT / "docs" / "tables.md"
BLOCK = re.compile(r"^```(http|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MADE_UP = re.compile(r"[a-z]-[2-9a-hjkmnp-z]{10}|[0-9a-f]{64}|Player \d")
MORE = "…"


class Step(NamedTuple):
    """A request of the page and the response it shows. `token` is empty if it is that of the step before."""

    method: str
    path: str
    token: str
    body: Any
    status: int
    answer: Any


def steps() -> Iterator[Step]:
    """Yield the steps of the page."""
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    for (_kind, request), (kind, response) in zip(blocks[::2], blocks[1::2], strict=True):
        head, _, body = request.partition("\n\n")
        method, path = head.splitlines()[0].split()
        token = head.partition("Authorization: Bearer ")[2].strip()
        said, _, answer = response.partition("\n\n") if kind == "http" else ("HTTP/1.1 200", "", response)
        yield Step(method, path, token, json.loads(body or "null"), int(said.split()[1]), json.loads(answer))


class Known(dict[str, str]):
    """What ids, hashes and names of the page are called here; those of a response are learned from it."""

    def here(self, text: str) -> str:
        return MADE_UP.sub(lambda found: self.get(found[0], found[0]), text)

    def faults(self, shown: Any, real: Any, at: str = "") -> Iterator[str]:
        """Yield where the page shows something else, apart from what it leaves out."""
        if isinstance(shown, dict) and isinstance(real, dict):
            for key in shown:
                yield from self.faults(shown[key], real.get(key, "nothing"), f"{at}.{key}")
        elif isinstance(shown, list) and isinstance(real, list):
            listed = [item for item in shown if item != MORE]
            if len(listed) > len(real) or (listed == shown and len(real) > len(shown)):
                yield f"{at} has {len(real)} items: {str(real)[:500]}"
            for number, (one, other) in enumerate(zip(listed, real, strict=False)):
                yield from self.faults(one, other, f"{at}[{number}]")
        elif isinstance(shown, str) and MADE_UP.fullmatch(shown):
            if self.setdefault(shown, str(real)) != real:
                yield f"{at} is {real}"
        elif shown != real:
            yield f"{at} is {real}"


@pytest.fixture
def clients(cast: Cast) -> dict[str, APIClient]:
    """A started event of two players with the same deck: a client of the scribe of table 1, and one of a player."""
    event = an_open_event(cast)
    for user in (cast.player, cast.opponent):
        an_entrant(event, user, deck=2)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    match_of(a_published_round(event, cast.organizer), cast.player)
    scribe = cast.stranger
    grant_role(event=event, email=scribe.email, role="scribe", table=1, by=cast.organizer, now=NOW)
    return {"arb_table": token_client(scribe, "read", "judge"), "arb_player": token_client(cast.player, "read", "play")}


def asked(client: APIClient, step: Step, known: Known) -> Response:
    path, body = known.here(step.path), json.loads(known.here(json.dumps(step.body)))
    response: Response = client.generic(step.method, path, json.dumps(body) if body else "", "application/json")
    return response


def test_the_requests_of_the_page_get_its_responses(clients: dict[str, APIClient]) -> None:
    known, client = Known(), clients["arb_table"]
    events = client.get("/api/v1/events/").json()["results"]
    known["e-4wz8hm3kqp"] = events[0]["id"]
    for step in steps():
        client = clients[step.token] if step.token else client
        jobs.run_due(clock.now() + timedelta(seconds=1))
        response = asked(client, step, known)
        assert response.status_code in ((200, 201) if step.status == 200 else (step.status,)), (step, response.json())
        assert not list(known.faults(step.answer, response.json())), step


def test_the_page_shows_every_operation_of_a_recording_that_a_table_needs() -> None:
    shown = {(step.method, step.path.rstrip("/").rpartition("/")[2]) for step in steps()}
    needed = {("POST", "recordings"), ("POST", "moves"), ("POST", "undo"), ("POST", "hand-in")}
    assert needed <= shown and {step.status for step in steps()} == {200, 409, 422}
