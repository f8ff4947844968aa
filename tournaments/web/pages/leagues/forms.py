"""Forms for leagues and for the player book."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.clubs.models import Club
from tournaments.leagues.models import League
from tournaments.leagues.rules import DEFAULT, MAX_BEST, MAX_PLACES, MAX_POINTS
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.players import PlayerField
from tournaments.web.words.leagues import VISIBILITY


class PlacesField(forms.CharField):
    """The points for each place, first place first: whole numbers separated by spaces, commas or semicolons."""

    def prepare_value(self, value: Any) -> Any:
        """The numbers as one line of text."""
        return " ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int]:
        """The numbers as a list."""
        words = re.split(r"[\s,;]+", (super().clean(value) or "").strip())
        found = [word for word in words if word]
        if len(found) > MAX_PLACES or not all(word.isdecimal() and int(word) <= MAX_POINTS for word in found):
            raise forms.ValidationError(
                _("Enter whole numbers from 0 to %(most)d, at most %(places)d of them.")
                % {"most": MAX_POINTS, "places": MAX_PLACES},
                code="places_invalid",
            )
        return [int(word) for word in found]


class LeagueForm(forms.Form):
    """A league: its name, its visibility, and how results at events become points."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can see the league"), choices=[(code, words.long) for code, words in VISIBILITY.items()]
    )
    by_rank = PlacesField(
        label=gettext_lazy("Points by place"),
        help_text=gettext_lazy("From first place on, such as 10 8 6 5. Players who share a place share its points."),
        required=False,
        max_length=400,
    )
    later = forms.IntegerField(
        label=gettext_lazy("Points for every later place"), min_value=0, max_value=MAX_POINTS, initial=0
    )
    per_match_point = forms.IntegerField(
        label=gettext_lazy("Points for each match point"), min_value=0, max_value=MAX_POINTS, initial=0
    )
    attendance = forms.IntegerField(
        label=gettext_lazy("Points for attending"),
        help_text=gettext_lazy("At every event, even if its result does not count."),
        min_value=0,
        max_value=MAX_POINTS,
    )
    best = forms.IntegerField(
        label=gettext_lazy("How many of the best results count"),
        help_text=gettext_lazy("Leave blank for all."),
        min_value=1,
        max_value=MAX_BEST,
        required=False,
    )

    ratings = forms.BooleanField(
        label=gettext_lazy("Rate the players (Glicko-2), in the order of the events"), required=False
    )

    club = forms.ChoiceField(
        label=gettext_lazy("Club"),
        help_text=gettext_lazy("Its owners and organizers manage the league with you."),
        required=False,
    )

    def __init__(
        self, data: Mapping[str, Any] | None, *, league: League | None = None, clubs: Iterable[Club] = ()
    ) -> None:
        kept: Mapping[str, Any] = {"name": league.name, "visibility": league.visibility} if league else {}
        own = league.club if league else None
        initial = {**DEFAULT, **(league.rules if league else {}), **kept, "club": own.public_id if own else ""}
        super().__init__(data, initial=initial)
        offered = dict.fromkeys([*clubs, *([own] if own else [])])
        choice_field(self, "club").choices = [("", _("None")), *((club.public_id, club.name) for club in offered)]
        if not offered:
            del self.fields["club"]


class AddEventForm(forms.Form):
    """Add one of the organizer's events that is not in the league yet."""

    event = forms.ChoiceField(label=gettext_lazy("Event"))

    def __init__(self, *args: Any, events: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "event").choices = [("", "–"), *events]


class BookEntryForm(forms.Form):
    """The organizer's private name and notes for a player."""

    name = forms.CharField(
        label=gettext_lazy("Your name for this player"),
        help_text=gettext_lazy("Only you can see it. Leave blank to use the name that the player shows."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    notes = forms.CharField(
        label=gettext_lazy("Your notes"),
        help_text=gettext_lazy("A player who asks for all data stored about them can read this too."),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class MergeForm(forms.Form):
    """Choose the other entry of the book that is the same player."""

    other = PlayerField(label=gettext_lazy("The same player as"))

    def __init__(self, *args: Any, players: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "other").choices = [("", "–"), *players]
