"""A GET on an address that only takes a POST redirects to the page with its button; in the API it is a 405."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.api import scenes
from tests.builders import a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tests.web.routes import PATTERNS, reversed_path, table

pytestmark = pytest.mark.django_db

POST_ONLY = sorted({name for name, methods in table() if "POST" in methods} - {n for n, m in table() if "GET" in m})
# Values of URL parameters by converter, for ids that exist nowhere.
UNKNOWN = {"int": 1, "str": "unknown", "slug": "unknown"}
ADDRESSES = {pattern.name: str(pattern.pattern) for pattern in PATTERNS}


def somewhere(name: str, **known: object) -> str:
    """Return the address of a route, with unknown ids for the parameters that are not given."""
    parameters = re.findall(r"<(\w+):(\w+)>", ADDRESSES[name])
    return reversed_path(name, {key: known.get(key, UNKNOWN[kind]) for kind, key in parameters})


@pytest.mark.slow
def test_a_get_on_any_post_only_route_leads_to_a_page(cast: Cast) -> None:
    round_ = a_published_round(a_running_event(cast), cast.organizer)
    known = {"event_id": round_.stage.event.public_id, "match_id": match_of(round_, cast.player).public_id}
    client = signed_in(cast.organizer)
    wrong = []
    for name in POST_ONLY:
        answer = client.get(somewhere(name, **known), follow=True)
        # Unknown ids may lead to a 404; what matters is the redirect to a page.
        if answer.status_code not in (200, 403, 404) or not answer.redirect_chain:
            wrong.append((name, answer.status_code, answer.redirect_chain))
    assert POST_ONLY and wrong == []


@pytest.mark.parametrize(
    ("name", "role", "page"),
    [
        ("staff_publish", "scorekeeper", "staff_round"),
        ("staff_undo", "scorekeeper", "staff_round"),
        ("staff_clock", "scorekeeper", "staff_round"),
        ("staff_step", "organizer", "staff"),
        ("staff_slip", "scorekeeper", "staff_result"),
        ("confirm", "player", "match"),
        ("rule", "judge", "judge_match"),
        ("drop_self", "player", "me"),
        ("staff_prize", "scorekeeper", "staff_prizes"),
        ("account_name", "player", "account"),
        ("set_language", "stranger", "home"),
    ],
)
def test_a_get_leads_to_the_page_with_the_button(cast: Cast, name: str, role: str, page: str) -> None:
    round_ = a_published_round(a_running_event(cast), cast.organizer)
    known = {"event_id": round_.stage.event.public_id, "match_id": match_of(round_, cast.player).public_id}
    client = signed_in(getattr(cast, role))
    answer = client.get(somewhere(name, **known), follow=True)
    assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, somewhere(page, **known))
    assert client.head(somewhere(name, **known)).status_code == 302


@pytest.mark.parametrize(
    ("name", "key", "scene", "role", "page"),
    [
        ("call_step", "call", scenes.called, "judge", "judge"),
        ("call_withdraw", "call", scenes.called, "player", "me"),
        ("penalty_withdraw", "penalty", scenes.penalized, "judge", "penalties"),
        ("withdraw", "announcement", scenes.announced, "scorekeeper", "staff_announcements"),
        ("staff_uninvite", "invitation", scenes.invited, "organizer", "staff_team"),
        ("list_reopen", "entrant", scenes.published, "judge", "judge"),
    ],
)
def test_actions_on_an_object_lead_its_users_to_a_page_and_strangers_home(
    cast: Cast, name: str, key: str, scene: Any, role: str, page: str
) -> None:
    made = scene(cast)
    found = getattr(made, key)
    where = somewhere(name, **{f"{key}_id": getattr(found, "public_id", found)})
    assert signed_in(getattr(cast, role)).get(where).url == address(page, made.event.public_id)
    assert signed_in(cast.stranger).get(where).url == "/"


def test_signing_in_on_a_post_only_address_leads_to_its_page(cast: Cast) -> None:
    event = a_running_event(cast)
    client = Client()
    asked = client.get(address("drop_self", event.public_id)).url
    assert asked.startswith("/sign-in/")
    client.force_login(cast.player)
    answer = client.get(address("drop_self", event.public_id) + "?entrant=x")
    assert answer.url == address("me", event.public_id) + "?entrant=x"


def test_the_api_answers_405(cast: Cast) -> None:
    event = a_running_event(cast)
    assert signed_in(cast.organizer).get(f"/api/v1/events/{event.public_id}/steps/").status_code == 405
