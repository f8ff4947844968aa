"""Invitations to the staff of an event."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.common.mail import address_of
from tournaments.events.invitations import path_of
from tournaments.events.models import Invitation, StaffRole


class InvitationSerializer(serializers.Serializer):
    """A role that can be accepted once by anybody who has the link."""

    id = serializers.CharField(source="public_id")
    role = serializers.ChoiceField(StaffRole.Role.choices)
    table = serializers.IntegerField(allow_null=True, help_text="The only table of a scribe; null: every table.")
    email = serializers.CharField(help_text="Where the link was sent; empty: it is handed over in person.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    link = serializers.SerializerMethodField()

    def get_link(self, invitation: Invitation) -> str:
        """The page on which the role is accepted. The address contains the secret."""
        return address_of(path_of(invitation))


class InvitationInput(Input):
    """A role, and the e-mail address to send the link to."""

    role = serializers.ChoiceField(StaffRole.Role.choices)
    table = serializers.IntegerField(min_value=1, max_value=9999, required=False, allow_null=True, default=None)
    email = serializers.EmailField(max_length=254, required=False, default="", allow_blank=True)


class SecretInput(Input):
    """The secret of an invitation: the last part of its link."""

    secret = serializers.CharField(max_length=100)
