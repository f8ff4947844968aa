"""The logs contain no secrets of links."""

import logging

import pytest

from tournaments.common.logs import HideSecrets


@pytest.mark.parametrize(
    ("message", "args"),
    [
        ("Forbidden (%s): %s", ("CSRF cookie not set.", "/link/b0w-HI7_secret/")),
        ("Method Not Allowed (POST): /link/b0w-HI7_secret/?next=/", ()),
    ],
)
def test_the_secret_of_a_sign_in_link_is_not_logged(message: str, args: tuple[str, ...]) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, message, args, None)
    assert HideSecrets().filter(record)
    assert "secret" not in record.getMessage()
    assert "/link/…" in record.getMessage()


def test_other_log_messages_are_unchanged() -> None:
    record = logging.LogRecord("tournaments", logging.INFO, "", 0, "job %s done", (7,), None)
    assert HideSecrets().filter(record)
    assert record.getMessage() == "job 7 done"
