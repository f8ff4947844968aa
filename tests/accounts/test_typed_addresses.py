"""What people really type for a guardian's address, and what happens to the links that they are sent."""

import re
from collections.abc import Iterator

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from tests.web.pages import signed_in, text
from tournaments.accounts.addresses import sign_up
from tournaments.accounts.models import Guardianship, User
from tournaments.common import clock, jobs

pytestmark = pytest.mark.django_db
FORM = {"given_name": "Kid", "sign_in_name": "kid", "password": "quite-long-enough"}


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()  # sign-ups and e-mails are counted there
    yield
    cache.clear()


@pytest.fixture
def child() -> User:
    return sign_up(
        now=clock.now(),
        email="kid@example.com",
        sign_in_name="kid",
        password="quite-long-enough",
        given_name="Kid",
        family_name="",
        guardian_email="mum@example.com",
    )


def guardians_link() -> str:
    jobs.run_due(clock.now())
    letter = next(each for each in reversed(mail.outbox) if each.to == ["mum@example.com"])
    found = re.search(r"/guardian/\S+/\S+/", letter.body)
    assert found
    return found.group()


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("mum@example.com ", "mum@example.com"),
        ("\tMum@Example.COM", "mum@example.com"),
        ("mum+kid@example.com", "mum+kid@example.com"),
        ("mum@münchen.example", "mum@münchen.example"),
        ("mum@xn--mnchen-3ya.example", "mum@xn--mnchen-3ya.example"),
        ("o'hara@example.com", "o'hara@example.com"),
    ],
)
def test_an_address_is_stored_as_it_is_meant(typed: str, stored: str) -> None:
    assert Client().post("/sign-up/", FORM | {"guardian_email": typed}).status_code == 302
    assert Guardianship.objects.get().email == stored


@pytest.mark.parametrize(
    "typed",
    [
        "mum@example.com, dad@example.com",
        "mum@example.com;dad@example.com",
        "mailto:mum@example.com",
        "Mum <mum@example.com>",
        "mum@example",
        "mum at example.com",
        "mum@@example.com",
        "mum@example.com.",
        "06 12 34 56 78",
        "x" * 300 + "@example.com",
        "mum@exam\0ple.com",
    ],
)
def test_what_is_not_one_address_is_refused_with_a_sentence_and_creates_no_account(child: User, typed: str) -> None:
    answer = Client().post("/sign-up/", FORM | {"sign_in_name": "kid2", "guardian_email": typed})
    assert answer.status_code == (400 if "\0" in typed else 422)
    assert not User.objects.filter(sign_in_name="kid2").exists()
    answer = signed_in(child).post("/account/guardian/", {"email": typed})
    assert answer.status_code == (400 if "\0" in typed else 422)
    assert Guardianship.objects.get().email == "mum@example.com"


@pytest.mark.parametrize("typed", ["KID@EXAMPLE.COM", " kid@example.com", "Kid@example.com "])
def test_a_childs_own_address_is_refused_however_it_is_written(typed: str) -> None:
    answer = Client().post("/sign-up/", FORM | {"email": "kid@example.com", "guardian_email": typed})
    assert answer.status_code == 422 and "different e-mail addresses" in text(answer)
    assert not User.objects.exists()


def test_a_mail_scanner_that_opens_the_link_consents_to_nothing(child: User) -> None:
    link, scanner = guardians_link(), Client()
    for _time in range(3):
        assert scanner.head(link).status_code == 200
        assert scanner.get(link).status_code == 200
    assert scanner.options(link).status_code == 405
    assert User.objects.get(pk=child.pk).guardian_pending
    Client().post(link, {"answer": "yes"})
    again = Client().post(link, {"answer": "yes"})
    assert again.status_code == 409 and "already used" in text(again)


@pytest.mark.parametrize("after", [".", ">", ",", ")", "%3E", '"', "/.", "/>", "/).", "”"])
def test_a_link_still_opens_with_what_was_copied_after_it(child: User, after: str) -> None:
    link = guardians_link().rstrip("/") + after
    answer = Client().get(link, follow=True)
    assert answer.status_code == 200 and "kid" in text(answer)


@pytest.mark.parametrize("token", ["é", "x" * 3000, "a-b", "%00", "--", "zzzzzzzzzzzzzzzzzzzz-0"])
def test_a_link_that_is_not_whole_is_refused_and_shows_nothing(child: User, token: str) -> None:
    answer = Client().get(f"/guardian/{child.public_id}/{token}/")
    assert answer.status_code in (404, 409) and ">kid<" not in text(answer)
