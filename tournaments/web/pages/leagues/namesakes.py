"""The names that a league has twice: the page on which its manager says who is the same player."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.leagues.access import league_for_manager
from tournaments.leagues.models import League
from tournaments.leagues.namesakes import merge_namesakes, merged_in, namesakes_of, split_namesake
from tournaments.web.requests import SignedInRequest

MOST = 200  # names merged at once


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_namesakes(request: SignedInRequest, league_id: str) -> HttpResponse:
    """The names that are there twice; a POST marks players as the same (`same`), or splits one off again (`split`)."""
    league = league_for_manager(request.user, league_id)
    if request.method == "POST":
        if split := request.POST.get("split"):
            split_namesake(league=league, player=split, by=request.user, now=now())
            messages.success(request, _("They are two players again."))
        else:
            selected = " ".join(request.POST.getlist("player")[:MOST])
            _merge(request, league, [selected] if selected else request.POST.getlist("same")[:MOST])
        return redirect("web:league_namesakes", league_id)
    found = namesakes_of(league, request.user)
    context = {
        "league": league,
        "namesakes": found,
        "clear": [group for group in found if not group.apart],
        "merged": merged_in(league, request.user),
    }
    return render(request, "web/leagues/namesakes.html", context)


def _merge(request: SignedInRequest, league: League, groups: list[str]) -> None:
    """Merge each group of ids; one that is refused, as its entries changed meanwhile, does not hold up the others."""
    done = 0
    for group in groups:
        try:
            merge_namesakes(league=league, players=group.split(), by=request.user, now=now())
            done += 1
        except (InvalidInput, Refusal) as refusal:
            messages.error(request, str(refusal.message))
    if done:
        sentence = ngettext(
            "%(n)d name now counts as one player. You can split it again below.",
            "%(n)d names now count as one player each. You can split them again below.",
            done,
        )
        messages.success(request, sentence % {"n": done})
