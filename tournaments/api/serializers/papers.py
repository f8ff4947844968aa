"""Requested PDFs."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.paper.models import Paper


class PaperSerializer(serializers.Serializer):
    """A PDF, kept for a day from `asked_at`. Poll until it is `ready`, or until `error` says why it failed."""

    id = serializers.CharField(source="paper.public_id")
    event = serializers.CharField(source="paper.event.public_id")
    round = serializers.IntegerField(source="paper.round.number", default=None, allow_null=True)
    kind = serializers.ChoiceField(Paper.Kind.choices, source="paper.kind")
    asked_at = serializers.DateTimeField(source="paper.asked_at")
    ready = serializers.BooleanField(source="state.ready")
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    error = serializers.CharField(source="state.error", allow_blank=True)


class PaperInput(Input):
    """The PDF to make."""

    kind = serializers.ChoiceField(Paper.Kind.choices)
    round = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, help_text="For `round`, `slips`, `by_name` and `by_table`."
    )
