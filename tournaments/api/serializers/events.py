"""Events, their presets, stages, entrants and staff, and the ledger."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.accounts.selectors import name_of
from tournaments.api.serializers.base import (
    AnswersField,
    BoundedList,
    ConsentField,
    DayField,
    Input,
    MomentField,
    NamedSerializer,
)
from tournaments.common.clock import now
from tournaments.common.mail import address_of
from tournaments.events.embedding import LONGEST_SITE, MOST_SITES, widget_addresses
from tournaments.events.models import Entrant, Event, StaffRole, Stage
from tournaments.events.presets import Preset
from tournaments.events.selectors import registration_at
from tournaments.events.stages import described
from tournaments.play.services.details import MAX_DESCRIPTION
from tournaments.play.services.several import ACTIONS, MOST, Several

STEPS = ("open", "lock", "unlock", "check_in", "start", "finish", "reopen", "cancel")


class PresetSerializer(serializers.Serializer):
    """A preset that events can be created from."""

    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    ruleset = serializers.CharField()
    catalog = serializers.CharField()
    deck_format = serializers.CharField(allow_blank=True)
    rounds = serializers.IntegerField(allow_null=True, help_text="Null: proposed from the number of entrants.")
    best_of = serializers.IntegerField()
    round_minutes = serializers.IntegerField()
    scheme = serializers.CharField()
    kind = serializers.ChoiceField(Stage.Kind.choices, help_text="The structure of its first stage.")
    procedures = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField())
    def get_procedures(self, preset: Preset) -> dict[str, Any]:
        """The procedures of a new event, until an organizer changes them."""
        return preset.procedures.to_json()


class SavedFormatSerializer(serializers.Serializer):
    """A format that you saved, or that a club of yours owns. Its id is accepted wherever a preset's is."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    club = serializers.CharField(
        source="group.club.public_id", default=None, allow_null=True, help_text="The club that it was given to."
    )
    created_at = serializers.DateTimeField()


class SavedFormatInput(Input):
    """The event whose settings to save, and the name of the format."""

    event = serializers.CharField(max_length=20)
    name = serializers.CharField(max_length=80)


class CloneInput(Input):
    """A copy of an event."""

    name = serializers.CharField(max_length=120)
    starts_at = MomentField(required=False, allow_null=True)
    acknowledged = serializers.BooleanField(default=False, help_text="Accept a start in the past.")


class StageSerializer(serializers.Serializer):
    """A stage of an event. `options` are those of its structure and its cut; `started_at` is null until it starts."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Stage.Kind.choices)
    rounds_planned = serializers.IntegerField(allow_null=True)
    best_of = serializers.IntegerField()
    round_minutes = serializers.IntegerField()
    scheme = serializers.CharField()
    deck_format = serializers.CharField(allow_blank=True, help_text="Empty: lists are not checked.")
    deck_options = serializers.DictField(child=serializers.CharField())
    pools_shown = serializers.ChoiceField(Stage.PoolsShown.choices)
    options = serializers.SerializerMethodField()
    first_round = serializers.IntegerField(help_text="Its first round, numbered through the event.")
    started_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.DictField(child=serializers.JSONField()))
    def get_options(self, stage: Stage) -> dict[str, Any]:
        """The options of this structure that have no field of their own."""
        above = ("kind", "rounds_planned", "best_of", "round_minutes")
        return {name: value for name, value in described(stage).items() if name not in above}


class StageStartInput(Input):
    """Who declines their place in the stage."""

    declined = BoundedList(
        child=serializers.CharField(max_length=20),
        max_length=1000,
        required=False,
        help_text="Entrants by id: they are passed over, and the next ranks move up.",
    )


class StageInput(Input):
    """A stage: its structure, and what differs from the previous stage. Only options of that structure are accepted."""

    kind = serializers.ChoiceField(Stage.Kind.choices)
    rounds_planned = serializers.IntegerField(min_value=1, max_value=30, required=False, allow_null=True)
    best_of = serializers.ChoiceField([1, 3, 5], required=False)
    round_minutes = serializers.IntegerField(min_value=1, max_value=600, required=False)
    cut_top = serializers.IntegerField(min_value=2, max_value=1024, required=False, allow_null=True)
    cut_points = serializers.IntegerField(min_value=0, max_value=1000, required=False, allow_null=True)
    seed_chooses = serializers.BooleanField(
        required=False, help_text="After a cut: whether the higher seed chooses who starts."
    )
    third_place = serializers.BooleanField(required=False)
    reset = serializers.BooleanField(required=False)
    twice = serializers.BooleanField(required=False)
    pod_size = serializers.IntegerField(min_value=6, max_value=11, required=False)
    table_size = serializers.IntegerField(min_value=3, max_value=5, required=False)


class StageChangeInput(StageInput):
    """What to change in a stage."""

    kind = serializers.ChoiceField(Stage.Kind.choices, required=False)


class StageEntrySerializer(serializers.Serializer):
    """An entrant of a stage, with its seed and its seat in a draft pod."""

    seed = serializers.IntegerField()
    entrant = NamedSerializer()
    pod = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True, help_text="Seat in the pod, clockwise from 1.")


class NodeSerializer(serializers.Serializer):
    """A node of a bracket. `a`, `b` and `winner` are ids of entrants: null if not known yet, empty if nobody comes."""

    node = serializers.CharField()
    round = serializers.IntegerField()
    a = serializers.CharField(allow_null=True, allow_blank=True)
    b = serializers.CharField(allow_null=True, allow_blank=True)
    state = serializers.ChoiceField(["waiting", "ready", "seated", "played", "walkover", "empty"])
    winner = serializers.CharField(allow_null=True, allow_blank=True)
    match = serializers.CharField(allow_null=True)


class StageDetailSerializer(StageSerializer):
    """A stage with its entrants and, for a bracket that has started, all of its matches."""

    entries = StageEntrySerializer(many=True, source="entries.all")
    nodes = NodeSerializer(many=True)


class EventSerializer(serializers.Serializer):
    """An event as anybody may see it. `playing` is the number of registered entrants."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Event.Status.choices)
    preset = serializers.CharField()
    game = serializers.CharField(allow_blank=True, help_text="Empty: the engine does not know it.")
    game_name = serializers.CharField(allow_blank=True)
    ruleset = serializers.CharField(allow_blank=True)
    catalog = serializers.CharField(allow_blank=True)
    catalog_sha256 = serializers.CharField(allow_blank=True)
    capacity = serializers.IntegerField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    place = serializers.CharField(allow_blank=True)
    time_zone = serializers.CharField(allow_blank=True, help_text="The time zone of the place; empty: unknown.")
    contact = serializers.CharField(allow_blank=True, help_text="How players can reach the organizer.")
    link = serializers.CharField(allow_blank=True, help_text="Another page about the event.")
    fee = serializers.CharField(allow_blank=True, help_text="A note on the entry fee, shown with the price.")
    lists = serializers.ChoiceField(Event.Lists.choices, help_text="Whether players submit decklists.")
    team_size = serializers.IntegerField(help_text="Players of a team; 1: everybody plays alone.")
    team_play = serializers.ChoiceField(Event.TeamPlay.choices, help_text="Whether teams have one result, or boards.")
    substitutes = serializers.IntegerField(help_text="How many substitutes a team may have.")
    approval = serializers.BooleanField(help_text="Whether the desk decides on each registration.")
    consent_under = serializers.IntegerField(
        allow_null=True, help_text="Players under this age need a guardian's consent; null: nobody needs it."
    )
    listing = serializers.ChoiceField(Event.Listing.choices, help_text="Who can find and see it.")
    registration_opens_at = serializers.DateTimeField(
        allow_null=True, help_text="Null: as soon as the event is public."
    )
    registration_closes_at = serializers.DateTimeField(allow_null=True, help_text="Null: until the lists are locked.")
    registration = serializers.SerializerMethodField(help_text="Whether players can register now.")
    lists_due_at = serializers.DateTimeField(allow_null=True, help_text="Null: until the lists are locked.")
    created_at = serializers.DateTimeField()
    playing = serializers.IntegerField()
    stages = StageSerializer(many=True)

    @extend_schema_field(serializers.ChoiceField(["open", "later", "closed"]))
    def get_registration(self, event: Event) -> str:
        """Whether players can register now: `later` if the opening time has not come yet."""
        return registration_at(event, now())


class WidgetsSerializer(serializers.Serializer):
    """The addresses of what other sites may show of an event in a frame."""

    pairings = serializers.CharField()
    standings = serializers.CharField()


class EventDetailSerializer(EventSerializer):
    """One event, with its revision and your own roles at it."""

    revision = serializers.IntegerField(help_text="The number of its last ledger entry.")
    description = serializers.CharField(allow_blank=True, help_text="Markdown.")
    page = serializers.SerializerMethodField(help_text="The address of its page.")
    preview = serializers.SerializerMethodField(help_text="The address of a picture of 1200 by 630; null for a draft.")
    calendar = serializers.SerializerMethodField(help_text="The address of a calendar file; null without a start.")
    widgets = serializers.SerializerMethodField(
        help_text="The addresses of frames for other sites; null if no site may embed them."
    )
    roles = serializers.ListField(child=serializers.ChoiceField(StaffRole.Role.choices), help_text="Your own.")
    club = NamedSerializer(allow_null=True, help_text="The club that holds it.")
    convention = NamedSerializer(allow_null=True, help_text="The public convention that it is part of.")

    def get_page(self, event: Event) -> str:
        """The address of its page."""
        return _page(event, "event")

    def get_preview(self, event: Event) -> str | None:
        """The address of its picture, which drafts do not have."""
        return _page(event, "preview") if event.is_for_everybody else None

    def get_calendar(self, event: Event) -> str | None:
        """The address of its calendar file, if it has a start."""
        return _page(event, "event_ics") if event.starts_at else None

    @extend_schema_field(WidgetsSerializer(allow_null=True))
    def get_widgets(self, event: Event) -> dict[str, str] | None:
        """The addresses of the widgets, if a site may embed them."""
        return widget_addresses(event) or None


def _page(event: Event, name: str) -> str:
    return address_of(reverse(f"web:{name}", args=[event.public_id]))


class EventQuery(serializers.Serializer):
    """Filters for a list of events."""

    status = serializers.ChoiceField(Event.Status.choices, required=False)
    find = serializers.CharField(max_length=80, required=False, help_text="Words of the name, the place or the game.")
    game = serializers.CharField(max_length=30, required=False)
    since = DayField(required=False, help_text="The first day of the start.")
    until = DayField(required=False, help_text="The last day of the start.")
    over = serializers.BooleanField(required=False, allow_null=True, default=None, help_text="Whether they are over.")


class EntrantsQuery(serializers.Serializer):
    """Filters for a list of entrants."""

    status = serializers.ChoiceField(Entrant.Status.choices, required=False)
    find = serializers.CharField(
        max_length=80,
        required=False,
        help_text="Words of the name, without regard to accents and case; of the full name for staff of the event.",
    )


class LedgerQuery(serializers.Serializer):
    """Filters for the entries of a ledger."""

    # The sources are lookups: the view passes the validated query to `filter()`.

    since = serializers.IntegerField(
        source="number__gt", min_value=0, max_value=2**31 - 1, required=False, help_text="Those after this number."
    )
    code = serializers.CharField(
        source="code__startswith", max_length=40, required=False, help_text="Such as `round`, or `round.published`."
    )


class DetailsInput(Input):
    """The details of an event: name, description, capacity, place and times. Whatever is left out stays."""

    name = serializers.CharField(max_length=120, required=False)
    capacity = serializers.IntegerField(min_value=1, max_value=5000, allow_null=True, required=False)
    place = serializers.CharField(max_length=120, allow_blank=True, required=False)
    time_zone = serializers.CharField(
        max_length=60, allow_blank=True, required=False, help_text="Such as `Europe/Paris`."
    )
    starts_at = MomentField(allow_null=True, required=False)
    acknowledged = serializers.BooleanField(default=False, help_text="Accept a start in the past.")
    description = serializers.CharField(
        max_length=MAX_DESCRIPTION, allow_blank=True, required=False, help_text="Markdown."
    )
    link = serializers.URLField(max_length=300, allow_blank=True, required=False)
    fee = serializers.CharField(max_length=120, allow_blank=True, required=False)
    lists = serializers.ChoiceField(Event.Lists.choices, required=False)
    registration_opens_at = MomentField(allow_null=True, required=False)
    registration_closes_at = MomentField(allow_null=True, required=False)
    lists_due_at = MomentField(allow_null=True, required=False)


class OverlapSerializer(serializers.Serializer):
    """Another event at the same time, by the estimated hours of both, and the tables that both use."""

    event = serializers.CharField(source="event.public_id")
    name = serializers.CharField(source="event.name")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    same_organizer = serializers.BooleanField()
    same_place = serializers.BooleanField()
    tables = serializers.ListField(child=serializers.IntegerField())


class ClashSerializer(serializers.Serializer):
    """Another event at the same time that you, or a child of yours, have also entered."""

    event = serializers.CharField(source="event.public_id")
    name = serializers.CharField(source="event.name")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


class OverlapsSerializer(serializers.Serializer):
    """Events that overlap with this one: for its staff, and for people who have entered it."""

    events = OverlapSerializer(many=True, help_text="Empty for people who are not its staff.")
    entered = ClashSerializer(many=True)


class EventInput(Input):
    """A new event."""

    name = serializers.CharField(max_length=120)
    preset = serializers.CharField(max_length=40, help_text="A preset, or a format of your own.")
    capacity = serializers.IntegerField(min_value=2, max_value=10_000, required=False, allow_null=True)
    starts_at = MomentField(required=False, allow_null=True)
    acknowledged = serializers.BooleanField(default=False, help_text="Accept a start in the past.")
    rounds = serializers.IntegerField(min_value=1, max_value=30, required=False, allow_null=True)
    best_of = serializers.ChoiceField([1, 3, 5], required=False, allow_null=True)
    round_minutes = serializers.IntegerField(min_value=1, max_value=600, required=False, allow_null=True)
    game_name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    kind = serializers.ChoiceField(Stage.Kind.choices, required=False, help_text="The structure of its first stage.")
    lists = serializers.ChoiceField(Event.Lists.choices, required=False, help_text="If left out, the format's choice.")
    time_zone = serializers.CharField(
        max_length=60, allow_blank=True, required=False, help_text="The time zone of the place, such as `Europe/Paris`."
    )
    catalogue = serializers.CharField(
        max_length=64,
        allow_blank=True,
        required=False,
        help_text="The SHA-256 of its card catalogue. If left out, your newest of the game, or else the operator's.",
    )


class StepInput(Input):
    """The next state of an event."""

    step = serializers.ChoiceField(STEPS)
    drop_absent = serializers.BooleanField(default=False, help_text="With `start` alone.")
    keep_listless = serializers.BooleanField(
        default=False, help_text="With `start` alone: entrants who only lack a legal list stay, as late entrants do."
    )
    without_check_in = serializers.BooleanField(
        default=False, help_text="With `start` alone: start a locked event although check-in was not held."
    )
    reason = serializers.CharField(
        max_length=2000, default="", allow_blank=True, help_text="With `reopen`, which needs it, and `cancel`."
    )


class EntrantSerializer(NamedSerializer):
    """An entrant as anybody may see it. Staff of the event also get the full name."""

    full_name = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Entrant.Status.choices)
    registered_at = serializers.DateTimeField()
    checked_in_at = serializers.DateTimeField(allow_null=True)
    dropped_after = serializers.IntegerField(allow_null=True, help_text="Rounds paired before the drop.")

    def get_full_name(self, entrant: Entrant) -> str | None:
        """The full name; null unless you are staff of the event."""
        return entrant.full_name if self.context.get("staff") else None


class KnownPlayerSerializer(serializers.Serializer[Any]):
    """A player whom the desk knows from earlier events; `event` is the last one."""

    person = serializers.CharField(source="public_id")
    name = serializers.CharField()
    event = serializers.CharField(source="event.public_id")
    event_name = serializers.CharField(source="event.name")
    starts_at = serializers.DateTimeField(source="event.starts_at", allow_null=True)


class EnteredSerializer(EntrantSerializer):
    """An entrant whose name was just entered."""

    looks_like = serializers.SerializerMethodField()
    known = serializers.SerializerMethodField()

    def get_looks_like(self, entrant: Entrant) -> str | None:
        """A name of the event that looks like this one but is spelled with other characters, such as Cyrillic ones."""
        twins = self.context.get("twins")
        return twins[0][1] if twins else None

    @extend_schema_field(KnownPlayerSerializer(many=True))
    def get_known(self, entrant: Entrant) -> list[Any]:
        """Players of this name from earlier events, if a new person was entered: perhaps one of them came back."""
        return list(KnownPlayerSerializer(self.context.get("known", ()), many=True).data)


class EntrantNameInput(Input):
    """The corrected name of a person without an account."""

    given_name = serializers.CharField(max_length=80)
    family_name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    family_first = serializers.BooleanField(default=False, help_text="The family name comes first.")
    shown_in_full = serializers.BooleanField(
        default=False, help_text="The person agreed that everybody may see the whole name."
    )


class EntrantInput(Input):
    """An empty body to register yourself, a person you act for, or from the desk a name or a `known` person."""

    person = serializers.CharField(max_length=20, required=False)
    known = serializers.CharField(
        max_length=20, required=False, help_text="From the desk: the id of a person known from an earlier event."
    )
    given_name = serializers.CharField(max_length=80, required=False)
    family_name = serializers.CharField(max_length=80, required=False, allow_blank=True)

    answers = AnswersField(required=False)
    consent = ConsentField(required=False)
    another = serializers.BooleanField(
        default=False, help_text="Enter the name although somebody in the event has it: it is another person."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a person together with names, and a family name without a given name."""
        for field in ("person", "known"):
            if field in attrs and {"given_name", "family_name", "person", "known"} & attrs.keys() - {field}:
                raise serializers.ValidationError({field: [_("Give a person or names, not both.")]})
        if "family_name" in attrs and "given_name" not in attrs:
            raise serializers.ValidationError({"given_name": [self.fields["given_name"].error_messages["required"]]})
        return attrs


class SeveralInput(Input):
    """Entrants of one event, by id, and the action to apply to each."""

    gesture = serializers.ChoiceField(list(ACTIONS), source="action")
    entrants = BoundedList(child=serializers.CharField(max_length=20), max_length=MOST, allow_empty=False)


class RefusedEntrantSerializer(serializers.Serializer):
    """An entrant for whom the action was refused, and why."""

    entrant = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class SeveralSerializer(serializers.Serializer):
    """The entrants for whom the action was done, and those for whom it was refused."""

    done = serializers.SerializerMethodField()
    refused = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_done(self, report: Several) -> list[str]:
        """The ids of the entrants for whom it was done."""
        return [entrant.public_id for entrant in report.done]

    @extend_schema_field(RefusedEntrantSerializer(many=True))
    def get_refused(self, report: Several) -> list[dict[str, str]]:
        """The ids of the others, each with a code and a message."""
        return [
            {"entrant": entrant.public_id, "code": refusal.code, "message": str(refusal.message)}
            for entrant, refusal in report.refused
        ]


class EntryClaimInput(Input):
    """The signature from the claim link, and the person the entry is for: yourself if left out."""

    signature = serializers.CharField(max_length=100)
    person = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class MergeEntrantsInput(Input):
    """The entrant that stays."""

    into = serializers.CharField(max_length=20)


class SeatLinkSerializer(serializers.Serializer):
    """A signed link of an entrant.

    Anybody who has a seat link can see the seat and check it in; a claim link lets an account claim the entry, once.
    """

    address = serializers.URLField()


class LinkSerializer(serializers.Serializer):
    """The join link of an event. People who use it can sign up even if many sign-ups come from the same network."""

    address = serializers.URLField()


class CatalogueSerializer(serializers.Serializer):
    """A card catalogue that an event may use. `version` is 0 for one that is shipped with the engine."""

    catalog = serializers.CharField()
    version = serializers.IntegerField()
    sha256 = serializers.CharField()
    cards = serializers.IntegerField()
    chosen = serializers.BooleanField()


class CatalogueInput(Input):
    """The catalogue to use, and the entrants whose decklists may become legal or illegal with it."""

    sha256 = serializers.CharField(max_length=64)
    accept = BoundedList(child=serializers.CharField(max_length=20), max_length=5000, required=False)


class ContactInput(Input):
    """How players can reach the organizer. If empty, nothing is shown."""

    contact = serializers.CharField(max_length=200, allow_blank=True)


class SitesSerializer(serializers.Serializer):
    """The origins of the sites that may embed an event."""

    sites = BoundedList(child=serializers.CharField())


class SitesInput(Input):
    """The sites that may embed an event, such as `https://club.example`."""

    sites = BoundedList(
        child=serializers.CharField(max_length=LONGEST_SITE), max_length=MOST_SITES, help_text="Empty: none."
    )


class StaffSerializer(serializers.Serializer):
    """A role that somebody holds at an event."""

    account = serializers.CharField(source="user.public_id")
    name = serializers.SerializerMethodField()
    role = serializers.ChoiceField(StaffRole.Role.choices)
    table = serializers.IntegerField(allow_null=True, help_text="The only table of a scribe; null: every table.")

    def get_name(self, role: StaffRole) -> str:
        """The public name of the account's own person."""
        return name_of(role.user)


class StaffInput(Input):
    """A role for the account with this e-mail address."""

    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(StaffRole.Role.choices)
    table = serializers.IntegerField(min_value=1, max_value=9999, required=False, allow_null=True, default=None)


class HandOverInput(Input):
    """The e-mail address of the new owner's account, and whether you stay as an organizer."""

    email = serializers.EmailField(max_length=254)
    stay = serializers.BooleanField(required=False, default=True)


class LedgerEntrySerializer(serializers.Serializer):
    """An entry of the ledger, as it is in the chain."""

    number = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    code = serializers.CharField()
    object = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    note_digest = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)
    hash = serializers.CharField()


class DropInput(Input):
    """A drop. With `concede`, the opponent wins the match in progress."""

    concede = serializers.BooleanField(default=False)


class ReasonInput(Input):
    """The reason."""

    reason = serializers.CharField(max_length=2000)


class StandingsQuery(serializers.Serializer):
    """The stage whose standings to return."""

    stage = serializers.IntegerField(min_value=1, max_value=99, required=False)
