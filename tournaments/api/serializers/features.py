"""Feature matches: which ones the public can follow, with what delay, and what it sees."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.audits.features import DELAY, LEAST, MOST


class FeatureSerializer(serializers.Serializer):
    """A match that the public can follow."""

    match = serializers.CharField(source="match.public_id")
    round = serializers.IntegerField(source="match.round.number")
    table = serializers.IntegerField(source="match.table")
    delay = serializers.IntegerField(help_text="Minutes from when a move is received until the public sees it.")
    named_at = serializers.DateTimeField()


class FeatureInput(Input):
    """The delay with which the public follows the match, in minutes."""

    delay = serializers.IntegerField(min_value=LEAST, max_value=MOST, default=DELAY)


class WatchQuery(serializers.Serializer):
    """The game to show, by default the newest, and the entry after which to show it, by default the newest shown."""

    game = serializers.IntegerField(min_value=1, max_value=99, required=False)
    n = serializers.IntegerField(min_value=0, max_value=100_000, required=False)


class WatchSerializer(serializers.Serializer):
    """A feature match as the public sees it now."""

    match = serializers.CharField(source="feature.match.public_id")
    delay = serializers.IntegerField(source="feature.delay")
    games = serializers.ListField(child=serializers.IntegerField(), help_text="The games that have begun, by number.")
    game = serializers.IntegerField(
        source="game.number", default=None, allow_null=True, help_text="Null before any game has begun."
    )
    n = serializers.IntegerField(help_text="The entry after which the board is; 0 is the set-up.")
    line = serializers.ListField(
        source="game.line",
        child=serializers.IntegerField(),
        default=list,
        help_text="The entries of the game that the public can see so far, in order.",
    )
    over = serializers.BooleanField(
        source="game.over", default=False, help_text="Whether the recording of the game has ended."
    )
    moves = serializers.JSONField(
        source="sight.moves",
        default=list,  # type: ignore[arg-type]
        help_text="The last moves up to here: n, by, do, args. A card that may be hidden is a question mark.",
    )
    board = serializers.JSONField(
        source="sight.board", default=None, allow_null=True, help_text="As a spectator sees it."
    )
