"""Pages and operations about decklists of team members: each their own, missing ones by name, judges all of them."""

import pytest
from django.urls import reverse

from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, a_team_with_lists, own_deck
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.guardians import add_person
from tournaments.accounts.models import User
from tournaments.decks.models import Decklist, Reopening
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
from tournaments.events.teams import NewTeam, add_member, enter_teams, in_order, join_team
from tournaments.judging.models import DeckCheck
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db
SCOPES = ("read", "play", "judge", "organize")


@pytest.fixture
def team(cast: Cast) -> Entrant:
    """A team of three without lists, whose decks may hold two copies of a card together."""
    return a_team_with_lists(cast, limit=2)


def person(team: Entrant, board: int) -> str:
    return in_order(team)[board - 1].person.public_id


def submit(team: Entrant, board: int, cast: Cast, shared: int = 0) -> Decklist:
    member = in_order(team)[board - 1]
    by, text_ = member.person.account or cast.scorekeeper, own_deck(board, shared)
    return submit_decklist(entrant=team, member=member, text=text_, by=by, now=NOW)


def a_match(cast: Cast, team: Entrant) -> Match:
    """Start the event against a second team and return the match of round 1."""
    (other,) = enter_teams(event=team.event, teams=[NewTeam("Team 2", ("A", "B", "C"))], by=cast.scorekeeper, now=NOW)
    for side in (team, other):
        for board in (1, 2, 3):
            submit(side, board, cast)
    lock_decks(event=team.event, by=cast.organizer, now=NOW)
    play.start_event(event=team.event, by=cast.organizer, now=NOW)
    return a_published_round(Event.objects.get(pk=team.event_id), cast.organizer).matches.get()


# --- the players ----------------------------------------------------------------------------------------------------


def test_each_member_submits_their_own_list_on_their_page(cast: Cast, team: Entrant) -> None:
    page = address("deck", team.event.public_id)
    for user, board in ((cast.player, 1), (cast.opponent, 2)):
        client = signed_in(user)
        assert client.post(page, {"text": own_deck(board)}).status_code == 302
        assert "at most 2 copies of a card together" in text(client.get(page))
    kept = {each.member.person.public_id: each.legal for each in Decklist.objects.all() if each.member}
    assert kept == {person(team, 1): True, person(team, 2): True}


def test_a_player_who_passes_the_limit_sees_whose_decks_hold_the_card_and_no_other_card(
    cast: Cast, team: Entrant
) -> None:
    submit(team, 1, cast, shared=1)
    page = address("deck", team.event.public_id)
    mate = signed_in(cast.opponent)
    said = text(mate.post(page, {"text": own_deck(2, shared=1)}, follow=True))
    captain, own = in_order(team)[:2]
    assert "TEAM-copies" in said
    assert f"{captain.name}: 2" in said and f"{own.name}: 2" in said
    assert not any(line.split()[1] in said for line in own_deck(1).splitlines()[2:])
    assert "TEAM-copies" in text(signed_in(cast.player).get(page))  # the captain sees it at once, too


def test_the_captain_sees_whose_list_is_missing_but_no_cards(cast: Cast, team: Entrant) -> None:
    kept = submit(team, 2, cast)
    captain, mate = signed_in(cast.player), signed_in(cast.opponent)
    page = address("team", team.public_id)
    said = text(captain.get(page))
    assert said.count('<span class="badge badge--warn">none</span>') == 2
    assert said.count('<span class="badge badge--ok">legal</span>') == 1
    assert reverse("web:staff_deck", args=[kept.pk]) not in said
    assert captain.get(address("staff_deck", kept.pk)).status_code == 404
    assert "none</span>" not in text(mate.get(page))  # other members see nothing of it
    assert signed_in(cast.stranger).get(page).status_code == 404


def test_a_member_reads_all_versions_of_their_own_list(cast: Cast, team: Entrant) -> None:
    others = submit(team, 1, cast)
    first, second = submit(team, 2, cast), submit(team, 2, cast, shared=1)
    said = text(signed_in(cast.opponent).get(address("staff_deck", first.pk)))
    assert reverse("web:staff_deck", args=[second.pk]) in said
    assert reverse("web:staff_deck", args=[others.pk]) not in said


def test_a_guardian_of_two_team_mates_chooses_whose_list_it_is(cast: Cast, team: Entrant) -> None:
    child = add_person(guardian=cast.player, given_name="Child")
    join_team(team=team, person=child, by=cast.player, now=NOW)
    client, page = signed_in(cast.player), address("deck", team.event.public_id)
    assert "Child" in text(client.get(page))
    assert client.post(f"{page}?member={child.public_id}", {"text": own_deck(3)}).status_code == 302
    (kept,) = Decklist.objects.all()
    assert kept.member is not None and kept.member.person == child
    assert client.get(f"{page}?member={person(team, 2)}").status_code == 404


def test_the_seat_page_shows_the_state_of_ones_own_list(cast: Cast, team: Entrant) -> None:
    submit(team, 2, cast)
    page = address("me", team.event.public_id)
    assert "Not submitted" in text(signed_in(cast.player).get(page))
    assert "Not submitted" not in text(signed_in(cast.opponent).get(page))


def test_a_members_own_lists_are_counted_from_one(cast: Cast, team: Entrant) -> None:
    submit(team, 1, cast)
    first, second = submit(team, 2, cast), submit(team, 2, cast, shared=1)
    submit(team, 3, cast)
    assert (first.version, second.version) == (2, 3) and (first.number, second.number) == (1, 2)
    client, event = signed_in(cast.opponent), team.event.public_id
    seat, deck = (text(client.get(address(page, event))) for page in ("me", "deck"))
    assert "version 2" in seat and "Version 2" in deck and "ersion 3" not in seat + deck
    assert "Version 1, submitted" in text(client.get(address("staff_deck", first.pk)))


# --- the desk and the judges ----------------------------------------------------------------------------------------


def test_the_desk_types_the_list_of_a_member(cast: Cast, team: Entrant) -> None:
    page = address("staff_paper_list", team.event.public_id, team.public_id)
    desk = signed_in(cast.scorekeeper)
    assert "Board Three" in text(desk.get(page))
    assert desk.post(page, {"text": own_deck(3)}).status_code == 422  # without saying whose
    assert desk.post(page, {"text": own_deck(3), "member": person(team, 3)}).status_code == 302
    rows = text(desk.get(address("staff_entrants", team.event.public_id)))
    assert rows.count('<span class="badge badge--warn">none</span>') == 2


def test_the_rows_of_teams_take_the_same_queries_however_many_there_are(cast: Cast, team: Entrant) -> None:
    page, desk = address("staff_entrants", team.event.public_id), signed_in(cast.scorekeeper)
    submit(team, 1, cast)
    few = queries_of(desk, page)
    others = [NewTeam(f"Team {number}", ("A", "B", "C")) for number in range(2, 8)]
    for other in enter_teams(event=team.event, teams=others, by=cast.scorekeeper, now=NOW):
        submit(other, 1, cast)
    assert queries_of(desk, page) <= few


def test_the_organizer_sets_the_limit_of_a_team_event_on_the_page_of_the_deck_format(cast: Cast) -> None:
    event = a_team_with_lists(cast).event
    organizer, page = signed_in(cast.organizer), address("staff_format", event.public_id)
    assert "Copies of a card in a team" in text(organizer.get(page))
    assert organizer.post(page, {"deck_format": "safir-v2", "team_limit": "0"}).status_code == 422
    assert organizer.post(page, {"deck_format": "safir-v2", "team_limit": "4"}).status_code == 302
    assert current_stage(Event.objects.get(pk=event.pk)).team_deck_limit == 4
    assert signed_in(cast.scorekeeper).post(page, {"deck_format": "safir-v2"}).status_code == 403


def test_a_judge_sees_the_lists_of_a_table_and_checks_the_decks_of_a_board(cast: Cast, team: Entrant) -> None:
    match = a_match(cast, team)
    judge = signed_in(cast.judge)
    listed = {each.pk for each in Decklist.objects.all()}
    shown = text(judge.get(address("judge_match", match.public_id)))
    assert all(reverse("web:staff_deck", args=[pk]) in shown for pk in listed) and len(listed) == 6
    page = address("deck_checks", team.event.public_id, 1)
    assert judge.post(page, {"table": match.table, "board": "2"}).status_code == 302
    assert {check.member.board for check in DeckCheck.objects.all() if check.member} == {2}
    assert "Team 1" in text(judge.get(page))
    check = DeckCheck.objects.get(entrant=team)
    assert check.member is not None
    assert check.member.full_name in text(judge.get(address("deck_check", check.public_id)))


def test_a_head_judge_reopens_and_closes_the_list_of_a_member(cast: Cast, team: Entrant) -> None:
    a_match(cast, team)
    judge = signed_in(cast.judge)
    sent = {"reason": "A card is missing", "infraction": "list_wrong", "level": "", "when": "now"}
    reopen = address("list_reopen", team.public_id)
    assert judge.post(reopen, sent).status_code == 422
    assert judge.post(reopen, {**sent, "member": person(team, 2)}).status_code == 302
    opened = Reopening.objects.get(closed_at=None)
    assert opened.member is not None and opened.member.board == 2
    assert in_order(team)[1].full_name in text(judge.get(address("penalty_give", team.public_id)))
    assert judge.post(address("list_close", team.public_id), {"member": person(team, 2)}).status_code == 302
    assert not Reopening.objects.filter(closed_at=None).exists()


# --- the API --------------------------------------------------------------------------------------------------------


def test_the_api_gives_and_takes_the_list_of_a_member(cast: Cast, team: Entrant) -> None:
    route = f"/api/v1/entrants/{team.public_id}/decklist/"

    def put(user: User, **said: str) -> int:
        answer = token_client(user, *SCOPES).put(route, {"text": own_deck(2), **said}, format="json")
        return int(answer.status_code)

    assert put(cast.opponent) == 200
    assert put(cast.player, member=person(team, 2)) == 403
    assert put(cast.scorekeeper) == 422
    assert put(cast.scorekeeper, member=person(team, 3)) == 200
    assert put(cast.stranger, member=person(team, 3)) == 404

    def get(user: User, board: int | None = None) -> tuple[int, str | None]:
        query = {} if board is None else {"member": person(team, board)}
        answer = token_client(user, *SCOPES).get(route, query)
        return answer.status_code, answer.json().get("member")

    assert get(cast.opponent) == (200, person(team, 2))
    assert get(cast.judge, 2) == (200, person(team, 2))
    assert get(cast.player)[0] == get(cast.player, 2)[0] == 404  # none of one's own yet, and the mate's is not shown
    assert get(cast.scorekeeper, 2)[0] == 403
    assert get(cast.judge)[0] == 404


def test_the_api_tells_the_captain_and_the_desk_whose_list_is_missing(cast: Cast, team: Entrant) -> None:
    submit(team, 1, cast, shared=1)
    submit(team, 2, cast, shared=1)
    route = f"/api/v1/entrants/{team.public_id}/team/"

    def states(user: User) -> list[str | None]:
        return [each["decklist"] for each in token_client(user, *SCOPES).get(route).json()["members"]]

    assert states(cast.player) == states(cast.scorekeeper) == ["illegal", "illegal", "missing"]
    assert states(cast.opponent) == states(cast.stranger) == [None, None, None]


def test_the_api_sets_and_shows_the_limit_of_a_team(cast: Cast) -> None:
    event = a_team_with_lists(cast).event
    route = f"/api/v1/events/{event.public_id}/deck-format/"
    client = token_client(cast.organizer, *SCOPES)
    answer = client.put(route, {"format": "safir-v2", "team_limit": 4}, format="json")
    assert (answer.status_code, answer.json()["team_limit"]) == (200, 4)
    assert all(each["limits_teams"] for each in answer.json()["formats"])
    assert client.put(route, {"format": "safir-v2", "team_limit": 0}, format="json").status_code == 422
    assert client.put(route, {"format": "safir-v2"}, format="json").json()["team_limit"] == 4
    assert client.put(route, {"format": "safir-v2", "team_limit": None}, format="json").json()["team_limit"] is None


def test_the_api_checks_one_board_and_reopens_the_list_of_a_member(cast: Cast, team: Entrant) -> None:
    match = a_match(cast, team)
    judge = token_client(cast.judge, *SCOPES)
    checks = f"/api/v1/events/{team.event.public_id}/rounds/1/deck-checks/"
    answer = judge.post(checks, {"table": match.table, "board": 2}, format="json")
    assert answer.status_code == 201 and person(team, 2) in {each["member"] for each in answer.json()}
    assert judge.post(checks, {"tables": 1, "board": 2}, format="json").status_code == 422
    reopen = f"/api/v1/entrants/{team.public_id}/reopen-list/"
    assert judge.post(reopen, {"reason": "Why"}, format="json").status_code == 422
    assert judge.post(reopen, {"reason": "Why", "member": person(team, 1)}, format="json").status_code == 201
    assert judge.delete(f"{reopen}?member={person(team, 1)}").status_code == 204
    assert not Reopening.objects.filter(closed_at=None).exists()


def test_exports_name_the_members(cast: Cast, team: Entrant) -> None:
    add_member(team=team, name="Sub Stitute", by=cast.organizer, now=NOW)
    for board in (1, 2, 3):
        submit(team, board, cast)
    judge = signed_in(cast.judge)
    listed = text(judge.get(address("export", team.event.public_id, "decks", "txt")))
    names = [member.name for member in in_order(team)[:3]]
    assert [line for line in listed.splitlines() if line.startswith("# ")] == [f"# {name} (Team 1)" for name in names]
    rows = text(judge.get(address("export", team.event.public_id, "decks", "csv")))
    assert "member,member_name" in rows.splitlines()[0]
    assert person(team, 2) in rows
