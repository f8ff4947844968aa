"""Forms for card catalogues."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import engine
from engine.face.effects import MOST_BYTES
from tournaments.decks.catalogues import MAX_BYTES, name_from, with_suspensions
from tournaments.web.forms.choices import choice_field

ACCEPTED = ".csv,.tsv,.txt,.xlsx,.json,text/csv,application/json"


class CardsForm(forms.Form):
    """Upload a card list for a preview."""

    document = forms.FileField(
        label=gettext_lazy("Card file"),
        help_text=gettext_lazy("CSV, XLSX or JSON, at most 8 MiB and 20,000 cards. The type of file is recognized."),
        max_length=200,
        widget=forms.ClearableFileInput(attrs={"accept": ACCEPTED}),
    )
    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        help_text=gettext_lazy("Only needed for your own list or spreadsheet."),
        required=False,
    )
    suspensions = forms.FileField(
        label=gettext_lazy("Suspensions by date"),
        help_text=gettext_lazy("For Altered: the community’s history of suspensions (JSON). Leave blank for none."),
        required=False,
        max_length=200,
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    name = forms.RegexField(
        r"^[0-9a-z][0-9a-z.-]{0,63}$",
        label=gettext_lazy("Short name"),
        help_text=gettext_lazy(
            "Small letters, digits, dots and hyphens. Leave blank to use the name of the file. "
            "A name that you already use creates a new version."
        ),
        error_messages={"invalid": gettext_lazy("Use only small letters, digits, dots and hyphens.")},
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = sorted((game, game.replace("-", " ").title()) for game in engine.games())
        choice_field(self, "game").choices = [("", _("Use the game named in the file")), *games]

    @property
    def sent(self) -> dict[str, Any]:
        """The arguments for the service. The file is read up to one byte beyond the limit, enough to refuse it."""
        file, history = self.cleaned_data["document"], self.cleaned_data["suspensions"]
        name = self.cleaned_data["name"] or name_from(file.name)
        document = bytes(file.read(MAX_BYTES + 1))
        if history:
            document = with_suspensions(document, bytes(history.read(MAX_BYTES + 1)))
        return {"game": self.cleaned_data["game"], "name": name, "document": document}


class EffectsForm(forms.Form):
    """Upload a file of effects, or send again the content that a preview was shown of."""

    document = forms.FileField(
        label=gettext_lazy("Effects file"),
        help_text=gettext_lazy("JSON, at most 2 MiB, as downloaded here."),
        max_length=200,
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    content = forms.CharField(required=False, max_length=MOST_BYTES, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Require a file or its content."""
        data: dict[str, Any] = super().clean() or {}
        if not data.get("document") and not data.get("content"):
            self.add_error("document", _("Choose a file."))
        return data

    @property
    def content_sent(self) -> str:
        """The text of the file. It is read up to one byte beyond the limit, enough to refuse it."""
        file = self.cleaned_data["document"]
        if not file:
            return str(self.cleaned_data["content"])
        return bytes(file.read(MOST_BYTES + 1)).decode("utf-8-sig", errors="replace")
