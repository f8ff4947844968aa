"""Decklists of the members of a team: who hands in which, who reads them, and the limit of copies they share."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404

from tests.builders import NOW, a_published_round, a_sealed_event, a_team_with_lists, an_open_event, own_deck
from tests.cast import Cast, account
from tests.decks.test_rechecks import cards_of_demonstration, imported
from tests.refusals import assert_refused
from tournaments.accounts.services import own_person
from tournaments.audits.models import Audit
from tournaments.audits.recording import header_of
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.decks.access import decklist_for_reader, member_for_list, reads_history
from tournaments.decks.engine_gate import describe
from tournaments.decks.models import Decklist, Reopening
from tournaments.decks.selectors import (
    can_submit_list,
    current_list,
    current_lists,
    lacks_legal_list,
    members_without_legal_list,
    without_legal_list,
)
from tournaments.decks.services import (
    choose_catalogue,
    choose_deck_format,
    close_list,
    lock_decks,
    reopen_list,
    submit_decklist,
)
from tournaments.demo.games import self_played
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.registration import register_person
from tournaments.events.selectors import current_stage
from tournaments.events.teams import NewTeam, add_member, choose_teams, enter_teams, in_order, remove_member
from tournaments.judging.checks import check_table, draw_checks, finish_check
from tournaments.judging.models import DeckCheck
from tournaments.play import services as play
from tournaments.play.access import decklist_for_viewer, lists_exchanged
from tournaments.play.models import Match
from tournaments.play.services.details import change_details

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(cast: Cast) -> Entrant:
    """A team of three without lists; no limit."""
    return a_team_with_lists(cast)


@pytest.fixture
def limited(cast: Cast) -> Entrant:
    """A team of three without lists, whose decks may hold two copies of a card together."""
    return a_team_with_lists(cast, limit=2)


def members(team: Entrant) -> list[Member]:
    return in_order(team)


def submit(team: Entrant, board: int, text: str, cast: Cast) -> Decklist:
    """Submit a list for a board: as its player, or as the desk for the one without an account."""
    member = members(team)[board - 1]
    by = member.person.account or cast.scorekeeper
    return submit_decklist(entrant=team, member=member, text=text, by=by, now=NOW)


def fresh(decklist: Decklist) -> Decklist:
    return Decklist.objects.get(pk=decklist.pk)


def rules(decklist: Decklist) -> set[str]:
    return {violation["rule"] for violation in fresh(decklist).violations}


def lacking(team: Entrant) -> bool:
    stage = current_stage(team.event)
    found = without_legal_list(stage).filter(pk=team.pk).exists()
    assert found == lacks_legal_list(team, stage)
    return found


# --- each member has a list -----------------------------------------------------------------------------------------


def test_a_team_is_complete_once_every_member_with_a_board_has_a_legal_list(team: Entrant, cast: Cast) -> None:
    for board in (1, 2, 3):
        assert lacking(team)
        submit(team, board, own_deck(board), cast)
    assert not lacking(team)
    assert current_lists(current_stage(team.event)).count() == 3


def test_a_substitute_can_have_a_list_and_the_team_is_complete_without_it(team: Entrant, cast: Cast) -> None:
    substitute = add_member(team=team, name="Sub Stitute", by=cast.organizer, now=NOW)
    for board in (1, 2, 3):
        submit(team, board, own_deck(board), cast)
    assert not lacking(team)
    assert list(members_without_legal_list(current_stage(team.event))) == [substitute]
    assert submit(team, 4, own_deck(4), cast).member == substitute


def test_versions_count_through_the_lists_of_a_team(team: Entrant, cast: Cast) -> None:
    found = [submit(team, board, own_deck(number), cast) for number, board in enumerate((1, 2, 1, 2))]
    assert [each.version for each in found] == [1, 2, 3, 4]
    stage, (captain, mate, third) = current_stage(team.event), members(team)
    assert current_list(team, stage, captain) == found[2]
    assert current_list(team, stage, mate) == found[3]
    assert current_list(team, stage, third) is None
    assert current_list(team, stage) is None


def test_submitting_the_list_of_a_team_mate_again_makes_a_version_of_ones_own(team: Entrant, cast: Cast) -> None:
    first, second = (submit(team, board, own_deck(0), cast) for board in (1, 2))
    assert first != second
    assert submit(team, 2, own_deck(0), cast) == second


def test_the_ledger_says_whose_list_it_is(team: Entrant, cast: Cast) -> None:
    submit(team, 2, own_deck(0), cast)
    entry = LedgerEntry.objects.get(code="deck.submitted")
    assert (entry.object, entry.after["member"]) == (team.public_id, members(team)[1].person.public_id)


def test_a_member_can_submit_their_own_list_only(team: Entrant, cast: Cast) -> None:
    captain, mate, third = members(team)
    for by, member in ((cast.player, mate), (cast.opponent, captain), (cast.player, third)):
        with assert_refused("not_own_list"):
            submit_decklist(entrant=team, member=member, text=own_deck(0), by=by, now=NOW)
    assert submit_decklist(entrant=team, member=third, text=own_deck(0), by=cast.scorekeeper, now=NOW).legal


def test_staff_who_play_in_a_team_enter_no_lists_of_others(team: Entrant, cast: Cast) -> None:
    register_person(
        event=team.event, person=own_person(cast.scorekeeper), by=cast.scorekeeper, now=NOW, team_name="Desk"
    )
    with assert_refused("staff_who_play"):
        submit(team, 3, own_deck(0), cast)


def test_a_list_of_a_team_must_say_whose_it_is(team: Entrant, cast: Cast) -> None:
    with assert_refused("member_missing"):
        submit_decklist(entrant=team, text=own_deck(0), by=cast.player, now=NOW)
    assert member_for_list(cast.opponent, team) == members(team)[1]
    with assert_refused("member_missing"):
        member_for_list(cast.scorekeeper, team)
    with assert_refused("not_in_team"):
        member_for_list(cast.scorekeeper, team, own_person(cast.stranger).public_id)


def test_somebody_who_has_left_the_team_cannot_submit(team: Entrant, cast: Cast) -> None:
    mate = members(team)[1]
    remove_member(team=team, person=mate.person, by=cast.player, now=NOW)
    with assert_refused("not_in_team"):
        submit_decklist(entrant=team, member=mate, text=own_deck(0), by=cast.scorekeeper, now=NOW)


def test_the_lists_of_who_leaves_a_team_go_with_them(team: Entrant, cast: Cast) -> None:
    submit(team, 2, own_deck(0), cast)
    remove_member(team=team, person=members(team)[1].person, by=cast.player, now=NOW)
    assert not Decklist.objects.exists()


def test_team_mates_cannot_read_a_list_and_judges_can(team: Entrant, cast: Cast) -> None:
    kept = submit(team, 2, own_deck(0), cast)
    for user in (cast.opponent, cast.judge, cast.organizer):
        assert decklist_for_reader(user, kept.pk) == kept
        assert reads_history(user, kept)
    for user in (cast.player, cast.stranger):  # the captain sees that the list is there, not its cards
        with pytest.raises(Http404):
            decklist_for_reader(user, kept.pk)
        assert not reads_history(user, kept)


def test_teams_register_no_pools(cast: Cast) -> None:
    sealed = a_sealed_event(cast, name="Sealed")
    choose_teams(event=sealed, by=cast.organizer, now=NOW, team_size=2)
    team = register_person(event=sealed, person=own_person(cast.player), by=cast.player, now=NOW, team_name="A")
    with assert_refused("team_lists"):
        submit_decklist(entrant=team, member=members(team)[0], text="", by=cast.player, now=NOW)
    change_details(event=sealed, by=cast.organizer, now=NOW, lists="none")
    with assert_refused("team_lists"):
        change_details(event=sealed, by=cast.organizer, now=NOW, lists="required")


# --- the limit across a team ----------------------------------------------------------------------------------------


def test_who_submits_second_learns_at_once_that_the_limit_is_passed(limited: Entrant, cast: Cast) -> None:
    first = submit(limited, 1, own_deck(0, shared=1), cast)
    assert first.legal
    second = submit(limited, 2, own_deck(1, shared=1), cast)
    assert not second.legal
    (violation,) = describe(limited.event, second.violations, "en")
    one, two = members(limited)[:2]
    assert violation["rule"] == "TEAM-copies"
    assert (violation["args"]["count"], violation["args"]["max"], violation["args"]["over"]) == (4, 2, 2)
    assert f"{one.name}: 2" in violation["message"] and f"{two.name}: 2" in violation["message"]
    # Of the other deck, the fault tells nothing but the copies of the one card they share.
    others = {line.split()[1] for line in own_deck(0).splitlines()[2:]}
    assert not any(ref in json.dumps(second.violations) for ref in others)


def test_both_lists_are_illegal_until_one_of_them_gives_way(limited: Entrant, cast: Cast) -> None:
    first, second = (submit(limited, board, own_deck(board, shared=1), cast) for board in (1, 2))
    assert rules(first) == rules(second) == {"TEAM-copies"}
    moved = LedgerEntry.objects.get(code="deck.judged_again")
    assert moved.after == {"version": 1, "legal": False, "member": members(limited)[0].person.public_id}
    submit(limited, 2, own_deck(2), cast)
    assert fresh(first).legal
    assert LedgerEntry.objects.filter(code="deck.judged_again").count() == 2


def test_a_copy_of_a_card_too_many_in_one_deck_alone_is_told_as_such(limited: Entrant, cast: Cast) -> None:
    kept = submit(limited, 1, own_deck(0).replace("2 ", "3 ", 1), cast)
    assert rules(kept) == {"SAF-I-3", "TEAM-copies"}


def test_a_list_within_the_limit_stays_legal_beside_two_that_pass_it(limited: Entrant, cast: Cast) -> None:
    submit(limited, 1, own_deck(0, shared=1), cast)
    submit(limited, 2, own_deck(1, shared=1), cast)
    assert submit(limited, 3, own_deck(2), cast).legal


def test_the_list_of_a_substitute_counts_too(limited: Entrant, cast: Cast) -> None:
    add_member(team=limited, name="Sub Stitute", by=cast.organizer, now=NOW)
    submit(limited, 1, own_deck(0, shared=1), cast)
    assert rules(submit(limited, 4, own_deck(1, shared=1), cast)) == {"TEAM-copies"}


def test_a_team_mate_who_leaves_takes_their_copies_along(limited: Entrant, cast: Cast) -> None:
    first, _second = (submit(limited, board, own_deck(board, shared=1), cast) for board in (1, 2))
    remove_member(team=limited, person=members(limited)[1].person, by=cast.player, now=NOW)
    assert fresh(first).legal
    assert LedgerEntry.objects.filter(code="deck.judged_again").order_by("number").last().after["legal"]


def test_without_a_limit_team_mates_can_play_the_same_cards(team: Entrant, cast: Cast) -> None:
    assert all(submit(team, board, own_deck(0), cast).legal for board in (1, 2, 3))


def test_the_limit_still_holds_after_the_event_moved_to_another_catalogue(limited: Entrant, cast: Cast) -> None:
    first, second = (submit(limited, board, own_deck(board, shared=1), cast) for board in (1, 2))
    third = submit(limited, 3, own_deck(3), cast)
    other = imported(cards_of_demonstration(DEMO_SAF_001="Renamed"))
    choose_catalogue(event=limited.event, sha256=other.sha256, by=cast.organizer, now=NOW)
    assert rules(first) == rules(second) == {"TEAM-copies"}
    assert fresh(third).legal and not fresh(first).legal
    event = Event.objects.get(pk=limited.event_id)
    assert "Renamed" in describe(event, fresh(second).violations, "en")[0]["message"]


def test_other_teams_do_not_share_the_limit(limited: Entrant, cast: Cast) -> None:
    (other,) = enter_teams(
        event=limited.event, teams=[NewTeam("Team 2", ("A", "B", "C"))], by=cast.scorekeeper, now=NOW
    )
    submit(limited, 1, own_deck(0), cast)
    assert submit(other, 1, own_deck(0), cast).legal


def test_the_limit_is_for_teams_and_fixed_once_a_list_is_there(limited: Entrant, cast: Cast) -> None:
    def choose(event: Event, limit: int) -> None:
        choose_deck_format(
            event=event, deck_format="safir-v2", options={}, team_limit=limit, by=cast.organizer, now=NOW
        )

    with assert_refused("out_of_bounds"):
        choose(limited.event, 0)
    with assert_refused("no_teams"):
        choose(an_open_event(cast, name="Alone"), 3)
    submit(limited, 1, own_deck(0), cast)
    with assert_refused("decks_exist"):
        choose(limited.event, 3)


# --- the lock -------------------------------------------------------------------------------------------------------


def test_a_judge_reopens_the_list_of_one_member(team: Entrant, cast: Cast) -> None:
    for board in (1, 2, 3):
        submit(team, board, own_deck(board), cast)
    lock_decks(event=team.event, by=cast.organizer, now=NOW)
    captain, mate, _third = members(team)
    with assert_refused("member_missing"):
        reopen_list(entrant=team, by=cast.judge, reason="A card is missing", now=NOW)
    reopen_list(entrant=team, member=mate, by=cast.judge, reason="A card is missing", now=NOW)
    with assert_refused("list_open"):
        reopen_list(entrant=team, member=mate, by=cast.judge, reason="Again", now=NOW)
    team = Entrant.objects.select_related("event").get(pk=team.pk)
    assert not can_submit_list(team, NOW, member=captain)
    submit(team, 2, own_deck(0), cast)
    assert not can_submit_list(team, NOW, member=mate)
    reopen_list(entrant=team, member=captain, by=cast.judge, reason="Again", now=NOW)
    close_list(entrant=team, member=captain, by=cast.judge, now=NOW)
    assert not can_submit_list(team, NOW, member=captain)


def a_started_pair(cast: Cast, team: Entrant, *, together: bool = False) -> Match:
    """Start the event of a team with lists against a second team with lists, and return the match of round 1."""
    (other,) = enter_teams(event=team.event, teams=[NewTeam("Team 2", ("A", "B", "C"))], by=cast.scorekeeper, now=NOW)
    for side in (team, other):
        for board in (1, 2, 3):
            if current_list(side, current_stage(side.event), members(side)[board - 1]) is None:
                submit(side, board, own_deck(board), cast)
    lock_decks(event=team.event, by=cast.organizer, now=NOW)
    play.start_event(event=team.event, by=cast.organizer, now=NOW)
    return a_published_round(Event.objects.get(pk=team.event_id), cast.organizer).matches.get()


def test_teams_without_all_lists_keep_a_required_event_from_starting(team: Entrant, cast: Cast) -> None:
    submit(team, 1, own_deck(0), cast)
    lock_decks(event=team.event, by=cast.organizer, now=NOW)
    with assert_refused("not_ready"):
        play.start_event(event=team.event, by=cast.organizer, now=NOW)


def test_missing_lists_of_members_stay_open_until_the_first_pairing(team: Entrant, cast: Cast) -> None:
    (_other,) = enter_teams(event=team.event, teams=[NewTeam("Team 2", ("A", "B", "C"))], by=cast.scorekeeper, now=NOW)
    submit(team, 1, own_deck(1), cast)
    lock_decks(event=team.event, by=cast.organizer, now=NOW)
    play.start_event(event=team.event, by=cast.organizer, now=NOW, keep_listless=True)
    team = Entrant.objects.select_related("event").get(pk=team.pk)
    captain, mate, _third = members(team)
    assert not can_submit_list(team, NOW, member=captain)
    assert submit(team, 2, own_deck(2), cast).legal
    assert can_submit_list(team, NOW, member=mate)  # any number of versions, until then
    a_published_round(team.event, cast.organizer)
    assert not Reopening.objects.filter(closed_at=None).exists()


def test_a_substitute_without_a_legal_list_cannot_take_a_board(team: Entrant, cast: Cast) -> None:
    substitute = add_member(team=team, name="Sub Stitute", by=cast.organizer, now=NOW)
    match = a_started_pair(cast, team)
    play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0]] * 3, now=NOW)
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    boards = [member.person.public_id for member in (*members(team)[:2], substitute)]
    with assert_refused("not_ready"):
        play.change_lineup(team=team, boards=boards, by=cast.player, now=NOW)
    reopen_list(entrant=team, member=substitute, by=cast.judge, reason="Comes in", now=NOW)
    team = Entrant.objects.select_related("event").get(pk=team.pk)
    submit_decklist(entrant=team, member=substitute, text=own_deck(4), by=cast.scorekeeper, now=NOW)
    play.change_lineup(team=team, boards=boards, by=cast.player, now=NOW)
    substitute.refresh_from_db()
    assert substitute.board == 3


# --- at the table ---------------------------------------------------------------------------------------------------


def log_of_game(match: Match, number: int, boards: tuple[int, int]) -> dict[str, Any]:
    """A self-played log of a game, with the lists of these boards of the two teams."""
    stage = match.round.stage
    decks = {}
    for seat, board in zip(match.seats.order_by("number"), boards, strict=True):
        listed = current_list(seat.entrant, stage, members(seat.entrant)[board - 1])
        assert listed is not None
        decks[seat.entrant.public_id] = listed.cards
    return self_played("star-safir", 7, {"round": 1, "table": match.table or 0, "game": number}, decks)


def audited(match: Match, number: int, boards: tuple[int, int], cast: Cast) -> list[dict[str, Any]]:
    """The findings of the audit of such a log."""
    game = match.games.get(number=number)
    document = json.dumps(log_of_game(match, number, boards))
    log = submit_log(game=game, document=document.encode(), by=cast.judge, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    found: list[dict[str, Any]] = Audit.objects.get(log=log).deck_findings
    return found


def test_a_log_of_a_board_is_compared_with_the_lists_of_the_members_there(team: Entrant, cast: Cast) -> None:
    match = a_started_pair(cast, team)
    assert match.round.stage.best_of == 3
    assert audited(match, 4, (2, 2), cast) == []  # with a best of three, board 2 begins with game 4
    wrong = audited(match, 1, (2, 1), cast)
    assert [(each["seat"], each["code"]) for each in wrong] == [("A", "deck_differs")]


def test_a_log_of_teams_that_play_together_is_compared_with_the_closest_list(cast: Cast) -> None:
    match = a_started_pair(cast, a_team_with_lists(cast, together=True))
    assert audited(match, 1, (3, 2), cast) == []


def test_a_recording_at_a_board_has_the_lists_of_its_members(team: Entrant, cast: Cast) -> None:
    match = a_started_pair(cast, team)
    game = match.games.get(number=7)
    seats = header_of(match, game)["seats"]
    for letter, seat in zip("AB", match.seats.order_by("number"), strict=True):
        listed = current_list(seat.entrant, match.round.stage, members(seat.entrant)[2])
        assert listed is not None
        assert seats[letter]["deck"]["main"] == listed.cards["main"]
    with assert_refused("no_list"):
        header_of(match)


def test_a_judge_checks_the_decks_of_one_board_or_of_all(team: Entrant, cast: Cast) -> None:
    match = a_started_pair(cast, team)
    checks = check_table(match=match, board=2, by=cast.judge, now=NOW)
    assert {check.member.board for check in checks if check.member} == {2}
    assert all(check.decklist is not None and check.decklist.member == check.member for check in checks)
    done = finish_check(check=checks[0], counted={}, by=cast.judge, now=NOW)
    after = LedgerEntry.objects.get(code="check.done").after
    assert done.member is not None
    assert after["member"] == done.member.person.public_id
    assert len(check_table(match=match, by=cast.judge, now=NOW)) == 6
    assert DeckCheck.objects.count() == 6
    with assert_refused("no_such_board"):
        check_table(match=match, board=4, by=cast.judge, now=NOW)


def test_a_drawn_table_is_checked_at_every_board(team: Entrant, cast: Cast) -> None:
    match = a_started_pair(cast, team)
    assert len(draw_checks(round_=match.round, tables=1, by=cast.judge, now=NOW)) == 6


def test_opponents_may_read_the_list_at_their_board_only(team: Entrant, cast: Cast) -> None:
    mate = account("Across")
    other = register_person(event=team.event, person=own_person(mate), by=mate, now=NOW, team_name="Team 2")
    for name in ("B", "C"):
        add_member(team=other, name=name, by=cast.organizer, now=NOW)
    for side in (team, other):
        for board in (1, 2, 3):
            submit(side, board, own_deck(board), cast)
    Event.objects.filter(pk=team.event_id).update(visibility={"decklists.opponent.swiss": "now"})
    lock_decks(event=team.event, by=cast.organizer, now=NOW)
    play.start_event(event=team.event, by=cast.organizer, now=NOW)
    match = a_published_round(Event.objects.get(pk=team.event_id), cast.organizer).matches.get()
    across, beside = (current_list(other, match.round.stage, members(other)[board - 1]) for board in (1, 2))
    assert across is not None and beside is not None
    shown = lists_exchanged(match, cast.player)
    assert shown[other.pk] == across
    assert decklist_for_viewer(cast.player, across.pk) == across
    with pytest.raises(Http404):
        decklist_for_viewer(cast.player, beside.pk)
