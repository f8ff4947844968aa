"""The judges' page with calls and disputes, and the page of a match on which a judge rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.audits import disputes
from tournaments.audits.axes import axes_of
from tournaments.audits.models import Dispute as LiveDispute
from tournaments.audits.selectors import (
    Contest,
    Saying,
    branches_of,
    contests_of,
    disputed_matches,
    logs_shown,
    recent_logs,
    statements_of,
)
from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, own_entrants, plays, roles_of
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.judging.checks import lists_at
from tournaments.judging.selectors import penalties_at
from tournaments.play.access import match_for_judge
from tournaments.play.boards import boards_of
from tournaments.play.models import Game, Match, Report, Round, Seat
from tournaments.play.selectors import newest_report_id, newest_shown_round
from tournaments.web.forms.refusals import ToConfirm, refusals_on, refused_beside, status_of
from tournaments.web.pages.audits.branches import branch_line
from tournaments.web.pages.audits.keeping import position_lines
from tournaments.web.pages.audits.logs import LogLine, log_lines
from tournaments.web.pages.disputes.forms import DecisionForm
from tournaments.web.pages.disputes.rulings import decision_words, dispute_lines
from tournaments.web.pages.entrants.entrants import lines_of
from tournaments.web.pages.events.dashboard import actions_of, can_reopen
from tournaments.web.pages.judging.call_lines import call_history, call_lines
from tournaments.web.pages.judging.penalty_lines import losses_here, penalty_lines
from tournaments.web.pages.results.corrections import to_repair
from tournaments.web.pages.results.desk import (
    claim_words,
    effect_words,
    initial_of,
    names_at,
    result_words,
    score_of,
    table_row,
)
from tournaments.web.pages.rounds.forms import MinutesForm
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.labels import labelled
from tournaments.web.words.results import AUTHORITIES, EVIDENCE_SHORT, KINDS, REPORT_STATES, score_words

# The states of reports that players gave and that disagree: before a judge is called, and afterwards.
DIFFERENT = (Report.Status.STANDING, Report.Status.COUNTER, Report.Status.CONTESTED)


@dataclass(frozen=True)
class Dispute:
    """A match in the queue of disputes: how long it has waited (in minutes), and what each player claims."""

    match: Match
    names: tuple[str, ...]
    minutes: int | None
    claims: list[str]
    logs: list[LogLine]
    own: bool
    appealed: bool


@dataclass(frozen=True)
class GameLine:
    """A game of a match, with its logs."""

    game: Game
    evidence: object
    logs: list[LogLine]

    @property
    def pairs(self) -> list[tuple[LogLine, LogLine]]:
        """Every pair of its logs, in the order in which they were submitted."""
        return list(combinations(self.logs, 2))


@login_required
def judge(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The judges' page: the calls, the disputes (longest waiting first), and the newest logs."""
    event = event_for_staff(request.user, event_id, "judge")
    mine, at = own_entrants(request.user, event), now()
    context = {
        "event": event,
        # For the link to the deck checks, which are not for judges who play.
        "round": None if mine else newest_shown_round(event),
        "calls": call_lines(event, request.user, mine, at),
        "queue": _queue(event, mine, at),
        "logs": log_lines(recent_logs(event, without=next(iter(mine), None))),
        "head": StaffRole.Role.HEAD_JUDGE in roles_of(request.user, event),
        "may": actions_of(request.user, event),
        "reads_logs": not mine,
    }
    return render(request, "web/judge/queue.html", context)


def _queue(event: Event, mine: Sequence[Entrant], at: datetime) -> list[Dispute]:
    matches: list[Any] = list(disputed_matches(event))
    contests = contests_of(event, matches)
    statements = statements_of(event, [live for match in matches for live in match.live_disputes])
    by_dispute: dict[str, list[Saying]] = {}
    for (dispute, _number), saying in statements.items():
        by_dispute.setdefault(dispute, []).append(saying)
    queue = [_dispute(match, contests.get(match.public_id), by_dispute, mine, at) for match in matches]
    return sorted(queue, key=lambda dispute: -(dispute.minutes or 0))


def _statement_words(live: LiveDispute, sayings: Iterable[Saying], seats: Sequence[Seat]) -> list[str]:
    """What the players claim in a live dispute, or, if the ruling was appealed, what the appeal says."""
    words = {"claimed": _("%(name)s says that the result is wrong: “%(said)s”"),
             "appealed": _("%(name)s appeals to the head judge: “%(said)s”")}  # fmt: skip
    names = dict(_accounts(seats))
    return [
        words[saying.what] % {"name": names.get(saying.actor, _("A player")), "said": saying.said}
        for saying in sayings
        if saying.what == ("appealed" if live.status == LiveDispute.Status.APPEALED else "claimed")
    ]


def _dispute(
    match: Any, contest: Contest | None, sayings: Mapping[str, list[Saying]], mine: Sequence[Entrant], at: datetime
) -> Dispute:
    seats = _seats(match)
    own = any(seat.entrant in mine for seat in seats)
    logs = log_lines(log for game in match.games.all() for log in game.logs.all())
    live = next(iter(match.live_disputes), None)
    statements = _statement_words(live, sayings.get(live.public_id, ()), seats) if live else []
    since = (live.appealed_at or live.opened_at) if live else contest.at if contest else None
    return Dispute(
        match=match,
        names=names_at(match),
        minutes=int((at - since).total_seconds() // 60) if since else None,
        claims=[*(claims_of(match, contest) if match.disputed else []), *statements],
        logs=[] if mine else logs,
        own=own,
        appealed=live is not None and live.status == LiveDispute.Status.APPEALED,
    )


def _seats(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: seat.number)


def claims_of(match: Match, contest: Contest | None) -> list[str]:
    """What each player claims: the last two contested reports, and the words of whoever contested."""
    seats = _seats(match)
    names = {seat.pk: seat.entrant.full_name for seat in seats}
    contested = [report for report in match.reports.all() if report.status in DIFFERENT]
    contested = contested if match.disputed or len(contested) > 1 else []
    claims = [claim_words(report, names) for report in contested[-2:]] + _board_claims(match)
    speakers = {report.by.public_id for report in contested[-2:]}
    if contest is None:
        return claims
    who = next((name for seat, name in _accounts(seats) if seat == contest.actor), _("A player"))
    if contest.actor not in speakers:
        claims.append(_("%(name)s does not agree.") % {"name": who})
    if contest.said:
        claims.append(_("%(name)s: “%(said)s”") % {"name": who, "said": contest.said})
    return claims


def _board_claims(match: Match) -> list[str]:
    """What the players of contested boards claim; empty unless it is a team match."""
    boards: Iterable[Any] = boards_of(match) if match.has_boards else ()
    return [
        _("Board %(number)d, %(name)s: %(score)s.")
        % {
            "number": board.number,
            "name": (board.first if report.side == 1 else board.second).name,
            "score": score_words(report.games),
        }
        for board in boards
        for report in board.live_reports
        if report.status == Report.Status.CONTESTED
    ]


def _accounts(seats: Sequence[Seat]) -> list[tuple[str, str]]:
    # By account and not by entrant: the ledger names the account that acted. A team has several.
    return [
        (member.person.account.public_id, seat.entrant.full_name)
        for seat in seats
        for member in seat.entrant.member_set.all()
        if member.person.account is not None
    ]


@login_required
def judge_match(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Everything known about a match, with the form for a ruling."""
    match = match_for_judge(request.user, match_id)
    initial = {**initial_of(match), "state": disputes.state_of(match)}
    return _page(request, match, DecisionForm(match=match, by=request.user, initial=initial))


@login_required
@require_POST
def rule(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Rule on a match, which sets its result and ends the dispute.

    If the match has changed since the page was loaded, or later rounds depend on its result, the page is shown again
    for confirmation (409) with the fresh state and what was typed.
    """
    match = match_for_judge(request.user, match_id)
    form = DecisionForm(request.POST, match=match, by=request.user)
    if form.is_valid():
        data = form.cleaned_data
        changed = ToConfirm()
        with refused_beside(form), refusals_on(form), changed.caught():
            disputes.rule(
                match=match,
                by=request.user,
                wanted=form.wanted,
                state=data["state"],
                seen=form.seen_report,
                acknowledged=data["acknowledged"],
                now=now(),
            )
            messages.success(request, _("The ruling on table %(table)s is made.") % {"table": match.table})
            return to_repair(request, match) or redirect("web:judge", match.round.stage.event.public_id)
        if changed.refusal:
            fresh = match_for_judge(request.user, match_id)
            typed = {
                **data,
                "seen": newest_report_id(fresh),
                "state": disputes.state_of(fresh),
                "acknowledged": bool(changed.effects),
            }
            again = DecisionForm(match=fresh, by=request.user, initial=typed)
            wanted = "" if changed.effects else _wanted_words(form.wanted, first=fresh.games_drawn is None)
            return _page(request, fresh, again, wanted, changed.effects)
    return _page(request, match, form)


def _wanted_words(wanted: disputes.Wanted, *, first: bool) -> str:
    """The ruling that the judge wanted to give, in words."""
    decision = decision_words(wanted.decision, first=first)
    return labelled(decision, result_words(wanted.games, wanted.kind)) if wanted.games else decision


def _page(
    request: SignedInRequest,
    match: Match,
    form: DecisionForm,
    wanted: str = "",
    effects: Sequence[Mapping[str, str]] = (),
) -> HttpResponse:
    event = match.round.stage.event
    context = {
        "event": event,
        "match": match,
        "names": names_at(match),
        "form": form.offer_open(),
        "no_ruling": no_ruling(match),
        "may_reopen": can_reopen(request.user, event),
        "row": table_row(match, request.user),
        "wanted": wanted,
        "effects": effect_words(event, effects),
        "minutes": MinutesForm(),
        "extension": sum(extension.minutes for extension in match.extensions.all()),
        **_result_context(request, match),
        **_evidence_context(request, match),
    }
    status = 409 if wanted or effects else status_of(form)
    return render(request, "web/judge/match.html", context, status=status)


def _result_context(request: SignedInRequest, match: Match) -> dict[str, Any]:
    """The result, and what players and judges have said and done about the match."""
    event, seats = match.round.stage.event, _seats(match)
    contest, axes = contests_of(event, [match]).get(match.public_id), axes_of([match])
    found = axes[match.pk]
    return {
        "seats": seats,
        "result": score_of(seats, match) if match.games_drawn is not None else "",
        "kind": KINDS[match.kind],
        "axes": axes,
        "contested": found.contested,
        "authority": _("The players report different results.")
        if axes[match.pk].differ
        else AUTHORITIES[match.authority],
        "claims": claims_of(match, contest) if found.contested else [],
        "disputes": dispute_lines(event, [match]),
        "calls": call_history(match, request.user, now()),
        "penalties": penalty_lines(event, penalties_at([match])),
        "losses": losses_here(match, staff=True),
        "reports": _history(match, seats),
    }


def _evidence_context(request: HttpRequest, match: Match) -> dict[str, Any]:
    """What shows how the games were played: logs, saved boards and lists. Staff who play read no lists of others."""
    event = match.round.stage.event
    games = _games(request.user, match)
    reads_lists = not plays(request.user, event)
    return {
        "positions": position_lines(match) if reads_lists else [],
        "branches": [branch_line(branch) for branch in branches_of([match])] if reads_lists else [],
        "games": games,
        "proven": any(line.game.evidence for line in games),
        "computing": any(line.computing for game in games for line in game.logs),
        "reads_lists": reads_lists,
        "lists": _registered(event, match) if reads_lists else [],
    }


def no_ruling(match: Match) -> str:
    """Why a judge cannot rule on a match now. Call it only if no decision is open."""
    status = match.round.stage.event.status
    if status == Event.Status.FINISHED:
        return _("The event is finished: its owner has to reopen it before anybody can rule on a result.")
    if status != Event.Status.RUNNING:
        return _("The event is not running: nobody can rule on its results now.")
    if match.round.status == Round.Status.DRAFT:
        return _("These pairings are a draft: there is nothing to rule on yet.")
    return _("The ruling was appealed: the head judge will decide.")


def _history(match: Match, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    names = {seat.pk: seat.entrant.full_name for seat in seats}
    reports = list(match.reports.select_related("seat", "by").order_by("at", "pk"))
    return [
        {"at": report.at, "said": claim_words(report, names), "state": _report_state(report, reports), "report": report}
        for report in reports
    ]


def _report_state(report: Report, reports: Sequence[Report]) -> object:
    """The state of a report in words; one that waits beside a different one does not wait for the opponent."""
    differ = any(other.status == Report.Status.COUNTER for other in reports)
    if report.status == Report.Status.STANDING and differ:
        return _("differs from the later report")
    return REPORT_STATES[report.status]


def _games(user: Any, match: Match) -> list[GameLine]:
    logs: dict[int, list[LogLine]] = {}
    for line in log_lines(logs_shown(user, match)):
        logs.setdefault(line.log.game_id, []).append(line)
    return [
        GameLine(game, EVIDENCE_SHORT[game.evidence], logs.get(game.pk, [])) for game in match.games.order_by("number")
    ]


def _registered(event: Event, match: Match) -> list[dict[str, Any]]:
    """The lists that count at a match; in a team match, those of the members at its boards, or of the whole teams."""
    return [
        {"name": name, "decklist": decklist, "lines": lines_of(event, decklist) if decklist else None}
        for name, decklist in lists_at(match)
    ]
