"""The question of most calls: may this be done now?

A judge enters the board of a match from the registered lists, or pastes a position, and reads the answer.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from tournaments.audits import engine_gate, positions
from tournaments.audits.access import match_to_ask_about
from tournaments.audits.engine_gate import COMMON, Mat, Place
from tournaments.audits.models import Position
from tournaments.audits.selectors import may_be_done
from tournaments.common.clock import now
from tournaments.common.refusals import Refusal
from tournaments.decks.engine_gate import card_mana, card_names
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.play.models import Match
from tournaments.web.arguments import ARGUMENTS, Argument
from tournaments.web.brakes import UPLOADS, braked
from tournaments.web.forms.judge import MAX_QUESTION, QuestionForm
from tournaments.web.forms.positions import MoveForm, PositionForm, faults_of, keys_of
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.questions import EXAMPLES
from tournaments.web.views.judge.keeping import photos_in
from tournaments.web.views.judge.reports import answer_words
from tournaments.web.views.judge.wording import fact_words, language, say, verb_words, zone_words

ASKING = ("ask", "keep")  # gestures that need the move whole
EVERY_CARD = ("saint-seiya",)  # games whose players come by cards that no list names


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
            answer = answer_words(event, found, engine_gate.options_of(form.cleaned_data["position"]))
    context = {"event": event, "form": form, "examples": examples, **answer}
    return render(request, "web/judge/ask.html", context, status=422 if form.errors else 200)


@login_required
@braked(UPLOADS)
def ask_table(request: HttpRequest, match_id: str) -> HttpResponse:
    """The board of a match entered from its registered lists, the move that is asked, and the answer.

    `gesture` is `verb` (show the fields of the chosen move), `ask`, `remember` (this board, to compare), `compare`, or
    `keep`, the only one after which something is kept: `?photos_of=` names the board whose photos go with it.
    """
    match = match_to_ask_about(request.user, match_id)
    event = match.round.stage.event
    header = positions.declared(match, {})
    names, seats = card_names(event), list(header["seats"])
    mat = engine_gate.mat_of(event.game, seats)
    decks = {seat: _refs(said["deck"]) for seat, said in header["seats"].items()}
    sent = request.POST if request.method == "POST" else None
    by_lists = event.game not in EVERY_CARD
    form = PositionForm(sent, mat=mat, seats=seats, names=names, decks=decks, owned=by_lists)
    gesture = request.POST.get("gesture", "")
    document = positions.declared(match, form.start) if sent is not None and form.is_valid() else None
    move = _move_form(request, gesture, form, event, decks)
    remembered = request.POST.get("remembered", "")[:MAX_QUESTION]
    answer: dict[str, Any] = {}
    if document and gesture == "ask" and move.is_valid():
        with refusals_on(move):
            found = may_be_done(event=event, position=document, move={"n": 1, **move.entry}, language=language())
            answer = answer_words(event, found, {})
    if document and gesture == "keep" and (not move.is_bound or move.is_valid()):
        with refusals_on(form):
            kept = positions.keep_position(
                match=match,
                start=form.start,
                move={"n": 1, **move.entry} if move.is_bound else None,
                photos=photos_in(request),
                photos_of=_named(request, match),
                by=request.user,
                now=now(),
            )
            return redirect("web:position", kept.public_id)
    if document and gesture == "remember":
        remembered = json.dumps(document, ensure_ascii=False)
    seated = match.seats.select_related("entrant").order_by("number")
    players = dict(zip(seats, (seat.entrant.full_name for seat in seated), strict=False))
    context = {
        "event": event,
        "match": match,
        "form": form,
        "sent": sent is not None,
        "move": move,
        "turn": [_choices(form, "seat", players), _choices(form, "first", players)],
        "phases": [(phase, say(f"phase.{phase}") if phase else "?") for phase, _words in form.fields["phase"].choices],
        "sides": list(_sides(form, mat, players)),
        "notes": [(form[f"memory:{note}"], fact_words(f"memory.{note}", event.game)) for note in mat.notes],
        "marks": mat.marks,
        "lists": [(seat, _offered(seat, decks, names)) for seat in decks],
        "every": [] if by_lists else sorted(set(names.values())),
        "players": players,
        "faults": [*faults_of(form), *(faults_of(move) if gesture in ASKING else ())] if sent is not None else [],
        "remembered": remembered,
        "differs": _differences(event, remembered, document, gesture, names),
        **answer,
    }
    return render(request, "web/judge/ask_table.html", context, status=422 if context["faults"] else 200)


def _named(request: HttpRequest, match: Match) -> Position | None:
    """The board of this match whose photos are to go with the next one too."""
    return match.positions.filter(public_id=request.GET.get("photos_of", "")).first()


def _offered(seat: str, decks: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> list[str]:
    """The names a seat's places offer: those of the own list, then of the others, whose cards may lie there too."""
    own = {names[ref] for ref in decks[seat] if ref in names}
    others = {names[ref] for refs in decks.values() for ref in refs if ref in names} - own
    return [*sorted(own), *sorted(others)]


def _refs(deck: Mapping[str, Any]) -> list[str]:
    return [*deck["main"], *([deck["commander"]] if deck["commander"] else ())]


def _move_form(
    request: HttpRequest, gesture: str, form: PositionForm, event: Event, decks: Mapping[str, Sequence[str]]
) -> MoveForm:
    """The form of the move; its arguments are those of the verb that was chosen."""
    names, mana = card_names(event), card_mana(event)
    verbs: Mapping[str, Sequence[Argument]] = ARGUMENTS[event.game]
    own = dict.fromkeys([*decks.get(request.POST.get("by", ""), ()), *(ref for refs in decks.values() for ref in refs)])
    asked = gesture in ("ask", "remember") or (gesture == "keep" and request.POST.get("do"))
    return MoveForm(
        request.POST if asked else None,
        seats=list(decks),
        verbs={verb: verb_words(verb) for verb in verbs},
        arguments=verbs.get(request.POST.get("do", ""), ()),
        cards=[(ref, names[ref]) for ref in own if ref in names],
        places=[(lying.place, f"{names.get(lying.ref, '?')} ({fact_words(lying.place)})") for lying in form.lying],
        mana={lying.place: given for lying in form.lying if (given := mana.get(lying.ref, ()))},
    )


def _choices(form: PositionForm, name: str, players: Mapping[str, str]) -> dict[str, Any]:
    return {"field": form[name], "choices": [("", "?"), *((seat, players.get(seat, seat)) for seat in form.seats)]}


def _sides(form: PositionForm, mat: Mat, players: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The fields of the board by owner: tallies, what is in play, and the piles."""
    for owner, found in groupby(mat.places, lambda place: place.owner):
        places = list(found)
        yield {
            "owner": owner,
            "name": players.get(owner, "") if owner != COMMON else "",
            "tallies": [_field(form, place) for place in places if place.counter],
            "in_play": [_field(form, place) for place in places if not place.counter and place.in_play],
            "piles": [_field(form, place) for place in places if not place.counter and not place.in_play],
        }


def _field(form: PositionForm, place: Place) -> dict[str, Any]:
    words = ", ".join(zone_words(part) for part in place.name.split("/"))
    return {"words": words, "fields": [form[key] for key in keys_of(place)], "place": place}


def _differences(
    event: Event, remembered: str, document: Mapping[str, Any] | None, gesture: str, names: Mapping[str, str]
) -> list[dict[str, Any]] | None:
    """What differs from the board that is remembered; None where none is, or it is this one."""
    if not remembered or document is None or gesture == "remember":
        return None
    try:
        found = positions.difference(event=event, one=remembered, two=document)
    except Refusal:
        return None
    return [
        {
            "words": fact_words(item["fact"], event.game),
            "one": _value(item["one"], names),
            "two": _value(item["two"], names),
        }
        for item in found
    ]


def _value(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, list):
        return ", ".join(_value(item, names) for item in value) or "–"
    if isinstance(value, Mapping):
        marks = [f"{mark} {count}" for mark, count in value.get("marks", {}).items()]
        return " +".join([names.get(value["ref"], value["ref"]), *marks])
    return "–" if value is None else names.get(value, str(value))
