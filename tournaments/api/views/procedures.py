"""What the staff do by rule: the procedures of an event, the player meeting, late players, prizes, entry."""

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.procedures import (
    ChairSerializer,
    EntryInput,
    EntrySerializer,
    LatenessInput,
    LateSeatSerializer,
    MeetingInput,
    PrizeInput,
    PrizeSheetSerializer,
)
from tournaments.events.access import entrant_for_staff, event_for_staff, event_for_viewer
from tournaments.events.procedures import read_procedures
from tournaments.events.services import change_procedures, settle_entry
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff
from tournaments.play.meeting import chairs_of
from tournaments.play.models import Round
from tournaments.play.tardiness import late_seats
from tournaments.standings.models import PrizeTick
from tournaments.standings.selectors import prizes_of
from tournaments.standings.services import tick_prize

ORGANIZE, JUDGE = ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE


class ProceduresView(Endpoint):
    """The procedures of an event."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="procedures_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, event_id: str) -> Response:
        """All of them, section by section."""
        event = event_for_viewer(request.user, event_id)
        return Response(read_procedures(event.procedures).to_json())

    @extend_schema(operation_id="procedures_change", request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request, event_id: str) -> Response:
        """Set them, each section until it is too late; what is absent is the default: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        change_procedures(event=event, procedures=request.data, by=request.user, now=self.now)
        event.refresh_from_db()
        return Response(read_procedures(event.procedures).to_json())


class MeetingView(Endpoint):
    """Round 0."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="meeting_read", parameters=PAGING, responses=page_of("Chair", ChairSerializer))
    def get(self, request: Request, event_id: str) -> Response:
        """The chairs by name, with who owes a deck: staff."""
        event = event_for_staff(request.user, event_id, "view_staff_pages")
        return self.page(chairs_of(event), ChairSerializer)

    @extend_schema(operation_id="meeting_hold", request=MeetingInput, responses={200: ChairSerializer(many=True)})
    def post(self, request: Request, event_id: str) -> Response:
        """End the meeting: empty chairs are dropped, who sits is checked in. The chairs that are left: the desk."""
        event = event_for_staff(request.user, event_id, "run_desk")
        play.hold_meeting(event=event, by=request.user, now=self.now, **self.read(MeetingInput))
        return Response(ChairSerializer(chairs_of(event), many=True).data)


class LateSeatsView(Endpoint):
    """The empty seats of a round."""

    scopes = (ORGANIZE, JUDGE)

    @extend_schema(operation_id="late_seats_list", parameters=PAGING, responses=page_of("LateSeat", LateSeatSerializer))
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """What is due at each: the desk and judges."""
        round_ = round_for_staff(request.user, event_id, number, "note_lateness")
        if round_.status == Round.Status.DRAFT:
            raise Http404
        return self.page(late_seats(round_, self.now), LateSeatSerializer)


class LatenessView(Endpoint):
    """An empty seat."""

    scopes = (ORGANIZE, JUDGE)

    @extend_schema(
        operation_id="matches_lateness", request=LatenessInput, responses={200: LateSeatSerializer(many=True)}
    )
    def post(self, request: Request, match_id: str) -> Response:
        """Note a seat as empty or filled, confirm a loss that is due: desk and judges, but for their own matches."""
        match = match_for_staff(request.user, match_id, "note_lateness")
        wanted = self.read(LatenessInput)
        if wanted["action"] == "match_loss":
            play.confirm_match_loss(match=match, by=request.user, now=self.now)
        else:
            services = {"empty": play.note_empty, "filled": play.note_filled, "game_loss": play.confirm_game_loss}
            services[wanted["action"]](match=match, seat=wanted.get("seat", 0), by=request.user, now=self.now)
        late = [item for item in late_seats(match.round, self.now) if item.empty.seat.match_id == match.pk]
        return Response(LateSeatSerializer(late, many=True).data)


class EntryView(Endpoint):
    """The entry of an entrant, settled at the desk."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="entrants_entry", responses=EntrySerializer)
    def get(self, request: Request, entrant_id: str) -> Response:
        """How it was settled: the desk."""
        return Response(EntrySerializer(entrant_for_staff(request.user, entrant_id, "run_desk")).data)

    @extend_schema(operation_id="entrants_settle", request=EntryInput, responses=EntrySerializer)
    def put(self, request: Request, entrant_id: str) -> Response:
        """Note how it was settled, or that it is owed again: the desk. Nothing is paid here."""
        entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
        settle_entry(entrant=entrant, by=request.user, now=self.now, **self.read(EntryInput))
        return Response(EntrySerializer(entrant).data)


class PrizesView(Endpoint):
    """The sheet of prizes."""

    @extend_schema(operation_id="prizes_read", responses=PrizeSheetSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """Who gets how many units by the newest standings, what is left, what was handed out: staff."""
        event = event_for_staff(request.user, event_id, "view_staff_pages")
        ticks = PrizeTick.objects.filter(entrant__event=event)
        handed = dict(ticks.values_list("entrant__public_id", "units"))
        return Response(PrizeSheetSerializer(prizes_of(event), context={"handed": handed}).data)


class PrizeView(Endpoint):
    """The prize of one entrant."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="prizes_tick", request=PrizeInput, responses={204: None})
    def put(self, request: Request, entrant_id: str) -> Response:
        """Tick it as handed out, or take the tick back: the desk."""
        entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
        tick_prize(entrant=entrant, by=request.user, now=self.now, **self.read(PrizeInput))
        return Response(status=204)
