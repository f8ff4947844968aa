"""Only the reader of a mailbox learns whether its address has an account.

Every form answers in the same words, with the same queries and the same number of password hashes, so that neither the
page nor the time it takes tells. See decision 15.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import an_open_event
from tests.cast import PASSWORD, Cast
from tests.web.pages import signed_in, text
from tests.web.test_letters import link_in, post_all
from tournaments.accounts.addresses import change_address
from tournaments.accounts.models import Person, User
from tournaments.common.clock import now
from tournaments.events.access import roles_of
from tournaments.events.services import grant_role

pytestmark = pytest.mark.django_db
FREE, CHOSEN = "nobody@example.com", "quite-long-enough"
SIGN_UP = {"given_name": "Player 12", "family_name": "", "password": CHOSEN}


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@dataclass
class Work:
    """What an answer says and what it cost: two equal ones cannot be told apart."""

    status: int
    location: str
    cookies: set[str]
    words: str
    queries: list[str]
    hashes: int


def _neutral(page: str, email: str) -> str:
    """Blank out what differs by account and page load: ids, sign-in names, tokens, and the address typed."""
    once = r'name="form_token" value="[^"]+"'
    return re.sub(rf"player-\w{{6}}|[un]-\w{{10}}|[A-Za-z0-9]{{64}}|{once}", "…", page.replace(email, "ADDRESS"))


def work_of(client: Client, path: str, sent: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Work:
    """Submit a form, follow its redirect, and measure both."""
    # Hashing a password is what takes longest in production; the settings of the tests use MD5 for speed.
    hashed: list[str] = []
    real = MD5PasswordHasher.encode

    def encode(self: Any, password: str, *args: Any) -> str:
        hashed.append(password)
        return str(real(self, password, *args))

    with monkeypatch.context() as counting, CaptureQueriesContext(connection) as captured:
        counting.setattr(MD5PasswordHasher, "encode", encode)
        answer = client.post(path, sent)
    # Numbers, and the names of savepoints and cursors, differ each time.
    queries = [re.sub(r"'[^']*'|\b\d+\b|s\d+_x\d+|_django_curs_\w+", "?", query["sql"]) for query in captured]
    location = answer.headers.get("Location", "")
    shown = text(client.get("/account/" if location else path)) + text(answer)
    words = _neutral(shown, sent["email"])
    return Work(answer.status_code, location, set(answer.cookies), words, queries, len(hashed))


Asking = Callable[[str], Work]


def asking(what: str, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Return a function that submits an address to one of the forms that take one."""
    if what == "sign up":
        return lambda email: work_of(Client(), "/sign-up/", {**SIGN_UP, "email": email}, monkeypatch)
    if what == "ask for a new password":
        return lambda email: work_of(Client(), "/password/", {"email": email}, monkeypatch)
    if what == "sign in":
        return lambda email: work_of(Client(), "/sign-in/", {"email": email, "password": "wrong-word"}, monkeypatch)
    client = signed_in(cast.stranger)
    sent = {"password": PASSWORD}
    return lambda email: work_of(client, "/account/address/", {**sent, "email": email}, monkeypatch)


@pytest.mark.parametrize("what", ["sign up", "ask for a new password", "sign in", "change the address"])
def test_the_answer_and_its_cost_do_not_reveal_whether_an_account_exists(
    what: str, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = asking(what, cast, monkeypatch)
    ask("first@example.com")  # fills process-wide caches
    taken, free = ask(cast.player.email), ask(FREE)
    assert taken == free
    assert taken.hashes == (0 if what == "ask for a new password" else 1)
    assert mail.outbox == [], "letters are sent by jobs"


def test_signing_up_with_a_taken_address_makes_an_account_without_it(cast: Cast) -> None:
    client = Client()
    client.post("/sign-up/", {**SIGN_UP, "email": cast.player.email})
    made = User.objects.get(pk=client.session["_auth_user_id"])
    assert (made.email, made.new_email, made == cast.player) == (None, cast.player.email, False)
    assert client.post(f"/e/{an_open_event(cast).public_id}/register/").status_code == 302, "and registers at once"
    assert made.sign_in_name in text(client.get("/account/"))


def test_the_owner_of_a_taken_address_is_emailed_and_can_sign_in_again(cast: Cast) -> None:
    Client().post("/sign-up/", {**SIGN_UP, "email": cast.player.email.upper()})
    (letter,) = post_all()
    assert (letter.to, letter.subject) == ([cast.player.email], "You already have an account")
    assert "http://127.0.0.1:8000/sign-in/" in letter.body
    path = re.search(r"http://127\.0\.0\.1:8000(/reset/\S+)", letter.body)
    assert path is not None
    client = Client()
    form = client.get(path[1]).headers["Location"]
    client.post(form, {"new_password1": "another-long-word", "new_password2": "another-long-word"})
    assert client.session["_auth_user_id"] == str(cast.player.pk)


def test_changing_to_a_taken_address_only_notifies_its_owner(cast: Cast) -> None:
    client = signed_in(cast.stranger)
    client.post("/account/address/", {"email": cast.player.email, "password": PASSWORD})
    client.post("/account/confirm/")
    letters = post_all()
    assert {(*letter.to, letter.subject) for letter in letters} == {(cast.player.email, "You already have an account")}
    cast.stranger.refresh_from_db()
    assert cast.stranger.email == "stranger@example.com"


@pytest.mark.parametrize("taken", [True, False])
def test_an_address_can_be_used_to_sign_in_only_once_it_is_confirmed(taken: bool, cast: Cast) -> None:
    email = cast.player.email if taken else FREE
    Client().post("/sign-up/", {**SIGN_UP, "email": email})
    made = User.objects.get(new_email=email)

    def signs_in(name: str) -> bool:
        return bool(Client().post("/sign-in/", {"email": name, "password": CHOSEN}).status_code == 302)

    assert not signs_in(email)
    assert signs_in(str(made.sign_in_name))
    if not taken:
        Client().post(link_in(post_all()[0]))
        assert signs_in(email) and signs_in(str(made.sign_in_name))


def test_setting_a_new_password_by_email_confirms_the_address(cast: Cast) -> None:
    Client().post("/sign-up/", {**SIGN_UP, "email": FREE})
    made = User.objects.get(new_email=FREE)
    post_all().clear()
    Client().post("/password/", {"email": FREE})
    client = Client()
    form = client.get(link_in(post_all()[0])).headers["Location"]
    client.post(form, {"new_password1": "another-long-word", "new_password2": "another-long-word"})
    made.refresh_from_db()
    assert (made.email, made.new_email, made.email_confirmed_at is None) == (FREE, "", False)


def test_a_reset_link_stops_working_once_the_address_is_changed(cast: Cast) -> None:
    Client().post("/sign-up/", {**SIGN_UP, "email": FREE})
    made = User.objects.get(new_email=FREE)
    post_all().clear()
    Client().post("/password/", {"email": FREE})
    path = link_in(post_all()[0])
    change_address(user=made, email="other@example.com", now=now())
    assert Client().get(path).status_code == 409


def test_the_first_account_to_confirm_an_address_gets_it(cast: Cast) -> None:
    for _ in range(2):
        Client().post("/sign-up/", {**SIGN_UP, "email": FREE})
    first, second = (link_in(letter) for letter in post_all())
    assert Client().post(second).status_code == 302
    assert Client().post(first).status_code == 422
    assert User.objects.filter(email=FREE).count() == 1


def test_sign_ups_per_address_are_limited_whether_or_not_an_account_exists(cast: Cast) -> None:
    for email in (cast.player.email, FREE):
        answers = [Client().post("/sign-up/", {**SIGN_UP, "email": email}).status_code for _ in range(6)]
        assert answers == [302] * 5 + [429]


def test_a_role_can_be_granted_to_an_address_that_is_not_confirmed_yet(cast: Cast) -> None:
    event = an_open_event(cast)
    Client().post("/sign-up/", {**SIGN_UP, "email": FREE})
    granted = grant_role(event=event, email=FREE, role="judge", by=cast.organizer, now=now())
    assert roles_of(granted.user, event) == {"judge"}
    again = grant_role(event=event, email=cast.player.email, role="judge", by=cast.organizer, now=now())
    Client().post("/sign-up/", {**SIGN_UP, "email": cast.player.email})
    assert again.user == cast.player, "the owner of an address comes before those who name it"
    assert grant_role(event=event, email=cast.player.email, role="judge", by=cast.organizer, now=now()) == again


def test_a_generated_sign_in_name_does_not_reveal_the_person(cast: Cast) -> None:
    Client().post("/sign-up/", {**SIGN_UP, "given_name": "Emma", "email": FREE})
    made = User.objects.get(new_email=FREE)
    assert re.fullmatch(r"player-[2-9a-z]{6}", str(made.sign_in_name))
    assert Person.objects.get(account=made).given_name == "Emma"
