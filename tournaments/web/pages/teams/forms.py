"""Forms of team events."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.events.models import Entrant, Event
from tournaments.events.services import BOUNDS
from tournaments.events.teams import in_order
from tournaments.web.forms.questions import QuestionsForm
from tournaments.web.words.events import TEAM_PLAYS

BOARD = "board_"


class TeamSettingsForm(forms.Form):
    """How teams play an event, as `events.teams` takes it."""

    team_size = forms.IntegerField(
        label=gettext_lazy("Players of a team"),
        help_text=gettext_lazy("1 if everybody plays alone, at most 5."),
        min_value=BOUNDS["team_size"][0],
        max_value=BOUNDS["team_size"][1],
    )
    team_play = forms.ChoiceField(
        label=gettext_lazy("How they play"), choices=TEAM_PLAYS.items, widget=forms.RadioSelect
    )
    substitutes = forms.IntegerField(
        label=gettext_lazy("Substitutes that a team may have"),
        help_text=gettext_lazy("They take the board of a member between two rounds."),
        min_value=BOUNDS["substitutes"][0],
        max_value=BOUNDS["substitutes"][1],
    )


class TeamListForm(forms.Form):
    """Teams to enter at the desk, one a line."""

    teams = forms.CharField(
        label=gettext_lazy("Teams"),
        help_text=gettext_lazy(
            "One team on each line, such as “Foxes: Ann Lee, Bob Moss, Cy Dale”. The first player is the captain."
        ),
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 6}),
    )


class TeamNameForm(forms.Form):
    """The name of a team."""

    name = forms.CharField(label=gettext_lazy("Name of the team"), max_length=80)


class MemberForm(forms.Form):
    """The name of somebody without an account whom the desk adds to a team."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=160)


class LineupForm(forms.Form):
    """Who sits at each board: fields `board_1`, `board_2`, …; `full` names for the desk."""

    def __init__(self, *args: Any, event: Event, team: Entrant, full: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = in_order(team)
        choices = [(member.person.public_id, member.full_name if full else member.name) for member in members]
        for number in range(1, min(event.team_size, len(members)) + 1):
            now = next((member.person.public_id for member in members if member.board == number), "")
            self.fields[f"{BOARD}{number}"] = forms.ChoiceField(
                label=_("Board %(number)d") % {"number": number}, choices=choices, initial=now
            )

    @property
    def boards(self) -> list[str]:
        """The public ids of the persons, from board 1 on."""
        return [self.cleaned_data[name] for name in self.fields]


class RegisterTeamForm(QuestionsForm):
    """What registration asks of the captain of a team: its name, and the questions of the event."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = forms.CharField(label=_("Name of the team"), max_length=80)
        self.fields = {"team_name": name, **self.fields}
