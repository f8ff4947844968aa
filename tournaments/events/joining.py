"""The join link of an event: a QR code on the desk, for players who have no account yet.

The link is signed with the installation's key and not stored. It opens nothing but the event's page. People who came by
it sign up under the rate limits of the event instead of those of their network address, as everybody in the hall shares
that. To a private event it is the invitation: see `events.listing`.
"""

from typing import Any

from django.http import Http404
from django.urls import get_script_prefix

from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Event

SALT = "arbitre.join"
_OPEN = (Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)


def join_signature(event: Event) -> str:
    """The signature in an event's join link."""
    return signature_of(_signed(event), salt=SALT)


def _signed(event: Event) -> str:
    # The first link has no number, so that the links of older events stay valid.
    return f"{event.public_id}:{event.join_links}" if event.join_links else event.public_id


def join_address(event: Event, site: str) -> str:
    """The full join link of an event. `site` is the origin, such as `https://example.org`."""
    return f"{site}{get_script_prefix()}join/{event.public_id}/{join_signature(event)}/"


def event_for_join(public_id: str, signature: str) -> Event:
    """The event of a join link; 404 if the signature is wrong or was replaced, or if the event is a draft."""
    event = Event.objects.filter(public_id=public_id).first()
    if event is None or not event.is_public or not is_signature(signature, _signed(event), salt=SALT):
        raise Http404
    return event


def lets_in(public_id: Any) -> bool:
    """Whether an event is open to newcomers: from the opening of its registration to its end."""
    return bool(public_id) and Event.objects.filter(public_id=public_id, status__in=_OPEN).exists()
