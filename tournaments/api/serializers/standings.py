"""Standings: rows, the explanation of a rank, what a correction changed, and the scheme."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input, NamedSerializer
from tournaments.events.scoring import FLOORS, OWN, SCORING_PRESETS
from tournaments.standings.models import PrizeCategory
from tournaments.swiss.schemes import MOST_TIEBREAKS
from tournaments.swiss.scoring import MOST_POINTS

HOW = ("sum", "mean", "share", "count", "order", "rounded")


class StandingSerializer(serializers.Serializer):
    """A row of the standings.

    `tiebreaks` are decimals of 12 digits in the order of the scheme; `exact` has the same values as fractions.
    """

    rank = serializers.IntegerField()
    entrant = NamedSerializer()
    points = serializers.FloatField(help_text="Whole numbers, unless the scheme counts half points.")
    record = serializers.ListField(child=serializers.IntegerField(), help_text="Won, lost, drawn, without byes.")
    byes = serializers.IntegerField(help_text="Byes, each worth a match won; the record leaves them out.")
    tiebreaks = serializers.DictField(child=serializers.CharField())
    exact = serializers.DictField(child=serializers.CharField())


class StandingsSerializer(serializers.Serializer):
    """The newest standings. `computing` says that results have changed since `version`."""

    stage = serializers.IntegerField()
    round = serializers.IntegerField(
        help_text="Rounds of the stage counted: those that are closed. Before the first there are no rows."
    )
    scheme = serializers.CharField()
    version = serializers.IntegerField(help_text="The event's revision whose results these are.")
    computing = serializers.BooleanField()
    failed = serializers.CharField(allow_blank=True, help_text="Why the last computation failed, if it did.")
    computed_at = serializers.DateTimeField(allow_null=True)
    count = serializers.IntegerField(help_text="Of all rows, however few are sent.")
    rows = StandingSerializer(many=True)


class FinalRowSerializer(serializers.Serializer):
    """A row of the ranking over all stages. Points, record and byes are those of the first stage."""

    rank = serializers.IntegerField()
    entrant = NamedSerializer()
    points = serializers.FloatField()
    record = serializers.ListField(child=serializers.IntegerField(), help_text="Won, lost, drawn, without byes.")
    byes = serializers.IntegerField(help_text="Byes, each worth a match won; the record leaves them out.")
    stage = serializers.IntegerField(help_text="The stage that gave the rank.")


class WinnerSerializer(serializers.Serializer):
    """One of the top places, with the decklist if you may see it."""

    rank = serializers.IntegerField()
    entrant = NamedSerializer()
    has_list = serializers.BooleanField(source="deck", help_text="Whether there is a decklist that is shown to you.")
    lead = serializers.CharField(allow_blank=True, help_text="The card that leads the deck.")


class AwardSerializer(serializers.Serializer):
    """A prize category that was won, by one entrant or by several who share a rank."""

    category = serializers.IntegerField(source="category.number")
    name = serializers.CharField(source="category.name")
    rule = serializers.ChoiceField(PrizeCategory.Rule.choices, source="category.rule")
    group = serializers.CharField(allow_blank=True, help_text="The club or faction whose best it is, if each has one.")
    rank = serializers.IntegerField()
    entrants = NamedSerializer(many=True, source="won_by")


class FinalSerializer(serializers.Serializer):
    """One ranking over all stages. `winners` is empty until the event is over."""

    final = serializers.BooleanField(help_text="False while the event is played: places may change.")
    winners = WinnerSerializer(many=True)
    categories = AwardSerializer(many=True, help_text="The winners of the prize categories, as you may see them.")
    count = serializers.IntegerField(help_text="Of all rows, however few are sent.")
    rows = FinalRowSerializer(many=True)


class BoardRowSerializer(serializers.Serializer):
    """What a member of a team scored at a board. Equal points are ordered by the rank of the team."""

    board = serializers.IntegerField()
    rank = serializers.IntegerField()
    person = serializers.CharField()
    name = serializers.CharField()
    entrant = serializers.CharField(help_text="The team.")
    team = serializers.CharField()
    team_rank = serializers.IntegerField(allow_null=True, help_text="Null if the team is disqualified.")
    points = serializers.FloatField()
    won = serializers.IntegerField(source="tally.won")
    lost = serializers.IntegerField(source="tally.lost")
    drawn = serializers.IntegerField(source="tally.drawn")
    games_won = serializers.IntegerField(source="tally.games_won")
    games_lost = serializers.IntegerField(source="tally.games_lost")


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
    """A figure and the parts it is made of. `how` says how they are combined."""

    name = serializers.CharField()
    value = serializers.CharField(help_text="A decimal of 12 digits.")
    exact = serializers.CharField()
    how = serializers.ChoiceField(HOW)
    parts = PartSerializer(many=True)


class NeighbourSerializer(serializers.Serializer):
    """The nearest entrant with another rank, and the figure that separates the two."""

    entrant = NamedSerializer()
    rank = serializers.IntegerField()
    by = serializers.CharField()


class WhySerializer(serializers.Serializer):
    """Why an entrant has its rank, according to the current results."""

    version = serializers.IntegerField(help_text="The event's revision whose results these are.")
    scheme = serializers.CharField()
    rank = serializers.IntegerField()
    entrant = NamedSerializer()
    figures = FigureSerializer(many=True, help_text="In the order in which they decide.")
    ahead = NeighbourSerializer(allow_null=True)
    behind = NeighbourSerializer(allow_null=True)


class MoveSerializer(serializers.Serializer):
    """An entrant whose rank or points changed; null where there was no row. `up` is the number of ranks gained."""

    entrant = NamedSerializer()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)
    points_before = serializers.FloatField(allow_null=True)
    points_after = serializers.FloatField(allow_null=True)
    up = serializers.IntegerField()
    crossed = serializers.ChoiceField(["in", "out"], allow_blank=True, help_text="The line of the cut.")


class ChangesSerializer(serializers.Serializer):
    """What changed between two versions of the standings. Both are null while there is nothing to compare with."""

    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)
    cut = serializers.IntegerField(help_text="How many places qualify; 0 for none.")
    count = serializers.IntegerField(help_text="Of all who moved, however few are sent.")
    moved = MoveSerializer(many=True)


class ChangesQuery(serializers.Serializer):
    """The version to compare with, and the line of the cut."""

    since = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    cut = serializers.IntegerField(min_value=0, max_value=5_000, required=False)


class TrfQuery(serializers.Serializer):
    """Whether a file has the players of a team event with their boards, instead of the teams."""

    players = serializers.BooleanField(default=False)


class SchemeInput(Input):
    """The name of a scheme; or `tiebreaks`, in the order in which they decide, which follow the rules of the scheme."""

    scheme = serializers.CharField(max_length=200, default="mtr")
    tiebreaks = BoundedList(child=serializers.CharField(max_length=40), max_length=MOST_TIEBREAKS, required=False)


class TiebreakSerializer(serializers.Serializer):
    """A tiebreak, described in the requested language."""

    name = serializers.CharField()
    short = serializers.CharField()
    long = serializers.CharField()


class SchemeSerializer(serializers.Serializer):
    """The scheme of the current stage, and its tiebreaks in order."""

    scheme = serializers.CharField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    schemes = serializers.ListField(child=serializers.CharField(), help_text="The available names.")
    available = TiebreakSerializer(many=True, help_text="The tiebreaks that can be chosen.")


class ScoringInput(Input):
    """What a win, a draw and a loss are worth, in whole or half points, and the floor of percentages; or a preset.

    A null takes a value from the scheme.
    """

    preset = serializers.ChoiceField(list(SCORING_PRESETS), required=False)
    win = serializers.FloatField(min_value=0, max_value=MOST_POINTS, required=False, allow_null=True)
    draw = serializers.FloatField(min_value=0, max_value=MOST_POINTS, required=False, allow_null=True)
    loss = serializers.FloatField(min_value=0, max_value=MOST_POINTS, required=False, allow_null=True)
    floor = serializers.ChoiceField(list(FLOORS), required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a preset together with any other value."""
        if "preset" in attrs and len(attrs) > 1:
            raise serializers.ValidationError({"preset": _("A preset sets everything: do not send other values.")})
        return attrs


class ScoringPresetSerializer(serializers.Serializer):
    """The scoring of a widely used tool."""

    id = serializers.CharField()
    name = serializers.CharField()
    scoring = serializers.DictField()


class ScoringSerializer(serializers.Serializer):
    """The scoring of the current stage, from its scheme and what the event has chosen."""

    preset = serializers.ChoiceField([*SCORING_PRESETS, OWN], help_text="`own` if no preset has the same values.")
    chosen = serializers.DictField(help_text="The event's own values; the rest comes from the scheme.")
    win = serializers.FloatField()
    draw = serializers.FloatField()
    loss = serializers.FloatField()
    floor = serializers.CharField(help_text="An exact fraction.")
    presets = ScoringPresetSerializer(many=True)
