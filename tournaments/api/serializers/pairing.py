"""What pairing minds: options of a stage, pairs that must not meet, clubs, fixed tables, byes given before a round."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input, NamedSerializer
from tournaments.events.models import Stage
from tournaments.play.models import AwardedBye


class ByesQuery(serializers.Serializer):
    """Of which round."""

    round = serializers.IntegerField(source="number", min_value=1, max_value=999, required=False)


class ProposalSerializer(serializers.Serializer):
    """Rounds proposed for so many players."""

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
    """Options of a Swiss stage to change; they hold for the rounds that are not paired yet."""

    pairing_order = serializers.ChoiceField(Stage.Order.choices, required=False)
    last_by_standing = serializers.BooleanField(required=False)
    clubs_apart = serializers.BooleanField(required=False)
    even_sides = serializers.BooleanField(required=False)
    byes_on_request = serializers.ChoiceField(
        Stage.ByeOnRequest.choices, required=False, help_text="The best bye that a player may ask for."
    )


class SharedTablesSerializer(serializers.Serializer):
    """An event of the same staff within half a day, and the tables that both have."""

    event = serializers.CharField()
    tables = serializers.ListField(child=serializers.IntegerField())


class StageTablesSerializer(serializers.Serializer):
    """The tables of the hall at which a stage is played; both empty: counted from 1."""

    tables = serializers.CharField(source="hall", allow_blank=True)
    skipped = serializers.CharField(source="hall_skipped", allow_blank=True)
    shared = SharedTablesSerializer(many=True)


class StageTablesInput(Input):
    """Ranges such as `1-40, 60-80` in the order in which they are filled, and those left out."""

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
    """What pairing minds of an entrant."""

    club = serializers.CharField()
    table = serializers.IntegerField(source="fixed_table", allow_null=True)


class NeedsInput(Input):
    """The whole of it: what is left out is taken away."""

    club = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    table = serializers.IntegerField(min_value=1, max_value=10_000, required=False, allow_null=True, default=None)


class AwardedByeSerializer(serializers.Serializer):
    """A bye in a round to come, or in one that was paired with it."""

    entrant = NamedSerializer()
    round = serializers.IntegerField(source="number")
    kind = serializers.ChoiceField(AwardedBye.Kind.choices)
    asked = serializers.BooleanField(help_text="By the player; otherwise awarded by staff.")


class AwardedByeInput(Input):
    """The round, in the count of the event, and the kind of bye."""

    round = serializers.IntegerField(min_value=1, max_value=1000)
    kind = serializers.ChoiceField(AwardedBye.Kind.choices)
