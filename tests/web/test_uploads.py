"""Request bodies beyond the upload limit are refused before they are read, and too large forms with a page."""

import asyncio
import json
from typing import Any

import pytest
from django.urls import reverse

from tests.builders import a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import signed_in
from tournaments.web.uploads import UploadLimit


async def reader(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the whole body and then answers with its length."""
    come, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        come, more = come + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(come).encode()})


def sent(path: str, chunks: list[bytes], length: int | None = None) -> tuple[int, bytes, int]:
    """Send a body through a limit of 10 bytes; return the status, the answer, and the number of chunks left unread."""
    left = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    left.append({"type": "http.request", "body": b"", "more_body": False})
    answer: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    async def send(message: dict[str, Any]) -> None:
        answer.append(message)

    headers = [] if length is None else [(b"content-length", str(length).encode())]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
    asyncio.run(UploadLimit(reader, largest=10)(scope, receive, send))
    return answer[0]["status"], answer[1]["body"], len(left)


def test_a_body_within_the_limit_passes() -> None:
    assert sent("/", [b"12345", b"67890"], 10) == (200, b"10", 0)


def test_a_declared_length_beyond_the_limit_is_refused_unread() -> None:
    status, body, left = sent("/logs/", [b"12345"], 11)
    assert (status, left) == (413, 2)
    assert b"too large" in body


def test_the_api_refuses_with_problem_json() -> None:
    status, body, _left = sent("/api/v1/events/", [b"12345"], 11)
    assert (status, json.loads(body)["code"]) == (413, "too_large")


def test_a_body_without_a_declared_length_is_cut_off_at_the_limit() -> None:
    status, _body, left = sent("/", [b"12345"] * 20)
    assert (status, left) == (413, 18)  # of 20 chunks and the empty one at the end, three were read


@pytest.mark.django_db
def test_a_pasted_log_beyond_the_form_limit_is_refused_with_a_page(cast: Cast, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    match = match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)
    address = reverse("web:log_upload", args=[match.public_id, 1])
    answer = signed_in(cast.player).post(address, {"text": "x" * 2000})
    page = answer.content.decode()
    assert (answer.status_code, "too_large" in page, "Traceback" in page) == (413, True, False)
