"""Whoever types wrong passwords for somebody in a hall keeps that person out of nothing, and guessing stays bounded."""

import re
import time
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from tests.cast import PASSWORD, Cast, account
from tests.web.pages import text
from tests.web.test_letters import link_in, post_all
from tournaments.accounts.models import User
from tournaments.accounts.services import create_account, make_sign_in_link
from tournaments.common.clock import now
from tournaments.web import brakes, devices
from tournaments.web.brakes import Brake
from tournaments.web.devices import COOKIE, DEVICE_GUESSES, MOST_ACCOUNTS

pytestmark = pytest.mark.django_db
HALL, ELSEWHERE = "203.0.113.1", "198.51.100.1"
LONG = "another-long-word"


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def sign_in(client: Client, name: str | None, password: str = PASSWORD) -> int:
    return int(client.post("/sign-in/", {"email": name, "password": password}).status_code)


def guess(client: Client, name: str | None, times: int) -> int:
    """How many of so many wrong passwords are looked at."""
    return [sign_in(client, name, f"wrong-{n}") for n in range(times)].count(422)


def phone(address: str = HALL) -> Client:
    """A browser that has never been here."""
    return Client(REMOTE_ADDR=address)


def signed_in_before(user: User, address: str = HALL) -> Client:
    """A phone on which somebody has signed in and out."""
    client = phone(address)
    assert sign_in(client, user.email) == 302
    client.post("/sign-out/")
    return client


def test_on_a_phone_that_signed_in_before_ten_wrong_passwords_of_a_neighbour_change_nothing(cast: Cast) -> None:
    own = signed_in_before(cast.player)
    assert guess(phone(), cast.player.email, 12) == brakes.GUESSES.limit
    assert sign_in(phone(), cast.player.email) == 429
    assert sign_in(own, cast.player.email) == 302


def test_nor_do_a_hundred_from_everywhere_or_three_hundred_from_the_hall(cast: Cast) -> None:
    own = signed_in_before(cast.player)
    for _n in range(brakes.ACCOUNT_GUESSES.limit):
        brakes.ACCOUNT_GUESSES.count(str(cast.player.email))
    for _n in range(brakes.FAILURES.limit):
        brakes.FAILURES.count(HALL)
    assert sign_in(phone(ELSEWHERE), cast.player.email) == 429
    assert sign_in(phone(), cast.opponent.email) == 429
    assert sign_in(own, cast.player.email) == 302


def test_on_a_new_phone_in_the_same_hall_the_letter_lets_in_at_once(cast: Cast) -> None:
    attacker, new = phone(), phone()
    guess(attacker, cast.player.email, 10)
    for _ in range(brakes.RESETS.limit):
        brakes.RESETS.count(HALL)  # and the attacker has asked for as many letters to others as one may
    closed = new.post("/sign-in/", {"email": cast.player.email, "password": PASSWORD})
    assert closed.status_code == 429 and "have a link sent to your e-mail address" in text(closed)
    assert attacker.post("/password/", {"email": cast.opponent.email}).status_code == 429
    assert new.post("/password/", {"email": cast.player.email}).status_code == 200
    form = new.get(link_in(post_all()[-1])).headers["Location"]
    new.post(form, {"new_password1": LONG, "new_password2": LONG})
    assert new.session["_auth_user_id"] == str(cast.player.pk)
    new.post("/sign-out/")
    assert sign_in(new, cast.player.email, LONG) == 302, "and the phone is known from then on"


def test_on_a_new_phone_without_a_letter_the_wait_ends(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    guess(phone(), cast.player.email, 10)
    answer = phone().post("/sign-in/", {"email": cast.player.email, "password": PASSWORD})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "600") and "ten minutes" in text(answer)
    later = time.time() + brakes.GUESSES.seconds + 1
    monkeypatch.setattr(time, "time", lambda: later)  # by which the cache forgets
    assert sign_in(phone(), cast.player.email) == 302


def test_the_page_says_how_long_to_wait_for_an_account_that_is_tried_from_everywhere(cast: Cast) -> None:
    for _n in range(brakes.ACCOUNT_GUESSES.limit):
        brakes.ACCOUNT_GUESSES.count(str(cast.player.email))
    answer = phone().post("/sign-in/", {"email": cast.player.email, "password": PASSWORD})
    assert answer.headers["Retry-After"] == "3600" and "Try again in an hour." in text(answer)


def test_refused_attempts_do_not_make_the_wait_longer(cast: Cast) -> None:
    guess(phone(), cast.player.email, 30)
    assert cache.get(brakes.GUESSES._key((str(cast.player.email), HALL))) == brakes.GUESSES.limit


def test_guessing_is_bounded_for_an_account_from_wherever_without_its_devices(cast: Cast) -> None:
    tried = sum(guess(phone(f"198.51.100.{n}"), str(cast.player.email).upper(), 12) for n in range(15))
    assert tried == brakes.ACCOUNT_GUESSES.limit == 100
    assert sign_in(phone(ELSEWHERE), cast.player.email) == 429
    assert sign_in(phone(ELSEWHERE), cast.opponent.email) == 302, "others sign in"


def test_guessing_on_a_known_device_is_bounded_too(cast: Cast) -> None:
    """A stolen phone: ten, then those that any device may make, then none."""
    stolen = signed_in_before(cast.player)
    assert guess(stolen, cast.player.email, 40) == DEVICE_GUESSES.limit + brakes.GUESSES.limit
    assert sign_in(stolen, cast.player.email) == 429


def test_a_device_of_one_account_is_no_device_of_another(cast: Cast) -> None:
    """Nobody gets more guesses at an account by having one."""
    attacker = signed_in_before(cast.stranger)
    assert guess(attacker, cast.player.email, 15) == brakes.GUESSES.limit


def test_a_made_up_cookie_is_no_device(cast: Cast) -> None:
    attacker = phone()
    attacker.cookies[COOKIE] = f"0123456789abcdef.{cast.player.public_id}"
    guess(attacker, cast.player.email, 10)
    assert sign_in(attacker, cast.player.email) == 429
    own = signed_in_before(cast.stranger)
    value = own.cookies[COOKIE].value
    attacker.cookies[COOKIE] = value.replace(cast.stranger.public_id, cast.player.public_id)
    assert sign_in(attacker, cast.player.email) == 429


def test_a_phone_of_a_family_knows_each_of_them(cast: Cast) -> None:
    shared = signed_in_before(cast.player)
    assert sign_in(shared, cast.opponent.email) == 302
    shared.post("/sign-out/")
    for user in (cast.player, cast.opponent):
        guess(phone(), user.email, 10)
        assert sign_in(shared, user.email) == 302
        shared.post("/sign-out/")


def test_a_phone_forgets_the_oldest_of_many_accounts(cast: Cast) -> None:
    shared = signed_in_before(cast.player)
    for n in range(MOST_ACCOUNTS):
        assert sign_in(shared, account(f"Guest {n}").email) == 302
    assert len(shared.cookies[COOKIE].value) < 300
    guess(phone(), cast.player.email, 10)
    assert sign_in(shared, cast.player.email) == 429


@pytest.mark.parametrize("way", ["sign up", "link", "sign out"])
def test_every_way_in_makes_the_device_known(cast: Cast, way: str) -> None:
    client, user = phone(), cast.player
    if way == "sign up":
        form = {"given_name": "Ana", "family_name": "", "sign_in_name": "ana.12", "password": PASSWORD}
        assert client.post("/sign-up/", form).status_code == 302
        user = User.objects.get(sign_in_name="ana.12")
    elif way == "link":
        client.post(f"/link/{make_sign_in_link(user=user, now=now())}/")
    else:
        client.force_login(user)  # signed in before browsers were remembered
        client.post("/sign-out/")
    name = user.email or user.sign_in_name
    guess(phone(), name, 10)
    assert sign_in(phone(), name) == 429
    assert sign_in(client, name) == 302


def test_the_cookie_is_signed_for_a_year_and_out_of_reach_of_scripts(cast: Cast) -> None:
    cookie = signed_in_before(cast.player).cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", devices.YEAR)
    assert re.fullmatch(rf"[0-9a-f]{{16}}\.{cast.player.public_id}:[\w-]+:[\w-]+", cookie.value)
    assert str(cast.player.email) not in cookie.value


def test_the_right_password_counts_from_zero_again_but_not_what_was_tried_elsewhere(cast: Cast) -> None:
    guess(phone(), cast.player.email, 9)
    assert sign_in(phone(), cast.player.email) == 302
    assert guess(phone(), cast.player.email, 12) == brakes.GUESSES.limit
    assert cache.get(brakes.ACCOUNT_GUESSES._key((str(cast.player.email),))) == 19


def test_an_account_without_an_address_is_known_by_its_sign_in_name() -> None:
    create_account(email=None, password=PASSWORD, given_name="Guest", family_name="", sign_in_name="guest-7")
    client = phone()
    assert sign_in(client, "Guest-7") == 302
    client.post("/sign-out/")
    guess(phone(), "guest-7", 10)
    assert sign_in(client, "guest-7") == 302


def test_the_limits_of_sign_ins_are_those_of_the_decision() -> None:
    limits = {name: (brake.limit, brake.seconds) for name, brake in vars(brakes).items() if isinstance(brake, Brake)}
    assert limits["GUESSES"] == (10, 600) and limits["ACCOUNT_GUESSES"] == (100, 3600)
    assert limits["FAILURES"] == (300, 600) and (DEVICE_GUESSES.limit, DEVICE_GUESSES.seconds) == (10, 600)
