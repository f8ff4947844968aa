"""Importing entrants from a file."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken, User
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.imports import ConfirmImportInput, ImportInput, ImportSerializer, ReadingInput
from tournaments.api.throttles import ImportThrottle
from tournaments.common import clock
from tournaments.decks.entry_lists import report_of
from tournaments.events import imports
from tournaments.events.access import event_for_staff, import_for_staff
from tournaments.events.bans import banned_lines
from tournaments.events.models import EntryImport
from tournaments.events.twins import twin_lines
from tournaments.leagues.known import known_lines, refuse_unknown


def shown(entry_import: EntryImport, by: User) -> dict[str, Any]:
    """An import, with its progress and what it does or did, as `ImportSerializer` takes it."""
    outcome = imports.outcome_of(entry_import)
    return {
        "lists": report_of(entry_import, by),
        "import": entry_import,
        "state": imports.state_of(entry_import),
        "outcome": outcome,
        "banned": banned_lines(entry_import.event, outcome.lines, clock.now()),
        "twins": twin_lines(entry_import.event, outcome.lines),
        "known": [
            {"line": line, "players": players}
            for line, players in known_lines(entry_import.event, by, outcome.lines).items()
        ],
    }


def _persons(chosen: dict[str, Any]) -> list[str]:
    """The known players that are chosen for lines."""
    return [row.get("person", "") for row in chosen.get("rows", ())]


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
        refuse_unknown(event, self.user, _persons(chosen))
        document = chosen.pop("text").encode()
        made = imports.open_import(event=event, document=document, by=self.user, now=self.now, chosen=chosen, ask=False)
        return self.answer(shown(made, self.user))

    @operation("GET", "imports/<slug:import_id>/", name="import", answers=ImportSerializer)
    def imports_read(self, request: Request, import_id: str) -> Response:
        """What confirming the file would do, or what it did. For the desk."""
        return self.answer(shown(import_for_staff(self.user, import_id, "run_desk"), self.user))

    @operation("PATCH", "imports/<slug:import_id>/", takes=ReadingInput, answers=ImportSerializer)
    def imports_change(self, request: Request, import_id: str) -> Response:
        """Change how the file is read. For the desk."""
        entry_import = import_for_staff(self.user, import_id, "run_desk")
        chosen = self.read()
        refuse_unknown(entry_import.event, self.user, _persons(chosen))
        again = imports.read_again(entry_import=entry_import, chosen=chosen, ask=False)
        return self.answer(shown(again, self.user))

    @operation("DELETE", "imports/<slug:import_id>/")
    def imports_discard(self, request: Request, import_id: str) -> Response:
        """Discard a file that has not been confirmed. For the desk."""
        imports.discard_import(entry_import=import_for_staff(self.user, import_id, "run_desk"))
        return self.answer()

    @operation(
        "POST",
        "imports/<slug:import_id>/confirm/",
        name="import_confirm",
        takes=ConfirmImportInput,
        answers=ImportSerializer,
    )
    def imports_confirm(self, request: Request, import_id: str) -> Response:
        """Enter everybody in the file. A job does this for a long file: poll the import. Idempotent. For the desk."""
        entry_import = import_for_staff(self.user, import_id, "run_desk")
        done = imports.confirm_import(entry_import=entry_import, **self.arguments())
        return self.answer(shown(done, self.user))
