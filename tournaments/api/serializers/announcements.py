"""Announcements."""

from rest_framework import serializers

from tournaments.announcements.services import LONGEST, MINUTES, MOST_MINUTES
from tournaments.api.serializers.base import Input


class AnnouncementSerializer(serializers.Serializer):
    """An announcement by staff: to everybody, to a stage (`stage`) or to the players of one table (`table`)."""

    id = serializers.CharField(source="public_id")
    text = serializers.CharField()
    stage = serializers.IntegerField(source="stage.number", default=None, allow_null=True)
    table = serializers.IntegerField(source="match.table", default=None, allow_null=True)
    made_at = serializers.DateTimeField()
    until = serializers.DateTimeField()


class AnnouncementInput(Input):
    """A new announcement. Without `stage` and `table` it is for everybody."""

    text = serializers.CharField(max_length=LONGEST)
    stage = serializers.IntegerField(min_value=1, max_value=99, required=False, allow_null=True)
    table = serializers.IntegerField(min_value=1, max_value=9999, required=False, allow_null=True)
    minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES, default=MINUTES)
