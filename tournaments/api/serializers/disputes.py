"""Disputes and rulings."""

from typing import Any

from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.api.serializers.judging import PunishedInput
from tournaments.api.serializers.play import ResultInput
from tournaments.audits.disputes import LONGEST
from tournaments.audits.models import Dispute, Ruling


class RulingInput(ResultInput):
    """A judge's ruling, with its reason. `games`, `places` or `boards` are for the decision `change` only."""

    decision = serializers.ChoiceField(Ruling.Decision.choices, default=Ruling.Decision.CHANGE)
    game = serializers.IntegerField(
        min_value=1, max_value=9, required=False, help_text="To be played again; without it, the whole match."
    )
    state = serializers.CharField(
        max_length=64,
        required=False,
        default="",
        help_text="`state` of the disputes of the match as you read them: refused if it has changed since.",
    )
    reason = serializers.CharField(max_length=LONGEST, allow_blank=True)
    penalty = PunishedInput(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require a result for `change`.

        With the other decisions a result is passed on as `games`, so that the service refuses it (`score_not_taken`).
        """
        if attrs["decision"] == Ruling.Decision.CHANGE:
            return super().validate(attrs)
        for name in ("places", "boards"):
            if name in attrs:
                attrs["games"] = attrs.pop(name)
        return attrs


class ClaimInput(Input):
    """The reason for a claim or an appeal."""

    reason = serializers.CharField(max_length=LONGEST, allow_blank=True)


class RulingSerializer(serializers.Serializer):
    """A ruling. The last one in a dispute is the one in force. `games` is null if the match or game is replayed."""

    number = serializers.IntegerField()
    decision = serializers.ChoiceField(Ruling.Decision.choices)
    games = serializers.JSONField(allow_null=True)
    kind = serializers.CharField()
    game = serializers.IntegerField(allow_null=True)
    head = serializers.BooleanField(help_text="Ruled by a head judge, and final.")
    at = serializers.DateTimeField()
    by = serializers.CharField(source="by.public_id", help_text="An account.")
    state = serializers.CharField(help_text="SHA-256 of the state of the match it was based on.")
    reason = serializers.SerializerMethodField(help_text="Empty where it was erased.")

    def get_reason(self, ruling: Ruling) -> str:
        """The reason, from the note of its ledger entry."""
        saying = self.context["sayings"].get((self.context["dispute"], ruling.entry))
        return saying.said if saying else ""


class SayingSerializer(serializers.Serializer):
    """A claim or an appeal."""

    what = serializers.ChoiceField(["claimed", "appealed"])
    at = serializers.DateTimeField()
    by = serializers.CharField(source="actor", help_text="An account.")
    said = serializers.CharField()


class DisputeSerializer(serializers.Serializer):
    """A dispute, with its claims, appeals and rulings."""

    id = serializers.CharField(source="public_id")
    match = serializers.CharField(source="match.public_id")
    status = serializers.ChoiceField(Dispute.Status.choices)
    opened_at = serializers.DateTimeField()
    appealed_at = serializers.DateTimeField(allow_null=True)
    sayings = serializers.SerializerMethodField()
    rulings = serializers.SerializerMethodField()

    def get_sayings(self, dispute: Dispute) -> list[dict[str, Any]]:
        """The claims and appeals, oldest first."""
        told = [saying for (key, _n), saying in self.context["sayings"].items() if key == dispute.public_id]
        return list(SayingSerializer([saying for saying in told if saying.what != "ruled"], many=True).data)

    def get_rulings(self, dispute: Dispute) -> list[dict[str, Any]]:
        """The rulings, oldest first."""
        context = {**self.context, "dispute": dispute.public_id}
        return list(RulingSerializer(dispute.rulings.all(), many=True, context=context).data)


class MatchDisputesSerializer(serializers.Serializer):
    """The disputes of a match, newest first, and the digest of the state that a ruling made now would be based on."""

    state = serializers.CharField()
    disputes = DisputeSerializer(many=True)
