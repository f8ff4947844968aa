"""Announcements: who sees them and for how long, and who may make them."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.announcements.models import Announcement
from tournaments.announcements.selectors import for_everybody, heard
from tournaments.announcements.services import MOST, announce, withdraw
from tournaments.common.clock import now
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast)


@pytest.fixture
def match(cast: Cast, event: Event) -> Match:
    return match_of(a_published_round(event, cast.organizer), cast.player)


def said(user: User, event: Event) -> list[str]:
    return [each.text for each in heard(user, event, NOW)]


def test_everybody_sees_announcements_to_all_and_to_the_stage_until_they_expire(cast: Cast, event: Event) -> None:
    announce(event=event, text=" Lunch \n at one ", by=cast.judge, now=NOW, minutes=10)
    announce(event=event, text="Round one soon", by=cast.organizer, now=NOW, stage=1)
    for user in (cast.player, cast.stranger):
        assert said(user, event) == ["Round one soon", "Lunch at one"]
    assert [each.text for each in for_everybody(event, NOW + timedelta(minutes=10))] == ["Round one soon"]


def test_only_the_players_at_a_table_see_its_announcement(cast: Cast, event: Event, match: Match) -> None:
    announce(event=event, text="Come to the desk", by=cast.judge, now=NOW, table=match.table)
    there = users_of(match)
    elsewhere = [user for other in match.round.matches.exclude(pk=match.pk) for user in users_of(other)]
    assert [said(user, event) for user in there] == [["Come to the desk"]] * 2
    assert [said(user, event) for user in [*elsewhere, cast.stranger]] == [[]] * (len(elsewhere) + 1)
    assert not for_everybody(event, NOW)


def test_withdrawing_an_announcement_is_idempotent(cast: Cast, event: Event) -> None:
    made = announce(event=event, text="Lunch", by=cast.judge, now=NOW)
    for _time in range(2):
        withdraw(announcement=made, by=cast.organizer, now=NOW)
    assert said(cast.stranger, event) == []
    entries = LedgerEntry.objects.filter(object=made.public_id).order_by("number")
    assert [entry.code for entry in entries] == ["announcement.made", "announcement.withdrawn"]
    assert "Lunch" not in str([entry.after for entry in entries])


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"text": " "}, "text_invalid"),
        ({"text": "x" * 301}, "text_invalid"),
        ({"minutes": 0}, "minutes_invalid"),
        ({"stage": 7}, "audience_invalid"),
        ({"table": 1}, "audience_invalid"),
        ({"stage": 1, "table": 1}, "audience_invalid"),
    ],
)
def test_an_invalid_announcement_is_refused(cast: Cast, event: Event, wrong: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        announce(event=event, by=cast.organizer, now=NOW, **{"text": "Lunch", **wrong})
    assert refused.value.code == code


def test_the_number_of_announcements_at_the_same_time_is_limited(cast: Cast, event: Event) -> None:
    for number in range(MOST):
        announce(event=event, text=f"{number}", by=cast.organizer, now=NOW)
    with pytest.raises(Refusal) as refused:
        announce(event=event, text="one more", by=cast.organizer, now=NOW)
    assert refused.value.code == "too_many_announcements"


def test_the_desk_can_make_and_withdraw_an_announcement_that_pages_show(cast: Cast, event: Event) -> None:
    client, desk = signed_in(cast.scorekeeper), address("staff_announcements", event.public_id)
    assert client.post(desk, {"text": "Lunch <b>now</b>", "stage": "", "minutes": "5"}).url == desk
    assert client.post(desk, {"text": "", "minutes": "5"}).status_code == 422
    assert client.post(desk, {"text": "x", "table": "1", "minutes": "5"}).status_code == 422
    for page in ("event", "announcements"):
        assert "Lunch &lt;b&gt;now&lt;/b&gt;" in text(signed_in(cast.player).get(address(page, event.public_id)))
    action = address("withdraw", Announcement.objects.get().public_id)
    assert client.post(action).url == desk
    assert not heard(cast.player, event, now())


def test_strangers_and_players_cannot_make_announcements(cast: Cast, event: Event) -> None:
    made = announce(event=event, text="Lunch", by=cast.judge, now=NOW)
    for user in (cast.stranger, cast.player):
        client = signed_in(user)
        assert client.get(address("staff_announcements", event.public_id)).status_code == 404
        assert client.post(address("staff_announcements", event.public_id), {"text": "x"}).status_code == 404
        assert client.post(address("withdraw", made.public_id)).status_code == 404
    desk = address("staff_announcements", event.public_id)
    assert signed_in(cast.judge).get(address("withdraw", made.public_id)).url == desk
