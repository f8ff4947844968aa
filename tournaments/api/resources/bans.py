"""The ban list of an account: people who cannot register for events that it owns."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.bans import BanInput, BanSerializer
from tournaments.events import bans
from tournaments.leagues.access import person_for_book


class Bans(Resource):
    """Your ban list."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation("GET", "bans/", name="bans", pages=BanSerializer)
    def bans_list(self, request: Request) -> Response:
        """Your ban list, newest first; bans that have expired are on it."""
        return self.answer(bans.bans_of(self.user))

    @operation("POST", "bans/", takes=BanInput, answers=BanSerializer, status=201)
    def bans_add(self, request: Request) -> Response:
        """Ban a person in your player book, or an e-mail address, of which only a digest is stored."""
        wanted = self.read()
        said = {"owner": self.user, "now": self.now, "reason": wanted["reason"], "until": wanted["until"]}
        if "email" in wanted:
            return self.answer(bans.ban_address(email=wanted["email"], **said))
        return self.answer(bans.ban_person(person=person_for_book(self.user, wanted["person"]), **said))

    @operation("DELETE", "bans/<int:ban_id>/", name="ban")
    def bans_lift(self, request: Request, ban_id: int) -> Response:
        """Remove an entry from your ban list."""
        bans.lift_ban(ban=bans.ban_for_owner(self.user, ban_id))
        return self.answer()
