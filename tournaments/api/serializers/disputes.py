"""Disputes and rulings."""

from typing import Any

from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.api.serializers.judging import PunishedInput
from tournaments.api.serializers.play import ResultInput
from tournaments.audits.disputes import LONGEST
from tournaments.audits.models import Dispute, Ruling


class RulingInput(ResultInput):
    """What a judge decides, with the reason. `games` or `places` where the result is changed, and only there."""

    decision = serializers.ChoiceField(Ruling.Decision.choices, default=Ruling.Decision.CHANGE)
    game = serializers.IntegerField(
        min_value=1, max_value=9, required=False, help_text="To be played again; without it, the whole match."
    )
    state = serializers.CharField(
        max_length=64,
        required=False,
        default="",
        help_text="`state` of the disputes of the match as you read them: refused when it moved since.",
    )
    reason = serializers.CharField(max_length=LONGEST, allow_blank=True)
    penalty = PunishedInput(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A change says the result; with the other decisions a result is refused, by the service."""
        if attrs["decision"] == Ruling.Decision.CHANGE:
            return super().validate(attrs)
        places = attrs.pop("places", None)
        return attrs if places is None else {**attrs, "games": places}


class ClaimInput(Input):
    """The words of a claim or of an appeal."""

    reason = serializers.CharField(max_length=LONGEST, allow_blank=True)


class RulingSerializer(serializers.Serializer):
    """A ruling; the last one of a dispute holds. `games` is null where it is played again."""

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
        """The words of the ruling, from the ledger's note."""
        saying = self.context["sayings"].get((self.context["dispute"], ruling.entry))
        return saying.said if saying else ""


class SayingSerializer(serializers.Serializer):
    """A claim or an appeal."""

    what = serializers.ChoiceField(["claimed", "appealed"])
    at = serializers.DateTimeField()
    by = serializers.CharField(source="actor", help_text="An account.")
    said = serializers.CharField()


class DisputeSerializer(serializers.Serializer):
    """A dispute with what was said and ruled in it."""

    id = serializers.CharField(source="public_id")
    match = serializers.CharField(source="match.public_id")
    status = serializers.ChoiceField(Dispute.Status.choices)
    opened_at = serializers.DateTimeField()
    appealed_at = serializers.DateTimeField(allow_null=True)
    sayings = serializers.SerializerMethodField()
    rulings = serializers.SerializerMethodField()

    def get_sayings(self, dispute: Dispute) -> list[dict[str, Any]]:
        """Claims and appeals, the first one first."""
        told = [saying for (key, _n), saying in self.context["sayings"].items() if key == dispute.public_id]
        return SayingSerializer([saying for saying in told if saying.what != "ruled"], many=True).data

    def get_rulings(self, dispute: Dispute) -> list[dict[str, Any]]:
        """The rulings, the first one first."""
        context = {**self.context, "dispute": dispute.public_id}
        return RulingSerializer(dispute.rulings.all(), many=True, context=context).data


class MatchDisputesSerializer(serializers.Serializer):
    """The disputes of a match, the newest first, and the digest of the state that a ruling would be based on."""

    state = serializers.CharField()
    disputes = DisputeSerializer(many=True)
