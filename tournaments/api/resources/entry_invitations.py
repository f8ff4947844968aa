"""Invitations of players to take over entries: the desk sends them, anybody who has the link can accept."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.guardians import person_for_guardian
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services import own_person
from tournaments.api.addresses import ENTRANT, EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.entrants import entrant_answer
from tournaments.api.serializers.entry_invitations import (
    AcceptEntryInput,
    AddressInput,
    EntryInvitationSerializer,
    EntryInvitationsQuery,
    InvitedSerializer,
    InviteEntrantsInput,
)
from tournaments.api.serializers.events import EntrantSerializer
from tournaments.api.throttles import InviteThrottle
from tournaments.events import entry_invitations as invitations
from tournaments.events.access import entrant_for_staff, event_for_staff
from tournaments.events.models import Entrant
from tournaments.events.selectors import entrants_of


class EntryInvitations(Resource):
    """The addresses of entrants without an account, and the e-mails to them."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation(
        "GET",
        f"{EVENT}entry-invitations/",
        name="entry_invitations",
        query=EntryInvitationsQuery,
        pages=EntryInvitationSerializer,
    )
    def entry_invitations_list(self, request: Request, event_id: str) -> Response:
        """Every entrant with the state of their invitation. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        state = self.read_query().get("state")
        every = invitations.invited_of(event, entrants_of(event).order_by("pk"), self.now)
        return self.answer([each for each in every if state in (None, each.state)])

    @operation(
        "POST",
        f"{EVENT}entry-invitations/",
        takes=InviteEntrantsInput,
        answers=InvitedSerializer,
        throttle=InviteThrottle,
    )
    def entry_invitations_send(self, request: Request, event_id: str) -> Response:
        """E-mail links to entrants whose address is known. Nobody gets two within a day. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        count = invitations.invite(event=event, **self.arguments())
        sending = invitations.sending_of(event)
        return self.answer({"invited": count, "waiting": sending.waiting, "stopped": sending.stopped})

    @operation(
        "PUT",
        f"{ENTRANT}invitation/",
        name="entry_address",
        takes=AddressInput,
        answers=EntryInvitationSerializer,
        throttle=InviteThrottle,
    )
    def entry_invitations_address(self, request: Request, entrant_id: str) -> Response:
        """Set or correct the e-mail address of an entrant without an account; nothing is sent yet. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        invitations.set_address(entrant=entrant, **self.arguments())
        return self._shown(entrant)

    @operation("DELETE", f"{ENTRANT}invitation/")
    def entry_invitations_withdraw(self, request: Request, entrant_id: str) -> Response:
        """Withdraw the invitation of an entrant and delete the address. Idempotent. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        invitations.withdraw(entrant=entrant, by=self.user, now=self.now)
        return self.answer()

    @operation(
        "POST",
        "entry-invitations/<slug:invitation_id>/accept/",
        name="entry_invitation_accept",
        takes=AcceptEntryInput,
        answers=EntrantSerializer,
        scopes=(ApiToken.Scope.PLAY,),
    )
    def entry_invitations_accept(self, request: Request, invitation_id: str) -> Response:
        """Take over the entry, for yourself or for a `person` you act for, with the secret from the link."""
        wanted = self.read()
        held = invitations.invitation_for_holder(invitation_id, wanted["secret"])
        chosen = wanted["person"]
        person = person_for_guardian(self.user, chosen) if chosen else own_person(self.user)
        return entrant_answer(self, invitations.accept(invitation=held, person=person, by=self.user, now=self.now))

    def _shown(self, entrant: Entrant) -> Response:
        fresh = entrants_of(entrant.event).filter(pk=entrant.pk)
        return self.answer(*invitations.invited_of(entrant.event, fresh, self.now))
