"""Idempotency keys: a write that is sent twice takes effect once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from rest_framework.response import Response
from rest_framework.test import APIClient

from tests.api.scenes import Scene, minded, registering
from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.common import clock, jobs
from tournaments.common.models import IdempotencyKey, LedgerEntry
from tournaments.events import services
from tournaments.events.models import Event

BODY = {"name": "Open", "preset": "star-safir"}
Client = Callable[[User], APIClient]


def create(client: APIClient, key: str = "k1", **body: object) -> Response:
    return client.post("/api/v1/events/", {**BODY, **body}, format="json", HTTP_IDEMPOTENCY_KEY=key)


def test_the_same_request_with_the_same_key_gets_the_same_response(cast: Cast, as_: Client) -> None:
    first, second = create(as_(cast.organizer)), create(as_(cast.organizer))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert (first.headers.get("Idempotency-Replayed"), second["Idempotency-Replayed"]) == (None, "true")
    assert Event.objects.count() == 1


def test_another_request_with_the_same_key_is_refused(cast: Cast, as_: Client) -> None:
    create(as_(cast.organizer))
    for answer in (create(as_(cast.organizer), name="Other"), create_entrant(as_(cast.organizer), cast)):
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")


def create_entrant(client: APIClient, cast: Cast) -> Response:
    address = registering(cast).at("events/{event}/entrants/")
    return client.post(address, {"given_name": "A"}, format="json", HTTP_IDEMPOTENCY_KEY="k1")


CONTACT = {"contact": "At the bar"}


def contact(client: APIClient, scene: Scene, body: dict[str, str] = CONTACT, key: str = "k1") -> Response:
    return client.put(scene.at("events/{event}/contact/"), body, format="json", HTTP_IDEMPOTENCY_KEY=key)


def test_repeating_a_put_does_not_undo_a_later_change(cast: Cast, as_: Client) -> None:
    scene, client = registering(cast), as_(cast.organizer)
    first = contact(client, scene)
    contact(client, scene, {"contact": "At the door"}, "k2")
    again = contact(client, scene)
    assert (first.status_code, again.json(), again["Idempotency-Replayed"]) == (200, first.json(), "true")
    assert client.get(scene.at("events/{event}/")).json()["contact"] == "At the door"
    other = contact(client, scene, {"contact": "Upstairs"})
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


def test_a_repeated_delete_gets_the_same_response_without_a_body(cast: Cast, as_: Client) -> None:
    scene, client = minded(cast), as_(cast.scorekeeper)
    address = scene.at("events/{event}/forbidden-pairs/{pair}/")
    first, again = (client.delete(address, HTTP_IDEMPOTENCY_KEY="k1") for _time in range(2))
    assert (first.status_code, again.status_code, again.content) == (204, 204, b"")
    assert again["Idempotency-Replayed"] == "true"
    assert client.delete(address).status_code == 404


def test_a_read_ignores_the_key(cast: Cast, as_: Client) -> None:
    scene, client = registering(cast), as_(cast.organizer)
    for _time in range(2):
        answer = client.get(scene.at("events/{event}/"), HTTP_IDEMPOTENCY_KEY="k1")
        assert answer.status_code == 200 and "Idempotency-Replayed" not in answer.headers
    assert not IdempotencyKey.objects.exists()


def test_two_accounts_may_use_the_same_key(cast: Cast, as_: Client) -> None:
    assert create(as_(cast.organizer)).json()["id"] != create(as_(cast.judge)).json()["id"]


def test_a_refusal_is_replayed_too(cast: Cast, as_: Client) -> None:
    first, second = (create(as_(cast.organizer), preset="chess") for _time in range(2))
    assert (first.status_code, first.json()["code"]) == (422, "preset_unknown")
    assert second.json() == first.json()
    assert second["Content-Type"] == "application/problem+json" and second["Idempotency-Replayed"] == "true"


def test_a_failure_is_not_stored(cast: Cast, as_: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client = as_(cast.organizer)
    client.raise_request_exception = False
    with monkeypatch.context() as patched:
        patched.setattr(services, "create_event", lambda **_options: 1 / 0)
        assert create(client).status_code == 500
    assert not IdempotencyKey.objects.exists()
    assert create(client).status_code == 201


def test_a_request_still_in_progress_gets_a_409_until_it_is_abandoned(cast: Cast, as_: Client) -> None:
    create(as_(cast.organizer))
    row = IdempotencyKey.objects.filter(key="k1")
    row.update(status=None, body=None)
    answer = create(as_(cast.organizer))
    assert (answer.status_code, answer.json()["code"]) == (409, "in_progress")
    row.update(created_at=clock.now() - timedelta(minutes=3))
    assert create(as_(cast.organizer)).status_code == 201


def test_the_sweep_deletes_old_responses(cast: Cast, as_: Client) -> None:
    create(as_(cast.organizer))
    jobs.sweep(clock.now() + timedelta(hours=23))
    assert IdempotencyKey.objects.exists()
    jobs.sweep(clock.now() + timedelta(hours=25))
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("key", ["", "x" * 81, "cl\u00e9", "a\tb"])
def test_an_invalid_key_is_refused(cast: Cast, as_: Client, key: str) -> None:
    answer = create(as_(cast.organizer), key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_invalid")


def at_once(clients: list[APIClient], request: Callable[[APIClient], Response]) -> list[Response]:
    """Send the same request with each of these clients at the same time."""

    def send(client: APIClient) -> Response:
        try:
            return request(client)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(clients)) as threads:
        return list(threads.map(send, clients))


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_requests_with_one_key_only_one_takes_effect(cast: Cast, as_: Client) -> None:
    answers = at_once([as_(cast.organizer) for _thread in range(8)], create)
    assert Event.objects.count() == 1
    assert {answer.status_code for answer in answers} <= {201, 409}
    made = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    assert made and set(made) == {Event.objects.get().public_id}
    assert all(answer.json()["code"] == "in_progress" for answer in answers if answer.status_code == 409)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("put", "events/{event}/contact/", CONTACT),
        ("patch", "events/{event}/stages/1/pairing/", {"clubs_apart": True}),
        ("delete", "events/{event}/forbidden-pairs/{pair}/", None),
    ],
)
def test_of_simultaneous_changes_with_one_key_only_one_takes_effect(
    cast: Cast, as_: Client, method: str, address: str, body: dict[str, object] | None
) -> None:
    scene = minded(cast)
    before = LedgerEntry.objects.count()

    def change(client: APIClient) -> Response:
        send = getattr(client, method)
        return send(scene.at(address), body, format="json", HTTP_IDEMPOTENCY_KEY="k1")

    answers = at_once([as_(cast.organizer) for _thread in range(6)], change)
    assert LedgerEntry.objects.count() == before + 1
    assert {answer.status_code for answer in answers} <= {200, 204, 409}
    assert all(answer.json()["code"] == "in_progress" for answer in answers if answer.status_code == 409)
    assert change(as_(cast.organizer))["Idempotency-Replayed"] == "true"
