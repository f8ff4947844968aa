"""Forms for clubs, their staff, venues, series of events and conventions."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.clubs.models import Club, Convention
from tournaments.clubs.series import MOST
from tournaments.clubs.services import LONGEST_ABOUT, MOST_MONTHS
from tournaments.events.zones import choices as zone_choices
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.moments import day_field, moment_field
from tournaments.web.words.clubs import EVERY, ROLES

NAME = forms.TextInput(attrs={"autocomplete": "off"})


class ClubForm(forms.Form):
    """A club: what everybody reads about it, and how long its head judges see penalties."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, widget=NAME)
    place = forms.CharField(label=gettext_lazy("Town"), max_length=120, required=False)
    about = forms.CharField(
        label=gettext_lazy("About the club"),
        help_text=gettext_lazy("You can use Markdown."),
        max_length=LONGEST_ABOUT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    contact = forms.CharField(
        label=gettext_lazy("Contact"),
        help_text=gettext_lazy("Anyone can read it."),
        max_length=200,
        required=False,
    )
    link = forms.URLField(label=gettext_lazy("Website"), max_length=300, required=False, assume_scheme="https")
    penalty_months = forms.IntegerField(
        label=gettext_lazy("Share penalties for (months)"),
        help_text=gettext_lazy(
            "Head judges of the club’s events then see the penalties that a player was given at its other events. "
            "With 0 they see none. Tell your players; the club page and the privacy page also say so."
        ),
        min_value=0,
        max_value=MOST_MONTHS,
        initial=0,
    )

    def __init__(self, data: Mapping[str, Any] | None, *, club: Club | None = None) -> None:
        kept = {name: getattr(club, name) for name in self.base_fields} if club else None
        super().__init__(data, initial=kept)


class RoleForm(forms.Form):
    """Give an account a role in the club."""

    email = forms.EmailField(label=gettext_lazy("E-mail address of the account"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=list(ROLES.items())[::-1])


class HandOverForm(forms.Form):
    """Hand the club over to another account."""

    email = forms.EmailField(label=gettext_lazy("E-mail address of the new owner"))
    stay = forms.BooleanField(label=gettext_lazy("Stay on as an organizer"), required=False, initial=True)


class VenueForm(forms.Form):
    """A venue with its tables."""

    name = forms.CharField(label=gettext_lazy("Name and address"), max_length=120, widget=NAME)
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), required=False)
    hall = forms.CharField(
        label=gettext_lazy("Tables"),
        help_text=gettext_lazy("As ranges, such as 1-40. Leave blank if the tables have no numbers of their own."),
        max_length=200,
        required=False,
    )

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        choice_field(self, "time_zone").choices = [("", _("Same as this site")), *zone_choices("")]


class ClubEventForm(forms.Form):
    """Add one of the reader's own events to the club."""

    event = forms.ChoiceField(label=gettext_lazy("Event"))

    def __init__(self, data: Mapping[str, Any] | None = None, *, events: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        choice_field(self, "event").choices = [("", "–"), *events]


class SeriesForm(forms.Form):
    """Make a series of draft events from an event of the club."""

    template = forms.ChoiceField(
        label=gettext_lazy("Copy the settings of"),
        help_text=gettext_lazy("Format, rounds, places, questions and times are copied. Players are not."),
    )
    first = moment_field(
        gettext_lazy("Start of the first event"), gettext_lazy("In the time zone of that event."), required=True
    )
    every = forms.ChoiceField(label=gettext_lazy("How often"), choices=list(EVERY.items()))
    count = forms.IntegerField(label=gettext_lazy("How many events"), min_value=1, max_value=MOST, initial=10)

    def __init__(self, data: Mapping[str, Any] | None = None, *, events: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        choice_field(self, "template").choices = [("", "–"), *events]


class ConventionForm(forms.Form):
    """A convention: its days, place and hall."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, widget=NAME)
    first_day = day_field(gettext_lazy("First day"), required=True)
    last_day = day_field(gettext_lazy("Last day"), required=True)
    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120, required=False)
    hall = forms.CharField(
        label=gettext_lazy("Tables of the hall"),
        help_text=gettext_lazy("As ranges, such as 1-120. The events share them."),
        max_length=200,
        required=False,
    )
    about = forms.CharField(
        label=gettext_lazy("About the convention"),
        help_text=gettext_lazy("You can use Markdown."),
        max_length=LONGEST_ABOUT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    is_public = forms.BooleanField(
        label=gettext_lazy("Show it to everybody"),
        help_text=gettext_lazy("Until then only the club’s staff can see it."),
        required=False,
    )

    def __init__(
        self, data: Mapping[str, Any] | None, *, convention: Convention | None = None, initial: Any = None
    ) -> None:
        kept = {name: getattr(convention, name) for name in self.base_fields} if convention else initial
        super().__init__(data, initial=kept)
