"""Labels with a colon, and amounts of money, as each language writes them."""

import pytest
from django.template import engines
from django.utils.translation import override

from tournaments.payments.money import shown
from tournaments.web.words.labels import labelled


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Misplay: Warning"), ("fr", "Misplay\u00a0: Warning"), ("it", "Misplay: Warning")],
)
def test_a_colon_has_a_space_before_it_in_french_only(language: str, words: str) -> None:
    with override(language):
        assert labelled("Misplay", "Warning") == words


@pytest.mark.parametrize(("language", "words"), [("en", "Ana: 3"), ("fr", "Ana\u00a0: 3"), ("it", "Ana: 3")])
def test_templates_write_the_same_colon(language: str, words: str) -> None:
    template = engines["django"].from_string("{% load words %}{{ name }}{% colon %} {{ points }}")
    with override(language):
        assert template.render({"name": "Ana", "points": 3}) == words


@pytest.mark.parametrize(("language", "amount"), [("en", "12.50 EUR"), ("fr", "12,50 EUR"), ("it", "12,50 EUR")])
def test_an_amount_has_the_separator_of_the_language(language: str, amount: str) -> None:
    with override(language):
        assert shown(1250, "EUR") == amount
