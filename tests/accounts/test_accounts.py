"""Accounts, sign-in links, API tokens and erasure."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group

from tests.builders import NOW
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts import services as accounts
from tournaments.accounts.models import ApiToken, Person, SignInLink, User

pytestmark = pytest.mark.django_db


def test_an_account_has_no_name_of_its_own(cast: Cast) -> None:
    fields = {field.name for field in User._meta.get_fields()}
    assert not fields & {"first_name", "last_name", "name", "username"}
    assert accounts.own_person(cast.player).name == "Player 1"


def test_public_names_default_to_first_name_and_initial() -> None:
    assert Person(given_name="Player", family_name="Twelve").name == "Player T."
    assert Person(given_name="Player", family_name="Twelve", public_name="Ace").name == "Ace"


def test_an_email_address_belongs_to_one_account_regardless_of_case(cast: Cast) -> None:
    with assert_refused("email_taken"):
        accounts.create_account(
            email=cast.player.email.upper(), password="long-enough-word", given_name="Other", family_name=""
        )


@pytest.mark.parametrize(
    ("email", "password", "name"),
    [("nobody", "long-enough-word", "Player"), ("a@example.com", "short", "Player"), ("a@example.com", None, " ")],
)
def test_an_invalid_account_is_refused_with_its_faults(email: str, password: str | None, name: str) -> None:
    with assert_refused("account_invalid") as caught:
        accounts.create_account(email=email, password=password, given_name=name, family_name="")
    assert len(caught.value.details) == 1


def test_a_sign_in_link_works_once_and_its_secret_is_not_stored(cast: Cast) -> None:
    secret = accounts.make_sign_in_link(user=cast.player, now=NOW)
    assert secret not in str(SignInLink.objects.values())
    assert accounts.redeem_sign_in_link(secret=secret, now=NOW) == cast.player
    with assert_refused("link_spent"):
        accounts.redeem_sign_in_link(secret=secret, now=NOW)


def test_an_old_or_unknown_sign_in_link_is_refused(cast: Cast) -> None:
    secret = accounts.make_sign_in_link(user=cast.player, now=NOW, hours=1)
    with assert_refused("link_spent"):
        accounts.redeem_sign_in_link(secret=secret, now=NOW + timedelta(hours=2))
    with assert_refused("link_spent"):
        accounts.redeem_sign_in_link(secret="guess", now=NOW)


def test_a_token_is_valid_until_it_is_revoked_or_expires(cast: Cast) -> None:
    token, secret = accounts.create_token(user=cast.player, name="Phone", scopes=["read", "play"], now=NOW, days=10)
    assert secret not in str(ApiToken.objects.values())
    assert accounts.token_of(secret=secret, now=NOW) == token
    assert accounts.token_of(secret=secret, now=NOW + timedelta(days=11)) is None
    accounts.revoke_token(token=token, now=NOW)
    assert accounts.token_of(secret=secret, now=NOW) is None
    assert accounts.token_of(secret="arb_guess", now=NOW) is None


@pytest.mark.parametrize("scopes", [[], ["everything"]])
def test_a_token_needs_known_scopes(cast: Cast, scopes: list[str]) -> None:
    with assert_refused("token_invalid"):
        accounts.create_token(user=cast.player, name="Phone", scopes=scopes, now=NOW)


def test_an_erased_account_cannot_sign_in_in_any_way(cast: Cast) -> None:
    _token, secret = accounts.create_token(user=cast.player, name="Phone", scopes=["read"], now=NOW)
    link = accounts.make_sign_in_link(user=cast.player, now=NOW)
    accounts.erase_account(user=cast.player, now=NOW)
    cast.player.refresh_from_db()
    assert "player" not in cast.player.email
    assert not cast.player.is_active and not cast.player.has_usable_password()
    assert accounts.token_of(secret=secret, now=NOW) is None
    with assert_refused("link_spent"):
        accounts.redeem_sign_in_link(secret=link, now=NOW)
    assert not Person.objects.filter(account=cast.player).exists()


def test_erasing_a_person_clears_every_name(cast: Cast) -> None:
    person = accounts.own_person(cast.player)
    accounts.erase_person(person=person, now=NOW)
    person.refresh_from_db()
    assert (person.given_name, person.family_name, person.public_name, person.account) == ("", "", "", None)
    assert person.name == person.public_id


def test_names_lose_line_breaks_and_marks_that_reverse_text() -> None:
    hostile = "\u202eNimda\nA"
    account = accounts.create_account(email="a@example.com", password=None, given_name=hostile, family_name="\u2066B")
    person = accounts.own_person(account)
    assert (person.given_name, person.family_name) == ("Nimda A", "B")
    accounts.change_public_name(person=person, public_name=hostile)
    person.refresh_from_db()
    assert person.public_name == "Nimda A"
    with assert_refused("name_missing"):
        accounts.person_without_account(given_name="\u202e \u2069", family_name="C")


def test_an_account_is_found_by_its_key_and_by_nothing_less(cast: Cast, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        assert User.objects.get(pk=cast.player.pk) == cast.player
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=10**9)
    assert User.objects.get(email=cast.player.email, pk=cast.player.pk) == cast.player
    group = Group.objects.create(name="desk")
    cast.player.groups.add(group)
    assert group.user_set.get(pk=cast.player.pk) == cast.player
    with pytest.raises(User.DoesNotExist):
        group.user_set.get(pk=cast.organizer.pk)
