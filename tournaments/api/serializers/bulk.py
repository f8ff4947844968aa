"""Bulk audits: all logs of an event audited again."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.audits.bulk import state_of, verdict_changes
from tournaments.audits.models import BulkAudit, BulkLine


class BulkInput(Input):
    """The interpretations to audit under. Those that are left out stay as each log has them."""

    options = serializers.DictField(
        child=serializers.CharField(max_length=60), required=False, default=dict, help_text='By id: `{"I-SAF-13": …}`'
    )


class BulkSerializer(serializers.Serializer):
    """A bulk audit."""

    id = serializers.CharField(source="public_id")
    event = serializers.CharField(source="event.public_id")
    options = serializers.DictField(child=serializers.CharField())
    asked_by = serializers.CharField(source="asked_by.public_id", help_text="An account.")
    asked_at = serializers.DateTimeField()
    cancelled_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class BulkProgressSerializer(serializers.Serializer):
    """The progress of a bulk audit, counted in logs. `failed` is the number of logs that could not be audited."""

    status = serializers.ChoiceField(["running", "done", "cancelled", "failed"])
    progress = serializers.IntegerField(help_text="0 to 100")
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    changed = serializers.IntegerField()
    failed = serializers.IntegerField()


class VerdictChangeSerializer(serializers.Serializer):
    """How many logs changed from one verdict to another. Both are the same if only the reason for it changed."""

    verdict_before = serializers.CharField()
    verdict_after = serializers.CharField()
    logs = serializers.IntegerField()


class BulkDetailSerializer(BulkSerializer):
    """A bulk audit with its progress and the verdicts that changed."""

    state = serializers.SerializerMethodField()
    verdicts = serializers.SerializerMethodField()

    @extend_schema_field(BulkProgressSerializer)
    def get_state(self, bulk: BulkAudit) -> dict[str, Any]:
        """The progress, counted from the logs."""
        return dict(BulkProgressSerializer(state_of(bulk)).data)

    @extend_schema_field(VerdictChangeSerializer(many=True))
    def get_verdicts(self, bulk: BulkAudit) -> list[Any]:
        """The changes of verdict, most frequent first."""
        return list(VerdictChangeSerializer(verdict_changes(bulk), many=True).data)


class FoundSerializer(serializers.Serializer):
    """What an audit found: the refused entry `n` and the winner."""

    n = serializers.IntegerField(allow_null=True)
    winner = serializers.CharField(allow_null=True)


class BulkChangeSerializer(serializers.Serializer):
    """A log whose audit came out differently, with the first entry that differs, or that could not be audited."""

    log = serializers.CharField(source="log.public_id")
    match = serializers.CharField(source="log.game.match.public_id")
    round = serializers.IntegerField(source="log.game.match.round.number")
    game = serializers.IntegerField(source="log.game.number")
    outcome = serializers.ChoiceField([BulkLine.Outcome.CHANGED, BulkLine.Outcome.FAILED])
    verdict_before = serializers.CharField()
    verdict_after = serializers.CharField(allow_blank=True)
    found_before = FoundSerializer(allow_null=True)
    found_after = FoundSerializer(allow_null=True)
    differs_at = serializers.IntegerField(allow_null=True, help_text="0 is the set-up.")
