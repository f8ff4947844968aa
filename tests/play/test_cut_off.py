"""Requests killed midway and sent again with the same key act once, and get the answer of a request that succeeded.

`killed_at` stops a request at one of its first two commits, before or after that commit.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings

from tests.api import scenes
from tests.api.scenes import Scene, token_client
from tests.builders import NOW, a_published_round, a_running_event, an_open_event
from tests.cast import Cast
from tests.common.killed import killed_at
from tests.contracts.project import ROOT
from tests.web.pages import address, signed_in
from tests.workers import database_url
from tournaments.common.models import IdempotencyKey, LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.services import open_check_in
from tournaments.play import services as play
from tournaments.play.models import Match, Round

KEY = "cut-off-half-way"
# Cut off at the second commit as well: in the slow session.
BOUNDARIES = [
    pytest.param(commit, done, marks=pytest.mark.slow if commit == 2 else ())
    for commit in (1, 2)
    for done in (False, True)
]


def settled(cast: Cast) -> Scene:
    """A published round with a result that counts at every table."""
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    for match in round_.matches.filter(table__isnull=False):
        play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    return Scene(cast, event, round=round_)


def drafted(cast: Cast) -> Scene:
    """A round paired as a draft."""
    event = a_running_event(cast)
    return Scene(cast, event, round=play.pair_round(stage=event.stages.get(), by=cast.organizer, now=NOW))


def locked(cast: Cast) -> Scene:
    """An event without decklists, with two entrants, before check-in."""
    event = an_open_event(cast, lists="none")
    for user in (cast.player, cast.opponent):
        scenes.an_entrant(event, user, deck=None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    return Scene(cast, event)


def arriving(cast: Cast) -> Scene:
    """Like `locked`, with check-in open."""
    scene = locked(cast)
    open_check_in(event=scene.event, by=cast.organizer, now=NOW)
    return scene


SEVERAL = ("entrant.checked_in", "entrant.checked_in")


@dataclass(frozen=True)
class Action:
    """A write: the scene it starts from, the request, its status, and the ledger entries it makes, in order."""

    name: str
    scene: Callable[[Cast], Scene]
    path: str
    body: dict[str, Any] | str
    status: int
    codes: tuple[str, ...]


START = {"step": "start", "without_check_in": True}
API = [
    Action(
        "next round",
        settled,
        "events/{event}/rounds/1/next/",
        {"minutes": 3},
        201,
        ("round.closed", "round.paired", "round.published", "round.followed"),
    ),
    Action("pair", scenes.running, "events/{event}/rounds/", {}, 201, ("round.paired",)),
    Action("publish", drafted, "events/{event}/rounds/1/publish/", {}, 200, ("round.published",)),
    Action("close", settled, "events/{event}/rounds/1/close/", {}, 200, ("round.closed",)),
    Action("start", locked, "events/{event}/steps/", START, 200, ("event.started",)),
    Action("confirm import", scenes.importing, "imports/{import}/confirm/", {}, 200, ("entrant.imported",)),
    Action("copy", scenes.registering, "events/{event}/copy/", {"name": "Again"}, 201, ()),
    Action("enter", scenes.registering, "events/{event}/entrants/", {"given_name": "A"}, 201, ("entrant.registered",)),
    Action("check in several", arriving, "events/{event}/entrants/several/", "several", 200, SEVERAL),
]
PAGES = [
    Action(
        "next round",
        settled,
        "staff_follow",
        {"minutes": "3"},
        302,
        ("round.closed", "round.paired", "round.published", "round.followed"),
    ),
    Action("close and pair", settled, "staff_close", {"pair": "1"}, 302, ("round.closed", "round.paired")),
    Action("pair again", drafted, "staff_discard", {"again": "1"}, 302, ("round.discarded", "round.paired")),
]


def codes_since(scene: Scene, number: int) -> tuple[str, ...]:
    entries = LedgerEntry.objects.filter(chain=scene.event.public_id, number__gt=number).order_by("number")
    return tuple(entries.values_list("code", flat=True))


def newest(scene: Scene) -> int:
    return LedgerEntry.objects.filter(chain=scene.event.public_id).count()


def how_many() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Event, Entrant, Round, Match))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("commit", "done"), BOUNDARIES)
@pytest.mark.parametrize("action", API, ids=lambda action: action.name)
def test_an_api_request_killed_midway_acts_once_when_it_is_sent_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, action: Action, commit: int, done: bool
) -> None:
    scene = action.scene(cast)
    client, before, number = token_client(cast.organizer, "organize"), how_many(), newest(scene)
    body = scene.body(action.body) if isinstance(action.body, str) else action.body

    def send() -> Any:
        return client.post(scene.at(action.path), body, format="json", HTTP_IDEMPOTENCY_KEY=KEY)

    with killed_at(commit, done=done, monkeypatch=monkeypatch) as killed:
        send()
    # Some actions have a single commit; the second boundary does not exist for them.
    assert commit > 1 or killed
    again = send()
    assert again.status_code == action.status
    assert codes_since(scene, number) == action.codes
    made = how_many()
    assert made != before or action.name not in ("next round", "pair", "copy", "enter", "confirm import")
    third = send()
    assert (third.json(), third["Idempotency-Replayed"], how_many()) == (again.json(), "true", made)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("commit", "done"), BOUNDARIES)
@pytest.mark.parametrize("action", PAGES, ids=lambda action: action.name)
def test_a_form_killed_midway_acts_once_when_it_is_sent_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, action: Action, commit: int, done: bool
) -> None:
    scene = action.scene(cast)
    client, number = signed_in(cast.scorekeeper), newest(scene)

    def send() -> Any:
        assert isinstance(action.body, dict)
        return client.post(address(action.path, scene.event.public_id, 1), {**action.body, "form_token": KEY})

    with killed_at(commit, done=done, monkeypatch=monkeypatch) as killed:
        send()
    assert commit > 1 or killed
    again = send()
    last = Round.objects.latest("number").number
    assert (again.status_code, again.url) == (action.status, address("staff_round", scene.event.public_id, last))
    assert codes_since(scene, number) == action.codes
    assert send().url == again.url
    assert codes_since(scene, number) == action.codes


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("commit", "done"), BOUNDARIES)
def test_creating_an_event_killed_midway_creates_one_when_it_is_sent_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, commit: int, done: bool
) -> None:
    client = signed_in(cast.organizer)
    form = {"name": "Cut off", "preset": "star-safir", "form_token": KEY}
    with killed_at(commit, done=done, monkeypatch=monkeypatch) as killed:
        client.post("/staff/new/", form)
    assert commit > 1 or killed
    again = client.post("/staff/new/", form)
    made = Event.objects.get(name="Cut off")
    assert again.url == address("staff", made.public_id)


@pytest.mark.django_db(transaction=True)
def test_a_refused_request_leaves_only_its_stored_response(cast: Cast) -> None:
    scene = settled(cast)
    scene.event.stages.update(rounds_planned=1)
    client, number = token_client(cast.organizer, "organize"), newest(scene)
    answers = [
        client.post(scene.at("events/{event}/rounds/1/next/"), {"minutes": 3}, format="json", HTTP_IDEMPOTENCY_KEY=KEY)
        for _time in range(2)
    ]
    assert [answer.json()["code"] for answer in answers] == ["rounds_over", "rounds_over"]
    assert codes_since(scene, number) == ()
    assert IdempotencyKey.objects.get().status == 409


# Run in a process of its own, which kills itself at a commit: SIGKILL leaves no time for any clean-up.
SENDS = """
import json, os, signal, sys
import django
django.setup()
from django.db.backends.base.base import BaseDatabaseWrapper
from rest_framework.test import APIClient
secret, path, commit, done = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1"
commit_for_good, count = BaseDatabaseWrapper._commit, 0

def commit_or_die(wrapper):
    global count
    count += 1
    if count == commit and not done:
        os.kill(os.getpid(), signal.SIGKILL)
    commit_for_good(wrapper)
    if count == commit:
        os.kill(os.getpid(), signal.SIGKILL)

BaseDatabaseWrapper._commit = commit_or_die
headers = {"host": "localhost", "authorization": f"Bearer {secret}", "idempotency-key": "cut-off-half-way"}
client = APIClient(headers=headers)
client.post(path, {"minutes": 3}, format="json")
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("done", [False, True])
def test_the_next_round_exists_once_after_a_real_kill_and_a_retry(cast: Cast, done: bool) -> None:
    scene = settled(cast)
    number, path = newest(scene), scene.at("events/{event}/rounds/1/next/")
    client = token_client(cast.organizer, "organize")
    secret = client._credentials["HTTP_AUTHORIZATION"].removeprefix("Bearer ")
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
        "DATABASE_URL": database_url(),
        "VAR_DIR": str(settings.VAR_DIR),
        "CACHE_URL": "locmem://",
    }
    sent = subprocess.run(
        [sys.executable, "-c", SENDS, secret, path, "1", str(int(done))],
        env=environment,
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    assert sent.returncode == -signal.SIGKILL, sent.stderr.decode()
    assert (codes_since(scene, number) != ()) == done
    again = client.post(path, {"minutes": 3}, format="json", HTTP_IDEMPOTENCY_KEY=KEY)
    assert (again.status_code, again.json()["number"], again.json()["status"]) == (201, 2, "published")
    assert codes_since(scene, number) == ("round.closed", "round.paired", "round.published", "round.followed")
    assert list(Round.objects.order_by("number").values_list("status", flat=True)) == ["closed", "published"]
