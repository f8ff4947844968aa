"""Account pages: signing up, in and out, sign-in links, names, API tokens, language, downloading and erasing data."""

import logging

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event
from tests.cast import PASSWORD, Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.addresses import reset_token
from tournaments.accounts.models import ApiToken, User
from tournaments.accounts.services import change_language, create_token, make_sign_in_link, own_person
from tournaments.common.clock import now
from tournaments.events.models import Entrant
from tournaments.events.services import add_entrant


@pytest.fixture(autouse=True)
def _no_failures_yet():
    cache.clear()  # rate limits are counted in the cache


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: str):
    return client.post("/sign-in/", {"email": email, "password": password, **more})


def test_signing_up_creates_an_account_and_signs_in(client, db):
    answer = client.post(
        "/sign-up/",
        {"given_name": "Player 12", "family_name": "", "email": "New@Example.com", "password": "quite-long-enough"},
    )
    assert answer.status_code == 302
    assert is_signed_in(client)
    assert own_person(User.objects.get(new_email="new@example.com")).name == "Player 12"


def test_an_account_created_on_a_french_page_is_in_french(client, db):
    client.cookies["django_language"] = "fr"
    client.post("/sign-up/", {"given_name": "P", "email": "fr@example.com", "password": "quite-long-enough"})
    assert User.objects.get(new_email="fr@example.com").language == "fr"


def test_a_refused_sign_up_keeps_the_input_and_gives_the_reason(client, cast: Cast):
    signs_up = {"given_name": "Player 12", "email": "p@example.com", "password": "quite-long-enough"}
    client.post("/sign-up/", {**signs_up, "sign_in_name": "player12"})
    answer = client.post("/sign-up/", {**signs_up, "sign_in_name": "player12"})
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "This sign-in name is taken" in shown and 'value="Player 12"' in shown
    short = client.post("/sign-up/", {"given_name": "P", "email": "p@example.com", "password": "short"})
    assert short.status_code == 422
    assert "too short" in short.content.decode()


def test_signing_in_continues_to_the_requested_page(client, cast: Cast):
    answer = sign_in(client, cast.player.email.upper(), next="/account/")
    assert answer.headers["Location"] == "/account/"
    assert is_signed_in(client)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_signing_in_never_redirects_to_another_site(client, cast: Cast, elsewhere: str):
    assert sign_in(client, cast.player.email, next=elsewhere).headers["Location"] == "/"


def test_a_wrong_password_and_an_unknown_account_get_the_same_message(client, cast: Cast):
    wrong = sign_in(client, cast.player.email, "wrong-password")
    unknown = sign_in(client, "nobody@example.com", "wrong-password")
    assert wrong.status_code == unknown.status_code == 422
    assert "do not match" in wrong.content.decode()
    assert "do not match" in unknown.content.decode()


def test_after_ten_failures_even_the_right_password_is_refused(client, cast: Cast):
    for _ in range(10):
        sign_in(client, cast.player.email, "wrong-password")
    answer = sign_in(client, cast.player.email)
    assert answer.status_code == 429
    assert not is_signed_in(client)
    assert sign_in(client, cast.opponent.email).status_code == 302, "others sign in"


def test_a_failed_sign_in_logs_neither_address_nor_password(client, cast: Cast, caplog):
    with caplog.at_level(logging.DEBUG):
        sign_in(client, cast.player.email, "wrong-password")
    assert cast.player.email not in caplog.text
    assert "wrong-password" not in caplog.text  # people mistype a password they use elsewhere


def test_signing_out_needs_a_post_and_is_idempotent(cast: Cast):
    client = signed_in(cast.player)
    assert client.get("/sign-out/").url == "/"
    assert is_signed_in(client)
    for _ in range(2):
        assert client.post("/sign-out/").status_code == 302
    assert not is_signed_in(client)


def test_opening_a_sign_in_link_does_not_use_it_up(client, cast: Cast):
    secret = make_sign_in_link(user=cast.player, now=now())
    for _ in range(3):
        assert client.get(f"/link/{secret}/").status_code == 200
    assert not is_signed_in(client)
    before = client.session.session_key
    assert client.post(f"/link/{secret}/", {"next": "/account/"}).headers["Location"] == "/account/"
    assert is_signed_in(client)
    assert client.session.session_key != before


def test_a_used_sign_in_link_is_refused(client, cast: Cast):
    secret = make_sign_in_link(user=cast.player, now=now())
    client.post(f"/link/{secret}/")
    again = Client().post(f"/link/{secret}/")
    assert again.status_code == 409
    assert "link_spent" in again.content.decode()


def test_a_sign_in_link_never_redirects_to_another_site(client, cast: Cast):
    secret = make_sign_in_link(user=cast.player, now=now())
    assert client.post(f"/link/{secret}/", {"next": "https://evil.example/"}).headers["Location"] == "/"


def test_a_sign_in_link_is_not_cached_or_sent_as_referrer(client, cast: Cast):
    answer = client.get("/link/whatever/")
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_sign_in_link_switches_to_its_account(cast: Cast):
    client = signed_in(cast.stranger)
    client.post(f"/link/{make_sign_in_link(user=cast.player, now=now())}/")
    assert client.session["_auth_user_id"] == str(cast.player.pk)


def test_the_account_page_requires_signing_in(client, db):
    assert client.get("/account/").headers["Location"] == "/sign-in/?next=/account/"


def test_a_public_name_can_be_chosen_and_removed(cast: Cast):
    client = signed_in(cast.player)
    names = {"given_name": "Emma", "family_name": "Martin"}
    client.post("/account/name/", {**names, "public_name": "Champion of Table 1"})
    assert own_person(cast.player).name == "Champion of Table 1"
    client.post("/account/name/", {**names, "public_name": ""})
    assert own_person(cast.player).name == "Emma M."
    client.post("/account/name/", {**names, "public_name": "", "shown_in_full": "on"})
    assert own_person(cast.player).name == "Emma Martin"
    client.post("/account/name/", {**names, "public_name": "", "shown_in_full": "on", "family_first": "on"})
    assert own_person(cast.player).name == "Martin Emma"


def test_a_public_name_that_is_too_long_is_refused(cast: Cast):
    answer = signed_in(cast.player).post("/account/name/", {"public_name": "x" * 81})
    assert answer.status_code == 422
    assert "80" in answer.content.decode()


def test_the_secret_of_an_api_token_is_shown_once(cast: Cast):
    client = signed_in(cast.player)
    made = client.post("/account/tokens/", {"name": "Stream overlay", "scopes": ["read", "play"]}).content.decode()
    token = cast.player.api_tokens.get()
    assert token.scopes == ["play", "read"]
    assert 'id="token-secret">arb_' in made
    shown = client.get("/account/").content.decode()
    assert "token-secret" not in shown
    assert token.prefix in shown


def test_an_api_token_without_scopes_is_refused(cast: Cast):
    answer = signed_in(cast.player).post("/account/tokens/", {"name": "Nothing"})
    assert answer.status_code == 422
    assert "at least one permission" in answer.content.decode()


@pytest.mark.parametrize("how", ["change", "reset"])
@pytest.mark.parametrize("revokes", [True, False])
def test_a_new_password_revokes_api_tokens_if_so_chosen(cast: Cast, how: str, revokes: bool):
    token, _secret = create_token(user=cast.player, name="script", scopes=["read"], now=now())
    if how == "change":
        client, where, field = signed_in(cast.player), reverse("account_change_password"), "password"
    else:
        client, field = Client(), "new_password"
        key = urlsafe_base64_encode(force_bytes(cast.player.pk))
        where = client.get(reverse("web:reset", args=[key, reset_token(cast.player)])).url
    assert "Revoke all API tokens" in client.get(where).content.decode()
    form = {"oldpassword": PASSWORD, f"{field}1": "a-better-password-7", f"{field}2": "a-better-password-7"}
    assert client.post(where, {**form, **({"revoke_tokens": "on"} if revokes else {})}).status_code == 302
    token.refresh_from_db()
    assert (token.revoked_at is not None) is revokes


def test_an_account_without_api_tokens_is_not_offered_to_revoke_them(cast: Cast):
    page = signed_in(cast.player).get(reverse("account_change_password"))
    assert "Revoke all API tokens" not in page.content.decode()


def test_a_page_for_staff_is_kept_by_no_browser_and_public_pages_may_be(cast: Cast):
    event, organizer = an_open_event(cast), signed_in(cast.organizer)
    desk = organizer.get(reverse("web:staff", args=[event.public_id]))
    assert (desk.status_code, desk["Cache-Control"]) == (200, "no-store")
    for client in (organizer, signed_in(cast.player)):
        page = client.get(reverse("web:event", args=[event.public_id]))
        assert "no-store" not in page.get("Cache-Control", "")


def test_only_its_owner_can_revoke_an_api_token(cast: Cast):
    token, _secret = create_token(user=cast.player, name="Mine", scopes=["read"], now=NOW)
    address = reverse("web:token_revoke", args=[token.pk])
    assert signed_in(cast.stranger).post(address).status_code == 404
    for _ in range(2):
        assert signed_in(cast.player).post(address).status_code == 302
    assert ApiToken.objects.get().revoked_at is not None


def test_a_visitor_chooses_a_language_which_is_kept_in_a_cookie(client, db):
    answer = client.post("/language/", {"language": "it", "next": "/sign-in/"})
    assert answer.headers["Location"] == "/sign-in/"
    assert '<html lang="it"' in client.get("/sign-in/").content.decode()


def test_the_language_of_an_account_overrides_cookie_and_browser(cast: Cast):
    client = signed_in(cast.player)
    client.post("/language/", {"language": "fr"})
    client.cookies["django_language"] = "it"
    answer = client.get("/", headers={"Accept-Language": "it"})
    assert '<html lang="fr"' in answer.content.decode()
    assert answer.headers["Content-Language"] == "fr"


def test_an_unknown_language_is_refused(client, db):
    answer = client.post("/language/", {"language": "tlh"})
    assert answer.status_code == 422
    assert "language_unknown" in answer.content.decode()


def test_the_color_theme_is_kept_in_a_cookie(client, db):
    client.post("/theme/", {"theme": "dark", "next": "/"})
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.post("/theme/", {"theme": "plaid"})
    assert 'data-theme="dark"' in client.get("/").content.decode()


def test_erasing_an_account_is_confirmed_by_typing_its_address(cast: Cast):
    event = an_open_event(cast)
    entrant = an_entrant(event, cast.player)
    client = signed_in(cast.player)
    refused = client.post("/account/erase/", {"email": "somebody@example.com"})
    assert refused.status_code == 422
    assert "This is neither your e-mail address nor your sign-in name." in refused.content.decode()
    assert client.post("/account/erase/", {"email": cast.player.email.upper()}).headers["Location"] == "/"
    assert not is_signed_in(client)
    cast.player.refresh_from_db()
    assert (cast.player.is_active, "example.com" in cast.player.email) == (False, False)
    assert Entrant.objects.get(pk=entrant.pk).members.get().given_name == ""
    assert sign_in(Client(), "player.1@example.com").status_code == 422


def test_a_person_can_download_their_data(cast: Cast):
    an_entrant(an_open_event(cast), cast.player)
    answer = signed_in(cast.player).get("/account/data/")
    kept = answer.json()
    assert "attachment" in answer.headers["Content-Disposition"]
    assert kept["account"]["email"] == cast.player.email
    assert kept["persons"][0]["entrants"][0]["decklists"][0]["version"] == 1
    assert cast.opponent.email not in answer.content.decode()


def test_the_downloaded_data_include_matches_and_preferences(cast: Cast):
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    client = signed_in(cast.player)
    client.post("/account/stream/", {"off": "on"})
    kept = client.get("/account/data/").json()
    assert kept["persons"][0]["off_stream"] and kept["notices"] and kept["webhooks"] == []
    assert [match["round"] for match in kept["persons"][0]["entrants"][0]["matches"]] == [1]


def test_the_erase_person_command_erases_a_person_without_an_account(cast: Cast):
    entrant = add_entrant(
        event=an_open_event(cast), given_name="Player", family_name="Twelve", by=cast.organizer, now=NOW
    )
    person = entrant.members.get()
    call_command("erase_person", entrant.public_id)
    person.refresh_from_db()
    assert (person.given_name, person.family_name, person.erased_at is None) == ("", "", False)
    call_command("erase_person", person.public_id)
    with pytest.raises(CommandError, match="n-nobody"):
        call_command("erase_person", "n-nobody")


def test_pages_follow_the_phone_until_the_account_has_chosen_a_language(cast: Cast) -> None:
    phone = Client(headers={"accept-language": "fr-FR,fr;q=0.9,en;q=0.5"})
    assert '<html lang="fr"' in text(phone.get(address("home"))), "nobody is signed in"
    phone.force_login(cast.player)
    answer = phone.get(address("account"))
    assert '<html lang="fr"' in text(answer) and answer["Content-Language"] == "fr"
    assert '<html lang="it"' in text(phone.get(address("account"), headers={"accept-language": "it"}))
    assert '<html lang="en"' in text(phone.get(address("account"), headers={"accept-language": "pl"}))
    change_language(user=cast.player, language="en")
    assert '<html lang="en"' in text(phone.get(address("account"))), "English was chosen"
    other = Client(headers={"accept-language": "en"})
    other.force_login(cast.opponent)
    other.post(address("set_language"), {"language": "it", "next": "/"})
    elsewhere = Client(headers={"accept-language": "fr"})
    elsewhere.force_login(cast.opponent)
    assert '<html lang="it"' in text(elsewhere.get(address("account"))), "chosen on another device"
