"""Public profiles: switched on by choice, and they show only what each event shows to everybody."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    a_stage_played,
    a_table_event,
    an_entrant,
    an_event,
    an_open_event,
    match_of,
    play_out,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.guardians import add_person
from tournaments.accounts.models import Person
from tournaments.accounts.services import change_public_name, erase_account, erase_person, own_person
from tournaments.common import clock, jobs
from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.visibility import PRESETS
from tournaments.play import services as play
from tournaments.play.models import Match, Seat
from tournaments.profiles.access import profile_for_viewer
from tournaments.profiles.history import Record, career_of, head_to_head, in_full
from tournaments.profiles.links import links_in
from tournaments.profiles.models import Follow, Profile
from tournaments.profiles.services import follow_player, hide_profile, show_profile

pytestmark = pytest.mark.django_db
FIRST_WINS = (2, 0, 0)


def shown(user, **said) -> Profile:
    """Switch on the profile of an account's own person."""
    return show_profile(person=own_person(user), now=NOW, **said)


def lines_of(user) -> list:
    """The whole history of an account's own person."""
    career = career_of(own_person(user))
    return in_full(career, career.played)


def won_by(event: Event, user, cast: Cast) -> Match:
    """Publish a round in which `user` wins, and close it."""
    round_ = a_published_round(event, cast.organizer)
    match = match_of(round_, user)
    first = Seat.objects.get(match=match, number=1).entrant.members.get() == own_person(user)
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0) if first else (0, 2, 0), now=NOW)
    play_out(round_, cast.organizer)
    jobs.run_due(clock.now())
    return match


def test_nobody_has_a_profile_until_they_switch_it_on(cast: Cast) -> None:
    person = own_person(cast.player)
    with pytest.raises(Http404):
        profile_for_viewer(person.public_id)
    profile = shown(cast.player, short_name="@Player-1", text="Hello\nthere")
    assert profile_for_viewer(person.public_id) == profile_for_viewer("@player-1") == profile
    assert (profile.address, profile.text, profile.searchable) == ("@player-1", "Hello there", False)


def test_a_profile_that_is_switched_off_is_gone_with_its_followers(cast: Cast) -> None:
    follow_player(user=cast.stranger, profile=shown(cast.player, short_name="player"), now=NOW)
    hide_profile(person=own_person(cast.player))
    for who in ("@player", own_person(cast.player).public_id):
        with pytest.raises(Http404):
            profile_for_viewer(who)
    shown(cast.player)
    assert not Follow.objects.exists()
    assert shown(cast.opponent, short_name="player").short_name == "player"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "short_name_invalid"),
        ("a" * 31, "short_name_invalid"),
        ("jérôme", "short_name_invalid"),
        ("two words", "short_name_invalid"),
        ("Admin", "short_name_reserved"),
        ("taken", "short_name_taken"),
    ],
)
def test_a_short_name_is_well_formed_free_and_not_reserved(cast: Cast, name: str, code: str) -> None:
    shown(cast.opponent, short_name="taken")
    with assert_refused(code):
        shown(cast.player, short_name=name)
    assert not Profile.objects.filter(person=own_person(cast.player)).exists()


def test_several_profiles_may_have_no_short_name(cast: Cast) -> None:
    shown(cast.player, short_name="player")
    assert shown(cast.player).short_name is None and shown(cast.opponent).short_name is None


def test_a_text_has_300_characters_at_most(cast: Cast) -> None:
    assert len(shown(cast.player, text="a" * 300).text) == 300
    with assert_refused("profile_text_too_long"):
        shown(cast.player, text="a" * 301)


def test_erasing_a_person_or_an_account_erases_profile_and_follows(cast: Cast) -> None:
    child = add_person(guardian=cast.player, given_name="Player 8")
    show_profile(person=child, now=NOW)
    shown(cast.player)
    follow_player(user=cast.player, profile=shown(cast.opponent), now=NOW)
    erase_person(person=child, now=NOW)
    assert set(Profile.objects.values_list("person__account", flat=True)) == {cast.player.pk, cast.opponent.pk}
    erase_account(user=cast.player, now=NOW)
    assert list(Profile.objects.values_list("person__account", flat=True)) == [cast.opponent.pk]
    assert not Follow.objects.exists()


def test_an_erased_person_gets_no_profile(cast: Cast) -> None:
    person = add_person(guardian=cast.player, given_name="Player 8")
    erase_person(person=person, now=NOW)
    with pytest.raises(Person.DoesNotExist):
        show_profile(person=person, now=NOW)


def test_the_database_keeps_a_follow_to_one_thing(cast: Cast) -> None:
    profile, event = shown(cast.player), an_event(cast)
    for what in ({}, {"event": event, "profile": profile}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Follow.objects.create(user=cast.stranger, at=NOW, **what)


def test_the_history_has_rank_record_and_opponents(cast: Cast) -> None:
    event = a_running_event(cast)
    match = won_by(event, cast.player, cast)
    (line,) = lines_of(cast.player)
    assert (line.event, line.record, line.place.rank, line.place.players) == (event, Record(won=1), 1, 4)
    (met,) = line.matches
    other = next(seat for seat in match.seats.all() if seat.entrant != line.entrant)
    assert (met.match_id, met.outcome) == (match.public_id, "won")
    assert [(each.name, each.address) for each in met.opponents] == [(other.entrant.name, "")]


def test_an_opponent_with_a_profile_is_linked(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    won_by(event, cast.player, cast)
    shown(cast.opponent, short_name="rival")
    (line,) = lines_of(cast.player)
    assert [each.address for each in line.matches[0].opponents] == ["@rival"]


def test_the_rank_after_a_cut_is_the_final_one(cast: Cast) -> None:
    event = a_bracket(cast, cut_top=2)
    a_stage_played(event, cast.organizer, 1)
    jobs.run_due(clock.now())
    places = {line.place.rank for user in (cast.player, cast.opponent) for line in lines_of(user)}
    assert places <= {1, 2, 3, 4} and all(line.place.players == 4 for line in lines_of(cast.player))


def test_events_that_are_not_played_or_not_shown_are_left_out(cast: Cast) -> None:
    an_entrant(an_open_event(cast), cast.player, deck=None)
    dropped = a_running_event(cast, players=3)
    play.drop(entrant=Entrant.objects.get(event=dropped, members=own_person(cast.player)), by=cast.organizer, now=NOW)
    assert lines_of(cast.player) == []
    Event.objects.filter(pk=dropped.pk).update(status=Event.Status.DRAFT)
    assert lines_of(cast.opponent) == []


def test_hidden_standings_give_no_rank_and_hidden_pairings_no_results(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    won_by(event, cast.player, cast)
    for user in (cast.player, cast.opponent):
        shown(user)
    Event.objects.filter(pk=event.pk).update(visibility=PRESETS["players"])
    (line,) = lines_of(cast.player)
    assert (line.place, line.record, line.matches) == (None, None, ())
    both = [Profile.objects.get(person=own_person(user)) for user in (cast.player, cast.opponent)]
    assert head_to_head(*both).encounters == []
    after = {"pairings.public.swiss": "after_event", "standings.public.swiss": "after_event"}
    Event.objects.filter(pk=event.pk).update(visibility=after)
    assert lines_of(cast.player)[0].record is None
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    (line,) = lines_of(cast.player)
    assert (line.place.rank, line.record) == (1, Record(won=1))


def test_results_after_the_round_appear_once_it_is_closed(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    Event.objects.filter(pk=event.pk).update(visibility={"pairings.public.swiss": "after_round"})
    round_ = a_published_round(event, cast.organizer)
    play.enter_result(match=match_of(round_, cast.player), by=cast.organizer, games=(2, 1, 0), now=NOW)
    assert lines_of(cast.player)[0].record is None
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    assert lines_of(cast.player)[0].record.matches == 1


def test_decklists_are_linked_only_where_everybody_may_read_them(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    assert lines_of(cast.player)[0].decklist is None
    Event.objects.filter(pk=event.pk).update(visibility=PRESETS["open"])
    assert lines_of(cast.player)[0].decklist is not None
    Event.objects.filter(pk=event.pk).update(visibility=PRESETS["afterwards"])
    assert lines_of(cast.player)[0].decklist is None


def test_a_bye_and_a_result_that_does_not_count_are_in_no_record(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get(table__isnull=False)
    play.enter_result(match=match, by=cast.organizer, games=(1, 1, 0), now=NOW)
    Match.objects.filter(pk=match.pk).update(disputed=True)
    assert {line.record for user in (cast.player, cast.opponent) for line in lines_of(user)} == {None}


def test_the_first_of_a_table_of_several_wins_and_head_to_head_compares_ranks(cast: Cast) -> None:
    event = a_table_event(cast, players=3)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    for number, seat in enumerate(match.seats.order_by("entrant__registered_at", "entrant"), 2):
        Seat.objects.filter(pk=seat.pk).update(rank=number, points=0)
    Match.objects.filter(pk=match.pk).update(games_drawn=0)
    assert lines_of(cast.player)[0].record == Record(lost=1)
    assert head_to_head(shown(cast.player), shown(cast.opponent)).record == Record(won=1)


def test_sums_are_by_game_and_by_the_year_at_the_place(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    won_by(event, cast.player, cast)
    starts = NOW.replace(year=2026, month=1, day=1, hour=2)
    Event.objects.filter(pk=event.pk).update(starts_at=starts, time_zone="America/New_York")
    career = career_of(own_person(cast.player))
    assert [(sum_.name, sum_.events, sum_.record) for sum_ in career.by_year] == [("2025", 1, Record(won=1))]
    assert [(sum_.name, sum_.record) for sum_ in career.by_game] == [("Star Safir", Record(won=1))]


def test_head_to_head_has_every_match_of_the_two(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    won_by(event, cast.player, cast)
    first, second = shown(cast.player), shown(cast.opponent)
    found = head_to_head(first, second)
    assert (found.record, head_to_head(second, first).record) == (Record(won=1), Record(lost=1))
    assert [met.event for met in found.encounters] == [event]
    assert [(game.name, game.events) for game in found.by_game] == [("Star Safir", 1)]


def test_the_links_of_an_event_change_at_once(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    assert links_in(event.public_id).by_entrant == {}
    profile = shown(cast.player, short_name="player")
    entrant = Entrant.objects.get(event=event, members=profile.person)
    assert links_in(event.public_id).by_entrant == {entrant.pk: "@player"}
    hide_profile(person=profile.person)
    assert links_in(event.public_id).by_entrant == {}


def test_the_name_is_the_one_that_the_person_chose(cast: Cast) -> None:
    profile = shown(cast.player)
    change_public_name(person=profile.person, public_name="Ace")
    assert profile_for_viewer(profile.address).person.name == "Ace"


@pytest.mark.django_db(transaction=True)
def test_a_short_name_is_given_only_once_when_several_take_it_at_the_same_time(cast: Cast) -> None:
    def take(user) -> str:
        try:
            return shown(user, short_name="ace").address
        except InvalidInput as refusal:
            return refusal.code
        finally:
            connection.close()

    users = [cast.player, cast.opponent, cast.stranger, cast.judge]
    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(take, users))
    assert found == ["@ace", *["short_name_taken"] * 3]


def many_events(cast: Cast, number: int) -> Person:
    """A person with this many finished events of two players, each with one match."""
    event = a_running_event(cast, players=2)
    won_by(event, cast.player, cast)
    event.visibility = PRESETS["open"]
    event.save()
    person, other = own_person(cast.player), own_person(cast.opponent)
    stage, match = event.stages.get(), Match.objects.get(round__stage__event=event)
    round_, table = stage.rounds.get(), stage.tables.latest("pk")
    for _event in range(number - 1):
        event.pk, event.public_id, event.status = None, f"e-copy{_event:06d}", Event.Status.FINISHED
        event.save()
        stage.pk, stage.event = None, event
        stage.save()
        table.pk, table.stage = None, stage
        table.save()
        round_.pk, round_.stage = None, stage
        round_.save()
        match.pk, match.public_id, match.round = None, f"m-copy{_event:06d}", round_
        match.save()
        for seat, who in enumerate((person, other), 1):
            entrant = Entrant.objects.create(event=event, registered_at=NOW)
            Member.objects.create(event=event, entrant=entrant, person=who)
            Seat.objects.create(match=match, round=round_, number=seat, entrant=entrant, points=3 if seat == 1 else 0)
    return person


@pytest.mark.parametrize("events", [2, 60])
def test_a_page_of_the_history_takes_eight_queries_however_many_events(cast: Cast, events: int) -> None:
    person = many_events(cast, events)
    with CaptureQueriesContext(connection) as taken:
        career = career_of(person)
        lines = in_full(career, career.played[:50])
    assert (len(career.played), len(lines)) == (events, min(events, 50))
    assert career.record == Record(won=events)
    assert len(taken) == 8, [query["sql"][:120] for query in taken]
    first, second = (show_profile(person=who, now=NOW) for who in (person, own_person(cast.opponent)))
    with CaptureQueriesContext(connection) as taken:
        assert head_to_head(first, second).record == Record(won=events)
    assert len(taken) == 3
