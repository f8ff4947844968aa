"""Announcements: everybody can read those meant for them; staff make and withdraw them."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.announcements import services
from tournaments.announcements.access import announcement_for_staff
from tournaments.announcements.selectors import heard, standing
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.announcements import AnnouncementInput, AnnouncementSerializer
from tournaments.events.access import event_for_staff, event_for_viewer, may

SCOPES = (ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE)


class Announcements(Resource):
    """The announcements of an event."""

    scopes = SCOPES

    @operation("GET", f"{EVENT}announcements/", name="announcements", pages=AnnouncementSerializer)
    def announcements_list(self, request: Request, event_id: str) -> Response:
        """Current announcements, newest first: all of them for staff, otherwise those meant for you. Public."""
        event = event_for_viewer(self.user, event_id)
        staff = may(self.user, event, "announce")
        found = standing(event, self.now) if staff else heard(self.user, event, self.now)
        return self.answer(found)

    @operation("POST", f"{EVENT}announcements/", takes=AnnouncementInput, answers=AnnouncementSerializer, status=201)
    def announcements_make(self, request: Request, event_id: str) -> Response:
        """Announce something to everybody, to a stage, or to a table of the current round. For staff."""
        event = event_for_staff(self.user, event_id, "announce")
        made = services.announce(event=event, **self.arguments())
        return self.answer(made)

    @operation("DELETE", "announcements/<slug:announcement_id>/", name="announcement")
    def announcements_withdraw(self, request: Request, announcement_id: str) -> Response:
        """Withdraw an announcement. For staff."""
        announcement = announcement_for_staff(self.user, announcement_id)
        services.withdraw(announcement=announcement, **self.arguments())
        return self.answer()
