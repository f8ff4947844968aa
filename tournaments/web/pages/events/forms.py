"""Forms for an event: creation, details, start, cancellation, card catalogue, staff and stages."""

import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.clubs.models import Club
from tournaments.common.moments import local, zone_named
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.models import Catalogue
from tournaments.decks.selectors import Choice
from tournaments.events.embedding import LONGEST_SITE, MOST_SITES
from tournaments.events.models import Event, SavedFormat, StaffRole
from tournaments.events.presets import PRESETS
from tournaments.events.stages import AFTER_CUT, COUNTED, OPTIONS
from tournaments.events.starts import check_start
from tournaments.events.zones import choices
from tournaments.play.services.details import MAX_DESCRIPTION, lists_choices
from tournaments.web.context import LANGUAGE_NAMES
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.moments import moment_field
from tournaments.web.words.events import LISTS, ROLES
from tournaments.web.words.stages import STRUCTURES

MOMENTS = ("starts_at", "registration_opens_at", "registration_closes_at", "lists_due_at")


def _past_field() -> forms.BooleanField:
    return forms.BooleanField(label=gettext_lazy("Yes, the event starts in the past"), required=False)


def _ask_about_past(form: forms.Form, now: datetime | None, before: datetime | None = None) -> None:
    """Ask about a start in the past with a box to tick, which the form only has then. Without `now`, never ask."""
    data = form.cleaned_data
    acknowledged = data.pop("acknowledged", False)
    try:
        if now is not None:
            check_start(data.get("starts_at"), now=now, zone=data.get("time_zone", ""), before=before)
        del form.fields["acknowledged"]
    except Refusal as refusal:
        if not acknowledged:
            form.add_error("acknowledged", str(refusal.message))


class EventForm(forms.Form):
    """Create an event: a name, a preset or saved format, and what differs from it.

    With `now`, it asks about a start in the past.
    """

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    preset = forms.ChoiceField(label=gettext_lazy("Format"))
    starts_at = moment_field(gettext_lazy("Start"))
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("All times of the event are shown in this zone."),
        required=False,
        widget=forms.Select(attrs={"data-propose-zone": ""}),
    )
    acknowledged = _past_field()
    capacity = forms.IntegerField(
        label=gettext_lazy("Places"),
        help_text=gettext_lazy("Leave blank for no limit. Extra players join the waiting list."),
        required=False,
        min_value=2,
        max_value=5000,
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy("Leave blank to use the format’s number, or to have one proposed at the start."),
        required=False,
        min_value=1,
        max_value=30,
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games per match"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[
            ("", gettext_lazy("Same as in the format")),
            ("1", gettext_lazy("One game")),
            ("3", gettext_lazy("Best of 3")),
            ("5", gettext_lazy("Best of 5")),
        ],
    )
    round_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes per round"),
        help_text=gettext_lazy("Leave blank to use the format’s."),
        required=False,
        min_value=5,
        max_value=240,
    )

    game_name = forms.CharField(
        label=gettext_lazy("Game"),
        help_text=gettext_lazy("Only for the format “Another game”: lists are not checked and logs are not audited."),
        required=False,
        max_length=80,
    )

    kind = forms.TypedChoiceField(
        label=gettext_lazy("Structure of the first stage"),
        help_text=gettext_lazy("You can add and change stages later, on the desk’s Stages page."),
        empty_value=None,
        required=False,
        choices=[("", gettext_lazy("Same as in the format")), *STRUCTURES.items()],
    )

    lists = forms.ChoiceField(
        label=gettext_lazy("Decklists"),
        required=False,
        choices=[("", gettext_lazy("Same as in the format")), *LISTS.items()],
    )

    catalogue = forms.ChoiceField(
        label=gettext_lazy("Card catalogue"),
        help_text=gettext_lazy(
            "Decklists are read with this catalogue. “The newest” is your own if you have one, or else "
            "the operator’s, or else the demonstration catalogue of invented cards."
        ),
        required=False,
    )

    club = forms.ChoiceField(
        label=gettext_lazy("Club"),
        help_text=gettext_lazy("The club’s staff have the same roles at this event."),
        required=False,
    )

    def clean_lists(self) -> str | None:
        """The choice, or None to leave it to the format."""
        return self.cleaned_data["lists"] or None

    def __init__(
        self,
        *args: Any,
        saved: Iterable[SavedFormat] = (),
        catalogues: Iterable[Catalogue] = (),
        clubs: Iterable[Club] = (),
        now: datetime | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.now = now
        if not self.is_bound:
            del self.fields["acknowledged"]
        managed = [(club.public_id, club.name) for club in clubs]
        choice_field(self, "club").choices = [("", _("None: it is my own event")), *managed]
        if not managed:
            del self.fields["club"]
        choices = [(row.sha256, _named(row)) for row in catalogues]
        choice_field(self, "catalogue").choices = [("", _("The newest for the game")), *choices]
        shipped = [(preset.id, preset.name) for preset in PRESETS.values()]
        own = [(kept.public_id, kept.name) for kept in saved]
        choice_field(self, "preset").choices = [*shipped, (_("My formats"), own)] if own else shipped
        choice_field(self, "time_zone").choices = _zones()

    def clean(self) -> dict[str, Any]:
        """Interpret the start in the event's time zone, whatever zone Django has read it in."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("starts_at"):
            data["starts_at"] = localtime(data["starts_at"]).replace(tzinfo=_zone(data.get("time_zone", "")))
        _ask_about_past(self, self.now)
        return data


def _named(row: Catalogue) -> str:
    named = {"game": row.game.replace("-", " ").title(), "catalog": row.catalog, "version": row.version}
    words = ngettext(
        "%(game)s: %(catalog)s, version %(version)d, %(cards)d card",
        "%(game)s: %(catalog)s, version %(version)d, %(cards)d cards",
        row.cards,
    )
    return words % {**named, "cards": row.cards}


class DetailsForm(forms.Form):
    """The details of an event. All times are entered in the event's time zone.

    With `now`, it asks about a new start in the past.
    """

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    capacity = forms.IntegerField(
        label=gettext_lazy("Places"),
        help_text=gettext_lazy(
            "Leave blank for no limit. If you add places, they go to the players who have waited "
            "longest. If you take some away, nobody is removed."
        ),
        required=False,
        min_value=1,
        max_value=5000,
    )
    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120, required=False)
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("Times on this page, and the start of the event, are in this zone."),
        required=False,
    )
    starts_at = moment_field(gettext_lazy("Start"))
    acknowledged = _past_field()
    registration_opens_at = moment_field(
        gettext_lazy("Registration opens"), gettext_lazy("Leave blank to open it as soon as the event is public.")
    )
    registration_closes_at = moment_field(
        gettext_lazy("Registration closes"),
        gettext_lazy("For players; the desk can add people until round 1 is paired. Leave blank for no limit."),
    )
    lists = forms.ChoiceField(
        label=gettext_lazy("Decklists"),
        help_text=gettext_lazy("Optional lists are still checked when they are submitted."),
        required=False,
    )
    lists_due_at = moment_field(
        gettext_lazy("Decklists due"),
        gettext_lazy("Players cannot change their lists after that; the desk still can, until lists are locked."),
    )
    fee = forms.CharField(
        label=gettext_lazy("Note on the entry fee"),
        help_text=gettext_lazy(
            "Shown with the price, such as “Cash at the desk” or “Free under 16”. Set the price in the procedures."
        ),
        max_length=120,
        required=False,
    )
    link = forms.URLField(
        label=gettext_lazy("Link"),
        help_text=gettext_lazy("Another page about the event."),
        max_length=300,
        required=False,
        assume_scheme="https",
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        help_text=gettext_lazy(
            "Shown on the event’s page. You can use Markdown: **bold**, # heading, - list, [link](https://…)."
        ),
        max_length=MAX_DESCRIPTION,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10}),
    )

    def __init__(self, data: Mapping[str, Any] | None, *, event: Event, now: datetime | None = None) -> None:
        zone = _zone(event.time_zone)
        moments = {name: getattr(event, name) for name in MOMENTS}
        plain = ("name", "capacity", "place", "time_zone", "lists", "fee", "link", "description")
        initial = {
            **{name: getattr(event, name) for name in plain},
            **{name: f"{local(at, zone):%Y-%m-%dT%H:%M}" if at else "" for name, at in moments.items()},
        }
        super().__init__(data, initial=initial)
        if event.is_team_event:
            self.fields["capacity"].label = _("Places for teams")
            self.fields["capacity"].help_text = _(
                "Leave blank for no limit. If you add places, they go to the teams that have waited longest. If you "
                "take some away, no team is removed."
            )
        self.event, self.now = event, now
        if not self.is_bound:
            del self.fields["acknowledged"]
        choice_field(self, "time_zone").choices = _zones(event.time_zone)
        choice_field(self, "lists").choices = [(choice, LISTS[choice]) for choice in lists_choices(event)]

    def clean(self) -> dict[str, Any]:
        """Interpret the times in the event's time zone, whatever zone Django has read them in."""
        data: dict[str, Any] = super().clean() or {}
        data["lists"] = data.get("lists") or self.event.lists
        zone = _zone(data.get("time_zone", ""))
        for name in MOMENTS:
            if data.get(name):
                data[name] = localtime(data[name]).replace(tzinfo=zone)
        _ask_about_past(self, self.now, before=self.event.starts_at)
        return data


def _zones(chosen: str = "") -> list[tuple[str, Any]]:
    return [("", _("Time zone of this site: %(zone)s") % {"zone": settings.TIME_ZONE}), *choices(chosen)]


def _zone(name: str) -> zoneinfo.ZoneInfo:
    return zone_named(name)


class SitesForm(forms.Form):
    """The sites that may embed the event, one a line."""

    sites = forms.CharField(
        label=gettext_lazy("Sites that may embed this event"),
        help_text=gettext_lazy(
            "One address per line, such as https://club.example; at most ten. Leave blank for none."
        ),
        required=False,
        max_length=MOST_SITES * (LONGEST_SITE + 2),
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false", "autocapitalize": "off"}),
    )


class WidgetForm(forms.Form):
    """How a widget looks in the frame of another site."""

    language = forms.ChoiceField(
        label=gettext_lazy("Language"), required=False, choices=[("", gettext_lazy("The visitor’s")), *LANGUAGE_NAMES]
    )
    theme = forms.ChoiceField(
        label=gettext_lazy("Colours"),
        required=False,
        choices=[
            ("", gettext_lazy("Same as the visitor’s device")),
            ("light", gettext_lazy("Light")),
            ("dark", gettext_lazy("Dark")),
        ],
    )
    rows = forms.IntegerField(
        label=gettext_lazy("Rows"),
        help_text=gettext_lazy("How many to show. Leave blank for 100."),
        required=False,
        min_value=1,
        max_value=500,
    )


class StartForm(forms.Form):
    """Start the event while some entrants are not ready.

    The number of entrants to drop has to be typed, so that nobody is dropped who was still ready when the page was
    loaded.
    """

    dropped = forms.IntegerField(required=False, min_value=0)

    def drops(self, absent: int) -> bool:
        """Whether to drop the absent entrants: no if the field is blank.

        Raises InvalidInput `confirmation_wrong` if the number that was typed is not `absent`.
        """
        number = self.cleaned_data["dropped"] if self.is_valid() else None
        if self.is_valid() and number is None:
            return False
        if number != absent:
            raise InvalidInput("confirmation_wrong", _("Type the number of entrants to drop, as shown on the page."))
        return absent > 0


class CancelForm(forms.Form):
    """Cancel an event; its name has to be typed to confirm."""

    name = forms.CharField(max_length=120)
    reason = forms.CharField(max_length=500, required=False)


class CatalogueForm(forms.Form):
    """Choose the card catalogue of an event, by the digest of its content."""

    sha256 = forms.ChoiceField(label=gettext_lazy("Card catalogue"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, choices: Sequence[Choice], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "sha256").choices = [(choice.sha256, self._words(choice)) for choice in choices]
        self.fields["sha256"].initial = next((choice.sha256 for choice in choices if choice.chosen), None)

    @staticmethod
    def _words(choice: Choice) -> str:
        if not choice.version:
            words = ngettext(
                "%(catalog)s, the demonstration: %(cards)d invented card",
                "%(catalog)s, the demonstration: %(cards)d invented cards",
                choice.cards,
            )
        elif choice.own:
            words = ngettext(
                "%(catalog)s, version %(version)d, your own: %(cards)d card",
                "%(catalog)s, version %(version)d, your own: %(cards)d cards",
                choice.cards,
            )
        else:
            words = ngettext(
                "%(catalog)s, version %(version)d: %(cards)d card",
                "%(catalog)s, version %(version)d: %(cards)d cards",
                choice.cards,
            )
        return words % {"catalog": choice.catalog, "version": choice.version, "cards": choice.cards}


# In the order of the form: judges first, as most of a team are.
ROLES_GIVEN = (
    *(role for role in reversed(StaffRole.Role.values) if role != StaffRole.Role.SCRIBE),
    StaffRole.Role.SCRIBE,
)


def _scribes_table() -> forms.IntegerField:
    return forms.IntegerField(
        label=gettext_lazy("Table"),
        help_text=gettext_lazy("For scribes only. Leave blank for every table."),
        min_value=1,
        max_value=9999,
        required=False,
    )


class GrantForm(forms.Form):
    """Give a role to an account, by its e-mail address."""

    email = forms.EmailField(label=gettext_lazy("E-mail address of the account"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=[(role, ROLES[role]) for role in ROLES_GIVEN])
    table = _scribes_table()


class HandOverForm(forms.Form):
    """Make another account the owner of the event."""

    email = forms.EmailField(label=gettext_lazy("E-mail address of the new owner’s account"))
    stay = forms.BooleanField(label=gettext_lazy("Stay on as an organizer"), required=False, initial=True)

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="hand_over_%s")


class InviteForm(forms.Form):
    """Create an invitation link for a role, and e-mail it if an address is given."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=[(role, ROLES[role]) for role in ROLES_GIVEN])
    table = _scribes_table()
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        help_text=gettext_lazy("Leave blank to pass the link on yourself."),
        required=False,
    )

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="invite_%s")


class StageForm(forms.Form):
    """The settings of a stage, with the fields of all structures; those of other structures are ignored."""

    kind = forms.ChoiceField(label=gettext_lazy("Structure"), choices=list(STRUCTURES.items()))
    rounds_planned = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy(
            "For Swiss rounds, draft pods and multiplayer tables. Leave blank to have it proposed at the start."
        ),
        required=False,
        min_value=1,
        max_value=30,
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games per match"),
        coerce=int,
        choices=[("1", gettext_lazy("One game")), ("3", gettext_lazy("Best of 3")), ("5", gettext_lazy("Best of 5"))],
    )
    round_minutes = forms.IntegerField(label=gettext_lazy("Minutes per round"), min_value=1, max_value=600)
    cut_top = forms.IntegerField(
        label=gettext_lazy("How many players qualify"),
        help_text=gettext_lazy("From the top of the standings. Leave blank for all players."),
        required=False,
        min_value=2,
        max_value=1024,
    )
    cut_points = forms.IntegerField(
        label=gettext_lazy("Points needed to qualify"), required=False, min_value=0, max_value=1000
    )
    seed_chooses = forms.BooleanField(label=gettext_lazy("The higher seed chooses who starts"), required=False)
    third_place = forms.BooleanField(
        label=gettext_lazy("Single elimination: play a match for third place"), required=False
    )
    reset = forms.BooleanField(
        label=gettext_lazy("Double elimination: the grand final may be played again"), required=False, initial=True
    )
    twice = forms.BooleanField(label=gettext_lazy("Round robin: everybody meets twice"), required=False)
    pod_size = forms.IntegerField(label=gettext_lazy("Players in a draft pod"), min_value=6, max_value=11, initial=8)
    table_size = forms.IntegerField(
        label=gettext_lazy("Players at a multiplayer table"), min_value=3, max_value=5, initial=4
    )

    def __init__(self, *args: Any, first: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if first:  # everybody plays the first stage, so there is no cut before it
            for name in AFTER_CUT:
                del self.fields[name]

    @property
    def wanted(self) -> dict[str, Any]:
        """The settings that the chosen structure uses."""
        data = self.cleaned_data
        names = ["kind", "best_of", "round_minutes", *OPTIONS[data["kind"]]]
        names += ["rounds_planned"] if data["kind"] in COUNTED else []
        return {name: data[name] for name in (*names, *AFTER_CUT) if name in data}
