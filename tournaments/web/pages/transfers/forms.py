"""Forms to import the file of another program."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.archive.services import MAX_UPLOAD
from tournaments.events.models import Event, SavedFormat
from tournaments.events.scoring import SCORING_PRESETS
from tournaments.standings.words import SCHEMES
from tournaments.transfers.contents import ARCHIVE, PLAY_ON, Contents
from tournaments.transfers.making import Settings
from tournaments.web.forms.choices import choice_field
from tournaments.web.pages.events.forms import EventForm

_GOALS = {
    PLAY_ON: gettext_lazy("An event to continue here"),
    ARCHIVE: gettext_lazy("An archive: the event is over and can only be read"),
}
_NOT_ASKED = ("capacity", "kind", "lists", "catalogue")


class TransferForm(forms.Form):
    """Choose a file, or paste what another program has copied."""

    document = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("Up to 8 MiB. The type of file is recognized."),
        required=False,
        allow_empty_file=True,
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste the text"),
        required=False,
        strip=False,
        max_length=MAX_UPLOAD,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false", "class": "code"}),
    )

    def clean(self) -> dict[str, Any]:
        """Require one of the two."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("document") is None and not (data.get("text") or "").strip():
            raise forms.ValidationError(_("Choose a file, or paste a text."))
        return data

    def sent(self) -> bytes:
        """The content of the file, else the pasted text. Read up to one byte beyond the limit, enough to refuse it."""
        if self.cleaned_data["document"] is not None:
            return bytes(self.cleaned_data["document"].read(MAX_UPLOAD + 1))
        return str(self.cleaned_data["text"]).encode()


class GoalForm(forms.Form):
    """What is to be made of a file."""

    goal = forms.ChoiceField(label=gettext_lazy("What to create"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, contents: Contents, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        goals = [(goal, words) for goal, words in _GOALS.items() if goal in contents.goals]
        choice_field(self, "goal").choices = goals
        self.initial.setdefault("goal", goals[0][0] if goals else "")


class BroughtEventForm(EventForm, GoalForm):
    """What the file does not say of its event, or says otherwise."""

    field_order = ("goal", "name", "preset", "game_name", "starts_at", "time_zone", "rounds", "best_of")

    scheme = forms.ChoiceField(
        label=gettext_lazy("Order of the standings"),
        required=False,
        choices=[("", gettext_lazy("Same as in the other program, if known")), *SCHEMES.items()],
    )
    scoring = forms.ChoiceField(
        label=gettext_lazy("Points of a match"),
        required=False,
        choices=[
            ("", gettext_lazy("Same as in the other program, if known")),
            *((preset.id, preset.name) for preset in SCORING_PRESETS.values()),
        ],
    )

    byes = forms.BooleanField(
        label=gettext_lazy("A player without a match in a round had a bye"),
        help_text=gettext_lazy("Byes are not in this file. Unless you tick this, such a round gives no points."),
        required=False,
    )

    def __init__(self, *args: Any, contents: Contents, saved: Iterable[SavedFormat] = (), **kwargs: Any) -> None:
        super().__init__(*args, contents=contents, saved=saved, **kwargs)
        for name in _NOT_ASKED:
            del self.fields[name]
        brought = contents.brought
        if brought is None or all(lost.code != "missing_rounds" for lost in brought.lost):
            del self.fields["byes"]
        if brought is not None and brought.rounds:
            self.fields["rounds"].help_text = _("In total, including those already played.")
            self.fields["rounds"].widget.attrs["min"] = str(len(brought.stages[0].rounds))

    def clean_lists(self) -> None:
        """Not asked for: who comes from another program has no list here yet."""

    def settings(self) -> Settings:
        """What was chosen, as `making.make_event` takes it."""
        names = ("name", "preset", "game_name", "best_of", "rounds", "round_minutes", "starts_at", "time_zone")
        said = {name: self.cleaned_data[name] for name in (*names, "scheme", "scoring")}
        return Settings(**said, byes=bool(self.cleaned_data.get("byes")))


class EntrantsForm(forms.Form):
    """The event that the players of a file enter."""

    event = forms.ChoiceField(label=gettext_lazy("Event"))

    def __init__(self, *args: Any, events: Iterable[Event], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "event").choices = [(event.public_id, event.name) for event in events]
