"""Visitors who came by an event's join link: they are remembered in a cookie, and sign up under the event's limits."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.events.joining import lets_in
from tournaments.events.models import Event
from tournaments.web.rate_limits import EVENT_SIGN_UPS, HALL_SIGN_UPS, SIGN_UPS, address_of

COOKIE = "joining"
HALF_A_DAY = 12 * 3600


def remember(request: HttpRequest, response: HttpResponse, event: Event) -> None:
    """Set a signed cookie with the event whose join link was opened, valid for half a day."""
    response.set_signed_cookie(
        COOKIE,
        event.public_id,
        salt=COOKIE,
        max_age=HALF_A_DAY,
        samesite="Lax",
        secure=request.is_secure(),
        httponly=True,
    )


def limit_sign_up(request: HttpRequest) -> None:
    """Count an attempt to sign up, against the rate limit of the network address.

    Visitors who came by the join link of an open event count against the higher limits of a hall and of that event.
    Raises TooMany `too_many_attempts` beyond a limit.
    """
    event_id = request.get_signed_cookie(COOKIE, default=None, salt=COOKIE, max_age=HALF_A_DAY)
    if lets_in(event_id):
        HALL_SIGN_UPS.count_or_refuse(address_of(request))
        EVENT_SIGN_UPS.count_or_refuse(str(event_id))
        return
    told = _(
        "Many people on this network have created an account within the last hour. At an event, scan the QR code or "
        "open the link that the organizer shows, then sign up; otherwise wait a while."
    )
    SIGN_UPS.count_or_refuse(address_of(request), told=told)
