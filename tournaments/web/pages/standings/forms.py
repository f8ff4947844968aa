"""Forms for the settings of standings: their order, and the points of a match."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.events.scoring import FLOORS, NAMES, OWN, SCORING_PRESETS, preset_of
from tournaments.standings.words import SCHEMES, tiebreak_choices
from tournaments.swiss.schemes import MOST_TIEBREAKS, plain, scheme_of

USUAL_TIEBREAKS = 6
points_field = partial(
    forms.DecimalField, min_value=Decimal(0), max_value=Decimal(10), step_size=Decimal("0.5"), required=False
)


class SchemeForm(forms.Form):
    """The order of the standings: a scheme, or a list of tiebreaks of one's own.

    `now` is the current order, in the form that `chosen` returns.
    """

    scheme = forms.ChoiceField(
        label=gettext_lazy("Scheme"),
        choices=[*SCHEMES.items(), (OWN, gettext_lazy("Your own order, chosen below"))],
        widget=forms.RadioSelect,
    )
    rules = forms.ChoiceField(
        label=gettext_lazy("Your own order counts as"),
        help_text=gettext_lazy("These rules say how byes, draws and floors are counted."),
        choices=list(SCHEMES.items()),
        required=False,
    )

    def __init__(self, data: Mapping[str, Any] | None, *, now: str) -> None:
        super().__init__(data, initial=_chosen_now(now))
        listed = len(scheme_of(now).tiebreaks)
        for place in range(1, min(MOST_TIEBREAKS, max(USUAL_TIEBREAKS, listed + 1)) + 1):
            self.fields[f"tiebreak_{place}"] = forms.ChoiceField(
                label=gettext_lazy("First by") if place == 1 else gettext_lazy("Then by"),
                choices=[("", gettext_lazy("– nothing –")), *tiebreak_choices()],
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        """Require at least one tiebreak for an own order, and none twice.

        A changed list together with another scheme is an error, so that nothing that was chosen is ignored silently.
        """
        data: dict[str, Any] = super().clean() or {}
        if data.get("scheme") not in (None, OWN) and _typed(self, ("rules", *self._places())):
            self.add_error(
                "scheme", _("You changed the list below: choose your own order, or leave the list as it was.")
            )
        if data.get("scheme") == OWN:
            listed = self._listed(data)
            if not listed:
                self.add_error("tiebreak_1", _("Choose at least one tiebreak."))
            twice = [name for place, name in enumerate(listed) if name in listed[:place]]
            if twice:
                self.add_error(None, _("A tiebreak is chosen twice."))
        return data

    def _listed(self, data: Mapping[str, Any]) -> list[str]:
        return [data[name] for name in self._places() if data.get(name)]

    def _places(self) -> list[str]:
        return [name for name in self.fields if name.startswith("tiebreak_")]

    def chosen(self) -> str:
        """The scheme, or the own order in the form that services take: `fide:points,direct`."""
        data = self.cleaned_data
        if data["scheme"] != OWN:
            return str(data["scheme"])
        return f"{data['rules'] or 'mtr'}:{','.join(self._listed(data))}"


def _chosen_now(scheme: str) -> dict[str, str]:
    """Initial values for an order. A scheme also fills the list of tiebreaks, as a start for an own order."""
    listed = {f"tiebreak_{place}": name for place, name in enumerate(scheme_of(scheme).tiebreaks, 1)}
    scheme = plain(scheme)
    base = scheme if scheme in SCHEMES else scheme.rpartition(":")[0]
    return {"scheme": scheme if scheme in SCHEMES else OWN, "rules": base or "mtr", **listed}


class ScoringForm(forms.Form):
    """Points for a win, a draw and a loss, and the floor of win percentages: a preset, or own values.

    `now` is the current `Event.scoring`.
    """

    preset = forms.ChoiceField(
        label=gettext_lazy("Use the values of"),
        choices=[
            *((preset.id, preset.name) for preset in SCORING_PRESETS.values()),
            (OWN, gettext_lazy("Your own values, below")),
        ],
        widget=forms.RadioSelect,
    )
    win = points_field(label=gettext_lazy("Points for a win"))
    draw = points_field(label=gettext_lazy("Points for a draw"))
    loss = points_field(label=gettext_lazy("Points for a loss"))
    floor = forms.ChoiceField(
        label=gettext_lazy("Floor of win percentages"),
        help_text=gettext_lazy("An opponent’s percentage counts as at least this much."),
        choices=[
            ("", gettext_lazy("Same as in the scheme")),
            *((name, gettext_lazy("None") if name == "none" else name) for name in FLOORS),
        ],
        required=False,
    )

    def __init__(self, data: Mapping[str, Any] | None, *, now: Mapping[str, Any]) -> None:
        super().__init__(data, initial={"preset": preset_of(now), **now})

    def clean(self) -> dict[str, Any]:
        """Refuse changed values together with a preset, so that nothing typed is ignored silently."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("preset") not in (None, OWN) and _typed(self, NAMES):
            self.add_error(
                "preset", _("You changed the values below: choose your own values, or leave them as they were.")
            )
        return data

    def chosen(self) -> dict[str, Any]:
        """The values of the preset, or the own ones, in the form of `Event.scoring`."""
        data = self.cleaned_data
        if data["preset"] != OWN:
            return dict(SCORING_PRESETS[data["preset"]].scoring)
        return {name: _plain(data[name]) for name in NAMES if data.get(name) not in (None, "")}


def _typed(form: forms.Form, names: Iterable[str]) -> bool:
    """Whether one of these fields was changed to a value that is not blank."""
    return any(name in form.changed_data and form.cleaned_data.get(name) not in (None, "") for name in names)


def _plain(value: Any) -> Any:
    """A decimal as an int if it is whole, else as a float; JSON has no decimals."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value == int(value) else float(value)
