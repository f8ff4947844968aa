"""One's own account: what one plays, and API tokens."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.accounts.models import ApiToken
from tournaments.api.serializers.base import Input
from tournaments.api.serializers.events import EntrantSerializer
from tournaments.api.serializers.play import MatchSerializer
from tournaments.events.models import Entrant, Event


class BriefEventSerializer(serializers.Serializer):
    """An event by name."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Event.Status.choices)


class OwnEntrantSerializer(EntrantSerializer):
    """Where the account plays, and where it sits now."""

    event = BriefEventSerializer()
    match = serializers.SerializerMethodField()

    @extend_schema_field(MatchSerializer(allow_null=True))
    def get_match(self, entrant: Entrant) -> dict[str, Any] | None:
        """The match of the round that is open."""
        match = self.context["matches"].get(entrant.pk)
        return MatchSerializer(match, context=self.context).data if match else None


class AccountSerializer(serializers.Serializer):
    """The account that asks, by its public id. `scopes` are those of the token, or all of a session."""

    id = serializers.CharField()
    language = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices))


class MeSerializer(serializers.Serializer):
    """The account and its entrants in events that are not over."""

    account = AccountSerializer()
    entrants = OwnEntrantSerializer(many=True)


class TokenSerializer(serializers.Serializer):
    """An API token, without its secret."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    prefix = serializers.CharField(help_text="How its secret starts.")
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_on = serializers.DateField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewTokenSerializer(TokenSerializer):
    """A token at its birth."""

    secret = serializers.CharField(allow_null=True, help_text="Shown this once; null when the answer is replayed.")


class TokenInput(Input):
    """A new token."""

    name = serializers.CharField(max_length=60)
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices), min_length=1, max_length=4)
    days = serializers.IntegerField(min_value=1, max_value=365, default=365)
