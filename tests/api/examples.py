"""The examples in the schema: requests and responses from the tests, tidied up.

After a change of what the API accepts or returns, write them again:

    EXAMPLES=1 python -m pytest tests/api/test_permissions.py tests/api/test_tokens.py

If an operation is requested more than once, the example that shows most is kept.
"""

import hashlib
import json
import os
import re
from functools import partial
from typing import Any

from django.conf import settings

from tournaments.api.schema import EXAMPLES

ROWS = 2  # rows kept of a list of objects
KEYS = 12  # keys kept of an object that is a table, such as cards with their copies
MANY = 10_000  # a `seed` above this is that of a pairing; below, it is the seeding of an entrant
SHORT = 400  # characters kept of a text
ID = re.compile(r"\b([a-z]{1,2})-[2-9a-hjkmnp-z]{10}\b")
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
MOMENT = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
SIGNED = re.compile(r"(/(?:claim|feed|seat|invitation|join)/[^/]+)/[^/]+/")
FIXED = {"secret": "…", "prefix": "arb_…", "signature": "…", "seed": "20260307"}
_sizes: dict[str, int] = {}


def note(operation: str, sent: Any, status: str, said: Any) -> None:
    """Save this as the example of an operation, if examples are being written and no larger one has been seen."""
    size = len(json.dumps([sent, said]))
    if "EXAMPLES" not in os.environ or _sizes.get(operation, -1) >= size:
        return
    _sizes[operation] = size
    kept = json.loads(EXAMPLES.read_text(encoding="utf-8")) if EXAMPLES.exists() else {}
    tidied = tidy({"request": sent, "answer": said})
    kept[operation] = {name: value for name, value in tidied.items() if value is not None} | {"status": status}
    EXAMPLES.write_text(json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def tidy(value: Any) -> Any:
    """Return the value with made-up ids, digests, times and secrets, and shortened."""
    made: dict[str, str] = {}
    return _tidy(value, "", made)


def _tidy(value: Any, name: str, made: dict[str, str]) -> Any:
    if name in FIXED and (isinstance(value, str) or (isinstance(value, int) and value > MANY)) and value:
        return type(value)(FIXED[name])
    if isinstance(value, dict):
        keys = list(value)[:KEYS] if _is_table(value) else list(value)
        return {_text(key, made): _tidy(value[key], key, made) for key in keys}
    if isinstance(value, list):
        rows = value[:ROWS] if value and isinstance(value[0], dict | list) else value
        return [_tidy(row, "", made) for row in rows]
    return _text(value, made) if isinstance(value, str) else value


def _is_table(value: dict[str, Any]) -> bool:
    return len(value) > KEYS and all(isinstance(each, int | dict) for each in value.values())


def _text(value: str, made: dict[str, str]) -> str:
    value = ID.sub(partial(_made_up, made), value)
    value = DIGEST.sub(partial(_made_up, made), value)
    value = SIGNED.sub(r"\1/…/", MOMENT.sub("2026-03-07T09:00:00Z", value))
    value = value.replace("Ada", "Player 12")
    for here in ("http://testserver", settings.SITE_URL):
        value = value.replace(here, "https://arbitre.example.org")
    return value[:SHORT]


def _made_up(made: dict[str, str], found: re.Match[str]) -> str:
    old = found[0]
    if old not in made:
        number = str(len(made) + 1)
        fresh = f"{found[1]}-" + number.zfill(10) if found.re is ID else hashlib.sha256(number.encode()).hexdigest()
        made[old] = fresh
    return made[old]
