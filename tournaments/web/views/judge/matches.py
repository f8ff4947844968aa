"""The queue of disputes, and the page of one match from which a judge rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.audits.models import MoveLog
from tournaments.audits.selectors import Contest, contests_of, disputed_matches, logs_shown, recent_logs
from tournaments.common.clock import now
from tournaments.decks.selectors import current_list
from tournaments.events.access import event_for_staff, own_entrants, plays
from tournaments.events.models import Entrant, Event
from tournaments.play import services as play
from tournaments.play.access import match_for_judge
from tournaments.play.models import Game, Match, Report, Seat
from tournaments.play.selectors import newest_report_id
from tournaments.web.forms.refusals import Moved, refusals_on
from tournaments.web.forms.staff import MinutesForm, RulingForm, TableRulingForm, ruling_form
from tournaments.web.views.judge.logs import LogLine, log_lines
from tournaments.web.views.staff.dashboard import gestures_of
from tournaments.web.views.staff.desk import (
    claim_words,
    effect_words,
    initial_of,
    names_of,
    result_words,
    score_of,
    table_row,
)
from tournaments.web.views.staff.entrants import lines_of
from tournaments.web.words import AUTHORITIES, EVIDENCE, KINDS, REPORT_STATES


@dataclass(frozen=True)
class Dispute:
    """A match in the queue: how long it waits, and who says what."""

    match: Match
    names: tuple[str, ...]
    minutes: int | None
    claims: list[str]
    logs: list[LogLine]
    own: bool


@dataclass(frozen=True)
class GameLine:
    """A game of a match with its logs."""

    game: Game
    evidence: object
    logs: list[LogLine]


@login_required
def judge(request: HttpRequest, event_id: str) -> HttpResponse:
    """The queue of disputes, the one that waits longest first, and the newest logs."""
    event = event_for_staff(request.user, event_id, "judge")
    mine = own_entrants(request.user, event)
    context = {
        "event": event,
        "queue": _queue(event, mine, now()),
        "logs": log_lines(recent_logs(event, without=next(iter(mine), None))),
        "may": gestures_of(request.user, event),
    }
    return render(request, "web/judge/queue.html", context)


def _queue(event: Event, mine: Sequence[Entrant], at: datetime) -> list[Dispute]:
    matches = list(disputed_matches(event))
    contests = contests_of(event, matches)
    queue = [_dispute(match, contests.get(match.public_id), mine, at) for match in matches]
    return sorted(queue, key=lambda dispute: -(dispute.minutes or 0))


def _dispute(match: Match, contest: Contest | None, mine: Sequence[Entrant], at: datetime) -> Dispute:
    seats = _seats(match)
    own = any(seat.entrant in mine for seat in seats)
    logs = log_lines(log for game in match.games.all() for log in game.logs.all())
    return Dispute(
        match=match,
        names=names_of(match),
        minutes=int((at - contest.at).total_seconds() // 60) if contest else None,
        claims=claims_of(match, contest),
        logs=[] if mine else logs,
        own=own,
    )


def _seats(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: seat.number)


def claims_of(match: Match, contest: Contest | None) -> list[str]:
    """Who says what: the contested reports since the last result, and the words of who contested."""
    seats = _seats(match)
    contested = [report for report in match.reports.all() if report.status == Report.Status.CONTESTED]
    claims = [claim_words(report, seats) for report in contested[-2:]]
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
        (member.person.account.public_id, seat.entrant.name)
        for seat in seats
        for member in seat.entrant.member_set.all()
        if member.person.account is not None
    ]


@login_required
def judge_match(request: HttpRequest, match_id: str) -> HttpResponse:
    """All that is known of a match, and the form of a ruling."""
    match = match_for_judge(request.user, match_id)
    return _page(request, match, ruling_form(match, names=names_of(match), initial=initial_of(match)))


@login_required
@require_POST
def rule(request: HttpRequest, match_id: str) -> HttpResponse:
    """Rule on a match: sets its result and ends the dispute."""
    match = match_for_judge(request.user, match_id)
    form = ruling_form(match, request.POST, names=names_of(match))
    if form.is_valid():
        data = form.cleaned_data
        kind = data.get("kind", Match.Kind.PLAYED)
        changed = Moved()
        with refusals_on(form), changed.told():
            play.rule_result(
                match=match,
                by=request.user,
                games=form.games,
                kind=kind,
                reason=data["reason"],
                seen=form.seen_report,
                acknowledged=data["acknowledged"],
                now=now(),
            )
            messages.success(request, _("The ruling sets the result of table %(table)s.") % {"table": match.table})
            return redirect("web:judge", match.round.stage.event.public_id)
        if changed.refusal:
            fresh = match_for_judge(request.user, match_id)
            typed = {**data, "seen": newest_report_id(fresh), "acknowledged": bool(changed.effects)}
            again = ruling_form(fresh, names=names_of(fresh), initial=typed)
            wanted = "" if changed.effects else result_words(form.games, kind)
            return _page(request, fresh, again, wanted, changed.effects)
    return _page(request, match, form)


def _page(
    request: HttpRequest,
    match: Match,
    form: RulingForm | TableRulingForm,
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
        "names": names_of(match),
        "form": form,
        "row": row,
        "wanted": wanted,
        "effects": effect_words(event, effects),
        "minutes": MinutesForm(),
        "extension": sum(extension.minutes for extension in match.extensions.all()),
        "result": score_of(seats, match) if match.games_drawn is not None else "",
        "kind": KINDS[match.kind],
        "authority": AUTHORITIES[match.authority],
        "claims": claims_of(match, contest) if match.disputed else [],
        "reports": _history(match, seats),
        "games": games,
        "proven": any(line.game.evidence for line in games),
        "computing": any(line.computing for game in games for line in game.logs),
        "reads_lists": reads_lists,
        "lists": [_registered(event, match, seat) for seat in seats] if reads_lists else [],
    }
    status = 409 if wanted or effects else 422 if form.errors else 200
    return render(request, "web/judge/match.html", context, status=status)


def _history(match: Match, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    return [
        {"at": report.at, "said": claim_words(report, seats), "state": REPORT_STATES[report.status], "report": report}
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
    return {"name": seat.entrant.name, "decklist": decklist, "lines": lines}
