"""Events, presets, entrants, staff, the ledger."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.accounts.selectors import name_of
from tournaments.api.serializers.base import BoundedList, Input, NamedSerializer
from tournaments.events.models import Entrant, Event, StaffRole, Stage
from tournaments.events.presets import Preset
from tournaments.events.stages import described
from tournaments.play.services.details import MAX_DESCRIPTION
from tournaments.play.services.several import GESTURES, MOST, Several

STEPS = ("open", "lock", "unlock", "check_in", "start", "finish", "reopen", "cancel")


class PresetSerializer(serializers.Serializer):
    """A format to create events from."""

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
        """What an event has until its organizer changes it."""
        return preset.procedures.to_json()


class SavedFormatSerializer(serializers.Serializer):
    """A format of one's own; its id stands where that of a preset would."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class SavedFormatInput(Input):
    """The event whose format is kept, and under which name."""

    event = serializers.CharField(max_length=20)
    name = serializers.CharField(max_length=80)


class CloneInput(Input):
    """A copy of an event."""

    name = serializers.CharField(max_length=120)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)


class StageSerializer(serializers.Serializer):
    """A part of an event. `options` are those of its structure and its cut; `started_at` is null until it starts."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Stage.Kind.choices)
    rounds_planned = serializers.IntegerField(allow_null=True)
    best_of = serializers.IntegerField()
    round_minutes = serializers.IntegerField()
    scheme = serializers.CharField()
    deck_format = serializers.CharField(allow_blank=True, help_text="Empty: lists are not judged.")
    deck_options = serializers.DictField(child=serializers.CharField())
    pools_shown = serializers.ChoiceField(Stage.PoolsShown.choices)
    options = serializers.SerializerMethodField()
    first_round = serializers.IntegerField(help_text="Its first round in the count of the event.")
    started_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.DictField(child=serializers.JSONField()))
    def get_options(self, stage: Stage) -> dict[str, Any]:
        """What this structure reads beside the fields above."""
        above = ("kind", "rounds_planned", "best_of", "round_minutes")
        return {name: value for name, value in described(stage).items() if name not in above}


class StageInput(Input):
    """A stage: its structure, and what differs from the stage before. An option must be one of the structure's."""

    kind = serializers.ChoiceField(Stage.Kind.choices)
    rounds_planned = serializers.IntegerField(min_value=1, max_value=30, required=False, allow_null=True)
    best_of = serializers.ChoiceField([1, 3, 5], required=False)
    round_minutes = serializers.IntegerField(min_value=1, max_value=600, required=False)
    cut_top = serializers.IntegerField(min_value=2, max_value=1024, required=False, allow_null=True)
    cut_points = serializers.IntegerField(min_value=0, max_value=1000, required=False, allow_null=True)
    seed_chooses = serializers.BooleanField(
        required=False, help_text="After a cut: who is seeded higher starts or not."
    )
    third_place = serializers.BooleanField(required=False)
    reset = serializers.BooleanField(required=False)
    twice = serializers.BooleanField(required=False)
    pod_size = serializers.IntegerField(min_value=6, max_value=11, required=False)
    table_size = serializers.IntegerField(min_value=3, max_value=5, required=False)


class StageChangeInput(StageInput):
    """What is to be changed of a stage."""

    kind = serializers.ChoiceField(Stage.Kind.choices, required=False)


class StageEntrySerializer(serializers.Serializer):
    """Who came into a stage, with the seed, and the seat in a draft pod."""

    seed = serializers.IntegerField()
    entrant = NamedSerializer()
    pod = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True, help_text="Seat in the pod, clockwise from 1.")


class NodeSerializer(serializers.Serializer):
    """A place of a bracket. Players are ids of entrants: null while unknown, empty where nobody comes."""

    node = serializers.CharField()
    round = serializers.IntegerField()
    a = serializers.CharField(allow_null=True, allow_blank=True)
    b = serializers.CharField(allow_null=True, allow_blank=True)
    state = serializers.ChoiceField(["waiting", "ready", "seated", "played", "walkover", "empty"])
    winner = serializers.CharField(allow_null=True, allow_blank=True)
    match = serializers.CharField(allow_null=True)


class StageDetailSerializer(StageSerializer):
    """A stage with who plays it, and of a bracket that has started every place."""

    entries = StageEntrySerializer(many=True, source="entries.all")
    nodes = NodeSerializer(many=True)


class EventSerializer(serializers.Serializer):
    """An event as anybody may see it. `playing` counts its registered entrants."""

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
    time_zone = serializers.CharField(allow_blank=True, help_text="Of the place; empty: unknown.")
    contact = serializers.CharField(allow_blank=True, help_text="How players reach the organizer.")
    link = serializers.CharField(allow_blank=True, help_text="Another page about the event.")
    fee = serializers.CharField(allow_blank=True, help_text="What it costs to enter, in words.")
    lists = serializers.ChoiceField(Event.Lists.choices, help_text="Whether players hand in decklists.")
    registration_opens_at = serializers.DateTimeField(allow_null=True, help_text="Null: as soon as it is public.")
    registration_closes_at = serializers.DateTimeField(allow_null=True, help_text="Null: until the lists are locked.")
    lists_due_at = serializers.DateTimeField(allow_null=True, help_text="Null: until the lists are locked.")
    created_at = serializers.DateTimeField()
    playing = serializers.IntegerField()
    stages = StageSerializer(many=True)


class EventDetailSerializer(EventSerializer):
    """One event, with its revision and what the one who asks may be here."""

    revision = serializers.IntegerField(help_text="The number of its last ledger entry.")
    description = serializers.CharField(allow_blank=True, help_text="Markdown.")
    roles = serializers.ListField(child=serializers.ChoiceField(StaffRole.Role.choices), help_text="Your own.")


class EventQuery(serializers.Serializer):
    """What a list of events may be narrowed to."""

    status = serializers.ChoiceField(Event.Status.choices, required=False)
    find = serializers.CharField(max_length=80, required=False, help_text="Words of the name, the place or the game.")
    game = serializers.CharField(max_length=30, required=False)
    since = serializers.DateField(required=False, help_text="The first day of the start.")
    until = serializers.DateField(required=False, help_text="The last day of the start.")
    over = serializers.BooleanField(required=False, allow_null=True, default=None, help_text="Whether they are over.")


class EntrantsQuery(serializers.Serializer):
    """Which entrants."""

    status = serializers.ChoiceField(Entrant.Status.choices, required=False)
    find = serializers.CharField(
        max_length=80,
        required=False,
        help_text="Words of the name, without regard to accents and case; of the full name for staff of the event.",
    )


class LedgerQuery(serializers.Serializer):
    """Which entries."""

    since = serializers.IntegerField(
        source="number__gt", min_value=0, max_value=2**31 - 1, required=False, help_text="Those after this number."
    )
    code = serializers.CharField(
        source="code__startswith", max_length=40, required=False, help_text="Such as `round`, or `round.published`."
    )


class DetailsInput(Input):
    """What an event is called and says of itself, how many it holds, where and when; what is left out stays."""

    name = serializers.CharField(max_length=120, required=False)
    capacity = serializers.IntegerField(min_value=1, max_value=5000, allow_null=True, required=False)
    place = serializers.CharField(max_length=120, allow_blank=True, required=False)
    time_zone = serializers.CharField(
        max_length=60, allow_blank=True, required=False, help_text="Such as `Europe/Paris`."
    )
    starts_at = serializers.DateTimeField(allow_null=True, required=False)
    description = serializers.CharField(
        max_length=MAX_DESCRIPTION, allow_blank=True, required=False, help_text="Markdown."
    )
    link = serializers.URLField(max_length=300, allow_blank=True, required=False)
    fee = serializers.CharField(max_length=120, allow_blank=True, required=False)
    lists = serializers.ChoiceField(Event.Lists.choices, required=False)
    registration_opens_at = serializers.DateTimeField(allow_null=True, required=False)
    registration_closes_at = serializers.DateTimeField(allow_null=True, required=False)
    lists_due_at = serializers.DateTimeField(allow_null=True, required=False)


class OverlapSerializer(serializers.Serializer):
    """Another event at the same hours, as they are reckoned, and the tables that both have."""

    event = serializers.CharField(source="event.public_id")
    name = serializers.CharField(source="event.name")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    same_organizer = serializers.BooleanField()
    same_place = serializers.BooleanField()
    tables = serializers.ListField(child=serializers.IntegerField())


class ClashSerializer(serializers.Serializer):
    """Another event at the same hours that you, or a child of yours, entered too."""

    event = serializers.CharField(source="event.public_id")
    name = serializers.CharField(source="event.name")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


class OverlapsSerializer(serializers.Serializer):
    """What overlaps with an event: for its staff, and for who has entered it."""

    events = OverlapSerializer(many=True, help_text="Empty for who is not of its staff.")
    entered = ClashSerializer(many=True)


class EventInput(Input):
    """A new event."""

    name = serializers.CharField(max_length=120)
    preset = serializers.CharField(max_length=40, help_text="A preset, or a format of your own.")
    capacity = serializers.IntegerField(min_value=2, max_value=10_000, required=False, allow_null=True)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    rounds = serializers.IntegerField(min_value=1, max_value=30, required=False, allow_null=True)
    best_of = serializers.ChoiceField([1, 3, 5], required=False, allow_null=True)
    round_minutes = serializers.IntegerField(min_value=1, max_value=600, required=False, allow_null=True)
    game_name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    kind = serializers.ChoiceField(Stage.Kind.choices, required=False, help_text="The structure of its first stage.")
    lists = serializers.ChoiceField(Event.Lists.choices, required=False, help_text="Left out: as the format says.")
    time_zone = serializers.CharField(
        max_length=60, allow_blank=True, required=False, help_text="Of the place, such as `Europe/Paris`."
    )


class StepInput(Input):
    """A step in the life of an event."""

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
    """An entrant as anybody may see it; staff of the event read the full name too."""

    full_name = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Entrant.Status.choices)
    registered_at = serializers.DateTimeField()
    checked_in_at = serializers.DateTimeField(allow_null=True)
    dropped_after = serializers.IntegerField(allow_null=True, help_text="Rounds paired before the drop.")

    def get_full_name(self, entrant: Entrant) -> str | None:
        """The full name, null for who is not staff of the event."""
        return entrant.full_name if self.context.get("staff") else None


class EntrantNameInput(Input):
    """The name of a person without an account, as it should be."""

    given_name = serializers.CharField(max_length=80)
    family_name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    family_first = serializers.BooleanField(default=False, help_text="The family name is said first.")
    shown_in_full = serializers.BooleanField(
        default=False, help_text="The person agreed that everybody reads the whole name."
    )


class EntrantInput(Input):
    """Nothing, to register oneself; a person for whom you act; or names, to enter somebody from the desk."""

    person = serializers.CharField(max_length=20, required=False)
    given_name = serializers.CharField(max_length=80, required=False)
    family_name = serializers.CharField(max_length=80, required=False, allow_blank=True)

    another = serializers.BooleanField(
        default=False, help_text="Enter the name although somebody in the event has it: another person."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A family name alone is nobody's, and a person has names already."""
        if "person" in attrs and {"given_name", "family_name"} & attrs.keys():
            raise serializers.ValidationError({"person": [_("Give a person or names, not both.")]})
        if "family_name" in attrs and "given_name" not in attrs:
            raise serializers.ValidationError({"given_name": [self.fields["given_name"].error_messages["required"]]})
        return attrs


class SeveralInput(Input):
    """Entrants of one event, by id, and what is done for them."""

    gesture = serializers.ChoiceField(list(GESTURES))
    entrants = BoundedList(child=serializers.CharField(max_length=20), max_length=MOST, allow_empty=False)


class RefusedEntrantSerializer(serializers.Serializer):
    """Who was refused, and why."""

    entrant = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class SeveralSerializer(serializers.Serializer):
    """For whom it was done, by id, and who was refused."""

    done = serializers.SerializerMethodField()
    refused = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_done(self, report: Several) -> list[str]:
        """Their ids."""
        return [entrant.public_id for entrant in report.done]

    @extend_schema_field(RefusedEntrantSerializer(many=True))
    def get_refused(self, report: Several) -> list[dict[str, str]]:
        """Their ids, with the code and the sentence."""
        return [
            {"entrant": entrant.public_id, "code": refusal.code, "message": str(refusal.message)}
            for entrant, refusal in report.refused
        ]


class EntryClaimInput(Input):
    """The secret half of the claim link, and for whom; left out, for yourself."""

    signature = serializers.CharField(max_length=100)
    person = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class MergeEntrantsInput(Input):
    """The entrant that stays."""

    into = serializers.CharField(max_length=20)


class SeatLinkSerializer(serializers.Serializer):
    """The seat link of an entrant: whoever holds it sees the seat and can check it in."""

    address = serializers.URLField()


class LinkSerializer(serializers.Serializer):
    """The link of an event: who comes by it may sign up also where many have from the same network."""

    address = serializers.URLField()


class CatalogueSerializer(serializers.Serializer):
    """A card catalogue that an event may use. `version` is 0 for one that comes with the engine."""

    catalog = serializers.CharField()
    version = serializers.IntegerField()
    sha256 = serializers.CharField()
    cards = serializers.IntegerField()
    chosen = serializers.BooleanField()


class CatalogueInput(Input):
    """The catalogue to use."""

    sha256 = serializers.CharField(max_length=64)


class ContactInput(Input):
    """How players reach the organizer; empty: nothing is shown."""

    contact = serializers.CharField(max_length=200, allow_blank=True)


class StaffSerializer(serializers.Serializer):
    """A role somebody holds at an event."""

    account = serializers.CharField(source="user.public_id")
    name = serializers.SerializerMethodField()
    role = serializers.ChoiceField(StaffRole.Role.choices)

    def get_name(self, role: StaffRole) -> str:
        """The public name of the account's first person."""
        return name_of(role.user)


class StaffInput(Input):
    """A role for the account of an e-mail address."""

    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(StaffRole.Role.choices)


class LedgerEntrySerializer(serializers.Serializer):
    """One thing that happened, as the chain holds it."""

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
    """Leaving: `concede` gives the match under way to the opponent."""

    concede = serializers.BooleanField(default=False)


class ReasonInput(Input):
    """Why."""

    reason = serializers.CharField(max_length=2000)


class StandingsQuery(serializers.Serializer):
    """Which stage's standings."""

    stage = serializers.IntegerField(min_value=1, max_value=99, required=False)
