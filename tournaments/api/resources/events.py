"""Events: creating, listing and changing them, their states, presets, staff, visibility and the ledger."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.events import (
    CatalogueInput,
    CatalogueSerializer,
    ContactInput,
    DetailsInput,
    EventDetailSerializer,
    EventInput,
    EventQuery,
    EventSerializer,
    HandOverInput,
    LedgerEntrySerializer,
    LedgerQuery,
    LinkSerializer,
    OverlapsSerializer,
    PresetSerializer,
    SitesInput,
    SitesSerializer,
    StaffInput,
    StaffSerializer,
    StepInput,
)
from tournaments.api.throttles import InviteThrottle
from tournaments.clubs.selectors import club_of, public_convention_of
from tournaments.decks.selectors import catalogue_choices
from tournaments.decks.services import choose_catalogue, create_event, lock_decks, unlock_decks
from tournaments.events import services
from tournaments.events.access import event_for_staff, event_for_viewer, may, own_entrants, require, roles_of
from tournaments.events.embedding import choose_sites
from tournaments.events.joining import join_address
from tournaments.events.listing import renew_join_link
from tournaments.events.models import Event
from tournaments.events.overlaps import overlaps_of, overlaps_of_entrants
from tournaments.events.presets import PRESETS
from tournaments.events.selectors import counted, revision, search, staff_of, visible_events
from tournaments.events.starts import check_start
from tournaments.events.visibility import read_visibility
from tournaments.play import services as play
from tournaments.play.selectors import ledger_shown
from tournaments.play.services.details import change_details

ORGANIZE = ApiToken.Scope.ORGANIZE

# The fields of the input that each step takes; they are ignored with the other steps.
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


def event_answer(view: Resource, event: Event) -> Response:
    """Return one event as it is in the database now, as the reader sees it."""
    shown: Any = counted(Event.objects.filter(pk=event.pk)).prefetch_related("stages").get()
    shown.revision = revision(shown)
    shown.roles = sorted(roles_of(view.user, shown))
    shown.club, shown.convention = club_of(shown), public_convention_of(shown)
    return view.answer(shown)


def dated_arguments(view: Resource, *, zone: str = "", before: datetime | None = None) -> dict[str, Any]:
    """Return `view.arguments()` without `acknowledged`, once their start is checked as by `events.starts`."""
    given = view.arguments()
    check_start(
        given.get("starts_at"),
        now=view.now,
        zone=given.get("time_zone", zone),
        before=before,
        acknowledged=given.pop("acknowledged"),
    )
    return given


class Events(Resource):
    """The events."""

    scopes = (ORGANIZE,)

    @operation("GET", "events/", name="events", query=EventQuery, pages=EventSerializer)
    def events_list(self, request: Request) -> Response:
        """Public events and your own drafts, newest first."""
        wanted = self.read_query()
        found = visible_events(self.user)
        if status := wanted.pop("status", ""):
            found = found.filter(status=status)
        return self.answer(search(found, wanted).prefetch_related("stages"))

    @operation("POST", "events/", takes=EventInput, answers=EventDetailSerializer, status=201)
    def events_create(self, request: Request) -> Response:
        """Create an event from a preset, as a draft; you become its owner.

        A start in the past is refused (`starts_in_past`) until it is sent with `acknowledged`.
        """
        event = create_event(**dated_arguments(self))
        return event_answer(self, event)

    @operation("GET", EVENT, name="event", answers=EventDetailSerializer)
    def events_read(self, request: Request, event_id: str) -> Response:
        """One event, with its revision and your own roles. Only staff can see a draft."""
        return event_answer(self, event_for_viewer(self.user, event_id))

    @operation("PUT", f"{EVENT}details/", name="details", takes=DetailsInput, answers=EventDetailSerializer)
    def events_details(self, request: Request, event_id: str) -> Response:
        """Change the name, the description, the capacity, and where and when the event takes place.

        For organizers and owners. A new start in the past is refused (`starts_in_past`) until it is sent with
        `acknowledged`.
        """
        event = event_for_staff(self.user, event_id, "manage_event")
        change_details(event=event, **dated_arguments(self, zone=event.time_zone, before=event.starts_at))
        return event_answer(self, event)

    @operation("GET", f"{EVENT}join-link/", name="join_link", answers=LinkSerializer, account_needed=True)
    def events_join_link(self, request: Request, event_id: str) -> Response:
        """The address, for a QR code, where many people on the same network can sign up and register. For staff."""
        event = event_for_staff(self.user, event_id, "view_staff_pages")
        site = f"{request.scheme}://{request.get_host()}"
        return self.answer({"address": join_address(event, site)})

    @operation("POST", f"{EVENT}join-link/", answers=LinkSerializer, status=200)
    def events_renew_join_link(self, request: Request, event_id: str) -> Response:
        """Replace the join link: the old one stops working. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        renewed = renew_join_link(event=event, **self.arguments())
        return self.answer({"address": join_address(renewed, f"{request.scheme}://{request.get_host()}")})

    @operation("GET", f"{EVENT}overlaps/", name="overlaps", answers=OverlapsSerializer, account_needed=True)
    def events_overlaps(self, request: Request, event_id: str) -> Response:
        """Other events at the same time.

        Staff get those that share an organizer or the place; players get those that they have also entered.
        """
        event = event_for_viewer(self.user, event_id)
        entrants = [entrant for entrant in own_entrants(self.user, event) if entrant.status != "dropped"]
        if not entrants:
            require(self.user, event, "view_staff_pages")
        staff = may(self.user, event, "view_staff_pages")
        shown = {
            "events": overlaps_of(event) if staff else [],
            "entered": overlaps_of_entrants(event, entrants) if entrants else [],
        }
        return self.answer(shown)

    @operation("POST", f"{EVENT}steps/", name="steps", takes=StepInput, answers=EventDetailSerializer)
    def events_step(self, request: Request, event_id: str) -> Response:
        """Move the event to its next state. For organizers and owners; `reopen` is for owners only."""
        event = event_for_staff(self.user, event_id, "manage_event")
        wanted = self.read()
        if wanted["step"] == "reopen":
            require(self.user, event, "reopen_event")
        options = {name: wanted[name] for name in STEP_OPTIONS.get(wanted["step"], ())}
        STEPS[wanted["step"]](event=event, by=self.user, now=self.now, **options)
        return event_answer(self, event)

    @operation("PUT", f"{EVENT}contact/", name="contact", takes=ContactInput, answers=EventDetailSerializer)
    def contact_choose(self, request: Request, event_id: str) -> Response:
        """Set how players can reach the organizer, as shown on the event's page. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        services.change_contact(event=event, **self.arguments())
        return event_answer(self, event)

    @operation("GET", f"{EVENT}embed-sites/", name="embed_sites", answers=SitesSerializer)
    def sites_read(self, request: Request, event_id: str) -> Response:
        """The sites that may embed the event. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer({"sites": event.embed_sites})

    @operation("PUT", f"{EVENT}embed-sites/", takes=SitesInput, answers=SitesSerializer)
    def sites_choose(self, request: Request, event_id: str) -> Response:
        """Replace the sites that may embed the event. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer({"sites": choose_sites(event=event, **self.arguments())})

    @operation("GET", "presets/", name="presets", lists=PresetSerializer)
    def presets_list(self, request: Request) -> Response:
        """The presets that events can be created from. Public."""
        return self.answer(list(PRESETS.values()))

    @operation("GET", f"{EVENT}catalogues/", name="catalogues", lists=CatalogueSerializer)
    def catalogues_list(self, request: Request, event_id: str) -> Response:
        """The catalogues of the event's game, with the chosen one marked. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer(catalogue_choices(event, self.user))

    @operation("PUT", f"{EVENT}catalogues/", takes=CatalogueInput, lists=CatalogueSerializer)
    def catalogues_choose(self, request: Request, event_id: str) -> Response:
        """Choose another catalogue, before the event starts. For organizers and owners.

        Decklists are checked again; those that become legal or illegal have to be accepted (`verdicts_change`).
        """
        event = event_for_staff(self.user, event_id, "manage_event")
        choose_catalogue(event=event, **self.arguments())
        event.refresh_from_db()
        return self.answer(catalogue_choices(event, self.user))

    @operation("GET", f"{EVENT}visibility/", name="visibility", answers=OpenApiTypes.OBJECT)
    def visibility_read(self, request: Request, event_id: str) -> Response:
        """Every cell of the table, such as `decklists.opponent.cut`, with its value. Public."""
        return self.answer(read_visibility(event_for_viewer(self.user, event_id).visibility))

    @operation("PATCH", f"{EVENT}visibility/", request=OpenApiTypes.OBJECT, answers=OpenApiTypes.OBJECT)
    def visibility_choose(self, request: Request, event_id: str) -> Response:
        """Change cells of the table; the others stay. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer(services.choose_visibility(event=event, cells=request.data, **self.arguments()))

    @operation("GET", f"{EVENT}ledger/", name="ledger", query=LedgerQuery, pages=LedgerEntrySerializer)
    def ledger_list(self, request: Request, event_id: str) -> Response:
        """The entries of the ledger, oldest first, filtered by number (`since`) or `code`. For staff."""
        event = event_for_staff(self.user, event_id, "view_staff_pages")
        return self.answer(ledger_shown(event, self.user).filter(**self.read_query()))


class Staff(Resource):
    """The staff of an event."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}staff/", name="staff", lists=StaffSerializer)
    def staff_list(self, request: Request, event_id: str) -> Response:
        """The roles at the event and who holds them. For staff."""
        event = event_for_staff(self.user, event_id, "view_staff_pages")
        return self.answer(staff_of(event))

    @operation("POST", f"{EVENT}staff/", takes=StaffInput, answers=StaffSerializer, status=201, throttle=InviteThrottle)
    def staff_grant(self, request: Request, event_id: str) -> Response:
        """Grant a role to the account with this e-mail address. For owners."""
        event = event_for_staff(self.user, event_id, "invite_staff")
        granted = services.grant_role(event=event, **self.arguments())
        return self.answer(granted)

    @operation("DELETE", f"{EVENT}staff/<slug:account>/<slug:role>/", name="staff_role")
    def staff_revoke(self, request: Request, event_id: str, account: str, role: str) -> Response:
        """Revoke a role; the last owner cannot be removed. For owners."""
        event = event_for_staff(self.user, event_id, "invite_staff")
        held = event.staff_roles.filter(user__public_id=account, role=role).select_related("user").first()
        if held is None:
            raise Http404
        services.revoke_role(role=held, **self.arguments())
        return self.answer()

    @operation(
        "POST",
        f"{EVENT}hand-over/",
        name="hand_over",
        takes=HandOverInput,
        answers=StaffSerializer,
        throttle=InviteThrottle,
    )
    def staff_hand_over(self, request: Request, event_id: str) -> Response:
        """Make another account the owner in your place. For owners."""
        event = event_for_staff(self.user, event_id, "invite_staff")
        return self.answer(services.hand_over(event=event, **self.arguments()))
