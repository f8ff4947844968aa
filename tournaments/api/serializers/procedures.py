"""The player meeting, late players, entry fees, and prizes."""

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input, NamedSerializer
from tournaments.standings.prizes import Prize

DUE = ("waiting", "late", "game_loss", "match_loss")
ACTIONS = ("empty", "filled", "game_loss", "match_loss")


class ChairSerializer(serializers.Serializer):
    """A seat at the player meeting."""

    number = serializers.IntegerField()
    table = serializers.IntegerField()
    entrant = NamedSerializer(source="*")
    owes_deck = serializers.BooleanField()


class MeetingInput(Input):
    """The entrants whose seats are empty."""

    empty = BoundedList(child=serializers.CharField(max_length=20), max_length=5000, default=list)


class LateSeatSerializer(serializers.Serializer):
    """An empty seat, and what is due there."""

    match = serializers.CharField(source="empty.seat.match.public_id")
    table = serializers.IntegerField(source="empty.seat.match.table")
    seat = serializers.IntegerField(source="empty.seat.number")
    entrant = NamedSerializer(source="empty.seat.entrant")
    since = serializers.DateTimeField(source="empty.since")
    due = serializers.ChoiceField(DUE)
    next_at = serializers.DateTimeField(allow_null=True)
    game_lost_at = serializers.DateTimeField(source="empty.game_lost_at", allow_null=True)


class LatenessInput(Input):
    """An action at an empty seat. `seat` is its number, not needed for `match_loss`."""

    action = serializers.ChoiceField(ACTIONS)
    seat = serializers.IntegerField(min_value=1, max_value=9, required=False)


class EntrySerializer(serializers.Serializer):
    """How an entrant's entry fee was settled; empty while it is owed."""

    entrant = serializers.CharField(source="public_id")
    how = serializers.CharField(source="settled", allow_blank=True)


class EntryInput(Input):
    """How the entry fee was settled: `paid`, `voucher`, or empty to undo it."""

    how = serializers.CharField(max_length=10, allow_blank=True)


class PrizeSerializer(serializers.Serializer):
    """The prize of one entrant."""

    entrant = serializers.CharField()
    rank = serializers.IntegerField()
    points = serializers.FloatField()
    units = serializers.IntegerField()
    handed_out = serializers.SerializerMethodField()

    def get_handed_out(self, prize: Prize) -> int | None:
        """The units that were marked as handed out, or null."""
        handed: dict[str, int] = self.context["handed"]
        return handed.get(prize.entrant)


class PrizeSheetSerializer(serializers.Serializer):
    """The prizes, best first. `remainder` is negative if there is not enough."""

    given = serializers.IntegerField()
    remainder = serializers.IntegerField()
    prizes = PrizeSerializer(many=True)


class PrizeInput(Input):
    """Whether the prize was handed out."""

    given = serializers.BooleanField()
