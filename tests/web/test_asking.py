"""Is this move legal? The form where a judge enters a position and a move, and the answer in words."""

import json

import pytest
from django.test import Client

from tests.builders import a_running_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.events.models import Event
from tournaments.web.questions import EXAMPLES

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=2)


def asked(cast: Cast, event: Event, name: str) -> str:
    """Submit one of the form's examples and return the page with its answer."""
    form = EXAMPLES["star-safir"][name].filled()
    response = signed_in(cast.judge).post(address("ask", event.public_id), form)
    assert response.status_code == 200
    return text(response)


def test_a_legal_move_is_answered_with_yes(cast: Cast, event: Event) -> None:
    assert "Yes: this move is legal." in asked(cast, event, "legal")


def test_an_illegal_move_is_answered_with_no_the_rule_and_the_card_name(cast: Cast, event: Event) -> None:
    page = asked(cast, event, "illegal")
    assert "No: this move is illegal." in page
    assert "SAF-VI.3-5" in page
    assert "Porte-lanterne de Brume" in page


def test_a_missing_fact_becomes_a_question_to_ask_the_table(cast: Cast, event: Event) -> None:
    page = asked(cast, event, "undetermined")
    assert "It depends: ask the table" in page
    assert "which fighters have attacked this turn" in page
    assert "memory.attacked" in page
    assert "Rule SAF-VI.3-5 needs it" in page


@pytest.mark.parametrize(
    ("language", "yes"), [("fr", "Oui\xa0: ce coup est légal."), ("it", "Sì: questa mossa è legale.")]
)
def test_the_answer_is_in_the_language_of_the_page(cast: Cast, event: Event, language: str, yes: str) -> None:
    User.objects.filter(pk=cast.judge.pk).update(language=language)
    cast.judge.refresh_from_db()
    assert yes in asked(cast, event, "legal")


def test_unreadable_input_is_kept_and_the_error_says_where_it_is(cast: Cast, event: Event) -> None:
    form = {
        "position": EXAMPLES["star-safir"]["legal"].filled()["position"],
        "move": '{"n": 1, "by": "A", "do": "juggle"}',
    }
    page = text(signed_in(cast.judge).post(address("ask", event.public_id), form))
    assert "cannot be read" in page
    assert "unknown_verb" in page
    assert "juggle" in page
    broken = text(signed_in(cast.judge).post(address("ask", event.public_id), {"position": "{", "move": "{}"}))
    assert "not_json" in broken


def test_a_position_from_another_game_is_refused(cast: Cast, event: Event) -> None:
    form = {"position": json.dumps({"game": "chess"}), "move": "{}"}
    response = signed_in(cast.judge).post(address("ask", event.public_id), form)
    assert (response.status_code, "another game" in text(response)) == (422, True)


def test_an_empty_form_is_refused(cast: Cast, event: Event) -> None:
    assert signed_in(cast.judge).post(address("ask", event.public_id), {}).status_code == 422


def test_an_example_fills_the_form(cast: Cast, event: Event) -> None:
    page = text(signed_in(cast.judge).get(address("ask", event.public_id), {"example": "illegal"}))
    assert "A/T1/fighters/1" in page
    assert 'id="answer"' not in page


def test_only_judges_can_ask(cast: Cast, event: Event) -> None:
    page = address("ask", event.public_id)
    for send in (Client.get, Client.post):
        assert send(signed_in(cast.judge), page).status_code in (200, 422)
        assert send(signed_in(cast.scorekeeper), page).status_code == 403
        assert send(signed_in(cast.player), page).status_code == 404
        assert send(Client(), page).status_code == 302


def test_the_judge_queue_links_to_the_form(cast: Cast, event: Event) -> None:
    assert address("ask", event.public_id) in text(signed_in(cast.judge).get(address("judge", event.public_id)))


def test_the_api_gives_the_same_answers(cast: Cast, event: Event) -> None:
    client = signed_in(cast.judge)
    for name in ("legal", "illegal", "undetermined"):
        body = {key: json.loads(value) for key, value in EXAMPLES["star-safir"][name].filled().items()}
        client.cookies["csrftoken"] = "a" * 32
        answer = client.post(
            f"/api/v1/events/{event.public_id}/ask/",
            body,
            content_type="application/json",
            headers={"x-csrftoken": "a" * 32},
        )
        assert (answer.status_code, answer.json()["answer"]) == (200, name)
