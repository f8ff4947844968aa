"""E-mails of accounts: confirming and changing an address, new passwords, invitations; accounts without an address."""

import re
from email import message_from_bytes, policy
from io import StringIO

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, an_open_event
from tests.cast import PASSWORD, Cast, account
from tests.refusals import assert_refused
from tests.web.pages import signed_in, text
from tournaments.accounts import addresses
from tournaments.accounts.models import User
from tournaments.common import jobs, ledger
from tournaments.common.clock import now
from tournaments.events import invitations
from tournaments.events.access import roles_of
from tournaments.events.models import Event, Invitation

SIGN_UP = {"given_name": "Player 12", "family_name": "", "password": "quite-long-enough"}


@pytest.fixture(autouse=True)
def _count_from_zero():
    cache.clear()


def post_all() -> list[mail.EmailMessage]:
    """Run the jobs that send e-mails and return everything sent so far."""
    jobs.run_due(now())
    return mail.outbox


def link_in(letter: mail.EmailMessage) -> str:
    """Return the path of the page that an e-mail links to."""
    return re.search(r"http://127\.0\.0\.1:8000(/\S+/\S+)", letter.body)[1]


def signed_up(**more: str) -> User:
    Client().post("/sign-up/", {**SIGN_UP, **more})
    return User.objects.order_by("-pk")[0]


def test_an_address_is_confirmed_by_the_button_on_the_linked_page(db):
    user = signed_up(email="new@example.com")
    (letter,) = post_all()
    assert letter.to == ["new@example.com"]
    for _ in range(2):
        Client().get(link_in(letter))
    user.refresh_from_db()
    assert user.email_confirmed_at is None, "looking at a link does nothing"
    Client().post(link_in(letter))
    user.refresh_from_db()
    assert user.email_confirmed_at is not None
    assert Client().post(link_in(letter)).status_code == 409


def test_emails_are_in_the_language_of_the_account(db):
    client = Client()
    client.cookies["django_language"] = "fr"
    client.post("/sign-up/", {**SIGN_UP, "email": "fr@example.com"})
    assert post_all()[0].subject == "Confirmez votre adresse e-mail"


def test_an_account_without_an_email_address_signs_in_by_its_sign_in_name(db):
    user = signed_up(sign_in_name="Player.12")
    assert (user.email, user.sign_in_name, post_all()) == (None, "player.12", [])
    client = Client()
    answer = client.post("/sign-in/", {"email": "player.12", "password": SIGN_UP["password"]})
    assert answer.status_code == 302
    shown = text(client.get("/account/"))
    assert "player.12" in shown and "no e-mail address" in shown
    assert client.post("/account/erase/", {"email": "player.12"}).status_code == 302
    user.refresh_from_db()
    assert user.sign_in_name is None


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, "Give an e-mail address or choose a sign-in name"),
        ({"sign_in_name": "a b"}, "3 to 40 letters"),
        ({"sign_in_name": "me@example.com"}, "3 to 40 letters"),
    ],
)
def test_an_account_needs_a_valid_address_or_sign_in_name(db, more: dict[str, str], why: str):
    answer = Client().post("/sign-up/", {**SIGN_UP, **more})
    assert answer.status_code == 422 and why in text(answer)


def test_sign_in_names_are_unique_ignoring_case(db):
    signed_up(sign_in_name="player12")
    answer = Client().post("/sign-up/", {**SIGN_UP, "sign_in_name": "PLAYER12"})
    assert answer.status_code == 422 and "is taken" in text(answer)


def test_asking_for_a_new_password_does_not_reveal_whether_an_account_exists(cast: Cast):
    answers = [Client().post("/password/", {"email": email}) for email in (cast.player.email, "nobody@example.com")]
    assert len({re.sub(r"\w{64}", "a token", text(answer)) for answer in answers}) == 1
    assert [letter.to for letter in post_all()] == [[cast.player.email]]


def test_a_reset_link_sets_a_new_password_once(cast: Cast):
    Client().post("/password/", {"email": cast.player.email.upper()})
    client, path = Client(), link_in(post_all()[0])
    form = client.get(path).headers["Location"]
    assert "set-password" in form, "the token leaves the address"
    short = client.post(form, {"new_password1": "short", "new_password2": "short"})
    assert short.status_code == 422
    both = {"new_password1": "another-long-word", "new_password2": "another-long-word"}
    assert client.post(form, both).status_code == 302
    assert "_auth_user_id" in client.session
    assert Client().get(path).status_code == 409
    assert Client().post("/sign-in/", {"email": cast.player.email, "password": PASSWORD}).status_code == 422
    cast.player.refresh_from_db()
    assert cast.player.email_confirmed_at is not None, "whoever used the link reads the mailbox"


def test_the_number_of_emails_to_one_mailbox_is_limited(cast: Cast):
    for _ in range(5):
        assert Client().post("/password/", {"email": cast.player.email}).status_code == 200
    for email in (cast.player.email, cast.player.email.upper()):
        assert Client().post("/password/", {"email": email}).status_code == 429


def test_a_new_address_takes_effect_once_its_link_is_used(cast: Cast):
    client = signed_in(cast.player)
    wrong = client.post("/account/address/", {"email": "other@example.com", "password": "wrong"})
    assert wrong.status_code == 422
    client.post("/account/address/", {"email": "Other@example.com", "password": PASSWORD})
    cast.player.refresh_from_db()
    assert cast.player.email == "player.1@example.com"
    (letter,) = post_all()
    assert letter.to == ["other@example.com"]
    client.post(link_in(letter))
    cast.player.refresh_from_db()
    assert (cast.player.email, cast.player.new_email) == ("other@example.com", "")


def test_an_address_taken_by_somebody_else_meanwhile_is_refused(cast: Cast):
    addresses.change_address(user=cast.player, email="other@example.com", now=NOW)
    token = addresses.ADDRESS_TOKENS.make_token(cast.player)
    account("Other")
    with assert_refused("email_taken"):
        addresses.confirm_address(user=cast.player, token=token, now=NOW)


def test_staff_are_invited_by_email_and_the_invitation_works_once(cast: Cast):
    event = an_open_event(cast)
    address = reverse("web:staff_team", args=[event.public_id])
    owner = signed_in(cast.organizer)
    owner.post(address + "invite/", {"role": "judge", "email": "new@example.com"})
    (letter,) = post_all()
    assert letter.to == ["new@example.com"] and event.name in letter.subject
    path = link_in(letter)
    assert path in text(owner.get(address)), "the link can be copied too"
    assert "Sign in" in text(Client().get(path))
    guest = signed_in(cast.stranger)
    assert guest.post(path).headers["Location"] == reverse("web:staff", args=[event.public_id])
    assert roles_of(cast.stranger, event) == {"judge"}
    assert signed_in(cast.player).post(path).status_code == 409
    assert guest.post(path).status_code == 302, "twice is once"
    assert Invitation.objects.get().email == ""
    assert not list(ledger.faults(event.public_id))


HOSTILE = "Spring\r\nBcc: other@example.com\r\n\r\n<p>Body"


def test_line_breaks_in_an_event_name_cannot_inject_email_headers(cast: Cast):
    event = an_open_event(cast)
    Event.objects.filter(pk=event.pk).update(name=HOSTILE)  # as if a form had let it through
    event.refresh_from_db()
    invitations.invite(event=event, role="judge", by=cast.organizer, now=now(), email="new@example.com")
    (letter,) = post_all()
    written = message_from_bytes(letter.message().as_bytes(), policy=policy.default)
    assert written["To"] == "new@example.com" and written["Bcc"] is None
    assert "Spring Bcc: other@example.com <p>Body" in written["Subject"]
    assert letter.recipients() == ["new@example.com"]


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "%0d%0a", "\u2028"])
def test_an_address_with_a_line_break_is_refused_everywhere(cast: Cast, end: str):
    email = f"new@example.com{end}Bcc: other@example.com"
    event = an_open_event(cast)
    asked = [
        Client().post("/sign-up/", {**SIGN_UP, "email": email}),
        Client().post("/password/", {"email": email}),
        signed_in(cast.player).post("/account/address/", {"email": email, "password": PASSWORD}),
        signed_in(cast.organizer).post(
            reverse("web:staff_team", args=[event.public_id]) + "invite/", {"role": "judge", "email": email}
        ),
    ]
    assert [answer.status_code for answer in asked] == [422] * 4
    assert post_all() == []


def test_an_invitation_link_works_without_an_email_until_it_is_withdrawn(cast: Cast):
    event = an_open_event(cast)
    made = invitations.invite(event=event, role="scorekeeper", by=cast.organizer, now=now())
    assert post_all() == []
    assert signed_in(cast.scorekeeper).post(f"/invitations/{made.public_id}/withdraw/").status_code == 403
    signed_in(cast.organizer).post(f"/invitations/{made.public_id}/withdraw/")
    assert signed_in(cast.stranger).post(invitations.path_of(made)).status_code == 409
    assert Client().get(f"/invitation/{made.public_id}/guess/").status_code == 404
    with assert_refused("invitation_spent"):
        invitations.accept(invitation=made, by=cast.stranger, now=now())


def test_the_sign_in_link_command_lets_in_an_account_without_an_address(db):
    user = signed_up(sign_in_name="player.12")
    out = StringIO()
    call_command("sign_in_link", "Player.12", stdout=out)
    client = Client()
    client.post(out.getvalue().strip().removeprefix("http://127.0.0.1:8000"))
    assert client.session["_auth_user_id"] == str(user.pk)
    with pytest.raises(CommandError):
        call_command("sign_in_link", "nobody")


def test_the_account_links_command_prints_the_link_that_confirms_an_address(db):
    user = signed_up(sign_in_name="player.12", email="new@example.com")
    out = StringIO()
    call_command("account_links", "player.12", stdout=out)
    said, _, link = out.getvalue().strip().rpartition(": ")
    assert said == "for new@example.com, to confirm the address"
    Client().post(link.removeprefix("http://127.0.0.1:8000"))
    user.refresh_from_db()
    assert user.email == "new@example.com"
    out = StringIO()
    call_command("account_links", "player.12", stdout=out)
    assert out.getvalue() == "this account waits for no link\n"
