"""Invitations of players to take over entries that the desk made."""

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input
from tournaments.events.entry_files import MAX_ADDRESS, MAX_LINES
from tournaments.events.entry_invitations import Invited, State


class EntryInvitationSerializer(serializers.Serializer):
    """What has become of inviting an entrant."""

    entrant = serializers.CharField(source="entrant.public_id")
    name = serializers.CharField(source="entrant.full_name")
    state = serializers.ChoiceField(State.ALL)
    email = serializers.CharField(allow_blank=True, help_text="Where the e-mail is sent; empty if there is none.")
    sent_at = serializers.SerializerMethodField()
    expires_at = serializers.SerializerMethodField()

    def get_sent_at(self, invited: Invited) -> str | None:
        """When the last e-mail was sent."""
        return _time(invited, "sent_at")

    def get_expires_at(self, invited: Invited) -> str | None:
        """When the invitation expires and the address is deleted."""
        return _time(invited, "expires_at")


def _time(invited: Invited, name: str) -> str | None:
    moment = getattr(invited.invitation, name, None)
    return moment.isoformat() if moment else None


class EntryInvitationsQuery(serializers.Serializer):
    """Which entrants."""

    state = serializers.ChoiceField(State.ALL, required=False)


class InviteEntrantsInput(Input):
    """Whom to invite: without `entrants`, everybody not yet invited; with `again`, those who have not answered."""

    entrants = BoundedList(
        child=serializers.CharField(max_length=20), max_length=MAX_LINES, required=False, allow_null=True, default=None
    )
    again = serializers.BooleanField(required=False, default=False)


class InvitedSerializer(serializers.Serializer):
    """How many e-mails will be sent, and how many of the event are not sent yet."""

    invited = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="E-mails that are still to be sent.")
    stopped = serializers.BooleanField(help_text="Whether sending has failed.")


class AddressInput(Input):
    """The e-mail address of an entrant; empty to delete it."""

    email = serializers.CharField(max_length=MAX_ADDRESS, allow_blank=True)


class AcceptEntryInput(Input):
    """The secret of an invitation (the last part of its link), and for whom it is: yourself if left out."""

    secret = serializers.CharField(max_length=100)
    person = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
