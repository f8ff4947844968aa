"""The queue of disputes, and the page of one match from which a judge rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.audits import disputes
from tournaments.audits.models import Dispute as LiveDispute
from tournaments.audits.models import MoveLog
from tournaments.audits.selectors import (
    Contest,
    Saying,
    branches_of,
    contests_of,
    disputed_matches,
    logs_shown,
    recent_logs,
    sayings_of,
)
from tournaments.common.clock import now
from tournaments.decks.selectors import current_list
from tournaments.events.access import event_for_staff, own_entrants, plays, roles_of
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.judging.selectors import penalties_at
from tournaments.play.access import match_for_judge
from tournaments.play.models import Game, Match, Report, Round, Seat
from tournaments.play.selectors import newest_report_id, newest_shown_round
from tournaments.web.forms.judge import DecisionForm, TableDecisionForm, decision_form
from tournaments.web.forms.refusals import Moved, refusals_on, refused_beside, status_of
from tournaments.web.forms.staff import MinutesForm
from tournaments.web.views.call_words import call_history, call_lines
from tournaments.web.views.judge.branches import branch_line
from tournaments.web.views.judge.keeping import position_lines
from tournaments.web.views.judge.logs import LogLine, log_lines
from tournaments.web.views.penalty_words import losses_here, penalty_lines
from tournaments.web.views.rulings import dispute_lines
from tournaments.web.views.staff.corrections import to_repair
from tournaments.web.views.staff.dashboard import can_reopen, gestures_of
from tournaments.web.views.staff.desk import (
    claim_words,
    effect_words,
    initial_of,
    names_at,
    result_words,
    score_of,
    table_row,
)
from tournaments.web.views.staff.entrants import lines_of
from tournaments.web.words import AUTHORITIES, DECISIONS, EVIDENCE, KINDS, REPORT_STATES


@dataclass(frozen=True)
class Dispute:
    """A match in the queue: how long it waits, and who says what."""

    match: Match
    names: tuple[str, ...]
    minutes: int | None
    claims: list[str]
    logs: list[LogLine]
    own: bool
    appealed: bool


@dataclass(frozen=True)
class GameLine:
    """A game of a match with its logs."""

    game: Game
    evidence: object
    logs: list[LogLine]

    @property
    def pairs(self) -> list[tuple[LogLine, LogLine]]:
        """Logs that may be two halves of one: each with the next that somebody else sent."""
        pairs = zip(self.logs, self.logs[1:], strict=False)
        return [(one, two) for one, two in pairs if one.log.sha256 != two.log.sha256]


@login_required
def judge(request: HttpRequest, event_id: str) -> HttpResponse:
    """The calls, the queue of disputes, those that wait longest first, and the newest logs."""
    event = event_for_staff(request.user, event_id, "judge")
    mine, at = own_entrants(request.user, event), now()
    context = {
        "event": event,
        "round": None if mine else newest_shown_round(event),
        "calls": call_lines(event, request.user, mine, at),
        "queue": _queue(event, mine, at),
        "logs": log_lines(recent_logs(event, without=next(iter(mine), None))),
        "head": StaffRole.Role.HEAD_JUDGE in roles_of(request.user, event),
        "may": gestures_of(request.user, event),
        "reads_logs": not mine,
    }
    return render(request, "web/judge/queue.html", context)


def _queue(event: Event, mine: Sequence[Entrant], at: datetime) -> list[Dispute]:
    matches: list[Any] = list(disputed_matches(event))
    contests = contests_of(event, matches)
    told = sayings_of(event, [live for match in matches for live in match.live_disputes])
    said: dict[str, list[Saying]] = {}
    for (dispute, _number), saying in told.items():
        said.setdefault(dispute, []).append(saying)
    queue = [_dispute(match, contests.get(match.public_id), said, mine, at) for match in matches]
    return sorted(queue, key=lambda dispute: -(dispute.minutes or 0))


def _told(live: LiveDispute, sayings: Iterable[Saying], seats: Sequence[Seat]) -> list[str]:
    """What the players claim or appeal in a live dispute."""
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
    told = _told(live, sayings.get(live.public_id, ()), seats) if live else []
    since = (live.appealed_at or live.opened_at) if live else contest.at if contest else None
    return Dispute(
        match=match,
        names=names_at(match),
        minutes=int((at - since).total_seconds() // 60) if since else None,
        claims=[*(claims_of(match, contest) if match.disputed else []), *told],
        logs=[] if mine else logs,
        own=own,
        appealed=live is not None and live.status == LiveDispute.Status.APPEALED,
    )


def _seats(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: seat.number)


def claims_of(match: Match, contest: Contest | None) -> list[str]:
    """Who says what: the contested reports since the last result, and the words of who contested."""
    seats = _seats(match)
    names = {seat.pk: seat.entrant.full_name for seat in seats}
    contested = [report for report in match.reports.all() if report.status == Report.Status.CONTESTED]
    claims = [claim_words(report, names) for report in contested[-2:]]
    speakers = {report.by.public_id for report in contested[-2:]}
    if contest is None:
        return claims
    who = next((name for seat, name in _accounts(seats) if seat == contest.actor), _("A player"))
    if contest.actor not in speakers:
        claims.append(_("%(name)s does not agree.") % {"name": who})
    if contest.said:
        claims.append(_("%(name)s: “%(said)s”") % {"name": who, "said": contest.said})
    return claims


def _accounts(seats: Sequence[Seat]) -> list[tuple[str, str]]:
    return [
        (member.person.account.public_id, seat.entrant.full_name)
        for seat in seats
        for member in seat.entrant.member_set.all()
        if member.person.account is not None
    ]


@login_required
def judge_match(request: HttpRequest, match_id: str) -> HttpResponse:
    """All that is known of a match, and the form of a ruling."""
    match = match_for_judge(request.user, match_id)
    initial = {**initial_of(match), "state": disputes.state_of(match)}
    return _page(request, match, decision_form(match, request.user, names=names_at(match), initial=initial))


@login_required
@require_POST
def rule(request: HttpRequest, match_id: str) -> HttpResponse:
    """Rule on a match: sets its result and ends the dispute."""
    match = match_for_judge(request.user, match_id)
    form = decision_form(match, request.user, request.POST, names=names_at(match))
    if form.is_valid():
        data = form.cleaned_data
        changed = Moved()
        with refused_beside(form), refusals_on(form), changed.told():
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
            again = decision_form(fresh, request.user, names=names_at(fresh), initial=typed)
            wanted = "" if changed.effects else _wanted_words(form.wanted)
            return _page(request, fresh, again, wanted, changed.effects)
    return _page(request, match, form)


def _wanted_words(wanted: disputes.Wanted) -> str:
    """What a judge meant to rule."""
    said = str(DECISIONS[wanted.decision])
    return f"{said}: {result_words(wanted.games, wanted.kind)}" if wanted.games else said


def _page(
    request: HttpRequest,
    match: Match,
    form: DecisionForm | TableDecisionForm,
    wanted: str = "",
    effects: Sequence[Mapping[str, str]] = (),
) -> HttpResponse:
    event = match.round.stage.event
    seats = _seats(match)
    games = _games(request.user, match)
    contest = contests_of(event, [match]).get(match.public_id)
    reads_lists = not plays(request.user, event)
    row = table_row(match, request.user)
    context = {
        "event": event,
        "match": match,
        "names": names_at(match),
        "form": form,
        "no_ruling": no_ruling(match),
        "may_reopen": can_reopen(request.user, event),
        "row": row,
        "wanted": wanted,
        "effects": effect_words(event, effects),
        "minutes": MinutesForm(),
        "extension": sum(extension.minutes for extension in match.extensions.all()),
        "result": score_of(seats, match) if match.games_drawn is not None else "",
        "kind": KINDS[match.kind],
        "authority": AUTHORITIES[match.authority],
        "claims": claims_of(match, contest) if match.disputed else [],
        "disputes": dispute_lines(event, [match]),
        "seats": seats,
        "calls": call_history(match, request.user, now()),
        "penalties": penalty_lines(event, penalties_at([match])),
        "losses": losses_here(match),
        "positions": position_lines(match) if reads_lists else [],
        "branches": [branch_line(branch) for branch in branches_of([match])] if reads_lists else [],
        "reports": _history(match, seats),
        "games": games,
        "proven": any(line.game.evidence for line in games),
        "computing": any(line.computing for game in games for line in game.logs),
        "reads_lists": reads_lists,
        "lists": [_registered(event, match, seat) for seat in seats] if reads_lists else [],
    }
    status = 409 if wanted or effects else status_of(form)
    return render(request, "web/judge/match.html", context, status=status)


def no_ruling(match: Match) -> str:
    """Why no ruling on a match is open to the judge who reads it."""
    status = match.round.stage.event.status
    if status == Event.Status.FINISHED:
        return _("The event is finished: its owner reopens it before anybody rules on a result.")
    if status != Event.Status.RUNNING:
        return _("The event is not running: nobody rules on its results now.")
    if match.round.status == Round.Status.DRAFT:
        return _("These pairings are a draft: there is nothing to rule on yet.")
    return _("The ruling was appealed: the head judge decides.")


def _history(match: Match, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    names = {seat.pk: seat.entrant.full_name for seat in seats}
    return [
        {"at": report.at, "said": claim_words(report, names), "state": REPORT_STATES[report.status], "report": report}
        for report in match.reports.select_related("seat", "by").order_by("at", "pk")
    ]


def _games(user: Any, match: Match) -> list[GameLine]:
    logs: dict[int, list[MoveLog]] = {}
    for log in logs_shown(user, match):
        logs.setdefault(log.game_id, []).append(log)
    return [
        GameLine(game, EVIDENCE[game.evidence], log_lines(logs.get(game.pk, [])))
        for game in match.games.order_by("number")
    ]


def _registered(event: Event, match: Match, seat: Seat) -> dict[str, Any]:
    decklist = current_list(seat.entrant, match.round.stage)
    lines = lines_of(event, decklist) if decklist else None
    return {"name": seat.entrant.full_name, "decklist": decklist, "lines": lines}
