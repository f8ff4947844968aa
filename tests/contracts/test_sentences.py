"""Sentences that carry a name: a shortened one ends with a dot, and no sentence adds another."""

import re

import pytest

from tests.contracts.project import ROOT

ENDS_IN_A_NAME = re.compile(r"%\((?:name|names|player|opponent|first|second)\)s\.(?!\w)")
CATALOGUES = sorted((ROOT / "tournaments" / "locale").glob("*/LC_MESSAGES/django.po"))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_no_sentence_ends_in_a_name(path):
    found = [line for line in path.read_text().splitlines() if ENDS_IN_A_NAME.search(line)]
    assert CATALOGUES and not found
