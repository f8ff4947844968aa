"""Entrants: registered, checked in, dropped; their decklists."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.guardians import person_for_guardian
from tournaments.accounts.models import ApiToken, Person
from tournaments.accounts.services import own_person
from tournaments.api.endpoint import Endpoint
from tournaments.api.permissions import require_scope
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.decks import DecklistInput, DecklistSerializer
from tournaments.api.serializers.events import (
    DropInput,
    EntrantInput,
    EntrantNameInput,
    EntrantSerializer,
    EntrantsQuery,
    EntryClaimInput,
    MergeEntrantsInput,
    ReasonInput,
    SeatLinkSerializer,
    SeveralInput,
    SeveralSerializer,
)
from tournaments.common.names import found_in
from tournaments.decks.selectors import current_list
from tournaments.decks.services import submit_decklist
from tournaments.events import services
from tournaments.events.access import entrant_for_player, entrant_for_staff, event_for_staff, event_for_viewer, may
from tournaments.events.claims import claim_address, claim_entry, entrant_for_claim
from tournaments.events.models import Entrant, Event
from tournaments.events.renaming import rename_entrant
from tournaments.events.selectors import current_stage, entrants_of, names_of
from tournaments.paper.sheets import seat_address
from tournaments.play import services as play
from tournaments.play.access import decklist_for_viewer

PLAY, JUDGE, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE, ApiToken.Scope.ORGANIZE


def entrant_of_request(request: Request, public_id: str) -> Entrant:
    """One's own entrant (scope `play`), or any as the desk (scope `organize`)."""
    try:
        entrant = entrant_for_player(request.user, public_id)
    except Http404:
        entrant = entrant_for_staff(request.user, public_id, "run_desk")
        require_scope(request, ORGANIZE)
    else:
        require_scope(request, PLAY)
    return entrant


def entrant_answer(entrant: Entrant, status: int = 200, *, staff: bool = False) -> Response:
    """One entrant as it is in the database now, to `staff` with the full name."""
    fresh = entrants_of(entrant.event).get(pk=entrant.pk)
    return Response(EntrantSerializer(fresh, context={"staff": staff}).data, status=status)


class EntrantsView(Endpoint):
    """The entrants of an event."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(
        operation_id="entrants_list",
        parameters=[EntrantsQuery, *PAGING],
        responses=page_of("Entrant", EntrantSerializer),
    )
    def get(self, request: Request, event_id: str) -> Response:
        """The entrants, or those of a `status` or a name, in the order they came."""
        event = event_for_viewer(request.user, event_id)
        staff = may(request.user, event, "view_staff_pages")
        wanted = self.read_query(EntrantsQuery)
        find = wanted.pop("find", "")
        shown = entrants_of(event).filter(**wanted)
        if find:
            names = names_of(shown, full=staff)
            shown = shown.filter(pk__in=[key for key, name in names.items() if found_in(find, name)])
        return self.page(shown, EntrantSerializer, staff=staff)

    @extend_schema(operation_id="entrants_create", request=EntrantInput, responses={201: EntrantSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Register yourself (an empty body), a `person` for whom you act, or, as the desk, somebody by name.

        From the desk this is a late entry once round 1 is paired. A name that is in the event already is refused
        (`name_taken`) unless it is `another` person's.
        """
        names = self.read(EntrantInput)
        if "given_name" not in names:
            event = event_for_viewer(request.user, event_id)
            return entrant_answer(self._register(request, event, names.get("person", "")), 201)
        event = event_for_staff(request.user, event_id, "run_desk")
        require_scope(request, ORGANIZE)
        entrant = play.enter_at_desk(
            event=event,
            given_name=names["given_name"],
            family_name=names.get("family_name", ""),
            another=names["another"],
            by=request.user,
            now=self.now,
        )
        return entrant_answer(entrant, 201)

    def _register(self, request: Request, event: Event, person_id: str) -> Entrant:
        require_scope(request, PLAY)
        return services.register(event=event, person=_who(request, person_id), by=request.user, now=self.now)


def _who(request: Request, person_id: str) -> Person:
    """The person for whom the account acts; oneself where none is named."""
    return person_for_guardian(request.user, person_id) if person_id else own_person(request.user)


class NameView(Endpoint):
    """The name of an entrant."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="entrants_rename", request=EntrantNameInput, responses={200: EntrantSerializer})
    def put(self, request: Request, entrant_id: str) -> Response:
        """Correct the name of somebody without an account: the desk. The ledger says so, without the names."""
        entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
        rename_entrant(entrant=entrant, by=request.user, now=self.now, **self.read(EntrantNameInput))
        return entrant_answer(entrant, staff=True)


class DropView(Endpoint):
    """Out of the rounds to come."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(operation_id="entrants_drop", request=DropInput, responses={200: EntrantSerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Drop: the entrant itself or the desk. Twice is once; `concede` gives the match under way away."""
        entrant = entrant_of_request(request, entrant_id)
        wanted = self.read(DropInput)
        play.drop(entrant=entrant, by=request.user, now=self.now, concede_match=wanted["concede"])
        return entrant_answer(entrant)


class DisqualifyView(Endpoint):
    """Out of the event."""

    scopes = (JUDGE, ORGANIZE)

    @extend_schema(operation_id="entrants_disqualify", request=ReasonInput, responses={200: EntrantSerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Disqualify, with a reason: the head judge, organizers and owners who do not play. Twice is once."""
        entrant = entrant_for_staff(request.user, entrant_id, "disqualify")
        play.disqualify(entrant=entrant, by=request.user, now=self.now, **self.read(ReasonInput))
        return entrant_answer(entrant)


class ReinstateView(Endpoint):
    """Back again."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(operation_id="entrants_reinstate", request=NothingInput, responses={200: EntrantSerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Take a drop back: the entrant itself before a round is paired without it, or the desk.

        Rounds that were paired meanwhile count as missed, where the event lets people in late.
        """
        entrant = entrant_of_request(request, entrant_id)
        self.read(NothingInput)
        play.reinstate(entrant=entrant, by=request.user, now=self.now)
        return entrant_answer(entrant)


class CheckInView(Endpoint):
    """There."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(operation_id="entrants_check_in", request=NothingInput, responses={200: EntrantSerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Note that the entrant is there: the entrant itself or the desk. Twice is once."""
        entrant = entrant_of_request(request, entrant_id)
        self.read(NothingInput)
        services.check_in(entrant=entrant, by=request.user, now=self.now)
        return entrant_answer(entrant)

    @extend_schema(operation_id="entrants_undo_check_in", responses={200: EntrantSerializer})
    def delete(self, request: Request, entrant_id: str) -> Response:
        """Take it back while check-in is open: the entrant itself or the desk. Idempotent."""
        entrant = entrant_of_request(request, entrant_id)
        services.undo_check_in(entrant=entrant, by=request.user, now=self.now)
        return entrant_answer(entrant)


class SeveralView(Endpoint):
    """One gesture for several entrants."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="entrants_several", request=SeveralInput, responses={200: SeveralSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Check in, take check-ins back, drop or reinstate up to 500 entrants: the desk.

        Each is done or refused on its own; `refused` says who was, and why.
        """
        event = event_for_staff(request.user, event_id, "run_desk")
        report = play.for_several(event=event, by=request.user, now=self.now, **self.read(SeveralInput))
        return Response(SeveralSerializer(report).data)


class DecklistView(Endpoint):
    """The list of an entrant that counts."""

    scopes = (PLAY, ORGANIZE)
    account_needed = True

    @extend_schema(operation_id="decklists_read", responses=DecklistSerializer)
    def get(self, request: Request, entrant_id: str) -> Response:
        """The newest version: the entrant itself, staff who read decks and do not play, to whom the event shows it."""
        entrant = Entrant.objects.filter(public_id=entrant_id).select_related("event").first()
        newest = current_list(entrant, current_stage(entrant.event)) if entrant else None
        if newest is None:
            raise Http404
        return Response(DecklistSerializer(decklist_for_viewer(request.user, newest.pk)).data)

    @extend_schema(operation_id="decklists_submit", request=DecklistInput, responses={200: DecklistSerializer})
    def put(self, request: Request, entrant_id: str) -> Response:
        """Submit a version: the entrant itself (scope `play`), or the desk (scope `organize`), from paper.

        An illegal one is kept with all its faults; an unreadable one is refused.
        """
        entrant = entrant_of_request(request, entrant_id)
        decklist = submit_decklist(entrant=entrant, by=request.user, now=self.now, **self.read(DecklistInput))
        return Response(DecklistSerializer(decklist).data)


class ClaimLinkView(Endpoint):
    """The claim link of an entry without an account."""

    account_needed = True

    @extend_schema(operation_id="entrants_claim_link", responses=SeatLinkSerializer)
    def get(self, request: Request, entrant_id: str) -> Response:
        """The address by which an account makes this entry its own, once: the desk."""
        entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
        site = f"{request.scheme}://{request.get_host()}"
        return Response(SeatLinkSerializer({"address": claim_address(entrant, site)}).data)


class ClaimView(Endpoint):
    """An entry typed at the desk, claimed."""

    scopes = (PLAY,)
    account_needed = True

    @extend_schema(operation_id="entrants_claim", request=EntryClaimInput, responses={200: EntrantSerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Make the entry yours, or that of a `person` for whom you act, with the signature of its claim link."""
        wanted = self.read(EntryClaimInput)
        entrant = entrant_for_claim(entrant_id, wanted["signature"])
        person = _who(request, wanted["person"])
        return entrant_answer(claim_entry(entrant=entrant, person=person, by=request.user, now=self.now))


class MergeEntrantsView(Endpoint):
    """Two entries that are one player."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="entrants_merge", request=MergeEntrantsInput, responses={200: EntrantSerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Merge this entrant into another one, which stays: the desk. It cannot be undone."""
        entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
        into = entrant_for_staff(request.user, self.read(MergeEntrantsInput)["into"], "run_desk")
        return entrant_answer(play.merge_entrants(entrant=entrant, into=into, by=request.user, now=self.now))


class SeatLinkView(Endpoint):
    """The seat link of an entrant."""

    account_needed = True

    @extend_schema(operation_id="entrants_seat_link", responses=SeatLinkSerializer)
    def get(self, request: Request, entrant_id: str) -> Response:
        """The address that shows this seat and checks it in, for a QR code: the desk."""
        entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
        site = f"{request.scheme}://{request.get_host()}"
        return Response(SeatLinkSerializer({"address": seat_address(entrant, site)}).data)
