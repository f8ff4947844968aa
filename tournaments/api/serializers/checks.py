"""Signed heads of ledgers, and checks of events."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.archive.selectors import CheckState


class SignedHeadSerializer(serializers.Serializer):
    """The current end of a ledger, signed with Ed25519. The public keys of this site are at `/verify/keys/`."""

    chain = serializers.CharField(help_text="The id of the event.")
    number = serializers.IntegerField(help_text="Of the last entry; 0 while there is none.")
    hash = serializers.CharField(allow_blank=True)
    signature = serializers.CharField()
    key = serializers.CharField()


class FaultSerializer(serializers.Serializer):
    """A fault, or something that was not checked: its code, and where it is."""

    code = serializers.CharField()
    line = serializers.IntegerField()
    where = serializers.CharField(allow_blank=True)
    detail = serializers.CharField(allow_blank=True)


class LastCheckSerializer(serializers.Serializer):
    """The last check of an event, made at night or on request."""

    at = serializers.DateTimeField()
    entry = serializers.IntegerField(help_text="The ledger entry up to which the event was checked.")
    faulty = serializers.IntegerField(help_text="The number of faults.")
    checked = serializers.DictField(child=serializers.IntegerField(), source="report.checked")
    left = FaultSerializer(many=True, source="report.left", help_text="What was not checked.")
    faults = serializers.SerializerMethodField(help_text="The first 200; null for those who are not staff.")

    @extend_schema_field(FaultSerializer(many=True, allow_null=True))
    def get_faults(self, check: Any) -> Any:
        """The faults, for staff who do not play the event."""
        return check.report["faults"] if self.context["reads_faults"] else None


class CheckSerializer(serializers.Serializer):
    """The last check of an event, and the progress of a requested one: poll until `state` is `done` or `failed`."""

    event = serializers.CharField(source="event.public_id")
    state = serializers.ChoiceField(("none", "asked", "running", "done", "failed"), source="state.state")
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    error = serializers.CharField(source="state.error", allow_blank=True)
    last = serializers.SerializerMethodField(help_text="Null before the first check.")

    @extend_schema_field(LastCheckSerializer(allow_null=True))
    def get_last(self, shown: dict[str, Any]) -> Any:
        """The last completed check."""
        state: CheckState = shown["state"]
        return LastCheckSerializer(state.check, context=self.context).data if state.check else None
