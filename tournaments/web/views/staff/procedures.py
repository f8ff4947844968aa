"""What the staff do by rule: the procedures of an event."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput
from tournaments.events.access import event_for_staff, may
from tournaments.events.models import Event
from tournaments.events.procedures import read_procedures
from tournaments.events.services import change_procedures
from tournaments.web.forms.procedures import ProceduresForm
from tournaments.web.once import once
from tournaments.web.procedure_words import FIELDS, SECTIONS


@login_required
@once
def staff_procedures(request: HttpRequest, event_id: str) -> HttpResponse:
    """The procedures: read by all staff, changed by organizers while the event is a draft."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    form = ProceduresForm(request.POST or None, procedures=read_procedures(event.procedures))
    if request.method == "POST":
        event_for_staff(request.user, event_id, "manage_event")
        if form.is_valid() and _change(request, event, form):
            messages.success(request, _("The procedures are changed."))
            return redirect("web:staff_procedures", event.public_id)
    open_ = event.status == Event.Status.DRAFT and may(request.user, event, "manage_event")
    context = {"event": event, "form": form, "open": open_}
    return render(request, "web/staff/procedures.html", context, status=422 if form.errors else 200)


def _change(request: HttpRequest, event: Event, form: ProceduresForm) -> bool:
    """Whether they could be changed; what is wrong is said beside its field."""
    try:
        change_procedures(event=event, procedures=form.value, by=request.user, now=now())
    except InvalidInput as refusal:
        for fault in refusal.details:
            path = fault["path"].split("[")[0]
            place = path if path in FIELDS else None
            form.add_error(place, _("%(where)s: %(code)s") % {"where": _place(path), "code": fault["code"]})
        return False
    return True


def _place(path: str) -> str:
    return str(FIELDS.get(path) or SECTIONS.get(path.split(".")[0], path))
