"""Forms for card catalogues."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

import engine
from tournaments.decks.catalogues import MAX_BYTES, name_from
from tournaments.web.forms.choices import choice_field


class CardsForm(forms.Form):
    """Upload a card list for a preview."""

    game = forms.ChoiceField(label=gettext_lazy("Game"))
    document = forms.FileField(
        label=gettext_lazy("List of cards"),
        help_text=gettext_lazy("CSV or JSON, at most 8 MiB and 20,000 cards."),
        max_length=200,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.json,text/csv,application/json"}),
    )
    name = forms.RegexField(
        r"^[0-9a-z][0-9a-z.-]{0,63}$",
        label=gettext_lazy("Short name"),
        help_text=gettext_lazy("Small letters, digits, dots and hyphens. Empty: from the name of the file."),
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "game").choices = sorted((game, game.replace("-", " ").title()) for game in engine.games())

    @property
    def sent(self) -> dict[str, Any]:
        """The arguments for the service. The file is read up to one byte beyond the limit, enough to refuse it."""
        file = self.cleaned_data["document"]
        name = self.cleaned_data["name"] or name_from(file.name)
        return {"game": self.cleaned_data["game"], "name": name, "document": bytes(file.read(MAX_BYTES + 1))}
