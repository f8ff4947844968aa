"""The recorder's page: legal moves described in words and recorded by plain forms, and which cards each reader sees."""

import html
import json
import re
from datetime import timedelta

import pytest

from engine.core.shown import listing
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits import recording
from tournaments.audits.access import recorder_for
from tournaments.audits.disputes import Wanted, rule
from tournaments.audits.models import MoveLog, Recording
from tournaments.common import jobs
from tournaments.decks.engine_gate import card_names
from tournaments.events.services import grant_role
from tournaments.play.access import seat_of
from tournaments.play.models import Match
from tournaments.web.words.boards import kind_of_chance

pytestmark = pytest.mark.django_db
SEQUENCE = {"n": "1", "key": "abcdefghij"}
BEGINS = {**SEQUENCE, "move": json.dumps({"by": "table", "do": "first_player"}), "chance": "first_player A"}
KEEPS = {"n": "2", "key": "klmnopqrst", "move": json.dumps({"by": "A", "do": "keep"}), "claim:A.pv": "0"}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def opened(cast: Cast, match: Match) -> Recording:
    """A recording of game 1, opened by the judge."""
    judge = signed_in(cast.judge)
    answer = judge.post(address("record_open", match.public_id, 1))
    found = Recording.objects.get()
    assert answer.url == address("record", found.public_id)
    return found


def offered(page: str) -> list[dict[str, object]]:
    """Return the moves that a page offers, as log entries."""
    values = re.findall(r'(?:name="move"|<option) value="(\{[^"]+)"', page)
    return [json.loads(html.unescape(value)) for value in values]


def forms_of(page: str) -> list[str]:
    """Return the HTML of each form on a page."""
    return re.findall(r"<form.*?</form>", page, re.DOTALL)


def test_legal_moves_are_offered_and_a_plain_form_records_one(cast: Cast, opened: Recording) -> None:
    judge = signed_in(cast.judge)
    page = address("record", opened.public_id)
    shown = text(judge.get(page))
    assert {"by": "table", "do": "first_player"} in offered(shown)
    assert 'value="first player A"' in shown
    form = {**SEQUENCE, "move": json.dumps({"by": "table", "do": "first_player"}), "chance": "first_player B"}
    assert judge.post(page, form).url == page
    assert opened.entries.get().entry["chance"] == [{"first_player": "B"}]
    again = text(judge.get(page))
    assert 'value="draw ?, ?, ?, ?, ?"' in again
    assert {"by": "A", "do": "keep"} in offered(again)


def test_a_recording_says_when_more_moves_are_legal_than_are_listed(
    cast: Cast, opened: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    read = f"/api/v1/recordings/{opened.public_id}/"
    assert judge.post(page, BEGINS).url == page
    shown = judge.get(read).json()
    assert not shown["more_legal"] and not shown["more_responses"]
    assert "There are more legal moves than are listed here." not in text(judge.get(f"{page}?forms"))
    monkeypatch.setattr(listing, "MOST_MOVES", 1)
    cut = judge.get(read).json()
    assert cut["more_legal"] and len(cut["legal"]) < len(shown["legal"])
    assert '<p class="muted">There are more legal moves than are listed here.</p>' in text(judge.get(f"{page}?forms"))


def test_drawn_cards_are_entered_by_name_or_ref_and_counters_are_noted(
    cast: Cast, match: Match, opened: Recording
) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    names = card_names(match.round.stage.event)
    one, two = list(opened.header["seats"]["A"]["deck"]["main"])[:2]
    chance = f"draw {names[one].upper()}, {two.lower()}, ?, ?, ?"
    answer = judge.post(page, {**KEEPS, "chance": chance})
    assert answer.status_code == 302, re.findall(r"role=.alert.*?</div>", text(answer), re.DOTALL)
    entry = opened.entries.get(n=2).entry
    assert (entry["chance"], entry["claims"]) == ([{"draw": [one, two, "?", "?", "?"]}], {"A.pv": 0})


def test_a_refused_move_gives_its_reason_and_records_nothing(cast: Cast, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    answer = judge.post(page, {**SEQUENCE, "move": json.dumps({"by": "A", "do": "end_turn"})})
    assert (answer.status_code, "move_refused" in text(answer)) == (422, True)
    for bad in ({"move": "{"}, {"move": "[]"}, {"move": "{}", "n": "x"}, {"move": '{"by": "A"}', "claim:A.pv": "many"}):
        assert judge.post(page, {**SEQUENCE, **bad}).status_code in (403, 422), bad
    assert not opened.entries.exists()


def test_a_judge_at_the_table_can_record_a_ruling(cast: Cast, match: Match, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    ruling = {"command": "ruling", "n": "2", "key": "klmnopqrst", "does": "counter A pi", "reason": "A penalty"}
    refused = judge.post(page, ruling)
    assert (refused.status_code, "Enter by how much." in text(refused)) == (422, True)
    name = next(iter(card_names(match.round.stage.event).values()))
    assert judge.post(page, {**ruling, "change": "-1", "card": name}).status_code == 302
    entry = opened.entries.get(n=2).entry
    assert (entry["by"], entry["do"], entry["events"]) == ("judge", "ruling", [{"counter": ["A", "pi", -1]}])
    assert card_names(match.round.stage.event)[entry["ref"]] == name
    assert "A penalty" in text(judge.get(page))
    player = signed_in(users_of(match)[0])
    assert 'value="ruling"' not in text(player.get(page))
    assert player.post(page, {**ruling, "n": "3", "key": "uvwxyzabcd", "change": "1"}).status_code == 403


def test_a_scribe_records_for_all_seats_without_rulings_and_goes_on_from_the_list(cast: Cast, match: Match) -> None:
    event = match.round.stage.event
    grant_role(event=event, email=cast.stranger.email, role="scribe", by=cast.organizer, now=NOW)
    scribe, tables = signed_in(cast.stranger), address("record_tables", event.public_id)
    page = scribe.post(address("record_open", match.public_id, 1)).url
    assert "Continue game 1" in text(scribe.get(tables))
    scribe.post(page, BEGINS)
    shown = text(scribe.get(page))
    assert {"by": "A", "do": "keep"} in offered(shown)
    assert f'href="{tables}"' in shown
    assert 'value="ruling"' not in shown
    assert {"by": "judge", "do": "time"} not in offered(shown)
    ruling = {"command": "ruling", "n": "2", "key": "klmnopqrst", "does": "", "reason": "A penalty"}
    assert scribe.post(page, ruling).status_code == 403
    assert scribe.post(page, {"command": "hand_in"}).status_code == 302
    assert "Game 1: handed in" in text(scribe.get(tables))


def test_a_judge_who_vouches_for_a_card_must_say_which(cast: Cast, match: Match, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    ref, name = next(iter(card_names(match.round.stage.event).items()))
    vouches = {"command": "ruling", "n": "2", "key": "klmnopqrst", "does": "vouch A", "reason": "I read the card"}
    refused = judge.post(page, vouches)
    assert (refused.status_code, "Choose the card." in text(refused)) == (422, True)
    assert judge.post(page, {**vouches, "card": name}).status_code == 302
    entry = opened.entries.get(n=2).entry
    assert (entry["ref"], entry["events"]) == (ref, [{"vouch": ["A", ref]}])


def test_a_prefilled_random_outcome_is_dropped_if_the_move_has_none(cast: Cast, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    # "given" repeats what the form was filled with, so that the server can tell whether "chance" was edited.
    filled = "draw ?, ?, ?, ?, ?"
    assert f'name="given" value="{filled}"' in text(judge.get(page))
    keeps = {**KEEPS, "chance": filled, "given": filled}
    concedes = {**KEEPS, "move": json.dumps({"by": "A", "do": "concede"}), "chance": filled}
    assert judge.post(page, concedes).status_code == 422
    assert judge.post(page, keeps).status_code == 302
    assert judge.post(page, {**concedes, "n": "3", "key": "uvwxyzabcd", "given": filled}).status_code == 302
    chances = [entry.entry.get("chance") for entry in opened.entries.order_by("n")]
    assert chances[1:] == [[{"draw": ["?"] * 5}], None]


@pytest.mark.parametrize(("language", "word"), [("en", "draw"), ("fr", "pioche"), ("it", "pesca")])
def test_chance_is_typed_in_the_language_of_the_page(cast: Cast, opened: Recording, language: str, word: str) -> None:
    User.objects.filter(pk=cast.judge.pk).update(language=language)
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    typed = f"{word} ?, ?, ?, ?, ?"
    assert f'value="{typed}"' in text(judge.get(page))
    assert judge.post(page, {**KEEPS, "chance": typed}).status_code == 302
    assert opened.entries.get(n=2).entry["chance"] == [{"draw": ["?"] * 5}]


@pytest.mark.parametrize("typed", ["first_player A", "first player A", "premier joueur A", "Primo giocatore A"])
def test_a_kind_of_chance_is_known_by_its_name_in_every_language(typed: str) -> None:
    assert kind_of_chance(typed) == ("first_player", "A")


def test_cards_that_a_move_leaves_open_are_entered_with_it(cast: Cast, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    one, two, *others = list(opened.header["seats"]["A"]["deck"]["main"])[:7]
    mulligan = json.dumps({"by": "A", "do": "mulligan", "args": {"back": 1}})
    chance = f"draw {', '.join([one, two, *others[:3]])}; draw {others[4]}"
    sent = {"n": "2", "key": "klmnopqrst", "move": mulligan, "chance": chance, "cards": one.lower()}
    assert judge.post(page, sent).status_code == 302
    assert opened.entries.get(n=2).entry["args"] == {"back": [one]}


def test_a_player_sees_only_their_own_hand_and_moves(cast: Cast, match: Match, opened: Recording) -> None:
    first, second = users_of(match)
    refs = list(opened.header["seats"]["A"]["deck"]["main"])[:5]
    for n, entry in enumerate(
        (
            {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]},
            {"by": "A", "do": "keep", "chance": [{"draw": refs}]},
        ),
        1,
    ):
        recorder = recorder_for(cast.judge, opened.public_id)
        recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=n, key=f"k{n}", now=NOW)
    name = html.escape(card_names(match.round.stage.event)[refs[0]])
    page = address("record", opened.public_id)
    assert name in text(signed_in(first).get(page))
    other = text(signed_in(second).get(page))
    assert name not in other
    assert {move["by"] for move in offered(other)} <= {"B", "table"}
    told = signed_in(second).get(f"/api/v1/recordings/{opened.public_id}/").json()
    assert told["board"]["seats"]["A"]["hand"] == ["?"] * 5
    assert (told["n"], told["actors"]) == (2, ["B", "table"])


def test_a_conceded_game_can_be_submitted(cast: Cast, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    assert {"by": "B", "do": "concede"} in offered(text(judge.get(page)))
    judge.post(page, {"n": "2", "key": "klmnopqrst", "move": json.dumps({"by": "B", "do": "concede"})})
    assert "The game is over" in text(judge.get(page))
    assert judge.post(page, {"command": "hand_in"}).url == page
    log = MoveLog.objects.get()
    assert address("audit", log.public_id) in text(judge.get(page))
    assert json.loads(log.document)["claimed"] == {"winner": "A"}


def test_handing_in_is_asked_once_and_can_be_taken_back(cast: Cast, match: Match, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    shown = text(judge.get(page + "?forms"))  # the board, where it runs, asks in the same way
    asked = re.search(r'<details[^>]* id="hand-in">.*?</details>', shown, re.DOTALL)
    assert asked and 'value="hand_in"' in asked[0] and "no more moves can be entered" in asked[0]
    assert shown.count('value="hand_in"') == 1
    judge.post(page, {"command": "hand_in"})
    assert 'value="take_back"' in text(judge.get(page))
    player, watched = signed_in(users_of(match)[0]), address("match", match.public_id)
    assert 'value="take_back"' in text(player.get(watched))
    assert 'value="take_back"' not in text(signed_in(cast.stranger).get(watched))
    handed_in = text(player.get(page))
    assert address("audit", MoveLog.objects.get().public_id) not in handed_in
    assert player.post(page, KEEPS).url == page  # a move that comes too late
    assert player.post(page, {"command": "take_back"}).url == page
    again = text(player.get(page))
    assert "The recording is open again" in again
    assert not MoveLog.objects.exists()
    assert judge.post(page, KEEPS).status_code == 302
    assert opened.entries.count() == 2


def test_taking_back_after_a_ruling_says_why_not(cast: Cast, match: Match, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    judge.post(page, BEGINS)
    judge.post(page, {"command": "hand_in"})
    rule(match=match, by=cast.judge, wanted=Wanted("change", "I saw it.", games=[2, 0, 0]), now=NOW)
    shown = text(judge.get(page))
    assert 'value="take_back"' not in shown
    assert "A judge has ruled on this match" in shown
    refused = judge.post(page, {"command": "take_back"})
    assert (refused.status_code, "already_ruled" in text(refused)) == (409, True)
    assert 'value="take_back"' not in text(judge.get(address("match", match.public_id)))


def test_a_move_is_undone_once_the_other_player_agrees(match: Match, opened: Recording) -> None:
    first, second = (signed_in(user) for user in users_of(match))
    page = address("record", opened.public_id)
    asks = {"command": "undo", "n": "2"}
    first.post(page, BEGINS)
    assert "The other player has to agree." in text(first.post(page, {**asks, "key": "asks-12345"}, follow=True))
    assert opened.entries.count() == 1
    assert "Agree and take it back" not in text(first.get(page))
    assert "The other player asks to take back the last move." in text(second.get(page))
    second.post(page, {**asks, "key": "agrees-1234"})
    assert opened.entries.get(n=2).entry["do"] == "back_to"
    assert {"by": "table", "do": "first_player"} in offered(text(second.get(page)))


def test_counters_are_asked_for_only_at_the_end_of_a_turn(cast: Cast, match: Match, opened: Recording) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    for n, move in enumerate(first_game(match)["moves"], 1):
        form = next((found for found in forms_of(text(judge.get(page))) if 'name="claim:' in found), "")
        assert bool(form) == any(said["do"] == "end_turn" for said in offered(form))
        if form:
            return
        entry = {key: value for key, value in move.items() if key not in ("n", "h", "claims")}
        recorder = recorder_for(cast.judge, opened.public_id)
        recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=n, key=f"k{n}", now=NOW)
    raise AssertionError("no turn ended")


def test_the_page_says_when_somebody_else_recorded_an_entry(cast: Cast, match: Match, opened: Recording) -> None:
    first, _second = users_of(match)
    state = address("record_state", opened.public_id, 0)
    assert "0 entries, up to date." in text(signed_in(first).get(state))
    entry = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
    recorder = recorder_for(cast.judge, opened.public_id)
    recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=1, key="k1", now=NOW)
    assert "Entry 1 came in: show it" in text(signed_in(first).get(state))


def test_only_players_of_the_match_and_judges_can_use_the_recorder(cast: Cast, match: Match, opened: Recording) -> None:
    for page in (address("record", opened.public_id), address("record_state", opened.public_id, 0)):
        for user, status in ((cast.judge, 200), (cast.player, 200), (cast.scorekeeper, 403), (cast.stranger, 404)):
            assert signed_in(user).get(page).status_code == status, (page, user)
    begin = address("record_open", match.public_id, 2)
    for user, status in ((cast.stranger, 404), (cast.scorekeeper, 403), (cast.player, 302)):
        assert signed_in(user).post(begin).status_code == status


# ------------------------------------------------------------------------------------- after a game is recorded


def recorded(match: Match, by: User, number: int = 1, *, shared_by: User | None = None) -> Recording:
    """A whole game that `by` recorded and handed in, and that was audited."""
    found = recording.open_recording(game=match.games.get(number=number), by=by, now=NOW)
    if shared_by is not None:
        recording.share_seat(recorder=recorder_for(shared_by, found.public_id), by=shared_by, now=NOW)
    for n, move in enumerate(first_game(match)["moves"], 1):
        entry = {key: value for key, value in move.items() if key not in ("n", "h")}
        recorder = recorder_for(by, found.public_id)
        recording.record_move(recorder=recorder, by=by, entry=entry, n=n, key=f"key-{number}-{n}-long", now=NOW)
    recording.hand_in(recorder=recorder_for(by, found.public_id), by=by, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return found


@pytest.mark.slow
def test_a_confirmed_recording_names_the_winner_and_proposes_the_result(cast: Cast) -> None:
    event = a_running_event(cast, players=2, best_of=1)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    first, second = users_of(match)
    page, seat = address("match", match.public_id), address("me", event.public_id)
    again = address("record_open", match.public_id, 1)
    assert again in text(signed_in(first).get(page)) and "Winner:" not in text(signed_in(first).get(page))
    recorded(match, first, shared_by=second)
    winner = match.games.get(number=1).winner
    assert winner is not None
    for user in (first, second):
        client, own = signed_in(user), seat_of(user, match)
        shown = text(client.get(page))
        assert f"Winner: {winner.entrant.name}" in shown
        assert again not in shown and address("pad", match.public_id, 1) not in shown
        words = "I won" if own == winner else "I lost"
        for told in (shown, text(client.get(seat))):
            proposal = told[told.index('id="proposal"') :].partition("</form>")[0]
            assert words in proposal and proposal.count("<button") == 1
    games = "1-0-0" if winner.number == 1 else "0-1-0"
    assert f'value="{games}"' in proposal
    signed_in(first).post(address("report", match.public_id), {"games": games, "kind": "played"})
    assert 'id="proposal"' not in text(signed_in(first).get(page)), "it is reported"


@pytest.mark.slow
def test_one_game_of_three_proposes_no_result(cast: Cast, match: Match) -> None:
    recorded(match, cast.judge)
    page = text(signed_in(users_of(match)[0]).get(address("match", match.public_id)))
    assert "Winner:" in page and 'id="proposal"' not in page
    assert address("record_open", match.public_id, 1) not in page
    assert address("record_open", match.public_id, 2) in page


@pytest.mark.slow
def test_a_judge_is_told_that_both_players_agreed_to_record_on_one_device(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    words = "recorded on one device: both players agreed"
    found = recorded(match, first, shared_by=second)
    judge = signed_in(cast.judge)
    found.refresh_from_db()
    assert found.log is not None
    audit = address("audit", found.log.public_id)
    for page in (address("judge_match", match.public_id), address("judge", match.round.stage.event.public_id), audit):
        assert words in text(judge.get(page)), page
    assert judge.get(f"/api/v1/logs/{found.log.public_id}/").json()["one_device"] is True
    open_ = recording.open_recording(game=match.games.get(number=2), by=first, now=NOW)
    assert "The players agreed to record on one device." not in text(judge.get(address("record", open_.public_id)))
    recording.share_seat(recorder=recorder_for(second, open_.public_id), by=second, now=NOW)
    assert "The players agreed to record on one device." in text(judge.get(address("record", open_.public_id)))


def test_a_log_recorded_by_a_judge_does_not_speak_of_one_device(cast: Cast, match: Match) -> None:
    recorded(match, cast.judge)
    assert "recorded on one device" not in text(signed_in(cast.judge).get(address("judge_match", match.public_id)))
