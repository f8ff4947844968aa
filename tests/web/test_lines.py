"""Lines of the pairings that streams and pages share: rendered once per language, until their match changes."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Round
from tournaments.profiles.links import links_in
from tournaments.web.live import lines as kept_lines
from tournaments.web.live.address import Shown
from tournaments.web.live.lines import Lines, forget_lines
from tournaments.web.live.parts import parts_for
from tournaments.web.live.positions import News, news_since, positions

pytestmark = pytest.mark.django_db
WANTED = {
    Shown(audience, language, 1): frozenset[str]()
    for audience in ("public", "players", "staff")
    for language in ("en", "fr")
}


@pytest.fixture
def played(cast: Cast) -> tuple[Event, Round]:
    event = a_running_event(cast)
    return event, a_published_round(event, cast.organizer)


def reported(event: Event, round_: Round, cast: Cast) -> News:
    """Report a result; returns the news."""
    before = positions([event.public_id])
    play.report_result(match=match_of(round_, cast.player), by=cast.player, games=(2, 1, 0), now=NOW)
    return news_since(before)[event.public_id]


def test_a_line_is_read_once_for_all_audiences_and_languages_and_not_again_for_the_pages(
    played: tuple[Event, Round], cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event, round_ = played
    news = reported(event, round_, cast)
    links_in(event.public_id)
    with django_assert_num_queries(7):
        parts = parts_for(event.public_id, WANTED, news)
    name = f"line-{match_of(round_, cast.player).public_id}"
    said = {shown.language: parts[shown].all[name] for shown in WANTED}  # type: ignore[union-attr]
    assert said["en"] != said["fr"]
    with django_assert_num_queries(1):  # the round, whose visibility is looked at every time
        assert parts_for(event.public_id, WANTED, news) == parts


def test_a_line_is_rendered_again_after_the_next_entry_about_its_match(played: tuple[Event, Round], cast: Cast) -> None:
    event, round_ = played
    match = match_of(round_, cast.player)
    first = Lines(round_, reported(event, round_, cast).matches).shown("en")
    before = positions([event.public_id])
    play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=NOW)
    second = Lines(round_, news_since(before)[event.public_id].matches).shown("en")
    assert first.keys() == second.keys() == {f"line-{match.public_id}"}
    assert first != second
    forget_lines()
    assert Lines(round_, news_since(before)[event.public_id].matches).shown("en") == second


def test_a_match_of_another_round_has_no_line(played: tuple[Event, Round]) -> None:
    _event, round_ = played
    assert Lines(round_, {"m-elsewhere": 3}).shown("en") == {}
    assert Lines(round_, {"m-elsewhere": 3}).shown("en") == {}


def test_lines_that_nobody_uses_are_forgotten(
    played: tuple[Event, Round], cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, round_ = played
    monkeypatch.setattr(kept_lines, "MOST_KEPT", 1)
    news = reported(event, round_, cast)
    for language in ("en", "fr", "it"):
        Lines(round_, news.matches).shown(language)
    assert len(kept_lines._kept) == 1
