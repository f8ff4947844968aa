"""Team events: settings, teams with their members, lineups."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import AnswersField, BoundedList, ConsentField, Input
from tournaments.decks.models import Decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.services import BOUNDS
from tournaments.events.teams import free_boards, in_order

MOST_MEMBERS = BOUNDS["team_size"][1] + BOUNDS["substitutes"][1]


class TeamSettingsInput(Input):
    """How teams play an event. Whatever is left out stays."""

    team_size = serializers.IntegerField(min_value=1, max_value=BOUNDS["team_size"][1], required=False)
    team_play = serializers.ChoiceField(Event.TeamPlay.choices, required=False)
    substitutes = serializers.IntegerField(min_value=0, max_value=BOUNDS["substitutes"][1], required=False)


class TeamMemberSerializer(serializers.Serializer):
    """A member of a team."""

    person = serializers.CharField(source="person.public_id")
    name = serializers.CharField()
    board = serializers.IntegerField(allow_null=True, help_text="Null: a substitute.")
    captain = serializers.BooleanField()
    decklist = serializers.ChoiceField(
        ["missing", "legal", "illegal", "unchecked"],
        allow_null=True,
        help_text="Whether the decklist is there, for the captain and the desk; else null.",
    )


class TeamSerializer(serializers.Serializer):
    """A team with its members: by board, then the substitutes."""

    id = serializers.CharField(source="public_id", help_text="The entrant.")
    name = serializers.CharField()
    status = serializers.ChoiceField(Entrant.Status.choices)
    registered_at = serializers.DateTimeField()
    complete = serializers.SerializerMethodField()
    members = serializers.SerializerMethodField()

    def get_complete(self, team: Entrant) -> bool:
        """Whether every board has a player: only complete teams are paired."""
        return not free_boards(self.context["event"], team.member_set.all())

    @extend_schema_field(TeamMemberSerializer(many=True))
    def get_members(self, team: Entrant) -> list[dict[str, Any]]:
        """The members."""
        lists: Mapping[int | None, Decklist] | None = self.context.get("lists")
        shown = [
            {
                "person": member.person,
                "name": member.name,
                "board": member.board,
                "captain": member.captain,
                "decklist": None if lists is None else _state_of(lists.get(member.pk)),
            }
            for member in in_order(team)
        ]
        return list(TeamMemberSerializer(shown, many=True).data)


def _state_of(decklist: Decklist | None) -> str:
    if decklist is None:
        return "missing"
    if not decklist.checked:
        return "unchecked"
    return "legal" if decklist.legal else "illegal"


class TeamInput(Input):
    """A team to register, whose captain you or a `person` you act for will be; or with `players`, one for the desk.

    `players` are the names of people without an account, in the order of their boards; the first one is the captain.
    """

    name = serializers.CharField(max_length=80)
    players = BoundedList(
        child=serializers.CharField(max_length=160), max_length=MOST_MEMBERS, required=False, allow_empty=False
    )
    person = serializers.CharField(max_length=20, required=False)
    answers = AnswersField(required=False)
    consent = ConsentField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse players together with what registration asks of one person."""
        if "players" in attrs and {"person", "answers", "consent"} & attrs.keys():
            raise serializers.ValidationError({
                "players": [_("`players` are for the desk: leave out `person`, `answers` and `consent`.")]
            })
        return attrs


class TeamNameInput(Input):
    """The new name of a team."""

    name = serializers.CharField(max_length=80)


class TeamMemberInput(Input):
    """The `signature` of the team's link, for you or a `person` you act for; or a `name` that the desk adds."""

    signature = serializers.CharField(max_length=100, required=False)
    name = serializers.CharField(max_length=160, required=False)
    person = serializers.CharField(max_length=20, required=False)
    answers = AnswersField(required=False)
    consent = ConsentField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require exactly one of the two."""
        if ("signature" in attrs) == ("name" in attrs):
            raise serializers.ValidationError({"signature": [self.fields["signature"].error_messages["required"]]})
        return attrs


class LineupInput(Input):
    """The persons at the boards from 1 on. The other members are substitutes."""

    boards = BoundedList(child=serializers.CharField(max_length=20), max_length=BOUNDS["team_size"][1])


class CaptainInput(Input):
    """The member who becomes the captain."""

    person = serializers.CharField(max_length=20)


class TeamLinkSerializer(serializers.Serializer):
    """The link by which others join a team, and its signature for programs."""

    address = serializers.URLField()
    signature = serializers.CharField()
