"""Decklists, with their faults in words."""

from typing import Any

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.decks.engine_gate import describe
from tournaments.decks.models import Decklist


class ViolationSerializer(serializers.Serializer):
    """A broken rule."""

    rule = serializers.CharField()
    section = serializers.CharField(allow_blank=True)
    message = serializers.CharField(help_text="In the language of Accept-Language.")
    args = serializers.JSONField()
    depends_on = serializers.JSONField(help_text="Readings of the rules on which this verdict rests.")


class DecklistSerializer(serializers.Serializer):
    """The version of a list that counts, for those who may read it."""

    entrant = serializers.CharField(source="entrant.public_id")
    stage = serializers.IntegerField(source="stage.number")
    version = serializers.IntegerField()
    digest = serializers.CharField()
    legal = serializers.BooleanField()
    violations = serializers.SerializerMethodField()
    cards = serializers.JSONField()
    text = serializers.CharField()
    submitted_at = serializers.DateTimeField()

    @extend_schema_field(ViolationSerializer(many=True))
    def get_violations(self, decklist: Decklist) -> list[dict[str, Any]]:
        """Every broken rule with its sentence."""
        game = decklist.entrant.event.game
        described = describe(game, decklist.violations, get_language() or "en")
        return ViolationSerializer(described, many=True).data


class DecklistInput(Input):
    """A list as it was pasted."""

    text = serializers.CharField(trim_whitespace=False)
