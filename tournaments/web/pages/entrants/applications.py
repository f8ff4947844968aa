"""The desk's list of applications for a place, on which it decides several at once."""

from collections import defaultdict
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.approval import APPROVE, CAN_BE, LONGEST_REASON, Decided, applications_of, decide
from tournaments.events.models import Answer, Application, Event
from tournaments.web.form_tokens import accepted_once
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.entrants import CONSENTS
from tournaments.web.words.labels import labelled

PARTS = {
    Application.Status.WAITING: gettext_lazy("Waiting"),
    Application.Status.APPROVED: pgettext_lazy("applications", "Approved"),
    Application.Status.DECLINED: pgettext_lazy("applications", "Declined"),
    Application.Status.WITHDRAWN: pgettext_lazy("applications", "Withdrawn"),
}
NAMED = 20  # refused applications that are named in messages


@login_required
@accepted_once
def staff_applications(request: SignedInRequest, event_id: str) -> HttpResponse:
    """List the applications of one state; a POST approves or declines the selected ones."""
    event = event_for_staff(request.user, event_id, "run_desk")
    if request.method == "POST":
        _decide(request, event)
        return redirect(request.get_full_path())
    wanted = request.GET.get("show", "")
    part = wanted if wanted in PARTS else Application.Status.WAITING
    every = applications_of(event)
    page = page_of(request, every.filter(status=part))
    context = {
        "event": event,
        "page_of": page,
        "lines": _lines(event, list(page)),
        "part": part,
        "parts": [
            (status, words, every.filter(status=status).count(), None if status == "waiting" else status)
            for status, words in PARTS.items()
        ],
        "can_approve": part in CAN_BE[APPROVE],
        "can_decline": part == Application.Status.WAITING,
        "longest": LONGEST_REASON,
    }
    return render(request, "web/staff/applications.html", context)


@dataclass(frozen=True)
class Line:
    """An application with the answers given, as pairs of question and answer, and what was said about a consent."""

    application: Application
    answers: list[tuple[str, str]]
    consent: object


def _lines(event: Event, applications: list[Application]) -> list[Line]:
    """Two queries, whatever the number of applications."""
    persons = [application.person_id for application in applications]
    answers: dict[int, list[tuple[str, str]]] = defaultdict(list)
    given = Answer.objects.filter(question__event=event, person__in=persons).select_related("question")
    for answer in given.order_by("question__position", "question__number"):
        answers[answer.person_id].append((answer.question.label, answer.text))
    consents = dict(event.consents.filter(person__in=persons).values_list("person", "how"))
    asks = event.consent_under is not None
    return [
        Line(each, answers[each.person_id], CONSENTS[consents.get(each.person_id, "")] if asks else "")
        for each in applications
    ]


def _decide(request: SignedInRequest, event: Event) -> None:
    chosen = request.POST.getlist("application")
    if not chosen:
        messages.warning(request, _("Select at least one application."))
        return
    report = decide(
        event=event,
        applications=chosen,
        decision=request.POST.get("decision", ""),
        reason=request.POST.get("reason", ""),
        by=request.user,
        now=now(),
    )
    if report.done:
        messages.success(request, _done(request.POST.get("decision", ""), len(report.done)))
    _tell_refused(request, report)


def _done(decision: str, count: int) -> str:
    if decision == APPROVE:
        return ngettext("%(n)d application approved.", "%(n)d applications approved.", count) % {"n": count}
    return ngettext("%(n)d application declined.", "%(n)d applications declined.", count) % {"n": count}


def _tell_refused(request: SignedInRequest, report: Decided) -> None:
    for application, refusal in report.refused[:NAMED]:
        messages.warning(request, labelled(application.full_name, refusal.message))
    if (more := len(report.refused) - NAMED) > 0:
        messages.warning(
            request,
            ngettext("%(n)d more could not be changed.", "%(n)d more could not be changed.", more) % {"n": more},
        )
