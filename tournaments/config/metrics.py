"""`/metrics` for Prometheus: what the web processes counted, and what the database says about work to be done."""

import hmac
from collections.abc import Iterable
from ipaddress import ip_address

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.archive.selectors import failed_checks
from tournaments.common import clock, jobs, metrics
from tournaments.common.metrics import Samples
from tournaments.notices.selectors import failing_devices
from tournaments.payments.selectors import all_to_look_at

MAILS = {
    *("accounts.letter", "events.invite", "events.invite_entrants"),
    *("notices.tell", "notices.tell_followers"),
}
PUSHES = {"notices.push", "notices.try_push"}
FAMILIES = {
    "arbitre_requests_total": ("counter", "Requests by kind and status; 499: the visitor left before the response."),
    "arbitre_request_seconds": ("histogram", "Seconds from a request to the end of its response; no live streams."),
    "arbitre_refused_total": ("counter", "Requests refused with 503 because the process was too busy."),
    "arbitre_kept_pages_total": ("counter", "Pages sent as they were seconds ago because the process was too busy."),
    "arbitre_requests_waiting": ("gauge", "Requests that wait for a thread."),
    "arbitre_streams": ("gauge", "Open live streams."),
    "arbitre_pool_connections": ("gauge", "Database connections in the pool: open, free, and the most allowed."),
    "arbitre_pool_waiting": ("gauge", "Threads that wait for a database connection."),
    "arbitre_database_up": ("gauge", "1 if the database answered this scrape; otherwise all that follows is missing."),
    "arbitre_jobs": ("gauge", "Jobs by kind: due now, waiting for their time, running, failed."),
    "arbitre_job_oldest_seconds": ("gauge", "How long the oldest due job of a kind has been waiting."),
    "arbitre_messages_waiting": ("gauge", "Jobs that send e-mails or push notifications, due or running."),
    "arbitre_push_devices_failing": ("gauge", "Devices to which push notifications fail at the moment."),
    "arbitre_checks_failed": ("gauge", "Events whose last check found a problem."),
    "arbitre_payments_questioned": ("gauge", "Payments that the desk has to look at."),
}


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics; 404 for anybody who may not read them, as if there were no such page."""
    if not _may_read(request):
        raise Http404
    samples = metrics.of_all_processes()
    try:
        samples |= _from_database()
    except DatabaseError:
        samples["arbitre_database_up", ()] = 0
    response = HttpResponse(metrics.as_text(FAMILIES, samples), content_type=metrics.MEDIA_TYPE)
    response["Cache-Control"] = "no-store"
    return response


def _may_read(request: HttpRequest) -> bool:
    """Whether the request has the token of `METRICS_TOKEN`, or comes from one of `METRICS_NETWORKS`."""
    given = request.headers.get("Authorization", "").encode()
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    if settings.METRICS_TOKEN and hmac.compare_digest(given, wanted):
        return True
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))  # behind proxies, the client's: `TrustedProxies`
    except ValueError:
        return False
    return any(address in network for network in settings.METRICS_NETWORKS)


def _from_database() -> Samples:
    """What the database says: a few queries, whatever the number of jobs."""
    found: Samples = {("arbitre_database_up", ()): 1}
    loads = jobs.loads(clock.now())
    for kind, load in sorted(loads.items()):
        for status, count in load.counts.items():
            found["arbitre_jobs", (("kind", kind), ("status", status))] = count
        found["arbitre_job_oldest_seconds", (("kind", kind),)] = load.oldest.total_seconds()
    for channel, kinds in (("mail", MAILS), ("push", PUSHES)):
        found["arbitre_messages_waiting", (("channel", channel),)] = _under_way(loads, kinds)
    found["arbitre_push_devices_failing", ()] = failing_devices()
    found["arbitre_checks_failed", ()] = failed_checks()
    found["arbitre_payments_questioned", ()] = all_to_look_at()
    return found


def _under_way(loads: dict[str, jobs.Load], kinds: Iterable[str]) -> int:
    return sum(loads[kind].counts["due"] + loads[kind].counts["running"] for kind in kinds)
