"""Seat links: an address, printed as a QR code, with which its holder can see one entrant's seat and check in.

It is signed with the installation's key and not stored. It does not sign in to an account: reporting results and
reading decklists need one.
"""

from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Entrant

SALT = "arbitre.seat"


def seat_signature(entrant: Entrant) -> str:
    """The signature in an entrant's seat link."""
    return signature_of(entrant.public_id, salt=SALT)


def opens_seat(entrant: Entrant, signature: str) -> bool:
    """Whether this is the signature of the entrant's seat link."""
    return is_signature(signature, entrant.public_id, salt=SALT)
