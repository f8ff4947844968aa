"""How sentences are written: none ends with a name, and the engine's French and Italian have their typography."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contracts.project import ROOT
from tournaments.locale.messages import LANGUAGES, STRAIGHT, TYPEWRITTEN

# A shortened name ends with a period, and there would be two.

ENDS_IN_A_NAME = re.compile(r"%\((?:name|names|player|opponent|first|second)\)s\.(?!\w)")
CATALOGUES = sorted((ROOT / "tournaments" / "locale").glob("*/LC_MESSAGES/django.po"))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_no_translated_sentence_ends_with_a_name(path):
    found = [line for line in path.read_text().splitlines() if ENDS_IN_A_NAME.search(line)]
    assert CATALOGUES and not found


def sentences(found: Any, language: str) -> Iterator[str]:
    """The texts of a language in a TOML document, at any depth."""
    for key, value in found.items() if isinstance(found, dict) else enumerate(found):
        if isinstance(value, dict | list):
            yield from sentences(value, language)
        elif key == language and isinstance(value, str):
            yield value


@pytest.mark.parametrize(("language", "wrong"), [("en", STRAIGHT), *((each, TYPEWRITTEN) for each in LANGUAGES)])
def test_the_engines_sentences_have_the_typography_of_their_language(language, wrong):
    texts = [
        text
        for path in (ROOT / "engine").rglob("*.toml")
        for text in sentences(tomllib.loads(path.read_text(encoding="utf-8")), language)
    ]
    assert len(texts) > 1_000
    assert [text for text in texts if wrong.search(text)] == []
