"""Printouts: what can be printed, pages to print from the browser, and PDFs."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, may, may_read_hidden, plays
from tournaments.paper.access import ROUND_KINDS, event_for_paper, paper_for_staff
from tournaments.paper.models import Paper
from tournaments.paper.selectors import document_of_paper, file_name, state_of
from tournaments.paper.services import request_pdf
from tournaments.paper.sheets import sheets_of
from tournaments.play.models import Round
from tournaments.web.answers import show
from tournaments.web.rate_limits import PAPERS, rate_limited
from tournaments.web.requests import SignedInRequest

Kind = Paper.Kind
WORDS = {
    Kind.ROUND: (_("The whole round"), _("Both lists of pairings, the match slips and the standings, in one file.")),
    Kind.SLIPS: (_("Match slips"), _("Four per page. Once you cut the pile, the slips are in table order.")),
    Kind.BY_NAME: (_("Pairings by name"), _("For the wall: players look up their own name.")),
    Kind.BY_TABLE: (_("Pairings by table"), _("For the desk.")),
    Kind.STANDINGS: (_("Standings"), _("After the last closed round.")),
    Kind.FINAL: (_("Final ranking"), _("One ranking over all stages, the bracket's places first.")),
    Kind.SEATS: (_("Seats by name"), _("For the player meeting, before any round: two players per table.")),
    Kind.SEAT_LINKS: (
        _("Seat links"),
        _("A card with a QR code for each player, to check in and find their seat without an account."),
    ),
    Kind.DECKS: (_("Deck checks"), _("Each registered list on its own page, with a box to tick for each card.")),
}


def _number(given: str | None) -> int | None:
    """The round number in a form or an address; None if there is none."""
    return int(given) if given and given.isdecimal() and len(given) < 5 else None


@login_required
@require_safe
def printing(request: HttpRequest, event_id: str) -> HttpResponse:
    """Everything that can be printed of an event, for the round in `?round=` or the newest one."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    rounds = list(Round.objects.filter(stage__event=event).order_by("number"))
    if plays(request.user, event):  # staff who play must not see draft pairings
        rounds = [each for each in rounds if each.status != Round.Status.DRAFT]
    wanted = _number(request.GET.get("round"))
    chosen = next((each for each in rounds if each.number == wanted), rounds[-1] if rounds else None)
    closed = {
        kind
        for kind, opened in (
            (Kind.DECKS, may_read_hidden(request.user, event, "read_decks")),
            (Kind.SEAT_LINKS, may(request.user, event, "run_desk")),
        )
        if not opened
    }
    context = {
        "event": event,
        "rounds": rounds,
        "chosen": chosen,
        "of_round": [(kind, *WORDS[kind]) for kind in WORDS if kind in ROUND_KINDS] if chosen else [],
        "of_event": [(kind, *WORDS[kind]) for kind in WORDS if kind not in ROUND_KINDS and kind not in closed],
    }
    return render(request, "print/desk.html", context)


@login_required
@require_safe
def print_page(request: HttpRequest, event_id: str, kind: str) -> HttpResponse:
    """A sheet as a web page, to be printed on A4 from the browser."""
    _known(kind)
    event, round_ = event_for_paper(request.user, event_id, kind, _number(request.GET.get("round")))
    context = {
        "event": event,
        "round": round_,
        "sheets": sheets_of(event, round_, kind, _site(request)),
        "words": WORDS[Kind(kind)][0],
    }
    return render(request, "print/sheets.html", context)


@login_required
@require_POST
@rate_limited(PAPERS)
def print_pdf(request: SignedInRequest, event_id: str, kind: str) -> HttpResponse:
    """Request a PDF. A small one is made at once; for a large one, a page shows the progress of the job."""
    _known(kind)
    event, round_ = event_for_paper(request.user, event_id, kind, _number(request.POST.get("round")))
    language = get_language() or "en"
    made = request_pdf(
        event=event,
        kind=kind,
        round_=round_,
        language=language,
        site=_site(request),
        by=request.user,
        now=now(),
    )
    return redirect("web:paper_file" if made.document is not None else "web:paper", made.public_id)


def _site(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _known(kind: str) -> None:
    if kind not in Kind.values:
        raise Http404


@login_required
@require_safe
def paper(request: HttpRequest, paper_id: str) -> HttpResponse:
    """The progress of a PDF, and its download link."""
    shown = paper_for_staff(request.user, paper_id)
    context = {
        "event": shown.event,
        "paper": shown,
        "state": state_of(shown),
        "words": WORDS[Kind(shown.kind)][0],
        "address": request.path,
    }
    return show(request, "print/paper.html", context, fragment="print/_paper.html")


@login_required
@require_safe
def paper_file(request: HttpRequest, paper_id: str) -> HttpResponse:
    """The PDF file."""
    shown = paper_for_staff(request.user, paper_id)
    document = document_of_paper(shown)
    if document is None:
        return redirect("web:paper", paper_id)
    answer = HttpResponse(document, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{file_name(shown)}"'
    answer["Cache-Control"] = "no-store"
    return answer
