"""Pairing settings: options of a stage, players kept apart, clubs, fixed tables, and byes awarded in advance."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input, NamedSerializer
from tournaments.events.models import Stage
from tournaments.play.models import AwardedBye


class ByesQuery(serializers.Serializer):
    """Filters for a list of byes."""

    round = serializers.IntegerField(source="number", min_value=1, max_value=999, required=False)


class ProposalSerializer(serializers.Serializer):
    """The number of rounds proposed for this number of players."""

    players = serializers.IntegerField()
    rounds = serializers.IntegerField()
    why = serializers.ChoiceField(
        ["format", "table", "winner"],
        help_text="The format's own number, the table of MTR appendix E, or the fewest that find a winner.",
    )


class StagePairingSerializer(serializers.Serializer):
    """How the rounds of a Swiss stage are paired, and how many are proposed."""

    pairing_order = serializers.ChoiceField(Stage.Order.choices)
    last_by_standing = serializers.BooleanField()
    clubs_apart = serializers.BooleanField()
    even_sides = serializers.BooleanField()
    byes_on_request = serializers.ChoiceField(Stage.ByeOnRequest.choices)
    proposed = ProposalSerializer()


class StagePairingInput(Input):
    """Options of a Swiss stage to change, for rounds that have not been paired yet."""

    pairing_order = serializers.ChoiceField(Stage.Order.choices, required=False)
    last_by_standing = serializers.BooleanField(required=False)
    clubs_apart = serializers.BooleanField(required=False)
    even_sides = serializers.BooleanField(required=False)
    byes_on_request = serializers.ChoiceField(
        Stage.ByeOnRequest.choices, required=False, help_text="The best bye that a player may ask for."
    )


class SharedTablesSerializer(serializers.Serializer):
    """Another event by the same staff within half a day, and the tables that both use."""

    event = serializers.CharField()
    tables = serializers.ListField(child=serializers.IntegerField())


class StageTablesSerializer(serializers.Serializer):
    """The tables in the hall that a stage uses. If both fields are empty, tables are numbered from 1."""

    tables = serializers.CharField(source="hall", allow_blank=True)
    skipped = serializers.CharField(source="hall_skipped", allow_blank=True)
    shared = SharedTablesSerializer(many=True)


class StageTablesInput(Input):
    """Ranges such as `1-40, 60-80`, in the order in which they are filled, and the tables to skip."""

    tables = serializers.CharField(max_length=200, allow_blank=True)
    skipped = serializers.CharField(max_length=200, allow_blank=True, required=False, default="")


class ForbiddenPairSerializer(serializers.Serializer):
    """Two entrants who must not meet, and why."""

    id = serializers.IntegerField()
    first = NamedSerializer()
    second = NamedSerializer()
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class ForbiddenPairInput(Input):
    """Two entrants, by id, and the reason."""

    first = serializers.CharField(max_length=20)
    second = serializers.CharField(max_length=20)
    reason = serializers.CharField(max_length=200)


class NeedsSerializer(serializers.Serializer):
    """The pairing settings of an entrant."""

    club = serializers.CharField()
    table = serializers.IntegerField(source="fixed_table", allow_null=True)


class NeedsInput(Input):
    """The pairing settings of an entrant. Whatever is left out is cleared."""

    club = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    table = serializers.IntegerField(min_value=1, max_value=10_000, required=False, allow_null=True, default=None)


class AwardedByeSerializer(serializers.Serializer):
    """A bye that was given before its round was paired."""

    entrant = NamedSerializer()
    round = serializers.IntegerField(source="number")
    kind = serializers.ChoiceField(AwardedBye.Kind.choices)
    asked = serializers.BooleanField(help_text="By the player; otherwise awarded by staff.")


class AwardedByeInput(Input):
    """The round, in the count of the event, and the kind of bye."""

    round = serializers.IntegerField(min_value=1, max_value=1000)
    kind = serializers.ChoiceField(AwardedBye.Kind.choices)
