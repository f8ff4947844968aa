"""Seat links: an address, printed as a QR code, that lets whoever holds it look at one seat and check it in.

It is signed with the installation's key and kept nowhere. It opens no account: reporting and decklists need one.
"""

from django.core.signing import Signer
from django.utils.crypto import constant_time_compare

from tournaments.events.models import Entrant

SALT = "arbitre.seat"


def seat_signature(entrant: Entrant) -> str:
    """The secret half of an entrant's seat link."""
    return Signer(salt=SALT).signature(entrant.public_id)


def opens_seat(entrant: Entrant, signature: str) -> bool:
    """Whether a signature is that of this entrant."""
    return constant_time_compare(signature, seat_signature(entrant))
