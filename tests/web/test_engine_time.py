"""What the engine computes for one request has a bound."""

import pytest

from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tests.web.test_recorder import match, opened  # noqa: F401  # fixtures
from tournaments.audits.models import Recording
from tournaments.web import engine_time


@pytest.mark.django_db
def test_a_page_that_asks_the_engine_for_too_much_is_refused_and_says_what_to_do(
    cast: Cast,
    opened: Recording,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    assert judge.get(page).status_code == 200
    monkeypatch.setattr(engine_time, "MOST", -1.0)
    refused = judge.get(page)
    assert refused.status_code == 409 and "Upload the log of the game" in text(refused)
    asked = judge.get(f"/api/v1/recordings/{opened.public_id}/")
    assert (asked.status_code, asked.json()["code"]) == (409, "engine_takes_long")
