"""Who came by an organizer's link: remembered in a signed cookie, and signing up under the bounds of the event."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.events.joining import lets_in
from tournaments.events.models import Event
from tournaments.web.brakes import EVENT_SIGN_UPS, HALL_SIGN_UPS, SIGN_UPS, address_of

COOKIE = "joining"
HALF_A_DAY = 12 * 3600


def remember(request: HttpRequest, response: HttpResponse, event: Event) -> None:
    """Note in the browser, for half a day, by which event's link it came."""
    response.set_signed_cookie(
        COOKIE,
        event.public_id,
        salt=COOKIE,
        max_age=HALF_A_DAY,
        samesite="Lax",
        secure=request.is_secure(),
        httponly=True,
    )


def brake_sign_up(request: HttpRequest) -> None:
    """Count an attempt to sign up: of the network address, or, for who came by the link of an event, of a hall and of
    that event. Raises `too_many_attempts`.
    """
    event_id = request.get_signed_cookie(COOKIE, default=None, salt=COOKIE, max_age=HALF_A_DAY)
    if lets_in(event_id):
        HALL_SIGN_UPS.pass_or_refuse(address_of(request))
        EVENT_SIGN_UPS.pass_or_refuse(str(event_id))
        return
    told = _(
        "Many people of this network have signed up within an hour. At an event, scan the QR code or open the link "
        "that the organizer shows, then sign up; else wait a while."
    )
    SIGN_UPS.pass_or_refuse(address_of(request), told=told)
