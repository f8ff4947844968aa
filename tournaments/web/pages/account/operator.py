"""The operator's page: what `/healthz` says, in words, with the jobs and checks that have failed."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.version import VERSION
from tournaments.archive.models import Check
from tournaments.common import confidential
from tournaments.common.clock import now
from tournaments.common.heartbeats import WORKER
from tournaments.common.kept_backups import LATE
from tournaments.common.models import Job
from tournaments.web.condition import measure
from tournaments.web.requests import SignedInRequest

LISTED = 50  # failed jobs, and events whose check found a problem


@require_safe
@login_required
def operator(request: SignedInRequest) -> HttpResponse:
    """What works and what does not, for accounts made by `manage.py createsuperuser`; 404 for all others."""
    if not request.user.is_superuser:
        raise Http404
    confidential.mark()
    moment = now()
    condition = measure(moment)
    last = condition.last_backup
    context = {
        "condition": condition,
        "version": VERSION,
        "waits": None if condition.overdue is None else int(condition.overdue.total_seconds() // 60),
        "worker_gone": WORKER in condition.gone,
        "backup_hours": None if last is None else int((moment - last).total_seconds() // 3600),
        "backup_late": last is None or moment - last > LATE,
        "jobs": Job.objects.filter(status=Job.Status.FAILED).order_by("-finished_at")[:LISTED],
        "checks": Check.objects.filter(faulty__gt=0).select_related("event").order_by("-at")[:LISTED],
    }
    return render(request, "web/account/operator.html", context)
