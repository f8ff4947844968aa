"""Qualification: the first players of an event enter another one."""

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input, NamedSerializer
from tournaments.standings.qualification import MOST, State


class QualificationQuery(serializers.Serializer):
    """The other event, and how many enter it."""

    into = serializers.CharField(max_length=20)
    first = serializers.IntegerField(min_value=1, max_value=MOST)
    skip_dropped = serializers.BooleanField(required=False, default=True)


class QualifyInput(Input):
    """The other event, how many enter it, and who declines."""

    into = serializers.CharField(max_length=20)
    first = serializers.IntegerField(min_value=1, max_value=MOST)
    skip_dropped = serializers.BooleanField(required=False, default=True)
    declined = BoundedList(
        child=serializers.CharField(max_length=20),
        max_length=2 * MOST,
        required=False,
        help_text="Entrants of this event whose places go to the next.",
    )
    invite = serializers.BooleanField(
        required=False, default=True, help_text="Invite those without an account whose e-mail address is known."
    )


class CandidateSerializer(serializers.Serializer):
    """A player of the final ranking, and what becomes of them."""

    rank = serializers.IntegerField()
    entrant = NamedSerializer()
    state = serializers.ChoiceField(State.ALL)


class QualifiedSerializer(serializers.Serializer):
    """Who was entered into the other event now; the last `waiting` of them are on its waiting list."""

    entered = NamedSerializer(many=True, source="entrants")
    waiting = serializers.IntegerField()
