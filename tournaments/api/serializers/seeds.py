"""The seeds of an event."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input


class SeedsSerializer(serializers.Serializer):
    """The ids of the entrants who have a seed, best first."""

    seeds = serializers.ListField(child=serializers.CharField())


class SeedsInput(Input):
    """A league of yours that rates its players, by id."""

    league = serializers.CharField(max_length=20)
