"""The judges' pages: access, disputes, rulings, logs, and audits with their replay."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, play_out, users_of
from tests.cast import Cast
from tests.remembered import remembered
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits.models import MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.common.models import LedgerNote
from tournaments.decks.selectors import current_list
from tournaments.demo.games import with_a_second_attack
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match, Round

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast)


@pytest.fixture
def round_(cast: Cast, event: Event) -> Round:
    return a_published_round(event, cast.organizer)


@pytest.fixture
def match(cast: Cast, round_: Round) -> Match:
    return match_of(round_, cast.player)


@pytest.fixture
def other_player(cast: Cast, match: Match) -> User:
    """The opponent of the cast's player."""
    (other,) = (user for user in users_of(match) if user != cast.player)
    return other


@pytest.fixture
def disputed(cast: Cast, match: Match, other_player: User) -> Match:
    """The match after the player reported 2–1 and the opponent contested it, with a reason."""
    report = play.report_result(match=match, by=cast.player, games=(2, 1, 0), now=NOW)
    later = NOW + timedelta(minutes=1)
    play.contest_result(match=match, report=report, by=other_player, now=later, reason="The third game was mine.")
    match.refresh_from_db()
    return match


@pytest.fixture
def game(match: Match) -> dict[str, Any]:
    return first_game(match, 7)


def kept(match: Match, log: dict[str, Any], by: User) -> MoveLog:
    return submit_log(game=match.games.get(number=1), document=json.dumps(log).encode(), by=by, now=NOW)


def audited(match: Match, log: dict[str, Any], by: User) -> MoveLog:
    found = kept(match, log, by)
    jobs.run_due(NOW + timedelta(seconds=1))
    return MoveLog.objects.get(pk=found.pk)


@pytest.fixture
@remembered
def spoiled(cast: Cast, match: Match) -> MoveLog:
    """An audited log in which a fighter illegally attacks twice in a turn (rule SAF-VI.3-5)."""
    # In many games no fighter survives its first attack: take the first seed in which one does.
    documents = (with_a_second_attack(first_game(match, seed)) for seed in range(50))
    return audited(match, next(document for document in documents if document), cast.player)


# ---------------------------------------------------------------------------------------------------- access


def routes(match: Match, log: MoveLog) -> list[str]:
    """List the judges' pages of one match and its log."""
    return [
        address("judge_match", match.public_id),
        address("log_upload", match.public_id, 1),
        address("audit", log.public_id),
        address("audit_step", log.public_id, 1),
        address("log_download", log.public_id),
    ]


def test_a_judge_can_open_every_page(cast: Cast, event: Event, match: Match, spoiled: MoveLog) -> None:
    for page in [address("judge", event.public_id), *routes(match, spoiled)]:
        assert signed_in(cast.judge).get(page).status_code == 200, page


def test_judge_pages_are_refused_to_the_desk_and_hidden_from_strangers(
    cast: Cast, event: Event, match: Match, spoiled: MoveLog
) -> None:
    for page in [address("judge", event.public_id), *routes(match, spoiled)]:
        refused = signed_in(cast.scorekeeper).get(page)
        assert (refused.status_code, "role_too_low" in text(refused)) == (403, True), page
        assert signed_in(cast.stranger).get(page).status_code == 404, page
        assert Client().get(page).status_code == 302, page


def test_only_judges_can_rule(cast: Cast, match: Match) -> None:
    rule = address("rule", match.public_id)
    assert signed_in(cast.judge).get(rule).url == address("judge_match", match.public_id)
    for user, status in ((cast.scorekeeper, 403), (cast.organizer, 403), (cast.stranger, 404), (cast.player, 404)):
        assert signed_in(user).post(rule, {}).status_code == status


def test_a_judge_who_plays_has_no_rights_over_their_own_match(
    cast: Cast, event: Event, disputed: Match, other_player: User, game: dict[str, Any]
) -> None:
    grant_role(event=event, email=cast.player.email, role="head_judge", by=cast.organizer, now=NOW)
    log = audited(disputed, game, other_player)
    client = signed_in(cast.player)
    for page in [*routes(disputed, log), address("rule", disputed.public_id)]:
        if page == address("log_upload", disputed.public_id, 1):
            continue  # allowed: players of the match may submit logs
        response = client.post(page, {}) if page.endswith("/rule/") else client.get(page)
        assert (response.status_code, "own_match" in text(response)) == (403, True), page
    queue = text(client.get(address("judge", event.public_id)))
    assert "Your own match" in queue
    assert address("judge_match", disputed.public_id) not in queue
    assert log.public_id not in queue


def test_a_judge_who_plays_sees_no_decklists_of_other_matches(cast: Cast, event: Event, round_: Round) -> None:
    grant_role(event=event, email=cast.player.email, role="judge", by=cast.organizer, now=NOW)
    other = round_.matches.exclude(seats__entrant__member__person__account=cast.player).get()
    assert "DEMO-SAF-" not in text(signed_in(cast.player).get(address("judge_match", other.public_id)))
    assert "DEMO-SAF-" in text(signed_in(cast.judge).get(address("judge_match", other.public_id)))


# ---------------------------------------------------------------------------------------------------- disputes


def test_a_contested_match_is_in_the_queue_with_what_each_player_says(
    cast: Cast, event: Event, disputed: Match
) -> None:
    page = text(signed_in(cast.judge).get(address("judge", event.public_id)))
    assert address("judge_match", disputed.public_id) in page
    assert "Player 1 says 2–1." in page
    assert "does not agree." in page
    assert "The third game was mine." in page
    assert "waiting for" in page


def test_two_different_reports_are_both_shown(cast: Cast, event: Event, match: Match, other_player: User) -> None:
    report = play.report_result(match=match, by=cast.player, games=(2, 1, 0), now=NOW)
    play.report_result(match=match, by=other_player, games=(1, 2, 0), now=NOW)
    assert "says 1–2." not in text(signed_in(cast.judge).get(address("judge", event.public_id))), "nobody called yet"
    play.contest_result(match=match, report=report, by=cast.player, now=NOW)
    page = text(signed_in(cast.judge).get(address("judge", event.public_id)))
    assert "Player 1 says 2–1." in page
    assert "says 1–2." in page


def test_an_empty_queue_says_so(cast: Cast, event: Event) -> None:
    assert "No result is contested." in text(signed_in(cast.judge).get(address("judge", event.public_id)))


def typed(first: str, second: str) -> dict[str, str]:
    """Return a score as form fields of a ruling."""
    return {"first": first, "second": second, "drawn": "0", "kind": "played"}


def test_a_ruling_sets_the_result_and_ends_the_dispute(cast: Cast, event: Event, disputed: Match) -> None:
    client = signed_in(cast.judge)
    rule = address("rule", disputed.public_id)
    form = {"decision": "change", **typed("1", "2"), "reason": "Both agree on the last turn."}
    refused = client.post(rule, {**form, "reason": ""})
    assert refused.status_code == 422
    assert 'value="1"' in text(refused)
    assert client.post(rule, form).url == address("judge", event.public_id)
    disputed.refresh_from_db()
    assert (disputed.disputed, disputed.authority) == (False, "ruled")
    assert list(disputed.seats.values_list("games_won", flat=True)) == [1, 2]
    assert LedgerNote.objects.filter(text="Both agree on the last turn.").exists()
    assert "No result is contested." in text(client.get(address("judge", event.public_id)))


def test_a_ruling_with_an_impossible_score_is_refused_in_the_form(cast: Cast, disputed: Match) -> None:
    form = {"decision": "change", **typed("2", "2"), "reason": "Because."}
    response = signed_in(cast.judge).post(address("rule", disputed.public_id), form)
    assert (response.status_code, "not possible" in text(response)) == (422, True)


def test_a_ruling_in_a_closed_round_still_counts(cast: Cast, round_: Round, match: Match) -> None:
    play_out(round_, cast.organizer)
    form = {"decision": "change", **typed("0", "2"), "reason": "Found out later."}
    assert signed_in(cast.judge).post(address("rule", match.public_id), form).status_code == 302
    match.refresh_from_db()
    assert match.authority == "ruled"


def test_authority_and_evidence_are_shown_separately(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    audited(match, game, cast.player)
    page = text(signed_in(cast.judge).get(address("judge_match", match.public_id)))
    assert "There is no valid result yet." in page
    assert "A complete log was replayed: every move is legal." in page
    assert "Audits only report what they find; people decide." in page


def test_the_number_of_queries_does_not_grow_with_the_disputes(cast: Cast) -> None:
    def cost(players: int) -> int:
        event = a_running_event(cast, players=players) if players == 2 else _event_of(cast, players)
        round_ = a_published_round(event, cast.organizer)
        for match in round_.matches.all():
            first, second = users_of(match)
            play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)
            play.report_result(match=match, by=second, games=(0, 2, 0), now=NOW)
        client = signed_in(cast.judge)
        page = address("judge", event.public_id)
        client.get(page)
        with CaptureQueriesContext(connection) as caught:
            assert client.get(page).status_code == 200
        return len(caught)

    assert cost(2) == cost(6)


def test_the_number_of_queries_does_not_grow_with_the_waiting_logs(
    cast: Cast, match: Match, game: dict[str, Any]
) -> None:
    client, page = signed_in(cast.judge), address("judge", match.round.stage.event.public_id)

    def cost(number: int) -> int:
        kept(match, {**game, "x": number}, cast.player)
        with CaptureQueriesContext(connection) as caught:
            assert client.get(page).status_code == 200
        return len(caught)

    client.get(page)
    assert len({cost(number) for number in range(6)}) == 1


def _event_of(cast: Cast, players: int) -> Event:
    return a_running_event(cast, players=players, name="Larger")


# ---------------------------------------------------------------------------------------------------- logs


def test_a_player_submits_a_log_as_text_and_sees_its_audit(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    client = signed_in(cast.player)
    response = client.post(address("log_upload", match.public_id, 1), {"text": json.dumps(game)})
    log = MoveLog.objects.get()
    assert response.url == address("audit", log.public_id)
    page = text(client.get(response.url))
    assert "Waiting to be audited" in page
    assert "every 3s" in page
    jobs.run_due(NOW + timedelta(days=400))
    page = text(client.get(response.url))
    assert "Confirmed: every move is legal" in page
    assert "every 3s" not in page


def test_a_match_with_an_audited_log_that_proves_nothing_does_not_say_that_none_was(
    cast: Cast, match: Match, game: dict[str, Any]
) -> None:
    client, page = signed_in(cast.player), address("match", match.public_id)
    assert "No move log of this match was audited." in text(client.get(page))
    other = {"A": "B", "B": "A"}[game["claimed"]["winner"]]
    game = {**game, "claimed": {**game["claimed"], "winner": other}}
    audit = client.post(address("log_upload", match.public_id, 1), {"text": json.dumps(game)}).url
    jobs.run_due(NOW + timedelta(days=400))
    assert "Contradicts the claimed result: every move is legal" in text(client.get(audit))
    shown = text(client.get(page))
    assert "View audit" in shown and "No move log proves this result." in shown
    assert "No move log of this match was audited." not in shown


def test_a_log_form_says_what_is_missing_and_what_is_too_much(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    client, page = signed_in(cast.player), address("log_upload", match.public_id, 1)
    nothing = client.post(page, {"text": " "})
    assert (nothing.status_code, "or paste its text." in text(nothing)) == (422, True)
    file = SimpleUploadedFile("game.json", b"{}", content_type="application/json")
    both = client.post(page, {"text": json.dumps(game), "file": file})
    assert (both.status_code, "You chose a file and pasted a text." in text(both)) == (422, True)


def test_a_judge_submits_a_log_as_a_file(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    file = SimpleUploadedFile("game.json", json.dumps(game).encode(), content_type="application/json")
    response = signed_in(cast.judge).post(address("log_upload", match.public_id, 1), {"file": file})
    assert response.status_code == 302
    assert json.loads(MoveLog.objects.get().document) == game


def test_the_opponent_cannot_read_a_log_that_contains_ones_hand(
    match: Match, other_player: User, spoiled: MoveLog
) -> None:
    for page in routes(match, spoiled)[2:]:
        assert signed_in(other_player).get(page).status_code == 404


def test_players_of_another_table_cannot_submit_a_log(cast: Cast, round_: Round, match: Match) -> None:
    other = round_.matches.exclude(pk=match.pk).get()
    assert signed_in(cast.player).post(address("log_upload", other.public_id, 1), {"text": "{}"}).status_code == 404
    assert signed_in(cast.player).get(address("log_upload", match.public_id, 9)).status_code == 404


def test_an_unreadable_log_is_refused_and_the_input_is_kept(cast: Cast, match: Match) -> None:
    response = signed_in(cast.player).post(
        address("log_upload", match.public_id, 1), {"text": '{"format": 1, "tpyo": 2}'}
    )
    page = text(response)
    assert response.status_code == 422
    assert "This log cannot be read." in page
    assert "tpyo" in page
    assert "unknown_key" in page
    assert not MoveLog.objects.exists()


def test_a_log_that_is_too_long_is_refused(cast: Cast, match: Match) -> None:
    file = SimpleUploadedFile("long.json", b" " * (8 * 1024 * 1024 + 1))
    response = signed_in(cast.player).post(address("log_upload", match.public_id, 1), {"file": file})
    assert (response.status_code, "longer than 8 MiB" in text(response)) == (422, True)


def test_a_log_must_be_either_a_file_or_a_text(cast: Cast, match: Match) -> None:
    post = address("log_upload", match.public_id, 1)
    assert signed_in(cast.player).post(post, {"text": " "}).status_code == 422
    both = {"text": "{}", "file": SimpleUploadedFile("a.json", b"{}")}
    assert signed_in(cast.player).post(post, both).status_code == 422


def test_a_downloaded_log_is_the_submitted_document(cast: Cast, spoiled: MoveLog) -> None:
    response = signed_in(cast.judge).get(address("log_download", spoiled.public_id))
    assert text(response) == spoiled.document
    assert response["Content-Disposition"] == f'attachment; filename="{spoiled.public_id}.json"'


# ---------------------------------------------------------------------------------------------------- audits


def test_an_audit_shows_the_illegal_move_its_rule_and_the_board_before_it(cast: Cast, spoiled: MoveLog) -> None:
    first = spoiled.audit.report["first_illegal"]
    page = text(signed_in(cast.judge).get(address("audit", spoiled.public_id)))
    assert "Illegal move" in page
    seat = spoiled.game.match.seats.get(number="AB".index(first["by"]) + 1)
    assert f"Move {first['n']}, by {seat.entrant.name}" in page
    assert "SAF-VI.3-5" in page
    assert escape(first["violations"][0]["section"]) in page
    assert f"After move {first['n'] - 1} of {first['n']}" in page
    assert "Territory 1" in page


def test_an_audit_is_in_the_language_of_the_page(cast: Cast, spoiled: MoveLog) -> None:
    User.objects.filter(pk=cast.judge.pk).update(language="fr")
    cast.judge.refresh_from_db()
    english = spoiled.audit.report["first_illegal"]["violations"][0]["message"]
    assert english not in text(signed_in(cast.judge).get(address("audit", spoiled.public_id)))


def test_every_move_of_a_game_has_a_page_and_a_fragment(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    log = audited(match, game, cast.player)
    client = signed_in(cast.player)
    for n in (0, 1, 2, len(game["moves"]) // 2, len(game["moves"])):
        step = address("audit_step", log.public_id, n)
        fragment = text(client.get(step, headers=HTMX))
        assert fragment.strip().startswith('<section class="stack--tight" id="replay"'), n
        assert "<!DOCTYPE" not in fragment
        assert "<!DOCTYPE" in text(client.get(step))
    for beyond in (len(game["moves"]) + 1, 10**6):
        assert client.get(address("audit_step", log.public_id, beyond)).status_code == 404


def test_a_move_can_be_jumped_to_without_javascript(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    log = audited(match, game, cast.player)
    page = text(signed_in(cast.player).get(address("audit", log.public_id), {"n": "3"}))
    assert f"After move 3 of {len(game['moves'])}" in page


def test_at_the_illegal_move_the_board_before_it_is_shown(cast: Cast, spoiled: MoveLog) -> None:
    n = spoiled.audit.report["first_illegal"]["n"]
    page = text(signed_in(cast.judge).get(address("audit_step", spoiled.public_id, n), headers=HTMX))
    assert f"Move {n}, refused by the rules" in page
    assert "The rules refuse this move" in page
    assert "the replay stops at move" in page


def test_cards_that_differ_from_the_registered_list_are_named_to_judges(
    cast: Cast, match: Match, game: dict[str, Any]
) -> None:
    deck = game["seats"]["A"]["deck"]["main"]
    ref = next(iter(deck))
    registered = current_list(match.seats.get(number=1).entrant, match.round.stage)
    registered.cards = {
        **registered.cards,
        "main": {key: n for key, n in registered.cards["main"].items() if key != ref},
    }
    registered.save()
    log = audited(match, game, cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "Seat A: the deck of the log differs from the registered list." in page
    assert "in the log, not in the list" in page
    own = text(signed_in(cast.player).get(address("audit", log.public_id)))
    assert "Seat A: the deck of the log differs from the registered list." in own
    assert "in the log, not in the list" not in own


def test_an_audit_says_which_move_cannot_be_read(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    game["moves"][5]["do"] = "juggle"
    log = audited(match, game, cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "Unreadable" in page
    assert "move 6" in page


def test_the_match_page_shows_the_state_of_the_audit(cast: Cast, match: Match, game: dict[str, Any]) -> None:
    kept(match, game, cast.player)
    client = signed_in(cast.judge)
    page = address("judge_match", match.public_id)
    assert "waiting to be audited" in text(client.get(page))
    assert "live, every 3s" in text(client.get(page))
    jobs.run_due(NOW + timedelta(seconds=1))
    assert "Confirmed" in text(client.get(page))
    assert "every 3s" not in text(client.get(page))
