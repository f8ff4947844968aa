"""Rounds: pairing, manual changes and repairs, publishing, slips, closing, and the clock."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT, ROUND
from tournaments.api.pagination import part_asked
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.matches import match_answer
from tournaments.api.resources.reader import reader_of
from tournaments.api.schema import PART
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.play import (
    ByeInput,
    ClockInput,
    ClockSerializer,
    FollowInput,
    HandQuery,
    MatchDetailSerializer,
    MendInput,
    PairInput,
    RoundDetailSerializer,
    RoundSerializer,
    SlipInput,
    SwapInput,
    TriedSerializer,
    WaySerializer,
)
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.events.access import event_for_staff, event_for_viewer, may, plays, readers_of
from tournaments.events.models import Entrant
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff, round_for_viewer, shown_rounds
from tournaments.play.manual_edits import preview
from tournaments.play.models import Clock, Round
from tournaments.play.selectors import matches_of, shown_to_staff
from tournaments.play.services.clock import face
from tournaments.play.services.repairs import begun_tables, repairs_of

ORGANIZE = ApiToken.Scope.ORGANIZE

WHOLE = slice(None)
CLOCK_ACTIONS: dict[str, Callable[..., None]] = {
    "start": play.start_clock,
    "cancel": play.cancel_clock_start,
    "pause": play.pause_clock,
    "resume": play.resume_clock,
    "extend": play.extend_round,
}


def round_answer(view: Resource, round_: Round, part: slice = WHOLE) -> Response:
    """Return a round as it is in the database now, with the matches that the reader may see, or a `part` of them."""
    user = view.user
    fresh = _with_tables(Round.objects.select_related("stage__event")).get(pk=round_.pk)
    matches = shown_to_staff(matches_of(fresh), user, fresh)
    context = reader_of(user, fresh.stage.event)
    return view.answer(fresh, matches=matches[part], count=matches.count(), **context)


def _with_tables(rounds: QuerySet[Round]) -> QuerySet[Round]:
    return rounds.annotate(tables=Count("matches", filter=Q(matches__table__isnull=False)))


class Rounds(Resource):
    """The rounds of an event, through all stages."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}rounds/", name="rounds", lists=RoundSerializer)
    def rounds_list(self, request: Request, event_id: str) -> Response:
        """The rounds you may see, in order. A draft is for staff, and reduced for those who play the event."""
        event = event_for_viewer(self.user, event_id)
        staff = may(self.user, event, "view_staff_pages")
        shown = shown_rounds(event, readers_of(self.user, event), staff=staff)
        rounds = _with_tables(Round.objects.filter(pk__in=[round_.pk for round_ in shown]).order_by("number"))
        return self.answer(rounds, **reader_of(self.user, event))

    @operation("POST", f"{EVENT}rounds/", takes=PairInput, answers=RoundDetailSerializer, status=201, computes=True)
    def rounds_pair(self, request: Request, event_id: str) -> Response:
        """Pair the next round, as a draft. For the desk.

        If a draft was discarded by somebody who does not play, the new one gets another seed. A round in which nobody
        meets is refused (`nobody_meets`) until it is sent with `acknowledged`.
        """
        stage = current_stage(event_for_staff(self.user, event_id, "run_desk"))
        round_ = play.pair_round(stage=stage, **self.arguments())
        return round_answer(self, round_)

    @operation("GET", ROUND, name="round", parameters=PART, answers=RoundDetailSerializer, conditional=True)
    def rounds_read(self, request: Request, event_id: str, number: int) -> Response:
        """A round with its matches, or a part of them. A draft is for staff; those who play do not get its tables."""
        round_ = round_for_viewer(self.user, event_id, number)
        return round_answer(self, round_, part=part_asked(request))

    @operation("POST", f"{ROUND}discard/", name="discard", takes=NothingInput)
    def rounds_discard(self, request: Request, event_id: str, number: int) -> Response:
        """Discard a draft. For the desk."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        play.discard_draft(round_=round_, **self.arguments())
        return self.answer()

    @operation("POST", f"{ROUND}publish/", name="publish", takes=NothingInput, answers=RoundDetailSerializer)
    def rounds_publish(self, request: Request, event_id: str, number: int) -> Response:
        """Publish a draft. For the desk. `unpublish` undoes this until something happens in the round."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        play.publish_round(round_=round_, **self.arguments())
        return round_answer(self, round_)

    @operation("POST", f"{ROUND}close/", name="close", takes=NothingInput, answers=RoundDetailSerializer)
    def rounds_close(self, request: Request, event_id: str, number: int) -> Response:
        """Close a round once every result counts. For the desk."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        play.close_round(round_=round_, **self.arguments())
        return round_answer(self, round_)

    @operation(
        "POST",
        f"{ROUND}next/",
        name="next",
        takes=FollowInput,
        answers=RoundDetailSerializer,
        status=201,
        computes=True,
    )
    def rounds_next(self, request: Request, event_id: str, number: int) -> Response:
        """Close this round, pair and publish the next, and schedule its clock. For the desk.

        Returns the new round. If a step is refused, nothing changes.
        """
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        made = play.follow_round(round_=round_, **self.arguments())
        return round_answer(self, made)

    @operation("POST", f"{ROUND}undo-next/", name="undo_next", takes=NothingInput, answers=RoundDetailSerializer)
    def rounds_undo_next(self, request: Request, event_id: str, number: int) -> Response:
        """Take this round back within 60 seconds of `next`. Returns the previous round, open again. For the desk."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        return round_answer(self, play.undo_follow(round_=round_, **self.arguments()))

    @operation("POST", f"{ROUND}slips/", name="slips", takes=SlipInput, answers=MatchDetailSerializer)
    def rounds_slip(self, request: Request, event_id: str, number: int) -> Response:
        """Enter the slip of a table, with the seats that drop. For the desk, except for their own matches.

        The same slip again changes nothing.
        """
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        wanted = self.read()
        match = round_.matches.filter(table=wanted.pop("table")).first()
        if match is None:
            raise Http404
        match = match_for_staff(self.user, match.public_id, "run_desk")
        seats = wanted.pop("drops")
        drops = [seat.entrant for seat in match.seats.all() if seat.number in seats]
        play.enter_result(match=match, by=self.user, now=self.now, drops=drops, **wanted)
        return match_answer(self, match)

    @operation("POST", f"{ROUND}unpublish/", name="unpublish", takes=NothingInput, answers=RoundDetailSerializer)
    def rounds_unpublish(self, request: Request, event_id: str, number: int) -> Response:
        """Turn a published round back into a draft, as long as nothing has happened in it. For the desk."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        play.unpublish_round(round_=round_, **self.arguments())
        return round_answer(self, round_)

    @operation("POST", f"{ROUND}reopen/", name="reopen", takes=NothingInput, answers=RoundDetailSerializer)
    def rounds_reopen(self, request: Request, event_id: str, number: int) -> Response:
        """Reopen a closed round, as long as nothing follows it. For the desk."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        play.reopen_round(round_=round_, **self.arguments())
        return round_answer(self, round_)

    @operation("GET", f"{ROUND}hand/", name="hand", query=HandQuery, answers=TriedSerializer)
    def rounds_hand(self, request: Request, event_id: str, number: int) -> Response:
        """Preview a `swap`, a `seat` or a `bye`: changes and cost. For the desk, except those who play."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        wanted = self.read_query()
        first, second = entrant_of(round_, wanted["first"]), wanted.get("second", "")
        if wanted["action"] == "bye":
            change = partial(play.give_bye, entrant=first)
        else:
            action = play.swap_players if wanted["action"] == "swap" else play.seat_together
            change = partial(action, first=first, second=entrant_of(round_, second))
        found = preview(round_, partial(change, round_=round_, **self.arguments()))
        return self.answer(found)

    @operation("POST", f"{ROUND}hand/undo/", name="undo_hand", takes=NothingInput, answers=RoundDetailSerializer)
    def rounds_undo_hand(self, request: Request, event_id: str, number: int) -> Response:
        """Undo the last manual change to a draft, and restore its proof. For the desk, except those who play."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        play.undo_edit(round_=round_, **self.arguments())
        return round_answer(self, round_)

    @operation("POST", f"{ROUND}swap/", name="swap", takes=SwapInput, answers=RoundDetailSerializer)
    def rounds_swap(self, request: Request, event_id: str, number: int) -> Response:
        """Let two entrants of a draft swap seats, or of a published round before its clock starts.

        For the desk, except those who play.
        """
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        pair = {name: entrant_of(round_, public_id) for name, public_id in self.read().items()}
        play.swap_players(round_=round_, by=self.user, now=self.now, **pair)
        return round_answer(self, round_)

    @operation("POST", f"{ROUND}seat/", name="seat", takes=SwapInput, answers=RoundDetailSerializer)
    def rounds_seat(self, request: Request, event_id: str, number: int) -> Response:
        """Pair two entrants of a draft with each other. For the desk, except those who play."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        pair = {name: entrant_of(round_, public_id) for name, public_id in self.read().items()}
        play.seat_together(round_=round_, by=self.user, now=self.now, **pair)
        return round_answer(self, round_)

    @operation("POST", f"{ROUND}bye/", name="bye", takes=ByeInput, answers=RoundDetailSerializer)
    def rounds_bye(self, request: Request, event_id: str, number: int) -> Response:
        """Give the bye of a draft to an entrant. For the desk, except those who play."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        entrant = entrant_of(round_, self.read()["entrant"])
        play.give_bye(round_=round_, entrant=entrant, by=self.user, now=self.now)
        return round_answer(self, round_)

    @operation("GET", f"{ROUND}mend/", name="mend", lists=WaySerializer)
    def rounds_ways(self, request: Request, event_id: str, number: int) -> Response:
        """The ways to repair a Swiss round, based on what the event knows now. For the desk, except those who play.

        Those that disturb the fewest tables come first.
        """
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        # As the service that applies them: staff who play must not choose between pairings that include their own.
        if plays(self.user, round_.stage.event):
            raise NotAllowed("staff_who_play", _("Staff who play cannot change pairings by hand."))
        return self.answer(repairs_of(round_), begun=begun_tables(round_))

    @operation("POST", f"{ROUND}mend/", takes=MendInput, answers=RoundDetailSerializer)
    def rounds_mend(self, request: Request, event_id: str, number: int) -> Response:
        """Apply one of the ways to repair a round. For the desk, except those who play."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        play.repair_round(round_=round_, **self.arguments())
        return round_answer(self, round_)

    @operation("GET", f"{ROUND}clock/", name="clock", answers=ClockSerializer)
    def clock_read(self, request: Request, event_id: str, number: int) -> Response:
        """The clock of a published round. For anybody who may see its pairings."""
        clock = (
            Clock.objects.select_related("round").filter(round=round_for_viewer(self.user, event_id, number)).first()
        )
        if clock is None:
            raise Http404
        return self.answer(clock_shown(clock, self.now))

    @operation("POST", f"{ROUND}clock/", takes=ClockInput, answers=ClockSerializer)
    def clock_change(self, request: Request, event_id: str, number: int) -> Response:
        """Start, pause, resume or extend the clock, or cancel its planned start. For the desk."""
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        wanted = self.read()
        if not Clock.objects.filter(round=round_).exists():
            raise Refusal("clock_state", _("A draft has no clock yet."))
        options = {"minutes": wanted["minutes"]} if wanted["action"] == "extend" else {}
        CLOCK_ACTIONS[wanted["action"]](round_=round_, by=self.user, now=self.now, **options)
        return self.answer(clock_shown(Clock.objects.select_related("round").get(round=round_), self.now))


def entrant_of(round_: Round, public_id: str) -> Entrant:
    """Return an entrant of the round's event, or raise a 404."""
    entrant = Entrant.objects.filter(event=round_.stage.event_id, public_id=public_id).first()
    if entrant is None:
        raise Http404
    return entrant


def clock_shown(clock: Clock, now: datetime) -> dict[str, Any]:
    """Return the values of a clock for its serializer."""
    shown = face(clock, now)
    return {
        "state": shown.state,
        "seconds": clock.seconds,
        "seconds_left": shown.seconds_left,
        "starts_at": shown.starts_at,
        "ends_at": shown.ends_at,
        "server_now": now,
    }
