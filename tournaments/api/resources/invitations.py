"""Invitations to the staff of an event: owners create and cancel them, anybody who has the link can accept."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.events import StaffSerializer
from tournaments.api.serializers.invitations import InvitationInput, InvitationSerializer, SecretInput
from tournaments.api.throttles import InviteThrottle
from tournaments.events import invitations
from tournaments.events.access import event_for_staff, invitation_for_staff

ORGANIZE = ApiToken.Scope.ORGANIZE


class Invitations(Resource):
    """The links through which a role can be accepted."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}invitations/", name="invitations", lists=InvitationSerializer, not_kept=("link",))
    def invitations_list(self, request: Request, event_id: str) -> Response:
        """The open invitations. For owners."""
        event = event_for_staff(self.user, event_id, "invite_staff")
        return self.answer(invitations.open_invitations(event, self.now))

    @operation(
        "POST",
        f"{EVENT}invitations/",
        takes=InvitationInput,
        answers=InvitationSerializer,
        status=201,
        not_kept=("link",),
        throttle=InviteThrottle,
    )
    def invitations_make(self, request: Request, event_id: str) -> Response:
        """Create a link for a role; if an `email` is given, the link is sent there. For owners."""
        event = event_for_staff(self.user, event_id, "invite_staff")
        made = invitations.invite(event=event, **self.arguments())
        return self.answer(made)

    @operation("DELETE", "invitations/<slug:invitation_id>/", name="invitation")
    def invitations_withdraw(self, request: Request, invitation_id: str) -> Response:
        """Cancel an invitation. Idempotent. For owners."""
        invitation = invitation_for_staff(self.user, invitation_id)
        invitations.withdraw(invitation=invitation, **self.arguments())
        return self.answer()

    @operation(
        "POST",
        "invitations/<slug:invitation_id>/accept/",
        name="invitation_accept",
        takes=SecretInput,
        answers=StaffSerializer,
    )
    def invitations_accept(self, request: Request, invitation_id: str) -> Response:
        """Accept the role, with the secret from the link. For any account."""
        secret = self.read()["secret"]
        held = invitations.invitation_for_holder(invitation_id, secret)
        return self.answer(invitations.accept(invitation=held, by=self.user, now=self.now))
