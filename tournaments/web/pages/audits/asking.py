"""Ask the engine: is this move legal? That is the question of most judge calls.

A judge enters the board of a match by card names, or pastes a position as JSON, and gets the engine's answer.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engine import face
from engine.face.boards import COMMON, Mat, Place
from tournaments.audits import positions
from tournaments.audits.access import match_to_ask_about
from tournaments.audits.models import Position
from tournaments.audits.selectors import ask_move
from tournaments.common.clock import now
from tournaments.common.refusals import Refusal
from tournaments.decks.engine_gate import card_faces, card_mana, card_names
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.play.models import Match
from tournaments.web.arguments import Argument, arguments_of
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.audits.boards import board_html
from tournaments.web.pages.audits.forms import MAX_QUESTION, QuestionForm
from tournaments.web.pages.audits.keeping import photos_in
from tournaments.web.pages.audits.position_forms import MoveForm, PositionForm, faults_of, keys_of
from tournaments.web.pages.audits.reports import answer_words
from tournaments.web.pages.audits.trying import table_of
from tournaments.web.questions import EXAMPLES
from tournaments.web.rate_limits import UPLOADS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.rules_in_browser import browser_rules
from tournaments.web.words.boards import fact_words, language, say, verb_words, zone_words

ASKING = ("ask", "keep")  # actions that need a complete move


@login_required
@rate_limited(UPLOADS)
def ask(request: HttpRequest, event_id: str) -> HttpResponse:
    """Ask about a pasted position and move. Nothing is stored. `?example=` fills the form with an example."""
    event = event_for_staff(request.user, event_id, "judge")
    examples = EXAMPLES.get(event.game, {})
    example = examples.get(request.GET.get("example", ""))
    form = QuestionForm(
        request.POST if request.method == "POST" else None, initial=example.filled() if example else None
    )
    answer: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            found = ask_move(event=event, **form.cleaned_data, language=language())
            answer = answer_words(event, found, face.audits.options_of(form.cleaned_data["position"]))
    context = {"event": event, "form": form, "examples": examples, **answer}
    return render(request, "web/judge/ask.html", context, status=422 if form.errors else 200)


@login_required
@rate_limited(UPLOADS)
def ask_table(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Enter the board of a match by card names, and ask whether a move is legal there.

    The `command` that is sent is one of:

    - `verb`: show the fields for the arguments of the chosen move
    - `ask`: answer the question
    - `board`: draw the board, on which moves can be tried
    - `remember`: hold this board in the form, to compare another with it
    - `compare`: show the differences from the remembered board
    - `keep`: save the board, the only action that stores anything; `?photos_of=` names a saved board whose photos are
      copied
    """
    board = _board(request, match_to_ask_about(request.user, match_id))
    command = request.POST.get("command", "")
    move = _move_form(request, command, board)
    if board.document and command == "keep" and (not move.is_bound or move.is_valid()):
        with refusals_on(board.form):
            return _keep(request, board, move)
    answer = _answer(board, move) if command == "ask" else {}
    drawn = _drawn(board) if command == "board" else {}
    remembered = request.POST.get("remembered", "")[:MAX_QUESTION]
    if board.document and command == "remember":
        remembered = json.dumps(board.document, ensure_ascii=False)
    faults = [*faults_of(board.form), *(faults_of(move) if command in ASKING else ())] if board.sent else []
    context = {
        **_board_context(board),
        "move": move,
        "faults": faults,
        "remembered": remembered,
        "differs": _differences(board.event, remembered, board.document, command, board.names),
        **answer,
        **drawn,
    }
    return render(request, "web/judge/ask_table.html", context, status=422 if faults else 200)


@dataclass(frozen=True)
class _Board:
    """The board of a match as a judge enters it, with the cards that its form offers.

    `document` is the position as the engine reads it; None unless a valid form was `sent`.
    """

    match: Match
    mat: Mat
    names: Mapping[str, str]  # of the cards, by reference
    decks: Mapping[str, Sequence[str]]  # by seat: the references of the registered list
    form: PositionForm
    sent: bool
    document: dict[str, Any] | None

    @property
    def event(self) -> Event:
        return self.match.round.stage.event

    @property
    def players(self) -> dict[str, str]:
        """The names of the players by seat, as the engine calls the seats."""
        seated = self.match.seats.select_related("entrant").order_by("number")
        return dict(zip(self.form.seats, (seat.entrant.full_name for seat in seated), strict=False))


def _board(request: HttpRequest, match: Match) -> _Board:
    event = match.round.stage.event
    declared = positions.declared(match, {})["seats"]
    names, seats = card_names(event), list(declared)
    mat = face.boards.mat_of(event.game, seats)
    decks = {seat: _refs(player["deck"]) for seat, player in declared.items()}
    sent = request.method == "POST"
    form = PositionForm(
        request.POST if sent else None, mat=mat, seats=seats, names=names, decks=decks, owned=_lists_are_complete(event)
    )
    document = positions.declared(match, form.start) if sent and form.is_valid() else None
    return _Board(match, mat, names, decks, form, sent, document)


def _lists_are_complete(event: Event) -> bool:
    """Whether every card in play is on a list. If not, the lists do not tell whose a card is."""
    return not face.tables.table_of(event.game).unlisted


def _answer(board: _Board, move: MoveForm) -> dict[str, Any]:
    """The engine's answer about a move, as the template takes it; empty if board or move are incomplete."""
    if board.document and move.is_valid():
        with refusals_on(move):
            asked = {"n": 1, **move.entry}
            found = ask_move(event=board.event, position=board.document, move=asked, language=language())
            return answer_words(board.event, found, {})
    return {}


def _drawn(board: _Board) -> dict[str, Any]:
    """The board as it is drawn, and what the rules in a browser need to try moves on it; empty if it is incomplete."""
    if not board.document:
        return {}
    with refusals_on(board.form):
        shown = positions.board_of(board.event, board.document)
        return {
            "drawn": board_html(shown, board.players, faces=card_faces(board.event)),
            "table": table_of(board.event, board.document, board.players),
            "rules": browser_rules(),
        }
    return {}


def _keep(request: SignedInRequest, board: _Board, move: MoveForm) -> HttpResponse:
    """Save the board, with its move if there is one, and show it."""
    kept = positions.keep_position(
        match=board.match,
        start=board.form.start,
        move={"n": 1, **move.entry} if move.is_bound else None,
        photos=photos_in(request),
        photos_of=_named(request, board.match),
        by=request.user,
        now=now(),
    )
    return redirect("web:position", kept.public_id)


def _board_context(board: _Board) -> dict[str, Any]:
    """What the template needs to show the form of the board."""
    form, mat, game, players = board.form, board.mat, board.event.game, board.players
    return {
        "event": board.event,
        "match": board.match,
        "form": form,
        "sent": board.sent,
        "turn": [_choices(form, "seat", players), _choices(form, "first", players)],
        "phases": [(phase, say(f"phase.{phase}") if phase else "?") for phase in ("", *mat.phases)],
        "sides": list(_sides(form, mat, players)),
        "notes": [(form[f"memory:{note}"], fact_words(f"memory.{note}", game)) for note in mat.notes],
        "marks": mat.marks,
        "lists": [(seat, _offered(seat, board.decks, board.names)) for seat in board.decks],
        "every": [] if _lists_are_complete(board.event) else sorted(set(board.names.values())),
        "players": players,
    }


def _named(request: HttpRequest, match: Match) -> Position | None:
    """The saved board of this match whose photos are to be copied; None if the address names none."""
    return match.positions.filter(public_id=request.GET.get("photos_of", "")).first()


def _offered(seat: str, decks: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> list[str]:
    """The card names suggested for a seat: those of its own list, then those of the others, which may lie there too."""
    own = {names[ref] for ref in decks[seat] if ref in names}
    others = {names[ref] for refs in decks.values() for ref in refs if ref in names} - own
    return [*sorted(own), *sorted(others)]


def _refs(deck: Mapping[str, Any]) -> list[str]:
    return [*deck["main"], *([deck["commander"]] if deck["commander"] else ())]


def _move_form(request: HttpRequest, command: str, board: _Board) -> MoveForm:
    """The form of the move, with fields for the arguments of the chosen verb.

    The cards of the acting seat's list come first in its choices.
    """
    names, decks, lying_cards = board.names, board.decks, board.form.lying
    mana = card_mana(board.event)
    verbs: Mapping[str, Sequence[Argument]] = arguments_of(board.event.game)
    own = dict.fromkeys([*decks.get(request.POST.get("by", ""), ()), *(ref for refs in decks.values() for ref in refs)])
    asked = command in ("ask", "remember") or (command == "keep" and request.POST.get("do"))
    return MoveForm(
        request.POST if asked else None,
        seats=list(decks),
        verbs={verb: verb_words(verb) for verb in verbs},
        arguments=verbs.get(request.POST.get("do", ""), ()),
        cards=[(ref, names[ref]) for ref in own if ref in names],
        places=[(lying.place, f"{names.get(lying.ref, '?')} ({fact_words(lying.place)})") for lying in lying_cards],
        mana={lying.place: given for lying in lying_cards if (given := mana.get(lying.ref, ()))},
    )


def _choices(form: PositionForm, name: str, players: Mapping[str, str]) -> dict[str, Any]:
    return {"field": form[name], "choices": [("", "?"), *((seat, players.get(seat, seat)) for seat in form.seats)]}


def _sides(form: PositionForm, mat: Mat, players: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The form fields of the board by owner: its counters, its cards in play, and its piles."""
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
    event: Event, remembered: str, document: Mapping[str, Any] | None, action: str, names: Mapping[str, str]
) -> list[dict[str, Any]] | None:
    """How the board differs from the remembered one; None if none is remembered or it cannot be compared."""
    if not remembered or document is None or action == "remember":
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
