"""The question of most calls: may this be done now? A judge pastes a position and a move and reads the answer."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.audits import engine_gate
from tournaments.audits.selectors import may_be_done
from tournaments.decks.engine_gate import card_names
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.web.brakes import UPLOADS, braked
from tournaments.web.forms.judge import QuestionForm
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.questions import EXAMPLES
from tournaments.web.views.judge.reports import interpretations_words, missing_words, violations_words
from tournaments.web.views.judge.wording import language
from tournaments.web.words import ANSWER_BADGES, ANSWERS


@login_required
@braked(UPLOADS)
def ask(request: HttpRequest, event_id: str) -> HttpResponse:
    """The form, and below it the answer. Nothing is kept. `?example=` fills the form."""
    event = event_for_staff(request.user, event_id, "judge")
    examples = EXAMPLES.get(event.game, {})
    example = examples.get(request.GET.get("example", ""))
    form = QuestionForm(
        request.POST if request.method == "POST" else None, initial=example.filled() if example else None
    )
    answer: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            found = may_be_done(event=event, **form.cleaned_data, language=language())
            answer = _answer_words(event, found, engine_gate.options_of(form.cleaned_data["position"]))
    context = {"event": event, "form": form, "examples": examples, **answer}
    return render(request, "web/judge/ask.html", context, status=422 if form.errors else 200)


def _answer_words(event: Event, answer: Mapping[str, Any], options: Mapping[str, str]) -> dict[str, Any]:
    names = card_names(event)
    leans = dict.fromkeys(id_ for violation in answer["violations"] for id_ in violation["depends_on"])
    return {
        "answer": answer,
        "words": ANSWERS[answer["answer"]],
        "badge": ANSWER_BADGES[answer["answer"]],
        "violations": violations_words(answer["violations"], names),
        "missing": [missing_words(item, event.game) for item in answer["missing"]],
        "error_options": [str(option) for option in (answer["error"] or {}).get("options", ())],
        "interpretations": interpretations_words(event, list(leans), options),
    }
