"""Seat links: an address, printed as a QR code, that lets whoever holds it look at one seat and check it in.

It is signed with the installation's key and kept nowhere. It opens no account: reporting and decklists need one.
"""

from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Entrant

SALT = "arbitre.seat"


def seat_signature(entrant: Entrant) -> str:
    """The secret half of an entrant's seat link."""
    return signature_of(entrant.public_id, salt=SALT)


def opens_seat(entrant: Entrant, signature: str) -> bool:
    """Whether a signature is that of this entrant."""
    return is_signature(signature, entrant.public_id, salt=SALT)
