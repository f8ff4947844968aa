"""Form for searching events."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

import engine
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.moments import day_field


class SearchForm(forms.Form):
    """Search events by words in name, place or game, by game, and by the day of the start."""

    find = forms.CharField(label=gettext_lazy("Name, place or game"), max_length=80, required=False)
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    since = day_field(pgettext_lazy("a day", "From"))
    until = day_field(pgettext_lazy("a day", "To"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = sorted((game, game.replace("-", " ").title()) for game in engine.games())
        choice_field(self, "game").choices = [("", pgettext_lazy("games", "All")), *games]
