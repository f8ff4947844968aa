"""Qualification: the first players of an event enter another one."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.qualification import (
    CandidateSerializer,
    QualificationQuery,
    QualifiedSerializer,
    QualifyInput,
)
from tournaments.events.access import event_for_staff
from tournaments.standings.qualification import candidates_of, qualify


class Qualification(Resource):
    """Qualification for another event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation(
        "GET",
        f"{EVENT}qualification/",
        name="qualification",
        query=QualificationQuery,
        pages=CandidateSerializer,
    )
    def qualification_read(self, request: Request, event_id: str) -> Response:
        """The players who would enter the event `into`, best first. For organizers and owners of both events."""
        source, wanted = event_for_staff(self.user, event_id, "manage_event"), self.read_query()
        into = event_for_staff(self.user, wanted.pop("into"), "manage_event")
        return self.answer(candidates_of(source, into, **wanted))

    @operation("POST", f"{EVENT}qualification/", takes=QualifyInput, answers=QualifiedSerializer)
    def qualification_enter(self, request: Request, event_id: str) -> Response:
        """Enter the first players of this event into another one. For organizers and owners of both events.

        Asking again enters nobody twice: those who were entered keep their places.
        """
        source, wanted = event_for_staff(self.user, event_id, "manage_event"), self.arguments()
        into = event_for_staff(self.user, wanted.pop("into"), "manage_event")
        return self.answer(qualify(source=source, into=into, **wanted))
