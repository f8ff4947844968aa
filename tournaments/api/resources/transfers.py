"""Files of other programs: upload one, see what it contains, and create an event or entrants from it."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.parsers import BytesParser
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.imports import shown as import_shown
from tournaments.api.serializers.imports import ImportSerializer
from tournaments.api.serializers.transfers import TransferEntrantsInput, TransferEventInput, TransferSerializer
from tournaments.api.throttles import ImportThrottle
from tournaments.events.access import event_for_staff
from tournaments.transfers import services
from tournaments.transfers.access import transfer_for_owner
from tournaments.transfers.contents import described
from tournaments.transfers.making import Settings
from tournaments.transfers.models import Transfer
from tournaments.transfers.selectors import open_transfers, state_of

TRANSFER = "transfers/<slug:transfer_id>/"


def _shown(transfer: Transfer) -> dict[str, Any]:
    event = transfer.made.public_id if transfer.made else None
    return {"transfer": transfer, "state": state_of(transfer), "event": event, **vars(described(transfer))}


class Transfers(Resource):
    """Files of other programs, and event files of ours, of the account."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation(
        "POST",
        "transfers/",
        name="transfers",
        request={"application/octet-stream": OpenApiTypes.BINARY},
        answers=TransferSerializer,
        status=201,
        throttle=ImportThrottle,
        parser_classes=[BytesParser],
    )
    def transfers_open(self, request: Request) -> Response:
        """Upload a file of at most 8 MiB, to see what it is and what would be read. Nothing is created yet."""
        return self.answer(_shown(services.open_transfer(document=self.document(), by=self.user, now=self.now)))

    @operation("GET", "transfers/", lists=TransferSerializer)
    def transfers_list(self, request: Request) -> Response:
        """Your files that wait for a decision, newest first."""
        return self.answer([_shown(each) for each in open_transfers(self.user)])

    @operation("GET", TRANSFER, name="transfer", answers=TransferSerializer)
    def transfers_read(self, request: Request, transfer_id: str) -> Response:
        """The content of a file; later, the progress of creating its event."""
        return self.answer(_shown(transfer_for_owner(self.user, transfer_id)))

    @operation("DELETE", TRANSFER)
    def transfers_discard(self, request: Request, transfer_id: str) -> Response:
        """Discard a file that has not been used."""
        services.discard_transfer(transfer=transfer_for_owner(self.user, transfer_id))
        return self.answer()

    @operation("POST", f"{TRANSFER}event/", name="transfer_event", takes=TransferEventInput, answers=TransferSerializer)
    def transfers_make_event(self, request: Request, transfer_id: str) -> Response:
        """Have a job create an event from a file: to continue it (`play_on`), or as an `archive`. Idempotent."""
        transfer = transfer_for_owner(self.user, transfer_id)
        said = self.read()
        goal = said.pop("goal")
        settings = Settings(**said) if {"name", "preset"} <= said.keys() else None
        made = services.confirm_transfer(transfer=transfer, goal=goal, settings=settings, by=self.user, now=self.now)
        return self.answer(_shown(made))

    @operation(
        "POST",
        f"{TRANSFER}entrants/",
        name="transfer_entrants",
        takes=TransferEntrantsInput,
        answers=ImportSerializer,
        status=201,
    )
    def transfers_enter(self, request: Request, transfer_id: str) -> Response:
        """Pass the players to the import of entrants of an event; nobody is entered until that is confirmed."""
        transfer = transfer_for_owner(self.user, transfer_id)
        event = event_for_staff(self.user, self.read()["event"], "run_desk")
        opened = services.enter_players_of(transfer=transfer, event=event, by=self.user, now=self.now)
        return self.answer(import_shown(opened, self.user))
