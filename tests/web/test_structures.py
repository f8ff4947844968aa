"""Pages of stages and structures: brackets, cross tables, pods, multiplayer tables.

Also what the desk does to a round: changing draft pairings by hand, undoing steps, late entries, repairing pairings.
"""

import re

import pytest
from django.test import Client

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    a_table_event,
    an_event,
    play_out,
    users_of,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import Person
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.stages import add_stage
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.swiss import table_solver

pytestmark = pytest.mark.django_db

STAGE = {"kind": "single_elimination", "best_of": 3, "round_minutes": 50, "cut_top": 4, "pod_size": 8, "table_size": 4}


def test_an_organizer_can_add_change_and_remove_a_stage(cast: Cast) -> None:
    event = an_event(cast)
    client = signed_in(cast.organizer)
    page = address("staff_stages", event.public_id)
    assert client.post(page, {**STAGE, "third_place": "on"}).status_code == 302
    stage = event.stages.get(number=2)
    assert (stage.kind, stage.cut_top, stage.third_place) == ("single_elimination", 4, True)
    client.post(address("staff_stage", event.public_id, 2), {**STAGE, "kind": "round_robin", "cut_top": ""})
    stage.refresh_from_db()
    assert (stage.kind, stage.cut_top) == ("round_robin", None)
    assert client.post(page, {**STAGE, "cut_top": 1}).status_code == 422
    client.post(address("staff_stage", event.public_id, 2), {"remove": "1"})
    assert event.stages.count() == 1


@pytest.mark.parametrize("name", ["staff_stages", "staff_stage_start"])
def test_the_stages_page_is_hidden_from_strangers_and_refused_to_scorekeepers(cast: Cast, name: str) -> None:
    event = an_event(cast)
    page = address(name, event.public_id)
    assert signed_in(cast.stranger).post(page, {}).status_code == 404
    assert signed_in(cast.scorekeeper).post(page, {}).status_code == 403
    assert Client().post(page, {}).status_code == 302


def test_a_bracket_is_started_after_the_swiss_rounds_and_can_be_undone(cast: Cast) -> None:
    event = a_running_event(cast, rounds=1)
    client = signed_in(cast.organizer)
    client.post(address("staff_stages", event.public_id), STAGE)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    board = text(client.get(address("staff", event.public_id)))
    assert "Start stage 2: Single elimination" in board
    client.post(address("staff_stage_start", event.public_id))
    assert current_stage(event).kind == Stage.Kind.SINGLE_ELIMINATION
    assert "Undo the start" in text(client.get(address("staff_stages", event.public_id)))
    client.post(address("staff_stage_start", event.public_id), {"undo": "1"})
    assert current_stage(event).number == 1
    client.post(address("staff_stage_start", event.public_id))
    assert "Pair round 2" in text(client.get(address("staff", event.public_id)))
    client.post(address("staff_pair", event.public_id))
    assert Round.objects.get(number=2).stage == current_stage(event)


def test_a_bracket_is_drawn_for_everybody_and_shows_who_advances(cast: Cast) -> None:
    event = a_bracket(cast, third_place=True)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    shown = text(Client().get(address("stage", event.public_id, 2)))
    for words in ("Semi-finals", "Final", "Third place", "advances", "Seed"):
        assert words in shown
    for entrant in event.entrants.all():
        assert entrant.name in shown
    assert "style=" not in shown
    assert address("stage", event.public_id, 2) in text(Client().get(address("standings", event.public_id)))


@pytest.mark.parametrize(("language", "final"), [("fr", "Finale"), ("it", "Finale")])
def test_the_last_match_of_a_bracket_is_the_final_in_every_language(cast: Cast, language: str, final: str) -> None:
    event = a_bracket(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    shown = text(Client(headers={"accept-language": language}).get(address("stage", event.public_id, 2)))
    assert final in shown and "Définitif" not in shown and "Definitiva" not in shown


def test_names_in_a_bracket_are_escaped(cast: Cast) -> None:
    event = a_bracket(cast)
    Person.objects.filter(account=cast.player).update(public_name='"Éa" <b>')
    shown = text(Client().get(address("stage", event.public_id, 2)))
    assert "&quot;Éa&quot; &lt;b&gt;" in shown and "<b>" not in shown


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow_with_the_bracket(cast: Cast) -> None:
    counts = []
    for players in (2, 4):
        event = a_bracket(cast, players=players)
        a_published_round(event, cast.organizer)
        counts.append(queries_of(Client(), address("stage", event.public_id, 2)))
    assert counts[0] == counts[1]


@pytest.mark.slow
def test_a_double_elimination_is_drawn_in_three_parts(cast: Cast) -> None:
    event = a_bracket(cast, kind="double_elimination")
    shown = text(Client().get(address("stage", event.public_id, 2)))
    for words in ("Winners’ bracket", "Losers’ bracket", "Grand final"):
        assert words in shown


def test_a_round_robin_has_a_cross_table(cast: Cast) -> None:
    event = a_running_event(cast, players=3, kind="round_robin")
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    shown = text(Client().get(address("stage", event.public_id, 1)))
    assert "Cross table" in shown and "2–0" in shown and "0–2" in shown


@pytest.mark.slow
def test_a_pod_shows_its_seats_and_the_neighbors_of_a_player(cast: Cast) -> None:
    event = a_running_event(cast, players=6, kind="pods")
    shown = text(signed_in(cast.player).get(address("stage", event.public_id, 1)))
    assert "Pod 1" in shown and "left: Player" in shown


def test_the_page_of_a_swiss_stage_redirects_to_its_standings(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    response = Client().get(address("stage", event.public_id, 1))
    assert (response.status_code, response["Location"]) == (302, address("standings", event.public_id) + "?stage=1")
    assert Client().get(address("stage", event.public_id, 5)).status_code == 404


@pytest.fixture
def table(cast: Cast) -> Match:
    return a_published_round(a_table_event(cast, players=3), cast.organizer).matches.get()


# Ranks and victory points of three seats. The last seat gives no points.
RANKS = {"rank_1": 2, "score_1": 4, "rank_2": 1, "score_2": 9, "rank_3": 3, "score_3": ""}


def test_a_multiplayer_table_is_reported_and_confirmed_by_its_players(cast: Cast, table: Match) -> None:
    event = table.round.stage.event
    first, second, third = users_of(table)
    me = text(signed_in(first).get(address("me", event.public_id)))
    assert "Enter the ranks of this table" in me
    form = text(signed_in(first).get(address("report", table.public_id)))
    assert "Victory points of" in form
    assert signed_in(first).post(address("report", table.public_id), {**RANKS, "rank_2": 3}).status_code == 422
    assert signed_in(first).post(address("report", table.public_id), RANKS).status_code == 302
    shown = text(signed_in(second).get(address("me", event.public_id)))
    assert "Another player has reported" in shown and "2 (4), 1 (9), 3" in shown
    page = text(signed_in(first).get(address("me", event.public_id)))
    assert "Waiting for another player at the table to confirm." in page
    signed_in(third).post(address("confirm", table.public_id), {"report": table.reports.get().pk})
    table.refresh_from_db()
    assert table.has_result
    assert "9 victory points" in text(Client().get(address("match", table.public_id)))
    assert "Ranked" in text(Client().get(address("pairings", event.public_id, 1)))


def test_the_desk_and_a_judge_can_enter_the_ranks_of_a_multiplayer_table(cast: Cast, table: Match) -> None:
    client = signed_in(cast.scorekeeper)
    assert "Rank of" in text(client.get(address("staff_result", table.public_id)))
    assert client.post(address("staff_result", table.public_id), {**RANKS, "seen": 0}).status_code == 302
    assert list(table.seats.order_by("number").values_list("rank", flat=True)) == [2, 1, 3]
    ruling = {**RANKS, "decision": "change", "rank_1": 1, "rank_2": 2, "reason": "seen at the table"}
    assert signed_in(cast.judge).post(address("rule", table.public_id), ruling).status_code == 302
    assert list(table.seats.order_by("number").values_list("rank", flat=True)) == [1, 2, 3]
    assert "Judging table 1" in text(signed_in(cast.judge).get(address("judge_match", table.public_id)))
    desk = text(client.get(address("staff_round", table.round.stage.event.public_id, 1)))
    assert "1 (4), 2 (9), 3" in desk


def test_a_correction_in_a_bracket_must_be_acknowledged(cast: Cast) -> None:
    event = a_bracket(cast)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    a_published_round(event, cast.organizer)
    match = round_.matches.get(node="W1.1")
    page = address("staff_result", match.public_id)
    # The winner of the match has already moved on: the first answer is a warning about what the correction changes.
    typed = {"decision": "change", "first": 0, "second": 2, "drawn": 0, "kind": "played", "reason": "wrong slip"}
    for client, url in ((cast.organizer, page), (cast.judge, address("rule", match.public_id))):
        shown = signed_in(client).post(url, typed)
        assert shown.status_code == 409
        assert "takes the seat of" in text(shown) and 'name="acknowledged" value="True"' in text(shown)
    assert signed_in(cast.organizer).post(page, {**typed, "acknowledged": "True"}).status_code == 302
    loser = match.seats.get(number=1).entrant
    assert not Match.objects.get(node="W2.1").seats.filter(entrant=loser).exists()
    desk = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, 3)))
    assert not re.search(r"(?<!–)0–0(?!–)", desk)  # a record has three numbers


@pytest.mark.slow
def test_a_bracket_offers_no_draw(cast: Cast) -> None:
    event = a_bracket(cast)
    a_published_round(event, cast.organizer)
    assert "Intentional draw" not in text(signed_in(cast.player).get(address("me", event.public_id)))


def _hand(cast: Cast, event: Event, action: str, first: Entrant, second: Entrant | None = None):
    sent = {"first": first.public_id, "second": second.public_id if second else ""}
    return signed_in(cast.scorekeeper).post(address("staff_hand", event.public_id, 1, action), sent)


def test_the_desk_can_change_draft_pairings_by_hand(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    page = text(signed_in(cast.scorekeeper).get(address("staff_round", event.public_id, 1)))
    assert "Change by hand" in page
    bye = draft.matches.get(table=None).seats.get().entrant
    other = draft.matches.get(table=1).seats.get(number=1).entrant
    assert _hand(cast, event, "swap", bye, other).status_code == 302
    assert draft.matches.get(table=None).seats.get().entrant == other
    assert _hand(cast, event, "bye", bye).status_code == 302
    assert draft.matches.get(table=None).seats.get().entrant == bye
    assert _hand(cast, event, "seat", bye, other).status_code == 302
    assert _hand(cast, event, "swap", bye).status_code == 422
    assert _hand(cast, event, "spin", bye, other).status_code == 404
    assert "seated by hand" in text(signed_in(cast.scorekeeper).get(address("staff_round", event.public_id, 1)))
    for who, status in ((cast.stranger, 404), (cast.judge, 403)):
        url = address("staff_hand", event.public_id, 1, "swap")
        assert signed_in(who).post(url, {"first": bye.public_id}).status_code == status


def test_a_change_by_hand_is_previewed_with_its_cost_and_can_be_undone(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    first, second = (draft.matches.get(table=table).seats.get(number=1).entrant for table in (1, 2))
    client, page = signed_in(cast.scorekeeper), address("staff_hands", event.public_id, 1)
    assert "Seat together" in text(client.get(page))
    asked = {"command": "seat", "first": first.public_id, "second": second.public_id}
    shown = text(client.get(page, asked))
    assert "What it costs" in shown and "Rematches" in shown and "After" in shown
    assert draft.matches.get(table=1).seats.filter(entrant=first).exists()
    assert client.get(page, {**asked, "first": "p-nobody"}).status_code == 422
    assert _hand(cast, event, "seat", first, second).status_code == 302
    assert "Undo the last change" in text(client.get(address("staff_round", event.public_id, 1)))
    assert client.post(address("staff_hand", event.public_id, 1, "undo")).status_code == 302
    assert "Undo the last change" not in text(client.get(address("staff_round", event.public_id, 1)))
    for who, status in ((cast.stranger, 404), (cast.judge, 403)):
        assert signed_in(who).get(page).status_code == status


def test_undoing_a_step_of_a_round_is_confirmed_by_typing_its_number(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    round_ = a_published_round(event, cast.organizer)
    client = signed_in(cast.scorekeeper)
    url = address("staff_undo", event.public_id, 1, "unpublish")
    assert client.post(url, {"number": "2"}).status_code == 422
    assert client.post(url, {"number": "1"}).status_code == 302
    round_.refresh_from_db()
    assert round_.status == "draft"
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    play_out(round_, cast.organizer)
    assert "Reopen the round" in text(client.get(address("staff_round", event.public_id, 1)))
    client.post(address("staff_undo", event.public_id, 1, "reopen"), {"number": "1"})
    round_.refresh_from_db()
    assert round_.status == "published"
    assert signed_in(cast.stranger).post(url, {"number": "1"}).status_code == 404
    assert client.post(address("staff_undo", event.public_id, 1, "rewind"), {"number": "1"}).status_code == 404


def test_a_late_entry_is_added_and_a_player_disqualified(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    client = signed_in(cast.scorekeeper)
    assert "Late entry" in text(client.get(address("staff_entrants", event.public_id)))
    client.post(address("staff_entrant_add", event.public_id), {"given_name": "Ada", "family_name": "Late"})
    assert Match.objects.get(kind="missed").seats.get().entrant.event == event
    out = event.entrants.order_by("pk").first()
    url = address("staff_disqualify", event.public_id, out.public_id)
    assert client.post(url, {"reason": "cards"}).status_code == 403
    assert signed_in(cast.stranger).post(url, {"reason": "cards"}).status_code == 404
    assert signed_in(cast.judge).post(url, {"reason": "cards"}).status_code == 302
    out.refresh_from_db()
    assert out.disqualified
    assert "Disqualified" in text(client.get(address("staff_entrants", event.public_id)))


def test_a_player_who_drops_can_concede_the_match(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    match = a_published_round(event, cast.organizer).matches.get()
    assert "I concede my match" in text(signed_in(cast.player).get(address("me", event.public_id)))
    signed_in(cast.player).post(address("drop_self", event.public_id), {"concede": "1"})
    match.refresh_from_db()
    assert match.kind == "concession"


def test_pairings_are_repaired_by_choosing_an_option_with_its_cost(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    second = a_published_round(event, cast.organizer)
    page = address("staff_mend", event.public_id, 2)
    client = signed_in(cast.scorekeeper)
    assert page in text(client.get(address("staff_round", event.public_id, 2)))
    assert "Nothing to repair" in text(client.get(page))
    late = play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    shown = text(client.get(page))
    assert "1 new pairing" in shown and "Rematches" in shown and "Ada" in shown
    way = shown.split('name="way" value="')[1].split('"')[0]
    assert client.post(page, {"way": way}).status_code == 302
    assert Match.objects.get(round=second, seats__entrant=late).kind == "bye"
    for who, status in ((cast.stranger, 404), (cast.judge, 403)):
        assert signed_in(who).get(page).status_code == status


def test_the_page_of_multiplayer_tables_says_what_is_proven_of_them(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = a_table_event(cast, players=24)
    desk = signed_in(cast.scorekeeper)
    first = a_published_round(event, cast.organizer)
    page = address("staff_round", event.public_id, 1)
    assert first.certified and "No other seating has fewer pairs" in text(desk.get(page))
    play.close_round(round_=played(first, cast), by=cast.organizer, now=NOW)
    monkeypatch.setattr(table_solver, "available", lambda: False)
    for _round in range(5):  # with each round, it is less likely that exchanging players finds the best tables
        round_ = a_published_round(event, cast.organizer)
        if not round_.certified:
            break
        play.close_round(round_=played(round_, cast), by=cast.organizer, now=NOW)
    shown = text(desk.get(address("staff_round", event.public_id, round_.number)))
    assert "not proven to be the best" in shown and "Least such gaps possible" in shown
    assert round_.cost["least_spread"] <= round_.cost["spread"]


def played(round_: Round, cast: Cast) -> Round:
    """The round with a result at each table: the seats in their order."""
    for match in round_.matches.all():
        places = [(rank, 10 - rank) for rank in range(1, match.seats.count() + 1)]
        play.enter_result(match=match, by=cast.organizer, games=places, now=NOW)
    return round_


def test_a_seat_of_the_cut_is_declined_in_two_clicks_and_who_moves_up_is_shown_first(cast: Cast) -> None:
    event = a_running_event(cast, players=6, rounds=1)
    add_stage(event=event, kind="single_elimination", cut_top=2, by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    client, page = signed_in(cast.organizer), address("staff_stages", event.public_id)
    whole = play.cut_shown(event)
    assert whole and not whole.moved_up
    first, second = whole.players
    assert f'href="?declined={first}#cut"' in text(client.get(page))
    shown = play.cut_shown(event, [first])
    assert shown and shown.players[0] == second
    (moved,) = shown.moved_up
    asked = text(client.get(page, {"declined": first}))
    assert f"{event.entrants.get(public_id=moved).full_name} moves up." in asked and not current_stage(event).number > 1
    start = address("staff_stage_start", event.public_id)
    assert client.post(start, {"declined": first}).status_code == 302
    entries = current_stage(event).entries.order_by("seed")
    assert list(entries.values_list("entrant__public_id", flat=True)) == [second, moved]
    assert event.entrants.get(public_id=first).status == "registered"
    # Another one declines after the start, and the first one stays out.
    asked = text(client.get(page, {"declined": moved}))
    assert "Start again with these players" in asked and "moves up." in asked
    assert client.post(start, {"declined": moved, "again": "1"}).status_code == 302
    seated = list(current_stage(event).entries.values_list("entrant__public_id", flat=True))
    assert second in seated and first not in seated and moved not in seated
    a_published_round(event, cast.organizer)
    assert play.cut_shown(event) is None
    assert "stage_begun" in text(client.post(start, {"declined": second, "again": "1"}))


def test_who_declined_is_not_said_to_be_missing_from_the_cut_after_a_correction(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=1)
    add_stage(event=event, kind="single_elimination", cut_top=2, by=cast.organizer, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    shown = play.cut_shown(event)
    assert shown
    play.start_stage(event=event, by=cast.organizer, now=NOW, declined=shown.players[:1])
    assert "declined" in LedgerEntry.objects.get(code="stage.started").after
    match = round_.matches.filter(seats__entrant__public_id=shown.players[1]).get()
    same = [seat.games_won for seat in match.seats.order_by("number")]
    assert play.enter_result(match=match, by=cast.organizer, games=[*same, 0], now=NOW) is False
    with assert_refused("entrant_unknown"):
        play.restart_stage(event=event, by=cast.organizer, now=NOW, declined=["p-nobody"])
