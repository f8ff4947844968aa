"""The ban list of an account."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from tournaments.api.serializers.base import DayField, Input
from tournaments.events.bans import LONGEST_REASON
from tournaments.events.models import Ban


class BanSerializer(serializers.Serializer):
    """An entry of your ban list. An e-mail address is not stored, so it is not here either."""

    id = serializers.IntegerField(source="pk")
    person = serializers.SerializerMethodField()
    name = serializers.SerializerMethodField()
    reason = serializers.CharField(allow_blank=True)
    until = serializers.DateField(allow_null=True, help_text="The last day; null: no end.")
    made_at = serializers.DateTimeField()

    def get_person(self, ban: Ban) -> str | None:
        """The id of the person; null for an e-mail address."""
        return ban.person.public_id if ban.person else None

    def get_name(self, ban: Ban) -> str | None:
        """The full name of the person; null for an e-mail address."""
        return ban.person.full_name if ban.person else None


class BanInput(Input):
    """Whom to ban: a `person` of your player book, or an `email` address."""

    person = serializers.CharField(max_length=20, required=False)
    email = serializers.EmailField(max_length=254, required=False)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", allow_blank=True)
    until = DayField(required=False, allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both, and neither."""
        if ("person" in attrs) == ("email" in attrs):
            raise serializers.ValidationError({"person": [_("Give a person or an e-mail address.")]})
        return attrs
