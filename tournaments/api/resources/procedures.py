"""Procedures for staff: the settings of an event, the player meeting, late players, entry fees, and prizes."""

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import ENTRANT, EVENT, MATCH, ROUND
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.procedures import (
    ChairSerializer,
    EntryInput,
    EntrySerializer,
    LatenessInput,
    LateSeatSerializer,
    MeetingInput,
    PrizeDeskSerializer,
    PrizeInput,
)
from tournaments.events.access import entrant_for_staff, event_for_staff, event_for_viewer
from tournaments.events.procedures import read_procedures
from tournaments.events.services import change_procedures
from tournaments.payments.services import note_settled
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff
from tournaments.play.models import Round
from tournaments.play.services.meeting import chairs_of
from tournaments.play.services.tardiness import late_seats
from tournaments.standings.prize_desk import prize_desk
from tournaments.standings.services import tick_prize

ORGANIZE, JUDGE = ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE


class Procedures(Resource):
    """The procedures of an event."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}procedures/", name="procedures", answers=OpenApiTypes.OBJECT)
    def procedures_read(self, request: Request, event_id: str) -> Response:
        """All procedures, section by section. Public."""
        event = event_for_viewer(self.user, event_id)
        return self.answer(read_procedures(event.procedures).to_json())

    @operation("PUT", f"{EVENT}procedures/", request=OpenApiTypes.OBJECT, answers=OpenApiTypes.OBJECT)
    def procedures_change(self, request: Request, event_id: str) -> Response:
        """Replace all procedures; whatever is left out gets its default. For organizers and owners.

        Each section can be changed until it is too late for it.
        """
        event = event_for_staff(self.user, event_id, "manage_event")
        change_procedures(event=event, procedures=request.data, **self.arguments())
        event.refresh_from_db()
        return self.answer(read_procedures(event.procedures).to_json())

    @operation("GET", f"{EVENT}meeting/", name="meeting", pages=ChairSerializer)
    def meeting_read(self, request: Request, event_id: str) -> Response:
        """The seats by name, with who still owes a decklist. For staff."""
        event = event_for_staff(self.user, event_id, "view_staff_pages")
        return self.answer(chairs_of(event))

    @operation("POST", f"{EVENT}meeting/", takes=MeetingInput, lists=ChairSerializer)
    def meeting_hold(self, request: Request, event_id: str) -> Response:
        """End the meeting: entrants with empty seats are dropped, the others are checked in if check-in is open.

        Returns the seats that are left. For the desk.
        """
        event = event_for_staff(self.user, event_id, "run_desk")
        play.hold_meeting(event=event, **self.arguments())
        return self.answer(chairs_of(event))

    @operation("GET", f"{ROUND}late/", name="late_seats", pages=LateSeatSerializer)
    def late_seats_list(self, request: Request, event_id: str, number: int) -> Response:
        """The empty seats of a round, and what is due at each. For the desk and judges."""
        round_ = round_for_staff(self.user, event_id, number, "note_lateness")
        if round_.status == Round.Status.DRAFT:
            raise Http404
        return self.answer(late_seats(round_, self.now))

    @operation(
        "POST",
        f"{MATCH}lateness/",
        name="lateness",
        takes=LatenessInput,
        lists=LateSeatSerializer,
        scopes=(ORGANIZE, JUDGE),
    )
    def matches_lateness(self, request: Request, match_id: str) -> Response:
        """Mark a seat as empty or filled, or confirm a loss that is due.

        For the desk and judges, except for their own matches.
        """
        match = match_for_staff(self.user, match_id, "note_lateness")
        wanted = self.read()
        if wanted["action"] == "match_loss":
            play.confirm_match_loss(match=match, by=self.user, now=self.now)
        else:
            services = {"empty": play.note_empty, "filled": play.note_filled, "game_loss": play.confirm_game_loss}
            services[wanted["action"]](match=match, seat=wanted.get("seat", 0), by=self.user, now=self.now)
        late = [item for item in late_seats(match.round, self.now) if item.empty.seat.match_id == match.pk]
        return self.answer(late)


class EntryFees(Resource):
    """The entry fee of an entrant."""

    scopes = (ORGANIZE,)
    account_needed = True

    @operation("GET", f"{ENTRANT}entry/", name="entry", answers=EntrySerializer)
    def entrants_entry(self, request: Request, entrant_id: str) -> Response:
        """How the entry fee was settled. For the desk."""
        return self.answer(entrant_for_staff(self.user, entrant_id, "run_desk"))

    @operation("PUT", f"{ENTRANT}entry/", takes=EntryInput, answers=EntrySerializer)
    def entrants_settle(self, request: Request, entrant_id: str) -> Response:
        """Record how the entry fee was settled, with the price if there is one, or that it is owed. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        note_settled(entrant=entrant, **self.arguments())
        entrant.refresh_from_db(fields=["settled"])
        return self.answer(entrant)


class Prizes(Resource):
    """The prizes of an event."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}prizes/", name="prizes", answers=PrizeDeskSerializer)
    def prizes_read(self, request: Request, event_id: str) -> Response:
        """The prizes by the newest standings, what remains, and what was handed out. For staff."""
        desk = prize_desk(event_for_staff(self.user, event_id, "view_staff_pages"), self.user)
        return self.answer(desk, desk=desk)

    @operation("PUT", f"{ENTRANT}prize/", name="prize", takes=PrizeInput)
    def prizes_tick(self, request: Request, entrant_id: str) -> Response:
        """Mark the prize as handed out, or undo that. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        tick_prize(entrant=entrant, **self.arguments())
        return self.answer()
