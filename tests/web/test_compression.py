"""Text travels compressed on the default installation; what is compressed already, and streams, do not."""

import gzip
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import Client, RequestFactory

from tests.builders import a_published_round, a_running_event
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tournaments.web.compression import CompressionMiddleware

ACCEPTS = {"accept-encoding": "gzip"}


@pytest.mark.django_db
def test_a_page_travels_compressed_and_padded_at_random(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    client, desk = signed_in(cast.organizer), address("staff_round", event.public_id, 1)
    answers = [client.get(desk, headers=ACCEPTS) for _ in range(12)]
    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    assert "Accept-Encoding" in answers[0]["Vary"]
    assert gzip.decompress(answers[0].content).rstrip().endswith(b"</html>")
    assert len({len(answer.content) for answer in answers}) > 1, "the padding against BREACH"
    assert "Content-Encoding" not in client.get(desk).headers


def test_static_text_travels_compressed() -> None:
    answer = Client().get("/static/web/app.css", headers=ACCEPTS)
    sent = b"".join(answer.streaming_content)
    whole = Path(finders.find("web/app.css")).read_bytes()
    assert (answer["Content-Encoding"], gzip.decompress(sent) == whole) == ("gzip", True)
    assert len(sent) < len(whole) / 2


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [
        ("text/html; charset=utf-8", "gzip"),
        ("application/json", "gzip"),
        ("image/svg+xml", "gzip"),
        ("image/webp", None),
        ("application/pdf", None),
        ("text/event-stream", None),
    ],
)
def test_what_is_no_text_is_left_as_it_is(kind: str, encoding: str | None) -> None:
    request = RequestFactory().get("/", headers=ACCEPTS)
    answer = CompressionMiddleware(lambda _request: HttpResponse(b"word " * 200, content_type=kind))(request)
    assert answer.headers.get("Content-Encoding") == encoding
