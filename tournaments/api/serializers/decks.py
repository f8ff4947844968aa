"""Decklists with their faults, pools, and deck formats."""

from typing import Any

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.decks.engine_gate import describe, list_notes
from tournaments.decks.models import Decklist
from tournaments.events.models import Stage
from tournaments.events.services import BOUNDS


class ViolationSerializer(serializers.Serializer):
    """A broken deck rule."""

    rule = serializers.CharField()
    section = serializers.CharField(allow_blank=True)
    message = serializers.CharField(help_text="In the language of Accept-Language.")
    args = serializers.JSONField()
    depends_on = serializers.JSONField(help_text="Interpretations of the rules that this verdict depends on.")


class ListNoteSerializer(serializers.Serializer):
    """What a player should know of a list that is read: cards left out, copies that nothing limits."""

    code = serializers.CharField(help_text="`left_out` or `no_copy_limit`.")
    message = serializers.CharField(help_text="In the language of Accept-Language.")


class DecklistSerializer(serializers.Serializer):
    """The current version of a decklist."""

    entrant = serializers.CharField(source="entrant.public_id")
    member = serializers.CharField(
        source="member.person.public_id",
        default=None,
        allow_null=True,
        help_text="In a team, the person whose list it is; else null.",
    )
    stage = serializers.IntegerField(source="stage.number")
    version = serializers.IntegerField()
    digest = serializers.CharField()
    legal = serializers.BooleanField()
    checked = serializers.BooleanField(help_text="False for a game that the engine does not know.")
    violations = serializers.SerializerMethodField()
    notes = serializers.SerializerMethodField()
    cards = serializers.JSONField()
    text = serializers.CharField()
    submitted_at = serializers.DateTimeField()

    @extend_schema_field(ViolationSerializer(many=True))
    def get_violations(self, decklist: Decklist) -> list[dict[str, Any]]:
        """Every broken rule, with its message in the requested language."""
        described = describe(decklist.entrant.event, decklist.violations, get_language() or "en")
        return list(ViolationSerializer(described, many=True).data)

    @extend_schema_field(ListNoteSerializer(many=True))
    def get_notes(self, decklist: Decklist) -> list[dict[str, Any]]:
        """What the player should know of the list, in the requested language."""
        return list_notes(decklist.stage, decklist.text, get_language() or "en")


class DecklistInput(Input):
    """A decklist or pool, as it was pasted."""

    # Trimming would remove blank lines at the start, and shift the line numbers that faults refer to.
    text = serializers.CharField(trim_whitespace=False)


class MemberDecklistInput(DecklistInput):
    """A decklist, as it was pasted; in a team, that of a member: your own if you leave `member` out."""

    member = serializers.CharField(
        max_length=20, required=False, help_text="The person, as the team names its members."
    )


class DecklistQuery(Input):
    """Whose decklist of a team: the person; your own if you leave it out."""

    member = serializers.CharField(max_length=20, default="")


class ListToReadInput(DecklistInput):
    """A list to read without saving it, and a suggestion to apply to it."""

    suggestion = serializers.CharField(
        default="",
        max_length=4000,
        trim_whitespace=False,
        help_text="A line and one of its suggestions: `12:REF Name`.",
    )


class LineFaultSerializer(serializers.Serializer):
    """A line that cannot be read."""

    line = serializers.IntegerField()
    code = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    message = serializers.CharField(help_text="In the language of Accept-Language.")
    suggestions = serializers.ListField(child=serializers.CharField())


class ListDraftSerializer(serializers.Serializer):
    """A list as text with a card on each line, and the lines that cannot be read."""

    text = serializers.CharField(allow_blank=True)
    faults = LineFaultSerializer(many=True)
    notes = ListNoteSerializer(many=True)


class PoolSerializer(serializers.Serializer):
    """The current version of a pool."""

    entrant = serializers.CharField(source="entrant.public_id")
    stage = serializers.IntegerField(source="stage.number")
    version = serializers.IntegerField()
    digest = serializers.CharField()
    count = serializers.IntegerField(help_text="Cards, copies included.")
    cards = serializers.JSONField(help_text="Copies by card reference.")
    text = serializers.CharField()
    registered_at = serializers.DateTimeField()


class PoolLineSerializer(serializers.Serializer):
    """An entrant's pool in the overview for staff, without its cards."""

    entrant = serializers.CharField(source="entrant.public_id")
    version = serializers.IntegerField()
    digest = serializers.CharField()
    count = serializers.IntegerField()
    registered_at = serializers.DateTimeField()


class PoolsSerializer(serializers.Serializer):
    """Who can read the pools, and which pools are registered."""

    shown = serializers.ChoiceField(Stage.PoolsShown.choices)
    pools = PoolLineSerializer(many=True)


class PoolsInput(Input):
    """Who can read the pools."""

    shown = serializers.ChoiceField(Stage.PoolsShown.choices)


class DeckOptionSerializer(serializers.Serializer):
    """An interpretation that a deck format reads."""

    id = serializers.CharField()
    why = serializers.CharField(help_text="In the language of Accept-Language.")
    default = serializers.CharField()
    choices = serializers.DictField(child=serializers.CharField(), help_text="What each option says.")


class DeckFormatSerializer(serializers.Serializer):
    """A set of deck rules that the engine has for a game."""

    id = serializers.CharField()
    ruleset = serializers.CharField()
    pooled = serializers.BooleanField(help_text="Whether decks are built from a pool.")
    limits_teams = serializers.BooleanField(help_text="Whether copies can be limited across the decks of a team.")
    options = DeckOptionSerializer(many=True)


class DeckFormatsSerializer(serializers.Serializer):
    """The deck rules that decklists are checked against, and those that could be chosen."""

    format = serializers.CharField(allow_blank=True, help_text="Empty: they are not.")
    options = serializers.DictField(child=serializers.CharField(), help_text="Those that are not the default.")
    team_limit = serializers.IntegerField(
        allow_null=True, help_text="The most copies of a card across the decks of a team; null: no limit."
    )
    formats = DeckFormatSerializer(many=True)


class RulesetSerializer(serializers.Serializer):
    """The rules that games of an event are recorded and audited by, and those that could be chosen, the newest last."""

    ruleset = serializers.CharField()
    rulesets = serializers.ListField(child=serializers.CharField())


class RulesetInput(Input):
    """The rules to choose."""

    ruleset = serializers.CharField(max_length=40)


class DeckFormatInput(Input):
    """The deck rules to choose, with the options that differ from the default."""

    format = serializers.CharField(max_length=40)
    options = serializers.DictField(child=serializers.CharField(max_length=40), default=dict)
    team_limit = serializers.IntegerField(
        min_value=BOUNDS["team_deck_limit"][0], max_value=BOUNDS["team_deck_limit"][1], allow_null=True, default=None
    )
