"""The public profile of a player, the matches of two players, and the page on which a profile is switched on."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.accounts.guardians import person_for_guardian, persons_of
from tournaments.common.clock import now
from tournaments.profiles.access import profile_for_viewer
from tournaments.profiles.history import Lines, career_of, head_to_head
from tournaments.profiles.models import Profile
from tournaments.profiles.selectors import follows_player, profile_of
from tournaments.profiles.services import hide_profile, show_profile
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.profiles.forms import profile_form
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest

EVENTS_A_PAGE = 50
MATCHES_A_PAGE = 100


def _unindexed(response: HttpResponse, *profiles: Profile) -> HttpResponse:
    """Keep a page out of search engines unless everybody whose profile it shows allows them."""
    if not all(profile.searchable for profile in profiles):
        response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def profile(request: HttpRequest, who: str) -> HttpResponse:
    """The public profile of a player: what they say, what they have played, and how."""
    shown = profile_for_viewer(who)
    career = career_of(shown.person)
    page = page_of(request, Lines(career), EVENTS_A_PAGE)
    context = {
        "profile": shown,
        "career": career,
        "page_of": page,
        "followed": follows_player(request.user, shown),
        "mine": request.user.is_authenticated and shown.person.account_id == request.user.pk,
    }
    return _unindexed(render(request, "web/profiles/profile.html", context), shown)


@require_safe
def against(request: HttpRequest, who: str, other: str) -> HttpResponse:
    """The matches of two players who both have a public profile."""
    first, second = profile_for_viewer(who), profile_for_viewer(other)
    if first == second:
        raise Http404
    found = head_to_head(first, second)
    context = {"found": found, "page_of": page_of(request, found.encounters, MATCHES_A_PAGE)}
    return _unindexed(render(request, "web/profiles/against.html", context), first, second)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_profile(request: SignedInRequest, person_id: str) -> HttpResponse:
    """Switch the public profile of a person on or off, and change it; for the account that acts for the person."""
    person = person_for_guardian(request.user, person_id)
    shown = profile_of(person)
    form = profile_form(shown, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            values = dict(form.cleaned_data)
            if values.pop("shown"):
                show_profile(person=person, now=now(), **values)
                messages.success(request, _("The public profile is saved."))
            else:
                hide_profile(person=person)
                messages.success(request, _("The public profile is turned off."))
            return redirect("web:own_profile", person.public_id)
    context = {"person": person, "profile": shown, "form": form, "own": person == persons_of(request.user)[0]}
    return render(request, "web/profiles/own_profile.html", context, status=422 if form.errors else 200)
