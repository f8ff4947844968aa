"""The link by which an organizer lets a hall in: a QR code on the desk, for people who have no account yet.

It is signed with the installation's key and kept nowhere. It opens nothing but the event's page; who came by it signs
up under the bounds of the event, since a hall shares one network address.
"""

from typing import Any

from django.http import Http404
from django.urls import get_script_prefix

from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Event

SALT = "arbitre.join"
_OPEN = (Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)


def join_signature(event: Event) -> str:
    """The secret half of an event's link."""
    return signature_of(event.public_id, salt=SALT)


def join_address(event: Event, site: str) -> str:
    """The link of an event."""
    return f"{site}{get_script_prefix()}join/{event.public_id}/{join_signature(event)}/"


def event_for_join(public_id: str, signature: str) -> Event:
    """The event whose link is held; one that everybody may see."""
    event = Event.objects.filter(public_id=public_id).first()
    if event is None or not event.is_public or not is_signature(signature, public_id, salt=SALT):
        raise Http404
    return event


def lets_in(public_id: Any) -> bool:
    """Whether people still come to an event: from its registration to its end."""
    return bool(public_id) and Event.objects.filter(public_id=public_id, status__in=_OPEN).exists()
