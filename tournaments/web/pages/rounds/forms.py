"""Forms for a round: clock, draft, manual edits and confirmation."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.refusals import InvalidInput
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.players import PlayerField


class MinutesForm(forms.Form):
    """A time extension for all tables, or for one."""

    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=1, max_value=60, initial=5)

    def minutes_or_refuse(self) -> int:
        """The minutes. Raises InvalidInput `minutes_invalid` unless they are between 1 and 60."""
        if not self.is_valid():
            raise InvalidInput("minutes_invalid", _("Add 1 to 60 minutes."))
        return int(self.cleaned_data["minutes"])


class DraftStepForm(forms.Form):
    """Set a draft to a step."""

    step = forms.IntegerField(min_value=1, max_value=1000)

    def step_or_refuse(self) -> int:
        """The number of the step. Raises InvalidInput `draft_step` if it is not a possible number."""
        if not self.is_valid():
            raise InvalidInput("draft_step", _("This draft has no such step."))
        return int(self.cleaned_data["step"])


class FollowForm(MinutesForm):
    """Minutes until the clock of the next round starts."""

    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=0, max_value=60, initial=3)

    def minutes_or_refuse(self) -> int:
        """The minutes. Raises InvalidInput `minutes_invalid` unless they are between 0 and 60."""
        if not self.is_valid():
            raise InvalidInput("minutes_invalid", _("The clock can start at once or in up to 60 minutes."))
        return int(self.cleaned_data["minutes"])


class EditForm(forms.Form):
    """A manual edit of draft pairings: choose one or two of the seated players."""

    first = PlayerField(label=gettext_lazy("Player"))
    second = PlayerField(label=gettext_lazy("and"), required=False)

    def __init__(self, *args: Any, players: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields:
            choice_field(self, name).choices = [("", "–"), *players]


class TypedNumberForm(forms.Form):
    """Confirm an action that affects others by typing the number of the round."""

    number = forms.IntegerField(min_value=1)

    def check(self, round_number: int) -> None:
        """Raise InvalidInput `confirmation_wrong` unless the number of the round was typed."""
        if not self.is_valid() or self.cleaned_data["number"] != round_number:
            raise InvalidInput("confirmation_wrong", _("Type the number of the round as shown on the page."))
