"""What the desk sees of an entrant's answers and consent, and enters for them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.accounts.selectors import name_of
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput
from tournaments.events.access import entrant_for_staff
from tournaments.events.consent import note_consent
from tournaments.events.models import Answer, Entrant
from tournaments.events.questions import answers_of, change_answers, ticked_by
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.questions import QuestionsForm
from tournaments.web.requests import SignedInRequest


def _entrant_of(request: SignedInRequest, event_id: str, entrant_id: str) -> Entrant:
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    if entrant.event.public_id != event_id:
        raise Http404
    return entrant


@login_required
@accepted_once
def staff_answers(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Read an entrant's answers, and change them; required questions may stay unanswered."""
    entrant = _entrant_of(request, event_id, entrant_id)
    event, member = entrant.event, entrant.member_set.select_related("person").first()
    if member is None or not event.questions.exists():
        raise Http404
    person = member.person
    form = QuestionsForm(request.POST or None, event, answers=answers_of(event, person), required=False)
    if request.method == "POST" and form.is_valid():
        try:
            change_answers(event=event, person=person, answers=form.answers(), by=request.user, now=now(), desk=True)
        except InvalidInput as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Answers saved."))
            return redirect("web:staff_entry", event_id, entrant_id)
    removed = Answer.objects.filter(person=person, question__event=event, question__removed_at__isnull=False)
    ticked = ticked_by(event, person).prefetch_related("by__persons")
    context = {
        "event": event,
        "entrant": entrant,
        "form": form,
        "hidden": removed.select_related("question"),
        "ticked": [(each, name_of(each.by) if each.by else "") for each in ticked],
    }
    return render(request, "web/staff/answers.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def staff_consent(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Note that a guardian consented on paper, or, with `back`, take the consent back."""
    entrant = _entrant_of(request, event_id, entrant_id)
    noted = "back" not in request.POST
    note_consent(entrant=entrant, noted=noted, by=request.user, now=now())
    messages.success(request, _("Consent noted.") if noted else _("Consent withdrawn."))
    return redirect("web:staff_entry", event_id, entrant_id)
