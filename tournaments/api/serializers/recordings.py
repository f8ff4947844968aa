"""Recordings: games entered while they are played."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.api.serializers.logs import LegalMoveSerializer
from tournaments.audits.selectors import TableToRecord

KEY = r"^[\w-]{10,60}$"


class RecordingSerializer(serializers.Serializer):
    """A recording as you may see it: the board, the moves that are legal now, and how many entries there are."""

    id = serializers.CharField(source="recording.public_id")
    match = serializers.CharField(source="recording.game.match.public_id")
    game = serializers.IntegerField(source="recording.game.number")
    n = serializers.IntegerField(help_text="How many entries there are; the next one has this number plus one.")
    digest = serializers.CharField(help_text="Hash of the chain.")
    shared = serializers.ListField(
        child=serializers.CharField(),
        source="recording.shared",
        help_text="The seats whose player agreed that the other one records for both, on one device.",
    )
    actors = serializers.ListField(child=serializers.CharField(), help_text="The seats for which you may enter moves.")
    legal = LegalMoveSerializer(many=True)
    more_legal = serializers.BooleanField(help_text="Whether more moves are legal than are listed.")
    responses = LegalMoveSerializer(
        many=True, help_text="Moves that may respond to the last entry; sent with `resp: true`."
    )
    more_responses = serializers.BooleanField(help_text="Whether more responses are legal than are listed.")
    board = serializers.JSONField()
    over = serializers.BooleanField()
    undo_asked = serializers.BooleanField()
    log = serializers.CharField(source="recording.log.public_id", allow_null=True, default=None)


class GameToRecordSerializer(serializers.Serializer):
    """A game of a table, with its newest recording."""

    number = serializers.IntegerField()
    recording = serializers.CharField(source="recording.public_id", allow_null=True, default=None)
    handed_in = serializers.BooleanField()


class TableToRecordSerializer(serializers.Serializer):
    """A table whose games you may record."""

    match = serializers.CharField(source="match.public_id")
    table = serializers.IntegerField(source="match.table")
    players = serializers.SerializerMethodField()
    games = GameToRecordSerializer(many=True)

    def get_players(self, table: TableToRecord) -> list[str]:
        """The public names of the players, in the order of the seats."""
        seats = sorted(table.match.seats.all(), key=lambda seat: seat.number)
        return [seat.entrant.name for seat in seats]


class SequenceInput(Input):
    """The number of the entry, and a key made up by the sender. Sending the same key again does nothing new."""

    n = serializers.IntegerField(min_value=1, max_value=100_000)
    key = serializers.RegexField(KEY)


class RecordedEntryInput(SequenceInput):
    """A move."""

    entry = serializers.DictField(help_text="An entry of a log, without `n` and `h`.")


class RecordedEntrySerializer(serializers.Serializer):
    """A recorded entry."""

    n = serializers.IntegerField()
    h = serializers.CharField(source="entry.h", help_text="Hash of the chain up to it.")
