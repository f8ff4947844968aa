"""No translated sentence ends with a name: a shortened name ends with a period, and there would be two."""

import re

import pytest

from tests.contracts.project import ROOT

ENDS_IN_A_NAME = re.compile(r"%\((?:name|names|player|opponent|first|second)\)s\.(?!\w)")
CATALOGUES = sorted((ROOT / "tournaments" / "locale").glob("*/LC_MESSAGES/django.po"))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_no_translated_sentence_ends_with_a_name(path):
    found = [line for line in path.read_text().splitlines() if ENDS_IN_A_NAME.search(line)]
    assert CATALOGUES and not found
