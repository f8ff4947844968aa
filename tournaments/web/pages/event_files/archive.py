"""Event files: download an event as one file, verify such a file, and check an event on the site itself."""

import json

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.archive.access import event_for_file, export_for_organizer, reads_faults, verification_for_anyone
from tournaments.archive.selectors import document_of, file_name, state_of, state_of_check, state_of_export
from tournaments.archive.services import ask_for_check, ask_for_file, ask_for_verification
from tournaments.archive.words import CHECKED, FAULTS, LEFT
from tournaments.common import heads
from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, event_for_viewer, may
from tournaments.web.answers import show
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.event_files.forms import VerifyForm
from tournaments.web.rate_limits import CHECKS, FILES, VERIFICATIONS, address_of
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.event_files import BROKEN, REASONS


@login_required
@require_POST
def event_file(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Have the event written to a file, by a job. With `names=0`, without the part that holds names."""
    event = event_for_file(request.user, event_id)
    FILES.count_or_refuse(str(request.user.pk))
    made = ask_for_file(event=event, names=request.POST.get("names") != "0", by=request.user, now=now())
    return redirect("web:file", made.public_id)


@login_required
@require_safe
def file(request: HttpRequest, file_id: str) -> HttpResponse:
    """The progress of an event file, and its download link."""
    shown = export_for_organizer(request.user, file_id)
    context = {"event": shown.event, "file": shown, "state": state_of_export(shown), "address": request.path}
    return show(request, "web/staff/file.html", context, fragment="web/staff/_file.html")


@login_required
@require_safe
def file_download(request: HttpRequest, file_id: str) -> HttpResponse:
    """Download an event file, compressed with gzip."""
    shown = export_for_organizer(request.user, file_id)
    document = document_of(shown)
    if document is None:
        return redirect("web:file", file_id)
    answer = HttpResponse(document, content_type="application/gzip")
    answer["Content-Disposition"] = f'attachment; filename="{file_name(shown)}"'
    answer["Cache-Control"] = "no-store"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Upload an event file to have it verified. Open to everybody."""
    form = VerifyForm(request.POST, request.FILES) if request.method == "POST" else VerifyForm()
    if request.method == "POST":
        VERIFICATIONS.count_or_refuse(address_of(request))
        if form.is_valid():
            with refusals_on(form):
                asked = ask_for_verification(document=form.cleaned_data["file"].read(), now=now())
                return redirect("web:verification", asked.public_id)
    return render(request, "web/public/verify.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
def verification(request: HttpRequest, verification_id: str) -> HttpResponse:
    """The progress of a verification, and its findings."""
    state = state_of(verification_for_anyone(verification_id))
    report = state.report or {}
    unreadable = report.get("unreadable")
    context = {
        "state": state,
        "report": report,
        "unreadable": unreadable,
        "why": REASONS.get(unreadable["reason"], BROKEN) if unreadable else "",
        "faults": [(FAULTS[fault["code"]], fault) for fault in report.get("faults", [])],
        "left": [(LEFT[fault["code"]], fault) for fault in report.get("left", [])],
        "checked": [(words, report["checked"][name]) for name, words in CHECKED.items() if name in report["checked"]]
        if report and not unreadable
        else [],
        "address": request.path,
    }
    return show(request, "web/public/verification.html", context, fragment="web/public/_verification.html")


@require_safe
def ledger_keys(request: HttpRequest) -> HttpResponse:
    """The public keys for checking signed ledger heads, as JSON: the current one, then the earlier ones."""
    return JsonResponse({"keys": heads.public_keys()})


@require_safe
def checks(request: HttpRequest, event_id: str) -> HttpResponse:
    """The last check of an event, and the signed head of its ledger. Only staff see each fault."""
    shown = event_for_viewer(request.user, event_id)
    state = state_of_check(shown)
    report = state.check.report if state.check else {}
    head = heads.head_of(shown.public_id)
    context = {
        "event": shown,
        "state": state,
        "check": state.check,
        "checked": [(words, report["checked"][name]) for name, words in CHECKED.items() if report["checked"].get(name)]
        if report
        else [],
        "left": [(LEFT[fault["code"]], fault) for fault in report.get("left", [])],
        "faults": [(FAULTS[fault["code"]], fault) for fault in report.get("faults", [])],
        "reads_faults": reads_faults(request.user, shown),
        "may_ask": may(request.user, shown, "manage_event"),
        "address": request.path,
        "head": head,
        "head_json": json.dumps(head.as_json()),
    }
    return show(request, "web/public/checks.html", context, fragment="web/public/_check.html")


@login_required
@require_POST
def check_now(request: HttpRequest, event_id: str) -> HttpResponse:
    """Have an event checked now."""
    event = event_for_staff(request.user, event_id, "manage_event")
    CHECKS.count_or_refuse(str(request.user.pk))
    ask_for_check(event=event, now=now())
    return redirect("web:checks", event.public_id)
