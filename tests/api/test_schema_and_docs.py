"""The API's documentation: the schema is valid, and every route and every refusal is in the docs."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache as kept
from django.core.management import call_command
from rest_framework.test import APIClient

from tests.api.contract import Operation, fault_of, operations
from tests.api.scenes import Scene, audited_again, token_client
from tests.builders import NOW
from tests.cast import Cast
from tests.contracts.project import ROOT
from tournaments.announcements.services import announce
from tournaments.api.schema import EXAMPLES
from tournaments.api.urls import urlpatterns
from tournaments.common import clock
from tournaments.integrations.services import make_webhook, send_test

RAISED = re.compile(r'(?:Refusal|Outage|InvalidInput|NotAllowed|TooLarge|TooMany)\(\s*"([a-z0-9_]+)"')
ANSWERED = re.compile(r'problem\(\s*\d+,\s*"([a-z0-9_]+)"')
FRAMEWORK = {
    "authentication_failed",
    "method_not_allowed",
    "not_acceptable",
    "not_authenticated",
    "throttled",
    "unsupported_media_type",
}


def headings(page: str) -> set[str]:
    """The codes that are headings of a page in docs/."""
    text = (ROOT / "docs" / page).read_text()
    return set(re.findall(r"^### `([a-z0-9_]+)`$", text, re.MULTILINE))


def refusal_codes() -> set[str]:
    """Every code with which the source can refuse a request."""
    sources = [path.read_text() for path in (ROOT / "tournaments").rglob("*.py")]
    return FRAMEWORK | {code for text in sources for found in (RAISED, ANSWERED) for code in found.findall(text)}


def test_every_refusal_code_has_a_heading_in_the_docs() -> None:
    assert refusal_codes() == headings("refusals.md")
    told = re.findall(r"^### `(\w+)`$", (ROOT / "docs" / "refusals.md").read_text(), re.MULTILINE)
    assert len(told) == len(set(told)), "one code means one thing"


def test_every_route_has_a_heading_in_the_docs() -> None:
    assert {pattern.name for pattern in urlpatterns} - {"nowhere"} == headings("api.md")


@pytest.mark.slow
def test_the_schema_is_valid_and_without_warnings() -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_every_write_accepts_an_idempotency_key_and_every_operation_describes_refusals() -> None:
    for operation in operations():
        named = {parameter["name"] for parameter in operation.described.get("parameters", [])}
        assert ("Idempotency-Key" in named) == (operation.method != "get"), operation.name
        assert "application/problem+json" in operation.described["responses"]["4XX"]["content"]


NO_TEXT = {"application/pdf", "application/gzip", "application/octet-stream", "image/*", "image/jpeg", "image/png"}


def contents_of(operation: Operation) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the request body and the successful responses of an operation: where it is, its media type, its content."""
    described = operation.described
    answers = {status: each for status, each in described["responses"].items() if status.startswith("2")}
    for where, each in {"request": described.get("requestBody", {}), **answers}.items():
        for media, content in each.get("content", {}).items():
            yield where, media, content


def test_every_operation_has_an_example_that_matches_its_schema() -> None:
    lacking, wrong = [], []
    for operation in operations():
        for where, media, content in contents_of(operation):
            if media in NO_TEXT or (media.startswith("text/") and "application/json" in answered(operation)):
                continue
            if "example" not in content:
                lacking.append((operation.name, where, media))
            elif fault := fault_of(content, content["example"]):
                wrong.append((operation.name, where, fault))
    assert (lacking, wrong) == ([], [])


def answered(operation: Operation) -> set[str]:
    """The media types of an operation's responses."""
    return {media for where, media, _content in contents_of(operation) if where != "request"}


def test_no_example_is_for_a_removed_operation_or_shows_a_secret() -> None:
    shown = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    assert set(shown) <= {operation.name for operation in operations()}
    assert not re.search(r"arb_[A-Za-z0-9]|whsec_[A-Za-z0-9]", EXAMPLES.read_text(encoding="utf-8"))


# Lists that are not paginated, and why they stay short.
SHORT = {
    "standings_boards": "the members of the teams of one event",
    "catalogues_list": "the catalogues of one game",
    "transfers_list": "at most twenty files that wait for a decision",
    "devices_list": "at most 20",
    "events_webhooks": "at most 20",
    "features_list": "the few tables that are shown",
    "formats_list": "those that one person saved",
    "infractions_list": "the ladder",
    "invitations_list": "the staff who are asked",
    "logs_branches": "what judges tried with one log",
    "logs_legal": "the moves of one board",
    "clubs_roles": "at most two hundred",
    "entrants_club_penalties": "those of one player at one club",
    "logs_list": "the logs of one game",
    "logs_replays": "the logs of one game",
    "matches_calls": "the calls of one match",
    "own_catalogues_list": "those that one person keeps",
    "persons_list": "the children of one account",
    "presets_list": "the formats that there are",
    "prices_list": "at most 20",
    "codes_list": "at most 500, of one event",
    "rounds_list": "the rounds of an event",
    "rounds_ways": "at most three",
    "staff_list": "the staff of an event",
    "stages_list": "the stages of an event",
    "prize_categories_list": "at most 20",
    "questions_list": "at most 20",
    "recordings_tables": "the tables of a round",
    "tokens_list": "the tokens of one account",
    "webhooks_list": "at most 20",
}
# Responses of which a part can be requested. Without `limit` they are complete, as they were before it was added.
WHOLE = {"final_ranking", "rounds_read", "standings_changes", "standings_read"}
# Paginated lists without filters, and what they list.
UNFILTERED = {
    "bans_list": "one's own, the newest first",
    "announcements_list": "those that stand",
    "teams_list": "of one event, in the order they entered",
    "bulk_audits_changes": "what changed",
    "bulk_audits_list": "the audits of an event, the newest first",
    "deck_checks_list": "those of one round",
    "disputes_list": "those that wait",
    "follows_list": "the newest first",
    "forbidden_pairs_list": "of one event",
    "history": "one's own",
    "late_seats_list": "of one round",
    "leagues_list": "the newest first",
    "clubs_events": "the newest first",
    "clubs_list": "by name",
    "leagues_ratings": "the best first",
    "leagues_namesakes": "by name",
    "meeting_read": "by name, as they sit",
    "players_history": "the newest first",
    "positions_list": "those of one match, the newest first",
}


def test_every_list_is_paginated_and_filterable_or_listed_as_an_exception() -> None:
    short, unfiltered = set(), set()
    for operation in operations():
        if operation.method != "get":
            continue
        told = operation.described.get("parameters", [])
        asked = {parameter["name"] for parameter in told if parameter["in"] == "query"}
        shape = operation.described["responses"]["200"].get("content", {}).get("application/json", {}).get("schema", {})
        paged = shape.get("$ref", "").endswith("Page")
        assert (paged or operation.name in WHOLE) == (asked >= {"limit", "offset"}), operation.name
        if shape.get("type") == "array":
            short.add(operation.name)
        elif paged and asked == {"limit", "offset"}:
            unfiltered.add(operation.name)
    assert (short, unfiltered) == (set(SHORT), set(UNFILTERED))


@pytest.mark.django_db
def test_the_docs_page_obeys_the_content_security_policy() -> None:
    client = APIClient()
    page = client.get("/api/v1/docs/")
    html = page.content.decode()
    assert page.status_code == 200 and "unsafe" not in page["Content-Security-Policy"]
    assert "<style" not in html and " style=" not in html and "onload" not in html
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", html))
    for address in re.findall(r'(?:src|href)="([^"]+)"', html):
        assert address.startswith("/"), address
    script = client.get(re.search(r'src="([^"]*script[^"]*)"', html)[1].replace("&amp;", "&"))
    assert script["Content-Type"].startswith("application/javascript") and b"/api/v1/schema/" in script.content


@cache
def generated() -> list[Any]:
    """For each operation of the schema that clients get, a strategy for its requests. Made once for all roles."""
    import schemathesis
    from django.core.wsgi import get_wsgi_application

    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application())
    return [operation.ok().as_strategy() for operation in schema.get_all_operations()]


@pytest.mark.timeout(600)  # it grows with the routes
@pytest.mark.slow
@pytest.mark.parametrize("role", ["organizer", "scorekeeper", "judge", "player", "stranger", "visitor"])
@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore")
def test_no_generated_request_causes_a_server_error(cast: Cast, role: str) -> None:
    """Send each operation a few requests generated from the schema, by each role, with the ids of a running event.

    An error that is not a problem document is a failure too.
    """
    from hypothesis import HealthCheck, Phase, given
    from hypothesis import settings as bounds
    from schemathesis import checks

    scene = audited_again(cast)
    headers = {}
    if role != "visitor":
        client = token_client(getattr(cast, role), "read", "play", "judge", "organize")
        headers["Authorization"] = client._credentials["HTTP_AUTHORIZATION"]
    ids = ids_of(scene, cast)
    seen: Counter[int] = Counter()
    for strategy in generated():

        @given(case=strategy)
        @bounds(
            max_examples=6 if role == "organizer" else 2,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def probe(case: object) -> None:
            kept.clear()  # the rate limits
            asked = case.path_parameters or {}
            case.path_parameters = {**asked, **{name: ids[name] for name in asked if name in ids}}
            answer = case.call(headers=headers)
            seen[answer.status_code] += 1
            case.validate_response(answer, checks=[checks.not_a_server_error])
            if answer.status_code >= 400:
                assert answer.headers["content-type"][0].startswith("application/problem+json"), answer.text

        probe()
    assert seen[200] > 15 and sum(seen.values()) > len(generated()), seen
    assert seen[401 if role == "visitor" else 404 if role == "stranger" else 422] > 5, seen


def ids_of(scene: Scene, cast: Cast) -> dict[str, object]:
    """The ids of objects in a running event, by the names of the path parameters."""
    webhook, _secret = make_webhook(
        by=cast.organizer, event=scene.event, url="https://example.com/", kinds=["round"], now=NOW
    )
    return {
        "event_id": scene.event.public_id,
        "match_id": scene.match.public_id,
        "entrant_id": scene.entrant.public_id,
        "log_id": scene.log,
        "bulk_id": scene.bulk,
        "number": 1,
        "announcement_id": announce(event=scene.event, text="Lunch", by=cast.organizer, now=clock.now()).public_id,
        "webhook_id": webhook.public_id,
        "delivery_id": send_test(webhook=webhook, now=NOW).public_id,
        "account": cast.stranger.public_id,
        "table": "results",
    }
