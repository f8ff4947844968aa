"""The words for one code."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise


class Meaning(NamedTuple):
    """The words for a code: a short name, a sentence that explains it, and the look of its badge.

    `look` is `ok`, `warn`, `bad`, `info` or "" for a plain badge.
    """

    short: Promise | str
    long: Promise | str = ""
    look: str = ""


def described(short: Mapping[str, Promise], **more: tuple[Promise | str, str]) -> dict[str, Meaning]:
    """Build a table of meanings: `short` has the short names by code, `more` the sentence and look of some codes.

    The empty code is called `none` in `more`, because it must be a keyword there.
    """
    return {code: Meaning(said, *more.get(code or "none", ("", ""))) for code, said in short.items()}
