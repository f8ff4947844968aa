"""The player meeting and late players."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input, NamedSerializer

DUE = ("waiting", "late", "game_loss", "match_loss")
ACTIONS = ("empty", "filled", "game_loss", "match_loss")


class ChairSerializer(serializers.Serializer):
    """A place at the player meeting."""

    number = serializers.IntegerField()
    table = serializers.IntegerField()
    entrant = NamedSerializer()
    owes_deck = serializers.BooleanField()


class MeetingInput(Input):
    """The entrants whose chairs are empty."""

    empty = serializers.ListField(child=serializers.CharField(max_length=20), max_length=5000, default=list)


class LateSeatSerializer(serializers.Serializer):
    """An empty seat and what is due there."""

    match = serializers.CharField(source="empty.seat.match.public_id")
    table = serializers.IntegerField(source="empty.seat.match.table")
    seat = serializers.IntegerField(source="empty.seat.number")
    entrant = NamedSerializer(source="empty.seat.entrant")
    since = serializers.DateTimeField(source="empty.since")
    due = serializers.ChoiceField(DUE)
    next_at = serializers.DateTimeField(allow_null=True)
    game_lost_at = serializers.DateTimeField(source="empty.game_lost_at", allow_null=True)


class LatenessInput(Input):
    """A gesture at an empty seat; `seat` is its number, not needed for the loss of the match."""

    action = serializers.ChoiceField(ACTIONS)
    seat = serializers.IntegerField(min_value=1, max_value=9, required=False)
