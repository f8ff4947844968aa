"""Forms of the player pages."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.decks.services import MAX_TEXT
from tournaments.play.models import Match
from tournaments.web.forms.places import place_fields, places_in
from tournaments.web.meanings import PLAYER_KINDS


class ReportForm(forms.Form):
    """A result: one button's `games` ("2-1-0", seat 1 first), or the three figures of the fuller form."""

    games = forms.RegexField(r"^\d-\d-\d$", required=False)
    first = forms.IntegerField(min_value=0, max_value=9, required=False)
    second = forms.IntegerField(min_value=0, max_value=9, required=False)
    drawn = forms.IntegerField(label=gettext_lazy("Games drawn"), min_value=0, max_value=9, required=False)
    kind = forms.ChoiceField(label=gettext_lazy("How it ended"), choices=list(PLAYER_KINDS.items()), required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("games"):
            data["score"] = [int(part) for part in data["games"].split("-")]
        elif "first" in data and "second" in data and data["first"] is not None and data["second"] is not None:
            data["score"] = [data["first"], data["second"], data.get("drawn") or 0]
        elif not self.errors:
            raise forms.ValidationError(_("Say how many games each side won."), code="score_missing")
        data["kind"] = data.get("kind") or Match.Kind.PLAYED
        return data


class PlacesForm(forms.Form):
    """The result of a table of several: rank and victory points of each seat."""

    def __init__(self, *args: Any, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = place_fields(names)

    @property
    def result(self) -> dict[str, Any]:
        """As the service reads it."""
        return {"score": places_in(self.cleaned_data), "kind": Match.Kind.PLAYED}


class ContestForm(forms.Form):
    """Why a report is contested; may stay empty."""

    reason = forms.CharField(max_length=2000, required=False)


class DeckForm(forms.Form):
    """A decklist, pasted or as a text file. A chosen file counts before the text."""

    text = forms.CharField(
        label=gettext_lazy("Your list"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=gettext_lazy("or a text file"), required=False, allow_empty_file=True)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        file = data.get("file")
        if file is not None and file.size > MAX_TEXT:
            raise forms.ValidationError(_("A decklist is at most 64 KiB of text."), code="deck_too_large")
        if file is None and not data.get("text", "").strip():
            raise forms.ValidationError(_("Paste a list or choose a file."), code="deck_missing")
        data["list"] = file.read() if file is not None else data["text"]
        return data
