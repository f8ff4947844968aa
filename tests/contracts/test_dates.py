"""Dates are written in the form of the reader's language, everywhere."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.formats import date_format

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("language", "day", "moment"),
    [
        ("en", "7 Feb 2026", "7 Feb 2026, 19:30"),
        ("fr", "7 fév. 2026", "7 fév. 2026, 19:30"),
        ("it", "7 feb 2026", "7 feb 2026, 19:30"),
    ],
)
def test_a_date_has_the_form_of_the_language(language: str, day: str, moment: str) -> None:
    at = datetime(2026, 2, 7, 19, 30, tzinfo=UTC)
    with translation.override(language):
        assert (date_format(at), date_format(at, "DATETIME_FORMAT")) == (day, moment)


def test_no_template_and_no_module_writes_a_form_of_its_own_for_a_short_date() -> None:
    own = re.compile(r"""date:"[^"]*[jd] [MNb]|date_format\([^)]*["'][^"']*\b[jd] [MNb]\b""")
    files = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("tournaments/**/*.py")]
    assert [str(file) for file in files if own.search(file.read_text())] == []
