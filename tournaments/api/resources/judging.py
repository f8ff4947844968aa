"""The judges' work: calls by players, turns after time, penalties, deck checks, and reopened decklists."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import ENTRANT, EVENT, MATCH, ROUND
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.decks import DecklistQuery
from tournaments.api.serializers.judging import (
    CallInput,
    CallSerializer,
    CallsQuery,
    CallStepInput,
    ClubPenaltySerializer,
    CountInput,
    DeckCheckSerializer,
    HistorySerializer,
    InfractionSerializer,
    OpenChecksInput,
    PenaltiesQuery,
    PenaltyInput,
    PenaltySerializer,
    ReopenInput,
    TurnInput,
)
from tournaments.api.throttles import ReportThrottle
from tournaments.decks.services import close_list
from tournaments.events.access import entrant_for_staff, event_for_staff
from tournaments.events.models import Entrant, Member
from tournaments.events.teams import member_named
from tournaments.judging import checks, services
from tournaments.judging.access import (
    call_for_judge,
    call_for_player,
    check_for_judge,
    entrant_for_head_judge,
    penalties_for_reader,
    penalty_for_judge,
    round_for_checks,
)
from tournaments.judging.infractions import infractions
from tournaments.judging.penalties import give_penalty, reopen_with_penalty, withdraw_penalty
from tournaments.judging.selectors import (
    calls_of,
    live_calls,
    penalties_of,
    penalties_of_entrant,
    penalties_shared_with,
    proposals,
)
from tournaments.play.access import match_for_judge, match_for_player, match_for_staff, match_for_viewer, seat_of

PLAY, JUDGE, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE, ApiToken.Scope.ORGANIZE


class Calls(Resource):
    """The judge calls of an event."""

    scopes = (PLAY,)
    account_needed = True

    @operation("GET", f"{EVENT}calls/", name="calls", query=CallsQuery, pages=CallSerializer)
    def calls_list(self, request: Request, event_id: str) -> Response:
        """The calls that are waiting or being answered, oldest first. For judges."""
        event = event_for_staff(self.user, event_id, "judge")
        return self.answer(live_calls(event).filter(**self.read_query()))

    @operation("GET", f"{MATCH}calls/", name="match_calls", lists=CallSerializer)
    def matches_calls(self, request: Request, match_id: str) -> Response:
        """All calls of a match, oldest first. For its players, and judges who do not play it."""
        match = match_for_viewer(self.user, match_id)
        if seat_of(self.user, match) is None:
            match_for_judge(self.user, match_id)
        return self.answer(calls_of([match]))

    @operation("POST", f"{MATCH}calls/", takes=CallInput, answers=CallSerializer, throttle=ReportThrottle)
    def matches_call(self, request: Request, match_id: str) -> Response:
        """Call a judge to your table. If the table already has an open call, that one is returned. For its players."""
        match = match_for_player(self.user, match_id)
        call = services.call_judge(match=match, **self.arguments())
        return self.answer(call)

    @operation(
        "POST", "calls/<slug:call_id>/", name="call", takes=CallStepInput, answers=CallSerializer, scopes=(JUDGE, PLAY)
    )
    def calls_step(self, request: Request, call_id: str) -> Response:
        """Claim the call, arrive at its table, release it to another judge, escalate it to the head judge, or end it.

        For judges, except for their own matches.
        """
        call = call_for_judge(self.user, call_id)
        wanted = self.read()
        if wanted["action"] == "resolve":
            services.resolve_call(call=call, by=self.user, minutes=wanted["minutes"], now=self.now)
        else:
            steps = {
                "claim": services.claim_call,
                "arrive": services.arrive_at_call,
                "release": services.release_call,
                "escalate": services.escalate_call,
            }
            steps[wanted["action"]](call=call, by=self.user, now=self.now)
        return self.answer(call)

    @operation("DELETE", "calls/<slug:call_id>/", scopes=(JUDGE, PLAY))
    def calls_withdraw(self, request: Request, call_id: str) -> Response:
        """Withdraw the call while no judge is on the way. For the players of the table."""
        call = call_for_player(self.user, call_id)
        services.withdraw_call(call=call, **self.arguments())
        return self.answer()

    @operation("POST", f"{MATCH}turn/", name="turn", takes=TurnInput, scopes=(JUDGE, ORGANIZE))
    def matches_turn(self, request: Request, match_id: str) -> Response:
        """Record which extra turn a table is playing after time.

        For judges and the desk, except for their own matches.
        """
        match = match_for_staff(self.user, match_id, "extend_time")
        services.note_turn(match=match, **self.arguments())
        return self.answer()


class Penalties(Resource):
    """The infractions and their ladders."""

    scopes = (JUDGE,)

    @operation("GET", "infractions/", name="infractions", lists=InfractionSerializer)
    def infractions_list(self, request: Request) -> Response:
        """Every infraction by category, with the levels that its ladder proposes. Public."""
        rows = [
            {"category": category, "infraction": name, "ladder": ladder} for category, name, ladder in infractions()
        ]
        return self.answer(rows)

    @operation(
        "GET",
        f"{EVENT}penalties/",
        name="penalties",
        query=PenaltiesQuery,
        pages=PenaltySerializer,
        account_needed=True,
    )
    def penalties_list(self, request: Request, event_id: str) -> Response:
        """The penalties of an event, newest first. For judges."""
        event = event_for_staff(self.user, event_id, "judge")
        return self.answer(penalties_of(event).filter(**self.read_query()))

    @operation("GET", f"{ENTRANT}penalties/", name="entrant_penalties", answers=HistorySerializer, account_needed=True)
    def entrants_penalties(self, request: Request, entrant_id: str) -> Response:
        """The entrant's penalties at the event, in order, and the levels now proposed. For the entrant, and judges."""
        entrant = penalties_for_reader(self.user, entrant_id)
        shown = {"penalties": penalties_of_entrant(entrant), "proposals": proposals(entrant)}
        return self.answer(shown)

    @operation(
        "GET",
        f"{ENTRANT}club-penalties/",
        name="club_penalties",
        lists=ClubPenaltySerializer,
        account_needed=True,
    )
    def entrants_club_penalties(self, request: Request, entrant_id: str) -> Response:
        """What the player was given at other events of the club, newest first, as long as the club shows it.

        For head judges of the event.
        """
        return self.answer(penalties_shared_with(entrant_for_head_judge(self.user, entrant_id), self.now))

    @operation("POST", f"{ENTRANT}penalties/", takes=PenaltyInput, answers=PenaltySerializer, status=201)
    def entrants_penalize(self, request: Request, entrant_id: str) -> Response:
        """Give a penalty. For judges, but not for themselves or at their own table.

        A disqualification needs the role to disqualify as well: head judge, organizer or owner. 409 `penalty_twice` if
        the player was given a penalty for the same infraction in the last minute, unless `again` is true.
        """
        entrant = entrant_for_staff(self.user, entrant_id, "judge")
        penalty = give_penalty(entrant=entrant, **self.arguments())
        return self.answer(penalty)

    @operation("POST", "penalties/<slug:penalty_id>/withdraw/", name="penalty_withdraw", takes=NothingInput)
    def penalties_withdraw(self, request: Request, penalty_id: str) -> Response:
        """Withdraw a penalty and what it cost. For the judge who gave it, or a head judge."""
        penalty = penalty_for_judge(self.user, penalty_id)
        withdraw_penalty(penalty=penalty, **self.arguments())
        return self.answer()

    @operation(
        "POST", f"{ENTRANT}reopen-list/", name="reopen_list", takes=ReopenInput, answers=PenaltySerializer, status=201
    )
    def entrants_reopen_list(self, request: Request, entrant_id: str) -> Response:
        """Reopen a decklist after the lock, for one more version, with a reason and a penalty. For head judges."""
        entrant = entrant_for_staff(self.user, entrant_id, "reopen_list")
        wanted = self.arguments()
        penalty = reopen_with_penalty(entrant=entrant, **{**wanted, "member": _member(entrant, wanted["member"])})
        return self.answer(penalty)

    @operation("DELETE", f"{ENTRANT}reopen-list/", query=DecklistQuery)
    def entrants_close_list(self, request: Request, entrant_id: str) -> Response:
        """Close the decklist again without a new version. For head judges."""
        entrant = entrant_for_staff(self.user, entrant_id, "reopen_list")
        close_list(entrant=entrant, member=_member(entrant, self.read_query()["member"]), by=self.user, now=self.now)
        return self.answer()


def _member(entrant: Entrant, person_id: str) -> Member | None:
    """The member of a team that a request names; None if it names nobody."""
    return member_named(entrant, person_id) if person_id else None


class DeckChecks(Resource):
    """The deck checks of a round."""

    scopes = (JUDGE,)
    account_needed = True

    @operation("GET", f"{ROUND}deck-checks/", name="deck_checks", pages=DeckCheckSerializer)
    def deck_checks_list(self, request: Request, event_id: str, number: int) -> Response:
        """The deck checks of a round, by table. For judges who do not play the event."""
        round_ = round_for_checks(self.user, event_id, number)
        return self.answer(checks.checks_of(round_))

    @operation("POST", f"{ROUND}deck-checks/", takes=OpenChecksInput, lists=DeckCheckSerializer, status=201)
    def deck_checks_open(self, request: Request, event_id: str, number: int) -> Response:
        """Pick tables at random, from a recorded seed, or take a given one. For judges who do not play the event."""
        round_ = round_for_checks(self.user, event_id, number)
        wanted = self.read()
        if "tables" in wanted:
            made = checks.draw_checks(round_=round_, tables=wanted["tables"], by=self.user, now=self.now)
        else:
            match = round_.matches.filter(table=wanted["table"]).first()
            if match is None:
                raise Http404
            match.round = round_
            made = checks.check_table(match=match, board=wanted.get("board"), by=self.user, now=self.now)
        return self.answer(made)

    @operation("GET", "deck-checks/<slug:check_id>/", name="deck_check", answers=DeckCheckSerializer)
    def deck_checks_read(self, request: Request, check_id: str) -> Response:
        """The cards on the decklist, and the differences that were counted. For judges who do not play the event."""
        return self.answer(check_for_judge(self.user, check_id))

    @operation("POST", "deck-checks/<slug:check_id>/", takes=CountInput, answers=DeckCheckSerializer)
    def deck_checks_finish(self, request: Request, check_id: str) -> Response:
        """Save what was counted, and extend the table's time. For judges who do not play the event."""
        check = check_for_judge(self.user, check_id)
        done = checks.finish_check(check=check, **self.arguments())
        return self.answer(done)
