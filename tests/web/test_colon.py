"""The colon after a label."""

import pytest
from django.template import engines
from django.utils import translation


@pytest.mark.parametrize(("language", "shown"), [("en", "Ana: 3"), ("fr", "Ana\xa0: 3"), ("it", "Ana: 3")])
def test_a_french_colon_has_a_space_before_it_that_does_not_break(language: str, shown: str) -> None:
    template = engines["django"].from_string("{% load words %}{{ name }}{% colon %} {{ points }}")
    with translation.override(language):
        assert template.render({"name": "Ana", "points": 3}) == shown
