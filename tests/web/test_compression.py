"""Text is sent compressed by the default installation; images, PDF files and event streams are not."""

import gzip
import os
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.http import HttpResponse
from django.templatetags.static import static
from django.test import Client, RequestFactory, override_settings
from django.utils.functional import empty

from tests.builders import a_published_round, a_running_event
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tournaments.common.static import HashedOnceCollected
from tournaments.web.compression import CompressionMiddleware

ACCEPTS = {"accept-encoding": "gzip"}


@pytest.mark.django_db
def test_a_page_is_compressed_and_randomly_padded(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    client, desk = signed_in(cast.organizer), address("staff_round", event.public_id, 1)
    # The padding is random, so it takes several answers to see two different lengths.
    answers = [client.get(desk, headers=ACCEPTS) for _ in range(12)]
    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    assert "Accept-Encoding" in answers[0]["Vary"]
    assert gzip.decompress(answers[0].content).rstrip().endswith(b"</html>")
    assert len({len(answer.content) for answer in answers}) > 1, "the padding against BREACH"
    assert "Content-Encoding" not in client.get(desk).headers


def test_static_text_files_are_compressed() -> None:
    answer = Client().get("/static/web/app.css", headers=ACCEPTS)
    sent = b"".join(answer.streaming_content)
    whole = Path(finders.find("web/app.css")).read_bytes()
    assert (answer["Content-Encoding"], gzip.decompress(sent) == whole) == ("gzip", True)
    assert len(sent) < len(whole) / 2


def test_a_collected_static_file_is_compressed_in_advance_and_cached_for_a_year(tmp_path: Path) -> None:
    with override_settings(STATIC_ROOT=tmp_path, WHITENOISE_AUTOREFRESH=False, WHITENOISE_USE_FINDERS=False):
        assert static("web/app.css") == "/static/web/app.css", "it was not collected yet"
        large = ("--ignore", "drf_spectacular_sidecar", "--ignore", "pyodide-*")
        call_command("collectstatic", "--no-input", *large, verbosity=0)
        staticfiles_storage._wrapped = empty  # as in a freshly started process
        address = static("web/app.css")
        assert re.fullmatch(r"/static/web/app\.[0-9a-f]{12}\.css", address)
        answer = Client().get(address, headers=ACCEPTS)
        assert b"".join(answer.streaming_content) == (tmp_path / f"web/{Path(address).name}.gz").read_bytes()
        seconds = re.search(r"max-age=(\d+)", answer["Cache-Control"])
        assert seconds and int(seconds[1]) >= 365 * 24 * 3600 and "immutable" in answer["Cache-Control"]
        assert "immutable" not in Client().get("/static/web/app.css")["Cache-Control"]
        assert static("web/nothing.css") == "/static/web/nothing.css"


def test_only_collected_files_that_changed_are_compressed_again(tmp_path: Path) -> None:
    storage = HashedOnceCollected(location=tmp_path)
    names = ["app.css", "app.js"]
    for name in names:
        (tmp_path / name).write_text(name * 100)
    assert sorted(storage.compress_files(names)) == [("app.css", "app.css.gz"), ("app.js", "app.js.gz")]
    assert list(storage.compress_files(names)) == []
    (tmp_path / "app.js").write_text("new" * 100)
    os.utime(tmp_path / "app.js", (2e9, 2e9))
    assert list(storage.compress_files(names)) == [("app.js", "app.js.gz")]
    assert gzip.decompress((tmp_path / "app.js.gz").read_bytes()) == b"new" * 100


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
def test_only_text_is_compressed(kind: str, encoding: str | None) -> None:
    request = RequestFactory().get("/", headers=ACCEPTS)
    answer = CompressionMiddleware(lambda _request: HttpResponse(b"word " * 200, content_type=kind))(request)
    assert answer.headers.get("Content-Encoding") == encoding
