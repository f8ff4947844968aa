"""Forms of the match recorder."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.audits import engine_gate
from tournaments.common.names import folded

LONGEST = 4000  # characters of a move, and of its chance
CLAIM = "claim:"


class SequenceForm(forms.Form):
    """Which entry is meant, and the key of who sends it."""

    n = forms.IntegerField(min_value=1, max_value=100_000)
    key = forms.RegexField(r"^[\w-]{10,60}$")


class MoveForm(forms.Form):
    """A legal move that was chosen, its chance as it was typed, and the counters noted with it.

    A card is typed by its reference or its name: `names` are those of the catalogue, `decks` the references in the list
    of each seat, which come first where a name has several.
    """

    move = forms.CharField(max_length=LONGEST)
    chance = forms.CharField(max_length=LONGEST, required=False)

    def __init__(self, *args: Any, names: Mapping[str, str], decks: Mapping[str, Iterable[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        self.decks = decks

    def clean(self) -> dict[str, Any]:
        """The entry of a log that all of it makes."""
        data: dict[str, Any] = super().clean() or {}
        try:
            entry = engine_gate.read_entry(data.get("move", ""))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        refs = self._refs(entry.get("by"))
        chance = [self._chance(item, refs) for item in data.get("chance", "").split(";") if item.strip()]
        claims = self._claims()
        data["entry"] = {**entry, **({"chance": chance} if chance else {}), **({"claims": claims} if claims else {})}
        return data

    @property
    def entry(self) -> dict[str, Any]:
        """The entry."""
        found: dict[str, Any] = self.cleaned_data["entry"]
        return found

    def _refs(self, seat: Any) -> dict[str, str]:
        """References by what may be typed for them."""
        own = self.decks.get(seat, ()) if isinstance(seat, str) else ()
        every = [*self.names, *(ref for ref in own if ref in self.names)]
        return {folded(self.names[ref]): ref for ref in every} | {ref.casefold(): ref for ref in self.names}

    def _chance(self, said: str, refs: Mapping[str, str]) -> dict[str, Any]:
        """`draw ?, Somebody` as `{"draw": ["?", "REF"]}`; a kind with one value that is no card has it bare."""
        kind, _space, values = said.strip().partition(" ")
        listed = [_value(value.strip(), refs) for value in values.split(",") if value.strip()]
        return {kind: listed if kind in engine_gate.LISTED_CHANCE else listed[0] if listed else None}

    def _claims(self) -> dict[str, int]:
        claims = {}
        for name, value in self.data.items():
            if name.startswith(CLAIM) and value.strip():
                if not value.strip().lstrip("-").isdecimal() or len(value) > 6:
                    raise forms.ValidationError(_("What is noted is a number."))
                claims[name.removeprefix(CLAIM)[:60]] = int(value)
        return claims


def _value(said: str, refs: Mapping[str, str]) -> Any:
    if said.lstrip("-").isdecimal() and len(said) < 10:
        return int(said)
    return refs.get(said.casefold()) or refs.get(folded(said)) or said
