"""Prize categories: who wins them, who sees it, and one prize for each player."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Answer, Entrant, Event, Question
from tournaments.events.services import choose_visibility
from tournaments.exports.datasets import table_of
from tournaments.paper.sheets import sheets_of
from tournaments.standings.awards import awards_for, awards_of
from tournaments.standings.categories import add_category, change_category, move_category, remove_category
from tournaments.standings.models import PrizeCategory, PrizeTick
from tournaments.standings.prize_desk import NotDue, prize_desk
from tournaments.standings.selectors import final_rows
from tournaments.standings.services import tick_category_prize, tick_prize
from tournaments.standings.statistics import factions_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    """Six players after two rounds."""
    event = a_running_event(cast, players=6)
    for _round in range(2):
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(NOW + timedelta(seconds=1))
    event.refresh_from_db()
    return event


def ranked(event: Event) -> list[Entrant]:
    """The entrants, best first."""
    return [event.entrants.get(public_id=row["entrant"]) for row in final_rows(event)]


def category(event: Event, cast: Cast, rule: str, **options: object) -> PrizeCategory:
    wanted = {"name": f"Best by {rule}", "makes_known": True, **options}
    return add_category(event=event, rule=rule, by=cast.organizer, now=NOW, **wanted)


def won(event: Event, *, decks: bool = True) -> list[tuple[str, list[str]]]:
    """The group and the winners of each award."""
    return [(award.group, list(award.entrants)) for award in awards_of(event, decks=decks)]


def one_each(event: Event, shares: list[dict[str, int]] | None = None) -> None:
    prizes = {"prizes": {"one_each": True, "units": 9, "shares": shares or []}}
    Event.objects.filter(pk=event.pk).update(procedures=prizes)
    event.refresh_from_db()


def test_the_best_of_each_club_or_of_one_wins(event: Event, cast: Cast) -> None:
    order = ranked(event)
    for entrant, club in zip(order[1:5], ("Foxes", "Crows", "foxes", "CROWS"), strict=True):
        Entrant.objects.filter(pk=entrant.pk).update(club=club)
    category(event, cast, "club")
    category(event, cast, "club", value="crows")
    ids = [entrant.public_id for entrant in order]
    assert won(event) == [("Foxes", [ids[1]]), ("Crows", [ids[2]]), ("", [ids[2]])]


def test_the_best_of_those_who_gave_an_answer_wins(event: Event, cast: Cast) -> None:
    asked = Question.objects.create(
        event=event, number=1, position=1, kind="choice", label="Under 16?", options=["Yes", "No"]
    )
    order = ranked(event)
    for entrant, said in zip(order, ("No", "No", "No", "Yes", "Yes", "No"), strict=True):
        person = entrant.member_set.get().person
        Answer.objects.create(question=asked, person=person, text=said, at=NOW)
    category(event, cast, "answer", question=1, value="Yes")
    assert won(event) == [("", [order[3].public_id])]


def test_a_sentence_that_was_ticked_is_an_answer(event: Event, cast: Cast) -> None:
    asked = Question.objects.create(event=event, number=1, position=1, kind="consent", label="I am a beginner")
    last = ranked(event)[-1]
    Answer.objects.create(question=asked, person=last.member_set.get().person, text="yes", at=NOW)
    category(event, cast, "answer", question=1)
    assert won(event) == [("", [last.public_id])]


def test_those_who_share_the_best_rank_win_together_and_the_disqualified_win_nothing(event: Event, cast: Cast) -> None:
    ids = [entrant.public_id for entrant in ranked(event)]
    table = event.stages.get().tables.order_by("-pk")[0]
    places = (1, 2, 2, 4, 5, 6)
    table.rows = [{**row, "rank": place} for row, place in zip(table.rows, places, strict=True)]
    table.save()
    category(event, cast, "picked", entrants=ids[1:])
    assert won(event) == [("", ids[1:3])]
    Entrant.objects.filter(public_id__in=ids[1:3]).update(disqualified=True)
    assert won(event) == [("", [ids[3]])]


def test_with_one_prize_for_each_a_winner_takes_the_first_only(event: Event, cast: Cast) -> None:
    ids = [entrant.public_id for entrant in ranked(event)]
    first = category(event, cast, "picked", entrants=ids[:3])
    second = category(event, cast, "picked", entrants=ids[:4])
    one_each(event)
    before = won(event)
    assert before[0][1] != before[1][1]
    one_each(event, [{"first": 1, "last": 1, "units": 4}])
    winners = [winner for _group, winners in won(event) for winner in winners]
    assert ids[0] not in winners and len(winners) == len(set(winners))
    move_category(category=second, earlier=True, by=cast.organizer, now=NOW)
    assert awards_of(event, decks=True)[0].category == second and list(event.prize_categories.all()) == [second, first]


def test_a_faction_is_hidden_until_decklists_are_open(event: Event, cast: Cast) -> None:
    category(event, cast, "faction")
    ids = [entrant.public_id for entrant in ranked(event)]
    category(event, cast, "picked", entrants=ids, name="Picked")
    factions = factions_of(event)
    assert len(factions) == 6
    expected: dict[str, str] = {}
    for entrant in ids:
        expected.setdefault(factions[entrant], entrant)
    shown = won(event)
    assert {group: winners[0] for group, winners in shown[:-1]} == expected
    assert won(event, decks=False) == shown[-1:]
    assert len(awards_for(event, cast.organizer)) == len(shown) and len(awards_for(event, cast.scorekeeper)) == 1
    page = text(Client().get(address("final", event.public_id)))
    assert "Picked" in page and "Best by faction" not in page
    # With one prize for each, the category after it would tell who has won by faction.
    one_each(event)
    assert won(event, decks=False) == []
    cells = {f"decklists.public.{part}": "now" for part in ("swiss", "cut")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    assert "Best by faction" in text(Client().get(address("final", event.public_id)))


def test_winners_are_shown_wherever_the_ranking_is_and_nowhere_else(event: Event, cast: Cast) -> None:
    winner = ranked(event)[-1]
    category(event, cast, "picked", entrants=[winner.public_id], name="Best junior")
    for page in ("final", "standings"):
        shown = text(Client().get(address(page, event.public_id)))
        assert "Best junior" in shown, page
    assert "Best junior" in text(signed_in(cast.judge).get(address("staff_prizes", event.public_id)))
    (told,) = Client().get(reverse("api:final", args=[event.public_id])).json()["categories"]
    assert (told["name"], told["entrants"][0]["id"]) == ("Best junior", winner.public_id)
    (row,) = table_of(event, "categories", {"public"}).as_dicts()
    assert (row["category_name"], row["entrant"], row["name"]) == ("Best junior", winner.public_id, winner.name)
    (_ranking, sheet) = sheets_of(event, None, "final")
    assert sheet.rows == (("Best junior", winner.name, str(told["rank"])),)
    cells = {f"standings.public.{part}": "never" for part in ("swiss", "cut")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    for page in ("final", "standings"):
        assert Client().get(address(page, event.public_id)).status_code == 403
    assert Client().get(reverse("web:export", args=[event.public_id, "categories", "csv"])).status_code == 403
    assert "Best junior" in text(signed_in(cast.organizer).get(address("final", event.public_id)))


def test_a_new_category_shows_on_pages_that_were_rendered_before(event: Event, cast: Cast) -> None:
    page = address("final", event.public_id)
    assert "Best junior" not in text(Client().get(page))
    category(event, cast, "picked", entrants=[ranked(event)[0].public_id], name="Best junior")
    assert "Best junior" in text(Client().get(page))


@pytest.mark.parametrize("rule", ["club", "answer"])
def test_a_category_that_shows_an_answer_or_a_club_has_to_be_confirmed(event: Event, cast: Cast, rule: str) -> None:
    Question.objects.create(event=event, number=1, position=1, kind="consent", label="I am a beginner")
    asked = {"question": 1} if rule == "answer" else {}
    with assert_refused("makes_known"):
        category(event, cast, rule, makes_known=False, **asked)
    assert not event.prize_categories.exists()


@pytest.mark.parametrize(
    ("rule", "options", "wrong"),
    [
        ("picked", {"name": " "}, ["name"]),
        ("best", {}, ["rule"]),
        ("answer", {}, ["question", "value"]),
        ("club", {"question": 1}, ["question"]),
        ("club", {"value": "x" * 101}, ["value"]),
        ("picked", {"value": "x"}, ["value"]),
        ("picked", {"entrants": ["p-nobody"]}, ["entrants"]),
        ("picked", {"entrants": [f"p-{n}" for n in range(501)]}, ["entrants"]),
    ],
)
def test_a_category_without_what_belongs_to_it_is_refused(
    event: Event, cast: Cast, rule: str, options: dict[str, object], wrong: list[str]
) -> None:
    with assert_refused("category_invalid") as refused:
        category(event, cast, rule, **options)
    assert refused.value.details == wrong


def test_an_event_has_at_most_twenty_categories(event: Event, cast: Cast) -> None:
    for number in range(20):
        category(event, cast, "picked", name=f"Category {number}")
    with assert_refused("too_many_categories"):
        category(event, cast, "picked")


def test_changes_are_recorded_once_without_names(event: Event, cast: Cast) -> None:
    ids = [entrant.public_id for entrant in ranked(event)]
    made = category(event, cast, "picked", name="Best junior")
    for _twice in range(2):
        change_category(category=made, name="Best child", entrants=ids[5:], by=cast.organizer, now=NOW)
    assert won(event) == [("", [ids[5]])]
    with assert_refused("category_invalid"):
        change_category(category=made, entrants=["p-nobody"], by=cast.organizer, now=NOW)
    for _twice in range(2):
        remove_category(category=made, by=cast.organizer, now=NOW)
    entries = LedgerEntry.objects.filter(chain=event.public_id, code__startswith="prize.").order_by("number")
    assert [entry.code.removeprefix("prize.category_") for entry in entries] == ["added", "changed", "removed"]
    assert not any(name in str((entry.before, entry.after)) for entry in entries for name in ("junior", "child"))


def test_once_the_event_is_archived_categories_stay_as_they_are(event: Event, cast: Cast) -> None:
    made = category(event, cast, "picked")
    Event.objects.filter(pk=event.pk).update(status="archived")
    for act in (
        lambda: category(event, cast, "picked"),
        lambda: change_category(category=made, name="Other", by=cast.organizer, now=NOW),
        lambda: move_category(category=made, earlier=True, by=cast.organizer, now=NOW),
        lambda: remove_category(category=made, by=cast.organizer, now=NOW),
    ):
        with assert_refused("event_state"):
            act()


def test_an_organizer_makes_orders_and_removes_categories_on_the_page(event: Event, cast: Cast) -> None:
    Question.objects.create(event=event, number=1, position=1, kind="choice", label="Under 16?", options=["Yes", "No"])
    Question.objects.create(event=event, number=2, position=2, kind="text", label="Allergies")
    organizer, page = signed_in(cast.organizer), address("staff_categories", event.public_id)
    form = text(organizer.get(page))
    assert "Under 16?: Yes" in form and "Allergies" not in form
    sent = {"name": "Best junior", "rule": "answer", "answer": "1:0"}
    lacking = organizer.post(page, {**sent, "answer": ""})
    assert lacking.status_code == 422 and "Choose the answer" in text(lacking)
    refused = organizer.post(page, sent)
    assert refused.status_code == 422 and "Confirm that this is intended" in text(refused)
    assert organizer.post(page, {**sent, "makes_known": "on"}).status_code == 302
    made = event.prize_categories.get()
    assert (made.question.number, made.value) == (1, "Yes")
    assert "Best of the players who answered “Yes” to “Under 16?”" in text(organizer.get(page))
    answer = organizer.post(page, {"name": "Best veteran", "rule": "picked"})
    picked = address("staff_category", event.public_id, 2)
    assert answer["Location"] == picked
    entrant = ranked(event)[0]
    organizer.post(picked, {"action": "pick", "entrant": entrant.public_id})
    assert [pick.entrant for pick in event.prize_categories.get(number=2).picks.all()] == [entrant]
    assert organizer.post(picked, {"action": "pick", "entrant": "p-nobody"}).status_code == 422
    organizer.post(picked, {"action": "unpick", "entrant": entrant.public_id})
    assert not event.prize_categories.get(number=2).picks.exists()
    organizer.post(picked, {"action": "name", "name": "Best of the old"})
    organizer.post(picked, {"action": "up"})
    assert [each.name for each in event.prize_categories.all()] == ["Best of the old", "Best junior"]
    organizer.post(picked, {"action": "remove"})
    assert [each.name for each in event.prize_categories.all()] == ["Best junior"]


def test_players_read_beside_a_question_that_a_prize_goes_by_it(cast: Cast) -> None:
    event = an_open_event(cast)
    for number, label in enumerate(("Under 16?", "Vegetarian?"), 1):
        Question.objects.create(
            event=event, number=number, position=number, kind="choice", label=label, options=["Yes", "No"]
        )
    page = address("register", event.public_id)
    says = "A prize depends on this answer"
    assert says not in text(signed_in(cast.player).get(page))
    category(event, cast, "answer", question=1, value="Yes")
    assert text(signed_in(cast.player).get(page)).count(says) == 1


def test_the_desk_ticks_the_prize_of_a_category_once(event: Event, cast: Cast) -> None:
    first, *_, last = ranked(event)
    best = category(event, cast, "picked", entrants=[first.public_id, last.public_id])
    with assert_refused("no_prize"):
        tick_category_prize(category=best, entrant=last, given=True, by=cast.scorekeeper, now=NOW)
    for given in (True, True, False, False, True):
        tick_category_prize(category=best, entrant=first, given=given, by=cast.scorekeeper, now=NOW)
    entries = LedgerEntry.objects.filter(chain=event.public_id, code__in=("prize.given", "prize.taken_back"))
    assert [(entry.code, entry.object) for entry in entries.order_by("number")] == [
        (code, first.public_id) for code in ("prize.given", "prize.taken_back", "prize.given")
    ]
    desk = prize_desk(event, cast.scorekeeper)
    assert desk.categories == {(best.number, first.public_id)} and desk.not_due == []


def test_a_prize_handed_out_stays_listed_when_somebody_else_is_due_it(event: Event, cast: Cast) -> None:
    first, *_, last = ranked(event)
    shares = [{"first": 1, "last": 1, "units": 8}]
    Event.objects.filter(pk=event.pk).update(procedures={"prizes": {"units": 8, "shares": shares}})
    event.refresh_from_db()
    best = category(event, cast, "picked", entrants=[first.public_id, last.public_id])
    tick_prize(entrant=first, given=True, by=cast.scorekeeper, now=NOW)
    tick_category_prize(category=best, entrant=first, given=True, by=cast.scorekeeper, now=NOW)
    Entrant.objects.filter(pk=first.pk).update(disqualified=True)
    assert prize_desk(event, cast.scorekeeper).not_due == [
        NotDue(first.public_id, units=PrizeTick.objects.get().units),
        NotDue(first.public_id, best.number, best.name),
    ]
    keeper, page = signed_in(cast.scorekeeper), address("staff_prizes", event.public_id)
    assert "Handed out, but no longer due" in text(keeper.get(page))
    for where in (
        address("staff_prize", event.public_id, first.public_id, "back"),
        address("staff_category_prize", event.public_id, best.number, first.public_id, "back"),
    ):
        assert where in keeper.get(page).content.decode()
        assert keeper.post(where).url == page
    assert "no longer due" not in text(keeper.get(page))


def test_a_winner_by_faction_is_ticked_only_by_those_who_can_see_it(event: Event, cast: Cast) -> None:
    first = ranked(event)[0]
    best = category(event, cast, "picked", entrants=[first.public_id])
    tick_category_prize(category=best, entrant=first, given=True, by=cast.organizer, now=NOW)
    PrizeCategory.objects.filter(pk=best.pk).update(rule="faction")
    best.refresh_from_db()
    desk = prize_desk(event, cast.scorekeeper)
    assert desk.categories == frozenset() and desk.not_due == []
    with assert_refused("no_prize"):
        tick_category_prize(category=best, entrant=ranked(event)[1], given=True, by=cast.scorekeeper, now=NOW)
