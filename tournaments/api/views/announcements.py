"""Announcements: heard by all, made and withdrawn by staff."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.announcements import services
from tournaments.announcements.access import announcement_for_staff
from tournaments.announcements.selectors import heard, standing
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.announcements import AnnouncementInput, AnnouncementSerializer
from tournaments.events.access import event_for_staff, event_for_viewer, may

SCOPES = (ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE)


class AnnouncementsView(Endpoint):
    """The announcements of an event."""

    scopes = SCOPES

    @extend_schema(
        operation_id="announcements_list", parameters=PAGING, responses=page_of("Announcement", AnnouncementSerializer)
    )
    def get(self, request: Request, event_id: str) -> Response:
        """Those that stand, the newest first: all of them for staff, else those for you. Public."""
        event = event_for_viewer(request.user, event_id)
        staff = may(request.user, event, "announce")
        found = standing(event, self.now) if staff else heard(request.user, event, self.now)
        return self.page(found, AnnouncementSerializer)

    @extend_schema(
        operation_id="announcements_make", request=AnnouncementInput, responses={201: AnnouncementSerializer}
    )
    def post(self, request: Request, event_id: str) -> Response:
        """Say something to all, to a stage, or to a table of the round being played: staff."""
        event = event_for_staff(request.user, event_id, "announce")
        made = services.announce(event=event, by=request.user, now=self.now, **self.read(AnnouncementInput))
        return Response(AnnouncementSerializer(made).data, status=201)


class AnnouncementView(Endpoint):
    """One announcement."""

    scopes = SCOPES

    @extend_schema(operation_id="announcements_withdraw", responses={204: None})
    def delete(self, request: Request, announcement_id: str) -> Response:
        """Withdraw it: staff."""
        announcement = announcement_for_staff(request.user, announcement_id)
        services.withdraw(announcement=announcement, by=request.user, now=self.now)
        return Response(status=204)
