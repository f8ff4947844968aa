"""Forms for decklists, pools and deck formats."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.face.lists import DeckFormat
from tournaments.decks.services import MAX_TEXT
from tournaments.events.models import Stage
from tournaments.events.services import BOUNDS
from tournaments.web.forms.choices import choice_field
from tournaments.web.words.decks import DECK_FORMATS, RULESETS
from tournaments.web.words.events import POOLS_SHOWN


class DeckFormatForm(forms.Form):
    """Choose the deck format of a stage among the game's (`known`), with the options that the format has."""

    deck_format = forms.ChoiceField(label=gettext_lazy("Deck format"))

    def __init__(self, *args: Any, known: Sequence[DeckFormat], stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = {form.id: form for form in known}
        choice_field(self, "deck_format").choices = [(form.id, DECK_FORMATS.get(form.id, form.id)) for form in known]
        self.fields["deck_format"].initial = stage.deck_format
        for option in {option.id: option for form in known for option in form.options}.values():
            readers = [str(DECK_FORMATS.get(form.id, form.id)) for form in known if option in form.options]
            self.fields[option.id] = forms.ChoiceField(
                label=option.why,
                help_text=" · ".join([option.id, *(readers if len(known) > 1 else ())]),
                choices=list(option.choices.items()),
                initial=stage.deck_options.get(option.id, option.default),
                required=False,
            )
        if stage.event.is_team_event and any(form.limits_teams for form in known):
            self.fields["team_limit"] = _team_limit(stage)

    @property
    def choice(self) -> dict[str, Any]:
        """The chosen format with its own options; the fields of other formats' options are ignored."""
        chosen = self.known[self.cleaned_data["deck_format"]]
        given = {option.id: self.cleaned_data[option.id] for option in chosen.options}
        options = {name: value for name, value in given.items() if value}
        return {"deck_format": chosen.id, "options": options, "team_limit": self.cleaned_data.get("team_limit")}


def _team_limit(stage: Stage) -> forms.IntegerField:
    least, most = BOUNDS["team_deck_limit"]
    return forms.IntegerField(
        label=gettext_lazy("Copies of a card in a team"),
        help_text=gettext_lazy(
            "The most copies of a card that all decks of a team may hold together. Leave blank for no limit."
        ),
        min_value=least,
        max_value=most,
        initial=stage.team_deck_limit,
        required=False,
    )


class RulesetForm(forms.Form):
    """Choose the edition of the rules that the games of an event are played by."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Rules"))

    def __init__(self, *args: Any, known: Sequence[str], chosen: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "ruleset").choices = [(name, RULESETS.get(name, name)) for name in known]
        self.fields["ruleset"].initial = chosen


class PoolsShownForm(forms.Form):
    """Choose who may read the pools of a limited event."""

    shown = forms.ChoiceField(label=gettext_lazy("Who can read the pools"), choices=list(POOLS_SHOWN.items()))


class PoolForm(forms.Form):
    """Type in a pool at the desk."""

    text = forms.CharField(
        label=gettext_lazy("Cards"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("One card per line, such as “2 Card name”. This becomes the version that counts."),
    )


class NameForm(forms.Form):
    """The name of a copied event or a saved format."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)


class DeckForm(forms.Form):
    """Submit a decklist as pasted text or as a text file. If both are given, the file is used."""

    text = forms.CharField(
        label=gettext_lazy("Your list"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=gettext_lazy("Or a text file"), required=False, allow_empty_file=True)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        file = data.get("file")
        if file is not None and file.size > MAX_TEXT:
            raise forms.ValidationError(_("A decklist can have 64 KiB of text at most."), code="deck_too_large")
        if file is None and not data.get("text", "").strip():
            raise forms.ValidationError(_("Paste a list or choose a file."), code="deck_missing")
        data["list"] = file.read() if file is not None else data["text"]
        return data


class OwnPoolForm(DeckForm):
    """Register a pool of cards, in the same forms as a decklist."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = _("Your pool")
