"""Entrants from a file."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.imports import ImportInput, ImportSerializer, ReadingInput
from tournaments.api.throttles import ImportThrottle
from tournaments.events import imports
from tournaments.events.access import event_for_staff, import_for_staff
from tournaments.events.models import EntryImport


def _answer(entry_import: EntryImport, status: int = 200) -> Response:
    shown = {
        "import": entry_import,
        "state": imports.state_of(entry_import),
        "outcome": imports.outcome_of(entry_import),
    }
    return Response(ImportSerializer(shown).data, status=status)


class ImportsView(Endpoint):
    """Files of entrants of an event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    throttle_classes = [*Endpoint.throttle_classes, ImportThrottle]

    @extend_schema(operation_id="imports_open", request=ImportInput, responses={201: ImportSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Send a CSV file to be looked at: the desk. Nobody is entered before it is confirmed."""
        event = event_for_staff(request.user, event_id, "run_desk")
        chosen = self.read(ImportInput)
        document = chosen.pop("text").encode()
        made = imports.open_import(event=event, document=document, by=request.user, now=self.now, chosen=chosen)
        return _answer(made, 201)


class ImportView(Endpoint):
    """One file."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="imports_read", responses=ImportSerializer)
    def get(self, request: Request, import_id: str) -> Response:
        """What it would do, or what it did: the desk."""
        return _answer(import_for_staff(request.user, import_id, "run_desk"))

    @extend_schema(operation_id="imports_change", request=ReadingInput, responses=ImportSerializer)
    def patch(self, request: Request, import_id: str) -> Response:
        """Have it read in another way: the desk."""
        entry_import = import_for_staff(request.user, import_id, "run_desk")
        return _answer(imports.read_again(entry_import=entry_import, chosen=self.read(ReadingInput)))

    @extend_schema(operation_id="imports_discard", responses={204: None})
    def delete(self, request: Request, import_id: str) -> Response:
        """Throw it away: the desk."""
        imports.discard_import(entry_import=import_for_staff(request.user, import_id, "run_desk"))
        return Response(status=204)


class ImportConfirmView(Endpoint):
    """Entering everybody."""

    scopes = (ApiToken.Scope.ORGANIZE,)

    @extend_schema(operation_id="imports_confirm", request=NothingInput, responses=ImportSerializer)
    def post(self, request: Request, import_id: str) -> Response:
        """Enter everybody whom it names: the desk. A long one is entered by a job: ask again. Twice is once."""
        entry_import = import_for_staff(request.user, import_id, "run_desk")
        self.read(NothingInput)
        return _answer(imports.confirm_import(entry_import=entry_import, by=request.user, now=self.now))
