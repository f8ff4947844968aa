"""Leagues and the player book."""

from typing import Any

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input, NamedSerializer
from tournaments.events.models import Event
from tournaments.leagues.models import League
from tournaments.leagues.rules import MAX_BEST, MAX_PLACES, MAX_POINTS

WHY = ("counts", "dropped", "double")


def _figure(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MAX_POINTS, **options)


class LeagueRulesSerializer(serializers.Serializer):
    """How results of events become league points."""

    by_rank = serializers.ListField(child=serializers.IntegerField(), help_text="From the first place on.")
    later = serializers.IntegerField(help_text="For every later place.")
    per_match_point = serializers.IntegerField()
    attendance = serializers.IntegerField(help_text="For attending, at every event.")
    best = serializers.IntegerField(allow_null=True, help_text="How many results count; null for all.")
    ratings = serializers.BooleanField(help_text="Whether the players are rated.")


class LeagueSerializer(serializers.Serializer):
    """A league in a list."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    visibility = serializers.ChoiceField(League.Visibility.choices)
    events = serializers.IntegerField(source="size")


class LeagueEventSerializer(serializers.Serializer):
    """An event of a league."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Event.Status.choices)


class LeagueDetailSerializer(serializers.Serializer):
    """A league with its rules and its events."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    visibility = serializers.ChoiceField(League.Visibility.choices)
    club = NamedSerializer(allow_null=True, help_text="The club whose owners and organizers manage it, too.")
    rules = LeagueRulesSerializer()
    events = LeagueEventSerializer(many=True)


class LeagueInput(Input):
    """What to change in a league. Whatever is left out stays."""

    name = serializers.CharField(max_length=120, required=False)
    visibility = serializers.ChoiceField(League.Visibility.choices, required=False)
    club = serializers.CharField(
        max_length=20, required=False, allow_null=True, help_text="A club that you manage, by id; null for none."
    )
    by_rank = BoundedList(child=_figure(), max_length=MAX_PLACES, required=False)
    later = _figure(required=False)
    per_match_point = _figure(required=False)
    attendance = _figure(required=False)
    best = serializers.IntegerField(min_value=1, max_value=MAX_BEST, required=False, allow_null=True)
    ratings = serializers.BooleanField(required=False)


class NewLeagueInput(LeagueInput):
    """A new league. Without a visibility, only its owner can see it."""

    name = serializers.CharField(max_length=120)


class LeagueEventInput(Input):
    """An event that you organize, by id."""

    event = serializers.CharField(max_length=20)


class LeagueResultSerializer(serializers.Serializer):
    """What one event gave a player. Numbers are exact, as fractions."""

    event = serializers.CharField(source="event.public_id")
    entrant = serializers.CharField()
    place = serializers.IntegerField()
    sharing = serializers.IntegerField(help_text="How many share the place.")
    match_points = serializers.CharField()
    by_rank = serializers.CharField()
    by_matches = serializers.CharField()
    attendance = serializers.CharField()
    why = serializers.ChoiceField(WHY, help_text="It counts, is dropped, or another entry did better there.")


class LeagueLineSerializer(serializers.Serializer):
    """A player of a league, with all results, best first."""

    rank = serializers.IntegerField()
    sharing = serializers.IntegerField(help_text="How many share the rank.")
    player = serializers.CharField(help_text="The person's id.")
    name = serializers.CharField()
    total = serializers.CharField(help_text="Exact, as a fraction.")
    results = LeagueResultSerializer(many=True)


class LeagueStandingsSerializer(serializers.Serializer):
    """The newest standings, and whether newer ones are being computed."""

    computing = serializers.BooleanField()
    computed_at = serializers.DateTimeField(source="table.computed_at", allow_null=True, default=None)
    rows = LeagueLineSerializer(source="lines", many=True)


class LeagueRatingSerializer(serializers.Serializer):
    """The rating of a player by Glicko-2. The range is two deviations wide on each side."""

    rank = serializers.IntegerField()
    player = serializers.CharField(help_text="The person's id.")
    name = serializers.CharField()
    rating = serializers.FloatField()
    deviation = serializers.FloatField()
    volatility = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    provisional = serializers.BooleanField()
    matches = serializers.IntegerField()
    change = serializers.FloatField(help_text="At the last event that the player played in.")


class NamesakeSerializer(serializers.Serializer):
    """A player among others of the same name."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField(source="player.person.full_name")
    account = serializers.BooleanField(source="has_account", help_text="Whether the person has an account.")
    clubs = serializers.ListField(child=serializers.CharField())
    events = NamedSerializer(many=True)


class NamesakesSerializer(serializers.Serializer):
    """A name that several players of a league have."""

    name = serializers.CharField()
    players = NamesakeSerializer(many=True)
    apart = serializers.BooleanField(
        help_text="Two of them entered the same event, or have accounts of their own: not all are one player."
    )


class NamesakesInput(Input):
    """The players who are the same, by id."""

    players = BoundedList(child=serializers.CharField(max_length=20), max_length=100, min_length=2)


class BookPlayerSerializer(serializers.Serializer):
    """A player in your player book."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField(help_text="Your name for the player, or the one that the book shows.")
    public_name = serializers.CharField(source="person.name")
    private_name = serializers.CharField()
    notes = serializers.CharField()
    account = serializers.SerializerMethodField(help_text="Whether the person has an account.")
    others = NamedSerializer(many=True, help_text="The other entries of this player.")
    events = serializers.IntegerField()

    def get_account(self, player: Any) -> bool:
        """Whether the person has an account."""
        return player.person.account_id is not None


class BookQuery(serializers.Serializer):
    """Filters for the player book."""

    find = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class BookEntryInput(Input):
    """What you keep about a player."""

    name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    notes = serializers.CharField(max_length=2000, required=False, default="", allow_blank=True)


class MergeInput(Input):
    """The other player, by id."""

    other = serializers.CharField(max_length=20)
