"""Invitations to take over an entry: addresses from a file become letters, and their links take entries over."""

from datetime import timedelta

import pytest
from django.core import mail

from tests.builders import NOW, an_entrant, an_event, an_open_event
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.accounts.models import Person, User
from tournaments.accounts.services import erase_account, erase_person, own_person
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events import entry_invitations as invitations
from tournaments.events import imports
from tournaments.events.claims import claim_entry
from tournaments.events.entering import Newcomer, enter_people
from tournaments.events.entry_files import read_file
from tournaments.events.entry_invitations import State, invited_of
from tournaments.events.models import Entrant, EntryInvitation, Event
from tournaments.events.selectors import entrants_of
from tournaments.events.services import cancel_event, open_registration

PEOPLE = (Newcomer("Player 7", email="seven@example.com"), Newcomer("Player 8", email="EIGHT@example.com"))
LATER = NOW + invitations.AGAIN_AFTER + timedelta(minutes=1)


def entered(event: Event, cast: Cast, *, invite: bool = True) -> list[Entrant]:
    made = enter_people(event=event, people=PEOPLE, by=cast.scorekeeper, now=NOW, invite=invite)
    return list(made.entrants)


def states(event: Event, now=NOW) -> list[str]:
    return [each.state for each in invited_of(event, entrants_of(event).order_by("pk"), now)]


def posted(now=NOW) -> list[mail.EmailMessage]:
    jobs.run_due(now)
    return mail.outbox


def invitation_of(entrant: Entrant) -> EntryInvitation:
    return entrant.entry_invitations.select_related("entrant__event").latest("pk")


def accepted(entrant: Entrant, user: User, now=NOW) -> Entrant:
    return invitations.accept(invitation=invitation_of(entrant), person=own_person(user), by=user, now=now)


PRETIX = "Order code,Email,Attendee name,Attendee email\nA1,buyer@example.org,Player 12,p12@example.org\n"
STARTGG = "Id,Email,Short GamerTag\n1,p12@example.org,Player 12\n"
ORDERED = "Order code,Email,Attendee name\nA1,buyer@example.org,Player 12\n"
PAID = "Référence commande;Nom participant;Prénom participant;Email payeur\n1;12;Player;buyer@example.org\n"


@pytest.mark.parametrize(
    ("file", "email"), [(PRETIX, "p12@example.org"), (STARTGG, "p12@example.org"), (ORDERED, ""), (PAID, "")]
)
def test_the_address_of_the_attendee_is_read_and_never_that_of_the_buyer(file: str, email: str) -> None:
    assert [line.email for line in read_file(file.encode(), {}).lines] == [email]


def test_a_buyers_address_is_read_if_its_column_is_chosen() -> None:
    chosen = {"columns": ["", "email", "name"]}
    assert read_file(ORDERED.encode(), chosen).lines[0].email == "buyer@example.org"


def test_an_address_that_cannot_be_read_does_not_keep_the_player_out() -> None:
    file = read_file(b"name,email\nPlayer 1,none\nPlayer 2,\nPlayer 3,Player <P3@Example.com>\n", {})
    assert [(line.faults, line.email, line.email_wrong) for line in file.lines] == [
        ((), "", True),
        ((), "", False),
        ((), "p3@example.com", False),
    ]


def test_confirming_a_file_invites_everybody_with_an_address_once(cast: Cast) -> None:
    event = an_open_event(cast)
    document = b"name,email\nPlayer 7,seven@example.com\nPlayer 8,\nPlayer 9,nine@example.com\n"
    sent = imports.open_import(event=event, document=document, by=cast.scorekeeper, now=NOW)
    assert imports.preview_of(sent).invitable == 2
    imports.confirm_import(entry_import=sent, by=cast.scorekeeper, now=NOW, invite=True)
    assert states(event) == [State.SENDING, State.NO_ADDRESS, State.SENDING]
    for _twice in range(2):
        letters = posted()
        assert [letter.to for letter in letters] == [["seven@example.com"], ["nine@example.com"]]
    assert states(event) == [State.INVITED, State.NO_ADDRESS, State.INVITED]
    entries = LedgerEntry.objects.filter(chain=event.public_id)
    assert "entrant.invited" in {entry.code for entry in entries}
    assert not any("@" in str((entry.after, entry.before)) for entry in entries)


def test_without_the_checkbox_nobody_gets_a_letter_until_the_desk_invites_all(cast: Cast) -> None:
    event = an_open_event(cast)
    entered(event, cast, invite=False)
    an_entrant(event, cast.player)
    assert (posted(), states(event)) == ([], [State.NOT_INVITED, State.NOT_INVITED, State.ACCOUNT])
    assert invitations.invite(event=event, by=cast.scorekeeper, now=NOW) == 2
    assert invitations.invite(event=event, by=cast.scorekeeper, now=NOW) == 0
    assert len(posted()) == 2


def test_letters_are_in_the_language_of_the_account_or_else_of_the_inviter(cast: Cast) -> None:
    User.objects.filter(pk=cast.stranger.pk).update(language="it", email="seven@example.com")
    User.objects.filter(pk=cast.scorekeeper.pk).update(language="fr")
    cast.scorekeeper.refresh_from_db()
    entered(an_open_event(cast), cast)
    seven, eight = posted()
    assert 'lang="it"' in seven.alternatives[0][0] and 'lang="fr"' in eight.alternatives[0][0]


def test_only_those_who_have_not_answered_get_another_letter_and_only_after_a_day(cast: Cast) -> None:
    event = an_open_event(cast)
    seven, _eight = entered(event, cast)
    posted()
    assert invitations.invite(event=event, by=cast.scorekeeper, now=NOW, again=True) == 0
    accepted(seven, cast.stranger)
    assert invitations.invite(event=event, by=cast.scorekeeper, now=LATER, again=True) == 1
    assert [letter.to for letter in posted(LATER)[2:]] == [["eight@example.com"]]


def test_of_two_accounts_that_accept_one_wins_and_for_it_accepting_is_idempotent(cast: Cast) -> None:
    event = an_open_event(cast)
    seven, _eight = entered(event, cast)
    for _twice in range(2):
        accepted(seven, cast.stranger)
    with assert_refused("invitation_spent"):
        accepted(seven, cast.player)
    assert seven.member_set.get().person.account == cast.stranger
    assert not Person.objects.filter(given_name="Player 7").exists()
    assert (invitation_of(seven).email, states(event)[0]) == ("", State.TAKEN_OVER)


def test_an_account_with_the_address_has_nothing_until_it_accepts(cast: Cast) -> None:
    event = an_open_event(cast)
    made = enter_people(
        event=event, people=[Newcomer("P", email=cast.player.email)], by=cast.scorekeeper, now=NOW, invite=True
    )
    posted()
    assert made.entrants[0].member_set.get().person.account is None


def test_a_person_who_is_in_the_event_already_leaves_the_invitation_open(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    seven, _eight = entered(event, cast)
    with assert_refused("already_registered"):
        accepted(seven, cast.player)
    accepted(seven, cast.stranger)


@pytest.mark.parametrize("address", ["", "right@example.com"])
def test_correcting_or_deleting_the_address_makes_the_old_link_invalid(cast: Cast, address: str) -> None:
    event = an_open_event(cast)
    seven, _eight = entered(event, cast)
    posted()
    old = invitation_of(seven)
    invitations.set_address(entrant=seven, email=address, by=cast.scorekeeper, now=NOW)
    with assert_refused("invitation_spent"):
        invitations.accept(invitation=old, person=own_person(cast.stranger), by=cast.stranger, now=NOW)
    assert states(event)[0] == (State.NOT_INVITED if address else State.NO_ADDRESS)
    assert invitations.invite(event=event, by=cast.scorekeeper, now=NOW) == bool(address)
    assert not EntryInvitation.objects.filter(email="seven@example.com").exists()


def test_an_address_by_hand_has_to_be_one_and_for_an_entry_without_an_account(cast: Cast) -> None:
    event = an_open_event(cast)
    seven, _eight = entered(event, cast)
    with assert_refused("address_invalid"):
        invitations.set_address(entrant=seven, email="none", by=cast.scorekeeper, now=NOW)
    with assert_refused("already_claimed"):
        theirs = an_entrant(event, cast.player)
        invitations.set_address(entrant=theirs, email="a@example.com", by=cast.scorekeeper, now=NOW)


def test_one_address_has_at_most_twenty_invitations_in_an_event(cast: Cast) -> None:
    event = an_open_event(cast)
    people = [Newcomer(f"Player {number}", email="club@example.com") for number in range(22)]
    made = enter_people(event=event, people=people, by=cast.scorekeeper, now=NOW)
    assert EntryInvitation.objects.count() == invitations.AT_ONE_ADDRESS
    with assert_refused("too_many_invitations"):
        last = made.entrants[-1]
        invitations.set_address(entrant=last, email="club@example.com", by=cast.scorekeeper, now=NOW)


def test_an_account_sends_a_bounded_number_of_letters_a_day(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "LETTERS_A_DAY", 3)
    entered(an_open_event(cast), cast)
    other = an_open_event(cast)
    with assert_refused("too_many_emails"):
        entered(other, cast)
    assert not other.entrants.exists()
    entered(other, cast, invite=False)
    with assert_refused("too_many_emails"):
        invitations.invite(event=other, by=cast.scorekeeper, now=NOW)
    assert invitations.invite(event=other, by=cast.organizer, now=NOW) == 2


def test_nobody_is_invited_to_a_draft_or_to_a_cancelled_event(cast: Cast) -> None:
    event = an_event(cast)
    entered(event, cast)
    assert states(event) == [State.NOT_INVITED] * 2
    with assert_refused("event_state"):
        invitations.invite(event=event, by=cast.scorekeeper, now=NOW)
    open_registration(event=event, by=cast.organizer, now=NOW)
    invitations.invite(event=event, by=cast.scorekeeper, now=NOW)
    cancel_event(event=event, by=cast.organizer, now=NOW)
    assert posted() == []


def test_an_expired_invitation_loses_its_address_and_another_can_be_sent(cast: Cast) -> None:
    event = an_open_event(cast)
    seven, _eight = entered(event, cast)
    late = NOW + timedelta(days=invitations.DAYS)
    invitations.forget_expired(now=late)
    assert not EntryInvitation.objects.exclude(email="").exists()
    with assert_refused("invitation_spent"):
        accepted(seven, cast.stranger, late)
    assert states(event, late) == [State.NO_ADDRESS] * 2
    invitations.set_address(entrant=seven, email="new@example.com", by=cast.scorekeeper, now=late)
    assert invitations.invite(event=event, by=cast.scorekeeper, now=late) == 1


def test_a_claim_link_ends_the_invitation_too(cast: Cast) -> None:
    event = an_open_event(cast)
    seven, _eight = entered(event, cast)
    claim_entry(entrant=seven, person=own_person(cast.stranger), by=cast.stranger, now=NOW)
    assert invitation_of(seven).email == ""
    assert [letter.to for letter in posted()] == [["eight@example.com"]]


def test_erasing_a_person_or_the_account_with_the_address_deletes_it(cast: Cast) -> None:
    event = an_open_event(cast)
    seven, eight = entered(event, cast)
    erase_person(person=seven.member_set.get().person, now=NOW)
    other = account("eight")
    User.objects.filter(pk=other.pk).update(email_confirmed_at=NOW)
    other.refresh_from_db()
    assert [told["entrant"] for told in invitations.told_to(other)] == [eight.public_id]
    erase_account(user=other, now=NOW)
    assert set(EntryInvitation.objects.values_list("email", flat=True)) == {""}
    assert not EntryInvitation.objects.filter(withdrawn_at=None).exists()
