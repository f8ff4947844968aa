"""Account pages: signing up, in and out, links, tokens, language."""

import logging

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event
from tests.cast import PASSWORD, Cast
from tests.web.pages import signed_in
from tournaments.accounts.models import ApiToken, User
from tournaments.accounts.services import create_token, make_sign_in_link, own_person
from tournaments.common.clock import now
from tournaments.events.models import Entrant
from tournaments.events.services import add_entrant


@pytest.fixture(autouse=True)
def _no_failures_yet():
    cache.clear()


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: str):
    return client.post("/sign-in/", {"email": email, "password": password, **more})


def test_signing_up_makes_an_account_and_signs_in(client, db):
    answer = client.post(
        "/sign-up/",
        {"given_name": "Player 12", "family_name": "", "email": "New@Example.com", "password": "quite-long-enough"},
    )
    assert answer.status_code == 302
    assert is_signed_in(client)
    assert own_person(User.objects.get(new_email="new@example.com")).name == "Player 12"


def test_signing_up_in_french_makes_a_french_account(client, db):
    client.cookies["django_language"] = "fr"
    client.post("/sign-up/", {"given_name": "P", "email": "fr@example.com", "password": "quite-long-enough"})
    assert User.objects.get(new_email="fr@example.com").language == "fr"


def test_a_refused_sign_up_keeps_what_was_typed_and_says_why(client, cast: Cast):
    signs_up = {"given_name": "Player 12", "email": "p@example.com", "password": "quite-long-enough"}
    client.post("/sign-up/", {**signs_up, "sign_in_name": "player12"})
    answer = client.post("/sign-up/", {**signs_up, "sign_in_name": "player12"})
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "This sign-in name is taken" in shown and 'value="Player 12"' in shown
    short = client.post("/sign-up/", {"given_name": "P", "email": "p@example.com", "password": "short"})
    assert short.status_code == 422
    assert "too short" in short.content.decode()


def test_signing_in_goes_on_to_where_one_wanted_to_go(client, cast: Cast):
    answer = sign_in(client, cast.player.email.upper(), next="/account/")
    assert answer.headers["Location"] == "/account/"
    assert is_signed_in(client)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_signing_in_never_leads_to_another_site(client, cast: Cast, elsewhere: str):
    assert sign_in(client, cast.player.email, next=elsewhere).headers["Location"] == "/"


def test_a_wrong_password_is_refused_in_the_same_words_as_an_unknown_account(client, cast: Cast):
    wrong = sign_in(client, cast.player.email, "wrong-password")
    unknown = sign_in(client, "nobody@example.com", "wrong-password")
    assert wrong.status_code == unknown.status_code == 422
    assert "do not go together" in wrong.content.decode()
    assert "do not go together" in unknown.content.decode()


def test_after_ten_failures_the_right_password_is_refused_too(client, cast: Cast):
    for _ in range(10):
        sign_in(client, cast.player.email, "wrong-password")
    answer = sign_in(client, cast.player.email)
    assert answer.status_code == 429
    assert not is_signed_in(client)
    assert sign_in(client, cast.opponent.email).status_code == 302, "others sign in"


def test_a_failure_leaves_no_address_in_the_log(client, cast: Cast, caplog):
    with caplog.at_level(logging.DEBUG):
        sign_in(client, cast.player.email, "wrong-password")
    assert cast.player.email not in caplog.text
    assert "wrong-password" not in caplog.text


def test_signing_out_is_a_post_and_twice_is_once(cast: Cast):
    client = signed_in(cast.player)
    assert client.get("/sign-out/").url == "/"
    assert is_signed_in(client)
    for _ in range(2):
        assert client.post("/sign-out/").status_code == 302
    assert not is_signed_in(client)


def test_looking_at_a_link_does_not_spend_it(client, cast: Cast):
    secret = make_sign_in_link(user=cast.player, now=now())
    for _ in range(3):
        assert client.get(f"/link/{secret}/").status_code == 200
    assert not is_signed_in(client)
    before = client.session.session_key
    assert client.post(f"/link/{secret}/", {"next": "/account/"}).headers["Location"] == "/account/"
    assert is_signed_in(client)
    assert client.session.session_key != before


def test_a_spent_link_is_refused_with_its_code(client, cast: Cast):
    secret = make_sign_in_link(user=cast.player, now=now())
    client.post(f"/link/{secret}/")
    again = Client().post(f"/link/{secret}/")
    assert again.status_code == 409
    assert "link_spent" in again.content.decode()


def test_a_link_leads_to_no_other_site(client, cast: Cast):
    secret = make_sign_in_link(user=cast.player, now=now())
    assert client.post(f"/link/{secret}/", {"next": "https://evil.example/"}).headers["Location"] == "/"


def test_the_address_of_a_link_goes_to_no_cache_and_no_referrer(client, cast: Cast):
    answer = client.get("/link/whatever/")
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_link_changes_the_account_that_is_signed_in(cast: Cast):
    client = signed_in(cast.stranger)
    client.post(f"/link/{make_sign_in_link(user=cast.player, now=now())}/")
    assert client.session["_auth_user_id"] == str(cast.player.pk)


def test_the_account_page_asks_to_sign_in(client, db):
    assert client.get("/account/").headers["Location"] == "/sign-in/?next=/account/"


def test_a_public_name_is_chosen_and_given_up(cast: Cast):
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


def test_a_name_that_is_too_long_is_refused_beside_its_field(cast: Cast):
    answer = signed_in(cast.player).post("/account/name/", {"public_name": "x" * 81})
    assert answer.status_code == 422
    assert "80" in answer.content.decode()


def test_the_secret_of_a_token_is_shown_once(cast: Cast):
    client = signed_in(cast.player)
    made = client.post("/account/tokens/", {"name": "Stream overlay", "scopes": ["read", "play"]}).content.decode()
    token = cast.player.api_tokens.get()
    assert token.scopes == ["play", "read"]
    assert 'id="token-secret">arb_' in made
    shown = client.get("/account/").content.decode()
    assert "token-secret" not in shown
    assert token.prefix in shown


def test_a_token_without_a_scope_is_refused(cast: Cast):
    answer = signed_in(cast.player).post("/account/tokens/", {"name": "Nothing"})
    assert answer.status_code == 422
    assert "at least one known scope" in answer.content.decode()


def test_a_token_is_revoked_by_its_owner_alone(cast: Cast):
    token, _secret = create_token(user=cast.player, name="Mine", scopes=["read"], now=NOW)
    address = reverse("web:token_revoke", args=[token.pk])
    assert signed_in(cast.stranger).post(address).status_code == 404
    for _ in range(2):
        assert signed_in(cast.player).post(address).status_code == 302
    assert ApiToken.objects.get().revoked_at is not None


def test_a_visitor_chooses_a_language_by_cookie(client, db):
    answer = client.post("/language/", {"language": "it", "next": "/sign-in/"})
    assert answer.headers["Location"] == "/sign-in/"
    assert '<html lang="it"' in client.get("/sign-in/").content.decode()


def test_the_language_of_an_account_wins_over_cookie_and_browser(cast: Cast):
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


def test_colours_are_kept_in_a_cookie(client, db):
    client.post("/theme/", {"theme": "dark", "next": "/"})
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.post("/theme/", {"theme": "plaid"})
    assert 'data-theme="dark"' in client.get("/").content.decode()


def test_erasing_asks_for_the_address_and_then_closes_the_account(cast: Cast):
    event = an_open_event(cast)
    entrant = an_entrant(event, cast.player)
    client = signed_in(cast.player)
    refused = client.post("/account/erase/", {"email": "somebody@example.com"})
    assert refused.status_code == 422
    assert "not what you sign in with" in refused.content.decode()
    assert client.post("/account/erase/", {"email": cast.player.email.upper()}).headers["Location"] == "/"
    assert not is_signed_in(client)
    cast.player.refresh_from_db()
    assert (cast.player.is_active, "example.com" in cast.player.email) == (False, False)
    assert Entrant.objects.get(pk=entrant.pk).members.get().given_name == ""
    assert sign_in(Client(), "player.1@example.com").status_code == 422


def test_a_person_downloads_what_is_kept(cast: Cast):
    an_entrant(an_open_event(cast), cast.player)
    answer = signed_in(cast.player).get("/account/data/")
    kept = answer.json()
    assert "attachment" in answer.headers["Content-Disposition"]
    assert kept["account"]["email"] == cast.player.email
    assert kept["persons"][0]["entrants"][0]["decklists"][0]["version"] == 1
    assert cast.opponent.email not in answer.content.decode()


def test_the_copy_of_ones_data_holds_matches_and_choices_and_no_draft(cast: Cast):
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    client = signed_in(cast.player)
    client.post("/account/stream/", {"off": "on"})
    kept = client.get("/account/data/").json()
    assert kept["persons"][0]["off_stream"] and kept["notices"] and kept["webhooks"] == []
    assert [match["round"] for match in kept["persons"][0]["entrants"][0]["matches"]] == [1]


def test_a_person_without_an_account_is_erased_by_command(cast: Cast):
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
