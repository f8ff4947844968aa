"""Rounds: paired, published, closed; their clock."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.play import (
    ByeInput,
    ClockInput,
    ClockSerializer,
    FollowInput,
    HandQuery,
    MatchDetailSerializer,
    MendInput,
    RoundDetailSerializer,
    RoundSerializer,
    SlipInput,
    SwapInput,
    TriedSerializer,
    WaySerializer,
)
from tournaments.api.views.matches import match_answer
from tournaments.api.views.reader import reader_of
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.events.access import event_for_staff, event_for_viewer, may, plays, readers_of
from tournaments.events.models import Entrant
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff, round_for_viewer, shown_rounds
from tournaments.play.clock import face
from tournaments.play.hands import tried
from tournaments.play.models import Clock, Round
from tournaments.play.repairs import ways_to_mend
from tournaments.play.selectors import matches_of, shown_to_staff
from tournaments.play.services.repairs import begun_tables

ORGANIZE = ApiToken.Scope.ORGANIZE

CLOCK_ACTIONS: dict[str, Callable[..., None]] = {
    "start": play.start_clock,
    "pause": play.pause_clock,
    "resume": play.resume_clock,
    "extend": play.extend_round,
}


def round_answer(request: Request, round_: Round, status: int = 200) -> Response:
    """A round with the matches this reader may see, as it is in the database now."""
    fresh = _with_tables(Round.objects.select_related("stage__event")).get(pk=round_.pk)
    matches = shown_to_staff(matches_of(fresh), request.user, fresh)
    context = {"matches": matches, **reader_of(request.user, fresh.stage.event)}
    return Response(RoundDetailSerializer(fresh, context=context).data, status=status)


def _with_tables(rounds: QuerySet[Round]) -> QuerySet[Round]:
    return rounds.annotate(tables=Count("matches", filter=Q(matches__table__isnull=False)))


class RoundsView(Endpoint):
    """The rounds of an event, stage after stage."""

    scopes = (ORGANIZE,)
    computes = True

    @extend_schema(operation_id="rounds_list", responses=RoundSerializer(many=True))
    def get(self, request: Request, event_id: str) -> Response:
        """The rounds shown to you, first one first; a draft for staff alone, and little of it for those who play."""
        event = event_for_viewer(request.user, event_id)
        staff = may(request.user, event, "view_staff_pages")
        shown = shown_rounds(event, readers_of(request.user, event), staff=staff)
        rounds = _with_tables(Round.objects.filter(pk__in=[round_.pk for round_ in shown]).order_by("number"))
        return Response(RoundSerializer(rounds, many=True, context=reader_of(request.user, event)).data)

    @extend_schema(operation_id="rounds_pair", request=NothingInput, responses={201: RoundDetailSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Pair the next round, as a draft: the desk. After one thrown away by who does not play, another seed."""
        stage = current_stage(event_for_staff(request.user, event_id, "run_desk"))
        self.read(NothingInput)
        round_ = play.pair_round(stage=stage, by=request.user, now=self.now)
        return round_answer(request, round_, 201)


class RoundView(Endpoint):
    """One round."""

    @extend_schema(operation_id="rounds_read", responses=RoundDetailSerializer)
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """A round with its matches; a draft for staff alone, without its tables for those who play."""
        return round_answer(request, round_for_viewer(request.user, event_id, number))


class DiscardView(Endpoint):
    """A draft thrown away."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_discard", request=NothingInput, responses={204: None})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Throw draft pairings away: the desk."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        self.read(NothingInput)
        play.discard_draft(round_=round_, by=request.user, now=self.now)
        return Response(status=204)


class PublishView(Endpoint):
    """Pairings shown to all."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_publish", request=NothingInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Publish draft pairings: the desk. `unpublish` takes them back until something is done in the round."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        self.read(NothingInput)
        play.publish_round(round_=round_, by=request.user, now=self.now)
        return round_answer(request, round_)


class CloseView(Endpoint):
    """A round done."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_close", request=NothingInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Close a round of which every result counts: the desk."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        self.read(NothingInput)
        play.close_round(round_=round_, by=request.user, now=self.now)
        return round_answer(request, round_)


class FollowView(Endpoint):
    """The next round, as one gesture."""

    scopes = (ORGANIZE,)
    computes = True

    @extend_schema(operation_id="rounds_next", request=FollowInput, responses={201: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Close this round, pair and publish the next, its clock in some minutes: the desk."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        minutes = self.read(FollowInput)["minutes"]
        made = play.follow_round(round_=round_, minutes=minutes, by=request.user, now=self.now)
        return round_answer(request, made, 201)


class UndoFollowView(Endpoint):
    """The next round taken back."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_undo_next", request=NothingInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Take this round back within a minute of `next`; answers the round before, open again: the desk."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        self.read(NothingInput)
        return round_answer(request, play.undo_follow(round_=round_, by=request.user, now=self.now))


class SlipsView(Endpoint):
    """Match slips of a round."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_slip", request=SlipInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Enter the slip of a table, with who drops: the desk, but for its own matches. The same again is a tick."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        wanted = self.read(SlipInput)
        match = round_.matches.filter(table=wanted.pop("table")).first()
        if match is None:
            raise Http404
        match = match_for_staff(request.user, match.public_id, "run_desk")
        seats = wanted.pop("drops")
        drops = [seat.entrant for seat in match.seats.all() if seat.number in seats]
        play.enter_slip(match=match, by=request.user, now=self.now, drops=drops, **wanted)
        return match_answer(request, match)


class UnpublishView(Endpoint):
    """Pairings taken back."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_unpublish", request=NothingInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Take published pairings back to a draft, while nothing was done at a table: the desk."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        self.read(NothingInput)
        play.unpublish_round(round_=round_, by=request.user, now=self.now)
        return round_answer(request, round_)


class ReopenView(Endpoint):
    """A round not done after all."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_reopen", request=NothingInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Open a closed round again, while nothing follows it: the desk."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        self.read(NothingInput)
        play.reopen_round(round_=round_, by=request.user, now=self.now)
        return round_answer(request, round_)


def entrant_of(round_: Round, public_id: str) -> Entrant:
    """An entrant of the round's event; 404 for anybody else."""
    entrant = Entrant.objects.filter(event=round_.stage.event_id, public_id=public_id).first()
    if entrant is None:
        raise Http404
    return entrant


class HandView(Endpoint):
    """A change by hand, before it is done."""

    @extend_schema(operation_id="rounds_hand", parameters=[HandQuery], responses=TriedSerializer)
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """What a `swap`, a `seat` or a `bye` would change in a draft, and cost: the desk, but for who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        wanted = self.read_query(HandQuery)
        first, second = entrant_of(round_, wanted["first"]), wanted.get("second", "")
        if wanted["gesture"] == "bye":
            change = partial(play.give_bye, entrant=first)
        else:
            gesture = play.swap_players if wanted["gesture"] == "swap" else play.seat_together
            change = partial(gesture, first=first, second=entrant_of(round_, second))
        found = tried(round_, partial(change, round_=round_, by=request.user, now=self.now))
        return Response(TriedSerializer(found).data)


class UndoHandView(Endpoint):
    """The last change by hand."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_undo_hand", request=NothingInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Take the last change by hand of a draft back, and its proof with it: the desk, but for who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        self.read(NothingInput)
        play.undo_hand(round_=round_, by=request.user, now=self.now)
        return round_answer(request, round_)


class SwapView(Endpoint):
    """Two players of a draft."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_swap", request=SwapInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Let two entrants of a draft change places: the desk, but for who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        pair = {name: entrant_of(round_, public_id) for name, public_id in self.read(SwapInput).items()}
        play.swap_players(round_=round_, by=request.user, now=self.now, **pair)
        return round_answer(request, round_)


class SeatView(Endpoint):
    """Two players of a draft at one table."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_seat", request=SwapInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Let two entrants of a draft meet: the desk, but for who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        pair = {name: entrant_of(round_, public_id) for name, public_id in self.read(SwapInput).items()}
        play.seat_together(round_=round_, by=request.user, now=self.now, **pair)
        return round_answer(request, round_)


class ByeView(Endpoint):
    """The bye of a draft."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_bye", request=ByeInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Give an entrant of a draft the bye: the desk, but for who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        entrant = entrant_of(round_, self.read(ByeInput)["entrant"])
        play.give_bye(round_=round_, entrant=entrant, by=request.user, now=self.now)
        return round_answer(request, round_)


class MendView(Endpoint):
    """A mistake in the pairings."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="rounds_ways", responses=WaySerializer(many=True))
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """The ways to mend a Swiss round by what the event knows now, fewest tables first: the desk, but who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        if plays(request.user, round_.stage.event):
            raise NotAllowed("staff_who_play", _("Staff who play do not change pairings by hand."))
        context = {"begun": begun_tables(round_)}
        return Response(WaySerializer(ways_to_mend(round_), many=True, context=context).data)

    @extend_schema(operation_id="rounds_mend", request=MendInput, responses={200: RoundDetailSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Mend the round in one of these ways: the desk, but for who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        play.mend_round(round_=round_, by=request.user, now=self.now, **self.read(MendInput))
        return round_answer(request, round_)


class ClockView(Endpoint):
    """The time of a round."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="clock_read", responses=ClockSerializer)
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """The clock of a published round."""
        clock = (
            Clock.objects.select_related("round").filter(round=round_for_viewer(request.user, event_id, number)).first()
        )
        if clock is None:
            raise Http404
        return Response(ClockSerializer(_shown(clock, self.now)).data)

    @extend_schema(operation_id="clock_change", request=ClockInput, responses={200: ClockSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Start, pause, resume or extend the clock: the desk."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        wanted = self.read(ClockInput)
        if not Clock.objects.filter(round=round_).exists():
            raise Refusal("clock_state", _("A draft has no clock yet."))
        options = {"minutes": wanted["minutes"]} if wanted["action"] == "extend" else {}
        CLOCK_ACTIONS[wanted["action"]](round_=round_, by=request.user, now=self.now, **options)
        return Response(ClockSerializer(_shown(Clock.objects.select_related("round").get(round=round_), self.now)).data)


def _shown(clock: Clock, now: datetime) -> dict[str, Any]:
    shown = face(clock, now)
    return {
        "state": shown.state,
        "seconds": clock.seconds,
        "seconds_left": shown.seconds_left,
        "starts_at": shown.starts_at,
        "ends_at": shown.ends_at,
        "server_now": now,
    }
