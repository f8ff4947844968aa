"""The pages of an event's staff: access, steps of the event, team, ledger, entrants, rounds and results."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from engine.core.cards.catalog import shipped_catalogs
from tests.builders import (
    NOW,
    a_published_round,
    a_running_event,
    an_entrant,
    an_event,
    an_open_event,
    deck_text,
    match_of,
    misspelt,
    play_out,
)
from tests.cast import Cast, account
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.decks.models import Decklist
from tournaments.decks.services import lock_decks
from tournaments.events.invitations import secret_of
from tournaments.events.models import Entrant, Event, Invitation, StaffRole
from tournaments.events.selectors import current_stage
from tournaments.events.services import add_entrant, cancel_event, grant_role, open_check_in
from tournaments.play import services as play
from tournaments.play.models import Clock, Match, Round, TimeExtension

pytestmark = pytest.mark.django_db


@pytest.fixture
def running(cast: Cast) -> Event:
    return a_running_event(cast)


@pytest.fixture
def round_(cast: Cast, running: Event) -> Round:
    return a_published_round(running, cast.organizer)


@pytest.fixture
def match(cast: Cast, round_: Round) -> Match:
    return match_of(round_, cast.player)


# ---------------------------------------------------------------------------------------------------- access


def pages(event: Event, match: Match) -> dict[str, str]:
    """Map each staff page to a role in the cast that may open it."""
    entrant = match.seats.get(number=1).entrant
    return {
        address("staff", event.public_id): "judge",
        address("staff_entrants", event.public_id): "judge",
        address("staff_team", event.public_id): "organizer",
        address("staff_ledger", event.public_id): "judge",
        address("staff_cards", event.public_id): "organizer",
        address("staff_round", event.public_id, 1): "judge",
        address("staff_result", match.public_id): "scorekeeper",
        address("staff_paper_list", event.public_id, entrant.public_id): "scorekeeper",
        address("staff_deck", entrant.decklists.get().pk): "judge",
    }


def actions(event: Event, match: Match) -> dict[str, str]:
    """Map each staff action to a role in the cast that is too low for it ("" if there is none)."""
    entrant = match.seats.get(number=1).entrant
    role = StaffRole.objects.get(event=event, role="owner")
    steps = ("open", "lock", "unlock", "check_in", "start", "finish", "cancel")
    return {
        **{address("staff_step", event.public_id, step): "scorekeeper" for step in steps},
        address("staff_team", event.public_id): "scorekeeper",
        address("staff_cards", event.public_id): "scorekeeper",
        address("staff_revoke", event.public_id, role.pk): "scorekeeper",
        address("staff_entrant_add", event.public_id): "judge",
        **{
            address("staff_entrant", event.public_id, entrant.public_id, action): "judge"
            for action in ("check-in", "drop", "reinstate")
        },
        address("staff_paper_list", event.public_id, entrant.public_id): "judge",
        address("staff_pair", event.public_id): "judge",
        address("staff_discard", event.public_id, 1): "judge",
        address("staff_publish", event.public_id, 1): "judge",
        address("staff_close", event.public_id, 1): "judge",
        **{address("staff_clock", event.public_id, 1, action): "judge" for action in ("start", "pause", "resume")},
        address("staff_extend_round", event.public_id, 1): "judge",
        address("staff_result", match.public_id): "judge",
        address("staff_extend_table", match.public_id): "",
    }


def test_each_staff_page_opens_for_its_role(cast: Cast, running: Event, match: Match) -> None:
    for page, role in pages(running, match).items():
        assert signed_in(getattr(cast, role)).get(page).status_code == 200, page


@pytest.mark.parametrize("language", ["fr", "it"])
def test_staff_pages_are_translated(cast: Cast, running: Event, match: Match, language: str) -> None:
    User.objects.update(language=language)
    for page, role in pages(running, match).items():
        user = User.objects.get(pk=getattr(cast, role).pk)
        response = signed_in(user).get(page)
        assert (response.status_code, f'<html lang="{language}"' in text(response)) == (200, True), page


def test_staff_pages_are_hidden_from_strangers_and_players(cast: Cast, running: Event, match: Match) -> None:
    for page in pages(running, match):
        assert signed_in(cast.stranger).get(page).status_code == 404, page
        if "/decks/" not in page:  # players may read their own decklist
            assert signed_in(cast.opponent).get(page).status_code == 404, page


def test_visitors_are_sent_to_the_sign_in_page(running: Event, match: Match) -> None:
    for page in pages(running, match):
        response = Client().get(page)
        assert (response.status_code, response.url.split("?")[0]) == (302, address("sign_in")), page


def test_actions_are_refused_to_roles_that_are_too_low(cast: Cast, running: Event, match: Match) -> None:
    for action, role in actions(running, match).items():
        if not role:
            continue
        response = signed_in(getattr(cast, role)).post(action, {})
        assert response.status_code == 403, action
        assert "role_too_low" in text(response), action


def test_actions_are_hidden_from_strangers(cast: Cast, running: Event, match: Match) -> None:
    for action in actions(running, match):
        assert signed_in(cast.stranger).post(action, {}).status_code == 404, action


def test_a_get_performs_no_action(cast: Cast, running: Event, match: Match) -> None:
    named = (("staff_team", running), ("staff_cards", running), ("staff_result", match))
    both = [address(name, shown.public_id) for name, shown in named]
    for action in actions(running, match):
        if action not in both and "/deck/" not in action:
            answer = signed_in(cast.organizer).get(action)
            assert (answer.status_code, action.startswith(answer.url)) == (302, True), action


def test_staff_who_play_have_no_rights_over_their_own_match(cast: Cast, running: Event, match: Match) -> None:
    for role in ("scorekeeper", "judge"):
        grant_role(event=running, email=cast.player.email, role=role, by=cast.organizer, now=NOW)
    for name in ("staff_result", "staff_extend_table"):
        response = signed_in(cast.player).post(address(name, match.public_id), {"score": "2-0-0", "minutes": "5"})
        assert response.status_code == 403
        assert "own_match" in text(response)
    assert signed_in(cast.player).get(address("staff_result", match.public_id)).status_code == 403
    match.refresh_from_db()
    assert match.games_drawn is None
    desk = text(signed_in(cast.player).get(address("staff_round", running.public_id, 1)))
    assert f'action="{address("staff_result", match.public_id)}"' not in desk


# ---------------------------------------------------------------------------------------------------- the event


def test_an_event_is_created_from_a_preset_and_owned_by_its_creator(cast: Cast) -> None:
    data = {"name": "Autumn Cup", "preset": "star-safir", "capacity": "16", "starts_at": "2126-10-03T10:00"}
    response = signed_in(cast.stranger).post(address("event_new"), data)
    event = Event.objects.get(name="Autumn Cup")
    assert response.url == address("staff", event.public_id)
    assert (event.capacity, event.status) == (16, "draft")
    assert event.staff_roles.get().role == "owner"
    assert signed_in(cast.stranger).get(response.url).status_code == 200


def test_a_refused_new_event_keeps_the_input(cast: Cast) -> None:
    response = signed_in(cast.organizer).post(
        address("event_new"), {"name": "Kept", "preset": "star-safir", "rounds": "0"}
    )
    assert response.status_code == 422
    assert 'value="Kept"' in text(response)
    assert not Event.objects.exists()


def test_a_new_event_with_a_blank_name_is_refused(cast: Cast) -> None:
    assert (
        signed_in(cast.organizer).post(address("event_new"), {"name": " ", "preset": "star-safir"}).status_code == 422
    )


def test_the_steps_lead_from_draft_to_running(cast: Cast) -> None:
    event = an_event(cast)
    client = signed_in(cast.organizer)
    staff = address("staff", event.public_id)
    assert address("staff_step", event.public_id, "open") in text(client.get(staff))
    assert client.post(address("staff_step", event.public_id, "open")).url == staff
    for seed, user in enumerate((cast.player, cast.opponent), 1):
        an_entrant(event, user, deck=seed)
    for step, state in (
        ("lock", "locked"), ("unlock", "registration"), ("lock", "locked"), ("check_in", "check_in"),
    ):  # fmt: skip
        assert client.post(address("staff_step", event.public_id, step)).status_code == 302
        event.refresh_from_db()
        assert event.status == state
    for entrant in event.entrants.all():
        client.post(address("staff_entrant", event.public_id, entrant.public_id, "check-in"))
    assert client.post(address("staff_step", event.public_id, "start")).status_code == 302
    event.refresh_from_db()
    assert event.status == "running"


def test_a_step_that_is_not_possible_yet_is_refused(cast: Cast) -> None:
    response = signed_in(cast.organizer).post(address("staff_step", an_event(cast).public_id, "lock"))
    assert response.status_code == 409
    assert "event_state" in text(response)


def test_an_unknown_step_is_not_found(cast: Cast) -> None:
    assert signed_in(cast.organizer).post(address("staff_step", an_event(cast).public_id, "rewind")).status_code == 404


@pytest.fixture
def absent(cast: Cast) -> Event:
    """An event in check-in with four entrants: two ready, one not checked in, one also without a decklist."""
    event = an_open_event(cast)
    for seed, user in enumerate((cast.player, cast.opponent, account("Third")), 1):
        an_entrant(event, user, deck=seed)
    an_entrant(event, account("Listless"), deck=None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    open_check_in(event=event, by=cast.organizer, now=NOW)
    for entrant in event.entrants.order_by("pk")[:2]:
        Entrant.objects.filter(pk=entrant.pk).update(checked_in_at=NOW)
    event.refresh_from_db()
    return event


def test_the_desk_lists_entrants_who_are_not_ready_and_why(cast: Cast, absent: Event) -> None:
    page = text(signed_in(cast.organizer).get(address("staff", absent.public_id)))
    assert "Third: not checked in" in page
    assert "Listless: no legal decklist, not checked in" in page


def test_starting_drops_absent_entrants_only_if_their_number_is_typed(cast: Cast, absent: Event) -> None:
    client = signed_in(cast.organizer)
    start = address("staff_step", absent.public_id, "start")
    assert "not_ready" in text(client.post(start))
    for wrong in ("1", "3", "all"):
        response = client.post(start, {"dropped": wrong})
        assert (response.status_code, "confirmation_wrong" in text(response)) == (422, True)
    assert absent.entrants.filter(status="dropped").count() == 0
    assert client.post(start, {"dropped": "2"}).status_code == 302
    assert absent.entrants.filter(status="dropped").count() == 2


def test_cancelling_an_event_is_confirmed_by_typing_its_name(cast: Cast) -> None:
    event = an_open_event(cast)
    client = signed_in(cast.organizer)
    cancel = address("staff_step", event.public_id, "cancel")
    assert client.post(cancel, {"name": "Another"}).status_code == 422
    assert client.post(cancel, {"name": "spring open "}).status_code == 302
    event.refresh_from_db()
    assert event.status == "cancelled"


def test_the_desk_lists_the_tables_without_a_result(cast: Cast, running: Event, round_: Round) -> None:
    page = text(signed_in(cast.organizer).get(address("staff", running.public_id)))
    assert "2 tables have no valid result yet:" in page and "?show=missing" in page
    assert "1, 2" in page


def test_finishing_is_offered_once_all_rounds_are_played(cast: Cast) -> None:
    event = a_running_event(cast, rounds=1)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    client = signed_in(cast.organizer)
    assert "Finish the event" in text(client.get(address("staff", event.public_id)))
    assert client.post(address("staff_step", event.public_id, "finish")).status_code == 302
    event.refresh_from_db()
    assert event.status == "finished"
    assert client.get(address("staff", event.public_id)).status_code == 200


# ---------------------------------------------------------------------------------------------------- team, ledger


def test_a_role_can_be_granted_by_email_address_and_revoked(cast: Cast) -> None:
    event = an_event(cast)
    client = signed_in(cast.organizer)
    team = address("staff_team", event.public_id)
    for _twice in range(2):
        assert client.post(team, {"email": cast.stranger.email, "role": "judge"}).status_code == 302
    role = StaffRole.objects.get(event=event, user=cast.stranger)
    assert cast.stranger.email in text(client.get(team))
    assert client.post(address("staff_revoke", event.public_id, role.pk)).status_code == 302
    assert not StaffRole.objects.filter(user=cast.stranger).exists()


def test_a_scribe_is_given_a_table_and_lands_on_the_games_to_record(cast: Cast, running: Event, round_: Round) -> None:
    client, team = signed_in(cast.organizer), address("staff_team", running.public_id)
    refused = client.post(team, {"email": cast.stranger.email, "role": "judge", "table": "1"})
    assert (refused.status_code, "Only scribes have a table" in text(refused)) == (422, True)
    assert client.post(team, {"email": cast.stranger.email, "role": "scribe", "table": "1"}).status_code == 302
    assert "Scribe of table 1" in text(client.get(team))
    invitation = {"role": "scribe", "table": "2", "email": ""}
    assert client.post(address("staff_invite", running.public_id), invitation).status_code == 302
    made = Invitation.objects.get()
    scribe, link = signed_in(cast.stranger), address("invitation", made.public_id, secret_of(made))
    assert "Scribe of table 2" in text(scribe.get(link))
    tables = address("record_tables", running.public_id)
    assert scribe.post(link).url == tables
    page = text(scribe.get(tables))
    match = round_.matches.get(table=2)
    assert page.count("Record game 1") == 1
    assert address("record_open", match.public_id, 1) in page
    for path in (address("event", running.public_id), "/"):
        assert tables in text(scribe.get(path)), path
    assert scribe.get(address("staff", running.public_id)).status_code == 403
    assert scribe.post(address("record_open", round_.matches.get(table=1).public_id, 1)).status_code == 403


def test_an_unknown_address_is_quoted_in_the_form(cast: Cast) -> None:
    team = address("staff_team", an_event(cast).public_id)
    response = signed_in(cast.organizer).post(team, {"email": "nobody@example.com", "role": "judge"})
    assert response.status_code == 422
    assert "nobody@example.com" in text(response)


def test_an_owner_hands_the_event_over_on_the_team_page(cast: Cast) -> None:
    event = an_event(cast)
    page = address("staff_hand_over", event.public_id)
    assert signed_in(cast.scorekeeper).post(page, {"email": "x@example.org"}).status_code == 403
    desk = signed_in(cast.organizer)
    wrong = desk.post(page, {"email": "nobody@example.org", "stay": "on"})
    assert wrong.status_code == 422 and "no account with this e-mail address" in text(wrong)
    done = desk.post(page, {"email": cast.player.email, "stay": "on"}, follow=True)
    assert done.status_code == 200 and "Player 1 now owns the event." in text(done)
    assert desk.get(address("staff_team", event.public_id)).status_code == 403
    assert signed_in(cast.player).post(page, {"email": cast.organizer.email}).status_code == 302
    assert signed_in(cast.player).get(address("staff", event.public_id)).status_code == 404, "they did not stay"


def test_the_last_owner_cannot_be_removed(cast: Cast) -> None:
    event = an_event(cast)
    role = event.staff_roles.get(role="owner")
    response = signed_in(cast.organizer).post(address("staff_revoke", event.public_id, role.pk))
    assert "last_owner" in text(response)


def test_a_role_of_another_event_cannot_be_revoked(cast: Cast) -> None:
    one, other = an_event(cast), an_event(cast)
    role = other.staff_roles.get(role="head_judge")
    assert signed_in(cast.organizer).post(address("staff_revoke", one.public_id, role.pk)).status_code == 404


def test_the_ledger_is_shown_in_words_and_its_chain_verified(cast: Cast, running: Event, round_: Round) -> None:
    ledger = address("staff_ledger", running.public_id)
    page = text(signed_in(cast.judge).get(ledger, {"verify": "1"}))
    assert "Pairings published" in page
    assert "The chain is intact" in page


def test_the_ledger_hides_a_draft_from_staff_who_play(cast: Cast, running: Event) -> None:
    grant_role(event=running, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    play.pair_round(stage=current_stage(running), by=cast.organizer, now=NOW)
    entrant = Entrant.objects.get(event=running, member__person__account=cast.player)
    ledger = address("staff_ledger", running.public_id)
    assert "pairs" in text(signed_in(cast.judge).get(ledger))
    page = text(signed_in(cast.player).get(ledger))
    assert "Round paired" not in page
    assert f"&quot;{entrant.public_id}&quot;" not in page
    assert str(Round.objects.get().seed) not in page


# ---------------------------------------------------------------------------------------------------- entrants


def test_the_desk_shows_the_state_of_each_decklist(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    an_entrant(event, cast.opponent, deck=None)
    page = text(signed_in(cast.scorekeeper).get(address("staff_entrants", event.public_id)))
    assert "legal" in page
    assert "none" in page
    assert "version 1" in page


def test_a_walk_in_is_added_with_a_decklist_typed_from_paper(cast: Cast) -> None:
    event = an_open_event(cast)
    client = signed_in(cast.scorekeeper)
    add = address("staff_entrant_add", event.public_id)
    assert client.post(add, {"given_name": ""}).status_code == 422
    back = client.post(add, {"given_name": "Walker"}, follow=True)
    assert '<details class="details" id="walk-in" open>' in text(back)  # ready for the next walk-in
    entrant = event.entrants.get()
    assert entrant.name == "Walker"
    paper = address("staff_paper_list", event.public_id, entrant.public_id)
    refused = client.post(paper, {"text": "1 No such card"})
    assert (refused.status_code, "1 No such card" in text(refused)) == (422, True)
    deck = misspelt(deck_text(1), shipped_catalogs("star-safir")[0])
    assert escape(deck.button) in text(client.post(paper, {"text": deck.text}))
    applied = text(client.post(paper, {"text": deck.text, "suggestion": deck.button}))
    assert escape(deck.corrected) in applied and "Every line can be read now." in applied
    assert not Decklist.objects.exists()
    assert client.post(paper, {"text": "1 DEMO-SAF-001"}).status_code == 302
    assert Decklist.objects.get(entrant=entrant).legal is False
    assert "1 problem" in text(client.get(address("staff_entrants", event.public_id)))


def test_adding_an_entrant_to_a_cancelled_event_is_refused(cast: Cast) -> None:
    closed = an_event(cast)
    cancel_event(event=closed, by=cast.organizer, now=NOW)
    response = signed_in(cast.scorekeeper).post(address("staff_entrant_add", closed.public_id), {"given_name": "Late"})
    assert (response.status_code, "registration_closed" in text(response)) == (409, True)


def test_dropping_and_reinstating_take_one_click_each(cast: Cast, running: Event) -> None:
    client = signed_in(cast.scorekeeper)
    entrant = running.entrants.first()
    for action, status in (("drop", "dropped"), ("drop", "dropped"), ("reinstate", "registered")):
        assert client.post(address("staff_entrant", running.public_id, entrant.public_id, action)).status_code == 302
        entrant.refresh_from_db()
        assert entrant.status == status


def test_htmx_gets_only_the_changed_row(cast: Cast, running: Event) -> None:
    entrant = running.entrants.first()
    drop = address("staff_entrant", running.public_id, entrant.public_id, "drop")
    page = text(signed_in(cast.scorekeeper).post(drop, headers={"HX-Request": "true"}))
    assert page.strip().startswith("<tr")
    assert "Reinstate" in page


def test_an_entrant_of_another_event_is_not_found(cast: Cast, running: Event) -> None:
    other = an_open_event(cast)
    entrant = add_entrant(event=other, given_name="Else", family_name="", by=cast.organizer, now=NOW)
    drop = address("staff_entrant", running.public_id, entrant.public_id, "drop")
    assert signed_in(cast.organizer).post(drop).status_code == 404


def test_a_decklist_is_shown_with_all_its_violations(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant = add_entrant(event=event, given_name="Walker", family_name="", by=cast.organizer, now=NOW)
    paper = address("staff_paper_list", event.public_id, entrant.public_id)
    signed_in(cast.organizer).post(paper, {"text": "3 DEMO-SAF-001"})
    page = text(signed_in(cast.judge).get(address("staff_deck", entrant.decklists.get().pk)))
    assert "SAF-I-2" in page
    assert "SAF-I-3" in page


def test_staff_who_play_cannot_read_decklists_of_others(cast: Cast, running: Event) -> None:
    grant_role(event=running, email=cast.player.email, role="judge", by=cast.organizer, now=NOW)
    other = Decklist.objects.get(entrant__member__person__account=cast.opponent)
    response = signed_in(cast.player).get(address("staff_deck", other.pk))
    assert (response.status_code, "staff_who_play" in text(response)) == (403, True)
    desk = text(signed_in(cast.player).get(address("staff_entrants", running.public_id)))
    assert address("staff_deck", other.pk) not in desk


# ---------------------------------------------------------------------------------------------------- rounds


def test_a_round_is_paired_published_and_closed_and_the_next_one_paired(cast: Cast, running: Event) -> None:
    client = signed_in(cast.scorekeeper)
    desk = address("staff_round", running.public_id, 1)
    assert client.post(address("staff_pair", running.public_id)).url == desk
    assert "How it was paired" in text(client.get(desk))
    assert client.post(address("staff_publish", running.public_id, 1)).url == desk
    for match in Match.objects.filter(round__number=1):
        assert client.post(address("staff_result", match.public_id), {"score": "2-1-0"}).url == desk
    assert "Close and pair the next round" in text(client.get(desk))
    response = client.post(address("staff_close", running.public_id, 1), {"pair": "1"})
    assert response.url == address("staff_round", running.public_id, 2)
    assert list(Round.objects.order_by("number").values_list("status", flat=True)) == ["closed", "draft"]


@pytest.mark.parametrize(("name", "code"), [("staff_publish", "not_a_draft"), ("staff_close", "results_missing")])
def test_an_action_that_does_not_fit_the_state_of_the_round_is_refused(
    cast: Cast, running: Event, round_: Round, name: str, code: str
) -> None:
    response = signed_in(cast.scorekeeper).post(address(name, running.public_id, 1))
    assert (response.status_code, code in text(response)) == (409, True)


def test_a_second_click_on_an_action_is_refused(cast: Cast, running: Event) -> None:
    client = signed_in(cast.scorekeeper)
    round_address = [running.public_id, 1]
    assert client.post(address("staff_pair", running.public_id)).status_code == 302
    again = client.post(address("staff_pair", running.public_id))
    assert (again.status_code, "already_paired" in text(again), Round.objects.count()) == (409, True, 1)
    assert client.post(address("staff_publish", *round_address)).status_code == 302
    again = client.post(address("staff_publish", *round_address))
    assert (again.status_code, "not_a_draft" in text(again), Clock.objects.count()) == (409, True, 1)
    for match in Match.objects.all():
        play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    assert client.post(address("staff_close", *round_address)).status_code == 302
    closed_at = Round.objects.get().closed_at
    again = client.post(address("staff_close", *round_address))
    assert (again.status_code, "round_state" in text(again)) == (409, True)
    assert Round.objects.get().closed_at == closed_at


def test_pairing_with_missing_results_is_refused_and_names_the_tables(
    cast: Cast, running: Event, round_: Round
) -> None:
    done = Match.objects.get(round=round_, table=1)
    play.enter_result(match=done, by=cast.organizer, games=(2, 0, 0), now=NOW)
    response = signed_in(cast.scorekeeper).post(address("staff_pair", running.public_id))
    assert response.status_code == 409
    assert "results_missing" in text(response)
    assert "Tables: 2." in text(response)
    assert Round.objects.count() == 1


def test_pairing_again_replaces_the_draft_with_one_from_another_seed(cast: Cast, running: Event) -> None:
    client = signed_in(cast.scorekeeper)
    client.post(address("staff_pair", running.public_id))
    seeds = [Round.objects.get().seed]
    for _again in range(2):
        client.post(address("staff_discard", running.public_id, 1), {"again": "1"})
        seeds.append(Round.objects.get().seed)
    assert len(set(seeds)) == 3
    client.post(address("staff_discard", running.public_id, 1))
    assert not Round.objects.exists()


def test_a_published_round_cannot_be_discarded(cast: Cast, running: Event, round_: Round) -> None:
    response = signed_in(cast.scorekeeper).post(address("staff_discard", running.public_id, 1), {"again": "1"})
    assert "not_a_draft" in text(response)


def test_a_draft_round_explains_its_pairings(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    client = signed_in(cast.scorekeeper)
    client.post(address("staff_pair", event.public_id))
    page = text(client.get(address("staff_round", event.public_id, 1)))
    assert "has the bye, from the lowest score group" in page
    assert "Gaps in points, squared and added" in page
    assert str(Round.objects.get().seed) in page


def test_staff_who_play_see_only_the_number_of_tables_of_a_draft(cast: Cast, running: Event) -> None:
    grant_role(event=running, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    play.pair_round(stage=current_stage(running), by=cast.organizer, now=NOW)
    desk = address("staff_round", running.public_id, 1)
    assert "Player 1" in text(signed_in(cast.organizer).get(desk))
    page = text(signed_in(cast.player).get(desk))
    for number in range(1, 5):
        assert f"Player {number}" not in page
    assert str(Round.objects.get().seed) not in page
    assert "Gaps in points" not in page
    assert "2 tables are paired" in page
    public = text(signed_in(cast.player).get(address("pairings", running.public_id, 1)))
    assert "Player 3" not in public


def test_staff_who_play_can_publish_a_draft_but_not_redraw_it(cast: Cast, running: Event) -> None:
    grant_role(event=running, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    play.pair_round(stage=current_stage(running), by=cast.organizer, now=NOW)
    client = signed_in(cast.player)
    seed = Round.objects.get().seed
    client.post(address("staff_discard", running.public_id, 1), {"again": "1"})
    assert Round.objects.get().seed == seed, "who plays cannot draw until content"
    assert client.post(address("staff_publish", running.public_id, 1)).status_code == 302
    assert Round.objects.get().status == "published"


def test_the_clock_can_be_started_paused_resumed_and_extended(cast: Cast, running: Event, round_: Round) -> None:
    client = signed_in(cast.scorekeeper)
    for action, check in (
        ("start", lambda clock: clock.started_at is not None),
        ("pause", lambda clock: clock.paused_at is not None),
        ("resume", lambda clock: clock.paused_at is None),
    ):
        assert client.post(address("staff_clock", running.public_id, 1, action)).status_code == 302
        assert check(Clock.objects.get())
        assert client.get(address("staff_round", running.public_id, 1)).status_code == 200
    again = client.post(address("staff_clock", running.public_id, 1, "start"))
    assert "clock_state" in text(again)
    before = Clock.objects.get().seconds
    assert client.post(address("staff_extend_round", running.public_id, 1), {"minutes": "3"}).status_code == 302
    assert Clock.objects.get().seconds == before + 180
    assert "minutes_invalid" in text(
        client.post(address("staff_extend_round", running.public_id, 1), {"minutes": "90"})
    )


def test_a_quick_result_counts_and_returns_its_row_and_the_counters(cast: Cast, match: Match) -> None:
    post = address("staff_result", match.public_id)
    page = text(signed_in(cast.scorekeeper).post(post, {"score": "2-1-0"}, headers={"HX-Request": "true"}))
    match.refresh_from_db()
    assert (match.authority, match.games_drawn) == ("witnessed", 0)
    assert page.strip().startswith("<li")
    assert "2–1" in page
    assert 'hx-swap-oob="true"' in page


def test_the_same_quick_result_again_changes_nothing(cast: Cast, match: Match) -> None:
    post = address("staff_result", match.public_id)
    for _twice in range(2):
        assert signed_in(cast.scorekeeper).post(post, {"score": "2-1-0"}).status_code == 302
    assert match.reports.count() == 1


def test_a_different_result_needs_a_reason(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    post = address("staff_result", match.public_id)
    client.post(post, {"score": "2-1-0"})
    assert "reason_missing" in text(client.post(post, {"score": "0-2-0"}))
    form = {"first": "0", "second": "2", "drawn": "0", "kind": "played", "reason": ""}
    refused = client.post(post, form)
    assert (refused.status_code, "needs a reason" in text(refused)) == (422, True)
    assert client.post(post, {**form, "reason": "The slip was read upside down."}).status_code == 302
    assert list(match.seats.values_list("games_won", flat=True)) == [0, 2]


@pytest.mark.parametrize("score", ["3-0-0", "2-2-0", "9", "a-b-c", ""])
def test_an_impossible_score_is_refused(cast: Cast, match: Match, score: str) -> None:
    response = signed_in(cast.scorekeeper).post(address("staff_result", match.public_id), {"score": score})
    assert (response.status_code, "score_invalid" in text(response)) == (422, True)


def test_the_full_form_offers_other_kinds_of_results(cast: Cast, match: Match) -> None:
    form = {"first": "2", "second": "0", "drawn": "0", "kind": "no_show", "reason": ""}
    assert signed_in(cast.scorekeeper).post(address("staff_result", match.public_id), form).status_code == 302
    match.refresh_from_db()
    assert match.kind == "no_show"


def test_extending_a_table_returns_the_judge_to_the_previous_page(cast: Cast, match: Match) -> None:
    post = address("staff_extend_table", match.public_id)
    back = address("judge_match", match.public_id)
    assert signed_in(cast.judge).post(post, {"minutes": "4", "next": back}).url == back
    elsewhere = signed_in(cast.judge).post(post, {"minutes": "4", "next": "https://elsewhere.example/"})
    assert elsewhere.url == address("staff_round", match.round.stage.event.public_id, 1)
    assert sum(TimeExtension.objects.values_list("minutes", flat=True)) == 8


def test_outstanding_tables_come_before_those_with_a_result(cast: Cast, running: Event, round_: Round) -> None:
    first, second = Match.objects.filter(round=round_).order_by("table")
    play.enter_result(match=first, by=cast.organizer, games=(2, 0, 0), now=NOW)
    page = text(signed_in(cast.scorekeeper).get(address("staff_round", running.public_id, 1)))
    assert page.index(f'id="{second.public_id}"') < page.index(f'id="{first.public_id}"')


def test_a_report_is_shown_with_its_player(cast: Cast, running: Event, match: Match) -> None:
    play.report_result(match=match, by=cast.player, games=(2, 1, 0), now=NOW + timedelta(minutes=9))
    page = text(signed_in(cast.scorekeeper).get(address("staff_round", running.public_id, 1)))
    assert "Player 1 says 2–1." in page


# ---------------------------------------------------------------------------------------------------- queries


def queries(client: Client, page: str) -> int:
    client.get(page)
    with CaptureQueriesContext(connection) as caught:
        assert client.get(page).status_code == 200
    return len(caught)


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow_with_the_rows(cast: Cast) -> None:
    found = {}
    for players in (6, 60):
        event = an_open_event(cast, name=f"With {players}")
        for number in range(players):
            an_entrant(event, account(f"P {players} {number}"), deck=number % 7)
        lock_decks(event=event, by=cast.organizer, now=NOW)
        play.start_event(event=event, by=cast.organizer, now=NOW)
        event.refresh_from_db()
        round_ = a_published_round(event, cast.organizer)
        match = round_.matches.get(table=1)
        play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
        client = signed_in(cast.organizer)
        found[players] = [
            queries(client, address(name, *args))
            for name, args in (
                ("staff_round", (event.public_id, 1)),
                ("staff_entrants", (event.public_id,)),
                ("staff_ledger", (event.public_id,)),
                ("staff", (event.public_id,)),
            )
        ]
    assert found[6] == found[60]


def test_staff_who_play_can_type_in_only_their_own_decklist(cast: Cast) -> None:
    event = an_open_event(cast)
    mine, other = an_entrant(event, cast.player), an_entrant(event, cast.opponent)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    client = signed_in(cast.player)
    for send in (client.get, client.post):
        answer = send(address("staff_paper_list", event.public_id, other.public_id))
        assert (answer.status_code, "staff_who_play" in text(answer)) == (403, True)
    assert client.get(address("staff_paper_list", event.public_id, mine.public_id)).status_code == 200
    desk = text(client.get(address("staff_entrants", event.public_id)))
    assert address("staff_paper_list", event.public_id, mine.public_id) in desk
    assert address("staff_paper_list", event.public_id, other.public_id) not in desk


def test_a_page_that_refreshes_itself_leaves_the_message_to_the_page_that_comes(cast: Cast) -> None:
    event = an_event(cast)
    client, desk = signed_in(cast.organizer), address("staff", event.public_id)
    client.post(address("staff_step", event.public_id, "open"))
    assert "Registration is open." not in text(client.get(desk, headers={"HX-Request": "true"}))
    assert "Registration is open." in text(client.get(desk))
