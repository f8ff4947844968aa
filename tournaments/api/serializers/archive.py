"""Event files and their verification."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input


class EventFileInput(Input):
    """What the file should contain."""

    names = serializers.BooleanField(default=True, help_text="False: only the main part.")


class EventFileSerializer(serializers.Serializer):
    """An event file, kept for a day from `asked_at`. Poll until it is `ready`, or until `error` says why it failed."""

    id = serializers.CharField(source="file.public_id")
    event = serializers.CharField(source="file.event.public_id")
    names = serializers.BooleanField(source="file.names")
    asked_at = serializers.DateTimeField(source="file.asked_at")
    ready = serializers.BooleanField(source="state.ready")
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    error = serializers.CharField(source="state.error", allow_blank=True)


class VerificationSerializer(serializers.Serializer):
    """A verification, kept for a day from `asked_at`. Poll until it is `ready`.

    `report` is described in docs/event-file.md; for a file that cannot be read it is `{"unreadable": {"reason", "line",
    "field"}}`.
    """

    id = serializers.CharField(source="verification.public_id")
    asked_at = serializers.DateTimeField(source="verification.asked_at")
    ready = serializers.BooleanField(source="state.ready")
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    report = serializers.DictField(source="state.report", allow_null=True)
    error = serializers.CharField(source="state.error", allow_blank=True)
