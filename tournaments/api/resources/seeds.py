"""The seeds of an event."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.seeds import SeedsInput, SeedsSerializer
from tournaments.events.access import event_for_staff
from tournaments.events.seeding import seeds_of, set_seeds
from tournaments.leagues.access import league_for_manager
from tournaments.leagues.seeding import take_seeds


class Seeds(Resource):
    """The seeds of an event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation("GET", f"{EVENT}seeds/", name="seeds", answers=SeedsSerializer)
    def seeds_read(self, request: Request, event_id: str) -> Response:
        """The entrants who have a seed, best first. For staff."""
        return self.answer({"seeds": seeds_of(event_for_staff(self.user, event_id, "view_staff_pages"))})

    @operation("PUT", f"{EVENT}seeds/", takes=SeedsInput, answers=SeedsSerializer)
    def seeds_take(self, request: Request, event_id: str) -> Response:
        """Set the seeds by the current ratings of one of your leagues. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        league = league_for_manager(self.user, self.read()["league"])
        return self.answer({"seeds": take_seeds(event=event, league=league, by=self.user, now=self.now)})

    @operation("DELETE", f"{EVENT}seeds/")
    def seeds_remove(self, request: Request, event_id: str) -> Response:
        """Remove all seeds. Idempotent. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        set_seeds(event=event, order=[], by=self.user, now=self.now)
        return self.answer()
