"""Event files: an event whole, and the verification of a file."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.parsers import BytesParser
from tournaments.api.serializers.archive import EventFileInput, EventFileSerializer, VerificationSerializer
from tournaments.api.throttles import FileThrottle, VerificationThrottle
from tournaments.archive.access import event_for_file, export_for_organizer, verification_for_anyone
from tournaments.archive.models import Export, Verification
from tournaments.archive.selectors import document_of, file_name, state_of, state_of_export
from tournaments.archive.services import ask_for_file, ask_for_verification

FILE = OpenApiResponse(OpenApiTypes.BINARY, "The file, packed by gzip.")


def _answer(verification: Verification, status: int = 200) -> Response:
    shown = {"verification": verification, "state": state_of(verification)}
    return Response(VerificationSerializer(shown).data, status=status)


def _file(export: Export, status: int = 200) -> Response:
    return Response(EventFileSerializer({"file": export, "state": state_of_export(export)}).data, status=status)


class EventFileView(Endpoint):
    """The file of an event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    throttle_classes = [*Endpoint.throttle_classes, FileThrottle]

    @extend_schema(operation_id="event_file_ask", request=EventFileInput, responses={201: EventFileSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Have the whole event written as one file that proves itself: organizers."""
        event = event_for_file(request.user, event_id)
        made = ask_for_file(event=event, names=self.read(EventFileInput)["names"], by=request.user, now=self.now)
        return _file(made, 201)


class FileView(Endpoint):
    """One file of an event."""

    account_needed = True

    @extend_schema(operation_id="files_read", responses=EventFileSerializer)
    def get(self, request: Request, file_id: str) -> Response:
        """How far the file of an event is: organizers."""
        return _file(export_for_organizer(request.user, file_id))


class FileDownloadView(Endpoint):
    """The bytes of a file."""

    account_needed = True

    @extend_schema(operation_id="files_download", responses={(200, "application/gzip"): FILE})
    def get(self, request: Request, file_id: str) -> HttpResponse:
        """The file, packed by gzip; 404 until it is ready. Organizers."""
        export = export_for_organizer(request.user, file_id)
        document = document_of(export)
        if document is None:
            raise Http404
        answer = HttpResponse(document, content_type="application/gzip")
        answer["Content-Disposition"] = f'attachment; filename="{file_name(export)}"'
        return answer


class VerificationsView(Endpoint):
    """Files to verify."""

    scopes = tuple(ApiToken.Scope.values)
    parser_classes = [BytesParser]
    throttle_classes = [*Endpoint.throttle_classes, VerificationThrottle]

    @extend_schema(
        operation_id="verifications_ask",
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={201: VerificationSerializer},
    )
    def post(self, request: Request) -> Response:
        """Have a file verified, as it is or packed, at most 8 MiB: any account."""
        document = request.data if isinstance(request.data, bytes) else b""
        return _answer(ask_for_verification(document=document, now=self.now), 201)


class VerificationView(Endpoint):
    """One verification."""

    @extend_schema(operation_id="verifications_read", responses=VerificationSerializer)
    def get(self, request: Request, verification_id: str) -> Response:
        """How far a verification is, and what it found: whoever holds its id."""
        return _answer(verification_for_anyone(verification_id))
