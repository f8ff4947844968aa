"""A child's account: restricted until its guardian has consented by the link in an e-mail, and erased on withdrawal."""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from tests.builders import an_open_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts import guardianship
from tournaments.accounts.addresses import change_address, sign_up
from tournaments.accounts.models import Guardianship, User
from tournaments.accounts.services import create_token, own_person
from tournaments.archive.unused import end_unused
from tournaments.common import clock, jobs
from tournaments.web.personal import data_of

pytestmark = pytest.mark.django_db
PARENT = "parent@example.com"


def linked() -> str:
    """The path of the link in the newest e-mail to a guardian, after the jobs have run."""
    jobs.run_due(clock.now())
    (letter,) = [each for each in mail.outbox if each.to == [PARENT]][-1:]
    found = re.search(r"/guardian/\S+/\S+/", letter.body)
    assert found
    return found.group()


@pytest.fixture
def child() -> User:
    return sign_up(
        now=clock.now(),
        email="",
        sign_in_name="kid",
        password="quite-long-enough",
        given_name="Kid",
        family_name="",
        guardian_email=" Parent@Example.com",
    )


def joins(child: User, cast: Cast) -> Any:
    event = an_open_event(cast)
    person = own_person(child).public_id
    return signed_in(User.objects.get(pk=child.pk)).post(address("register", event.public_id), {"person": person})


def test_signing_up_as_a_child_asks_the_guardian(db) -> None:
    form = {"given_name": "Kid", "sign_in_name": "kid", "password": "quite-long-enough", "guardian_email": PARENT}
    client = Client()
    assert "younger than 16" in text(client.get("/sign-up/"))
    assert client.post("/sign-up/", form).status_code == 302
    assert "has to consent" in text(client.get("/account/"))
    path = linked()
    assert "kid" in mail.outbox[-1].body and "Kid" not in mail.outbox[-1].body, "no words of a stranger to a stranger"
    page = Client().get(path)
    assert "I consent" in text(page) and Guardianship.objects.get().confirmed_at is None, "opening it does nothing"


def test_whoever_leaves_the_address_blank_is_old_enough(db) -> None:
    Client().post("/sign-up/", {"given_name": "P", "sign_in_name": "old", "password": "quite-long-enough"})
    assert not User.objects.get(sign_in_name="old").guardian_pending and not Guardianship.objects.exists()


def test_no_site_with_age_zero_asks(db, settings) -> None:
    settings.GUARDIAN_UNDER = 0
    assert "Guardian" not in text(Client().get("/sign-up/"))


def test_until_the_guardian_consents_a_child_can_enter_nothing_and_show_nothing(child: User, cast: Cast) -> None:
    answer = joins(child, cast)
    assert answer.status_code == 403 and "guardian_needed" in text(answer)
    client = signed_in(child)
    profile = address("own_profile", own_person(child).public_id)
    for page in (profile, *map(address, ("persons", "event_new", "token_create"))):
        assert client.post(page, {}).status_code == 403, page
    assert client.get(address("account")).status_code == 200 and client.get("/").status_code == 200
    assert client.post(address("set_theme"), {"theme": "dark"}).status_code == 302
    path = linked()
    assert "e-mailed you a link" in text(Client().post(path, {"answer": "yes"}))
    kept = Guardianship.objects.get()
    assert (kept.email, kept.under) == (PARENT, 16) and kept.confirmed_at is not None
    assert joins(child, cast).status_code == 302
    assert data_of(User.objects.get(pk=child.pk))["account"]["guardian"]["email"] == PARENT


def test_the_api_refuses_with_the_same_code(child: User, cast: Cast) -> None:
    event = an_open_event(cast)
    _token, secret = create_token(user=child, name="mine", scopes=["read", "play"], now=clock.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    where = f"/api/v1/events/{event.public_id}/entrants/"
    answer = client.post(where, {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "guardian_needed")
    assert client.get(where).status_code == 200
    User.objects.update(guardian_pending=False)
    assert client.post(where, {}, format="json").status_code == 201


def test_a_link_works_once_and_expires_after_three_days(child: User, monkeypatch: pytest.MonkeyPatch) -> None:
    path = linked()
    later = clock.now() + timedelta(days=4)
    with monkeypatch.context() as patched:
        patched.setattr(guardianship.CONSENT_TOKENS, "_now", lambda: later.replace(tzinfo=None))
        assert Client().get(path).status_code == 409
        assert Client().post(path, {"answer": "yes"}).status_code == 409
    assert Client().post(path, {"answer": "maybe"}).status_code == 404
    assert Client().post(path, {"answer": "yes"}).status_code == 200
    for answer in ("yes", "no"):
        refused = Client().post(path, {"answer": answer})
        assert refused.status_code == 409 and "link_spent" in text(refused)
    assert User.objects.get(pk=child.pk).is_active


def test_the_guardian_can_refuse(child: User) -> None:
    assert "erased" in text(Client().post(linked(), {"answer": "no"}))
    child.refresh_from_db()
    assert not child.is_active and not Guardianship.objects.exists()


def test_the_guardian_can_withdraw_at_any_time(child: User) -> None:
    Client().post(linked(), {"answer": "yes"})
    path = linked()
    assert "withdraw" in mail.outbox[-1].body.lower()
    page = text(Client().get(path))
    assert "Withdraw consent" in page and 'value="yes"' not in page
    assert Client().post(path, {"answer": "yes"}).status_code == 409, "it is no link to consent with"
    assert Client().post(path, {"answer": "no"}).status_code == 200
    child.refresh_from_db()
    assert not child.is_active and Client().get(path).status_code == 404


def test_another_guardian_can_be_named_and_the_first_link_no_longer_works(child: User) -> None:
    first = linked()
    client = signed_in(child)
    assert client.post(address("account_guardian"), {"email": "aunt@example.com"}).status_code == 302
    assert Client().post(first, {"answer": "yes"}).status_code == 409
    jobs.run_due(clock.now())
    assert mail.outbox[-1].to == ["aunt@example.com"]


def test_nobody_is_their_own_guardian(db, cast: Cast) -> None:
    said = {"now": clock.now(), "password": "quite-long-enough", "given_name": "Kid", "family_name": ""}
    with assert_refused("guardian_own"):
        sign_up(email="kid@example.com", guardian_email="KID@example.com ", **said)
    assert not User.objects.filter(new_email="kid@example.com").exists()
    child = sign_up(email="kid@example.com", guardian_email=PARENT, **said)
    with assert_refused("guardian_own"):
        guardianship.ask_guardian(user=child, email="kid@example.com", now=clock.now())
    form = {"given_name": "Kid", "email": "k@example.com", "password": "quite-long-enough"}
    answer = Client().post("/sign-up/", {**form, "guardian_email": "k@example.com"})
    assert answer.status_code == 422 and "different e-mail addresses" in text(answer)
    with assert_refused("guardian_own"):
        change_address(user=child, email=PARENT, now=clock.now())


def test_other_accounts_have_no_guardian_to_ask(cast: Cast, child: User) -> None:
    assert signed_in(cast.player).post(address("account_guardian"), {"email": PARENT}).status_code == 403
    assert Client().get(address("guardian", cast.player.public_id, "x")).status_code == 404
    Client().post(linked(), {"answer": "yes"})
    with assert_refused("guardian_known"):
        guardianship.ask_guardian(user=child, email="aunt@example.com", now=clock.now())


def test_an_account_without_consent_is_erased_after_thirty_days(child: User) -> None:
    assert end_unused(now=clock.now() + timedelta(days=29)).accounts == 0
    assert end_unused(now=clock.now() + timedelta(days=31)).accounts == 1
    child.refresh_from_db()
    assert not child.is_active


def test_a_site_that_sends_no_emails_promises_none(child: User, monkeypatch: pytest.MonkeyPatch) -> None:
    path = linked()
    monkeypatch.setattr("tournaments.web.pages.account.guardian.sends_mail", lambda: False)
    shown = text(Client().post(path, {"answer": "yes"}))
    assert "The child can now enter events" in shown
    assert "e-mailed you" not in shown


def test_without_emails_the_account_page_says_whom_to_ask(child: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("context", "pages.account.guardian"):
        monkeypatch.setattr(f"tournaments.web.{module}.sends_mail", lambda: False)
    client = signed_in(child)
    shown = text(client.get("/account/"))
    assert "ask its operator for the link" in shown and "Send the e-mail again" not in shown
    shown = text(client.post(address("account_guardian"), {"email": "other@example.com"}, follow=True))
    assert "other@example.com" in shown and "on its way" not in shown


def printed_link(name: str) -> str:
    out = StringIO()
    call_command("account_links", name, stdout=out)
    return out.getvalue()


def test_the_operator_prints_the_guardians_links(child: User) -> None:
    line = printed_link("Kid")
    assert line.startswith(f"for the guardian {PARENT}, to consent or refuse: http")
    assert Client().post(path_in(line), {"answer": "yes"}).status_code == 200
    assert not User.objects.get(pk=child.pk).guardian_pending
    line = printed_link("kid")
    assert line.startswith(f"for the guardian {PARENT}, to withdraw the consent: http")
    Client().post(path_in(line), {"answer": "no"})
    child.refresh_from_db()
    assert not child.is_active


def path_in(line: str) -> str:
    found = re.search(r"/guardian/\S+/\S+/", line)
    assert found
    return found.group()
