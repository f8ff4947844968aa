"""How one entrant does in an event."""

from rest_framework import serializers

from tournaments.api.serializers.base import NamedSerializer
from tournaments.api.serializers.play import ClockSerializer, MatchSerializer
from tournaments.events.models import Entrant


class StandingPlaceSerializer(serializers.Serializer):
    """The entrant's row in the standings of a stage."""

    stage = serializers.IntegerField(source="stage.number")
    round = serializers.IntegerField(source="after", help_text="The last round that they count.")
    rank = serializers.IntegerField(source="row.rank")
    points = serializers.FloatField(source="row.points")
    record = serializers.ListField(
        source="row.record", child=serializers.IntegerField(), help_text="Won, lost, drawn, without byes."
    )
    byes = serializers.IntegerField(source="row.byes", default=0)


class ProgressSerializer(serializers.Serializer):
    """The match that an entrant plays now, the earlier ones, and the place in the standings."""

    entrant = NamedSerializer()
    status = serializers.ChoiceField(Entrant.Status.choices, source="entrant.status")
    round = serializers.IntegerField(
        source="round.number", default=None, allow_null=True, help_text="The newest round; null before the first."
    )
    clock = ClockSerializer(allow_null=True, help_text="Of that round.")
    match = MatchSerializer(allow_null=True, help_text="In that round, while it is played.")
    earlier = MatchSerializer(many=True, help_text="Oldest first.")
    place = StandingPlaceSerializer(allow_null=True, help_text="Null before there is one, or if it is hidden.")
    pairings_hidden = serializers.BooleanField(help_text="Whether the event hides the pairings from you now.")
    standings_hidden = serializers.BooleanField()
