"""Second factors: every way to sign in asks for the one an account has, and wrong codes are limited."""

import logging
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from tests.cast import PASSWORD, Cast
from tests.web.pages import signed_in, text
from tests.web.test_letters import link_in, post_all
from tournaments.accounts.models import User
from tournaments.accounts.sealing import unseal
from tournaments.accounts.services import create_token, erase_account, make_sign_in_link
from tournaments.archive.retention import forget_old
from tournaments.common.clock import now
from tournaments.common.models import LedgerEntry
from tournaments.web.devices import COOKIE

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
LONG = "another-long-word"


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def code_of(secret: str = SECRET, *, steps: int = 0) -> str:
    """Return the code that an authenticator app shows, or the one of some steps of 30 seconds later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


def wrong_code() -> str:
    """Return six digits that are no code around this time."""
    near = {code_of(steps=step) for step in range(-3, 4)}
    return next(digits for digits in (f"{n:06}" for n in range(100)) if digits not in near)


def protected(user: User) -> User:
    """Give an account an authenticator app with `SECRET`."""
    TOTP.activate(user, SECRET)
    return user


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def confirmed(user: User) -> Client:
    """Return a browser that is signed in and has just typed the password again."""
    client = signed_in(user)
    assert client.post("/account/security/confirm/", {"password": PASSWORD}).status_code == 302
    return client


def half_signed_in(user: User) -> Client:
    """Return a browser with the right password typed, which is asked for the second factor."""
    client = Client()
    answer = client.post("/sign-in/", {"email": user.email, "password": PASSWORD, "next": "/account/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in/code/")
    return client


def by_password(user: User, client: Client) -> None:
    client.post("/sign-in/", {"email": user.email, "password": PASSWORD})


def by_link(user: User, client: Client) -> None:
    client.post(f"/link/{make_sign_in_link(user=user, now=now())}/")


def by_new_password(user: User, client: Client) -> None:
    client.post("/password/", {"email": user.email})
    form = client.get(link_in(post_all()[-1])).headers["Location"]
    client.post(form, {"new_password1": LONG, "new_password2": LONG})


WAYS = [by_password, by_link, by_new_password]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("before", ["nobody", "another", "the same"])
def test_every_way_to_sign_in_asks_for_the_second_factor(way, before: str, cast: Cast) -> None:
    user = protected(cast.player)
    client = {"nobody": Client(), "another": signed_in(cast.stranger), "the same": signed_in(user)}[before]
    way(user, client)
    assert not is_signed_in(client)
    assert COOKIE not in client.cookies or user.public_id not in client.cookies[COOKIE].value
    assert "second factor" in text(client.get("/sign-in/code/"))
    answer = client.post("/sign-in/code/", {"code": code_of()})
    assert answer.status_code == 302
    assert client.session["_auth_user_id"] == str(user.pk)
    assert user.public_id in client.cookies[COOKIE].value, "and the browser is known from now on"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_an_account_without_a_second_factor_signs_in_at_once(way, cast: Cast) -> None:
    client = Client()
    way(cast.player, client)
    assert client.session["_auth_user_id"] == str(cast.player.pk)


def test_the_second_factor_leads_on_to_the_requested_page(cast: Cast) -> None:
    client = half_signed_in(protected(cast.player))
    assert client.post("/sign-in/code/", {"code": code_of()}).headers["Location"] == "/account/"


def test_pages_and_the_api_treat_a_half_signed_in_browser_as_a_visitor(cast: Cast) -> None:
    client = half_signed_in(protected(cast.player))
    assert client.get("/account/").status_code == 302
    assert client.get("/api/v1/me/").status_code in (401, 403)


def test_the_page_for_the_second_factor_needs_a_password_first(cast: Cast) -> None:
    protected(cast.player)
    assert Client().get("/sign-in/code/").headers["Location"] == "/sign-in/"
    assert Client().post("/sign-in/code/", {"code": code_of()}).headers["Location"] == "/sign-in/"


def test_a_wrong_code_is_refused_and_the_page_shown_again(cast: Cast) -> None:
    client = half_signed_in(protected(cast.player))
    answer = client.post("/sign-in/code/", {"code": wrong_code()})
    assert answer.status_code == 422 and "is wrong" in text(answer)
    assert not is_signed_in(client)


def test_the_code_of_the_step_before_is_accepted_and_older_ones_are_not(cast: Cast) -> None:
    protected(cast.player)
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": code_of(steps=-1)}).status_code == 302
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": code_of(steps=-3)}).status_code == 422


def test_a_code_signs_in_once_also_after_half_a_minute(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    protected(cast.player)
    code = code_of(steps=1)
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": code}).status_code == 302
    later = time.time() + 35
    monkeypatch.setattr(time, "time", lambda: later)
    for typed in (code, f"{code[:3]} {code[3:]}"):
        assert half_signed_in(cast.player).post("/sign-in/code/", {"code": typed}).status_code == 422


def test_wrong_codes_are_limited_per_account_over_all_browsers(cast: Cast) -> None:
    protected(cast.player)
    protected(cast.opponent)
    codes = [half_signed_in(cast.player).post("/sign-in/code/", {"code": wrong_code()}) for _ in range(12)]
    assert [answer.status_code for answer in codes] == [422] * 10 + [429] * 2
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": code_of()}).status_code == 429
    assert half_signed_in(cast.opponent).post("/sign-in/code/", {"code": code_of()}).status_code == 302


def test_refused_codes_do_not_extend_the_wait(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    protected(cast.player)
    for _ in range(20):
        half_signed_in(cast.player).post("/sign-in/code/", {"code": wrong_code()})
    later = time.time() + 601
    monkeypatch.setattr(time, "time", lambda: later)
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": code_of()}).status_code == 302


def test_a_recovery_code_stands_in_once(cast: Cast) -> None:
    client = confirmed(cast.player)
    client.get("/account/security/app/")
    secret = client.session["mfa.totp.secret"]
    shown = client.post("/account/security/app/", {"code": code_of(secret)}, follow=True)
    factor = Authenticator.objects.get(user=cast.player, type="recovery_codes")
    first = factor.wrap().get_unused_codes()[0]
    assert f">{first}</code>" in text(shown)
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": first}).status_code == 302
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": first}).status_code == 422
    assert f">{first}</code>" not in text(client.get("/account/security/codes/"))


def test_new_recovery_codes_void_the_old_ones(cast: Cast) -> None:
    client = confirmed(cast.player)
    client.get("/account/security/app/")
    client.post("/account/security/app/", {"code": code_of(client.session["mfa.totp.secret"])})
    old = Authenticator.objects.get(user=cast.player, type="recovery_codes").wrap().get_unused_codes()[0]
    assert client.post("/account/security/codes/new/").status_code == 302
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": old}).status_code == 422


def test_recovery_codes_cannot_be_made_without_a_second_factor(cast: Cast) -> None:
    client = confirmed(cast.player)
    assert client.post("/account/security/codes/new/").headers["Location"] == "/account/security/"
    assert client.get("/account/security/codes/").status_code == 404
    assert not Authenticator.objects.exists()


def test_an_app_is_set_up_only_with_a_code_that_it_shows(cast: Cast) -> None:
    client = confirmed(cast.player)
    page = text(client.get("/account/security/app/"))
    secret = client.session["mfa.totp.secret"]
    assert "<svg" in page and secret in page
    assert client.post("/account/security/app/", {"code": "abcdef"}).status_code == 422
    assert not Authenticator.objects.exists()
    assert client.post("/account/security/app/", {"code": code_of(secret)}).headers["Location"].endswith("/codes/")
    assert "turned on" in text(client.get("/account/security/"))


def test_changes_need_the_password_again(cast: Cast) -> None:
    client = signed_in(protected(cast.player))
    for path in ("/account/security/app/remove/", "/account/security/codes/new/"):
        assert client.post(path).headers["Location"].startswith("/account/security/confirm/?next=")
    for path in ("/account/security/app/", "/account/security/passkeys/", "/account/security/codes/"):
        assert client.get(path).status_code in (302, 404), path
    assert Authenticator.objects.count() == 1
    wrong = client.post("/account/security/confirm/", {"password": "wrong-password"})
    assert wrong.status_code == 422 and "not the password" in text(wrong)


def test_the_password_confirms_and_the_change_is_then_made(cast: Cast) -> None:
    client = signed_in(protected(cast.player))
    asked = client.post("/account/security/app/remove/").headers["Location"]
    answer = client.post(asked, {"password": PASSWORD, "next": "/account/security/app/remove/"})
    assert answer.headers["Location"] == "/account/security/"
    assert not Authenticator.objects.exists(), "and the recovery codes go with it"


def test_a_code_confirms_too_for_an_account_without_a_password(cast: Cast) -> None:
    cast.player.set_unusable_password()
    cast.player.save()
    client = signed_in(protected(cast.player))
    asked = client.post("/account/security/app/remove/").headers["Location"]
    assert asked.startswith("/account/security/confirm/code/")
    assert client.post(asked, {"code": wrong_code()}).status_code == 422
    assert client.post(asked, {"code": code_of()}).status_code == 302
    assert not Authenticator.objects.exists()


def test_guesses_at_the_password_by_a_stolen_session_are_limited(cast: Cast) -> None:
    client = signed_in(cast.player)
    sent = [client.post("/account/security/confirm/", {"password": f"wrong-{n}"}).status_code for n in range(12)]
    assert sent == [422] * 10 + [429] * 2
    old = [client.post("/account/security/password/", {"oldpassword": f"wrong-{n}"}).status_code for n in range(12)]
    assert old == [422] * 10 + [429] * 2


def test_a_limited_page_says_so_in_a_sentence_with_the_time_to_wait(cast: Cast) -> None:
    client = signed_in(cast.player)
    for n in range(11):
        answer = client.post("/account/security/confirm/", {"password": f"wrong-{n}"})
    assert answer.headers["Retry-After"] == "600" and "Too many attempts" in text(answer)


@pytest.mark.parametrize(
    "path",
    [
        "/sign-in/code/",
        "/sign-in/passkey/",
        "/account/security/app/",
        "/account/security/app/remove/",
        "/account/security/codes/new/",
        "/account/security/confirm/",
        "/account/security/password/",
        "/account/security/browsers/",
    ],
)
def test_no_page_takes_a_form_from_another_site(path: str, cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(protected(cast.player))
    assert client.post(path, {"code": code_of(), "password": PASSWORD}).status_code == 403
    assert Authenticator.objects.count() == 1


def test_the_secrets_are_sealed_in_the_database(cast: Cast) -> None:
    protected(cast.player)
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        (row,) = cursor.fetchone()
    assert SECRET not in str(row)
    assert unseal(Authenticator.objects.get().data["secret"]) == SECRET


def test_secrets_sealed_under_an_earlier_key_are_still_read(cast: Cast, settings) -> None:
    protected(cast.player)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "k" * 40
    assert half_signed_in(cast.player).post("/sign-in/code/", {"code": code_of()}).status_code == 302


def test_with_a_lost_key_nobody_gets_in_and_the_page_says_why(cast: Cast, settings) -> None:
    protected(cast.player)
    settings.SECRET_KEY = "k" * 40
    client = half_signed_in(cast.player)
    answer = client.post("/sign-in/code/", {"code": code_of()})
    assert answer.status_code == 409 and "second_factor_unreadable" in text(answer)
    assert not is_signed_in(client)


def test_neither_logs_nor_the_ledger_hold_a_code_or_a_secret(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client = confirmed(cast.player)
        client.get("/account/security/app/")
        secret = client.session["mfa.totp.secret"]
        code, wrong = code_of(secret), "123 456"
        client.post("/account/security/app/", {"code": wrong})
        client.post("/account/security/app/", {"code": code})
        half_signed_in(cast.player).post("/sign-in/code/", {"code": wrong})
    kept = caplog.text + str(list(LedgerEntry.objects.values()))
    assert not [each for each in (secret, code, wrong) if each in kept]


def test_the_operator_removes_a_lost_second_factor_and_the_owner_hears_of_it(cast: Cast, capsys) -> None:
    protected(cast.player)
    User.objects.filter(pk=cast.player.pk).update(email_confirmed_at=now())
    call_command("remove_second_factor", cast.player.public_id)
    assert "second factors removed: 1" in capsys.readouterr().out
    assert [letter.subject for letter in post_all()] == ["Your ways to sign in have changed"]
    client = Client()
    by_password(cast.player, client)
    assert is_signed_in(client)
    with pytest.raises(CommandError, match="no such account"):
        call_command("remove_second_factor", "nobody")


def test_a_change_is_written_about_to_a_confirmed_address_only(cast: Cast) -> None:
    for confirmed_at, letters in ((None, 0), (now(), 1)):
        User.objects.filter(pk=cast.player.pk).update(email_confirmed_at=confirmed_at)
        mail.outbox.clear()
        client = confirmed(User.objects.get(pk=cast.player.pk))
        new = {"oldpassword": PASSWORD, "password1": LONG, "password2": LONG}
        assert client.post("/account/security/password/", new).status_code == 302
        assert len(post_all()) == letters
        cast.player.set_password(PASSWORD)
        cast.player.save(update_fields=["password"])


def test_an_api_token_works_without_the_second_factor(cast: Cast) -> None:
    protected(cast.player)
    _token, secret = create_token(user=cast.player, name="Phone", scopes=["read"], now=now())
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"}).status_code == 200


def test_a_new_password_keeps_this_browser_and_signs_out_the_others(cast: Cast) -> None:
    here, there = Client(), Client()
    for client in (here, there):
        by_password(cast.player, client)
    new = {"oldpassword": PASSWORD, "password1": LONG, "password2": LONG}
    assert here.post("/account/security/password/", new).headers["Location"] == "/account/security/"
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").status_code == 302
    assert UserSession.objects.filter(user=cast.player).count() >= 1


def test_a_bad_new_password_is_refused_with_the_reason(cast: Cast) -> None:
    client = signed_in(cast.player)
    short = {"oldpassword": PASSWORD, "password1": "short", "password2": "short"}
    answer = client.post("/account/security/password/", short)
    assert answer.status_code == 422 and "too short" in text(answer)
    wrong = client.post("/account/security/password/", {"oldpassword": "no", "password1": LONG, "password2": LONG})
    assert wrong.status_code == 422 and "not the password" in text(wrong)


def test_an_account_without_a_password_can_choose_one(cast: Cast) -> None:
    cast.player.set_unusable_password()
    cast.player.save()
    client = signed_in(cast.player)
    assert client.get("/account/security/password/").headers["Location"] == "/account/security/password/new/"
    assert client.post("/account/security/password/new/", {"password1": LONG, "password2": LONG}).status_code == 302
    assert client.get("/account/").status_code == 200
    cast.player.refresh_from_db()
    assert cast.player.check_password(LONG)


def test_the_browsers_of_an_account_are_listed_and_signed_out_one_by_one_or_all(cast: Cast) -> None:
    clients = [Client(headers={"User-Agent": f"Browser {n}"}) for n in range(4)]
    for client in clients:
        by_password(cast.player, client)
    shown = text(clients[0].get("/account/security/"))
    assert all(f"Browser {n}" in shown for n in range(4)) and shown.count("this browser") == 1
    second = UserSession.objects.get(user_agent="Browser 1")
    assert signed_in(cast.stranger).post(f"/account/security/browsers/{second.pk}/").status_code == 404
    assert clients[0].post(f"/account/security/browsers/{second.pk}/").status_code == 302
    assert [client.get("/account/").status_code for client in clients] == [200, 302, 200, 200]
    clients[0].post("/account/security/browsers/")
    assert [client.get("/account/").status_code for client in clients] == [200, 302, 302, 302]


def test_a_browser_is_listed_by_its_name_and_system(cast: Cast) -> None:
    safari = (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        "Version/18.1 Mobile/15E148 Safari/604.1"
    )
    client = Client(headers={"User-Agent": safari})
    by_password(cast.player, client)
    shown = text(client.get("/account/security/"))
    assert "Mobile Safari · iOS" in shown and "AppleWebKit" not in shown


def test_a_browser_is_forgotten_when_it_signs_out(cast: Cast) -> None:
    client = Client()
    by_password(cast.player, client)
    assert UserSession.objects.count() == 1
    client.post("/sign-out/")
    assert UserSession.objects.count() == 0


def test_a_session_from_before_the_list_is_listed_once_its_page_is_opened(cast: Cast) -> None:
    assert "this browser" in text(signed_in(cast.player).get("/account/security/"))


def test_a_request_without_a_network_address_can_sign_in(cast: Cast) -> None:
    client = Client(REMOTE_ADDR="")
    by_password(cast.player, client)
    assert is_signed_in(client)


def test_the_downloaded_data_list_factors_and_browsers_without_secrets(cast: Cast) -> None:
    client = Client(headers={"User-Agent": "Browser 7"})
    by_password(cast.player, client)
    protected(cast.player)
    answer = client.get("/account/data/")
    kept = answer.json()
    assert [factor["kind"] for factor in kept["second_factors"]] == ["totp"]
    assert [browser["browser"] for browser in kept["browsers"]] == ["Browser 7"]
    assert Authenticator.objects.get().data["secret"] not in text(answer)
    assert client.session.session_key not in text(answer)


def test_erasing_an_account_erases_its_factors_and_browsers(cast: Cast) -> None:
    by_password(cast.player, Client())
    protected(cast.player)
    erase_account(user=cast.player, now=now())
    assert not Authenticator.objects.exists() and not UserSession.objects.exists()


def test_a_browser_whose_session_is_over_is_forgotten(cast: Cast) -> None:
    for _ in range(2):
        by_password(cast.player, Client())
    Session.objects.filter(session_key=UserSession.objects.first().session_key).update(expire_date=now())
    forget_old(now=now() + timedelta(hours=1))
    assert UserSession.objects.count() == 1
