"""Permissions of every route: who can use it, who gets a 403, who a 404, and which scopes a token needs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from rest_framework.response import Response
from rest_framework.test import APIClient

from tests.api import scenes
from tests.api.contract import assert_as_described, value_of
from tests.api.scenes import Scene, token_client
from tests.builders import NOW, sealed_texts
from tests.cast import Cast, account
from tests.common.test_photos import photo
from tests.transfers.files import TRF
from tournaments.api.resource import Resource
from tournaments.api.urls import urlpatterns
from tournaments.events.procedures import Procedures
from tournaments.events.services import grant_role

DEVICE = {**scenes.BROWSER.subscription(), "browser": "Firefox · Android"}
PLAYED = {"games": [2, 0, 0]}
POOL = {"text": sealed_texts(2)[0]}
REPLAYED = {"decision": "replay", "reason": "a spilled drink"}
UNDONE = {"n": 5, "correction": "undo"}
ENTRY = {"n": 2, "key": "move-0123456789", "entry": {"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 5}]}}
BOTH = ("judge", "organize")
CLAIMED = {"action": "claim"}
LIST = "entrants/{entrant}/reopen-list/"
DRAWN = {"tables": 1}
ROUND_CHECKS = "events/{event}/rounds/1/deck-checks/"
ALL_SCOPES = ("read", "play", *BOTH)
DECKS, LOW = {"kind": "decks"}, "scorekeeper"
READ = {"kind": "magie", "abilities": [{"on": "played", "do": [{"op": "drow", "n": 1}]}]}
HOOK = {"url": "https://example.com/told", "kinds": ["round", "result"]}
_BOARD = {
    "format": 1,
    "game": "star-safir",
    "ruleset": "safir-v2@1",
    "start": {"kind": "position", "state": {"seats": {"A": {}, "B": {}}}},
}
POSITIONS = {"one": _BOARD, "two": _BOARD}
PAD = {"turns": [{"by": "A", "claims": {"A.pv": 0, "B.pv": 0}, "seconds": 40}]}
PHOTOS = "positions/{position}/photos/"
KEPT, SIGNED = {"start": _BOARD["start"]}, "positions/{position}/signatures/"
QUESTION = {"position": {"format": 1}, "move": {"n": 1}}


@dataclass(frozen=True)
class Route:
    """A request to a route, and the status for each reader.

    `right` is the member of the cast for whom it succeeds with status `answer`, `too_low` one whose role is too low.
    """

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


def _club(
    name: str, method: str, address: str, answer: int, body: Any = None, scopes: tuple[str, ...] = ("organize",)
) -> Route:
    return Route(name, method, address, scenes.in_club, "organizer", answer, scopes, body or {}, too_low="scorekeeper")


def _player(name: str, address: str, scene: Callable[[Cast], Scene], **fields: Any) -> Route:
    return Route(name, "post", address, scene, "player", 200, ("play",), **fields)


def _at_the_table(name: str, end: str, answer: int, body: Any, right: str = "judge") -> Route:
    address = "recordings/{recording}/" + end
    return Route(name, "post", address, scenes.recorded, right, answer, ("judge",), body, "scorekeeper")


ROUTES = [
    Route("me", "get", "me/", scenes.running, "player", 200, stranger=200),
    Route("me", "patch", "me/", scenes.running, "player", 200, ("play",), {"language": "fr"}, stranger=200),
    Route("notices", "get", "me/notices/", scenes.running, "player", 200, stranger=200),
    Route(
        "notices", "put", "me/notices/", scenes.running, "player", 200, ("play",), {"kinds": ["event"]}, stranger=200
    ),
    Route("devices", "get", "me/devices/", scenes.with_device, "player", 200, stranger=200),
    Route("devices", "post", "me/devices/", scenes.running, "player", 201, ("play",), DEVICE, stranger=201),
    Route("device", "delete", "me/devices/{device}/", scenes.with_device, "player", 204, ("play",)),
    Route("device_test", "post", "me/devices/{device}/test/", scenes.with_device, "player", 204, ("play",)),
    Route("history", "get", "me/history/", scenes.running, "player", 200, stranger=200),
    _public("player", "players/@ace/", scenes.profiled),
    _public("player_history", "players/@ace/history/", scenes.profiled),
    _public("head_to_head", "players/@ace/against/@rival/", scenes.profiled),
    Route("own_profile", "get", "persons/{person}/profile/", scenes.profiled, "player", 200),
    Route(
        "own_profile",
        "put",
        "persons/{person}/profile/",
        scenes.profiled,
        "player",
        200,
        ("play",),
        {"short_name": "hero", "text": "Hello", "searchable": True},
    ),
    Route("own_profile", "delete", "persons/{person}/profile/", scenes.profiled, "player", 204, ("play",)),
    Route("follows", "get", "me/follows/", scenes.profiled, "stranger", 200, stranger=200),
    *(
        Route(f"{what}_follow", method, address, scenes.profiled, "opponent", 204, ("play",), stranger=204)
        for what, address in (("event", "events/{event}/follow/"), ("player", "players/@ace/follow/"))
        for method in ("put", "delete")
    ),
    Route("calendar", "get", "me/calendar/", scenes.running, "player", 200, stranger=200),
    Route("calendar", "post", "me/calendar/", scenes.running, "player", 201, ("play",), {}, stranger=201),
    Route("calendar", "delete", "me/calendar/", scenes.running, "player", 204, ("play",), stranger=204),
    Route("stream", "get", "me/stream/", scenes.running, "player", 200, stranger=200),
    Route("stream", "put", "me/stream/", scenes.running, "player", 200, ("play",), {"off": True}, stranger=200),
    _public("root", "", scenes.draft),
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
    _organizer(
        "details",
        "put",
        "events/{event}/details/",
        scenes.draft,
        200,
        body={"place": "Town hall", "time_zone": "Europe/Paris", "starts_at": None},
    ),
    Route("join_link", "get", "events/{event}/join-link/", scenes.registering, "judge", 200),
    Route("overlaps", "get", "events/{event}/overlaps/", scenes.registering, "judge", 200),
    Route("overlaps", "get", "events/{event}/overlaps/", scenes.running, "player", 200),
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
    _organizer(
        "registration", "put", "events/{event}/registration/", scenes.registering, 200, body={"listing": "unlisted"}
    ),
    Route("bans", "get", "bans/", scenes.banned, "organizer", 200, stranger=200),
    Route(
        "bans",
        "post",
        "bans/",
        scenes.banned,
        "organizer",
        201,
        ("organize",),
        {"email": "player9@example.com", "reason": "Cheated", "until": "2027-01-31"},
        stranger=201,
    ),
    Route("ban", "delete", "bans/{ban}/", scenes.banned, "organizer", 204, ("organize",)),
    _public("questions", "events/{event}/questions/", scenes.asking),
    _organizer("questions", "post", "events/{event}/questions/", scenes.asking, 201, body="question"),
    _organizer("question", "put", "events/{event}/questions/1/", scenes.asking, 200, body={"label": "Shirt size"}),
    _organizer("question", "delete", "events/{event}/questions/2/", scenes.asking, 204),
    _organizer("question_move", "post", "events/{event}/questions/2/move/", scenes.asking, 200, body={"earlier": True}),
    Route("answers", "get", "entrants/{entrant}/answers/", scenes.asking, "player", 200),
    Route("answers", "put", "entrants/{entrant}/answers/", scenes.asking, "player", 200, ("play",), "answers"),
    _desk("answers", "put", "entrants/{entrant}/answers/", scenes.asking, 200, body="answers"),
    _desk("consent", "put", "entrants/{entrant}/consent/", scenes.asking, 200, body={"noted": True}),
    Route("applications", "get", "events/{event}/applications/", scenes.applied, "scorekeeper", 200, too_low="judge"),
    Route(
        "applications", "post", "events/{event}/applications/", scenes.applied, "opponent", 201, ("play",), stranger=201
    ),
    _desk("applications_decide", "post", "events/{event}/applications/decide/", scenes.applied, 200, body="decline"),
    Route("application", "get", "applications/{application}/", scenes.applied, "player", 200),
    Route("application", "delete", "applications/{application}/", scenes.applied, "player", 204, ("play",)),
    Route("join", "post", "events/{event}/join/", scenes.private, "stranger", 200, ("play",), "join", stranger=200),
    _organizer("join_link", "post", "events/{event}/join-link/", scenes.registering, 200),
    _organizer("contact", "put", "events/{event}/contact/", scenes.registering, 200, body={"contact": "At the bar"}),
    Route(
        "embed_sites",
        "get",
        "events/{event}/embed-sites/",
        scenes.embedded,
        "organizer",
        200,
        too_low="scorekeeper",
        anonymous=404,
    ),
    _organizer(
        "embed_sites",
        "put",
        "events/{event}/embed-sites/",
        scenes.registering,
        200,
        body={"sites": ["https://club.example"]},
    ),
    Route(
        "invitations",
        "get",
        "events/{event}/invitations/",
        scenes.invited,
        "organizer",
        200,
        too_low="judge",
        anonymous=404,
    ),
    Route(
        "invitations",
        "post",
        "events/{event}/invitations/",
        scenes.registering,
        "organizer",
        201,
        ("organize",),
        {"role": "judge", "email": "new@example.com"},
        "judge",
    ),
    Route(
        "invitation",
        "delete",
        "invitations/{invitation}/",
        scenes.invited,
        "organizer",
        204,
        ("organize",),
        {},
        "judge",
    ),
    Route(
        "invitation_accept",
        "post",
        "invitations/{invitation}/accept/",
        scenes.invited,
        "stranger",
        200,
        ("organize",),
        "invitation",
        stranger=200,
    ),
    Route(
        "hand_over",
        "post",
        "events/{event}/hand-over/",
        scenes.registering,
        "organizer",
        200,
        ("organize",),
        {"email": "judge@example.com"},
        too_low="scorekeeper",
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
    Route(
        "ruleset",
        "get",
        "events/{event}/ruleset/",
        scenes.draft,
        "organizer",
        200,
        too_low="scorekeeper",
        anonymous=404,
    ),
    Route(
        "ruleset",
        "put",
        "events/{event}/ruleset/",
        scenes.draft,
        "organizer",
        200,
        ("organize",),
        {"ruleset": "safir-v2@1"},
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
        {**Procedures().to_json(), "meeting": {"held": True}},
        "scorekeeper",
    ),
    _organizer(
        "procedures",
        "patch",
        "events/{event}/procedures/",
        scenes.draft,
        200,
        body={"meeting": {"held": True}},
    ),
    Route("visibility", "get", "events/{event}/visibility/", scenes.draft, "judge", 200, anonymous=404),
    _organizer(
        "visibility",
        "patch",
        "events/{event}/visibility/",
        scenes.registering,
        200,
        body={"pairings.public.swiss": "after_round"},
    ),
    Route("start", "post", "matches/{match}/start/", scenes.choosing, "player", 200, ("play",), {"seat": 1}),
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
    Route(
        "category_prize",
        "put",
        "events/{event}/prize-categories/1/prizes/{entrant}/",
        scenes.with_categories,
        "scorekeeper",
        204,
        ("organize",),
        {"given": False},
        "judge",
    ),
    Route("prices", "get", "events/{event}/prices/", scenes.priced, "stranger", 200, stranger=200, anonymous=200),
    _organizer("prices", "post", "events/{event}/prices/", scenes.priced, 201, body={"name": "Child", "cents": 600}),
    _organizer("price", "delete", "prices/{price}/", scenes.priced, 204),
    Route("codes", "get", "events/{event}/codes/", scenes.priced, "scorekeeper", 200, too_low="judge"),
    _organizer("codes", "post", "events/{event}/codes/", scenes.priced, 201, body={"code": "CLUB-10", "percent": 10}),
    _organizer("code", "delete", "codes/{code}/", scenes.priced, 204),
    Route("payments", "get", "events/{event}/payments/", scenes.paid, "scorekeeper", 200, too_low="judge"),
    Route("payment", "get", "payments/{payment}/", scenes.paid, "scorekeeper", 200, too_low="judge"),
    Route("payment", "get", "payments/{payment}/", scenes.paid, "player", 200),
    Route("payment", "delete", "payments/{payment}/", scenes.paying, "player", 204, ("play",)),
    Route(
        "entrant_payments",
        "post",
        "entrants/{entrant}/payments/",
        scenes.priced,
        "player",
        201,
        ("play",),
        {"code": "guest"},
    ),
    _desk("desk_payment", "post", "entrants/{entrant}/payments/desk/", scenes.priced, 201),
    _organizer("refunds", "post", "payments/{payment}/refunds/", scenes.paid, 201, body={"key": "till-1"}),
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
    Route(
        "read_list",
        "post",
        "events/{event}/read-list/",
        scenes.registering,
        "player",
        200,
        ("play", "organize"),
        {"text": "2x Braisilon\n1 Silvain", "suggestion": "1:DEMO-SAF-020 Braisillon"},
        stranger=200,
    ),
    Route(
        "read_list",
        "post",
        "events/{event}/read-list/",
        scenes.draft,
        "organizer",
        200,
        ("play", "organize"),
        {"text": "1 DEMO-SAF-001"},
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
    Route(
        "format_club",
        "put",
        "formats/{format}/club/",
        scenes.saved_with_club,
        "organizer",
        200,
        ("organize",),
        "owning club",
    ),
    Route("ledger", "get", "events/{event}/ledger/", scenes.registering, "judge", 200, anonymous=404),
    _public("standings", "events/{event}/standings/", scenes.settled),
    _public("final", "events/{event}/final/", scenes.settled),
    Route(
        "qualification",
        "get",
        "events/{event}/qualification/?into={other}&first=1",
        scenes.qualifying,
        "organizer",
        200,
        too_low="scorekeeper",
    ),
    _organizer("qualification", "post", "events/{event}/qualification/", scenes.qualifying, 200, body="qualify"),
    Route("seeds", "get", "events/{event}/seeds/", scenes.rated, "judge", 200),
    _organizer("seeds", "put", "events/{event}/seeds/", scenes.rated, 200, body="league"),
    _organizer("seeds", "delete", "events/{event}/seeds/", scenes.rated, 204),
    Route("prize_categories", "get", "events/{event}/prize-categories/", scenes.with_categories, "judge", 200),
    _organizer("prize_categories", "post", "events/{event}/prize-categories/", scenes.settled, 201, body="category"),
    _organizer(
        "prize_category",
        "put",
        "events/{event}/prize-categories/1/",
        scenes.with_categories,
        200,
        body={"name": "Best under 16"},
    ),
    _organizer("prize_category", "delete", "events/{event}/prize-categories/2/", scenes.with_categories, 204),
    _organizer(
        "prize_category_move",
        "post",
        "events/{event}/prize-categories/2/move/",
        scenes.with_categories,
        200,
        body={"earlier": True},
    ),
    _public("board_standings", "events/{event}/standings/boards/", scenes.team_match),
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
        {"scheme": "mtr", "tiebreaks": ["points", "wins", "direct"]},
        "scorekeeper",
    ),
    _public("scoring", "events/{event}/scoring/", scenes.registering),
    Route(
        "scoring",
        "put",
        "events/{event}/scoring/",
        scenes.running,
        "organizer",
        200,
        ("organize",),
        {"win": 3, "draw": 1, "loss": 0, "floor": "0.33"},
        "scorekeeper",
    ),
    _public("entrants", "events/{event}/entrants/", scenes.registering),
    _public("progress", "entrants/{entrant}/progress/", scenes.published),
    Route("entrants", "post", "events/{event}/entrants/", scenes.registering, "opponent", 201, ("play",), stranger=201),
    _desk("entrants", "post", "events/{event}/entrants/", scenes.registering, 201, body={"given_name": "Ada"}),
    _desk("imports", "post", "events/{event}/imports/", scenes.registering, 201, body={"text": "Player 7"}),
    Route("import", "get", "imports/{import}/", scenes.importing, "scorekeeper", 200, too_low="judge"),
    _desk("import", "patch", "imports/{import}/", scenes.importing, 200, body={"twice": True}),
    _desk("import", "delete", "imports/{import}/", scenes.importing, 204),
    _desk("import_confirm", "post", "imports/{import}/confirm/", scenes.importing, 200),
    Route(
        "entry_invitations",
        "get",
        "events/{event}/entry-invitations/",
        scenes.entry_invited,
        "scorekeeper",
        200,
        too_low="judge",
    ),
    _desk("entry_invitations", "post", "events/{event}/entry-invitations/", scenes.entry_invited, 200),
    _desk(
        "entry_address",
        "put",
        "entrants/{other}/invitation/",
        scenes.entry_invited,
        200,
        body={"email": "player.7@example.com"},
    ),
    _desk("entry_address", "delete", "entrants/{other}/invitation/", scenes.entry_invited, 204),
    Route(
        "entry_invitation_accept",
        "post",
        "entry-invitations/{entry_invitation}/accept/",
        scenes.entry_invited,
        "opponent",
        200,
        ("play",),
        "entry invitation",
        stranger=200,
    ),
    _organizer("team_settings", "put", "events/{event}/teams/settings/", scenes.listless, 200, body={"team_size": 3}),
    _public("teams", "events/{event}/teams/", scenes.teaming),
    Route(
        "teams",
        "post",
        "events/{event}/teams/",
        scenes.teaming,
        "opponent",
        201,
        ("play",),
        {"name": "Elks"},
        stranger=201,
    ),
    _desk("teams", "post", "events/{event}/teams/", scenes.teaming, 201, body={"name": "Elks", "players": ["Ada"]}),
    _public("team", "entrants/{entrant}/team/", scenes.teaming),
    Route(
        "team",
        "put",
        "entrants/{entrant}/team/",
        scenes.teaming,
        "player",
        200,
        ("play",),
        {"name": "Red Foxes"},
        "judge",
    ),
    _desk("team", "put", "entrants/{entrant}/team/", scenes.teaming, 200, body={"name": "Red Foxes"}),
    Route("team_link", "get", "entrants/{entrant}/team/link/", scenes.teaming, "player", 200, too_low="judge"),
    Route(
        "team_members",
        "post",
        "entrants/{entrant}/team/members/",
        scenes.teaming,
        "opponent",
        200,
        ("play",),
        "claim",
        stranger=200,
    ),
    _desk("team_members", "post", "entrants/{entrant}/team/members/", scenes.teaming, 200, body={"name": "Ada Lo"}),
    Route(
        "team_member",
        "delete",
        "entrants/{entrant}/team/members/{mate}/",
        scenes.team_joined,
        "player",
        200,
        ("play",),
        too_low="judge",
    ),
    Route(
        "lineup",
        "put",
        "entrants/{entrant}/team/lineup/",
        scenes.team_joined,
        "player",
        200,
        ("play",),
        "lineup",
        "judge",
    ),
    Route(
        "captain",
        "put",
        "entrants/{entrant}/team/captain/",
        scenes.team_joined,
        "player",
        200,
        ("play",),
        "captain",
        "judge",
    ),
    _public("match", "matches/{match}/", scenes.team_match),
    Route(
        "report",
        "post",
        "matches/{match}/report/",
        scenes.team_match,
        "player",
        200,
        ("play",),
        {"boards": [[2, 0, 0]] * 2},
    ),
    _player("board_report", "matches/{match}/boards/1/report/", scenes.team_match, body=PLAYED),
    _player("board_confirm", "matches/{match}/boards/1/confirm/", scenes.board_reported, body="board"),
    _player("board_contest", "matches/{match}/boards/1/contest/", scenes.board_reported, body="board"),
    _desk("result", "post", "matches/{match}/result/", scenes.team_match, 200, body={"boards": [[2, 0, 0]] * 2}),
    _player("drop", "entrants/{entrant}/drop/", scenes.running, too_low="judge"),
    _desk("drop", "post", "entrants/{entrant}/drop/", scenes.running, 200),
    _player("reinstate", "entrants/{entrant}/reinstate/", scenes.running, too_low="judge"),
    _desk("reinstate", "post", "entrants/{entrant}/reinstate/", scenes.running, 200),
    _player("check_in", "entrants/{entrant}/check-in/", scenes.checking_in, too_low="judge"),
    _desk("check_in", "post", "entrants/{entrant}/check-in/", scenes.checking_in, 200),
    Route("check_in", "delete", "entrants/{entrant}/check-in/", scenes.checking_in, "player", 200, ("play",)),
    _desk("check_in", "delete", "entrants/{entrant}/check-in/", scenes.checking_in, 200),
    _desk(
        "several_entrants",
        "post",
        "events/{event}/entrants/several/",
        scenes.checking_in,
        200,
        body="several",
    ),
    Route("decklist", "get", "entrants/{entrant}/decklist/", scenes.registering, "player", 200, too_low="scorekeeper"),
    Route("decklist", "get", "entrants/{entrant}/decklist/", scenes.registering, "judge", 200, too_low="scorekeeper"),
    Route("decklist", "get", "entrants/{entrant}/decklist/", scenes.running, "player", 200),
    Route(
        "decklist", "put", "entrants/{entrant}/decklist/", scenes.registering, "player", 422, ("play",), {"text": "?"}
    ),
    _public("rounds", "events/{event}/rounds/", scenes.published),
    _desk("rounds", "post", "events/{event}/rounds/", scenes.running, 201, body={"acknowledged": False}),
    _public("round", "events/{event}/rounds/1/", scenes.published),
    Route("round", "get", "events/{event}/rounds/1/", scenes.drafted, "judge", 200, anonymous=404),
    _desk("discard", "post", "events/{event}/rounds/1/discard/", scenes.drafted, 204),
    _desk("publish", "post", "events/{event}/rounds/1/publish/", scenes.drafted, 200),
    _desk("close", "post", "events/{event}/rounds/1/close/", scenes.settled, 200),
    _desk("unpublish", "post", "events/{event}/rounds/1/unpublish/", scenes.published, 200),
    _desk("reopen", "post", "events/{event}/rounds/1/reopen/", scenes.closed, 200),
    Route(
        "hand",
        "get",
        "events/{event}/rounds/1/hand/?gesture=bye&first={entrant}",
        scenes.drafted,
        "scorekeeper",
        200,
        too_low="judge",
        anonymous=404,
    ),
    _desk("undo_hand", "post", "events/{event}/rounds/1/hand/undo/", scenes.drafted, 409),
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
    _public("draft", "events/{event}/stages/1/draft/", scenes.drafting),
    _desk("draft", "post", "events/{event}/stages/1/draft/", scenes.drafting, 200, body={"action": "start"}),
    _public("stage_pairing", "events/{event}/stages/1/pairing/", scenes.registering),
    _organizer(
        "stage_pairing", "patch", "events/{event}/stages/1/pairing/", scenes.running, 200, body={"clubs_apart": True}
    ),
    Route(
        "stage_tables",
        "get",
        "events/{event}/stages/1/tables/",
        scenes.registering,
        "scorekeeper",
        200,
        too_low="judge",
        anonymous=404,
    ),
    _desk("stage_tables", "put", "events/{event}/stages/1/tables/", scenes.running, 200, body={"tables": "1-40"}),
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
    _organizer("stage_start", "post", "events/{event}/stages/start/", scenes.staged, 200, body={"declined": []}),
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
    Route("persons", "get", "persons/", scenes.with_child, "player", 200, stranger=200),
    Route("persons", "post", "persons/", scenes.draft, "player", 201, ("play",), {"given_name": "Ada"}, stranger=201),
    Route("person", "put", "persons/{child}/", scenes.with_child, "player", 200, ("play",), {"given_name": "Ada"}),
    Route("person", "delete", "persons/{child}/", scenes.with_child, "player", 204, ("play",)),
    Route(
        "entrants",
        "post",
        "events/{event}/entrants/",
        scenes.with_child,
        "player",
        201,
        ("play",),
        "child",
        stranger=404,
    ),
    _desk(
        "entrant_name",
        "put",
        "entrants/{other}/name/",
        scenes.with_walk_in,
        200,
        body={"given_name": "Ada", "family_name": "Lune"},
    ),
    Route("claim_link", "get", "entrants/{other}/claim-link/", scenes.with_walk_in, LOW, 200, too_low="judge"),
    Route(
        "claim_entry",
        "post",
        "entrants/{other}/claim/",
        scenes.with_walk_in,
        "opponent",
        200,
        ("play",),
        "claim",
        stranger=200,
    ),
    _desk("merge_entrants", "post", "entrants/{other}/merge/", scenes.with_walk_in, 200, body="into"),
    _public("clubs", "clubs/", scenes.in_club),
    Route("clubs", "post", "clubs/", scenes.draft, "organizer", 201, ("organize",), {"name": "Club"}, stranger=201),
    _public("club", "clubs/{club}/", scenes.in_club),
    _club("club", "patch", "clubs/{club}/", 200, body={"place": "Lille"}),
    _club("club", "delete", "clubs/{club}/", 204),
    _public("club_events", "clubs/{club}/events/", scenes.in_club),
    _club("club_events", "post", "clubs/{club}/events/", 200, body="event_of"),
    _club("club_event", "delete", "clubs/{club}/events/{event}/", 204),
    _club("club_series", "post", "clubs/{club}/series/", 200, body="series"),
    _club("club_venues", "post", "clubs/{club}/venues/", 200, body={"name": "Shop", "hall": "1-8"}),
    _club("club_venue", "delete", "clubs/{club}/venues/{venue}/", 204),
    _club("club_roles", "get", "clubs/{club}/roles/", 200, scopes=("read",)),
    _club("club_roles", "post", "clubs/{club}/roles/", 200, body="club role"),
    _club("club_role", "delete", "clubs/{club}/roles/{club_role}/", 204),
    _club("club_hand_over", "post", "clubs/{club}/hand-over/", 204, body="new owner"),
    _club(
        "club_conventions",
        "post",
        "clubs/{club}/conventions/",
        201,
        body={"name": "Spring", "first_day": "2026-04-11", "last_day": "2026-04-12", "hall": "1-40"},
    ),
    _public("convention", "conventions/{convention}/", scenes.in_club),
    _club("convention", "patch", "conventions/{convention}/", 200, body={"hall": "1-60"}),
    _club("convention", "delete", "conventions/{convention}/", 204),
    _club("convention_events", "post", "conventions/{convention}/events/", 200, body="event_of"),
    _club("convention_event", "delete", "conventions/{convention}/events/{event}/", 204),
    _club("convention_tables", "post", "conventions/{convention}/tables/", 200),
    Route(
        "club_penalties",
        "get",
        "entrants/{entrant}/club-penalties/",
        scenes.penalized_elsewhere,
        "judge",
        200,
        too_low="scorekeeper",
    ),
    _public("leagues", "leagues/", scenes.in_open_league),
    Route(
        "leagues", "post", "leagues/", scenes.draft, "organizer", 201, ("organize",), {"name": "Season"}, stranger=201
    ),
    _public("league", "leagues/{league}/", scenes.in_open_league),
    Route("league", "get", "leagues/{league}/", scenes.in_league, "organizer", 200, anonymous=404),
    Route("league", "patch", "leagues/{league}/", scenes.in_league, "organizer", 200, ("organize",), {"best": 3}),
    Route("league", "delete", "leagues/{league}/", scenes.in_open_league, "organizer", 204, ("organize",)),
    Route(
        "league_events",
        "post",
        "leagues/{league}/events/",
        scenes.in_open_league,
        "organizer",
        200,
        ("organize",),
        "event",
    ),
    Route(
        "league_event",
        "delete",
        "leagues/{league}/events/{event}/",
        scenes.in_open_league,
        "organizer",
        204,
        ("organize",),
    ),
    Route(
        "league_namesakes",
        "get",
        "leagues/{league}/namesakes/",
        scenes.in_league_twice,
        "organizer",
        200,
        anonymous=404,
    ),
    Route(
        "league_namesakes",
        "post",
        "leagues/{league}/namesakes/",
        scenes.in_league_twice,
        "organizer",
        200,
        ("organize",),
        "namesakes",
    ),
    Route(
        "league_namesake",
        "delete",
        "leagues/{league}/namesakes/{person}/",
        scenes.in_league_twice,
        "organizer",
        204,
        ("organize",),
    ),
    _public("league_ratings", "leagues/{league}/ratings/", scenes.league_counted),
    Route("league_ratings", "get", "leagues/{league}/ratings/", scenes.in_league, "organizer", 200, anonymous=404),
    _public("league_standings", "leagues/{league}/standings/", scenes.in_open_league),
    Route("league_standings", "get", "leagues/{league}/standings/", scenes.in_league, "organizer", 200, anonymous=404),
    _public("league_export", "leagues/{league}/export/", scenes.in_open_league),
    Route("league_export", "get", "leagues/{league}/export/", scenes.in_league, "organizer", 200, anonymous=404),
    Route("book", "get", "book/", scenes.in_book, "organizer", 200, stranger=200),
    Route("book_entry", "get", "book/{person}/", scenes.in_book, "organizer", 200),
    Route("book_entry", "put", "book/{person}/", scenes.in_book, "organizer", 200, ("organize",), {"name": "Tall"}),
    Route("book_merge", "post", "book/{person}/merge/", scenes.in_book, "organizer", 200, ("organize",), "other"),
    Route("book_split", "post", "book/{person}/split/", scenes.in_book, "organizer", 200, ("organize",)),
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
    Route("event_file", "post", "events/{event}/file/", scenes.running, "organizer", 201, ("organize",), {}, LOW),
    Route("file", "get", "files/{file}/", scenes.taken_away, "organizer", 200, too_low="scorekeeper"),
    Route("file_download", "get", "files/{file}/download/", scenes.taken_away, "organizer", 200, too_low="judge"),
    _public("head", "events/{event}/head/", scenes.running),
    Route("head", "get", "events/{event}/head/", scenes.draft, "judge", 200, anonymous=404),
    _public("checks", "events/{event}/checks/", scenes.registering),
    Route("checks", "get", "events/{event}/checks/", scenes.draft, "judge", 200, anonymous=404),
    Route(
        "checks", "get", "events/{event}/checks/", scenes.checked_at_night, "judge", 200, stranger=200, anonymous=200
    ),
    _organizer("checks", "post", "events/{event}/checks/", scenes.running, 202),
    Route("verifications", "post", "verifications/", scenes.draft, "stranger", 201, ALL_SCOPES, stranger=201),
    _public("verification", "verifications/{verification}/", scenes.verified),
    _public("verification", "verifications/{verification}/", scenes.verified_whole),
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
    Route("game_replays", "get", "matches/{match}/games/1/replays/", scenes.audited, "player", 200, stranger=200),
    Route("game_logs", "get", "matches/{match}/games/1/logs/", scenes.audited, "player", 200, stranger=200),
    Route(
        "game_pad",
        "post",
        "matches/{match}/games/1/pad/",
        scenes.published,
        "player",
        201,
        ("play",),
        PAD,
        "scorekeeper",
    ),
    Route(
        "game_pad",
        "post",
        "matches/{match}/games/1/pad/",
        scenes.published,
        "judge",
        201,
        ("judge",),
        PAD,
        "scorekeeper",
    ),
    Route(
        "game_logs",
        "post",
        "matches/{match}/games/1/logs/",
        scenes.published,
        "player",
        201,
        ("play",),
        "log",
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
    Route(
        "tables_to_record",
        "get",
        "events/{event}/tables-to-record/",
        scenes.recorded,
        "judge",
        200,
        too_low="scorekeeper",
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
    Route(
        "recording_take_back",
        "post",
        "recordings/{recording}/take-back/",
        scenes.recording_handed_in,
        "judge",
        200,
        ("judge",),
        too_low="scorekeeper",
    ),
    _public("features", "events/{event}/features/", scenes.featured),
    _public("watch", "matches/{match}/watch/", scenes.featured),
    Route("feature", "put", "matches/{match}/feature/", scenes.recorded, "scorekeeper", 200, BOTH, {"delay": 5}),
    Route("feature", "put", "matches/{match}/feature/", scenes.featured, "judge", 200, BOTH, {"delay": 9}),
    Route("feature", "delete", "matches/{match}/feature/", scenes.featured, "judge", 204, BOTH),
    Route("log", "get", "logs/{log}/", scenes.audited, "player", 200, too_low="scorekeeper"),
    Route("log", "get", "logs/{log}/", scenes.logged, "judge", 200, too_low="scorekeeper"),
    Route("board", "get", "logs/{log}/board/?n=1", scenes.audited, "player", 200, too_low="scorekeeper"),
    Route("board", "get", "logs/{log}/board/?n=1", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route("board_picture", "get", "logs/{log}/picture/?n=1", scenes.audited, "player", 200, too_low="scorekeeper"),
    Route("board_picture", "get", "logs/{log}/picture/?n=1", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route(
        "difference",
        "post",
        "events/{event}/difference/",
        scenes.published,
        "judge",
        200,
        ("judge",),
        POSITIONS,
        "scorekeeper",
    ),
    Route("ask", "post", "events/{event}/ask/", scenes.published, "judge", 200, ("judge",), QUESTION, "scorekeeper"),
    Route("positions", "get", "matches/{match}/positions/", scenes.board_kept, "judge", 200, too_low=LOW),
    Route("positions", "post", "matches/{match}/positions/", scenes.published, "judge", 201, ("judge",), KEPT, LOW),
    Route("position", "get", "positions/{position}/", scenes.board_kept, "judge", 200, too_low=LOW),
    Route("position", "get", "positions/{position}/", scenes.board_kept, "player", 200, too_low=LOW),
    Route("position_picture", "get", "positions/{position}/picture/", scenes.board_kept, "judge", 200, too_low=LOW),
    Route("position_picture", "get", "positions/{position}/picture/", scenes.board_kept, "player", 200, too_low=LOW),
    Route("position_photos", "post", PHOTOS, scenes.board_kept, "judge", 201, ("judge",), photo((90, 60)), LOW),
    Route("photo", "get", "photos/{photo}/", scenes.board_kept, "judge", 200, too_low=LOW),
    Route("position_signatures", "post", SIGNED, scenes.board_kept, "judge", 201, ("judge",), "agree", LOW),
    Route("position_signatures", "post", SIGNED, scenes.board_kept, "player", 201, ("play",), "agree", LOW),
    Route(
        "share",
        "post",
        "logs/{log}/share/",
        scenes.audited,
        "judge",
        200,
        ("judge",),
        {"shared": True},
        "scorekeeper",
    ),
    Route("legal", "get", "logs/{log}/legal/?n=1", scenes.audited, "player", 200, too_low="scorekeeper"),
    Route("legal", "get", "logs/{log}/legal/?n=1", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route("branches", "get", "logs/{log}/branches/", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route("branches", "post", "logs/{log}/branches/", scenes.audited, "judge", 201, ("judge",), UNDONE, "scorekeeper"),
    Route("bulk_audits", "get", "events/{event}/bulk-audits/", scenes.audited, "judge", 200, too_low="scorekeeper"),
    Route("bulk_audits", "post", "events/{event}/bulk-audits/", scenes.audited, "judge", 201, ("judge",), {}, LOW),
    Route("bulk_audit", "get", "bulk-audits/{bulk}/", scenes.audited_again, "judge", 200, too_low="scorekeeper"),
    Route("bulk_cancel", "post", "bulk-audits/{bulk}/cancel/", scenes.audited_again, "judge", 200, ("judge",), {}, LOW),
    Route(
        "bulk_changes", "get", "bulk-audits/{bulk}/changes/", scenes.audited_again, "judge", 200, too_low="scorekeeper"
    ),
    Route("own_catalogues", "get", "catalogues/", scenes.with_cards, "organizer", 200, stranger=200),
    Route("own_catalogue", "get", "catalogues/{catalogue}/", scenes.with_cards, "organizer", 200),
    Route(
        "catalogue_club",
        "put",
        "catalogues/{catalogue}/club/",
        scenes.with_cards_and_club,
        "organizer",
        200,
        ("organize",),
        "owning club",
    ),
    Route("own_catalogue", "delete", "catalogues/{catalogue}/", scenes.with_cards, "organizer", 204, ("organize",)),
    Route(
        "catalogue_uploads",
        "post",
        "catalogue-uploads/?game=star-safir",
        scenes.draft,
        "organizer",
        201,
        ("organize",),
        stranger=201,
    ),
    Route("catalogue_upload", "get", "catalogue-uploads/{cards}/", scenes.with_cards, "organizer", 200),
    Route(
        "catalogue_upload", "delete", "catalogue-uploads/{cards}/", scenes.with_cards, "organizer", 204, ("organize",)
    ),
    Route(
        "catalogue_keep", "post", "catalogue-uploads/{cards}/keep/", scenes.with_cards, "organizer", 200, ("organize",)
    ),
    Route("transfers", "post", "transfers/", scenes.draft, "organizer", 201, ("organize",), TRF, stranger=201),
    Route("transfers", "get", "transfers/", scenes.with_file, "organizer", 200, stranger=200),
    Route("transfer", "get", "transfers/{transfer}/", scenes.with_file, "organizer", 200),
    Route("transfer", "delete", "transfers/{transfer}/", scenes.with_file, "organizer", 204, ("organize",)),
    Route(
        "transfer_event",
        "post",
        "transfers/{transfer}/event/",
        scenes.with_file,
        "organizer",
        200,
        ("organize",),
        {"goal": "play_on", "name": "Kites", "preset": "free"},
    ),
    Route(
        "transfer_entrants",
        "post",
        "transfers/{transfer}/entrants/",
        scenes.with_file,
        "organizer",
        201,
        ("organize",),
        "event_of",
    ),
    Route("effect_words", "get", "effect-words/star-safir/", scenes.draft, "organizer", 200, stranger=200),
    Route(
        "effects_read",
        "post",
        "effect-words/star-safir/read/",
        scenes.draft,
        "organizer",
        200,
        ("organize",),
        READ,
        stranger=200,
    ),
    Route("catalogue_effects", "get", "catalogues/star-safir/own/effects/", scenes.with_effects, "organizer", 200),
    Route(
        "catalogue_effects",
        "post",
        "catalogues/star-safir/own/effects/",
        scenes.with_cards,
        "organizer",
        200,
        ("organize",),
        "effects",
    ),
    Route("card_effects", "get", "catalogues/star-safir/own/effects/OWN-1/", scenes.with_effects, "organizer", 200),
    Route(
        "card_effects",
        "put",
        "catalogues/star-safir/own/effects/OWN-1/",
        scenes.with_cards,
        "organizer",
        200,
        ("organize",),
        "card effects",
    ),
    Route("webhooks", "get", "webhooks/", scenes.hooked_account, "organizer", 200, stranger=200),
    Route("webhooks", "post", "webhooks/", scenes.draft, "organizer", 201, ("organize",), HOOK, stranger=201),
    Route("event_webhooks", "get", "events/{event}/webhooks/", scenes.hooked, "organizer", 200, too_low=LOW),
    _organizer("event_webhooks", "post", "events/{event}/webhooks/", scenes.hooked, 201, body=HOOK),
    Route("webhook", "get", "webhooks/{webhook}/", scenes.hooked, "organizer", 200, too_low=LOW),
    Route("webhook", "get", "webhooks/{webhook}/", scenes.hooked_account, "organizer", 200),
    _organizer("webhook", "patch", "webhooks/{webhook}/", scenes.hooked, 200, body={"active": False}),
    _organizer("webhook", "delete", "webhooks/{webhook}/", scenes.hooked, 204),
    _organizer("webhook_secret", "post", "webhooks/{webhook}/secret/", scenes.hooked, 200),
    _organizer("webhook_test", "post", "webhooks/{webhook}/test/", scenes.hooked, 201),
    _organizer("resend", "post", "webhooks/{webhook}/deliveries/{delivery}/resend/", scenes.hooked, 200),
    _desk("swap", "post", "events/{event}/rounds/1/swap/", scenes.drafted_for_four, 200, body="across"),
    _desk("mend", "post", "events/{event}/rounds/1/mend/", scenes.mendable, 200, body="way"),
    _organizer("catalogues", "put", "events/{event}/catalogues/", scenes.draft, 200, body="catalogue"),
    Route("decklist", "put", "entrants/{entrant}/decklist/", scenes.registering, "player", 200, ("play",), "list"),
    _desk("decklist", "put", "entrants/{entrant}/decklist/", scenes.registering, 200, body="list"),
    Route("recording_share", "post", "recordings/{recording}/share/", scenes.self_recorded, "player", 200, ("play",)),
    Route("merge", "get", "logs/{log}/merge/{other}/", scenes.halved, "judge", 200, too_low="scorekeeper"),
    Route("merge", "post", "logs/{log}/merge/{other}/", scenes.halved, "judge", 201, ("judge",), {}, "scorekeeper"),
    Route("document", "get", "logs/{log}/document/", scenes.audited, "player", 200, too_low="scorekeeper"),
    Route("calls", "get", "events/{event}/calls/", scenes.called, "judge", 200, too_low="scorekeeper"),
    Route("match_calls", "get", "matches/{match}/calls/", scenes.called, "judge", 200, too_low="scorekeeper"),
    Route("match_calls", "get", "matches/{match}/calls/", scenes.called, "player", 200),
    _player("match_calls", "matches/{match}/calls/", scenes.published),
    Route("call", "post", "calls/{call}/", scenes.called, "judge", 200, ("judge", "play"), CLAIMED, "scorekeeper"),
    Route("call", "delete", "calls/{call}/", scenes.called, "player", 204, ("judge", "play")),
    _public("infractions", "infractions/", scenes.draft),
    Route("penalties", "get", "events/{event}/penalties/", scenes.penalized, "judge", 200, too_low="scorekeeper"),
    Route("entrant_penalties", "get", "entrants/{entrant}/penalties/", scenes.penalized, "player", 200),
    Route(
        "entrant_penalties",
        "post",
        "entrants/{entrant}/penalties/",
        scenes.published,
        "judge",
        201,
        ("judge",),
        {"infraction": "slow_play"},
        "scorekeeper",
    ),
    Route(
        "penalty_withdraw",
        "post",
        "penalties/{penalty}/withdraw/",
        scenes.penalized,
        "judge",
        204,
        ("judge",),
        too_low="scorekeeper",
    ),
    Route("deck_checks", "get", ROUND_CHECKS, scenes.checked, "judge", 200, too_low="scorekeeper"),
    Route(
        "deck_checks", "post", ROUND_CHECKS, scenes.published, "judge", 201, ("judge",), {"tables": 1}, "scorekeeper"
    ),
    Route("deck_check", "get", "deck-checks/{check}/", scenes.checked, "judge", 200, too_low="scorekeeper"),
    Route("deck_check", "post", "deck-checks/{check}/", scenes.checked, "judge", 200, ("judge",), {}, "scorekeeper"),
    Route("reopen_list", "post", LIST, scenes.published, "judge", 201, ("judge",), {"reason": "a slip"}, "organizer"),
    Route("reopen_list", "delete", LIST, scenes.published, "judge", 204, ("judge",), too_low="organizer"),
    Route("turn", "post", "matches/{match}/turn/", scenes.published, "scorekeeper", 422, BOTH, {"turn": 9}),
    Route("turn", "post", "matches/{match}/turn/", scenes.published, "scorekeeper", 204, BOTH, {"turn": 1}),
    _desk("undo_hand", "post", "events/{event}/rounds/1/hand/undo/", scenes.seated_by_hand, 200),
    _public("standings", "events/{event}/standings/", scenes.counted),
    _public("final", "events/{event}/final/", scenes.counted),
    _public("standing", "events/{event}/standings/{entrant}/", scenes.counted),
    _public("league_standings", "leagues/{league}/standings/", scenes.league_counted),
    Route("bulk_changes", "get", "bulk-audits/{bulk}/changes/", scenes.audited_otherwise, "judge", 200, too_low=LOW),
    Route("deliveries", "get", "webhooks/{webhook}/deliveries/", scenes.hooked, "organizer", 200, too_low=LOW),
]
KEY = {"HTTP_IDEMPOTENCY_KEY": "k1"}
SESSION_ONLY = {"tokens", "token"}
FOR_ALL = {"schema", "docs", "nowhere"}

pytestmark = pytest.mark.usefixtures("any_json_is_a_log")


def views() -> dict[tuple[str, str], Resource]:
    """A view for each operation, by the name of its route and its method, with the options of that operation."""
    found = {}
    for pattern in urlpatterns:
        for method, action in getattr(pattern.callback, "actions", {}).items():
            if method != "head":  # the framework adds it at the first request, as the same action as `get`
                view = found[str(pattern.name), method] = pattern.callback.cls()
                view.use(action)
    return found


def body_of(route: Route, scene: Scene) -> Any:
    """The body that a request to the route sends."""
    return scene.body(route.body) if isinstance(route.body, str) else route.body


def call(client: APIClient, route: Route, scene: Scene, body: Any = None, **headers: str) -> Response:
    """Send the request of a route."""
    if route.method == "get":
        return client.get(scene.at(route.address))
    sent = body_of(route, scene) if body is None else body
    return getattr(client, route.method)(scene.at(route.address), data=sent, **form_of(sent), **headers)


def form_of(sent: Any) -> dict[str, str]:
    """The format in which to send a body: bytes are a photo."""
    return {"content_type": "image/jpeg"} if isinstance(sent, bytes) else {"format": "json"}


def assert_a_key_makes_it_once(client: APIClient, route: Route, scene: Scene, sent: Any, first: Response) -> None:
    """Send a write again with its key: it must be answered with `first`, and another write with that key refused."""
    again = call(client, route, scene, sent, **KEY)
    assert (again.status_code, again["Idempotency-Replayed"]) == (first.status_code, "true")
    blanked = dict.fromkeys(views()[route.name, route.method].not_kept)
    said = value_of(first)
    assert value_of(again) == ({**said, **blanked} if blanked and first.status_code < 300 else said)
    address = "?".join((scene.at(route.address), "other"))
    other = getattr(client, route.method)(address, data=sent, **form_of(sent), **KEY)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


@contextmanager
def undone() -> Iterator[None]:
    """Roll back whatever happens inside, so that the next request meets the scene as it was."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# Routes of the table that the player shares with the opponent, who may do the same with that match.
SHARED = ("recording", "position_signatures", "game_logs", "game_pad")
OWN = {"overlaps"}  # every player gets a response about the events they entered


def others_are_kept_out(route: Route, scene: Scene, cast: Cast) -> None:
    """For a route that is closed to strangers: a stranger, the opponent and another player of the event get a 404."""
    strange = call(token_client(cast.stranger, *ALL_SCOPES), route, scene)
    assert (strange.status_code, strange.json()["code"]) == (404, "not_found")
    shared = ("{match}" in route.address and route.right == "player") or route.name.startswith(SHARED)
    if route.method == "post" and not shared:
        assert call(token_client(cast.opponent, *ALL_SCOPES), route, scene).status_code == 404
    if route.right == "player" and route.name not in OWN:
        other = account("Player 77")
        scenes.enter(scene, other)
        assert call(token_client(other, *ALL_SCOPES), route, scene).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("make", dict.fromkeys(route.scene for route in ROUTES), ids=lambda make: make.__name__)
def test_a_route_works_only_for_the_right_role_and_matches_the_schema(
    make: Callable[[Cast], Scene], cast: Cast, subtests: pytest.Subtests
) -> None:
    scene = make(cast)
    for route in ROUTES:
        if route.scene is make:
            with subtests.test(route=str(route)), undone():
                assert_a_route_is_right(route, scene, cast)


def assert_a_route_is_right(route: Route, scene: Scene, cast: Cast) -> None:
    """Check the responses of a route to each member of the cast."""
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
    with undone():
        if route.stranger == 404:
            others_are_kept_out(route, scene, cast)
        else:
            assert call(token_client(cast.stranger, *ALL_SCOPES), route, scene).status_code == route.stranger
    client, sent = token_client(getattr(cast, route.right), *ALL_SCOPES), body_of(route, scene)
    right = call(client, route, scene, sent, **KEY)
    assert right.status_code == route.answer, right.getvalue()
    assert_as_described(route.name, route.method, right, sent)
    if route.method != "get":
        assert_a_key_makes_it_once(client, route, scene, sent, right)


HANDED_IN = [each for each in ROUTES if (each.name, each.method) in {("game_logs", "post"), ("game_pad", "post")}]


@pytest.mark.parametrize("route", HANDED_IN, ids=str)
@pytest.mark.slow
def test_the_opponent_can_submit_a_log_or_pad_of_the_shared_table(route: Route, cast: Cast) -> None:
    answer = call(token_client(cast.opponent, *ALL_SCOPES), route, route.scene(cast))
    assert answer.status_code == 201


def test_every_route_is_in_the_table() -> None:
    tabled = {(route.name, route.method) for route in ROUTES}
    assert {each for each in views() if each[0] not in FOR_ALL | SESSION_ONLY} <= tabled


def test_the_table_has_a_successful_request_for_every_operation() -> None:
    operations = {(route.name, route.method) for route in ROUTES}
    assert operations == {(route.name, route.method) for route in ROUTES if 200 <= route.answer < 300}


@pytest.mark.django_db
def test_an_unknown_or_malformed_token_gets_a_401(visitor: APIClient) -> None:
    for header in ("Bearer arb_nothing", "Bearer", "Bearer a b", "Bearer " + "x" * 500):
        visitor.credentials(HTTP_AUTHORIZATION=header)
        answer = visitor.get("/api/v1/presets/")
        assert (answer.status_code, answer.json()["code"]) == (401, "authentication_failed")
        assert "WWW-Authenticate" in answer


def test_a_session_can_write_only_with_its_csrf_token(cast: Cast) -> None:
    client = scenes.session_client(cast.organizer)
    body = {"name": "Open", "preset": "star-safir"}
    refused = client.post("/api/v1/events/", body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")
    client.cookies["csrftoken"] = "a" * 32
    answer = client.post("/api/v1/events/", body, format="json", HTTP_X_CSRFTOKEN="a" * 32)
    assert answer.status_code == 201


def test_a_scribe_of_a_table_can_only_record_there(cast: Cast) -> None:
    scene = scenes.mendable(cast)
    assert scene.round
    scene.match, other = scene.round.matches.filter(table__isnull=False).order_by("table")
    scribe = {"email": cast.stranger.email, "role": "scribe", "table": scene.match.table}
    staff = scene.at("events/{event}/staff/")
    given = token_client(cast.organizer, "organize").post(staff, scribe, format="json")
    assert (given.status_code, given.json()["table"]) == (201, scene.match.table)
    client = token_client(cast.stranger, *ALL_SCOPES)
    tables = client.get(scene.at("events/{event}/tables-to-record/")).json()
    assert [line["match"] for line in tables] == [scene.match.public_id]
    opened = client.post(scene.at("matches/{match}/games/1/recordings/"))
    assert (opened.status_code, opened.json()["actors"]) == (200, ["A", "B", "table"])
    refused = client.post(f"/api/v1/matches/{other.public_id}/games/1/recordings/")
    assert (refused.status_code, refused.json()["code"]) == (403, "other_table")
    for address, body in (("result", PLAYED), ("ruling", {**PLAYED, "reason": "mine"}), ("games/1/logs", {})):
        answer = client.post(scene.at("matches/{match}/" + address + "/"), body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (403, "role_too_low"), address
    for address in ("staff", "ledger", "penalties", "join-link"):
        assert client.get(scene.at("events/{event}/" + address + "/")).status_code == 403, address
    only_plays = token_client(cast.stranger, "read", "play").post(scene.at("matches/{match}/games/1/recordings/"))
    assert (only_plays.status_code, only_plays.json()["code"]) == (403, "scope_missing")


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
        ("turn", {"turn": 1}),
    ):
        answer = client.post(scene.at("matches/{match}/" + address + "/"), body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (403, "own_match")
