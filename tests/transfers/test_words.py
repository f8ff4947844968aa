"""Every format and every code of what is lost has its words."""

from __future__ import annotations

import re
from pathlib import Path

from tournaments.transfers import formats
from tournaments.transfers.reading import EVENT_FILE, READERS, ROSTER
from tournaments.transfers.words import FORMATS, LOST

FOLDER = Path(formats.__file__).parent


def test_every_format_has_a_name():
    assert FORMATS.keys() == {*READERS, EVENT_FILE, ROSTER}
    assert all(map(str, FORMATS.values()))


def test_every_code_of_what_is_lost_has_words_and_is_used():
    text = "".join(path.read_text() for path in FOLDER.glob("*.py"))
    assert LOST.keys() <= set(re.findall(r'"([a-z_]+)"', text))
    assert set(re.findall(r'losses\.add\(\s*"([a-z_]+)"', text)) <= LOST.keys()
    tables = [table for reader in READERS.values() for name, table in vars(reader).items() if name.startswith("LOST_")]
    named = {code for table in tables if isinstance(table, dict) for code in table.values()}
    assert {"ranks", "ids"} <= named <= LOST.keys()
