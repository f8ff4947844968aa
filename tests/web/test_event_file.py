"""Event files on pages: downloading an event as one file, and the public page that verifies such files."""

import gzip
import inspect
import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

from tests.archive.files import file_of, forged, rows, verified
from tests.builders import a_published_round, a_running_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.archive import (
    certificates,
    checks,
    heads,
    logs,
    present,
    records,
    services,
    states,
    verification,
    writing,
)
from tournaments.archive.models import Export, Verification
from tournaments.archive.services import KEPT, MAX_UPLOAD, ask_for_verification
from tournaments.archive.words import CHECKED, FAULTS, LEFT
from tournaments.common import clock, jobs
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.web import rate_limits

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def event(cast: Cast) -> Event:
    event = a_running_event(cast, players=4)
    a_published_round(event, cast.organizer)
    return event


def taken(cast: Cast, event: Event, **form: str) -> HttpResponse:
    """Request the event file as its organizer, let the job make it, and download it."""
    client = signed_in(cast.organizer)
    page = client.post(address("event_file", event.public_id), form).url
    jobs.run_due(clock.now())
    return client.get(page + "download/")


def sent(client: Client, data: bytes) -> str:
    """Upload a file for verification, let the job verify it, and return the page with the report."""
    answer = client.post("/verify/", {"file": SimpleUploadedFile("event.jsonl.gz", data)})
    assert answer.status_code == 302, text(answer)
    jobs.run_due(clock.now())
    return text(client.get(answer.url))


def test_an_organizer_downloads_the_event_file_and_anybody_can_verify_it(
    event: Event, cast: Cast, client: Client
) -> None:
    page = address("exports", event.public_id)
    assert "Create the file" in text(signed_in(cast.organizer).get(page))
    assert "Create the file" not in text(signed_in(cast.judge).get(page))
    answer = taken(cast, event)
    assert answer["Content-Disposition"].endswith(f'"{event.public_id}.jsonl.gz"')
    assert verified(answer.content).holds
    said = sent(client, answer.content)
    assert "Everything is in order" in said and verified(answer.content).digest in said
    assert not Verification.objects.filter(document__isnull=False).exists()


def test_an_event_file_without_names_contains_none(event: Event, cast: Cast) -> None:
    whole, short = taken(cast, event).content, taken(cast, event, names="0").content
    assert b"Player 1" in gzip.decompress(whole)
    assert b"Player 1" not in gzip.decompress(short)


def test_organizers_who_play_get_the_event_file_only_after_the_event(event: Event, cast: Cast) -> None:
    where = address("event_file", event.public_id)
    assert signed_in(cast.scorekeeper).post(where).status_code == 403
    assert signed_in(cast.stranger).post(where).status_code == 404
    grant_role(event=event, email=cast.player.email, role="organizer", by=cast.organizer, now=clock.now())
    assert signed_in(cast.player).post(where).status_code == 403
    theirs = signed_in(cast.organizer).post(where).url
    assert signed_in(cast.player).get(theirs).status_code == 403, "nor the file that another asked for"
    Event.objects.update(status=Event.Status.FINISHED)
    assert signed_in(cast.player).post(where).status_code == 302


def test_the_event_file_is_made_by_a_job_and_kept_for_a_day(event: Event, cast: Cast) -> None:
    organizer = signed_in(cast.organizer)
    where = organizer.post(address("event_file", event.public_id)).url
    assert "being created" in text(organizer.get(where))
    assert organizer.get(where + "download/").url == where
    jobs.run_due(clock.now())
    assert (
        "Download the file" in text(organizer.get(where)) and verified(organizer.get(where + "download/").content).holds
    )
    jobs.run_due(clock.now() + KEPT)
    assert organizer.get(where).status_code == organizer.get(where + "download/").status_code == 404
    assert not Export.objects.exists()


def test_the_page_says_why_an_event_file_could_not_be_made(
    event: Event, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "TRIES", 0)
    organizer = signed_in(cast.organizer)
    where = organizer.post(address("event_file", event.public_id)).url
    jobs.run_due(clock.now())
    assert "event_moves" in text(organizer.get(where))


def test_the_downloaded_file_is_the_one_the_command_writes(event: Event) -> None:
    assert gzip.decompress(writing.pack_file(event)) == file_of(event)
    assert writing.pack_file(event) == writing.pack_file(event)  # gzip would write the time into the file


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_failed_verification_names_the_fault_and_its_line(event: Event, client: Client, language: str) -> None:
    client.cookies["django_language"] = language
    said = sent(client, forged(file_of(event), lambda lines: rows(lines, "round")[0].update(seed=5)))
    with translation.override(language):
        assert str(FAULTS["seed_foreign"]) in said.replace("&#x27;", "'")
    assert "seed_foreign" in said and "round 1" in said


def test_anything_else_is_reported_as_not_an_event_file(client: Client) -> None:
    assert "This is not an event file." in sent(client, b"")
    assert "not_json" in sent(client, b"hello\n")


def test_an_empty_form_and_a_too_large_file_are_refused(client: Client) -> None:
    assert client.post("/verify/", {}).status_code == 422
    large = SimpleUploadedFile("large.gz", b"\x1f" * (MAX_UPLOAD + 1))
    answer = client.post("/verify/", {"file": large})
    assert answer.status_code == 422 and "cannot be read" in text(answer)


def test_verifications_from_one_network_address_are_limited(client: Client) -> None:
    for _ in range(rate_limits.VERIFICATIONS.limit):
        assert client.post("/verify/", {}).status_code == 422
    assert client.post("/verify/", {}).status_code == 429


def test_the_number_of_waiting_verifications_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_WAITING", 1)
    ask_for_verification(document=b"one", now=clock.now())
    with assert_refused("verifications_wait"):
        ask_for_verification(document=b"two", now=clock.now())


def test_a_verification_that_takes_too_long_is_stopped(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "LONGEST", -1.0)
    asked = ask_for_verification(document=file_of(event), now=clock.now())
    jobs.run_due(clock.now())
    asked.refresh_from_db()
    assert asked.report["unreadable"]["reason"] == "too_long"


def test_a_verification_is_deleted_after_a_day(client: Client) -> None:
    asked = ask_for_verification(document=b"", now=clock.now())
    where = address("verification", asked.public_id)
    assert "being verified" in text(client.get(where))
    jobs.run_due(clock.now() + KEPT)
    assert client.get(where).status_code == 404
    assert client.get(address("verification", "v-nothing")).status_code == 404


def test_every_code_of_a_verification_report_has_a_text() -> None:

    modules = (certificates, checks, heads, logs, present, records, states, verification)
    # Codes are read from the source, so that a new one cannot be forgotten.
    source = "".join(inspect.getsource(module) for module in modules)
    codes = set(re.findall(r'(?:Fault|_compared)\(\s*"([a-z_]+)"', source))
    assert codes == {*FAULTS, *LEFT}
    assert {"line", "pairing", "certificate", "table", *verification.COUNTED} == CHECKED.keys()
