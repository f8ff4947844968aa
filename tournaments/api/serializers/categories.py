"""Prize categories."""

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input
from tournaments.standings.categories import LONGEST_NAME, LONGEST_VALUE, MOST_PICKED
from tournaments.standings.models import PrizeCategory


class CategorySerializer(serializers.Serializer):
    """A prize category, in the order in which they are given."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    rule = serializers.ChoiceField(PrizeCategory.Rule.choices)
    question = serializers.IntegerField(source="question.number", allow_null=True, default=None)
    value = serializers.CharField(allow_blank=True, help_text="The answer, club or faction; empty: each of them.")
    entrants = serializers.SerializerMethodField()

    def get_entrants(self, category: PrizeCategory) -> list[str]:
        """The ids of the entrants who were picked."""
        return sorted(pick.entrant.public_id for pick in category.picks.all())


def _entrants() -> BoundedList:
    return BoundedList(
        child=serializers.CharField(max_length=20), max_length=MOST_PICKED, required=False, help_text="Those picked."
    )


class CategoryInput(Input):
    """A new prize category. `question` and `value` are the number of a question and an answer to it."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    rule = serializers.ChoiceField(PrizeCategory.Rule.choices)
    question = serializers.IntegerField(min_value=1, max_value=32_767, required=False, allow_null=True)
    value = serializers.CharField(
        max_length=LONGEST_VALUE, required=False, allow_blank=True, help_text="The answer, club or faction."
    )
    entrants = _entrants()
    makes_known = serializers.BooleanField(
        required=False, help_text="Confirms that everybody may learn the answer or club of the winners."
    )


class CategoryChangeInput(Input):
    """What to change in a prize category. Whatever is left out stays."""

    name = serializers.CharField(max_length=LONGEST_NAME, required=False)
    entrants = _entrants()


class CategoryMoveInput(Input):
    """Whether the category is given one place earlier or later."""

    earlier = serializers.BooleanField()
