"""A player's pages: registration, the seat page, results, decklists, and entrants of a guardian."""

import json
import re
from html import escape, unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from engine.core.cards.catalog import shipped_catalogs
from tests.builders import (
    NOW,
    Misspelt,
    a_published_round,
    a_running_event,
    an_entrant,
    an_event,
    an_open_event,
    deck_text,
    lock_decks,
    match_of,
    misspelt,
    play_out,
    users_of,
)
from tests.cast import Cast
from tests.web.pages import queries_of, signed_in, text
from tournaments.accounts.models import Person, User
from tournaments.decks.models import Decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.services import open_check_in, register
from tournaments.play import services as play
from tournaments.play.models import Match, Report


def page_of(event: Event, name: str) -> str:
    return reverse(f"web:{name}", args=[event.public_id])


def at(match: Match, name: str) -> str:
    return reverse(f"web:{name}", args=[match.public_id])


def words_of(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.fixture
def table(cast: Cast) -> tuple[Event, Match, User, User]:
    """A running event, a match of its first round, and the users in its first and second seat."""
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    return event, match, *users_of(match)


@pytest.fixture
def children(cast: Cast) -> tuple[Event, list[Entrant]]:
    """An open event and two entrants of one account: the player and a child."""
    event = an_open_event(cast)
    first = an_entrant(event, cast.player)
    child = Person.objects.create(account=cast.player, given_name="Player 12")
    return event, [first, register(event=event, person=child, by=cast.player, now=NOW)]


# ------------------------------------------------------------------ access


@pytest.mark.parametrize("name", ["me", "deck"])
def test_only_entrants_can_open_the_player_pages(client, cast: Cast, name: str):
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    address = page_of(event, name)
    assert signed_in(cast.player).get(address).status_code == 200
    assert signed_in(cast.stranger).get(address).status_code == 404
    assert client.get(address).headers["Location"] == f"/sign-in/?next={address}"


@pytest.mark.parametrize("name", ["report", "confirm", "contest"])
def test_only_players_of_the_match_can_report_or_answer_a_report(cast: Cast, table, name: str):
    _event, match, *_ = table
    assert signed_in(cast.stranger).post(at(match, name), {"games": "2-0-0"}).status_code == 404
    assert signed_in(cast.judge).post(at(match, name), {"games": "2-0-0"}).status_code == 404
    assert not Report.objects.exists()


# ------------------------------------------------------------------ registering, check-in, drop


def test_registering_leads_to_the_players_page_and_is_idempotent(cast: Cast):
    event, client = an_open_event(cast), signed_in(cast.player)
    for _ in range(2):
        assert client.post(page_of(event, "register")).headers["Location"] == page_of(event, "me")
    assert Entrant.objects.count() == 1
    assert "Not submitted" in words_of(client, page_of(event, "me"))


def test_a_get_of_the_register_address_leads_to_the_event(cast: Cast):
    event = an_open_event(cast)
    assert signed_in(cast.player).get(page_of(event, "register")).headers["Location"] == page_of(event, "event")


def test_registering_for_a_full_event_joins_the_waiting_list(cast: Cast):
    event = an_open_event(cast, capacity=2)
    for user in (cast.player, cast.opponent):
        an_entrant(event, user)
    client = signed_in(cast.stranger)
    client.post(page_of(event, "register"))
    assert "You are on the waiting list." in words_of(client, page_of(event, "me"))


def test_registering_for_a_running_event_is_refused(cast: Cast):
    event = a_running_event(cast)
    answer = signed_in(cast.stranger).post(page_of(event, "register"))
    assert answer.status_code == 409
    assert "Late entries are still possible: ask at the desk." in answer.content.decode()
    assert not event.entrants.filter(members__account=cast.stranger).exists()


def test_a_draft_event_takes_no_registrations(cast: Cast):
    assert signed_in(cast.player).post(page_of(an_event(cast), "register")).status_code == 404


def test_a_player_can_check_in_and_it_is_idempotent(cast: Cast):
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    client = signed_in(cast.player)
    assert client.post(page_of(event, "check_in_self")).status_code == 409
    lock_decks(event=event, by=cast.organizer, now=NOW)
    open_check_in(event=event, by=cast.organizer, now=NOW)
    assert "Check in" in words_of(client, page_of(event, "me"))
    for _ in range(2):
        assert client.post(page_of(event, "check_in_self")).status_code == 302
    assert "You are checked in" in words_of(client, page_of(event, "me"))


def test_a_player_can_drop_and_it_is_idempotent(cast: Cast):
    event = a_running_event(cast)
    client = signed_in(cast.player)
    for _ in range(2):
        assert client.post(page_of(event, "drop_self")).status_code == 302
    assert "You have dropped." in words_of(client, page_of(event, "me"))


def test_a_get_performs_no_action(cast: Cast):
    event = a_running_event(cast)
    client = signed_in(cast.player)
    for action in ("drop_self", "check_in_self"):
        assert client.get(page_of(event, action)).url == page_of(event, "me")
    assert event.entrants.filter(status="registered", checked_in_at=None).count() == 4


# ------------------------------------------------------------------ the seat page


def test_the_players_page_shows_table_opponent_and_time(cast: Cast, table):
    event, match, first, second = table
    play.start_clock(round_=match.round, by=cast.organizer, now=NOW)
    play.extend_table(match=match, minutes=3, by=cast.organizer, now=NOW)
    shown = words_of(signed_in(first), page_of(event, "me"))
    opponent = second.persons.get().name
    assert f'<p class="seat-number">{match.table}</p>' in shown
    assert opponent in shown
    assert "+3 minutes for this table" in shown
    assert "data-ends-at" in shown and "data-server-now" in shown
    assert 'role="timer"' in shown


def test_the_players_page_between_rounds_says_what_comes_next(cast: Cast, table):
    event, match, first, _ = table
    play_out(match.round, cast.organizer)
    shown = words_of(signed_in(first), page_of(event, "me"))
    assert "Round 1 is over" in shown
    assert "My matches" in shown


def test_the_players_page_before_round_1_says_it_is_being_paired(cast: Cast):
    event = a_running_event(cast)
    assert "The first round is being paired" in words_of(signed_in(cast.player), page_of(event, "me"))


def test_the_players_page_explains_a_bye(cast: Cast):
    event = a_running_event(cast, players=5)
    a_published_round(event, cast.organizer)
    sits_out = User.objects.get(persons__member__entrant__seats__match__kind="bye")
    shown = words_of(signed_in(sits_out), page_of(event, "me"))
    assert "counts as a win" in shown
    assert "Report the result" not in shown


def test_the_players_page_does_not_show_draft_pairings(cast: Cast):
    event = a_running_event(cast)
    play.pair_round(stage=event.stages.get(), by=cast.organizer, now=NOW)
    assert "seat-number" not in words_of(signed_in(cast.player), page_of(event, "me"))


def test_the_number_of_queries_does_not_grow_with_the_rounds(cast: Cast, table):
    event, match, first, _ = table
    client = signed_in(first)
    few = queries_of(client, page_of(event, "me"))
    play_out(match.round, cast.organizer)
    for _ in range(2):
        round_ = a_published_round(event, cast.organizer)
        if round_.number < 3:
            play_out(round_, cast.organizer)
    assert queries_of(client, page_of(event, "me")) == few


# ------------------------------------------------------------------ results


def test_a_reported_result_counts_once_the_opponent_confirms_it(table):
    event, match, first, second = table
    signed_in(first).post(at(match, "report"), {"games": "2-1-0", "kind": "played"})
    assert "You reported" in words_of(signed_in(first), page_of(event, "me"))
    shown = words_of(signed_in(second), page_of(event, "me"))
    assert "your opponent wins" in shown and "1–2" in shown
    report = Report.objects.get()
    answer = signed_in(second).post(at(match, "confirm"), {"report": report.pk})
    assert answer.headers["Location"] == page_of(event, "me")
    match.refresh_from_db()
    assert match.has_result and match.authority == "agreed"


def test_the_second_seat_can_report_its_own_win(table):
    event, match, _first, second = table
    shown = words_of(signed_in(second), page_of(event, "me"))
    assert 'value="0-2-0"' in shown
    signed_in(second).post(at(match, "report"), {"games": "0-2-0"})
    assert Report.objects.get().games == [0, 2, 0]


def test_reporting_and_confirming_are_idempotent(table):
    _event, match, first, second = table
    for _ in range(2):
        assert signed_in(first).post(at(match, "report"), {"games": "2-0-0"}).status_code == 302
    report = Report.objects.get()
    for _ in range(2):
        assert signed_in(second).post(at(match, "confirm"), {"report": report.pk}).status_code == 302
    assert Report.objects.count() == 1


def test_a_stale_page_cannot_confirm_a_changed_report(table):
    _event, match, first, second = table
    signed_in(first).post(at(match, "report"), {"games": "2-0-0"})
    seen = Report.objects.get()
    signed_in(first).post(at(match, "report"), {"games": "2-1-0"})
    answer = signed_in(second).post(at(match, "confirm"), {"report": seen.pk})
    assert answer.status_code == 409
    assert "report_changed" in answer.content.decode()
    assert signed_in(second).post(at(match, "confirm"), {"report": "x"}).status_code == 409
    assert signed_in(second).post(at(match, "confirm")).status_code == 409


def test_nobody_can_confirm_their_own_report(table):
    _event, match, first, _second = table
    signed_in(first).post(at(match, "report"), {"games": "2-0-0"})
    answer = signed_in(first).post(at(match, "confirm"), {"report": Report.objects.get().pk})
    assert answer.status_code == 403
    assert "own_report" in answer.content.decode()


def test_a_contested_report_is_left_to_a_judge(table):
    event, match, first, second = table
    signed_in(first).post(at(match, "report"), {"games": "2-0-0"})
    report = Report.objects.get()
    signed_in(second).post(at(match, "contest"), {"report": report.pk, "reason": "The second game was mine."})
    match.refresh_from_db()
    assert match.disputed
    for user in (first, second):
        assert "A judge will decide." in words_of(signed_in(user), page_of(event, "me"))
    again = signed_in(second).post(at(match, "contest"), {"report": report.pk})
    assert again.status_code == 409


def test_two_different_reports_are_shown_to_both_players_and_the_desk(table, cast):
    event, match, first, second = table
    signed_in(first).post(at(match, "report"), {"games": "2-0-0"})
    offered = words_of(signed_in(second), page_of(event, "me"))
    assert "Enter the score as you saw it" in offered and 'value="0-2-0"' in offered
    assert 'value="2-0-0"' not in offered, "that one is confirmed, not entered"
    signed_in(second).post(at(match, "report"), {"games": "0-2-0"})
    match.refresh_from_db()
    assert not match.disputed
    for user, own, other in ((first, "2–0", "0–2"), (second, "2–0", "0–2")):
        page = words_of(signed_in(user), page_of(event, "me"))
        assert "Your reports differ" in page
        shown = re.findall(r'<dd><span class="score">([^<]+)</span> ([^<]+)</dd>', page)
        assert [(score, means.strip()) for score, means in shown] == [(own, "you win"), (other, "your opponent wins")]
    desk = words_of(signed_in(cast.scorekeeper), reverse("web:staff_result", args=[match.public_id]))
    assert "Reports differ" in desk and "says 2–0." in desk and "says 0–2." in desk


@pytest.mark.parametrize("giving_way", [0, 1])
def test_either_player_can_accept_the_others_score(table, giving_way):
    event, match, *players = table
    signed_in(players[0]).post(at(match, "report"), {"games": "2-0-0"})
    signed_in(players[1]).post(at(match, "report"), {"games": "0-2-0"})
    client = signed_in(players[giving_way])
    report = Report.objects.exclude(by=players[giving_way]).get()
    page = words_of(client, page_of(event, "me"))
    assert f'name="report" value="{report.pk}"' in page
    assert client.post(at(match, "confirm"), {"report": report.pk}).status_code == 302
    match.refresh_from_db()
    assert (match.has_result, match.authority) == (True, "agreed")


def test_the_status_of_a_result_is_shown_by_its_state_not_by_a_message(table, cast):
    event, match, first, _second = table
    client = signed_in(first)
    sent = client.post(at(match, "report"), {"games": "2-0-0"}, follow=True).content.decode()
    assert "Waiting for your opponent to confirm." in sent
    assert "notice--ok" not in sent.split('id="me"')[0], "no message that would outlive the state"
    play.rule_result(match=match, by=cast.judge, games=(0, 2, 0), reason="Seen.", now=NOW)
    ruled = words_of(client, page_of(event, "me"))
    assert "A judge decided this result." in ruled and "Waiting for your opponent" not in ruled


def test_the_full_report_form_takes_concessions(table):
    event, match, first, _second = table
    address = at(match, "report")
    assert "Games won by" in words_of(signed_in(first), address)
    sent = {"first": "0", "second": "1", "drawn": "", "kind": "concession"}
    assert signed_in(first).post(address, sent).headers["Location"] == page_of(event, "me")
    assert Report.objects.get().kind == "concession"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"first": "3", "second": "0"}, "not possible in a best of 3"),
        ({"first": "1", "second": "1", "kind": "concession"}, "has a winner"),
        ({}, "Enter how many games each side won."),
        ({"first": "x", "second": "0"}, "whole number"),
        ({"games": "two-nil"}, "valid value"),
        ({"first": "2", "second": "0", "kind": "bribe"}, "Choose one of the options."),
    ],
)
def test_an_impossible_score_is_refused_in_the_form(table, sent, said: str):
    _event, match, first, _second = table
    answer = signed_in(first).post(at(match, "report"), sent)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Report.objects.exists()


def test_a_match_with_a_result_takes_no_more_reports(cast: Cast, table):
    _event, match, first, _second = table
    play.enter_result(match=match, by=cast.scorekeeper, games=[2, 0, 0], now=NOW)
    answer = signed_in(first).post(at(match, "report"), {"games": "0-2-0"})
    assert answer.status_code == 409
    assert "already_confirmed" in answer.content.decode()


def test_htmx_gets_a_refusal_as_a_fragment_for_the_message_area(table):
    _event, match, first, _second = table
    answer = signed_in(first).post(at(match, "confirm"), {"report": "1"}, headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert answer.headers["HX-Retarget"] == "#messages"
    shown = answer.content.decode()
    assert "report_changed" in shown and "<html" not in shown


# ------------------------------------------------------------------ decklists


@pytest.fixture
def submitter(cast: Cast) -> tuple[Event, Client]:
    """An open event, and the browser of an entrant who has not submitted a decklist."""
    event = an_open_event(cast)
    an_entrant(event, cast.player, deck=None)
    return event, signed_in(cast.player)


def test_the_same_decklist_pasted_twice_is_one_version(submitter):
    event, client = submitter
    for _ in range(2):
        assert client.post(page_of(event, "deck"), {"text": deck_text(1)}).status_code == 302
    shown = words_of(client, page_of(event, "deck"))
    assert Decklist.objects.count() == 1
    assert "Legal" in shown and Decklist.objects.get().digest in shown


def test_a_decklist_can_be_uploaded_as_a_file(submitter):
    event, client = submitter
    client.post(page_of(event, "deck"), {"file": SimpleUploadedFile("deck.txt", deck_text(2).encode())})
    assert Decklist.objects.get().legal


def test_every_unreadable_line_is_listed_and_the_input_is_kept(submitter):
    event, client = submitter
    text = deck_text(1) + "\n3 No Such Card\n2 Nor This One"
    answer = client.post(page_of(event, "deck"), {"text": text})
    shown = answer.content.decode()
    lines = len(text.splitlines())
    assert answer.status_code == 422
    assert "deck_unreadable" in shown and "unknown_card" in shown
    assert f"Line {lines - 1}" in shown and f"Line {lines}" in shown
    assert "2 Nor This One</textarea>" in shown
    assert not Decklist.objects.exists()


def test_the_lines_of_a_refused_file_are_shown_for_editing(submitter):
    event, client = submitter
    answer = client.post(page_of(event, "deck"), {"file": SimpleUploadedFile("deck.txt", b"3 No Such Card")})
    assert "3 No Such Card</textarea>" in answer.content.decode()


def misspelt_deck() -> Misspelt:
    return misspelt(deck_text(1), shipped_catalogs("star-safir")[0])


def test_a_suggestion_corrects_its_line_and_saves_nothing(submitter):
    event, client = submitter
    deck = misspelt_deck()
    text = deck.text + "\n1 No Such Card Anywhere"
    assert f'value="{escape(deck.button)}"' in client.post(page_of(event, "deck"), {"text": text}).content.decode()
    answer = client.post(page_of(event, "deck"), {"text": text, "suggestion": deck.button})
    shown = unescape(answer.content.decode())
    assert (answer.status_code, deck.corrected in shown) == (422, True)
    assert "1 line cannot be read." in shown and deck.button not in shown
    assert not Decklist.objects.exists()


def test_after_the_last_suggestion_the_list_is_ready_to_be_submitted(submitter):
    event, client = submitter
    deck = misspelt_deck()
    answer = client.post(page_of(event, "deck"), {"text": deck.text, "suggestion": deck.button})
    shown = unescape(answer.content.decode())
    assert "Every line can be read now." in shown and "Not saved yet" in shown
    assert f"{deck.corrected}</textarea>" in shown and not Decklist.objects.exists()
    assert client.post(page_of(event, "deck"), {"text": deck.corrected}).status_code == 302
    assert Decklist.objects.get().legal


def test_a_section_that_is_not_clear_is_answered_with_a_button_for_each_meaning(submitter):
    event, client = submitter
    text = deck_text(1) + "\n\n--- perhaps ---\n2 DEMO-SAF-001"
    line = text.count("\n")
    shown = client.post(page_of(event, "deck"), {"text": text}).content.decode()
    assert f'value="{line}:Deck"' in shown and f'value="{line}:Maybeboard"' in shown
    answer = client.post(page_of(event, "deck"), {"text": text, "suggestion": f"{line}:Maybeboard"})
    corrected = text.replace("--- perhaps ---", "Maybeboard")
    told = "Cards under “Maybeboard”, which do not count: 2."
    assert f"{corrected}</textarea>" in answer.content.decode() and told in answer.content.decode()
    assert client.post(page_of(event, "deck"), {"text": corrected}).status_code == 302
    assert told in client.get(page_of(event, "deck")).content.decode()
    assert Decklist.objects.get().legal


@pytest.mark.parametrize("suggestion", ["2:No such suggestion", "99:x", "x", ":", "1:" + "x" * 5000])
def test_a_suggestion_that_the_line_does_not_have_changes_nothing(submitter, suggestion: str):
    event, client = submitter
    answer = client.post(page_of(event, "deck"), {"text": "3 No Such Card", "suggestion": suggestion})
    assert (answer.status_code, "3 No Such Card</textarea>" in answer.content.decode()) == (422, True)
    assert not Decklist.objects.exists()


def test_a_list_in_another_format_is_shown_as_text_that_can_be_edited(submitter):
    event, client = submitter
    ref = next(line for line in deck_text(1).splitlines() if line[:1].isdigit()).split()[1]
    document = json.dumps({"deckList": {"Main": [{"count": 2, "id": ref}, {"count": 1, "id": "No Such Card"}]}})
    shown = client.post(page_of(event, "deck"), {"text": document}).content.decode()
    assert f"2 {ref} " in shown and "1 No Such Card" in shown and "Line 2" in shown
    document = json.dumps({"deckList": {"Main": [{"count": 2, "id": ref}]}})
    assert client.post(page_of(event, "deck"), {"text": document}).status_code == 302
    assert f"2 {ref} " in client.get(page_of(event, "deck")).content.decode()


def test_errors_in_a_decklist_are_in_the_language_of_the_page(cast: Cast, submitter):
    event, client = submitter
    client.post("/language/", {"language": "fr"})
    assert "carte inconnue" in client.post(page_of(event, "deck"), {"text": "3 No Such Card"}).content.decode()


def test_an_illegal_decklist_is_saved_and_its_violations_are_shown(submitter):
    event, client = submitter
    first_card = next(line for line in deck_text(1).splitlines() if line[:1].isdigit())
    assert client.post(page_of(event, "deck"), {"text": f"Deck\n{first_card}"}).status_code == 302
    shown = words_of(client, page_of(event, "deck"))
    decklist = Decklist.objects.get()
    assert not decklist.legal and "Not legal" in shown
    for violation in decklist.violations:
        assert violation["rule"] in shown


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"text": "   "}, "Paste a list or choose a file."),
        ({"file": SimpleUploadedFile("deck.txt", b"x" * (64 * 1024 + 1))}, "64 KiB of text at most"),
        ({"text": "é" * (64 * 1024 + 1)}, "64 KiB of text at most"),
    ],
)
def test_an_empty_or_too_long_decklist_is_refused(submitter, sent, said: str):
    event, client = submitter
    answer = client.post(page_of(event, "deck"), sent)
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_the_versions_of_a_decklist_are_listed(submitter):
    event, client = submitter
    for seed in (1, 2):
        client.post(page_of(event, "deck"), {"text": deck_text(seed)})
    assert "2 versions" in words_of(client, page_of(event, "deck"))


def test_a_locked_decklist_is_read_only(cast: Cast, submitter):
    event, client = submitter
    client.post(page_of(event, "deck"), {"text": deck_text(1)})
    lock_decks(event=event, by=cast.organizer, now=NOW)
    shown = words_of(client, page_of(event, "deck"))
    assert "Decklists are locked." in shown and "<textarea" not in shown
    answer = client.post(page_of(event, "deck"), {"text": deck_text(2)})
    assert answer.status_code == 409
    assert "decks_locked" in answer.content.decode()


def test_markup_in_a_decklist_is_escaped(submitter):
    event, client = submitter
    shown = client.post(page_of(event, "deck"), {"text": "3 <script>alert(1)</script>"}).content.decode()
    assert "<script>alert" not in shown


# ------------------------------------------------------------------ guardians


@pytest.mark.parametrize("name", ["me", "deck"])
def test_a_guardian_can_switch_between_their_entrants(cast: Cast, children, name: str):
    event, entrants = children
    client = signed_in(cast.player)
    links = [f"{page_of(event, name)}?entrant={entrant.public_id}" for entrant in entrants]
    for address in (page_of(event, name), *links):
        page = words_of(client, address)
        assert all(f'href="{link}"' in page for link in links)
    assert f'href="{links[1]}" aria-current="page"' in words_of(client, links[1])
    assert signed_in(cast.opponent).get(links[1]).status_code == 404


def test_a_guardian_can_act_for_a_second_entrant(cast: Cast, children):
    event, (first, second) = children
    client, chosen = signed_in(cast.player), f"?entrant={second.public_id}"
    sent = client.post(page_of(event, "deck") + chosen, {"text": deck_text(2)})
    assert sent.headers["Location"] == page_of(event, "deck") + chosen
    assert second.decklists.count() == 1
    lock_decks(event=event, by=cast.organizer, now=NOW)
    open_check_in(event=event, by=cast.organizer, now=NOW)
    client.post(page_of(event, "check_in_self") + chosen)
    client.post(page_of(event, "drop_self") + chosen)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("registered", "dropped")
    assert first.checked_in_at is None


def test_a_single_entrant_sees_no_choice_of_entrants(cast: Cast):
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    assert "?entrant=" not in words_of(signed_in(cast.player), page_of(event, "me"))


def test_a_guardian_cannot_report_a_match_between_their_own_entrants(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    match = a_published_round(event, cast.organizer).matches.get()
    client = signed_in(cast.player)
    page, report = page_of(event, "me"), at(match, "report")
    said = "You act for everybody at this table."
    assert said not in text(client.get(page))
    Person.objects.filter(member__entrant__seats__match=match).update(account=cast.player)
    for entrant in event.entrants.all():
        shown = text(client.get(f"{page}?entrant={entrant.public_id}"))
        assert said in shown and 'name="games"' not in shown
    assert said in text(client.get(report))
    refused = client.post(report, {"games": "2-0-0"})
    assert (refused.status_code, "one_account" in text(refused)) == (403, True)
    route = f"/api/v1/matches/{match.public_id}/report/"
    assert client.post(route, {"games": [2, 0, 0]}, content_type="application/json").json()["code"] == "one_account"
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    assert said not in text(client.get(page))
