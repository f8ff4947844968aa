"""What an account gets when it downloads everything stored about it."""

from typing import Any

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.events.bans import ban_address, ban_person
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.judging.checks import check_table, finish_check
from tournaments.judging.penalties import give_penalty

pytestmark = pytest.mark.django_db


def downloaded(user: User) -> dict[str, Any]:
    """The file that the account gets."""
    told: dict[str, Any] = signed_in(user).get(address("account_data")).json()
    return told


@pytest.fixture
def event(cast: Cast) -> Event:
    """A running event with a judge, and its first round published."""
    found = a_running_event(cast)
    if not found.staff_roles.filter(user=cast.judge, role="judge").exists():
        grant_role(event=found, email=cast.judge.email, role="judge", by=cast.organizer, now=NOW)
    return found


def test_bans_are_in_it_by_person_and_by_address_without_who_made_them(cast: Cast) -> None:
    ban_person(owner=cast.organizer, person=own_person(cast.player), reason="Cheated", now=NOW)
    ban_address(owner=cast.stranger, email=cast.player.email, reason="Rude", until=NOW.date(), now=NOW)
    ban_address(owner=cast.stranger, email=cast.opponent.email, reason="Another person", now=NOW)
    data = downloaded(cast.player)
    made = NOW.isoformat()
    assert data["bans_about_you"] == [
        {"reason": "Cheated", "until": None, "made": made},
        {"reason": "Rude", "until": NOW.date().isoformat(), "made": made},
    ]
    assert cast.organizer.public_id not in str(data["bans_about_you"]) and data["bans"] == []


def test_penalties_have_the_notes_of_judges(cast: Cast, event: Event) -> None:
    entrant = event.entrants.get(members__account=cast.player)
    give_penalty(entrant=entrant, infraction="cards_drawn", by=cast.judge, now=NOW, note="drew two")
    (entered,) = downloaded(cast.player)["persons"][0]["entrants"]
    (penalty,) = entered["penalties"]
    assert (penalty["note"], penalty["withdrawn"]) == ("drew two", None)
    assert downloaded(cast.opponent)["persons"][0]["entrants"][0]["penalties"] == []


def test_deck_checks_are_in_it(cast: Cast, event: Event) -> None:
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    entrant = event.entrants.get(members__account=cast.player)
    for check in check_table(match=match, by=cast.judge, now=NOW):
        finish_check(check=check, counted={}, others="a queen", by=cast.judge, now=NOW)
    (entered,) = downloaded(cast.player)["persons"][0]["entrants"]
    assert entered["id"] == entrant.public_id
    assert [(each["match"], each["other_cards"]) for each in entered["deck_checks"]] == [(match.public_id, "a queen")]


def test_what_is_left_out_is_said(cast: Cast) -> None:
    assert any("Who wrote" in said for said in downloaded(cast.player)["left_out"])
