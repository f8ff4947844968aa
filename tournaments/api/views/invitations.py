"""Invitations to the team of an event: made and withdrawn by its owners, accepted by who holds the link."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.events import StaffSerializer
from tournaments.api.serializers.invitations import InvitationInput, InvitationSerializer, SecretInput
from tournaments.api.throttles import InviteThrottle
from tournaments.events import invitations
from tournaments.events.access import event_for_staff, invitation_for_staff

ORGANIZE = ApiToken.Scope.ORGANIZE


class InvitationsView(Endpoint):
    """The links by which a role may be taken."""

    scopes = (ORGANIZE,)
    throttle_classes = [*Endpoint.throttle_classes, InviteThrottle]
    not_kept = ("link",)

    @extend_schema(operation_id="invitations_list", responses=InvitationSerializer(many=True))
    def get(self, request: Request, event_id: str) -> Response:
        """The links that open: owners."""
        event = event_for_staff(request.user, event_id, "invite_staff")
        return Response(InvitationSerializer(invitations.open_invitations(event, self.now), many=True).data)

    @extend_schema(operation_id="invitations_make", request=InvitationInput, responses={201: InvitationSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Make a link for a role, and have it sent where an `email` is given: owners."""
        event = event_for_staff(request.user, event_id, "invite_staff")
        made = invitations.invite(event=event, by=request.user, now=self.now, **self.read(InvitationInput))
        return Response(InvitationSerializer(made).data, status=201)


class InvitationView(Endpoint):
    """One invitation."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="invitations_withdraw", responses={204: None})
    def delete(self, request: Request, invitation_id: str) -> Response:
        """Close its link: owners. Twice is once."""
        invitation = invitation_for_staff(request.user, invitation_id)
        invitations.withdraw(invitation=invitation, by=request.user, now=self.now)
        return Response(status=204)


class AcceptView(Endpoint):
    """The role of a link."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="invitations_accept", request=SecretInput, responses=StaffSerializer)
    def post(self, request: Request, invitation_id: str) -> Response:
        """Take the role, by the secret of the link."""
        secret = self.read(SecretInput)["secret"]
        held = invitations.invitation_for_holder(invitation_id, secret)
        return Response(StaffSerializer(invitations.accept(invitation=held, by=request.user, now=self.now)).data)
