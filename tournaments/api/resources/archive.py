"""Event files: a whole event as one file, and the verification of such a file."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.parsers import BytesParser
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.archive import EventFileInput, EventFileSerializer, VerificationSerializer
from tournaments.api.throttles import FileThrottle, VerificationThrottle
from tournaments.archive.access import event_for_file, export_for_organizer, verification_for_anyone
from tournaments.archive.models import Export, Verification
from tournaments.archive.selectors import document_of, file_name, state_of, state_of_export
from tournaments.archive.services import ask_for_file, ask_for_verification

FILE = OpenApiResponse(OpenApiTypes.BINARY, "The file, packed by gzip.")


def _verification(found: Verification) -> dict[str, Any]:
    return {"verification": found, "state": state_of(found)}


def _file(export: Export) -> dict[str, Any]:
    return {"file": export, "state": state_of_export(export)}


class EventFiles(Resource):
    """The file of an event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation(
        "POST",
        f"{EVENT}file/",
        name="event_file",
        takes=EventFileInput,
        answers=EventFileSerializer,
        status=201,
        throttle=FileThrottle,
    )
    def event_file_ask(self, request: Request, event_id: str) -> Response:
        """Have a job write the whole event as one file that can be verified later.

        For organizers and owners; while the event is in progress, not for those who play it.
        """
        event = event_for_file(self.user, event_id)
        made = ask_for_file(event=event, names=self.read()["names"], by=self.user, now=self.now)
        return self.answer(_file(made))

    @operation("GET", "files/<slug:file_id>/", name="file", answers=EventFileSerializer)
    def files_read(self, request: Request, file_id: str) -> Response:
        """The progress of an event file. For organizers and owners."""
        return self.answer(_file(export_for_organizer(self.user, file_id)))

    @operation(
        "GET", "files/<slug:file_id>/download/", name="file_download", responses={(200, "application/gzip"): FILE}
    )
    def files_download(self, request: Request, file_id: str) -> HttpResponse:
        """The file, compressed with gzip; 404 until it is ready. For organizers and owners."""
        export = export_for_organizer(self.user, file_id)
        document = document_of(export)
        if document is None:
            raise Http404
        answer = HttpResponse(document, content_type="application/gzip")
        answer["Content-Disposition"] = f'attachment; filename="{file_name(export)}"'
        return answer


class Verifications(Resource):
    """Event files to verify."""

    scopes = tuple(ApiToken.Scope.values)

    @operation(
        "POST",
        "verifications/",
        name="verifications",
        request={"application/octet-stream": OpenApiTypes.BINARY},
        answers=VerificationSerializer,
        status=201,
        throttle=VerificationThrottle,
        parser_classes=[BytesParser],
    )
    def verifications_ask(self, request: Request) -> Response:
        """Have an event file verified, plain or compressed, at most 8 MiB. For any account."""
        document = self.document()
        return self.answer(_verification(ask_for_verification(document=document, now=self.now)))

    @operation("GET", "verifications/<slug:verification_id>/", name="verification", answers=VerificationSerializer)
    def verifications_read(self, request: Request, verification_id: str) -> Response:
        """The progress of a verification, and its report. For anybody who has its id."""
        return self.answer(_verification(verification_for_anyone(verification_id)))
