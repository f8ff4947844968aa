"""Every route: who may, who may not yet, who is told that there is nothing, and what a token needs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from tests.api import scenes
from tests.api.scenes import Scene, token_client
from tests.builders import NOW, sealed_texts
from tests.cast import Cast
from tournaments.api.urls import urlpatterns
from tournaments.events.services import grant_role

PLAYED = {"games": [2, 0, 0]}
POOL = {"text": sealed_texts(2)[0]}
REPLAYED = {"decision": "replay", "reason": "a spilled drink"}
UNDONE = {"n": 5, "correction": "undo"}
ENTRY = {"n": 2, "key": "move-0123456789", "entry": {"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 5}]}}
BOTH = ("judge", "organize")
DECKS, LOW = {"kind": "decks"}, "scorekeeper"
QUESTION = {"position": {"format": 1}, "move": {"n": 1}}


@dataclass(frozen=True)
class Route:
    """A route and what it answers to whom. `too_low` is a member of the cast whose role does not reach."""

    name: str
    method: str
    address: str
    scene: Callable[[Cast], Scene]
    right: str
    answer: int
    scopes: tuple[str, ...] = ("read",)
    body: Any = field(default_factory=dict)
    too_low: str = ""
    too_low_code: str = "role_too_low"
    stranger: int = 404
    anonymous: int = 401

    def __str__(self) -> str:
        return f"{self.name}-{self.method}-{self.right}"


def _public(name: str, address: str, scene: Callable[[Cast], Scene], **fields: Any) -> Route:
    return Route(name, "get", address, scene, "stranger", 200, stranger=200, anonymous=200, **fields)


def _desk(name: str, method: str, address: str, scene: Callable[[Cast], Scene], answer: int, **fields: Any) -> Route:
    return Route(name, method, address, scene, "scorekeeper", answer, ("organize",), too_low="judge", **fields)


def _organizer(
    name: str, method: str, address: str, scene: Callable[[Cast], Scene], answer: int, **fields: Any
) -> Route:
    return Route(name, method, address, scene, "organizer", answer, ("organize",), too_low="scorekeeper", **fields)


def _player(name: str, address: str, scene: Callable[[Cast], Scene], **fields: Any) -> Route:
    return Route(name, "post", address, scene, "player", 200, ("play",), **fields)


def _at_the_table(name: str, end: str, answer: int, body: Any, right: str = "judge") -> Route:
    address = "recordings/{recording}/" + end
    return Route(name, "post", address, scenes.recorded, right, answer, ("judge",), body, "scorekeeper")


ROUTES = [
    Route("me", "get", "me/", scenes.running, "player", 200, stranger=200),
    _public("presets", "presets/", scenes.draft),
    _public("events", "events/", scenes.registering),
    Route(
        "events",
        "post",
        "events/",
        scenes.draft,
        "organizer",
        201,
        ("organize",),
        {"name": "Open", "preset": "star-safir"},
        stranger=201,
    ),
    _public("event", "events/{event}/", scenes.registering),
    Route("event", "get", "events/{event}/", scenes.draft, "judge", 200, anonymous=404),
    Route(
        "steps",
        "post",
        "events/{event}/steps/",
        scenes.draft,
        "organizer",
        200,
        ("organize",),
        {"step": "open"},
        "scorekeeper",
    ),
    Route("staff", "get", "events/{event}/staff/", scenes.registering, "judge", 200, anonymous=404),
    Route(
        "staff",
        "post",
        "events/{event}/staff/",
        scenes.registering,
        "organizer",
        201,
        ("organize",),
        {"email": "stranger@example.com", "role": "judge"},
        "scorekeeper",
    ),
    Route(
        "staff_role",
        "delete",
        "events/{event}/staff/{judge}/head_judge/",
        scenes.registering,
        "organizer",
        204,
        ("organize",),
        too_low="scorekeeper",
    ),
    Route(
        "catalogues",
        "get",
        "events/{event}/catalogues/",
        scenes.registering,
        "organizer",
        200,
        too_low="scorekeeper",
        anonymous=404,
    ),
    Route(
        "catalogues",
        "put",
        "events/{event}/catalogues/",
        scenes.registering,
        "organizer",
        422,
        ("organize",),
        {"sha256": "none"},
        "scorekeeper",
    ),
    Route(
        "deck_format",
        "get",
        "events/{event}/deck-format/",
        scenes.draft,
        "organizer",
        200,
        too_low="scorekeeper",
        anonymous=404,
    ),
    Route(
        "deck_format",
        "put",
        "events/{event}/deck-format/",
        scenes.draft,
        "organizer",
        200,
        ("organize",),
        {"format": "safir-v2", "options": {"I-SAF-13": "counted"}},
        "scorekeeper",
    ),
    _public("procedures", "events/{event}/procedures/", scenes.registering),
    Route("procedures", "get", "events/{event}/procedures/", scenes.draft, "judge", 200, anonymous=404),
    Route(
        "procedures",
        "put",
        "events/{event}/procedures/",
        scenes.draft,
        "organizer",
        200,
        ("organize",),
        {"meeting": {"held": True}},
        "scorekeeper",
    ),
    Route("meeting", "get", "events/{event}/meeting/", scenes.registering, "judge", 200, anonymous=404),
    _desk("meeting", "post", "events/{event}/meeting/", scenes.checking_in, 200),
    Route("late_seats", "get", "events/{event}/rounds/1/late/", scenes.published, "judge", 200, anonymous=404),
    Route(
        "lateness",
        "post",
        "matches/{match}/lateness/",
        scenes.published,
        "judge",
        200,
        ("judge", "organize"),
        {"action": "empty", "seat": 1},
    ),
    Route("prizes", "get", "events/{event}/prizes/", scenes.settled, "judge", 200, anonymous=404),
    Route(
        "prize",
        "put",
        "entrants/{entrant}/prize/",
        scenes.settled,
        "scorekeeper",
        204,
        ("organize",),
        {"given": False},
        "judge",
    ),
    Route("entry", "get", "entrants/{entrant}/entry/", scenes.charging, "scorekeeper", 200, too_low="judge"),
    Route(
        "entry",
        "put",
        "entrants/{entrant}/entry/",
        scenes.charging,
        "scorekeeper",
        200,
        ("organize",),
        {"how": "paid"},
        "judge",
    ),
    Route("pools", "get", "events/{event}/pools/", scenes.sealed, "scorekeeper", 200, anonymous=404),
    Route(
        "pools",
        "put",
        "events/{event}/pools/",
        scenes.sealed,
        "organizer",
        200,
        ("organize",),
        {"shown": "over"},
        "scorekeeper",
    ),
    Route(
        "pool", "get", "entrants/{entrant}/pool/", scenes.sealed, "player", 200, too_low="scorekeeper", anonymous=404
    ),
    Route("pool", "get", "entrants/{entrant}/pool/", scenes.sealed, "judge", 200, too_low="scorekeeper", anonymous=404),
    Route("pool", "put", "entrants/{entrant}/pool/", scenes.sealed, "player", 200, ("play",), POOL, "judge"),
    Route("pool", "put", "entrants/{entrant}/pool/", scenes.sealed, "scorekeeper", 200, ("organize",), POOL, "judge"),
    Route(
        "copy",
        "post",
        "events/{event}/copy/",
        scenes.registering,
        "organizer",
        201,
        ("organize",),
        {"name": "Again"},
        "scorekeeper",
    ),
    Route("formats", "get", "formats/", scenes.saved, "organizer", 200, stranger=200),
    Route(
        "formats",
        "post",
        "formats/",
        scenes.saved,
        "organizer",
        201,
        ("organize",),
        "format",
        "scorekeeper",
    ),
    Route("format", "delete", "formats/{format}/", scenes.saved, "organizer", 204, ("organize",)),
    Route("ledger", "get", "events/{event}/ledger/", scenes.registering, "judge", 200, anonymous=404),
    _public("standings", "events/{event}/standings/", scenes.settled),
    _public("standing", "events/{event}/standings/{entrant}/", scenes.settled),
    _public("standings_changes", "events/{event}/standings/changes/", scenes.settled),
    _public("standings_trf", "events/{event}/standings/trf/", scenes.settled),
    _public("scheme", "events/{event}/scheme/", scenes.registering),
    Route(
        "scheme",
        "put",
        "events/{event}/scheme/",
        scenes.running,
        "organizer",
        200,
        ("organize",),
        {"scheme": "fide"},
        "scorekeeper",
    ),
    _public("entrants", "events/{event}/entrants/", scenes.registering),
    Route("entrants", "post", "events/{event}/entrants/", scenes.registering, "opponent", 201, ("play",), stranger=201),
    _desk("entrants", "post", "events/{event}/entrants/", scenes.registering, 201, body={"given_name": "Ada"}),
    _player("drop", "entrants/{entrant}/drop/", scenes.running, too_low="judge"),
    _desk("drop", "post", "entrants/{entrant}/drop/", scenes.running, 200),
    _player("reinstate", "entrants/{entrant}/reinstate/", scenes.running, too_low="judge"),
    _desk("reinstate", "post", "entrants/{entrant}/reinstate/", scenes.running, 200),
    _player("check_in", "entrants/{entrant}/check-in/", scenes.checking_in, too_low="judge"),
    _desk("check_in", "post", "entrants/{entrant}/check-in/", scenes.checking_in, 200),
    Route("decklist", "get", "entrants/{entrant}/decklist/", scenes.registering, "player", 200, too_low="scorekeeper"),
    Route("decklist", "get", "entrants/{entrant}/decklist/", scenes.registering, "judge", 200, too_low="scorekeeper"),
    Route("decklist", "get", "entrants/{entrant}/decklist/", scenes.running, "player", 200),
    Route(
        "decklist", "put", "entrants/{entrant}/decklist/", scenes.registering, "player", 422, ("play",), {"text": "?"}
    ),
    _public("rounds", "events/{event}/rounds/", scenes.published),
    _desk("rounds", "post", "events/{event}/rounds/", scenes.running, 201),
    _public("round", "events/{event}/rounds/1/", scenes.published),
    Route("round", "get", "events/{event}/rounds/1/", scenes.drafted, "judge", 200, anonymous=404),
    _desk("discard", "post", "events/{event}/rounds/1/discard/", scenes.drafted, 204),
    _desk("publish", "post", "events/{event}/rounds/1/publish/", scenes.drafted, 200),
    _desk("close", "post", "events/{event}/rounds/1/close/", scenes.settled, 200),
    _desk("unpublish", "post", "events/{event}/rounds/1/unpublish/", scenes.published, 200),
    _desk("reopen", "post", "events/{event}/rounds/1/reopen/", scenes.closed, 200),
    _desk("swap", "post", "events/{event}/rounds/1/swap/", scenes.drafted, 409, body="pair"),
    _desk("seat", "post", "events/{event}/rounds/1/seat/", scenes.drafted, 200, body="pair"),
    _desk("bye", "post", "events/{event}/rounds/1/bye/", scenes.drafted, 200, body="entrant"),
    Route(
        "mend",
        "get",
        "events/{event}/rounds/1/mend/",
        scenes.published,
        "scorekeeper",
        200,
        too_low="judge",
        anonymous=404,
    ),
    _desk("mend", "post", "events/{event}/rounds/1/mend/", scenes.published, 409, body={"way": "none"}),
    _public("stages", "events/{event}/stages/", scenes.registering),
    _organizer("stages", "post", "events/{event}/stages/", scenes.registering, 201, body={"kind": "round_robin"}),
    _public("stage", "events/{event}/stages/1/", scenes.registering),
    _organizer("stage", "patch", "events/{event}/stages/1/", scenes.registering, 200, body={"best_of": 1}),
    _organizer("stage", "delete", "events/{event}/stages/2/", scenes.staged, 204),
    _public("stage_pairing", "events/{event}/stages/1/pairing/", scenes.registering),
    _organizer(
        "stage_pairing", "patch", "events/{event}/stages/1/pairing/", scenes.running, 200, body={"clubs_apart": True}
    ),
    Route(
        "forbidden_pairs",
        "get",
        "events/{event}/forbidden-pairs/",
        scenes.minded,
        "scorekeeper",
        200,
        too_low="judge",
        anonymous=404,
    ),
    _desk("forbidden_pairs", "post", "events/{event}/forbidden-pairs/", scenes.running, 201, body="forbidden"),
    _desk("forbidden_pair", "delete", "events/{event}/forbidden-pairs/{pair}/", scenes.minded, 204),
    Route("byes", "get", "events/{event}/byes/", scenes.minded, "scorekeeper", 200, too_low="judge", anonymous=404),
    Route(
        "needs", "get", "entrants/{entrant}/needs/", scenes.minded, "scorekeeper", 200, too_low="judge", anonymous=404
    ),
    _desk("needs", "put", "entrants/{entrant}/needs/", scenes.running, 200, body={"club": "Corbeaux", "table": 3}),
    Route(
        "entrant_byes",
        "post",
        "entrants/{entrant}/byes/",
        scenes.minded,
        "player",
        201,
        ("play",),
        {"round": 3, "kind": "half_bye"},
        "judge",
    ),
    _desk("entrant_byes", "post", "entrants/{entrant}/byes/", scenes.minded, 201, body={"round": 3, "kind": "bye"}),
    Route("entrant_bye", "delete", "entrants/{entrant}/byes/2/", scenes.minded, "player", 204, ("play",), {}, "judge"),
    _desk("entrant_bye", "delete", "entrants/{entrant}/byes/2/", scenes.minded, 204),
    Route(
        "round_inputs",
        "get",
        "events/{event}/rounds/1/inputs/",
        scenes.published,
        "scorekeeper",
        200,
        too_low="judge",
        anonymous=404,
    ),
    _organizer("stage_start", "post", "events/{event}/stages/start/", scenes.staged, 200),
    _organizer("stage_undo", "post", "events/{event}/stages/undo/", scenes.in_bracket, 204),
    Route(
        "disqualify",
        "post",
        "entrants/{entrant}/disqualify/",
        scenes.running,
        "judge",
        200,
        ("judge", "organize"),
        {"reason": "marked cards"},
        "scorekeeper",
    ),
    _public("clock", "events/{event}/rounds/1/clock/", scenes.published),
    _desk("clock", "post", "events/{event}/rounds/1/clock/", scenes.published, 200, body={"action": "start"}),
    Route(
        "papers",
        "post",
        "events/{event}/papers/",
        scenes.published,
        "judge",
        201,
        BOTH,
        {"kind": "slips", "round": 1},
    ),
    Route("papers", "post", "events/{event}/papers/", scenes.running, "judge", 201, BOTH, DECKS, LOW),
    Route("seat_link", "get", "entrants/{entrant}/seat-link/", scenes.registering, "scorekeeper", 200, too_low="judge"),
    _public("export", "events/{event}/exports/results/", scenes.settled),
    Route("export", "get", "events/{event}/exports/decks/", scenes.running, "judge", 200, too_low=LOW, anonymous=404),
    _public("announcements", "events/{event}/announcements/", scenes.announced),
    Route("announcements", "post", "events/{event}/announcements/", scenes.draft, "judge", 201, BOTH, {"text": "Hi"}),
    Route("announcement", "delete", "announcements/{announcement}/", scenes.announced, "judge", 204, BOTH),
    Route("paper", "get", "papers/{paper}/", scenes.printed, "scorekeeper", 200),
    Route("paper_file", "get", "papers/{paper}/file/", scenes.printed, "scorekeeper", 200),
    _public("match", "matches/{match}/", scenes.published),
    Route("match", "get", "matches/{match}/", scenes.drafted, "judge", 200, anonymous=404),
    _player("report", "matches/{match}/report/", scenes.published, body=PLAYED),
    _player("confirm", "matches/{match}/confirm/", scenes.reported, body="report"),
    _player("contest", "matches/{match}/contest/", scenes.reported, body="report"),
    _desk("result", "post", "matches/{match}/result/", scenes.published, 200, body=PLAYED),
    _desk("next", "post", "events/{event}/rounds/1/next/", scenes.settled, 201),
    _desk("undo_next", "post", "events/{event}/rounds/2/undo-next/", scenes.followed, 200),
    _desk("slips", "post", "events/{event}/rounds/1/slips/", scenes.published, 200, body={**PLAYED, "table": 1}),
    _desk("undo", "post", "matches/{match}/undo/", scenes.entered, 200),
    Route(
        "ruling",
        "post",
        "matches/{match}/ruling/",
        scenes.reported,
        "judge",
        200,
        ("judge",),
        {**PLAYED, "reason": "seen"},
        "scorekeeper",
    ),
    Route(
        "ruling", "post", "matches/{match}/ruling/", scenes.reported, "judge", 200, ("judge",), REPLAYED, "scorekeeper"
    ),
    Route("disputes", "get", "events/{event}/disputes/", scenes.claimed, "judge", 200, too_low="scorekeeper"),
    Route("match_disputes", "get", "matches/{match}/disputes/", scenes.claimed, "judge", 200, too_low="scorekeeper"),
    Route("match_disputes", "get", "matches/{match}/disputes/", scenes.claimed, "player", 200, too_low="scorekeeper"),
    _player("claim", "matches/{match}/claim/", scenes.settled, body={"reason": "wrong"}),
    _player("appeal", "matches/{match}/appeal/", scenes.ruled, body={"reason": "wrong"}),
    Route(
        "extension",
        "post",
        "matches/{match}/extension/",
        scenes.published,
        "judge",
        200,
        ("judge", "organize"),
        {"minutes": 3},
    ),
    Route("game_logs", "get", "matches/{match}/games/1/logs/", scenes.logged, "player", 200, stranger=200),
    Route(
        "game_logs",
        "post",
        "matches/{match}/games/1/logs/",
        scenes.published,
        "player",
        201,
        ("play",),
        {"log": 1},
        "scorekeeper",
    ),
    Route(
        "game_logs",
        "post",
        "matches/{match}/games/1/logs/",
        scenes.published,
        "judge",
        201,
        ("judge",),
        {"log": 1},
        "scorekeeper",
    ),
    Route("recordings", "post", "matches/{match}/games/1/recordings/", scenes.published, "player", 200, ("play",)),
    Route(
        "recordings",
        "post",
        "matches/{match}/games/1/recordings/",
        scenes.published,
        "judge",
        200,
        ("judge",),
        too_low="scorekeeper",
    ),
    Route("recording", "get", "recordings/{recording}/", scenes.recorded, "player", 200, too_low="scorekeeper"),
    Route("recording", "get", "recordings/{recording}/", scenes.recorded, "judge", 200, too_low="scorekeeper"),
    _at_the_table("recording_moves", "moves/", 201, ENTRY),
    _at_the_table("recording_undo", "undo/", 200, {"n": 2, "key": "undo-0123456789"}),
    _at_the_table("recording_share", "share/", 403, {}, right="judge"),
    _at_the_table("recording_hand_in", "hand-in/", 201, {}),
    Route("log", "get", "logs/{log}/", scenes.logged, "player", 200, too_low="scorekeeper"),
    Route("log", "get", "logs/{log}/", scenes.logged, "judge", 200, too_low="scorekeeper"),
    Route("board", "get", "logs/{log}/board/?n=1", scenes.audited, "player", 200, too_low="scorekeeper"),
    Route("board", "get", "logs/{log}/board/?n=1", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route("ask", "post", "events/{event}/ask/", scenes.published, "judge", 200, ("judge",), QUESTION, "scorekeeper"),
    Route("legal", "get", "logs/{log}/legal/?n=1", scenes.audited, "player", 200, too_low="scorekeeper"),
    Route("legal", "get", "logs/{log}/legal/?n=1", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route("branches", "get", "logs/{log}/branches/", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route("branches", "post", "logs/{log}/branches/", scenes.audited, "judge", 201, ("judge",), UNDONE, "scorekeeper"),
    Route("merge", "get", "logs/{log}/merge/{other}/", scenes.halved, "judge", 200, too_low="scorekeeper"),
    Route("merge", "post", "logs/{log}/merge/{other}/", scenes.halved, "judge", 201, ("judge",), {}, "scorekeeper"),
    Route("document", "get", "logs/{log}/document/", scenes.logged, "player", 200, too_low="scorekeeper"),
]
SESSION_ONLY = {"tokens", "token"}
FOR_ALL = {"schema", "docs", "nowhere"}
ALL_SCOPES = ("read", "play", "judge", "organize")

pytestmark = pytest.mark.usefixtures("any_json_is_a_log")


def call(client: APIClient, route: Route, scene: Scene) -> Response:
    """The request of a route."""
    body = scene.body(route.body) if isinstance(route.body, str) else route.body
    return getattr(client, route.method)(
        scene.at(route.address), **({} if route.method == "get" else {"data": body, "format": "json"})
    )


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_a_route_opens_for_the_right_role_alone(route: Route, cast: Cast) -> None:
    scene = route.scene(cast)
    anonymous = call(APIClient(), route, scene)
    assert anonymous.status_code == route.anonymous
    if route.anonymous == 401:
        assert anonymous["WWW-Authenticate"].startswith("Bearer")
        assert anonymous.json()["code"] == "not_authenticated"
    for scope in set(ALL_SCOPES) - set(route.scopes):
        refused = call(token_client(getattr(cast, route.right), scope), route, scene)
        assert (refused.status_code, refused.json()["code"]) == (403, "scope_missing"), scope
    if route.too_low:
        low = call(token_client(getattr(cast, route.too_low), *ALL_SCOPES), route, scene)
        assert (low.status_code, low.json()["code"]) == (403, route.too_low_code)
    if route.stranger == 404:
        strange = call(token_client(cast.stranger, *ALL_SCOPES), route, scene)
        assert (strange.status_code, strange.json()["code"]) == (404, "not_found")
    right = call(token_client(getattr(cast, route.right), *ALL_SCOPES), route, scene)
    assert right.status_code == route.answer, right.content


@pytest.mark.parametrize("route", [route for route in ROUTES if route.stranger != 404], ids=str)
def test_what_a_stranger_may_do_it_does(route: Route, cast: Cast) -> None:
    answer = call(token_client(cast.stranger, *ALL_SCOPES), route, route.scene(cast))
    assert answer.status_code == route.stranger


# The opponent sits at the player's table: what a player may do with that match, the opponent may too.
NOT_SHARED = [
    route
    for route in ROUTES
    if route.method == "post"
    and route.stranger == 404
    and not ("{match}" in route.address and route.right == "player")
    and not route.name.startswith("recording")
]


@pytest.mark.parametrize("route", NOT_SHARED, ids=str)
def test_an_opponent_has_no_right_over_what_is_not_its_own(route: Route, cast: Cast) -> None:
    """The opponent sits at the player's table, and nowhere else."""
    scene = route.scene(cast)
    answer = call(token_client(cast.opponent, *ALL_SCOPES), route, scene)
    expected = (404, 201) if route.name in ("game_logs",) else (404,)
    assert answer.status_code in expected


def test_every_route_is_in_the_table() -> None:
    routes = {pattern.name: pattern.callback.view_class for pattern in urlpatterns}
    tabled = {(route.name, route.method) for route in ROUTES}
    for name in set(routes) - FOR_ALL - SESSION_ONLY:
        for method in {"get", "post", "put", "patch", "delete"} & set(dir(routes[name])):
            assert (name, method) in tabled, (name, method)


@pytest.mark.django_db
def test_a_token_that_is_unknown_revoked_or_misspelt_is_a_401(visitor: APIClient) -> None:
    for header in ("Bearer arb_nothing", "Bearer", "Bearer a b", "Bearer " + "x" * 500):
        visitor.credentials(HTTP_AUTHORIZATION=header)
        answer = visitor.get("/api/v1/presets/")
        assert (answer.status_code, answer.json()["code"]) == (401, "authentication_failed")
        assert "WWW-Authenticate" in answer


def test_a_session_writes_with_its_csrf_token_alone(cast: Cast) -> None:
    client = scenes.session_client(cast.organizer)
    body = {"name": "Open", "preset": "star-safir"}
    refused = client.post("/api/v1/events/", body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")
    client.cookies["csrftoken"] = "a" * 32
    answer = client.post("/api/v1/events/", body, format="json", HTTP_X_CSRFTOKEN="a" * 32)
    assert answer.status_code == 201


def test_staff_who_play_have_no_right_over_their_own_match(cast: Cast) -> None:
    scene = scenes.published(cast)
    for role in ("scorekeeper", "judge"):
        grant_role(event=scene.event, email=cast.player.email, role=role, by=cast.organizer, now=NOW)
    client = token_client(cast.player, *ALL_SCOPES)
    for address, body in (
        ("result", PLAYED),
        ("ruling", {**PLAYED, "reason": "mine"}),
        ("extension", {"minutes": 3}),
        ("lateness", {"action": "empty", "seat": 1}),
    ):
        answer = client.post(scene.at("matches/{match}/" + address + "/"), body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (403, "own_match")
