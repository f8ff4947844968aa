"""Importing entrants from a file."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.imports import ImportInput, ImportSerializer, ReadingInput
from tournaments.api.throttles import ImportThrottle
from tournaments.events import imports
from tournaments.events.access import event_for_staff, import_for_staff
from tournaments.events.models import EntryImport


def _shown(entry_import: EntryImport) -> dict[str, Any]:
    return {
        "import": entry_import,
        "state": imports.state_of(entry_import),
        "outcome": imports.outcome_of(entry_import),
    }


class Imports(Resource):
    """Files of entrants of an event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation(
        "POST",
        f"{EVENT}imports/",
        name="imports",
        takes=ImportInput,
        answers=ImportSerializer,
        status=201,
        throttle=ImportThrottle,
    )
    def imports_open(self, request: Request, event_id: str) -> Response:
        """Upload a CSV file, or a list of names, for review. Nobody is entered until it is confirmed. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        chosen = self.read()
        document = chosen.pop("text").encode()
        made = imports.open_import(event=event, document=document, by=self.user, now=self.now, chosen=chosen)
        return self.answer(_shown(made))

    @operation("GET", "imports/<slug:import_id>/", name="import", answers=ImportSerializer)
    def imports_read(self, request: Request, import_id: str) -> Response:
        """What confirming the file would do, or what it did. For the desk."""
        return self.answer(_shown(import_for_staff(self.user, import_id, "run_desk")))

    @operation("PATCH", "imports/<slug:import_id>/", takes=ReadingInput, answers=ImportSerializer)
    def imports_change(self, request: Request, import_id: str) -> Response:
        """Read the file in another way. For the desk."""
        entry_import = import_for_staff(self.user, import_id, "run_desk")
        return self.answer(_shown(imports.read_again(entry_import=entry_import, chosen=self.read())))

    @operation("DELETE", "imports/<slug:import_id>/")
    def imports_discard(self, request: Request, import_id: str) -> Response:
        """Discard a file that has not been confirmed. For the desk."""
        imports.discard_import(entry_import=import_for_staff(self.user, import_id, "run_desk"))
        return self.answer()

    @operation(
        "POST", "imports/<slug:import_id>/confirm/", name="import_confirm", takes=NothingInput, answers=ImportSerializer
    )
    def imports_confirm(self, request: Request, import_id: str) -> Response:
        """Enter everybody in the file. A job does this for a long file: poll the import. Idempotent. For the desk."""
        entry_import = import_for_staff(self.user, import_id, "run_desk")
        return self.answer(_shown(imports.confirm_import(entry_import=entry_import, **self.arguments())))
