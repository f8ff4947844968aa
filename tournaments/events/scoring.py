"""The scoring of an event: points for a win, a draw and a loss, and the floor of win percentages. Plain values.

`Event.scoring` looks like `{"win": 3, "draw": 1, "loss": 0, "floor": "1/3"}`; what is absent, the tiebreak scheme
decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.refusals import InvalidInput
from tournaments.swiss.field import SwissError
from tournaments.swiss.scoring import POINTS, Scoring, scoring_of

# 1/3 and 0.33 are different floors: tournament programs disagree, and players can be ranked differently.
FLOORS: Mapping[str, Fraction] = {
    "1/3": Fraction(1, 3),
    "0.33": Fraction(33, 100),
    "0.25": Fraction(1, 4),
    "none": Fraction(0),
}
NAMES = (*POINTS, "floor")
DEFAULT, OWN = "scheme", "own"


@dataclass(frozen=True)
class ScoringPreset:
    """The scoring of a well-known game or tournament program, under a name to choose it by."""

    id: str
    name: Promise
    scoring: Mapping[str, Any]


_THREE = {"win": 3, "draw": 1, "loss": 0}
SCORING_PRESETS: Mapping[str, ScoringPreset] = {
    preset.id: preset
    for preset in (
        ScoringPreset(DEFAULT, gettext_lazy("Same as in the scheme"), {}),
        ScoringPreset("melee", gettext_lazy("Melee: 3, 1, 0; floor 1/3"), {**_THREE, "floor": "1/3"}),
        ScoringPreset(
            "topdeck",
            gettext_lazy("TopDeck, ManaTraders, Magic Tournament Rules: 3, 1, 0; floor 0.33"),
            {**_THREE, "floor": "0.33"},
        ),
        ScoringPreset("pokemon", gettext_lazy("Play! Pokémon (TOM): 3, 1, 0; floor 0.25"), {**_THREE, "floor": "0.25"}),
        ScoringPreset("yugioh", gettext_lazy("Yu-Gi-Oh! (KTS): 3, 1, 0; no floor"), {**_THREE, "floor": "none"}),
        ScoringPreset(
            "fide",
            gettext_lazy("FIDE (Swiss-Manager, Vega): 1, ½, 0; no floor"),
            {"win": 1, "draw": 0.5, "loss": 0, "floor": "none"},
        ),
    )
}


def read_scoring(raw: Any) -> Scoring:
    """Read a scoring from JSON. Raises `InvalidInput` `scoring_invalid`, with a path and a code for the defect."""
    if not isinstance(raw, Mapping) or not raw.keys() <= {*NAMES}:
        raise scoring_invalid("wrong_type", "")
    given = {name: value for name, value in raw.items() if value is not None}
    if (floor := given.pop("floor", None)) is not None:
        if not isinstance(floor, str) or floor not in FLOORS:
            raise scoring_invalid("not_a_choice", "floor")
        given["floor"] = str(FLOORS[floor])
    try:
        return scoring_of(given)
    except SwissError as error:
        raise scoring_invalid(error.code, error.path.removeprefix("scoring.")) from error


def scoring_invalid(code: str, path: str) -> InvalidInput:
    """The refusal of a scoring, with the path and the code of its defect."""
    return InvalidInput(
        "scoring_invalid",
        _("A win gives points, a draw no more than a win, a loss no more than a draw; whole or half points, up to 10."),
        details=[{"path": path, "code": code}],
    )


def number(value: Fraction) -> int | float:
    """Points as `Event.scoring` stores them: an int if whole, else a float (half points are exact)."""
    return value.numerator if value.denominator == 1 else float(value)


def preset_of(raw: Mapping[str, Any]) -> str:
    """The id of the preset equal to an event's scoring, or `own`."""
    given = read_scoring(raw)
    return next((name for name, each in SCORING_PRESETS.items() if read_scoring(each.scoring) == given), OWN)
