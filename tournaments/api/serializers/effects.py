"""What cards do: the words of a game, sentences, problems, and files of effects."""

from rest_framework import serializers

from engine.face.effects import MOST_ABILITIES

WRITTEN = "As docs/cards.md describes them, in printed order."


class SentenceSerializer(serializers.Serializer):
    """What an ability does as a sentence, in each language."""

    fr = serializers.CharField()
    en = serializers.CharField()
    it = serializers.CharField()


class EffectProblemSerializer(serializers.Serializer):
    """A problem, or a hint, of one card.

    `ability` is the number of the ability it is in, from 0, null for the whole card; `path` leads to it there. The
    suggestions are meant for the value at the path, or for the unknown `key` in the object at the path.
    """

    code = serializers.CharField()
    hint = serializers.BooleanField()
    ability = serializers.IntegerField(allow_null=True)
    path = serializers.CharField(allow_blank=True)
    key = serializers.CharField(allow_blank=True)
    message = serializers.CharField(help_text="In English.")
    suggestions = serializers.ListField(child=serializers.CharField())


class EffectsInput(serializers.Serializer):
    """A card to be read, of which only its kind is needed, with its abilities."""

    kind = serializers.CharField(max_length=40)
    keywords = serializers.ListField(child=serializers.JSONField(), max_length=MOST_ABILITIES, required=False)
    abilities = serializers.ListField(child=serializers.JSONField(), max_length=MOST_ABILITIES, help_text=WRITTEN)


class EffectsReadSerializer(serializers.Serializer):
    """The sentence of each ability, and the problems of the card."""

    sentences = SentenceSerializer(many=True)
    problems = EffectProblemSerializer(many=True)


class CardEffectsInput(serializers.Serializer):
    """What a card does from now on. `seen` is the `digest` that was read: it shows whether somebody saved first."""

    abilities = serializers.ListField(child=serializers.JSONField(), max_length=MOST_ABILITIES, help_text=WRITTEN)
    keywords = serializers.ListField(child=serializers.JSONField(), max_length=MOST_ABILITIES, required=False)
    seen = serializers.CharField(max_length=64)


class CardEffectsSerializer(EffectsReadSerializer):
    """What a card of your newest version of a catalogue does."""

    catalogue = serializers.IntegerField(help_text="The version that it was read from.")
    version = serializers.IntegerField()
    ref = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.CharField()
    keywords = serializers.ListField(child=serializers.JSONField())
    abilities = serializers.ListField(child=serializers.JSONField())
    digest = serializers.CharField(help_text="SHA-256 of the keywords and abilities.")


class EffectsApplyInput(serializers.Serializer):
    """A file of effects: by reference, the `abilities` and perhaps the `keywords` of a card."""

    effects = serializers.DictField(child=serializers.JSONField())
    preview = serializers.BooleanField(default=False, help_text="Only report what would change.")


class EffectFaultSerializer(serializers.Serializer):
    """An entry of a file that cannot be used, and why, in English."""

    ref = serializers.CharField()
    why = serializers.CharField()


class EffectsAppliedSerializer(serializers.Serializer):
    """Which cards a file changes, by reference, and what of it cannot be used."""

    catalogue = serializers.IntegerField(help_text="The newest version, with the changes unless this was a preview.")
    version = serializers.IntegerField()
    changed = serializers.ListField(child=serializers.CharField())
    same = serializers.ListField(child=serializers.CharField())
    unknown = serializers.ListField(child=serializers.CharField())
    faulty = EffectFaultSerializer(many=True)
