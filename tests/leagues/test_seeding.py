"""Seeds by the rating of a league: who gets which, and what is paired and drawn by them."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests.archive.files import file_of, verified
from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event, play_out
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.pairing_settings import choose_pairing
from tournaments.events.seeding import seeds_of, set_seeds
from tournaments.events.selectors import current_stage
from tournaments.leagues import services
from tournaments.leagues.models import League
from tournaments.leagues.ratings import ratings_of
from tournaments.leagues.seeding import take_seeds
from tournaments.play import services as play
from tournaments.play.pairing_inputs import inputs_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(cast: Cast) -> League:
    """A league that has rated four players after two rounds."""
    event = a_running_event(cast, players=4)
    for _round in range(2):
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    made = services.create_league(name="Season", by=cast.organizer, now=NOW, rules={"ratings": True})
    services.add_event(league=made, event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW + timedelta(minutes=1))
    return made


def users(cast: Cast) -> list[User]:
    return [cast.player, cast.opponent, *(User.objects.get(email=f"player.{n}@example.com") for n in (3, 4))]


def an_event_of(cast: Cast, *, newcomer: bool = True, **options: object) -> Event:
    """An open event that the four rated players have entered, and then a newcomer."""
    event = an_open_event(cast, **options)
    for number, user in enumerate([*users(cast), *([account("Newcomer")] if newcomer else [])], 1):
        an_entrant(event, user, deck=number)
    return event


def rated_order(league: League, event: Event) -> list[str]:
    """The entrants of an event, best rating first."""
    rating = {row.player: row.rating for row in ratings_of(league).rows}
    entrants = [each for each in event.entrants.order_by("pk") if each.member_set.get().person.public_id in rating]
    ordered = sorted(entrants, key=lambda each: -rating[each.member_set.get().person.public_id])
    return [each.public_id for each in ordered]


def test_seeds_follow_the_ratings_and_are_recorded_once(cast: Cast, league: League) -> None:
    event = an_event_of(cast)
    for _twice in range(2):
        assert take_seeds(event=event, league=league, by=cast.organizer, now=NOW) == rated_order(league, event)
    assert seeds_of(event) == rated_order(league, event) and event.entrants.filter(seed=None).count() == 1
    (entry,) = LedgerEntry.objects.filter(chain=event.public_id, code="stage.seeded")
    assert entry.after == {"seeds": rated_order(league, event), "from": league.public_id}


def test_a_first_swiss_stage_is_paired_by_its_seeds_and_keeps_them(cast: Cast, league: League) -> None:
    event = an_event_of(cast, newcomer=False)
    stage = current_stage(event)
    with assert_refused("no_seeds"):
        choose_pairing(stage=stage, by=cast.organizer, now=NOW, pairing_order="fold")
    order = take_seeds(event=event, league=league, by=cast.organizer, now=NOW)
    choose_pairing(stage=stage, by=cast.organizer, now=NOW, pairing_order="fold")
    with assert_refused("seeds_needed"):
        set_seeds(event=event, order=[], by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    round_ = a_published_round(event, cast.organizer)
    assert round_.wishes["seeds"] == {player: seed for seed, player in enumerate(order, 1)}
    seated = [
        {seat.entrant.public_id for seat in match.seats.all()} for match in round_.matches.filter(table__isnull=False)
    ]
    assert {order[0], order[3]} in seated and {order[1], order[2]} in seated
    assert verified(file_of(event)).holds
    told = inputs_of(round_)
    assert {each["id"]: each["seed"] for each in told["players"] if each["seed"]} == round_.wishes["seeds"]


def test_a_bracket_is_drawn_by_the_seeds_and_the_others_come_last(cast: Cast, league: League) -> None:
    event = an_event_of(cast, kind="single_elimination")
    order = take_seeds(event=event, league=league, by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    entries = event.stages.get().entries.order_by("seed").values_list("entrant__public_id", flat=True)
    assert list(entries) == [*order, event.entrants.get(seed=None).public_id]
    event.refresh_from_db()
    a_published_round(event, cast.organizer)
    assert verified(file_of(event)).holds


def test_seeds_are_taken_before_the_start_from_a_league_that_has_rated_somebody(cast: Cast, league: League) -> None:
    strangers = an_open_event(cast)
    an_entrant(strangers, cast.stranger)
    with assert_refused("no_ratings"):
        take_seeds(event=strangers, league=league, by=cast.organizer, now=NOW)
    running = a_running_event(cast, named="Other")
    with assert_refused("event_state"):
        take_seeds(event=running, league=league, by=cast.organizer, now=NOW)
    assert not Entrant.objects.exclude(seed=None).exists()


def test_an_organizer_takes_and_removes_seeds_on_the_page(cast: Cast, league: League) -> None:
    event = an_event_of(cast)
    page, organizer = address("staff_seeds", event.public_id), signed_in(cast.organizer)
    assert "Season" in text(organizer.get(page))
    assert organizer.post(page, {"league": league.public_id}).status_code == 302
    shown = text(organizer.get(page))
    assert "Seeded players" in shown and len(seeds_of(event)) == 4
    assert organizer.post(page, {"league": "l-nothing"}).status_code == 422
    organizer.post(page, {"action": "remove"})
    assert seeds_of(event) == [] and "Seeded players" not in text(organizer.get(page))
    assert signed_in(cast.scorekeeper).get(page).status_code == 403
    Event.objects.filter(pk=event.pk).update(status="running")
    assert "The event has started: seeds can no longer be changed" in text(organizer.get(page))
    assert signed_in(cast.stranger).get(page).status_code == 404


def test_the_league_of_somebody_else_gives_no_seeds(cast: Cast, league: League) -> None:
    event = an_event_of(cast)
    League.objects.update(owner=cast.stranger, visibility="public")
    answer = signed_in(cast.organizer).put(
        reverse("api:seeds", args=[event.public_id]), {"league": league.public_id}, content_type="application/json"
    )
    assert answer.status_code in (403, 404) and seeds_of(event) == []
