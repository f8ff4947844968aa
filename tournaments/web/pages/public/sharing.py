"""What others read of the site: the pictures beside a link, robots.txt, security.txt and the sitemap."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.audits.access import feature_for_viewer
from tournaments.common.clock import now
from tournaments.common.mail import address_of
from tournaments.events.access import event_for_viewer
from tournaments.leagues.access import league_for_viewer
from tournaments.web.languages import language_in_address
from tournaments.web.previews import event_preview, feature_preview, league_preview, send_picture
from tournaments.web.search_engines import places, robots_text

HOUR = "public, max-age=3600"
SECURITY_DAYS = 180  # for which security.txt says that it holds; RFC 9116 recommends less than a year


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
def security(request: HttpRequest) -> HttpResponse:
    """Whom to tell about a weakness of this installation (RFC 9116): CONTACT, else the contact page."""
    ends = datetime.combine(now().date() + timedelta(days=SECURITY_DAYS), time(), UTC)
    lines = [
        f"Contact: {f'mailto:{settings.CONTACT}' if settings.CONTACT else address_of(reverse('web:contact'))}",
        f"Expires: {ends:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _name in settings.LANGUAGES)}",
        f"Canonical: {address_of(reverse('web:security_txt'))}",
    ]
    text = "".join(f"{line}\n" for line in lines)
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers={"Cache-Control": HOUR})


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """The list of pages for search engines."""
    response = render(request, "web/public/sitemap.xml", {"places": places()}, content_type="application/xml")
    response["Cache-Control"] = HOUR
    return response
