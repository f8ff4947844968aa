"""Public profiles of players, and what an account follows."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.account import BriefEventSerializer
from tournaments.api.serializers.base import Input
from tournaments.profiles.history import Played
from tournaments.profiles.models import MAX_TEXT

OUTCOMES = "`won`, `lost` or `drawn`."


class RecordSerializer(serializers.Serializer):
    """Matches won, lost and drawn, without byes."""

    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    drawn = serializers.IntegerField()


class SeasonSerializer(serializers.Serializer):
    """The record of a game or of a year."""

    name = serializers.CharField()
    events = serializers.IntegerField()
    record = RecordSerializer()


class PlayerSerializer(serializers.Serializer):
    """A player with a public profile."""

    id = serializers.CharField(source="person.public_id")
    name = serializers.CharField(source="person.name")
    short_name = serializers.CharField(allow_null=True)


class ProfileSerializer(PlayerSerializer):
    """A public profile, with the record of everything that events show to everybody."""

    text = serializers.CharField()
    record = RecordSerializer(source="career.record")
    by_game = SeasonSerializer(source="career.by_game", many=True)
    by_year = SeasonSerializer(source="career.by_year", many=True)


class OpponentSerializer(serializers.Serializer):
    """An opponent: the name that the event shows, and how addresses name the public profile, if there is one."""

    name = serializers.CharField()
    player = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_player(self, opponent: Any) -> str | None:
        """How addresses name the profile, or null."""
        return opponent.address or None


class MetSerializer(serializers.Serializer):
    """A match of an event, seen from the player."""

    id = serializers.CharField(source="match_id")
    round = serializers.IntegerField()
    outcome = serializers.CharField(help_text=OUTCOMES)
    opponents = OpponentSerializer(many=True)


class PlayedEventSerializer(serializers.Serializer):
    """An event that a player plays or has played. What the event does not show to everybody is null."""

    event = BriefEventSerializer()
    starts_at = serializers.DateTimeField(source="event.starts_at", allow_null=True)
    entrant = serializers.CharField(source="entrant.public_id")
    rank = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField()
    record = RecordSerializer(allow_null=True)
    decklist = serializers.IntegerField(allow_null=True)
    matches = MetSerializer(many=True)

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_rank(self, line: Played) -> int | None:
        """The rank in the newest standings, or null."""
        return line.place.rank if line.place else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_players(self, line: Played) -> int | None:
        """How many players have a rank, or null."""
        return line.place.players if line.place else None


class EncounterSerializer(serializers.Serializer):
    """A match of two players, seen from the first."""

    id = serializers.CharField(source="match_id")
    event = BriefEventSerializer()
    round = serializers.IntegerField()
    outcome = serializers.CharField(help_text=OUTCOMES)


class HeadToHeadSerializer(serializers.Serializer):
    """How two players did against each other, seen from the first."""

    first = PlayerSerializer()
    second = PlayerSerializer()
    record = RecordSerializer()
    by_game = SeasonSerializer(many=True)
    matches = EncounterSerializer(many=True, help_text="The newest hundred, newest first.")


class OwnProfileSerializer(serializers.Serializer):
    """The public profile of a person you act for; empty while it is switched off."""

    shown = serializers.BooleanField()
    short_name = serializers.CharField(allow_null=True)
    text = serializers.CharField()
    searchable = serializers.BooleanField(help_text="Whether search engines may list it.")


class OwnProfileInput(Input):
    """What a public profile says."""

    short_name = serializers.CharField(max_length=31, required=False, default="", allow_blank=True)
    text = serializers.CharField(max_length=MAX_TEXT, required=False, default="", allow_blank=True)
    searchable = serializers.BooleanField(default=False, help_text="Search engines may list it.")


class FollowSerializer(serializers.Serializer):
    """An event or a player that you follow; the other one is null."""

    event = BriefEventSerializer(allow_null=True)
    player = PlayerSerializer(source="profile", allow_null=True)
    since = serializers.DateTimeField(source="at")
