"""Signed links survive a change of the installation's key, as long as the old key is among the fallbacks."""

from collections.abc import Callable

import pytest
from django.http import Http404

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.access import entrant_for_seat_link
from tournaments.events.claims import claim_signature, entrant_for_claim
from tournaments.events.invitations import invitation_for_holder, invite, secret_of
from tournaments.events.joining import event_for_join, join_signature
from tournaments.events.seats import seat_signature
from tournaments.events.services import add_entrant
from tournaments.notices.services import SALT, reader_of

pytestmark = pytest.mark.django_db
Link = Callable[[], object]


@pytest.fixture
def links(cast: Cast) -> dict[str, Link]:
    """A function that opens each kind of link, signed with the current key."""
    event = an_open_event(cast)
    entrant = add_entrant(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    made = invite(event=event, role="judge", by=cast.organizer, now=NOW)
    seat, join, claim, invitation = (
        seat_signature(entrant),
        join_signature(event),
        claim_signature(entrant),
        secret_of(made),
    )
    told = cast.player.public_id, "pairing"
    letters = signature_of(":".join(told), salt=SALT)
    return {
        "seat": lambda: entrant_for_seat_link(entrant.public_id, seat),
        "join": lambda: event_for_join(event.public_id, join),
        "claim": lambda: entrant_for_claim(entrant.public_id, claim),
        "invitation": lambda: invitation_for_holder(made.public_id, invitation),
        "letters": lambda: reader_of(*told, letters),
    }


def test_links_survive_a_change_of_the_key_only_if_the_old_one_is_a_fallback(links: dict[str, Link], settings) -> None:
    before, settings.SECRET_KEY = settings.SECRET_KEY, "n" * 40
    for opened in links.values():
        with pytest.raises(Http404):
            opened()
    settings.SECRET_KEY_FALLBACKS = [before]
    assert all(opened() for opened in links.values())


def test_a_signature_is_valid_only_for_its_value_and_purpose() -> None:
    signature = signature_of("e-1", salt="one")
    assert is_signature(signature, "e-1", salt="one")
    for other, value, salt in ((signature, "e-2", "one"), (signature, "e-1", "two"), (f"x:{signature}", "e-1", "one")):
        assert not is_signature(other, value, salt=salt)
