"""The style guide: a page with every shared fragment and example data, in development only."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from tournaments.common.clock import now
from tournaments.common.refusals import Refusal
from tournaments.web.guides import GUIDES


@dataclass(frozen=True)
class Specimen:
    """A fragment with the context to render it with.

    `facts` is whether it consists of lines for a list of facts, which the page then has to put around it.
    """

    title: str
    template: str
    context: dict[str, Any] = field(default_factory=dict)
    facts: bool = False


class _Form(forms.Form):
    """A form with an error in its field and one in the form as a whole."""

    name = forms.CharField(label="Name", help_text="As others see it.")

    def clean(self) -> None:
        raise forms.ValidationError("These two do not fit each other.")


def specimens(at: datetime) -> list[Specimen]:
    """Each shared fragment at least once, with times relative to `at`."""
    return [*_messages_and_forms(at), *_clocks(at), *_rounds_and_results(at)]


def _messages_and_forms(at: datetime) -> list[Specimen]:
    form = _Form({})
    spoken = SimpleNamespace(text="Round 3 is paired in five minutes.", match=None, made_at=at)
    return [
        Specimen("Messages after an action", "_messages.html", {"messages": _messages()}),
        Specimen(
            "Announcements",
            "_fragments/_announcements.html",
            {"event": SimpleNamespace(public_id="e-styleguide"), "announcements": [spoken]},
        ),
        Specimen(
            "A refusal, and what to do next", "_refusal.html", {"refusal": Refusal("event_full", "The event is full.")}
        ),
        Specimen("A guide for a first visit", "_fragments/_guide.html", {"name": "player", "guide": GUIDES["player"]}),
        Specimen("A field at fault", "_fragments/_field.html", {"field": form["name"]}),
        Specimen("What is wrong with a form", "_fragments/_form_errors.html", {"form": form}),
        Specimen("A list that was not saved", "_fragments/_not_saved.html", {"not_saved": _not_saved()}),
        Specimen("A code to quote", "_fragments/_code.html", {"code": "too_late"}),
        Specimen("Finding a name", "_fragments/_find.html"),
        Specimen("Nobody found", "_fragments/_nobody.html", {"find": "Quill"}),
        Specimen(
            "A calendar to subscribe to",
            "_fragments/_calendar.html",
            {
                "id": "calendar-link",
                "label": "Address of the calendar",
                "link": "https://club.example/calendar.ics",
                "webcal": "webcal://club.example/calendar.ics",
            },
        ),
        Specimen("Pages of a list", "_fragments/_pager.html", {"page_of": Paginator(range(90), 30).page(2)}),
    ]


def _clocks(at: datetime) -> list[Specimen]:
    pick = {"face": SimpleNamespace(state="paused", ends_at=None, closes_at=None), "to_come": "[]", "now": at}
    return [
        Specimen("A clock that runs", "_fragments/_clock.html", _clock(at, 32 * 60 + 10)),
        Specimen("A clock over time, with an extension", "_fragments/_clock.html", _clock(at, -65) | {"extension": 4}),
        Specimen("No clock", "_fragments/_clock.html"),
        Specimen(
            "The clock of a draft",
            "_fragments/_draft_clock.html",
            pick | {"time": "0:40", "words": "Booster 1, pick 3"},
        ),
    ]


def _rounds_and_results(at: datetime) -> list[Specimen]:
    axes = SimpleNamespace(
        authority="ruled", by="judge", authority_at=at, evidence="replayed", evidence_at=at, contested=False
    )
    return [
        Specimen(
            "A feature match",
            "_fragments/_feature.html",
            {"feature": SimpleNamespace(delay=10), "match": SimpleNamespace(public_id="m-styleguide")},
        ),
        Specimen("Who stands behind a result, and what proves it", "_fragments/_axes.html", {"axes": axes}),
        Specimen("A contested result", "_fragments/_axes.html", {"axes": SimpleNamespace(contested=True)}),
        Specimen(
            "What a round was asked for",
            "_fragments/_asked.html",
            {"asked": SimpleNamespace(order="chance", clubs=True, sides=True, last=False)},
            facts=True,
        ),
    ]


def _not_saved() -> SimpleNamespace:
    fault = {"line": 2, "code": "unknown_card", "text": "4x Braisilon", "message": "unknown card: “4x Braisilon”"}
    faults = [fault | {"suggestions": ["DEMO-SAF-020 Braisillon"]}]
    refusal = Refusal("deck_unreadable", "Some lines cannot be read.")
    return SimpleNamespace(refusal=refusal, draft=SimpleNamespace(faults=faults))


def _messages() -> list[Message]:
    return [Message(messages.SUCCESS, "The result counts."), Message(messages.WARNING, "A list is not legal.")]


def _clock(at: datetime, seconds: int) -> dict[str, Any]:
    left = abs(seconds)
    face = SimpleNamespace(state="running", ends_at=at + timedelta(seconds=seconds), starts_at=None)
    return {"face": face, "now": at, "over": seconds < 0, "time": f"{left // 60}:{left % 60:02d}"}


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """The style guide; 404 in production."""
    if not settings.DEBUG:
        raise Http404
    at = now()
    shown = [(each, render_to_string(each.template, each.context, request)) for each in specimens(at)]
    return render(request, "web/public/styleguide.html", {"now": at, "shown": shown})
