"""Correct the name of an entrant that was mistyped at the desk."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.common.clock import now
from tournaments.events.access import entrant_for_staff
from tournaments.events.claims import typed_person
from tournaments.events.renaming import rename_entrant
from tournaments.events.selectors import entrants_of
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.entrants.forms import PlayerNameForm
from tournaments.web.pages.entrants.twins import warn_of_twins
from tournaments.web.requests import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def staff_name(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Correct the name of an entry without an account."""
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    if entrant.event.public_id != event_id:
        raise Http404
    typed = typed_person(entrant)
    known = {name: getattr(typed, name) for name in PlayerNameForm.base_fields} if typed else {}
    form = PlayerNameForm(request.POST or None, initial=known)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            rename_entrant(entrant=entrant, by=request.user, now=now(), **form.cleaned_data)
            shown = entrants_of(entrant.event).get(pk=entrant.pk).full_name
            messages.success(request, _("Corrected: %(name)s") % {"name": shown})
            warn_of_twins(request, [entrant])
            return redirect("web:staff_entry", event_id, entrant_id)
    context = {"event": entrant.event, "entrant": entrant, "form": form, "typed": typed}
    return render(request, "web/staff/name.html", context, status=422 if form.errors else 200)
