"""The rules of a league: their JSON as stored in `League.rules`, and the conversion for `swiss.league`."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.refusals import InvalidInput
from tournaments.swiss.league import Rules

MAX_PLACES = 64
MAX_POINTS = 1_000
MAX_BEST = 100
NAMES = ("by_rank", "later", "per_match_point", "attendance", "best", "ratings")
DEFAULT = {
    "by_rank": [10, 8, 6, 5, 4, 3, 2, 1],
    "later": 0,
    "per_match_point": 0,
    "attendance": 1,
    "best": None,
    "ratings": False,
}


def read_rules(kept: Mapping[str, Any]) -> Rules:
    """Build `Rules` from the stored JSON; what is absent has its default."""
    values = complete(kept)
    del values["ratings"]
    return Rules(**{**values, "by_rank": tuple(values["by_rank"])})


def complete(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The stored JSON with the defaults of what is absent."""
    return {**DEFAULT, **kept}


def rates(kept: Mapping[str, Any]) -> bool:
    """Whether the players of the league are rated."""
    return bool(complete(kept)["ratings"])


def checked(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Apply changes to stored rules and return the complete JSON.

    Raises `InvalidInput` `out_of_bounds`, with the names of all rules that are unknown or out of bounds.
    """
    rules = {**DEFAULT, **before, **changes}
    figures = {name: rules[name] for name in ("later", "per_match_point", "attendance")}
    wrong = [name for name, value in figures.items() if not _within(value, 0, MAX_POINTS)]
    places = rules["by_rank"]
    if not isinstance(places, list) or len(places) > MAX_PLACES or not all(_within(p, 0, MAX_POINTS) for p in places):
        wrong.append("by_rank")
    if rules["best"] is not None and not _within(rules["best"], 1, MAX_BEST):
        wrong.append("best")
    if not isinstance(rules["ratings"], bool):
        wrong.append("ratings")
    wrong += sorted(set(rules) - set(NAMES))
    if wrong:
        raise InvalidInput("out_of_bounds", _("Some values are not possible."), details=wrong)
    return rules


def _within(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
