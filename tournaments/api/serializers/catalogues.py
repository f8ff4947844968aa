"""Catalogues of cards of one's own."""

from rest_framework import serializers

import engine


class CardsQuery(serializers.Serializer):
    """The game of the list; `id` names the catalogue where the list does not."""

    game = serializers.ChoiceField(engine.games())
    id = serializers.RegexField(r"^[0-9a-z][0-9a-z.-]{0,63}$", required=False, default="cards")


class CardSerializer(serializers.Serializer):
    """One of the first cards."""

    ref = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.CharField()


class LintSerializer(serializers.Serializer):
    """One word of the linter: its code, the card's reference, where, and what was probably meant."""

    code = serializers.CharField()
    card = serializers.CharField(allow_blank=True)
    where = serializers.CharField(allow_blank=True)
    suggestions = serializers.ListField(child=serializers.CharField())


class LookSerializer(serializers.Serializer):
    """The first cards, and the linter's words: at most 200 problems and 200 hints, of how many."""

    sample = CardSerializer(many=True)
    problems = LintSerializer(many=True)
    problem_count = serializers.IntegerField()
    hints = LintSerializer(many=True)
    hint_count = serializers.IntegerField()
    executed = serializers.IntegerField(help_text="Cards that the engine plays by itself.")
    manual = serializers.IntegerField(help_text="Cards that are left to rulings.")


class OwnCatalogueSerializer(serializers.Serializer):
    """A version of a catalogue."""

    id = serializers.IntegerField(source="pk")
    game = serializers.CharField()
    catalog = serializers.CharField()
    version = serializers.IntegerField()
    sha256 = serializers.CharField()
    cards = serializers.IntegerField()
    kept_at = serializers.DateTimeField(source="created_at")


class CatalogueDetailSerializer(OwnCatalogueSerializer):
    """The same, with its first cards and the linter's words."""

    look = LookSerializer()


class CardFaultSerializer(serializers.Serializer):
    """What is wrong with a list: the line, from 1 (0 in JSON), the column or key, and why."""

    line = serializers.IntegerField()
    path = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField()


class CatalogueUploadSerializer(serializers.Serializer):
    """A list that was sent. `status` is `sent` until it is read, then `readable` or `faulty`; `kept` at last."""

    id = serializers.CharField(source="upload.public_id")
    status = serializers.CharField(source="upload.status")
    progress = serializers.IntegerField(source="state.progress", help_text="Percent.")
    error = serializers.CharField(source="state.error", allow_blank=True, help_text="The code of what stopped it.")
    catalog = serializers.CharField(help_text="The id that it has, or would have.")
    cards = serializers.IntegerField()
    faults = CardFaultSerializer(many=True)
    look = LookSerializer(allow_null=True)
    kept = serializers.IntegerField(source="upload.kept_id", allow_null=True, help_text="The catalogue it became.")
