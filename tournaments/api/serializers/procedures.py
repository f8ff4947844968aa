"""The player meeting, late players, entry fees, and prizes."""

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input, NamedSerializer
from tournaments.standings.awards import Award
from tournaments.standings.prize_desk import PrizeDesk
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
        desk: PrizeDesk = self.context["desk"]
        return desk.units.get(prize.entrant)


class CategoryPrizeSerializer(serializers.Serializer):
    """The prize of a category, and who wins it: several if they share a rank."""

    category = serializers.IntegerField(source="category.number")
    name = serializers.CharField(source="category.name")
    group = serializers.CharField(allow_blank=True, help_text="The club or faction whose best it is, if each has one.")
    rank = serializers.IntegerField()
    entrants = serializers.ListField(child=serializers.CharField())
    handed_out = serializers.SerializerMethodField()

    def get_handed_out(self, award: Award) -> list[str]:
        """Those of the entrants whose prize was marked as handed out."""
        desk: PrizeDesk = self.context["desk"]
        return [entrant for entrant in award.entrants if (award.category.number, entrant) in desk.categories]


class NotDueSerializer(serializers.Serializer):
    """A prize that was handed out and is no longer due: `units` by rank or points, or the prize of a `category`."""

    entrant = serializers.CharField()
    category = serializers.IntegerField(allow_null=True)
    units = serializers.IntegerField(allow_null=True)


class PrizeDeskSerializer(serializers.Serializer):
    """The prizes, best first. `remainder` is negative if there is not enough."""

    given = serializers.IntegerField(source="sheet.given")
    remainder = serializers.IntegerField(source="sheet.remainder")
    prizes = PrizeSerializer(many=True, source="sheet.prizes")
    categories = CategoryPrizeSerializer(many=True, source="awards", help_text="As you may see them.")
    not_due = NotDueSerializer(many=True, help_text="Handed out before the standings changed.")


class PrizeInput(Input):
    """Whether the prize was handed out."""

    given = serializers.BooleanField()
