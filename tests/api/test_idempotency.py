"""A POST sent twice acts once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from rest_framework.response import Response
from rest_framework.test import APIClient

from tests.api.scenes import registering
from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.common import clock
from tournaments.common.models import IdempotencyKey
from tournaments.events import services
from tournaments.events.models import Event

BODY = {"name": "Open", "preset": "star-safir"}
Client = Callable[[User], APIClient]


def create(client: APIClient, key: str = "k1", **body: object) -> Response:
    return client.post("/api/v1/events/", {**BODY, **body}, format="json", HTTP_IDEMPOTENCY_KEY=key)


def test_the_same_request_again_is_answered_as_the_first_time(cast: Cast, as_: Client) -> None:
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


def test_two_accounts_may_use_the_same_key(cast: Cast, as_: Client) -> None:
    assert create(as_(cast.organizer)).json()["id"] != create(as_(cast.judge)).json()["id"]


def test_a_refusal_is_an_answer_too(cast: Cast, as_: Client) -> None:
    first, second = (create(as_(cast.organizer), preset="chess") for _time in range(2))
    assert (first.status_code, first.json()["code"]) == (422, "preset_unknown")
    assert second.json() == first.json()
    assert second["Content-Type"] == "application/problem+json" and second["Idempotency-Replayed"] == "true"


def test_a_failure_is_not_kept(cast: Cast, as_: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client = as_(cast.organizer)
    client.raise_request_exception = False
    with monkeypatch.context() as patched:
        patched.setattr(services, "create_event", lambda **_options: 1 / 0)
        assert create(client).status_code == 500
    assert not IdempotencyKey.objects.exists()
    assert create(client).status_code == 201


def test_a_request_still_under_way_is_a_409_until_it_is_given_up(cast: Cast, as_: Client) -> None:
    create(as_(cast.organizer))
    row = IdempotencyKey.objects.filter(key="k1")
    row.update(status=None, body=None)
    answer = create(as_(cast.organizer))
    assert (answer.status_code, answer.json()["code"]) == (409, "in_progress")
    row.update(created_at=clock.now() - timedelta(minutes=3))
    assert create(as_(cast.organizer)).status_code == 201


def test_old_answers_are_forgotten(cast: Cast, as_: Client) -> None:
    create(as_(cast.organizer))
    IdempotencyKey.objects.update(created_at=clock.now() - timedelta(hours=25))
    create(as_(cast.organizer), key="k2")
    assert list(IdempotencyKey.objects.values_list("key", flat=True)) == ["k2"]


@pytest.mark.parametrize("key", ["", "x" * 81, "cl\u00e9", "a\tb"])
def test_a_key_that_is_none_is_refused(cast: Cast, as_: Client, key: str) -> None:
    answer = create(as_(cast.organizer), key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_invalid")


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_acts(cast: Cast, as_: Client) -> None:
    clients = [as_(cast.organizer) for _thread in range(8)]

    def send(client: APIClient) -> Response:
        try:
            return create(client)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(clients)) as threads:
        answers = list(threads.map(send, clients))
    assert Event.objects.count() == 1
    assert {answer.status_code for answer in answers} <= {201, 409}
    made = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    assert made and set(made) == {Event.objects.get().public_id}
    assert all(answer.json()["code"] == "in_progress" for answer in answers if answer.status_code == 409)
