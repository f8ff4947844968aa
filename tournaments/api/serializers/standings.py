"""Standings: their rows, a rank opened to its terms, what a correction changed, the scheme."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input, NamedSerializer

HOW = ("sum", "mean", "share", "count", "order", "rounded")


class StandingSerializer(serializers.Serializer):
    """One row. `tiebreaks` are decimals of 12 digits in the order of the scheme, `exact` the fractions themselves."""

    rank = serializers.IntegerField()
    entrant = NamedSerializer()
    points = serializers.FloatField(help_text="Whole but where the scheme counts half points.")
    record = serializers.ListField(child=serializers.IntegerField(), help_text="Won, lost, drawn, without byes.")
    tiebreaks = serializers.DictField(child=serializers.CharField())
    exact = serializers.DictField(child=serializers.CharField())


class StandingsSerializer(serializers.Serializer):
    """The newest standings. `computing` says that results have moved since `version`."""

    stage = serializers.IntegerField()
    round = serializers.IntegerField(help_text="Rounds counted.")
    scheme = serializers.CharField()
    version = serializers.IntegerField(help_text="The event's revision whose results these are.")
    computing = serializers.BooleanField()
    failed = serializers.CharField(allow_blank=True, help_text="Why the last computation failed, if it did.")
    computed_at = serializers.DateTimeField(allow_null=True)
    rows = StandingSerializer(many=True)


class PartSerializer(serializers.Serializer):
    """A term of a figure. `got` of `of` are the counts behind a share; `note` says what was done to the value."""

    round = serializers.IntegerField(help_text="0 where a round says nothing.")
    opponent = NamedSerializer(allow_null=True)
    value = serializers.CharField(help_text="A decimal of 12 digits.")
    exact = serializers.CharField()
    got = serializers.IntegerField(allow_null=True)
    of = serializers.IntegerField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class FigureSerializer(serializers.Serializer):
    """A figure opened: `how` its `parts` make it."""

    name = serializers.CharField()
    value = serializers.CharField(help_text="A decimal of 12 digits.")
    exact = serializers.CharField()
    how = serializers.ChoiceField(HOW)
    parts = PartSerializer(many=True)


class NeighbourSerializer(serializers.Serializer):
    """The nearest entrant of another rank, and the figure that parts the two."""

    entrant = NamedSerializer()
    rank = serializers.IntegerField()
    by = serializers.CharField()


class WhySerializer(serializers.Serializer):
    """Why an entrant has its rank, from the results as they are now."""

    version = serializers.IntegerField(help_text="The event's revision whose results these are.")
    scheme = serializers.CharField()
    rank = serializers.IntegerField()
    entrant = NamedSerializer()
    figures = FigureSerializer(many=True, help_text="In the order in which they decide.")
    ahead = NeighbourSerializer(allow_null=True)
    behind = NeighbourSerializer(allow_null=True)


class MoveSerializer(serializers.Serializer):
    """Somebody whose rank or points changed; null where there was no row. `up` counts the ranks gained."""

    entrant = NamedSerializer()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)
    points_before = serializers.FloatField(allow_null=True)
    points_after = serializers.FloatField(allow_null=True)
    up = serializers.IntegerField()
    crossed = serializers.ChoiceField(["in", "out"], allow_blank=True, help_text="The line of the cut.")


class ChangesSerializer(serializers.Serializer):
    """What changed between two versions of the standings; both are null while there is one table at most."""

    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)
    cut = serializers.IntegerField(help_text="How many places lead on; 0 for none.")
    moved = MoveSerializer(many=True)


class ChangesQuery(Input):
    """Since which version, and which line counts."""

    since = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    cut = serializers.IntegerField(min_value=0, max_value=5_000, required=False)


class SchemeInput(Input):
    """A scheme's name, or tiebreaks in the order in which they decide: `points,wins,buchholz`."""

    scheme = serializers.CharField(max_length=200)


class SchemeSerializer(serializers.Serializer):
    """The scheme of the stage being played, and its tiebreaks in order."""

    scheme = serializers.CharField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    schemes = serializers.ListField(child=serializers.CharField(), help_text="The names there are.")
