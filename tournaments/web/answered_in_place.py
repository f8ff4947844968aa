"""Answer a report with what it changes on the seat page, where that page is open already: no second request for it.

The script that sends the form (`offline.js`) names the page that it shows. If the form leads back to that page, and the
stream would bring it all that a report changes, the answer is just that, in the form of a message of the stream. Any
other browser is redirected as usual.
"""

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlsplit

from django.contrib.messages import get_messages
from django.http import HttpResponse, JsonResponse
from django.urls import get_script_prefix, resolve

from tournaments.play.loading import matches_named, own_seat
from tournaments.web.live.positions import positions
from tournaments.web.live.seats import parts_after_report
from tournaments.web.requests import SignedInRequest

SHOWN = "X-Shown-Page"
"""The header with the path and query of the page that the form was sent from."""
ACCOUNT = "X-Account"
"""The header of the answer that says whose page it is: another account may have signed in since the page was loaded."""
View = Callable[[SignedInRequest, str], HttpResponse]


def answered_in_place(view: View) -> View:
    """Decorate a view in which a player reports or confirms the result of a match.

    Apply it outside `accepted_once`, so that nothing stays locked while the answer is made.
    """

    @wraps(view)
    def answered(request: SignedInRequest, match_id: str) -> HttpResponse:
        response = view(request, match_id)
        shown = request.headers.get(SHOWN, "")
        # Messages need a whole page.
        if not shown or response.get("Location") != shown or len(get_messages(request)):
            return response
        return _in_place(request, match_id, shown) or response

    return answered


def _in_place(request: SignedInRequest, match_id: str, shown: str) -> HttpResponse | None:
    path = urlsplit(shown).path.removeprefix(get_script_prefix())
    event = resolve(f"/{path}").kwargs["event_id"]
    revision = positions([event])[event].number  # read first, so that the parts are not older
    (match,) = matches_named([match_id])
    seat = own_seat(match, request.user)
    parts = parts_after_report(match, seat) if seat else None
    if parts is None:
        return None
    return JsonResponse({"revision": revision, "parts": parts}, headers={ACCOUNT: request.user.public_id})
