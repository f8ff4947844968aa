"""Known devices: wrong passwords typed by others do not lock an account out, and guessing stays limited.

In a hall everybody shares one network address, so limits per address alone would let anyone lock out a neighbor. A
device that signed in to an account before has a limit of its own. See decision 18.
"""

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
from tournaments.web import devices, rate_limits
from tournaments.web.devices import COOKIE, DEVICE_GUESSES, MOST_ACCOUNTS
from tournaments.web.rate_limits import RateLimit

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
    """Try this many wrong passwords and return how many were checked rather than refused by a rate limit."""
    return [sign_in(client, name, f"wrong-{n}") for n in range(times)].count(422)


def phone(address: str = HALL) -> Client:
    """Return a browser without cookies."""
    return Client(REMOTE_ADDR=address)


def signed_in_before(user: User, address: str = HALL) -> Client:
    """Return a browser on which `user` has signed in and out again."""
    client = phone(address)
    assert sign_in(client, user.email) == 302
    client.post("/sign-out/")
    return client


def test_wrong_passwords_from_elsewhere_do_not_lock_out_a_known_device(cast: Cast) -> None:
    own = signed_in_before(cast.player)
    assert guess(phone(), cast.player.email, 12) == rate_limits.GUESSES.limit
    assert sign_in(phone(), cast.player.email) == 429
    assert sign_in(own, cast.player.email) == 302


def test_the_account_and_address_limits_do_not_lock_out_a_known_device(cast: Cast) -> None:
    own = signed_in_before(cast.player)
    for _n in range(rate_limits.ACCOUNT_GUESSES.limit):
        rate_limits.ACCOUNT_GUESSES.count(str(cast.player.email))
    for _n in range(rate_limits.FAILURES.limit):
        rate_limits.FAILURES.count(HALL)
    assert sign_in(phone(ELSEWHERE), cast.player.email) == 429
    assert sign_in(phone(), cast.opponent.email) == 429
    assert sign_in(own, cast.player.email) == 302


def test_a_locked_out_new_phone_gets_in_by_a_reset_link_at_once(cast: Cast) -> None:
    attacker, new = phone(), phone()
    guess(attacker, cast.player.email, 10)
    for _ in range(rate_limits.RESETS.limit):
        rate_limits.RESETS.count(HALL)  # the attacker has also used up the reset links of the hall's address
    closed = new.post("/sign-in/", {"email": cast.player.email, "password": PASSWORD})
    assert closed.status_code == 429 and "have a link sent to your e-mail address" in text(closed)
    assert attacker.post("/password/", {"email": cast.opponent.email}).status_code == 429
    assert new.post("/password/", {"email": cast.player.email}).status_code == 200
    form = new.get(link_in(post_all()[-1])).headers["Location"]
    new.post(form, {"new_password1": LONG, "new_password2": LONG})
    assert new.session["_auth_user_id"] == str(cast.player.pk)
    new.post("/sign-out/")
    assert sign_in(new, cast.player.email, LONG) == 302, "and the phone is known from then on"


def test_a_locked_out_new_phone_can_sign_in_after_the_wait(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    guess(phone(), cast.player.email, 10)
    answer = phone().post("/sign-in/", {"email": cast.player.email, "password": PASSWORD})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "600") and "ten minutes" in text(answer)
    later = time.time() + rate_limits.GUESSES.seconds + 1
    monkeypatch.setattr(time, "time", lambda: later)  # the clock by which the local cache expires
    assert sign_in(phone(), cast.player.email) == 302


def test_the_page_says_how_long_an_account_is_locked_for_unknown_devices(cast: Cast) -> None:
    for _n in range(rate_limits.ACCOUNT_GUESSES.limit):
        rate_limits.ACCOUNT_GUESSES.count(str(cast.player.email))
    answer = phone().post("/sign-in/", {"email": cast.player.email, "password": PASSWORD})
    assert answer.headers["Retry-After"] == "3600" and "Try again in an hour." in text(answer)


def test_refused_attempts_do_not_extend_the_wait(cast: Cast) -> None:
    guess(phone(), cast.player.email, 30)
    assert cache.get(rate_limits.GUESSES._key((str(cast.player.email), HALL))) == rate_limits.GUESSES.limit


def test_guesses_at_an_account_are_limited_over_all_network_addresses(cast: Cast) -> None:
    # 15 addresses with 12 guesses each: the limit per address is not what stops them.
    tried = sum(guess(phone(f"198.51.100.{n}"), str(cast.player.email).upper(), 12) for n in range(15))
    assert tried == rate_limits.ACCOUNT_GUESSES.limit == 100
    assert sign_in(phone(ELSEWHERE), cast.player.email) == 429
    assert sign_in(phone(ELSEWHERE), cast.opponent.email) == 302, "others sign in"


def test_guesses_on_a_known_device_are_limited_too(cast: Cast) -> None:
    """A stolen phone gets the guesses of a known device, then those of an unknown one, then none."""
    stolen = signed_in_before(cast.player)
    assert guess(stolen, cast.player.email, 40) == DEVICE_GUESSES.limit + rate_limits.GUESSES.limit
    assert sign_in(stolen, cast.player.email) == 429


def test_a_device_known_to_one_account_is_unknown_to_another(cast: Cast) -> None:
    """Having an account does not give more guesses at another one."""
    attacker = signed_in_before(cast.stranger)
    assert guess(attacker, cast.player.email, 15) == rate_limits.GUESSES.limit


def test_a_forged_device_cookie_is_ignored(cast: Cast) -> None:
    attacker = phone()
    attacker.cookies[COOKIE] = f"0123456789abcdef.{cast.player.public_id}"
    guess(attacker, cast.player.email, 10)
    assert sign_in(attacker, cast.player.email) == 429
    own = signed_in_before(cast.stranger)
    value = own.cookies[COOKIE].value
    attacker.cookies[COOKIE] = value.replace(cast.stranger.public_id, cast.player.public_id)
    assert sign_in(attacker, cast.player.email) == 429


def test_a_shared_phone_is_known_to_each_of_its_accounts(cast: Cast) -> None:
    shared = signed_in_before(cast.player)
    assert sign_in(shared, cast.opponent.email) == 302
    shared.post("/sign-out/")
    for user in (cast.player, cast.opponent):
        guess(phone(), user.email, 10)
        assert sign_in(shared, user.email) == 302
        shared.post("/sign-out/")


def test_a_device_remembers_only_its_latest_accounts(cast: Cast) -> None:
    shared = signed_in_before(cast.player)
    for n in range(MOST_ACCOUNTS):
        assert sign_in(shared, account(f"Guest {n}").email) == 302
    assert len(shared.cookies[COOKIE].value) < 300
    guess(phone(), cast.player.email, 10)
    assert sign_in(shared, cast.player.email) == 429


@pytest.mark.parametrize("way", ["sign up", "link", "sign out"])
def test_every_way_to_sign_in_makes_the_device_known(cast: Cast, way: str) -> None:
    client, user = phone(), cast.player
    if way == "sign up":
        form = {"given_name": "Ana", "family_name": "", "sign_in_name": "ana.12", "password": PASSWORD}
        assert client.post("/sign-up/", form).status_code == 302
        user = User.objects.get(sign_in_name="ana.12")
    elif way == "link":
        client.post(f"/link/{make_sign_in_link(user=user, now=now())}/")
    else:
        client.force_login(user)  # a session from before devices were remembered
        client.post("/sign-out/")
    name = user.email or user.sign_in_name
    guess(phone(), name, 10)
    assert sign_in(phone(), name) == 429
    assert sign_in(client, name) == 302


def test_the_device_cookie_is_signed_and_unreadable_for_scripts(cast: Cast) -> None:
    cookie = signed_in_before(cast.player).cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", devices.YEAR)
    assert re.fullmatch(rf"[0-9a-f]{{16}}\.{cast.player.public_id}:[\w-]+:[\w-]+", cookie.value)
    assert str(cast.player.email) not in cookie.value


def test_the_right_password_resets_the_limit_per_address_but_not_per_account(cast: Cast) -> None:
    guess(phone(), cast.player.email, 9)
    assert sign_in(phone(), cast.player.email) == 302
    assert guess(phone(), cast.player.email, 12) == rate_limits.GUESSES.limit
    assert cache.get(rate_limits.ACCOUNT_GUESSES._key((str(cast.player.email),))) == 19


def test_a_device_can_be_known_to_an_account_without_an_email_address() -> None:
    create_account(email=None, password=PASSWORD, given_name="Guest", family_name="", sign_in_name="guest-7")
    client = phone()
    assert sign_in(client, "Guest-7") == 302
    client.post("/sign-out/")
    guess(phone(), "guest-7", 10)
    assert sign_in(client, "guest-7") == 302


def test_the_sign_in_limits_are_those_of_decision_18() -> None:
    limits = {
        name: (rate_limit.limit, rate_limit.seconds)
        for name, rate_limit in vars(rate_limits).items()
        if isinstance(rate_limit, RateLimit)
    }
    assert limits["GUESSES"] == (10, 600) and limits["ACCOUNT_GUESSES"] == (100, 3600)
    assert limits["FAILURES"] == (300, 600) and (DEVICE_GUESSES.limit, DEVICE_GUESSES.seconds) == (10, 600)
