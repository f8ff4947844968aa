"""Two people act at once on the invitation to an entry: it takes effect once."""

import pytest

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tests.play.test_races import at_once
from tournaments.accounts.services import own_person
from tournaments.events import entry_invitations as invitations
from tournaments.events.entering import Newcomer, enter_people
from tournaments.events.models import EntryInvitation

pytestmark = pytest.mark.django_db(transaction=True)


def test_if_two_accounts_accept_an_invitation_at_once_one_wins(cast: Cast) -> None:
    people = [Newcomer("Player 7", email="seven@example.com")]
    event = an_open_event(cast)
    (entrant,) = enter_people(event=event, people=people, by=cast.scorekeeper, now=NOW, invite=True).entrants
    one, two = (EntryInvitation.objects.select_related("entrant").get() for _user in range(2))
    mine, theirs = own_person(cast.player), own_person(cast.stranger)
    told = at_once(
        lambda: invitations.accept(invitation=one, person=mine, by=cast.player, now=NOW),
        lambda: invitations.accept(invitation=two, person=theirs, by=cast.stranger, now=NOW),
    )
    assert told == ["done", "invitation_spent"]
    assert entrant.member_set.get().person in (mine, theirs)


def test_if_the_desk_invites_everybody_twice_at_once_each_gets_one_letter(cast: Cast) -> None:
    event = an_open_event(cast)
    people = [Newcomer("Player 7", email="seven@example.com"), Newcomer("Player 8", email="eight@example.com")]
    enter_people(event=event, people=people, by=cast.scorekeeper, now=NOW)
    counts = []

    def invite() -> None:
        counts.append(invitations.invite(event=event, by=cast.scorekeeper, now=NOW))

    assert at_once(invite, invite) == ["done", "done"]
    assert sorted(counts) == [0, 2]
