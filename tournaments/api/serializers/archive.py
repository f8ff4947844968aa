"""Event files and their verifications."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input


class EventFileInput(Input):
    """What of the file."""

    names = serializers.BooleanField(default=True, help_text="False: the main part alone.")


class EventFileSerializer(serializers.Serializer):
    """The file of an event: kept for a day from `asked_at`. Ask again until `ready`, or until `error` says why not."""

    id = serializers.CharField(source="file.public_id")
    event = serializers.CharField(source="file.event.public_id")
    names = serializers.BooleanField(source="file.names")
    asked_at = serializers.DateTimeField(source="file.asked_at")
    ready = serializers.BooleanField(source="state.ready")
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    error = serializers.CharField(source="state.error", allow_blank=True)


class VerificationSerializer(serializers.Serializer):
    """A verification: kept for a day from `asked_at`. Ask again until `ready`.

    `report` is what docs/event-file.md describes, or `{"unreadable": {"reason", "line", "field"}}`.
    """

    id = serializers.CharField(source="verification.public_id")
    asked_at = serializers.DateTimeField(source="verification.asked_at")
    ready = serializers.BooleanField(source="state.ready")
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    report = serializers.DictField(source="state.report", allow_null=True)
    error = serializers.CharField(source="state.error", allow_blank=True)
