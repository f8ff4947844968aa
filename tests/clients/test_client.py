"""The Python client against a real HTTP server: errors, paginated lists, idempotency keys and retries."""

import json
from collections.abc import Iterator

import pytest
from arbitre_client import Invalid, NoAnswer, NotFound, Refused, ServerError, Throttled

from tests.clients.scripted import Scripted, refusal, scripted


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as script:
        yield script


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(409, "event_full", Refused), (404, "not_found", NotFound), (422, "invalid", Invalid), (500, "x", ServerError)],
)
def test_an_error_response_raises_the_class_for_its_status_with_its_code(
    server: Scripted, status: int, code: str, kind: type[Exception]
) -> None:
    server.answers = [refusal(status, code)]
    with server.client() as api, pytest.raises(kind) as caught:
        api.event("e-x")
    assert (caught.value.code, caught.value.status, caught.value.details) == (code, status, [{"field": "name"}])
    assert len(server.asked) == 1


def test_a_paginated_list_is_one_iterator_that_fetches_pages_as_needed(server: Scripted) -> None:
    rows = [{"id": f"p-{n}"} for n in range(3)]
    server.answers = [
        (200, {}, {"count": 3, "next": "there", "previous": None, "results": rows[:2]}),
        (200, {}, {"count": 3, "next": None, "previous": "there", "results": rows[2:]}),
    ]
    with server.client() as api:
        listed = api.entrants("e-x")
        assert next(listed)["id"] == "p-0" and len(server.asked) == 1
        assert [row["id"] for row in listed] == ["p-1", "p-2"]
    assert "offset=2" in server.asked[1][1]


def test_a_post_without_an_answer_is_sent_again_with_the_same_key(server: Scripted) -> None:
    server.answers = [(0, {}, None), refusal(409, "in_progress"), (201, {}, {"id": "e-x"})]
    with server.client() as api:
        assert api.create_event(name="Open", preset="free")["id"] == "e-x"
        api.create_event(name="Open", preset="free")
    keys = [headers["idempotency-key"] for _method, _path, headers, _body in server.asked]
    assert keys[0] == keys[1] == keys[2] != keys[3]


def test_it_waits_as_long_as_the_server_asks(server: Scripted) -> None:
    server.answers = [refusal(429, "throttled", **{"Retry-After": "7"}), refusal(503, "x"), (200, {}, {"id": "u-x"})]
    with server.client() as api:
        assert api.me()["id"] == "u-x"
    assert server.slept == [7.0, 1.0]


def test_it_gives_up_after_its_attempts_and_waits_no_longer_than_its_patience(server: Scripted) -> None:
    server.answers = [refusal(429, "throttled", **{"Retry-After": "3"})]
    with server.client(attempts=3) as api, pytest.raises(Throttled):
        api.me()
    assert len(server.asked) == 3
    with server.client(patience=2) as api, pytest.raises(Throttled):
        api.me()
    assert len(server.asked) == 4


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_every_write_is_sent_again_with_its_key(server: Scripted, method: str) -> None:
    server.answers = [(0, {}, None), (200, {}, {})]
    with server.client() as api:
        api.request(method, "events/e-x/stages/1/")
        api.request(method, "events/e-x/stages/1/", key="mine")
    keys = [headers["idempotency-key"] for _method, _path, headers, _body in server.asked]
    assert keys[0] == keys[1] and keys[2] == "mine"


def test_a_read_has_no_key_and_gives_up_if_there_is_no_answer(server: Scripted) -> None:
    server.answers = [(0, {}, None)]
    with server.client(attempts=2) as api, pytest.raises(NoAnswer):
        api.me()
    assert len(server.asked) == 2 and "idempotency-key" not in server.asked[0][2]


def test_the_error_page_of_a_proxy_raises_an_error_too(server: Scripted) -> None:
    server.answers = [(502, {"content-type": "text/html"}, "<html>")]
    with server.client() as api, pytest.raises(ServerError) as caught:
        api.me()
    assert caught.value.code == "http_502"


def test_a_part_of_the_standings_or_of_a_round_can_be_requested(server: Scripted) -> None:
    server.answers = [(200, {}, {"count": 9, "rows": [], "computing": False})]
    with server.client() as api:
        assert api.standings("e-1", limit=2, offset=4)["count"] == 9
        api.standings("e-1")
        api.round("e-1", 3, limit=1)
    assert [path for _method, path, *_rest in server.asked] == [
        "/api/v1/events/e-1/standings/?limit=2&offset=4",
        "/api/v1/events/e-1/standings/",
        "/api/v1/events/e-1/rounds/3/?limit=1",
    ]


def test_a_scribe_is_invited_to_one_table_or_to_all(server: Scripted) -> None:
    server.answers = [(201, {}, {"id": "v-1", "role": "scribe", "table": 4, "link": "https://x/"})]
    with server.client() as api:
        assert api.invite("e-1", "scribe", table=4)["table"] == 4
        api.invite("e-1", "scribe", email="scribe@example.com")
    assert [path for _method, path, *_rest in server.asked] == ["/api/v1/events/e-1/invitations/"] * 2
    assert [json.loads(body) for *_rest, body in server.asked] == [
        {"role": "scribe", "email": "", "table": 4},
        {"role": "scribe", "email": "scribe@example.com", "table": None},
    ]


def test_the_sites_that_may_embed_an_event_are_read_and_replaced(server: Scripted) -> None:
    server.answers = [(200, {}, {"sites": ["https://club.example"]})]
    with server.client() as api:
        assert api.embed_sites("e-1") == ["https://club.example"]
        assert api.choose_embed_sites("e-1", ("https://club.example",)) == ["https://club.example"]
    assert [(method, path, body) for method, path, _headers, body in server.asked] == [
        ("GET", "/api/v1/events/e-1/embed-sites/", b""),
        ("PUT", "/api/v1/events/e-1/embed-sites/", b'{"sites":["https://club.example"]}'),
    ]


def test_the_first_players_of_an_event_are_entered_into_another(server: Scripted) -> None:
    server.answers = [(200, {}, {"entered": [{"id": "p-1", "name": "Ada"}], "waiting": 0})]
    with server.client() as api:
        assert api.qualify("e-1", "e-2", 8, declined=["p-9"])["entered"][0]["id"] == "p-1"
    ((method, path, _headers, body),) = server.asked
    assert (method, path) == ("POST", "/api/v1/events/e-1/qualification/")
    assert json.loads(body) == {"into": "e-2", "first": 8, "declined": ["p-9"]}
