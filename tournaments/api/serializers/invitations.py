"""Invitations to the team of an event."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.common.mail import address_of
from tournaments.events.invitations import path_of
from tournaments.events.models import Invitation, StaffRole


class InvitationSerializer(serializers.Serializer):
    """A role that whoever holds the link may take, once."""

    id = serializers.CharField(source="public_id")
    role = serializers.ChoiceField(StaffRole.Role.choices)
    email = serializers.CharField(help_text="Where the link was sent; empty: it is passed on by hand.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    link = serializers.SerializerMethodField()

    def get_link(self, invitation: Invitation) -> str:
        """The page where the role is taken; it holds the secret."""
        return address_of(path_of(invitation))


class InvitationInput(Input):
    """A role, and where to send its link."""

    role = serializers.ChoiceField(StaffRole.Role.choices)
    email = serializers.EmailField(max_length=254, required=False, default="", allow_blank=True)


class SecretInput(Input):
    """The secret half of an invitation's link: its last part."""

    secret = serializers.CharField(max_length=100)
