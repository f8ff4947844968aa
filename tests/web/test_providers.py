"""Signing in with an account at another site, against a provider that runs on the loopback (`tests.web.openid`)."""

import html
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core.cache import cache
from django.test import Client

from tests.cast import PASSWORD, Cast
from tests.web.openid import CLIENT_ID, SECRET, Provider, a_key, a_provider
from tests.web.pages import address, signed_in, text
from tests.web.test_letters import link_in, post_all
from tests.web.test_second_factor import SECRET as APP_SECRET
from tests.web.test_second_factor import code_of, confirmed
from tournaments.accounts.models import User
from tournaments.accounts.services import erase_account, own_person
from tournaments.common.clock import now
from tournaments.web.devices import COOKIE

pytestmark = pytest.mark.django_db
SOMEBODY = {"sub": "17", "email": "somebody@example.com", "given_name": "Player 12", "family_name": "Twelve"}


@pytest.fixture
def club(settings: Any) -> Iterator[Provider]:
    """A provider that is switched on, with `SOMEBODY` signed in to it."""
    cache.clear()
    with a_provider() as provider:
        provider.person = dict(SOMEBODY)
        app = {"provider_id": "club", "name": "Our Club", "client_id": CLIENT_ID, "secret": SECRET}
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {
                "OAUTH_PKCE_ENABLED": True,
                "APPS": [app | {"settings": {"server_url": provider.url}}],
            }
        }
        yield provider
    cache.clear()


def gone_there(client: Client, **sent: str) -> str:
    """Press the button of the provider, and return the address to which the page leads."""
    answer = client.post("/openid/club/", sent)
    assert answer.status_code == 200, answer.headers
    found = re.search(r'href="(http://127[^"]+)"', text(answer))
    assert found is not None
    return html.unescape(found[1])


def come_back(client: Client, club: Provider, **sent: str) -> Any:
    """Sign in at the provider and come back to the site."""
    return client.get(club.visited(gone_there(client, **sent)))


def account_of(client: Client) -> User | None:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None


def connected(user: User, sub: str = "17") -> User:
    SocialAccount.objects.create(user=user, provider="club", uid=sub)
    return user


def test_without_a_setting_there_is_no_button_and_no_provider(cast: Cast) -> None:
    assert "/openid/" not in text(Client().get("/sign-in/"))
    assert "Accounts at other sites" not in text(signed_in(cast.player).get("/account/security/"))
    assert Client().post("/openid/club/").status_code == 404
    assert Client().get("/openid/club/back/").status_code == 404


def test_the_buttons_stand_on_the_pages_when_a_provider_is_switched_on(cast: Cast, club: Provider) -> None:
    assert "Sign in with Our Club" in text(Client().get("/sign-in/"))
    assert "Connect Our Club" in text(signed_in(cast.player).get("/account/security/"))
    assert club.asked == [], "and the provider is not asked for that"


@pytest.mark.parametrize(("age", "said"), [(16, True), (0, False)])
def test_whoever_signs_in_with_another_site_declares_to_be_old_enough(
    cast: Cast, club: Provider, settings: Any, age: int, said: bool
) -> None:
    settings.GUARDIAN_UNDER = age
    assert ("you declare that you are 16 or older" in text(Client().get(address("sign_in")))) == said


def test_a_connected_account_signs_in_and_goes_on_to_the_page(cast: Cast, club: Provider) -> None:
    connected(cast.player)
    client = Client()
    answer = come_back(client, club, next="/account/history/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/history/")
    assert account_of(client) == cast.player
    assert cast.player.public_id in client.cookies[COOKIE].value
    assert answer.headers["Referrer-Policy"] == "strict-origin" and "no-store" in answer.headers["Cache-Control"]


def test_signing_in_there_never_leads_to_a_third_site(cast: Cast, club: Provider) -> None:
    connected(cast.player)
    assert come_back(Client(), club, next="https://evil.example/").headers["Location"] == "/"


def test_the_second_factor_is_asked_for_after_a_provider_too(cast: Cast, club: Provider) -> None:
    TOTP.activate(connected(cast.player), APP_SECRET)
    client = Client()
    assert come_back(client, club).headers["Location"] == "/sign-in/code/"
    assert account_of(client) is None
    client.post("/sign-in/code/", {"code": code_of(APP_SECRET)})
    assert account_of(client) == cast.player


def test_somebody_new_gets_an_account_whose_address_is_to_be_confirmed(cast: Cast, club: Provider) -> None:
    client = Client()
    client.cookies["django_language"] = "fr"
    assert come_back(client, club).status_code == 302
    made = account_of(client)
    assert made is not None and (made.email, made.new_email) == (None, SOMEBODY["email"])
    assert made.language == "fr" and not made.has_usable_password()
    assert own_person(made).given_name == "Player 12"
    (letter,) = post_all()
    Client().post(link_in(letter))
    made.refresh_from_db()
    assert made.email == SOMEBODY["email"]
    again = Client()
    come_back(again, club)
    assert account_of(again) == made


@pytest.mark.parametrize("verified", [True, False])
def test_an_address_at_a_provider_never_takes_over_an_account(verified: bool, cast: Cast, club: Provider) -> None:
    User.objects.filter(pk=cast.player.pk).update(email_confirmed_at=now())
    club.person |= {"email": str(cast.player.email).upper(), "email_verified": verified}
    client = Client()
    assert come_back(client, club).status_code == 302
    made = account_of(client)
    assert made is not None and made != cast.player and made.email is None
    assert not SocialAccount.objects.filter(user=cast.player).exists()
    letters = post_all()
    assert [(letter.to, letter.subject) for letter in letters] == [([cast.player.email], "You already have an account")]


def test_the_answer_does_not_reveal_whether_an_address_has_an_account(cast: Cast, club: Provider) -> None:
    answers = []
    for sub, email in (("1", cast.player.email), ("2", "nobody@example.com")):
        club.person = {"sub": sub, "email": email}
        answer = come_back(Client(), club)
        answers.append((answer.status_code, answer.headers["Location"], set(answer.cookies)))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "person", [{"sub": "1"}, {"sub": "1", "email": "no address"}, {"sub": "1", "email": f"{'a' * 300}@example.com"}]
)
def test_an_account_is_made_without_a_usable_address_too(person: dict[str, str], club: Provider) -> None:
    club.person = person
    client = Client()
    assert come_back(client, club).status_code == 302
    made = account_of(client)
    assert made is not None and made.new_email == "" and str(made.sign_in_name).startswith("player-")


def test_connecting_needs_the_password_again_and_connects_the_account(cast: Cast, club: Provider) -> None:
    asked = signed_in(cast.player).post("/openid/club/", {"process": "connect"})
    assert asked.headers["Location"].startswith("/account/security/confirm/")
    client = confirmed(cast.player)
    answer = come_back(client, club, process="connect", next="/account/security/")
    assert answer.headers["Location"] == "/account/security/"
    assert SocialAccount.objects.get().user == cast.player
    assert "Disconnect" in text(client.get("/account/security/"))
    assert Client().post("/openid/club/", {"process": "connect"}).headers["Location"].startswith("/sign-in/")


def test_an_account_there_is_connected_to_one_account_here_only(cast: Cast, club: Provider) -> None:
    connected(cast.opponent)
    client = confirmed(cast.player)
    page = client.get(come_back(client, club, process="connect").headers["Location"])
    assert "already connected to another account here" in text(page)
    assert SocialAccount.objects.get().user == cast.opponent


def test_only_its_owner_disconnects_and_not_the_last_way_to_sign_in(cast: Cast, club: Provider) -> None:
    connected(cast.player)
    path = f"/account/security/connections/{SocialAccount.objects.get().pk}/"
    assert confirmed(cast.stranger).post(path).status_code == 404
    assert signed_in(cast.player).post(path).headers["Location"].startswith("/account/security/confirm/")
    client = confirmed(cast.player)
    assert client.post(path).headers["Location"] == "/account/security/"
    assert not SocialAccount.objects.exists()
    come_back(client := Client(), club)
    made = SocialAccount.objects.get()
    page = client.post(f"/account/security/connections/{made.pk}/", follow=True)
    assert "Choose a password first" in text(page) and SocialAccount.objects.exists()


@pytest.mark.parametrize(
    "fault",
    [
        {"signed_with": a_key()},
        {"without_token": True},
        {"claims": {"aud": "somebody-else"}},
        {"claims": {"iss": "https://evil.example"}},
        {"claims": {"exp": 1_000_000_000}},
        {"profile": {"sub": "18"}},
    ],
    ids=["forged", "no token", "for another site", "of another provider", "too old", "of two people"],
)
def test_an_id_token_that_is_not_right_signs_nobody_in(fault: dict[str, Any], cast: Cast, club: Provider) -> None:
    connected(cast.player)
    connected(cast.opponent, "18")
    for name, value in fault.items():
        setattr(club, name, value)
    client = Client()
    answer = come_back(client, club)
    assert answer.headers["Location"] == "/sign-in/" and account_of(client) is None
    assert "did not work" in text(client.get("/sign-in/"))


def test_an_answer_counts_once_and_in_the_browser_that_asked(cast: Cast, club: Provider) -> None:
    connected(cast.player)
    client = Client()
    back = club.visited(gone_there(client))
    other = Client()
    assert other.get(back).headers["Location"] == "/sign-in/" and account_of(other) is None
    client.get(back)
    assert account_of(client) == cast.player
    client.post("/sign-out/")
    client.get(back)
    assert account_of(client) is None


def test_giving_up_at_the_provider_leads_back_to_signing_in(club: Provider) -> None:
    client = Client()
    back = club.visited(gone_there(client), error="access_denied")
    assert client.get(back).headers["Location"] == "/sign-in/"


def test_a_provider_that_is_out_of_order_is_a_sentence(club: Provider) -> None:
    club.out_of_order = True
    answer = Client().post("/openid/club/")
    assert answer.status_code == 409 and "cannot be reached" in text(answer)


def test_going_there_needs_a_post_from_this_site(club: Provider) -> None:
    assert Client(enforce_csrf_checks=True).post("/openid/club/").status_code == 403
    assert Client().get("/openid/club/").status_code == 302
    assert club.asked == []


@pytest.mark.slow
def test_new_accounts_by_a_provider_count_as_sign_ups(club: Provider) -> None:
    statuses = []
    for n in range(21):
        club.person = {"sub": str(n)}
        statuses.append(come_back(Client(), club).status_code)
    assert statuses == [302] * 20 + [429]


def test_nothing_of_the_profile_is_kept_and_no_secret_logged(club: Provider, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        client = Client()
        back = club.visited(gone_there(client))
        client.get(back)
        Client().get(back.replace("/club/", "/nobody/"))
    kept = SocialAccount.objects.get()
    assert (kept.extra_data, SocialToken.objects.count()) == ({}, 0)
    come_back(Client(), club)
    kept.refresh_from_db()
    assert kept.extra_data == {}
    assert SECRET not in caplog.text


def test_connections_are_in_the_downloaded_data_and_erased_with_the_account(cast: Cast, club: Provider) -> None:
    data = signed_in(connected(cast.player)).get("/account/data/").json()
    assert [(each["provider"], each["id_there"]) for each in data["connections"]] == [("club", "17")]
    erase_account(user=cast.player, now=now())
    assert not SocialAccount.objects.exists()


def test_a_password_works_beside_a_provider(cast: Cast, club: Provider) -> None:
    client = Client()
    client.post("/sign-in/", {"email": connected(cast.player).email, "password": PASSWORD})
    assert account_of(client) == cast.player
