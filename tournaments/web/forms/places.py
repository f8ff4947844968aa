"""Form fields for the result of a multiplayer table: a rank and victory points for each seat."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.play.services.results import MAX_SCORE


def place_fields(names: Sequence[str]) -> dict[str, forms.Field]:
    """The fields `rank_1`, `score_1`, `rank_2`, … by name, labeled with the names of the players in seat order."""
    fields: dict[str, forms.Field] = {}
    for number, name in enumerate(names, 1):
        fields[f"rank_{number}"] = forms.IntegerField(
            label=_("Rank of %(name)s") % {"name": name}, min_value=1, max_value=len(names)
        )
        fields[f"score_{number}"] = forms.IntegerField(
            label=_("Victory points of %(name)s") % {"name": name}, min_value=0, max_value=MAX_SCORE, required=False
        )
    return fields


def places_in(data: Mapping[str, Any]) -> list[list[int | None]]:
    """The `[rank, victory points]` of each seat, from the cleaned data of a form with `place_fields`."""
    seats = sum(name.startswith("rank_") for name in data)
    return [[data[f"rank_{number}"], data[f"score_{number}"]] for number in range(1, seats + 1)]
