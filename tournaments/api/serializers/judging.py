"""Judge calls, turns after time, penalties, and deck checks."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import Input, NamedSerializer
from tournaments.common.clock import now
from tournaments.events.services import BOUNDS
from tournaments.judging.checks import MOST_COPIES, MOST_OTHERS, MOST_TABLES, differences, listed_cards
from tournaments.judging.infractions import LADDERS, LEVELS
from tournaments.judging.models import Call, DeckCheck, Penalty
from tournaments.judging.penalties import LONGEST
from tournaments.judging.selectors import minutes_offered, minutes_waited


class CallsQuery(serializers.Serializer):
    """Filters for a list of calls."""

    status = serializers.ChoiceField(Call.LIVE, required=False)  # the list never contains calls that have ended


class PenaltiesQuery(serializers.Serializer):
    """Filters for a list of penalties."""

    entrant = serializers.CharField(source="entrant__public_id", max_length=20, required=False)


class CallSerializer(serializers.Serializer):
    """A call to a table. `judge` is an account, or null while nobody has claimed the call."""

    id = serializers.CharField(source="public_id")
    match = serializers.CharField(source="match.public_id")
    round = serializers.IntegerField(source="match.round.number")
    table = serializers.IntegerField(source="match.table")
    status = serializers.ChoiceField(Call.Status.choices)
    matter = serializers.ChoiceField(Call.Matter.choices, help_text="Empty where nothing was said.")
    seat = serializers.IntegerField(source="seat.number", default=None, allow_null=True, help_text="Who called.")
    called_at = serializers.DateTimeField()
    judge = serializers.CharField(source="claimed_by.public_id", default=None, allow_null=True)
    claimed_at = serializers.DateTimeField(allow_null=True, help_text="Since when the judge is on the way.")
    arrived_at = serializers.DateTimeField(allow_null=True, help_text="Since when the judge is at the table.")
    waited = serializers.SerializerMethodField()
    proposed_minutes = serializers.SerializerMethodField()
    escalated_at = serializers.DateTimeField(allow_null=True, help_text="Since when it is the head judge's.")
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_waited(self, call: Call) -> int:
        """The minutes that the table waited for a judge, rounded up."""
        return minutes_waited(call, now())

    def get_proposed_minutes(self, call: Call) -> int:
        """The time extension to propose if the call ends now: the minutes since the judge arrived; 0 for none."""
        return minutes_offered(call, now())


class CallInput(Input):
    """What the call is about. Optional."""

    matter = serializers.ChoiceField(Call.Matter.choices, default=Call.Matter.UNSAID, allow_blank=True)


class CallStepInput(Input):
    """What a judge does with a call. With `resolve`, `minutes` extends the table's time."""

    action = serializers.ChoiceField(["claim", "arrive", "release", "escalate", "resolve"])
    minutes = serializers.IntegerField(min_value=0, max_value=60, default=0)


class TurnInput(Input):
    """The extra turn that the table is playing after time, from 1."""

    turn = serializers.IntegerField(min_value=1, max_value=20)


class InfractionSerializer(serializers.Serializer):
    """An infraction with its ladder: the level proposed the first time, the second, and so on."""

    category = serializers.CharField()
    infraction = serializers.CharField()
    ladder = serializers.ListField(child=serializers.ChoiceField(LEVELS))


class LossSerializer(serializers.Serializer):
    """What a penalty costs. Without a match it applies to the next round in which the entrant has an opponent."""

    what = serializers.ChoiceField(["game", "match"])
    match = serializers.CharField(source="seat.match.public_id", default=None, allow_null=True)
    game = serializers.IntegerField(allow_null=True)
    later = serializers.BooleanField(help_text="Lost only if the match comes to that game.")


class ClubPenaltySerializer(serializers.Serializer):
    """A penalty that was given at another event of the club, without what the judge wrote."""

    event = NamedSerializer(source="entrant.event")
    infraction = serializers.CharField()
    level = serializers.ChoiceField(Penalty.Level.choices)
    at = serializers.DateTimeField()


class PenaltySerializer(serializers.Serializer):
    """A penalty. `loss` is null if it is only recorded and costs nothing."""

    id = serializers.CharField(source="public_id")
    entrant = serializers.CharField(source="entrant.public_id")
    match = serializers.CharField(source="match.public_id", default=None, allow_null=True)
    infraction = serializers.CharField()
    level = serializers.ChoiceField(Penalty.Level.choices)
    proposed = serializers.ChoiceField(Penalty.Level.choices, help_text="What the ladder proposed.")
    when = serializers.ChoiceField(Penalty.When.choices)
    served = serializers.ChoiceField(["record", "waits", "served", "withdrawn"])
    loss = LossSerializer(allow_null=True)
    at = serializers.DateTimeField()


class HistorySerializer(serializers.Serializer):
    """The penalties of an entrant at its event, and the level now proposed for each infraction."""

    penalties = PenaltySerializer(many=True)
    proposals = serializers.DictField(child=serializers.ChoiceField(LEVELS))


class PunishedInput(Input):
    """A penalty that is given together with a ruling."""

    seat = serializers.IntegerField(min_value=1, max_value=5)
    infraction = serializers.ChoiceField(sorted(LADDERS))
    level = serializers.ChoiceField(
        Penalty.Level.choices,
        default="",
        allow_blank=True,
        help_text="If left out, the level that the ladder proposes.",
    )
    when = serializers.ChoiceField(Penalty.When.choices, default=Penalty.When.NOW)


class PenaltyInput(Input):
    """A penalty: what the player did and what it costs, in the match being played."""

    infraction = serializers.ChoiceField(sorted(LADDERS))
    level = serializers.ChoiceField(
        Penalty.Level.choices,
        default="",
        allow_blank=True,
        help_text="If left out, the level that the ladder proposes.",
    )
    when = serializers.ChoiceField(Penalty.When.choices, default=Penalty.When.NOW)
    game = serializers.IntegerField(
        min_value=1, max_value=5, required=False, allow_null=True, help_text="The game being played."
    )
    note = serializers.CharField(max_length=LONGEST, required=False, allow_blank=True, default="")
    acknowledged = serializers.BooleanField(
        default=False, help_text="You have read what changes and what stands: the details of `affects_later`."
    )
    again = serializers.BooleanField(
        default=False,
        help_text="You mean another incident than that of the earlier penalty: the details of `penalty_twice`.",
    )


class CountedSerializer(serializers.Serializer):
    """A card whose counted number of copies differs from the decklist."""

    card = serializers.CharField()
    listed = serializers.IntegerField()
    counted = serializers.IntegerField()


class DeckCheckSerializer(serializers.Serializer):
    """A deck check: the cards on the decklist and, once it is finished, the differences that were counted."""

    id = serializers.CharField(source="public_id")
    match = serializers.CharField(source="match.public_id")
    table = serializers.IntegerField(source="match.table")
    entrant = serializers.CharField(source="entrant.public_id")
    member = serializers.CharField(
        source="member.person.public_id",
        default=None,
        allow_null=True,
        help_text="In a team, the person whose deck it is; else null.",
    )
    version = serializers.IntegerField(source="decklist.version", default=None, allow_null=True)
    seed = serializers.IntegerField(allow_null=True, help_text="Null for a chosen table.")
    opened_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(allow_null=True)
    listed = serializers.SerializerMethodField()
    differences = serializers.SerializerMethodField()
    others = serializers.CharField(help_text="Cards that are not on the list.")
    minutes = serializers.IntegerField(help_text="Given to the table in the same action.")

    def get_listed(self, check: DeckCheck) -> dict[str, int]:
        """The copies of each card on the decklist."""
        return listed_cards(check.decklist)

    @extend_schema_field(CountedSerializer(many=True))
    def get_differences(self, check: DeckCheck) -> list[dict[str, object]]:
        """The cards whose counted number of copies differs."""
        return [{"card": each.card, "listed": each.listed, "counted": each.counted} for each in differences(check)]


class OpenChecksInput(Input):
    """How many tables to pick at random, or the table to check; with `board`, only that board of a team match."""

    tables = serializers.IntegerField(min_value=1, max_value=MOST_TABLES, required=False)
    table = serializers.IntegerField(min_value=1, max_value=9999, required=False)
    board = serializers.IntegerField(min_value=1, max_value=BOUNDS["team_size"][1], required=False)

    def validate(self, attrs: dict[str, int]) -> dict[str, int]:
        """Require exactly one of the two."""
        if len(attrs.keys() & {"tables", "table"}) != 1 or {"tables", "board"} <= attrs.keys():
            raise serializers.ValidationError(_("Say how many tables, or which one."))
        return attrs


class CountInput(Input):
    """The copies counted of each card on the decklist. Cards that are left out were as listed."""

    counted = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MOST_COPIES), required=False, default=dict
    )
    others = serializers.CharField(max_length=MOST_OTHERS, required=False, allow_blank=True, default="")
    minutes = serializers.IntegerField(min_value=0, max_value=60, default=0)


class ReopenInput(Input):
    """Why a decklist is reopened, and the penalty for it."""

    reason = serializers.CharField(max_length=LONGEST)
    infraction = serializers.ChoiceField(sorted(LADDERS), default="list_wrong")
    level = serializers.ChoiceField(
        Penalty.Level.choices,
        default="",
        allow_blank=True,
        help_text="If left out, the level that the ladder proposes.",
    )
    when = serializers.ChoiceField(Penalty.When.choices, default=Penalty.When.NOW)
    member = serializers.CharField(max_length=20, default="", help_text="In a team: the person whose list it is.")
