"""Pages of clubs and conventions: what each action does, and who finds what on them."""

from datetime import timedelta

import pytest
from django.test import Client
from icalendar import Calendar

from tests.api import scenes
from tests.builders import NOW, a_published_round, a_running_event, a_running_team_event, an_event, an_open_event
from tests.clubs.test_clubs import a_club, with_role
from tests.clubs.test_conventions import DAYS, a_convention
from tests.web.pages import address, queries_of, signed_in, text
from tests.web.test_leagues import FORM as LEAGUE
from tests.web.test_shell import INLINE
from tournaments.accounts.models import User
from tournaments.clubs import conventions, services
from tournaments.clubs.models import Club, Convention
from tournaments.common import clock
from tournaments.events.listing import renew_join_link
from tournaments.events.models import Event, StaffRole
from tournaments.judging.models import Penalty
from tournaments.leagues.services import create_league

CLUB = {
    "name": "Card Club",
    "place": "Lyon",
    "about": "**Every Friday**",
    "contact": "",
    "link": "",
    "penalty_months": "6",
}


def every_page(club: Club, convention: Convention) -> list[str]:
    own = (club.public_id,)
    return [
        "/clubs/",
        "/clubs/new/",
        *(address(name, *own) for name in ("club", "club_manage", "club_team", "club_series", "convention_new")),
        *(address(name, convention.public_id) for name in ("convention", "convention_manage")),
    ]


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_every_page_opens_for_the_owner(cast, language):
    made = a_convention(cast, an_event(cast), an_open_event(cast, name="Open", starts_at=NOW))
    services.save_venue(club=made.club, name="Town hall", hall="1-8", by=cast.organizer, now=NOW)
    client = signed_in(cast.organizer)
    User.objects.filter(pk=cast.organizer.pk).update(language=language)
    for page in every_page(made.club, made):
        answer = client.get(page)
        assert answer.status_code == 200 and not INLINE.search(text(answer)), page
        assert f'<html lang="{language}"' in text(answer), page


def test_a_club_is_made_changed_and_deleted(cast):
    client = signed_in(cast.organizer)
    assert client.post("/clubs/new/", {**CLUB, "name": " "}).status_code == 422
    assert client.post("/clubs/new/", CLUB, follow=True).status_code == 200
    club = Club.objects.get()
    shown = text(Client().get(address("club", club.public_id)))
    assert "<strong>Every Friday</strong>" in shown and "in the last 6 months" in shown
    client.post(address("club_manage", club.public_id), {**CLUB, "penalty_months": "0"})
    assert "stay with the event" in text(Client().get(address("club", club.public_id)))
    client.post(address("club_delete", club.public_id))
    assert not Club.objects.exists()


def test_the_ledger_names_people_and_events_and_no_event_that_is_hidden(cast):
    club = a_club(cast)
    with_role(club, cast, "judge")
    shown, draft = an_open_event(cast, name="Friday"), an_event(cast, name="Secret")
    for event in (shown, draft):
        services.add_event(club=club, event=event, by=cast.organizer, now=NOW)
    StaffRole.objects.filter(event=draft, user=cast.stranger).delete()
    page = address("club_manage", club.public_id)
    ledger = text(signed_in(cast.organizer).get(page)).partition('id="ledger"')[2]
    assert "<strong>Friday</strong>" in ledger and "<strong>Secret</strong>" in ledger and "by Organizer" in ledger
    assert cast.organizer.public_id not in ledger
    ledger = text(signed_in(cast.stranger).get(page)).partition('id="ledger"')[2]
    assert "<strong>Friday</strong>" in ledger and "Secret" not in ledger and draft.public_id in ledger


def test_an_event_is_made_for_a_club_or_not_at_all(cast):
    club = a_club(cast)
    with_role(club, cast, "head_judge")
    client = signed_in(cast.organizer)
    page = text(client.get(address("event_new") + f"?club={club.public_id}"))
    assert f'<option value="{club.public_id}" selected>' in page
    sent = {"name": "Friday", "preset": "star-safir", "club": club.public_id}
    assert client.post(address("event_new"), sent).status_code == 302
    event = Event.objects.get(name="Friday")
    assert event.club_entry.club == club
    assert StaffRole.objects.filter(event=event, user=cast.stranger, role="head_judge").exists()
    refused = signed_in(cast.player).post(address("event_new"), {**sent, "name": "Mine"})
    assert refused.status_code == 302 and not hasattr(Event.objects.get(name="Mine"), "club_entry")


def test_the_page_of_an_event_follows_its_club_and_convention(cast):
    event = an_open_event(cast)
    page = address("event", event.public_id)
    assert "Card Club" not in text(Client().get(page))
    club = services.create_club(name="Card Club", by=cast.organizer, now=NOW)
    services.add_event(club=club, event=event, by=cast.organizer, now=NOW)
    assert "Card Club" in text(Client().get(page))
    services.change_club(club=club, name="Dice Club", by=cast.organizer, now=NOW)
    assert "Dice Club" in text(Client().get(page))
    made = conventions.create_convention(club=club, name="Winter", by=cast.organizer, now=NOW, **DAYS)
    conventions.include(convention=made, event=event, by=cast.organizer, now=NOW)
    assert "Winter" not in text(Client().get(page))  # only the club's staff see it yet
    conventions.change_convention(convention=made, is_public=True, by=cast.organizer, now=NOW)
    assert "Winter" in text(Client().get(page))
    services.remove_event(club=club, event=event, by=cast.organizer, now=NOW)
    shown = text(Client().get(page))
    assert "Dice Club" not in shown and "Winter" not in shown


def test_a_convention_says_where_somebody_plays_now(cast):
    events = a_running_event(cast, players=4), a_running_event(cast, players=2, named="Other", name="Second")
    for event in events:
        a_published_round(event, cast.organizer)
    made = a_convention(cast, *events)
    page = address("convention", made.public_id)
    assert Client().get(page).status_code == 404
    conventions.change_convention(convention=made, is_public=True, by=cast.organizer, now=NOW)
    shown = text(Client().get(page + "?find=player 1"))
    assert shown.count("Round 1, table") == 2  # the player of the cast plays in both
    assert "Nobody called" in text(Client().get(page + "?find=Nemo"))


def test_a_convention_says_at_which_board_a_member_of_a_team_plays(cast):
    event = a_running_team_event(cast, teams=3, size=2)
    match = a_published_round(event, cast.organizer).matches.get(table=1)
    made = a_convention(cast, event)
    conventions.change_convention(convention=made, is_public=True, by=cast.organizer, now=NOW)
    page = address("convention", made.public_id)
    assert "Round 1, table 1, board 2" in text(Client().get(page + f"?find={match.boards.get(number=2).first.name}"))
    assert "Round 1, table 1<" in text(Client().get(page + f"?find={match.seats.get(number=1).entrant.name}"))


def test_nothing_of_a_private_event_is_found_through_its_convention(cast):
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    made = a_convention(cast, event)
    conventions.change_convention(convention=made, is_public=True, by=cast.organizer, now=NOW)
    event.listing = Event.Listing.PRIVATE
    event.save()
    renew_join_link(event=event, by=cast.organizer, now=NOW)
    page = address("convention", made.public_id) + "?find=player"
    for reader in (Client(), signed_in(cast.stranger)):
        assert event.name not in text(reader.get(page)) and "Round 1" not in text(reader.get(page))
    assert event.name not in text(Client().get(address("club", made.club.public_id)))
    assert "Round 1, table" in text(signed_in(cast.player).get(page))


def test_the_calendar_of_a_club_has_its_public_events(cast):
    open_ = an_open_event(cast, name="Open", starts_at=NOW)
    draft = an_event(cast, name="Draft", starts_at=NOW)
    private = an_open_event(cast, name="Private", starts_at=NOW)
    club = a_club(cast, open_, draft, private)
    Event.objects.filter(pk=private.pk).update(listing=Event.Listing.PRIVATE)
    Event.objects.update(starts_at=clock.now() + timedelta(days=1))
    calendar = Calendar.from_ical(Client().get(address("club_ics", club.public_id)).content)
    assert [str(entry["summary"]) for entry in calendar.walk("VEVENT")] == ["Open"]


def test_only_a_head_judge_sees_what_was_given_elsewhere_and_only_while_the_club_says_so(cast):
    scene = scenes.penalized_elsewhere(cast)
    page = address("penalty_give", scene.entrant.public_id)
    assert "At other events of the club" in text(signed_in(cast.judge).get(page))
    for changed in ("penalty_months", "withdrawn", "role"):
        if changed == "penalty_months":
            Club.objects.update(penalty_months=0)
            assert "At other events" not in text(signed_in(cast.judge).get(page))
            Club.objects.update(penalty_months=12)
        elif changed == "withdrawn":
            Penalty.objects.update(withdrawn_at=NOW)
            assert "At other events" not in text(signed_in(cast.judge).get(page))
            Penalty.objects.update(withdrawn_at=None)
        else:
            StaffRole.objects.filter(event=scene.event, user=cast.judge).update(role="judge")
            assert "At other events" not in text(signed_in(cast.judge).get(page))


def test_a_club_with_many_events_asks_few_questions(cast):
    club = a_club(cast, *(an_open_event(cast, name=f"Event {number}") for number in range(3)))
    page = address("club", club.public_id)
    few = queries_of(Client(), page)
    for number in range(6):
        event = an_open_event(cast, name=f"More {number}")
        services.add_event(club=club, event=event, by=cast.organizer, now=NOW)
    assert queries_of(Client(), page) == few


def test_a_league_is_given_to_a_club_and_changed_by_its_organizers(cast):
    club = a_club(cast)
    with_role(club, cast, "organizer")
    league = create_league(name="Season", visibility="public", by=cast.organizer, now=NOW)
    page, form = address("league_manage", league.public_id), {**LEAGUE, "visibility": "public", "club": club.public_id}
    assert signed_in(cast.stranger).get(page).status_code == 404
    assert signed_in(cast.organizer).post(page, form).status_code == 302
    shown = text(Client().get(address("club", club.public_id)))
    assert "Season" in shown
    assert signed_in(cast.stranger).post(page, {**form, "name": "Winter season"}).status_code == 302
    league.refresh_from_db()
    assert (league.name, league.club) == ("Winter season", club)
    assert signed_in(cast.player).post(page, form).status_code == 404
    refused = signed_in(cast.organizer).post(page, {**form, "club": "cl-2222222222"})
    assert refused.status_code == 422
