"""What others read of the site: the pictures beside a link, robots.txt and the sitemap."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.audits.access import feature_for_viewer
from tournaments.events.access import event_for_viewer
from tournaments.leagues.access import league_for_viewer
from tournaments.web.languages import language_in_address
from tournaments.web.previews import event_preview, feature_preview, league_preview, send_picture
from tournaments.web.search_engines import places, robots_text

HOUR = "public, max-age=3600"


@require_safe
@language_in_address
def preview(request: HttpRequest, event_id: str) -> HttpResponse:
    """The picture of an event. A draft has none, not even for its staff."""
    return send_picture(request, event_preview(event_for_viewer(AnonymousUser(), event_id)))


@require_safe
@language_in_address
def watch_preview(request: HttpRequest, match_id: str) -> HttpResponse:
    """The picture of a feature match."""
    return send_picture(request, feature_preview(feature_for_viewer(AnonymousUser(), match_id)))


@require_safe
@language_in_address
def league_preview_picture(request: HttpRequest, league_id: str) -> HttpResponse:
    """The picture of a league that is unlisted or public."""
    return send_picture(request, league_preview(league_for_viewer(AnonymousUser(), league_id)))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """The file that tells the programs of search engines which pages not to open."""
    return HttpResponse(robots_text(), content_type="text/plain; charset=utf-8", headers={"Cache-Control": HOUR})


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """The list of pages for search engines."""
    response = render(request, "web/public/sitemap.xml", {"places": places()}, content_type="application/xml")
    response["Cache-Control"] = HOUR
    return response
