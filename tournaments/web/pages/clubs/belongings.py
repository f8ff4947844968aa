"""Give a format or a card catalogue to a club, or back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.clubs import belongings
from tournaments.clubs.access import club_for_staff
from tournaments.clubs.models import Club
from tournaments.common.clock import now
from tournaments.decks.access import catalogue_for_owner
from tournaments.events.access import format_for_owner
from tournaments.web.requests import SignedInRequest


@login_required
@require_POST
def format_club(request: SignedInRequest, format_id: str) -> HttpResponse:
    """Give a saved format to the chosen club; no club gives it back."""
    saved, club = format_for_owner(request.user, format_id), _chosen(request)
    belongings.give_format(saved=saved, club=club, by=request.user, now=now())
    _confirm(request, club)
    return redirect("web:formats")


@login_required
@require_POST
def catalogue_club(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give all versions of a catalogue to the chosen club; no club gives them back."""
    catalogue, club = catalogue_for_owner(request.user, pk), _chosen(request)
    given = belongings.give_catalogue(catalogue=catalogue, club=club, by=request.user, now=now())
    _confirm(request, club)
    return redirect("web:catalogue", given.pk) if club or given.owner == request.user else redirect("web:catalogues")


def _chosen(request: SignedInRequest) -> Club | None:
    club_id = request.POST.get("club", "")
    return club_for_staff(request.user, club_id, "manage") if club_id else None


def _confirm(request: SignedInRequest, club: Club | None) -> None:
    if club is None:
        messages.success(request, _("It no longer belongs to a club."))
    else:
        messages.success(
            request, _("It now belongs to %(club)s, and its owners and organizers can use it.") % {"club": club.name}
        )
