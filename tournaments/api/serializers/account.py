"""Your own account: the people you act for, where you play, notifications, and API tokens."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.accounts.models import ApiToken
from tournaments.api.serializers.base import BoundedList, Input
from tournaments.api.serializers.events import EntrantSerializer
from tournaments.api.serializers.play import MatchSerializer
from tournaments.events.models import Entrant, Event


class PersonSerializer(serializers.Serializer):
    """A person that the account acts for."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField(help_text="What others see.")
    given_name = serializers.CharField()
    family_name = serializers.CharField()
    public_name = serializers.CharField()
    family_first = serializers.BooleanField()
    shown_in_full = serializers.BooleanField()


class PersonInput(Input):
    """The names of a person.

    Without a public name, others see the shortest form of the name that nobody else at the event has.
    """

    given_name = serializers.CharField(max_length=80)
    family_name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    public_name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    family_first = serializers.BooleanField(default=False, help_text="The family name comes first.")
    shown_in_full = serializers.BooleanField(default=False, help_text="Everybody may see the whole name.")


class MeInput(Input):
    """Settings of the account."""

    language = serializers.ChoiceField(settings.LANGUAGES)


class BriefEventSerializer(serializers.Serializer):
    """An event in brief."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Event.Status.choices)


class OwnEntrantSerializer(EntrantSerializer):
    """An entrant of the account, with its event and its current match."""

    event = BriefEventSerializer()
    match = serializers.SerializerMethodField()

    @extend_schema_field(MatchSerializer(allow_null=True))
    def get_match(self, entrant: Entrant) -> dict[str, Any] | None:
        """The match in the current round, or null."""
        match = self.context["matches"].get(entrant.pk)
        return MatchSerializer(match, context=self.context).data if match else None


class PlayedSerializer(serializers.Serializer):
    """An entrant of the account in any event, with its results."""

    id = serializers.CharField(source="public_id", help_text="The entrant.")
    name = serializers.CharField()
    event = BriefEventSerializer()
    registered_at = serializers.DateTimeField()
    matches = serializers.IntegerField(help_text="Of which the result counts, byes included.")
    won = serializers.IntegerField()
    points = serializers.IntegerField(help_text="Match points.")


class AccountSerializer(serializers.Serializer):
    """The account that made the request. `scopes` are those of its token; a session has all of them."""

    id = serializers.CharField()
    language = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices))


class MeSerializer(serializers.Serializer):
    """The account, and its entrants in events that are not over."""

    account = AccountSerializer()
    entrants = OwnEntrantSerializer(many=True)


class NoticesSerializer(serializers.Serializer):
    """Which notifications are sent. No e-mails are sent until the address is confirmed."""

    kinds = serializers.ListField(child=serializers.CharField(), help_text="The kinds sent by e-mail.")
    push = serializers.ListField(child=serializers.CharField(), help_text="The kinds sent to your devices.")
    confirmed = serializers.BooleanField(help_text="Whether the e-mail address is confirmed.")
    push_key = serializers.CharField(help_text="The public key (VAPID) that a device subscribes with, in base64url.")


class NoticesInput(Input):
    """The kinds of notifications to receive by e-mail (`kinds`) and on your devices (`push`)."""

    kinds = BoundedList(child=serializers.CharField(max_length=20), max_length=20, required=False)
    push = BoundedList(child=serializers.CharField(max_length=20), max_length=20, required=False)


class DeviceSerializer(serializers.Serializer):
    """A device that shows your notifications."""

    id = serializers.CharField(source="public_id")
    browser = serializers.CharField()
    created_at = serializers.DateTimeField()
    pushed_at = serializers.DateTimeField(allow_null=True, help_text="When its push service last accepted one.")
    failing_since = serializers.DateTimeField(allow_null=True)


class DeviceInput(Input):
    """A push subscription, as a browser gives it, and what to call the device."""

    endpoint = serializers.CharField(max_length=500)
    p256dh = serializers.CharField(max_length=100)
    auth = serializers.CharField(max_length=100)
    browser = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class CalendarSerializer(serializers.Serializer):
    """The calendar of your events."""

    address = serializers.CharField(allow_null=True, help_text="Secret; null while there is none.")


class StreamSerializer(serializers.Serializer):
    """Whether the name is kept off big screens and out of public exports."""

    off = serializers.BooleanField()


class StreamInput(Input):
    """Whether to keep the name off big screens and out of public exports."""

    off = serializers.BooleanField()


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
    """A token that was just created, with its secret."""

    secret = serializers.CharField(allow_null=True, help_text="Shown only once; null when the response is replayed.")


class TokenInput(Input):
    """A new token, valid for `days`."""

    name = serializers.CharField(max_length=60)
    scopes = BoundedList(child=serializers.ChoiceField(ApiToken.Scope.choices), min_length=1, max_length=4)
    days = serializers.IntegerField(min_value=1, max_value=365, default=365)
