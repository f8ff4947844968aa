"""Forms for judge calls, penalties, reopened decklists and deck checks."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Member
from tournaments.judging.checks import MOST_COPIES, MOST_OTHERS, MOST_TABLES
from tournaments.judging.infractions import LADDER
from tournaments.judging.models import Call
from tournaments.judging.penalties import LONGEST
from tournaments.web.forms.choices import choice_field
from tournaments.web.words.judging import CATEGORIES, INFRACTIONS, LEVELS, MATTERS, WHENS
from tournaments.web.words.labels import labelled


class CallForm(forms.Form):
    """Call a judge, and optionally say what the call is about."""

    matter = forms.ChoiceField(label=gettext_lazy("Reason for the call"), choices=list(MATTERS.items()), required=False)

    def matter_or_refuse(self) -> str:
        """The matter of the call. Raises InvalidInput `matter_unknown`, with the known ones."""
        if not self.is_valid():
            raise InvalidInput(
                "matter_unknown", _("There is no such reason for a call."), details=list(Call.Matter.values)
            )
        return str(self.cleaned_data["matter"])


class ResolveForm(forms.Form):
    """Resolve a call, with a time extension for its table."""

    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=0, max_value=60, required=False)

    def minutes_or_refuse(self) -> int:
        """The minutes, 0 if left blank. Raises InvalidInput `minutes_invalid` beyond 60."""
        if not self.is_valid():
            raise InvalidInput("minutes_invalid", _("Add 1 to 60 minutes."))
        return self.cleaned_data["minutes"] or 0


class TurnForm(forms.Form):
    """The turn after time that a table is playing."""

    turn = forms.IntegerField(min_value=1, max_value=20)

    @property
    def turn_or_none(self) -> int:
        """The turn, or 0 if the input is invalid, which the service then refuses."""
        return self.cleaned_data["turn"] if self.is_valid() else 0


def infraction_choices(proposals: Mapping[str, str] | None = None) -> list[Any]:
    """The infractions as choices by category; with `proposals`, each with the level that the ladder proposes."""
    labels = {
        name: labelled(words, LEVELS[proposals[name]]) if proposals else words for name, words in INFRACTIONS.items()
    }
    return [(CATEGORIES[category], [(name, labels[name]) for name in names]) for category, names in LADDER.items()]


CHOOSE_INFRACTION = gettext_lazy("Choose the infraction.")
NO_INFRACTION = ("", gettext_lazy("– choose the infraction –"))
"""The choice that a form begins with: no infraction is assumed, and without one it is refused."""


class PenaltyForm(forms.Form):
    """Give a penalty. `proposals` are the levels that the ladder proposes for this player, by infraction."""

    infraction = forms.ChoiceField(
        label=gettext_lazy("Infraction"),
        error_messages={"required": CHOOSE_INFRACTION},
        help_text=gettext_lazy("Each infraction shows the penalty proposed for this player."),
    )
    level = forms.ChoiceField(label=gettext_lazy("Penalty"), required=False)
    when = forms.ChoiceField(label=gettext_lazy("Applies to"), choices=list(WHENS.items()))
    game = forms.IntegerField(
        label=gettext_lazy("Game being played"),
        required=False,
        min_value=1,
        max_value=5,
        help_text=gettext_lazy("Leave blank for the first game that nobody has won or lost yet."),
    )
    note = forms.CharField(
        label=gettext_lazy("What happened"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Judges can read it, and it can be erased. Required for a disqualification."),
    )
    acknowledged = forms.BooleanField(required=False, widget=forms.HiddenInput)
    again = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, proposals: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "infraction").choices = [NO_INFRACTION, *infraction_choices(proposals)]
        choice_field(self, "level").choices = level_choices()


class ReopenForm(forms.Form):
    """Reopen a decklist, that of one of the `members` of a team if there are any, with a reason and a penalty."""

    member = forms.ChoiceField(label=gettext_lazy("Player"))
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 2}))
    infraction = forms.ChoiceField(label=gettext_lazy("Infraction"), error_messages={"required": CHOOSE_INFRACTION})
    level = forms.ChoiceField(label=gettext_lazy("Penalty"), required=False)
    when = forms.ChoiceField(label=gettext_lazy("Applies to"), choices=list(WHENS.items()))

    def __init__(self, data: Mapping[str, Any] | None = None, members: Sequence[Member] = ()) -> None:
        super().__init__(data, auto_id="reopen_%s")
        self.members = {member.person.public_id: member for member in members}
        if members:
            choice_field(self, "member").choices = [(key, each.full_name) for key, each in self.members.items()]
        else:
            del self.fields["member"]
        choice_field(self, "infraction").choices = [
            NO_INFRACTION,
            *((name, INFRACTIONS[name]) for name in LADDER["deck"]),
        ]
        choice_field(self, "level").choices = level_choices()

    @property
    def said(self) -> dict[str, Any]:
        """The arguments of `reopen_with_penalty`."""
        return {**self.cleaned_data, "member": self.members.get(self.cleaned_data.get("member", ""))}


def level_choices() -> list[Any]:
    """The penalty levels as choices; the blank one is what the ladder proposes."""
    return [("", _("as proposed")), *LEVELS.items()]


class DrawForm(forms.Form):
    """How many random tables to check."""

    tables = forms.IntegerField(label=gettext_lazy("How many tables"), min_value=1, max_value=MOST_TABLES, initial=1)

    def tables_or_none(self) -> int:
        """The number of tables, or 0 if the input is invalid, which the service then refuses."""
        return self.cleaned_data["tables"] if self.is_valid() else 0


class ChooseForm(forms.Form):
    """The table to check, and in a team match the board if it is only one."""

    table = forms.IntegerField(label=gettext_lazy("Table"), min_value=1, max_value=9999)
    board = forms.IntegerField(label=gettext_lazy("Board"), min_value=1, max_value=99, required=False)

    def table_or_none(self) -> int:
        """The number of the table, or 0 if the input is invalid; no table has that number."""
        return self.cleaned_data["table"] if self.is_valid() else 0

    def board_or_none(self) -> int | None:
        """The number of the board; None for all boards."""
        return self.cleaned_data["board"] if self.is_valid() else None


class CheckForm(forms.Form):
    """The copies counted of each card on a list. A field that is left blank counts as listed.

    The fields are called `card_0`, `card_1`, … in list order, since card references may hold any character.
    """

    def __init__(self, *args: Any, listed: Mapping[str, int], minutes: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names = {card: f"card_{number}" for number, card in enumerate(listed)}
        for card, name in self._names.items():
            self.fields[name] = forms.IntegerField(
                min_value=0, max_value=MOST_COPIES, required=False, initial=listed[card]
            )
        self.fields["others"] = forms.CharField(
            label=_("Cards that are not on the list"), max_length=MOST_OTHERS, required=False
        )
        self.fields["minutes"] = forms.IntegerField(
            label=_("Extra minutes"), min_value=0, max_value=60, required=False, initial=minutes
        )

    def name_of(self, card: str) -> str:
        """The name of the field of a card."""
        return self._names[card]

    def said(self) -> dict[str, Any]:
        """The counts, as arguments of `checks.finish_check`."""
        data = self.cleaned_data
        counted = {card: data[name] for card, name in self._names.items() if data[name] is not None}
        return {"counted": counted, "others": data["others"], "minutes": data["minutes"] or 0}
