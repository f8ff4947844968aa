"""The API describes itself truly: its schema is valid, and no route or refusal is missing from the docs."""

import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from rest_framework.test import APIClient

from tests.api.scenes import logged, token_client
from tests.cast import Cast
from tournaments.api.urls import urlpatterns

RAISED = re.compile(r'(?:Refusal|InvalidInput|NotAllowed|TooLarge|TooMany)\(\s*"([a-z0-9_]+)"')
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
    """The codes that are headings of a page of docs/."""
    text = (Path(settings.BASE_DIR) / "docs" / page).read_text()
    return set(re.findall(r"^### `([a-z0-9_]+)`$", text, re.MULTILINE))


def refusal_codes() -> set[str]:
    """Every code that the source can refuse with."""
    sources = [path.read_text() for path in (Path(settings.BASE_DIR) / "tournaments").rglob("*.py")]
    return FRAMEWORK | {code for text in sources for found in (RAISED, ANSWERED) for code in found.findall(text)}


def test_every_refusal_has_its_heading() -> None:
    assert refusal_codes() == headings("refusals.md")


def test_every_route_has_its_heading() -> None:
    assert {pattern.name for pattern in urlpatterns} - {"nowhere"} == headings("api.md")


def test_the_schema_is_valid_and_without_a_warning() -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_every_write_takes_an_idempotency_key_and_every_operation_has_its_refusals() -> None:
    schema = APIClient().get("/api/v1/schema/", HTTP_ACCEPT="application/vnd.oai.openapi+json").json()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            if method == "parameters" or path.endswith("/schema/"):
                continue
            named = {parameter["name"] for parameter in operation.get("parameters", [])}
            assert ("Idempotency-Key" in named) == (method == "post"), (path, method)
            assert "application/problem+json" in operation["responses"]["4XX"]["content"]


@pytest.mark.django_db
def test_the_page_of_the_docs_holds_under_the_policy() -> None:
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


@pytest.mark.timeout(300)  # it grows with the routes
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("any_json_is_a_log")
@pytest.mark.filterwarnings("ignore")
def test_no_generated_request_makes_the_server_fail(cast: Cast) -> None:
    """A few requests an operation, generated from the schema, by somebody who may do much."""
    import schemathesis
    from django.core.wsgi import get_wsgi_application
    from hypothesis import HealthCheck, Phase, given
    from hypothesis import settings as bounds
    from schemathesis import checks

    scene = logged(cast)
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application())
    authorization = token_client(cast.organizer, "read", "play", "judge", "organize")._credentials["HTTP_AUTHORIZATION"]
    ids = {
        "event_id": scene.event.public_id,
        "match_id": scene.match.public_id,
        "entrant_id": scene.entrant.public_id,
        "log_id": scene.log,
        "number": 1,
    }
    seen: Counter[int] = Counter()
    for operation in schema.get_all_operations():
        call = operation.ok()

        @given(case=call.as_strategy())
        @bounds(
            max_examples=8,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def probe(case: object) -> None:
            asked = case.path_parameters or {}
            case.path_parameters = {**asked, **{name: ids[name] for name in asked if name in ids}}
            answer = case.call(headers={"Authorization": authorization})
            seen[answer.status_code] += 1
            case.validate_response(answer, checks=[checks.not_a_server_error])

        probe()
    assert seen[200] > 20 and seen[422] > 20, seen
