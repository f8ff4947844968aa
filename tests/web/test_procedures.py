"""Pages for an event's procedures: settings, player meeting, lateness, entry fees, end of match, prizes."""

import re
from dataclasses import fields
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import translation

from tests.builders import (
    NOW,
    a_published_round,
    a_running_event,
    an_entrant,
    an_event,
    an_open_event,
    match_of,
    play_out,
)
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import Person, User
from tournaments.common import clock, jobs
from tournaments.decks.services import lock_decks
from tournaments.events.models import Event
from tournaments.events.procedures import Ending, Procedures, Share, read_procedures
from tournaments.events.services import add_entrant
from tournaments.play.models import EmptySeat, Match
from tournaments.play.services import enter_result, note_empty, start_event
from tournaments.web.pages.events.procedure_forms import ProceduresForm
from tournaments.web.words.procedures import CHOICES, FIELDS, SECTIONS, ending_words, late_words

pytestmark = pytest.mark.django_db


def sent(event: Event, **changes: str) -> dict[str, str]:
    """Return the fields that the procedures form sends, with changes such as `tardiness__grace="4"`."""
    form = ProceduresForm(procedures=read_procedures(event.procedures))
    told = {path: form[path].value() for path in form.fields}
    told = {path: said for path, said in told.items() if said is not False}  # browsers do not send unticked boxes
    return {**told, **{path.replace("__", "."): said for path, said in changes.items()}}


def test_every_section_field_and_choice_has_a_label() -> None:
    paths, choices = set(), set()
    for section in fields(Procedures):
        for part in fields(section.default):
            paths.add(f"{section.name}.{part.name}")
            choices |= {f"{section.name}.{part.name}.{choice}" for choice in part.metadata.get("choices", ())}
    assert (set(SECTIONS), set(FIELDS), set(CHOICES)) == ({s.name for s in fields(Procedures)}, paths, choices)


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_staff_can_open_the_procedures_in_their_language(cast: Cast, language: str) -> None:
    page = address("staff_procedures", an_event(cast).public_id)
    User.objects.update(language=language)
    for name in ("organizer", "scorekeeper", "judge"):
        response = signed_in(User.objects.get(pk=getattr(cast, name).pk)).get(page)
        assert (response.status_code, f'<html lang="{language}"' in text(response)) == (200, True)


def test_procedures_are_hidden_from_strangers_and_changed_only_by_organizers(cast: Cast) -> None:
    page = address("staff_procedures", an_event(cast).public_id)
    assert Client().get(page).status_code == 302
    assert {signed_in(cast.stranger).get(page).status_code, signed_in(cast.stranger).post(page).status_code} == {404}
    assert "role_too_low" in text(signed_in(cast.scorekeeper).post(page))


def test_submitting_the_unchanged_form_changes_nothing(cast: Cast) -> None:
    event = an_event(cast, preset="altered-draft")
    before = event.procedures
    signed_in(cast.organizer).post(address("staff_procedures", event.public_id), sent(event))
    event.refresh_from_db()
    assert event.procedures == before


def test_an_organizer_can_change_the_procedures(cast: Cast) -> None:
    event = an_event(cast)
    page = address("staff_procedures", event.public_id)
    changes = sent(event, meeting__held="on", prizes__units="20", prizes__shares="1: 8\n2 – 4 : 3\n")
    assert signed_in(cast.organizer).post(page, changes).status_code == 302
    event.refresh_from_db()
    assert event.procedures["meeting"] == {"held": True}
    assert read_procedures(event.procedures).prizes.shares == (Share(1, 1, 8), Share(2, 4, 3))
    assert "2-4: 3" in text(signed_in(cast.organizer).get(page))


@pytest.mark.parametrize(
    "change",
    [
        {"tardiness__grace": "x"},
        {"tardiness__grace": "60"},
        {"prizes__shares": "all: 8"},
        {"prizes__shares": "4-2: 8"},
        {"entry__currency": "euro"},
    ],
)
def test_an_invalid_value_is_quoted_and_nothing_changes(cast: Cast, change: dict[str, str]) -> None:
    event = an_event(cast)
    response = signed_in(cast.organizer).post(address("staff_procedures", event.public_id), sent(event, **change))
    assert response.status_code == 422
    assert next(iter(change.values())) in text(response)
    assert Event.objects.get().procedures == event.procedures


def test_prizes_can_change_during_the_event_and_draft_settings_cannot(cast: Cast) -> None:
    event = an_open_event(cast)
    Event.objects.update(status="running")
    page = address("staff_procedures", event.public_id)
    shown = text(signed_in(cast.organizer).get(page))
    assert "greyed out" in shown
    assert re.search(r'<input[^>]*name="limited.boosters"[^>]* disabled', shown)
    assert not re.search(r'name="prizes.units"[^>]* disabled', shown)
    late = sent(event, prizes__units="20", limited__boosters="4")
    assert signed_in(cast.organizer).post(page, late).status_code == 409
    told = {path: said for path, said in sent(event, prizes__units="20").items() if not path.startswith("limited.")}
    assert signed_in(cast.organizer).post(page, told).status_code == 302
    event.refresh_from_db()
    assert event.procedures["prizes"]["units"] == 20


def test_the_procedures_of_an_archived_event_are_read_only(cast: Cast) -> None:
    event = an_open_event(cast)
    page = address("staff_procedures", event.public_id)
    Event.objects.update(status="archived")
    assert "The event is over" in text(signed_in(cast.organizer).get(page))
    assert signed_in(cast.organizer).post(page, sent(event, meeting__held="on")).status_code == 409


def test_the_player_meeting_lists_missing_decks_and_drops_empty_chairs(cast: Cast) -> None:
    event = an_open_event(cast)
    first, second = an_entrant(event, cast.player), an_entrant(event, cast.opponent, deck=None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    page = address("staff_meeting", event.public_id)
    Person.objects.filter(account=cast.player).update(public_name='"Éa" <b>')
    shown = text(signed_in(cast.judge).get(page))
    assert shown.count(">missing<") == 1
    assert '<th scope="row">&quot;Éa&quot; &lt;b&gt;</th>' in shown and "The chair of &quot;Éa&quot; &lt;b&gt;" in shown
    assert signed_in(cast.stranger).get(page).status_code == 404
    assert signed_in(cast.judge).post(page).status_code == 403
    assert signed_in(cast.scorekeeper).post(page, {"empty": [second.public_id]}).url == page
    assert [entrant.public_id for entrant in event.entrants.filter(status="registered")] == [first.public_id]


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def test_an_empty_seat_is_noted_and_the_losses_due_are_confirmed(match: Match, cast: Cast) -> None:
    client, event = signed_in(cast.judge), match.round.stage.event
    page = address("staff_late", event.public_id, 1)
    assert page in text(client.get(address("staff_round", event.public_id, 1)))
    assert client.post(address("staff_lateness", match.public_id, "empty"), {"seat": "1"}).url == page
    assert "grace period" in text(client.get(page))
    refused = client.post(address("staff_lateness", match.public_id, "match-loss"))
    assert (refused.status_code, "not_due" in text(refused)) == (409, True)
    # Star Safir: a game loss after 5 minutes, the match after 10.
    EmptySeat.objects.update(since=clock.now() - timedelta(minutes=6))
    assert "game loss to confirm" in text(client.get(page))
    assert client.post(address("staff_lateness", match.public_id, "game-loss"), {"seat": "1"}).url == page
    EmptySeat.objects.update(since=clock.now() - timedelta(minutes=11))
    client.post(address("staff_lateness", match.public_id, "match-loss"))
    match.refresh_from_db()
    assert match.kind == "no_show"


def test_the_lateness_page_is_hidden_from_strangers_and_players(match: Match, cast: Cast) -> None:
    event = match.round.stage.event
    for user in (cast.stranger, cast.opponent):
        assert signed_in(user).get(address("staff_late", event.public_id, 1)).status_code == 404
        assert signed_in(user).post(address("staff_lateness", match.public_id, "empty")).status_code == 404
    client = signed_in(cast.judge)
    assert client.post(address("staff_lateness", match.public_id, "dance"), {"seat": "1"}).status_code == 404
    assert client.post(address("staff_lateness", match.public_id, "empty"), {"seat": "x"}).status_code == 422


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow_with_the_empty_seats(cast: Cast) -> None:
    costs = []
    for players in (2, 8):
        event = a_running_event(cast, players=2) if players == 2 else an_eight(cast)
        round_ = a_published_round(event, cast.organizer)
        for found in round_.matches.filter(table__isnull=False):
            note_empty(match=found, seat=1, by=cast.organizer, now=NOW)
        costs.append(queries_of(signed_in(cast.judge), address("staff_late", event.public_id, 1)))
    assert costs[0] == costs[1]


def an_eight(cast: Cast) -> Event:
    """Start an event of eight entrants without accounts."""
    event = an_open_event(cast, preset="free")
    for number in range(8):
        add_entrant(event=event, given_name=f"P{number}", family_name="", by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def test_the_desk_marks_entry_fees_as_paid(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant = an_entrant(event, cast.player, deck=None)
    page = address("staff_entrants", event.public_id)
    client = signed_in(cast.scorekeeper)
    assert "owed" not in text(client.get(page))
    Event.objects.update(procedures={"entry": {"kind": "paid", "cents": 1250}})
    assert "12.50 EUR" in text(Client().get(address("event", event.public_id)))
    assert "owed" in text(client.get(page))
    action = address("staff_entrant", event.public_id, entrant.public_id, "paid")
    assert signed_in(cast.judge).post(action).status_code == 403
    assert signed_in(cast.stranger).post(action).status_code == 404
    assert client.post(action).status_code == 302
    entrant.refresh_from_db()
    assert entrant.settled == "paid"


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (
            {"unit": "turn", "count": 5, "last": "active"},
            "When time is called: finish the current turn, which does not count, then play 5 more turns.",
        ),
        (
            {"unit": "table_round", "count": 1, "unfinished": "leader"},
            "When time is called: finish the current round of the table, which does not count, then play 1 more.",
        ),
        ({}, "When time is called: stop at once"),
    ],
)
def test_the_event_page_says_how_a_match_ends(cast: Cast, rule: dict[str, object], says: str) -> None:
    event = an_open_event(cast)
    Event.objects.update(procedures={"match_end": rule})
    assert says in text(Client().get(address("event", event.public_id)))


@pytest.mark.parametrize("language", ["en", "fr", "it"])
@pytest.mark.parametrize(
    "end",
    [Ending("turn", 5, "active", "draw"), Ending("day", 1, "opponent", "leader"), Ending("none", 0, "active", "judge")],
)
def test_the_rule_about_the_end_of_time_begins_with_when(language: str, end: Ending) -> None:
    begins = {"en": "When time is called:", "fr": "Quand le temps est écoulé :", "it": "Quando il tempo è scaduto:"}
    with translation.override(language):
        assert ending_words(end)[0].replace("\xa0", " ").replace("\u202f", " ").startswith(begins[language])


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((3, 5, 10), ["No penalty before 3", "From 3 to 5 min the player is late", "From 5 to 10 min", "From 10 min"]),
        ((0, 5, 10), ["From 0 to 5 min the player is late", "From 5 to 10 min", "From 10 min"]),
        ((5, 5, 10), ["No penalty before 5", "From 5 to 10 min the player loses a game", "From 10 min"]),
        ((3, 10, 10), ["No penalty before 3", "From 3 to 10 min the player is late", "From 10 min"]),
        ((0, 0, 0), ["From 0 min the player loses the match"]),
    ],
)
def test_the_rule_about_late_players_leaves_no_minute_out(steps: tuple[int, ...], words: list[str]) -> None:
    said = late_words(list(zip(("late", "game_loss", "match_loss"), steps, strict=True)))
    assert len(said) == len(words) and all(map(str.startswith, said, words)), said


def test_the_desk_ticks_prizes_that_were_handed_out(match: Match, cast: Cast) -> None:
    event = match.round.stage.event
    shares = [{"first": 1, "last": 1, "units": 8}]
    Event.objects.update(procedures={"prizes": {"units": 10, "shares": shares}})
    enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    play_out(match.round, cast.organizer)
    jobs.run_due(clock.now())
    winner = match.seats.get(number=1).entrant
    page = address("staff_prizes", event.public_id)
    given = address("staff_prize", event.public_id, winner.public_id, "given")
    assert page in text(signed_in(cast.judge).get(address("staff", event.public_id)))
    assert given not in text(signed_in(cast.judge).get(page))
    assert signed_in(cast.judge).post(given).status_code == 403
    assert {signed_in(cast.stranger).get(page).status_code, signed_in(cast.stranger).post(given).status_code} == {404}
    assert signed_in(cast.scorekeeper).post(given).url == page
    assert "Mark as not handed out" in text(signed_in(cast.scorekeeper).get(page))
    signed_in(cast.scorekeeper).post(address("staff_prize", event.public_id, winner.public_id, "back"))
    assert "Mark as not handed out" not in text(signed_in(cast.scorekeeper).get(page))
    assert signed_in(cast.scorekeeper).post(given.replace("given", "eaten")).status_code == 404
