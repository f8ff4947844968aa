"""Files of other programs."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input, MomentField
from tournaments.transfers.contents import ARCHIVE, ENTRANTS, PLAY_ON
from tournaments.transfers.models import Transfer
from tournaments.transfers.words import FORMATS, LOST

GOALS = (PLAY_ON, ARCHIVE, ENTRANTS)


class TransferEventInput(Input):
    """What to make of the file. For an event file of ours, `goal` says it all."""

    goal = serializers.ChoiceField([PLAY_ON, ARCHIVE])
    name = serializers.CharField(max_length=120, required=False, help_text="Needed for the file of another program.")
    preset = serializers.CharField(
        max_length=40, required=False, help_text="A preset, or a format of your own. Required, like `name`."
    )
    game_name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    rounds = serializers.IntegerField(
        min_value=1, max_value=30, required=False, help_text="Of the first stage, those already played included."
    )
    best_of = serializers.ChoiceField([1, 3, 5], required=False)
    round_minutes = serializers.IntegerField(min_value=1, max_value=600, required=False)
    starts_at = MomentField(required=False)
    time_zone = serializers.CharField(max_length=60, required=False, allow_blank=True)
    byes = serializers.BooleanField(
        default=False,
        help_text="Whether players without a match in a Swiss round had a bye; otherwise they missed the round.",
    )
    scheme = serializers.CharField(
        max_length=200,
        required=False,
        allow_blank=True,
        help_text="The order of the standings. If left out, that of the file's program.",
    )
    scoring = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="The points of a match, by the name of a preset."
    )


class TransferEntrantsInput(Input):
    """The event that the players of the file enter."""

    event = serializers.CharField(max_length=20)


class LostSerializer(serializers.Serializer):
    """Something in the file that is not read."""

    code = serializers.ChoiceField(list(LOST))
    count = serializers.IntegerField()
    detail = serializers.ListField(
        child=serializers.CharField(), help_text="Names of columns or keys, where it has any."
    )


class TransferSerializer(serializers.Serializer):
    """An uploaded file. `status` is `open` until something is made of it, and `done` once it is there."""

    id = serializers.CharField(source="transfer.public_id")
    format = serializers.ChoiceField(list(FORMATS), source="transfer.format")
    status = serializers.ChoiceField(Transfer.Status.choices, source="transfer.status")
    goals = serializers.ListField(child=serializers.ChoiceField(GOALS), help_text="What the file can be used for.")
    name = serializers.CharField(allow_blank=True, help_text="Of its event, as the file has it.")
    players = serializers.IntegerField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="Matches without a result.")
    lost = LostSerializer(many=True)
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    error = serializers.CharField(
        source="state.error", allow_blank=True, help_text="The code of the refusal that stopped it."
    )
    event = serializers.CharField(allow_null=True, help_text="The event that was created from it.")
