"""Big screens: clock, pairings and standings for everybody in the hall, with a QR code to the pairings."""

import pytest
from django.test import Client

from tests.builders import NOW, a_large_event, a_published_round, a_running_event, an_event, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import Person, User
from tournaments.announcements.services import announce
from tournaments.common import jobs, qr
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.web.words.results import KINDS

pytestmark = pytest.mark.django_db
SCREENS = ("clock", "pairings", "standings")


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast)


def test_a_visitor_sees_clock_pairings_and_standings(cast: Cast, event: Event) -> None:
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    round_ = a_published_round(event, cast.organizer)
    play.start_clock(round_=round_, by=cast.organizer, now=now())
    jobs.run_due(now())
    announce(event=event, text="Lunch after this round", by=cast.organizer, now=now())
    for what in SCREENS:
        page = Client().get(address("screen", event.public_id, what))
        assert page.status_code == 200, what
        assert "data-ends-at" in text(page) and "Lunch after this round" in text(page), what
        assert ("<svg" in text(page)) == (what != "standings")
        assert " style=" not in text(page) and "unsafe" not in page["Content-Security-Policy"]
        assert ("Player 1" in text(page)) == (what != "clock")
    assert Client().get(address("screens", event.public_id)).status_code == 200


def test_a_screen_does_not_show_draft_pairings_even_to_staff(cast: Cast, event: Event) -> None:
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    page = text(signed_in(cast.organizer).get(address("screen", event.public_id, "pairings")))
    assert "Player 1" not in page and "The pairings will appear here." in page


def test_the_screens_of_a_draft_event_are_only_for_its_staff(cast: Cast) -> None:
    draft = an_event(cast)
    for what in SCREENS:
        assert Client().get(address("screen", draft.public_id, what)).status_code == 404
        assert signed_in(cast.organizer).get(address("screen", draft.public_id, what)).status_code == 200
    assert signed_in(cast.organizer).get(address("screen", draft.public_id, "nothing")).status_code == 404


def test_a_screen_refreshes_only_its_fragment(cast: Cast, event: Event) -> None:
    fragment = text(Client().get(address("screen", event.public_id, "clock"), headers={"HX-Request": "true"}))
    assert fragment.lstrip().startswith('<div class="screen') and "<html" not in fragment


@pytest.mark.parametrize("language", ["fr", "it"])
def test_screens_are_translated(cast: Cast, event: Event, language: str) -> None:
    User.objects.update(language=language)
    client = signed_in(User.objects.get(pk=cast.organizer.pk))
    for page in [address("screens", event.public_id), address("screen", event.public_id, "pairings")]:
        assert f'<html lang="{language}"' in text(client.get(page))


def test_the_number_of_queries_does_not_grow_with_the_tables(cast: Cast) -> None:
    small, large = a_running_event(cast, players=2), a_running_event(cast, players=6, name="Large")
    for event in (small, large):
        a_published_round(event, cast.organizer)
    jobs.run_due(now())
    for what in SCREENS:
        costs = [queries_of(Client(), address("screen", event.public_id, what)) for event in (small, large)]
        assert costs[0] == costs[1], what


def test_a_qr_code_has_its_three_finder_patterns_and_no_inline_style() -> None:
    modules = qr.modules("https://example.org/e/e-abc/rounds/3/?by=name")
    eye = [True] * 7
    assert modules[0][:7] == modules[0][-7:] == modules[-1][:7] == eye
    assert len(modules) == len(modules[0])
    assert "style=" not in qr.svg("https://example.org/")


def names_on(event: Event, query: str = "") -> list[str]:
    page = Client().get(address("screen", event.public_id, "pairings") + query)
    return [line.name for line in page.context["lines"]]


def test_several_screens_share_the_alphabet(cast: Cast) -> None:
    event = a_large_event(cast, 31)
    a_published_round(event, cast.organizer)
    every = names_on(event)
    parts = [names_on(event, f"?screen={screen}&of=3") for screen in (1, 2, 3)]
    assert [*parts[0], *parts[1], *parts[2]] == every and {len(part) for part in parts} == {10, 11}
    for nonsense in ("?screen=4&of=3", "?screen=0&of=3", "?screen=1", "?screen=1&of=99", "?screen=x&of=2"):
        assert names_on(event, nonsense) == every, nonsense
    page = text(Client().get(address("screen", event.public_id, "pairings") + "?screen=2&of=3"))
    assert "screen 2 of 3" in page
    assert "?screen=2&amp;of=3" in page.partition('hx-get="')[2].partition('"')[0], "its fragment is of the same part"
    assert "?screen=2&amp;of=3" in text(Client().get(address("screens", event.public_id)))


def test_names_are_escaped_on_every_screen(cast: Cast) -> None:
    event = a_large_event(cast, 4)
    Person.objects.filter(member__event=event).update(public_name="<b>Émile & co</b>")
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(now())
    for what in ("pairings", "standings"):
        page = text(Client().get(address("screen", event.public_id, what)))
        assert page.count("&lt;b&gt;Émile &amp; co&lt;/b&gt;") == 4, what
        assert "<b>Émile" not in page


def test_each_name_is_shown_with_its_table_or_bye(cast: Cast) -> None:
    event = a_large_event(cast, 3)
    round_ = a_published_round(event, cast.organizer)
    lines = Client().get(address("screen", event.public_id, "pairings")).context["lines"]
    assert [line.name for line in lines] == ["P0", "P1", "P2"] and {line.letter for line in lines} == {"P"}
    assert sorted(str(line.figure) for line in lines) == sorted([
        "1",
        "1",
        str(KINDS[round_.matches.get(table=None).kind]),
    ])
