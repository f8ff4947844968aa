"""Events: listed, created, moved from step to step; their presets, staff and ledger."""

from collections.abc import Callable

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.events import (
    CatalogueInput,
    CatalogueSerializer,
    ContactInput,
    DetailsInput,
    EventDetailSerializer,
    EventInput,
    EventQuery,
    EventSerializer,
    LedgerEntrySerializer,
    LedgerQuery,
    LinkSerializer,
    OverlapsSerializer,
    PresetSerializer,
    StaffInput,
    StaffSerializer,
    StepInput,
)
from tournaments.api.throttles import InviteThrottle
from tournaments.decks.selectors import catalogue_choices
from tournaments.decks.services import choose_catalogue, lock_decks, unlock_decks
from tournaments.events import services
from tournaments.events.access import event_for_staff, event_for_viewer, may, own_entrants, require, roles_of
from tournaments.events.joining import join_address
from tournaments.events.models import Event
from tournaments.events.overlaps import overlaps_of, overlaps_of_entrants
from tournaments.events.presets import PRESETS
from tournaments.events.selectors import revision, search, staff_of, visible_events
from tournaments.events.visibility import read_visibility
from tournaments.play import services as play
from tournaments.play.selectors import ledger_shown
from tournaments.play.services.details import change_details

ORGANIZE = ApiToken.Scope.ORGANIZE

# What of the input each step takes, beside its name.
STEP_OPTIONS: dict[str, tuple[str, ...]] = {
    "start": ("drop_absent", "keep_listless", "without_check_in"),
    "reopen": ("reason",),
    "cancel": ("reason",),
}
STEPS: dict[str, Callable[..., None]] = {
    "open": services.open_registration,
    "lock": lock_decks,
    "unlock": unlock_decks,
    "check_in": services.open_check_in,
    "start": play.start_event,
    "finish": play.finish_event,
    "reopen": play.reopen_event,
    "cancel": services.cancel_event,
}


def event_answer(request: Request, event: Event, status: int = 200) -> Response:
    """One event as this reader sees it, as it is in the database now."""
    shown = visible_events(request.user).prefetch_related("stages").get(pk=event.pk)
    shown.revision = revision(shown)
    shown.roles = sorted(roles_of(request.user, shown))
    return Response(EventDetailSerializer(shown).data, status=status)


class EventsView(Endpoint):
    """All public events, and one's own drafts."""

    scopes = (ORGANIZE,)

    @extend_schema(
        operation_id="events_list",
        parameters=[EventQuery, *PAGING],
        responses=page_of("Event", EventSerializer),
    )
    def get(self, request: Request) -> Response:
        """Public events and your own drafts, newest first."""
        wanted = self.read_query(EventQuery)
        found = visible_events(request.user)
        if status := wanted.pop("status", ""):
            found = found.filter(status=status)
        return self.page(search(found, wanted).prefetch_related("stages"), EventSerializer)

    @extend_schema(operation_id="events_create", request=EventInput, responses={201: EventDetailSerializer})
    def post(self, request: Request) -> Response:
        """Create an event from a preset, as a draft; you become its owner."""
        event = services.create_event(by=request.user, now=self.now, **self.read(EventInput))
        return event_answer(request, event, 201)


class EventView(Endpoint):
    """One event."""

    @extend_schema(operation_id="events_read", responses=EventDetailSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """One event."""
        return event_answer(request, event_for_viewer(request.user, event_id))


class DetailsView(Endpoint):
    """Name, places, where and when."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="events_details", request=DetailsInput, responses=EventDetailSerializer)
    def put(self, request: Request, event_id: str) -> Response:
        """Change what an event is called, how many it holds, where and when it is played: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        change_details(event=event, by=request.user, now=self.now, **self.read(DetailsInput))
        return event_answer(request, event)


class JoinLinkView(Endpoint):
    """The link that lets a hall in."""

    account_needed = True

    @extend_schema(operation_id="events_join_link", responses=LinkSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """The address, for a QR code, by which many people who share a network sign up and register: staff."""
        event = event_for_staff(request.user, event_id, "view_staff_pages")
        site = f"{request.scheme}://{request.get_host()}"
        return Response(LinkSerializer({"address": join_address(event, site)}).data)


class OverlapsView(Endpoint):
    """Other events at the same hours."""

    account_needed = True

    @extend_schema(operation_id="events_overlaps", responses=OverlapsSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """Those with an organizer or the place in common, for its staff; those you entered too, for its players."""
        event = event_for_viewer(request.user, event_id)
        entrants = [entrant for entrant in own_entrants(request.user, event) if entrant.status != "dropped"]
        if not entrants:
            require(request.user, event, "view_staff_pages")
        staff = may(request.user, event, "view_staff_pages")
        shown = {
            "events": overlaps_of(event) if staff else [],
            "entered": overlaps_of_entrants(event, entrants) if entrants else [],
        }
        return Response(OverlapsSerializer(shown).data)


class StepsView(Endpoint):
    """The life of an event."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="events_step", request=StepInput, responses={200: EventDetailSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Take an event to its next step: organizers and owners; `reopen`: owners alone."""
        event = event_for_staff(request.user, event_id, "manage_event")
        wanted = self.read(StepInput)
        if wanted["step"] == "reopen":
            require(request.user, event, "reopen_event")
        options = {name: wanted[name] for name in STEP_OPTIONS.get(wanted["step"], ())}
        STEPS[wanted["step"]](event=event, by=request.user, now=self.now, **options)
        return event_answer(request, event)


class ContactView(Endpoint):
    """How players reach the organizer."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="contact_choose", request=ContactInput, responses=EventDetailSerializer)
    def put(self, request: Request, event_id: str) -> Response:
        """Say it on the event's page: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        services.change_contact(event=event, by=request.user, now=self.now, **self.read(ContactInput))
        return event_answer(request, event)


class PresetsView(Endpoint):
    """What events are created from."""

    @extend_schema(operation_id="presets_list", responses=PresetSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The formats that events are created from."""
        return Response(PresetSerializer(list(PRESETS.values()), many=True).data)


class StaffView(Endpoint):
    """Who works at an event."""

    scopes = (ORGANIZE,)
    throttle_classes = [*Endpoint.throttle_classes, InviteThrottle]

    @extend_schema(operation_id="staff_list", responses=StaffSerializer(many=True))
    def get(self, request: Request, event_id: str) -> Response:
        """Who holds which role: staff."""
        event = event_for_staff(request.user, event_id, "view_staff_pages")
        return Response(StaffSerializer(staff_of(event), many=True).data)

    @extend_schema(operation_id="staff_grant", request=StaffInput, responses={201: StaffSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Give a role to the account of an e-mail address: owners."""
        event = event_for_staff(request.user, event_id, "invite_staff")
        granted = services.grant_role(event=event, by=request.user, now=self.now, **self.read(StaffInput))
        return Response(StaffSerializer(granted).data, status=201)


class StaffRoleView(Endpoint):
    """One role of one account."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="staff_revoke", responses={204: None})
    def delete(self, request: Request, event_id: str, account: str, role: str) -> Response:
        """Take a role back: owners. The last owner's stays."""
        event = event_for_staff(request.user, event_id, "invite_staff")
        held = event.staff_roles.filter(user__public_id=account, role=role).select_related("user").first()
        if held is None:
            raise Http404
        services.revoke_role(role=held, by=request.user, now=self.now)
        return Response(status=204)


class CataloguesView(Endpoint):
    """Which catalogue an event's lists are read with."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="catalogues_list", responses=CatalogueSerializer(many=True))
    def get(self, request: Request, event_id: str) -> Response:
        """The catalogues of the event's game, the chosen one marked: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        return Response(CatalogueSerializer(catalogue_choices(event, request.user), many=True).data)

    @extend_schema(operation_id="catalogues_choose", request=CatalogueInput, responses=CatalogueSerializer(many=True))
    def put(self, request: Request, event_id: str) -> Response:
        """Choose another one, before any decklist is there: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        choose_catalogue(event=event, by=request.user, now=self.now, **self.read(CatalogueInput))
        event.refresh_from_db()
        return Response(CatalogueSerializer(catalogue_choices(event, request.user), many=True).data)


class VisibilityView(Endpoint):
    """Who sees decklists, pairings and standings when."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="visibility_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, event_id: str) -> Response:
        """Every cell of the table, such as `decklists.opponent.cut`."""
        return Response(read_visibility(event_for_viewer(request.user, event_id).visibility))

    @extend_schema(operation_id="visibility_choose", request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT)
    def patch(self, request: Request, event_id: str) -> Response:
        """Change cells of it: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        return Response(services.choose_visibility(event=event, cells=request.data, by=request.user, now=self.now))


class LedgerView(Endpoint):
    """What happened."""

    @extend_schema(
        operation_id="ledger_list",
        parameters=[LedgerQuery, *PAGING],
        responses=page_of("LedgerEntry", LedgerEntrySerializer),
    )
    def get(self, request: Request, event_id: str) -> Response:
        """The event's chain of entries, first one first; those after `since`, those of a `code`: staff."""
        event = event_for_staff(request.user, event_id, "view_staff_pages")
        return self.page(
            ledger_shown(event, request.user).filter(**self.read_query(LedgerQuery)), LedgerEntrySerializer
        )
