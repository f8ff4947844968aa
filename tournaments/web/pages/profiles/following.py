"""What an account follows: the buttons on the pages of events and players, and the list of it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.events.access import event_for_viewer
from tournaments.notices.models import Kind
from tournaments.notices.selectors import gets_letter
from tournaments.profiles import services
from tournaments.profiles.access import profile_for_viewer
from tournaments.profiles.selectors import follows_of
from tournaments.web.answers import safe_next
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest


@never_cache
@login_required
@require_safe
def following(request: SignedInRequest) -> HttpResponse:
    """The events and players that the reader follows, newest first."""
    context = {
        "page_of": page_of(request, follows_of(request.user)),
        "letters": gets_letter(request.user, Kind.FOLLOWED),
    }
    return render(request, "web/profiles/following.html", context)


@login_required
@require_POST
def event_follow(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Follow an event, or stop following it (`stop`)."""
    event = event_for_viewer(request.user, event_id)
    if "stop" in request.POST:
        services.stop_following(user=request.user, event=event)
    else:
        services.follow_event(user=request.user, event=event, now=now())
    return redirect(safe_next(request, reverse("web:event", args=[event.public_id])))


@login_required
@require_POST
def player_follow(request: SignedInRequest, who: str) -> HttpResponse:
    """Follow a player with a public profile, or stop following them (`stop`)."""
    profile = profile_for_viewer(who)
    if "stop" in request.POST:
        services.stop_following(user=request.user, profile=profile)
    else:
        services.follow_player(user=request.user, profile=profile, now=now())
    return redirect(safe_next(request, reverse("web:profile", args=[profile.address])))
