"""Every refusal says what to do next, in all three languages."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.api.test_schema_and_docs import refusal_codes
from tests.builders import a_running_event
from tests.cast import Cast
from tests.web.pages import signed_in, text
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.web.next_steps import BY_CODE, BY_KIND, BY_STATUS, next_step


def test_every_code_with_a_next_step_is_raised_somewhere() -> None:
    assert set(BY_CODE) <= refusal_codes()


@pytest.mark.parametrize("language", ["fr", "it"])
def test_every_next_step_is_translated(language: str) -> None:
    for step in {*BY_CODE.values(), *BY_STATUS.values(), *(step for _, step in BY_KIND)} - {""}:
        with translation.override("en"):
            english = str(step)
        with translation.override(language):
            assert str(step) != english


def test_a_code_without_its_own_next_step_uses_that_of_its_status() -> None:
    refusal = Refusal("somebody_was_faster", "Somebody was faster.")
    assert "Reload the page" in str(next_step(refusal))


@pytest.mark.parametrize(
    ("code", "step"),
    [
        ("too_many_rounds", "Correct this"),
        ("address_invalid", "Correct this"),
        ("role_unknown", "choose again"),
        ("no_such_game", "choose again"),
        ("file_too_large", "another file"),
        ("photo_too_large", "another file"),
        ("same_player", "nothing else to do"),
        ("idempotency_key_reused", "nothing else to do"),
        ("drop_elsewhere", "nothing else to do"),
    ],
)
def test_only_what_is_in_the_input_can_be_corrected(code: str, step: str) -> None:
    assert code in refusal_codes()
    assert step in str(next_step(InvalidInput(code, "Not valid.")))


@pytest.mark.parametrize("code", ["name_missing", "reason_missing", "not_seated", "photo_unreadable", "pair_wrong"])
def test_a_message_that_says_what_to_do_is_not_followed_by_another_step(code: str) -> None:
    assert next_step(InvalidInput(code, "Enter a name.")) == ""


def test_a_page_with_a_refusal_says_what_to_do_next(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    page = reverse("web:register", args=[event.public_id])
    shown = text(signed_in(cast.stranger).post(page))
    assert "Late entries are still possible: ask at the desk." in shown
    assert "Request a new one" in text(Client().post("/link/spent/"))
