"""The stream brings to the pages of both seats all that a report or a confirmation changes on them."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test.html import Element, parse_html

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tournaments.accounts.models import User
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.play.models import Match, Report, Round, Seat
from tournaments.play.services.results import void_result
from tournaments.web.live.address import Reader, Shown
from tournaments.web.live.history import Heard, History
from tournaments.web.live.parts import parts_for
from tournaments.web.live.positions import Position, news_since, positions
from tournaments.web.live.streams import Listener
from tournaments.web.live.topics import about

pytestmark = pytest.mark.django_db
SHOWN = Shown("players", "en")
Act = Callable[["Table"], object]


class Table:
    """A match with the accounts of its two players, who follow it."""

    def __init__(self, round_: Round, one: User) -> None:
        self.round, self.one = round_, one
        self.match: Match = match_of(round_, one)
        self.seats: dict[User, Seat] = {}
        for seat in self.match.seats.select_related("entrant"):
            account = seat.entrant.member_set.get().person.account
            assert account
            self.seats[account] = seat
        self.other = next(each for each in self.seats if each != one)
        self.event = round_.stage.event.public_id

    def shows(self, user: User) -> Element:
        """What the page of a player's seat shows, without what changes with every request."""
        html = signed_in(user).get(address("me", self.event), headers={"HX-Request": "true"}).content.decode()
        return page_of(html)

    def heard(self, act: Act, followers: set[str] | None = None) -> Heard:
        before = positions([self.event])
        act(self)
        news = news_since(before)[self.event]
        entrants = {seat.entrant.public_id for seat in self.seats.values()} if followers is None else followers
        return Heard(news, parts_for(self.event, {SHOWN: entrants}, news))

    def follows(self, user: User) -> Listener:
        return Listener(Position(), SHOWN, Reader("players", frozenset({self.seats[user].entrant.public_id})))


def page_of(html: str) -> Any:
    html = re.sub(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>', "", html)
    return parse_html(re.sub(r' data-at="\d+"', "", html))


def put(page: Any, parts: dict[str, str]) -> Any:
    """Replace the elements of a page by those with the same id, as `live.js` does."""
    for at, child in enumerate(getattr(page, "children", ())):
        named = dict(getattr(child, "attributes", ())).get("id")
        if named in parts:
            page.children[at] = page_of(parts[named])
        else:
            put(child, parts)
    return page


def reports(score: tuple[int, int, int], by: str = "one") -> Act:
    return lambda table: play.report_result(
        match=table.match,
        by=getattr(table, by),
        games=score,
        now=NOW,
        **({"kind": "intentional_draw"} if not any(score) else {}),
    )


def confirms(table: Table) -> None:
    report = Report.objects.get(match=table.match, status=Report.Status.STANDING)
    by = next(user for user, seat in table.seats.items() if seat.pk != report.seat_id)
    play.confirm_result(match=table.match, report=report, by=by, now=NOW)


@pytest.fixture
def table(cast: Cast) -> Table:
    return Table(a_published_round(a_running_event(cast), cast.organizer), cast.player)


STORIES: dict[str, list[Act]] = {
    "a report": [reports((2, 1, 0))],
    "a report that is corrected": [reports((2, 1, 0)), reports((2, 0, 0))],
    "two that differ": [reports((2, 1, 0)), reports((1, 2, 0), "other")],
    "a correction that agrees": [reports((2, 1, 0)), reports((1, 2, 0), "other"), reports((2, 1, 0), "other")],
    "a confirmation": [reports((0, 2, 0)), confirms],
    "the same from both": [reports((1, 1, 1)), reports((1, 1, 1), "other")],
    "an intentional draw": [reports((0, 0, 0)), confirms],
}


@pytest.mark.parametrize("story", STORIES.values(), ids=list(STORIES))
def test_with_its_parts_an_open_page_shows_what_a_fresh_one_does(table: Table, story: list[Act]) -> None:
    pages = {user: table.shows(user) for user in table.seats}
    for act in story:
        heard = table.heard(act)
        for user, page in pages.items():
            listener = table.follows(user)
            listener.tell(heard)
            told = listener.take()
            assert about("result", table.match.public_id) not in told.topics, "nothing is left to ask for"
            assert put(page, dict(told.parts)) == table.shows(user)


def test_after_a_pause_the_page_gets_all_of_it_at_once(table: Table) -> None:
    page, history = table.shows(table.one), History(Position())
    for act in STORIES["a correction that agrees"]:
        history.add(table.heard(act))
    heard = history.since(Position(), SHOWN, table.follows(table.one).reader.own)
    assert heard
    listener = table.follows(table.one)
    listener.tell(heard)
    told = listener.take()
    assert about("result", table.match.public_id) not in told.topics
    assert put(page, dict(told.parts)) == table.shows(table.one)


def test_a_page_that_nobody_had_open_asks_for_what_it_missed(table: Table) -> None:
    history = History(Position())
    history.add(table.heard(reports((2, 1, 0)), followers=set()))
    history.add(table.heard(confirms))
    heard = history.since(Position(), SHOWN, table.follows(table.one).reader.own)
    assert heard
    listener = table.follows(table.one)
    listener.tell(heard)
    assert about("result", table.match.public_id) in listener.take().topics


def test_a_result_that_staff_take_away_is_asked_for(table: Table, cast: Cast) -> None:
    reports((2, 1, 0))(table)
    confirms(table)

    def again(table: Table) -> None:
        void_result(match=table.match, by=cast.organizer, now=NOW)
        reports((0, 2, 0))(table)

    heard = table.heard(again)
    listener = table.follows(table.one)
    listener.tell(heard)
    told = listener.take()
    assert about("result", table.match.public_id) in told.topics and not told.parts


def test_a_judge_call_of_the_same_moment_is_asked_for(table: Table) -> None:
    def both(table: Table) -> None:
        reports((2, 1, 0))(table)
        call_judge(match=table.match, by=table.one, matter="rules", now=NOW)

    heard = table.heard(both)
    listener = table.follows(table.other)
    listener.tell(heard)
    told = listener.take()
    assert about("call", table.match.public_id) in told.topics
    assert "report-box" in dict(told.parts)


def test_the_pages_of_other_seats_are_not_even_woken(table: Table) -> None:
    heard = table.heard(reports((2, 1, 0)))
    listener = Listener(Position(), SHOWN, Reader("players", frozenset({"p-other"})))
    listener.tell(heard)
    assert not listener.woken.is_set() and listener.position == heard.news.position
    assert not listener.take().parts


def test_a_page_of_pairings_gets_lines_and_no_topics_of_single_matches(table: Table) -> None:
    shown = Shown("public", "en", 1)
    before = positions([table.event])
    reports((2, 1, 0))(table)
    call_judge(match=table.match, by=table.one, matter="rules", now=NOW)
    news = news_since(before)[table.event]
    listener = Listener(Position(), shown)
    listener.tell(Heard(news, parts_for(table.event, {shown: ()}, news)))
    told = listener.take()
    assert list(dict(told.parts)) == [f"line-{table.match.public_id}"] and told.topics == frozenset()


def test_a_page_that_another_kind_of_change_may_touch_is_told_of_it(table: Table) -> None:
    heard = table.heard(lambda table: call_judge(match=table.match, by=table.one, matter="rules", now=NOW))
    listener = Listener(Position(), SHOWN, Reader("players", frozenset({"p-other"})))
    listener.tell(heard)
    assert about("call", table.match.public_id) in listener.take().topics


def test_parts_hold_no_form_token(table: Table) -> None:
    parts = table.heard(reports((2, 1, 0))).parts[SHOWN]
    assert parts
    for own in parts.own.values():
        assert "csrfmiddlewaretoken" not in "".join(own.parts.values()), "the page has its own"


def test_the_page_of_a_seat_link_asks_for_itself(table: Table) -> None:
    heard = table.heard(reports((2, 1, 0)))
    reader = table.follows(table.one).reader._replace(by_link=True)
    listener = Listener(Position(), SHOWN, reader)
    listener.tell(heard)
    told = listener.take()
    assert about("result", table.match.public_id) in told.topics and not told.parts


def test_where_the_higher_seed_chooses_who_starts_the_page_asks_for_itself(table: Table) -> None:
    table.round.stage.seed_chooses = True
    table.round.stage.save()
    listener = table.follows(table.one)
    listener.tell(table.heard(reports((2, 1, 0))))
    told = listener.take()
    assert about("result", table.match.public_id) in told.topics and not told.parts
