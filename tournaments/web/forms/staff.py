"""Forms of the staff pages."""

import zoneinfo
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import DeckFormat
from tournaments.decks.selectors import Choice
from tournaments.events.entry_files import ENCODINGS, MAX_BYTES, reading_of_names
from tournaments.events.models import Event, SavedFormat, StaffRole, Stage
from tournaments.events.presets import PRESETS
from tournaments.events.stages import AFTER_CUT, COUNTED, OPTIONS
from tournaments.events.zones import choices
from tournaments.play.models import Match
from tournaments.play.services.details import MAX_DESCRIPTION, lists_choices
from tournaments.play.services.results import STAFF_KINDS
from tournaments.web.forms.places import place_fields, places_in
from tournaments.web.forms.players import PlayerField
from tournaments.web.words import (
    DECK_FORMATS,
    IMPORT_DELIMITERS,
    IMPORT_FIELDS,
    KINDS,
    LISTS,
    POOLS_SHOWN,
    ROLES,
    STRUCTURES,
)

MOMENTS = ("starts_at", "registration_opens_at", "registration_closes_at", "lists_due_at")


def _moment(label: Any, help_text: Any = "") -> forms.DateTimeField:
    """A day and a time of the clock."""
    return forms.DateTimeField(
        label=label,
        help_text=help_text,
        required=False,
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )


class EventForm(forms.Form):
    """A new event: a preset, a name, and what differs from the preset."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    preset = forms.ChoiceField(label=gettext_lazy("Format"))
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Start"),
        required=False,
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("All times of the event are shown in this zone."),
        required=False,
        widget=forms.Select(attrs={"data-propose-zone": ""}),
    )
    capacity = forms.IntegerField(
        label=gettext_lazy("Places"),
        help_text=gettext_lazy("Empty: no limit. Who comes later waits."),
        required=False,
        min_value=2,
        max_value=5000,
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy("Empty: as the format says, or proposed from the number of entrants at the start."),
        required=False,
        min_value=1,
        max_value=30,
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games in a match"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[
            ("", gettext_lazy("As the format says")),
            ("1", gettext_lazy("One game")),
            ("3", gettext_lazy("Best of 3")),
            ("5", gettext_lazy("Best of 5")),
        ],
    )
    round_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes in a round"),
        help_text=gettext_lazy("Empty: as the format says."),
        required=False,
        min_value=5,
        max_value=240,
    )

    game_name = forms.CharField(
        label=gettext_lazy("Game"),
        help_text=gettext_lazy("For the format “Another game” alone: lists are kept unchecked, and no log is audited."),
        required=False,
        max_length=80,
    )

    kind = forms.TypedChoiceField(
        label=gettext_lazy("Structure of the first stage"),
        help_text=gettext_lazy("Stages are added and changed on the page Stages of the desk."),
        empty_value=None,
        required=False,
        choices=[("", gettext_lazy("As the format says")), *STRUCTURES.items()],
    )

    lists = forms.ChoiceField(
        label=gettext_lazy("Decklists"),
        required=False,
        choices=[("", gettext_lazy("As the format says")), *LISTS.items()],
    )

    def clean_lists(self) -> str | None:
        """What is chosen; None for what the format says."""
        return self.cleaned_data["lists"] or None

    def __init__(self, *args: Any, saved: Sequence[SavedFormat] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shipped = [(preset.id, preset.name) for preset in PRESETS.values()]
        own = [(kept.public_id, kept.name) for kept in saved]
        self.fields["preset"].choices = [*shipped, (_("My formats"), own)] if own else shipped
        self.fields["time_zone"].choices = _zones()

    def clean(self) -> dict[str, Any]:
        """The start as an instant: what was typed is the time on the clocks of the place."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("starts_at"):
            data["starts_at"] = localtime(data["starts_at"]).replace(tzinfo=_zone(data.get("time_zone", "")))
        return data


class DetailsForm(forms.Form):
    """Name, places, where and when: the start is read in the time zone of the place."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    capacity = forms.IntegerField(
        label=gettext_lazy("Places"),
        help_text=gettext_lazy("Empty: no limit. More places let in who waits longest; fewer take nobody out."),
        required=False,
        min_value=1,
        max_value=5000,
    )
    place = forms.CharField(label=gettext_lazy("Place"), max_length=120, required=False)
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("Times of this page, and of the event’s start, are those of this zone."),
        required=False,
    )
    starts_at = _moment(gettext_lazy("Start"))
    registration_opens_at = _moment(
        gettext_lazy("Registration opens"), gettext_lazy("Leave blank to open it as soon as the event is public.")
    )
    registration_closes_at = _moment(
        gettext_lazy("Registration closes"),
        gettext_lazy("For players; the desk can add people until round 1 is paired. Leave blank for no time."),
    )
    lists = forms.ChoiceField(
        label=gettext_lazy("Decklists"),
        help_text=gettext_lazy("Optional lists are still checked when handed in."),
        required=False,
    )
    lists_due_at = _moment(
        gettext_lazy("Decklists due"),
        gettext_lazy("Players cannot change their lists after that; the desk still can, until lists are locked."),
    )
    fee = forms.CharField(
        label=gettext_lazy("Entry fee"),
        help_text=gettext_lazy("In your own words, such as “10 €, free under 16”."),
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

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        zone = _zone(event.time_zone)
        moments = {name: getattr(event, name) for name in MOMENTS}
        plain = ("name", "capacity", "place", "time_zone", "lists", "fee", "link", "description")
        initial = {
            **{name: getattr(event, name) for name in plain},
            **{name: f"{at.astimezone(zone):%Y-%m-%dT%H:%M}" if at else "" for name, at in moments.items()},
        }
        super().__init__(*args, initial=initial, **kwargs)
        self.event = event
        self.fields["time_zone"].choices = _zones(event.time_zone)
        self.fields["lists"].choices = [(choice, LISTS[choice]) for choice in lists_choices(event)]

    def clean(self) -> dict[str, Any]:
        """The times as instants: what was typed is the time on the clocks of the place."""
        data: dict[str, Any] = super().clean() or {}
        data["lists"] = data.get("lists") or self.event.lists
        zone = _zone(data.get("time_zone", ""))
        for name in MOMENTS:
            if data.get(name):
                data[name] = localtime(data[name]).replace(tzinfo=zone)
        return data


def _zones(chosen: str = "") -> list[tuple[str, Any]]:
    return [("", _("That of this site: %(zone)s") % {"zone": settings.TIME_ZONE}), *choices(chosen)]


def _zone(name: str) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(name or settings.TIME_ZONE)


class StartForm(forms.Form):
    """Starting while some are not ready: their number is typed, so that nobody more is dropped than was meant."""

    dropped = forms.IntegerField(required=False, min_value=0)

    def drops(self, absent: int) -> bool:
        """Whether the absent are to be dropped; refused when the number typed is not theirs."""
        number = self.cleaned_data["dropped"] if self.is_valid() else None
        if self.is_valid() and number is None:
            return False
        if number != absent:
            raise InvalidInput(
                "confirmation_wrong", _("Type the number of entrants who are dropped, as the page shows it.")
            )
        return absent > 0


class CancelForm(forms.Form):
    """Cancelling an event: its name is typed again."""

    name = forms.CharField(max_length=120)
    reason = forms.CharField(max_length=500, required=False)


class WalkInForm(forms.Form):
    """A person without an account."""

    given_name = forms.CharField(label=gettext_lazy("First name or nickname"), max_length=80)
    family_name = forms.CharField(label=gettext_lazy("Family name"), max_length=80, required=False)


class PlayerNameForm(WalkInForm):
    """The name of a person without an account, as it should be."""

    family_first = forms.BooleanField(label=gettext_lazy("The family name comes first"), required=False)
    shown_in_full = forms.BooleanField(
        label=gettext_lazy("The player agreed that everybody reads the whole name"), required=False
    )


class EntryFileForm(forms.Form):
    """Entrants as a list of names, or as a file."""

    names = forms.CharField(
        label=gettext_lazy("Names"),
        help_text=gettext_lazy("One a line. You can paste rows of a spreadsheet too."),
        required=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 10, "autocomplete": "off", "spellcheck": "false"}),
    )
    document = forms.FileField(
        label=gettext_lazy("Or a CSV file"),
        help_text=gettext_lazy("At most 1 MiB and 5,000 lines. How it is written is guessed, and shown."),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
    )

    def clean(self) -> dict[str, Any]:
        """Either of them."""
        data: dict[str, Any] = super().clean() or {}
        if not data.get("document") and not data.get("names"):
            raise forms.ValidationError(_("Paste some names or choose a file."))
        return data

    def sent(self) -> tuple[bytes, dict[str, Any]]:
        """The file, and one byte more than is allowed at most; or the pasted names. With it how it is read.

        A chosen file counts before the names.
        """
        if self.cleaned_data["document"]:
            return bytes(self.cleaned_data["document"].read(MAX_BYTES + 1)), {}
        text = self.cleaned_data["names"]
        return text.encode(), reading_of_names(text)


class EntryReadingForm(forms.Form):
    """How a file of entrants is read: a field for each column, `column_0` and so on."""

    encoding = forms.ChoiceField(label=gettext_lazy("Encoding"), choices=[(name, name) for name in ENCODINGS])
    delimiter = forms.ChoiceField(label=gettext_lazy("Between two columns"), choices=list(IMPORT_DELIMITERS.items()))
    header = forms.BooleanField(label=gettext_lazy("The first line names the columns"), required=False)
    twice = forms.BooleanField(label=gettext_lazy("Enter also whose name is there already"), required=False)
    numbered = forms.BooleanField(
        label=gettext_lazy("Where a name is an e-mail address, call the player “Player 1”, “Player 2” and so on"),
        required=False,
    )

    def __init__(self, *args: Any, reading: Mapping[str, Any], twice: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {**reading, "twice": twice, "numbered": bool(reading.get("numbered"))}
        self.width = len(reading["columns"])
        for at, field in enumerate(reading["columns"]):
            self.fields[f"column_{at}"] = forms.ChoiceField(
                label=_("Column %(number)d") % {"number": at + 1},
                choices=list(IMPORT_FIELDS.items()),
                required=False,
                initial=field,
            )

    @property
    def column_fields(self) -> list[Any]:
        """The fields of the columns, in their order."""
        return [self[f"column_{at}"] for at in range(self.width)]

    @property
    def other_fields(self) -> list[Any]:
        """The fields of the whole file."""
        return [self[name] for name in ("encoding", "delimiter", "header", "twice", "numbered")]

    @property
    def chosen(self) -> dict[str, Any]:
        """What the service reads."""
        values = {name: self.cleaned_data[name] for name in ("encoding", "delimiter", "header", "twice", "numbered")}
        return {**values, "columns": [self.cleaned_data[f"column_{at}"] for at in range(self.width)]}


class PaperListForm(forms.Form):
    """A decklist typed in at the desk."""

    text = forms.CharField(
        label=gettext_lazy("Decklist"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("One card a line, such as “2 Card name”. This becomes the version that counts."),
    )


class CatalogueForm(forms.Form):
    """The catalogue that an event's lists are read with."""

    sha256 = forms.ChoiceField(label=gettext_lazy("Card catalogue"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, choices: Sequence[Choice], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["sha256"].choices = [(choice.sha256, self._words(choice)) for choice in choices]
        self.fields["sha256"].initial = next((choice.sha256 for choice in choices if choice.chosen), None)

    @staticmethod
    def _words(choice: Choice) -> str:
        if not choice.version:
            return _("%(catalog)s, shipped: %(cards)d cards") % {"catalog": choice.catalog, "cards": choice.cards}
        named = {"catalog": choice.catalog, "version": choice.version, "cards": choice.cards}
        if choice.own:
            return _("%(catalog)s, version %(version)d, of your own: %(cards)d cards") % named
        return _("%(catalog)s, version %(version)d: %(cards)d cards") % named


class DeckFormatForm(forms.Form):
    """By which deck rules lists are judged: a format of the game, and the options that it reads."""

    deck_format = forms.ChoiceField(label=gettext_lazy("Deck format"))

    def __init__(self, *args: Any, known: Sequence[DeckFormat], stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = {form.id: form for form in known}
        self.fields["deck_format"].choices = [(form.id, DECK_FORMATS.get(form.id, form.id)) for form in known]
        self.fields["deck_format"].initial = stage.deck_format
        for option in {option.id: option for form in known for option in form.options}.values():
            readers = [str(DECK_FORMATS.get(form.id, form.id)) for form in known if option in form.options]
            self.fields[option.id] = forms.ChoiceField(
                label=f"{option.id} ({', '.join(readers)})" if len(known) > 1 else option.id,
                help_text=option.why,
                choices=list(option.choices.items()),
                initial=stage.deck_options.get(option.id, option.default),
                required=False,
            )

    @property
    def choice(self) -> dict[str, Any]:
        """The format with those of the options that it reads."""
        chosen = self.known[self.cleaned_data["deck_format"]]
        given = {option.id: self.cleaned_data[option.id] for option in chosen.options}
        return {"deck_format": chosen.id, "options": {name: said for name, said in given.items() if said}}


class PoolsShownForm(forms.Form):
    """Who reads the pools of a limited event."""

    shown = forms.ChoiceField(label=gettext_lazy("Who reads the pools"), choices=list(POOLS_SHOWN.items()))


class PoolForm(forms.Form):
    """A pool typed in at the desk."""

    text = forms.CharField(
        label=gettext_lazy("Cards"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("One card a line, such as “2 Card name”. This becomes the version that counts."),
    )


class NameForm(forms.Form):
    """The name of what is made: a copy of an event, a saved format."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)


class GrantForm(forms.Form):
    """A role for an account, named by its e-mail address."""

    email = forms.EmailField(label=gettext_lazy("E-mail address of the account"))
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=[(role, ROLES[role]) for role in reversed(StaffRole.Role.values)]
    )


class InviteForm(forms.Form):
    """A link for a role, sent where an address is given."""

    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=[(role, ROLES[role]) for role in reversed(StaffRole.Role.values)]
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        help_text=gettext_lazy("Empty: you pass the link on yourself."),
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="invite_%s", **kwargs)


class MinutesForm(forms.Form):
    """Minutes added to the time of all tables, or of one."""

    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=1, max_value=60, initial=5)

    def minutes_or_refuse(self) -> int:
        """The minutes; refused when they are not between 1 and 60."""
        if not self.is_valid():
            raise InvalidInput("minutes_invalid", _("Between 1 and 60 minutes can be added."))
        return int(self.cleaned_data["minutes"])


class DraftStepForm(forms.Form):
    """The step to which a draft is set."""

    step = forms.IntegerField(min_value=1, max_value=1000)

    def step_or_refuse(self) -> int:
        """Its number; refused when there can be none of it."""
        if not self.is_valid():
            raise InvalidInput("draft_step", _("This draft has no such step."))
        return int(self.cleaned_data["step"])


class FollowForm(MinutesForm):
    """Minutes until the clock of the next round starts."""

    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=0, max_value=60, initial=3)

    def minutes_or_refuse(self) -> int:
        """The minutes; refused when they are not between 0 and 60."""
        if not self.is_valid():
            raise InvalidInput("minutes_invalid", _("The clock starts at once or in up to 60 minutes."))
        return int(self.cleaned_data["minutes"])


class SeenForm(forms.Form):
    """A result entered over another: `seen` is the newest report that the page showed, 0 for none."""

    seen = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    @property
    def seen_report(self) -> int | None:
        """What the page showed; None when it does not say."""
        return self.cleaned_data.get("seen")


class QuickResultForm(SeenForm):
    """One of the common results, as one button sends it: `2-1-0`."""

    score = forms.RegexField(r"^\d-\d-\d$")

    def games(self) -> list[int]:
        """Games won by seat 1, by seat 2, drawn."""
        if not self.is_valid():
            raise InvalidInput("score_invalid", _("A score is games won by each side and games drawn."))
        return [int(digit) for digit in self.cleaned_data["score"].split("-")]


class ResultForm(SeenForm):
    """Any result, of any kind that staff may give."""

    first = forms.IntegerField(min_value=0, max_value=9)
    second = forms.IntegerField(min_value=0, max_value=9)
    drawn = forms.IntegerField(label=gettext_lazy("Games drawn"), min_value=0, max_value=9, initial=0)
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), choices=[(kind, KINDS[kind]) for kind in STAFF_KINDS], initial=Match.Kind.PLAYED
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Needed to change a result that counts already."),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, names: tuple[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, name in zip(("first", "second"), names, strict=True):
            self.fields[field].label = _("Games won by %(name)s") % {"name": name}

    @property
    def games(self) -> list[int]:
        """Games won by seat 1, by seat 2, drawn."""
        return [self.cleaned_data[field] for field in ("first", "second", "drawn")]

    acknowledged = forms.BooleanField(required=False, widget=forms.HiddenInput)


class RulingForm(ResultForm):
    """A judge's ruling: a result with its reason."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("What was found and why it is decided so. Staff read it in the ledger."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class TableResultForm(SeenForm):
    """The ranks and victory points of a table of several, as the desk enters them."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Needed to change a result that counts already."),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    acknowledged = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {**place_fields(names), **self.fields}

    @property
    def games(self) -> list[list[int | None]]:
        """Rank and victory points of each seat."""
        return places_in(self.cleaned_data)


class TableRulingForm(TableResultForm):
    """A judge's ruling on a table of several."""

    def __init__(self, *args: Any, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, names=names, **kwargs)
        self.fields["reason"].required = True
        self.fields["reason"].help_text = RulingForm.base_fields["reason"].help_text


def result_form(match: Match, *args: Any, **kwargs: Any) -> "ResultForm | TableResultForm":
    """The form of the desk for a match of two or a table of several."""
    return (TableResultForm if match.has_ranks else ResultForm)(*args, **kwargs)


class StageForm(forms.Form):
    """The structure of a stage; what another structure reads is left aside."""

    kind = forms.ChoiceField(label=gettext_lazy("Structure"), choices=list(STRUCTURES.items()))
    rounds_planned = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy("Of Swiss, pods and tables. Empty: proposed at the start."),
        required=False,
        min_value=1,
        max_value=30,
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Games in a match"),
        coerce=int,
        choices=[("1", gettext_lazy("One game")), ("3", gettext_lazy("Best of 3")), ("5", gettext_lazy("Best of 5"))],
    )
    round_minutes = forms.IntegerField(label=gettext_lazy("Minutes in a round"), min_value=1, max_value=600)
    cut_top = forms.IntegerField(
        label=gettext_lazy("How many come in"),
        help_text=gettext_lazy("The first so many of the standings. Empty: all."),
        required=False,
        min_value=2,
        max_value=1024,
    )
    cut_points = forms.IntegerField(
        label=gettext_lazy("Points needed to come in"), required=False, min_value=0, max_value=1000
    )
    seed_chooses = forms.BooleanField(label=gettext_lazy("The higher seed chooses who starts"), required=False)
    third_place = forms.BooleanField(
        label=gettext_lazy("Single elimination: a match for the third place"), required=False
    )
    reset = forms.BooleanField(
        label=gettext_lazy("Double elimination: the grand final may be played again"), required=False, initial=True
    )
    twice = forms.BooleanField(label=gettext_lazy("Round robin: everybody meets twice"), required=False)
    pod_size = forms.IntegerField(label=gettext_lazy("Players of a draft pod"), min_value=6, max_value=11, initial=8)
    table_size = forms.IntegerField(
        label=gettext_lazy("Players at a table of several"), min_value=3, max_value=5, initial=4
    )

    def __init__(self, *args: Any, first: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if first:
            for name in AFTER_CUT:
                del self.fields[name]

    @property
    def wanted(self) -> dict[str, Any]:
        """What the chosen structure reads."""
        data = self.cleaned_data
        names = ["kind", "best_of", "round_minutes", *OPTIONS[data["kind"]]]
        names += ["rounds_planned"] if data["kind"] in COUNTED else []
        return {name: data[name] for name in (*names, *AFTER_CUT) if name in data}


class HandForm(forms.Form):
    """A hand on draft pairings: one or two of the players seated."""

    first = PlayerField(label=gettext_lazy("Player"))
    second = PlayerField(label=gettext_lazy("and"), required=False)

    def __init__(self, *args: Any, players: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.choices = [("", "–"), *players]


class TypedNumberForm(forms.Form):
    """A round named by its number, typed to confirm what others are affected by."""

    number = forms.IntegerField(min_value=1)

    def check(self, round_number: int) -> None:
        """Refused when another number is typed."""
        if not self.is_valid() or self.cleaned_data["number"] != round_number:
            raise InvalidInput("confirmation_wrong", _("Type the number of the round, as the page shows it."))


class MergeEntrantsForm(forms.Form):
    """The other entry of the same player."""

    into = forms.ChoiceField(label=gettext_lazy("Is the same player as"))

    def __init__(self, *args: Any, entrants: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["into"].choices = [("", "–"), *entrants]


class DisqualifyForm(forms.Form):
    """A disqualification: its reason."""

    reason = forms.CharField(max_length=2000)
