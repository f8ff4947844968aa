"""Corrections of results: after the end of the event, and after the next round was paired.

Nothing typed is lost, no action is offered that would be refused, and later pairings can be repaired at once.
"""

import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast, account
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits import disputes
from tournaments.audits.disputes import Wanted
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match, Round

pytestmark = pytest.mark.django_db

# A correction as the desk types it: 0-2 where the first seat had won 2-0.
TYPED = {"first": "0", "second": "2", "drawn": "0", "kind": "played", "reason": "The slip was misread."}


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=8)


@pytest.fixture
def first(event: Event, cast: Cast) -> Round:
    """The first round, played and closed."""
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    return round_


@pytest.fixture
def match(first: Round, cast: Cast) -> Match:
    return match_of(first, cast.player)


def finished(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)


def status(event: Event) -> str:
    return Event.objects.get(pk=event.pk).status


def won(match: Match) -> list[int | None]:
    return list(match.seats.order_by("number").values_list("games_won", flat=True))


def asks(user: User, address: str, **said: object) -> tuple[int, dict]:
    """POST JSON to the API and return the status and the answer."""
    client = APIClient()
    client.force_authenticate(user)
    answer = client.post(f"/api/v1/{address}", said, format="json")
    return answer.status_code, answer.json()


# ---------------------------------------------------------------------------------------- after the end of the event


def test_a_correction_refused_after_the_end_of_the_event_keeps_the_input(
    event: Event, match: Match, cast: Cast
) -> None:
    finished(event)
    client, page = signed_in(cast.scorekeeper), address("staff_result", match.public_id)
    answer = client.post(page, TYPED)
    shown = text(answer)
    assert (answer.status_code, "event_state" in shown) == (409, True)
    assert "The slip was misread." in shown and re.search(r'name="second" value="2"', shown)
    quick = client.post(page, {"score": "0-2-0", "seen": "0"})
    assert quick.status_code in (409, 422) and re.search(r'name="second" value="2"', text(quick))
    assert won(match) == [2, 0] and status(event) == "finished"


def test_the_owner_reopens_the_event_and_corrects_with_one_button(event: Event, match: Match, cast: Cast) -> None:
    finished(event)
    client, page = signed_in(cast.organizer), address("staff_result", match.public_id)
    assert "Reopen the event and enter the result" in text(client.get(page))
    unreasoned = client.post(page, {**TYPED, "reason": "", "reopen": "1"})
    assert unreasoned.status_code == 422 and re.search(r'name="second" value="2"', text(unreasoned))
    impossible = client.post(page, {**TYPED, "first": "2", "reopen": "1"})
    assert (impossible.status_code, status(event)) == (422, "finished"), "both, or neither"
    assert client.post(page, {**TYPED, "reopen": "1"}).status_code == 302
    assert (won(match), status(event)) == ([0, 2], "running")
    codes = LedgerEntry.objects.filter(chain=event.public_id).order_by("-number").values_list("code", flat=True)
    assert [code for code in codes[:4] if not code.startswith("standings")][:2] == ["result.entered", "event.reopened"]


def test_only_the_owner_can_reopen_the_event_with_a_correction(event: Event, match: Match, cast: Cast) -> None:
    finished(event)
    organizer = account("Second Organizer")
    grant_role(event=event, email=organizer.email, role="organizer", by=cast.organizer, now=NOW)
    page = address("staff_result", match.public_id)
    for user in (cast.scorekeeper, organizer):
        client = signed_in(user)
        shown = text(client.get(page))
        assert "Its owner can reopen it" in shown and '<form class="score-form"' not in shown
        assert client.post(page, {**TYPED, "reopen": "1"}).status_code == 403
        said = {"games": [0, 2, 0], "reason": "Misread.", "reopen": True}
        assert asks(user, f"matches/{match.public_id}/result/", **said)[0] == 403
    assert (won(match), status(event)) == ([2, 0], "finished")


def test_the_api_reopens_the_event_and_corrects_in_one_call(event: Event, match: Match, cast: Cast) -> None:
    finished(event)
    where = f"matches/{match.public_id}/result/"
    refused, told = asks(cast.organizer, where, games=[0, 2, 0], reason="Misread.")
    assert (refused, told["code"]) == (409, "event_state")
    assert asks(cast.organizer, where, games=[0, 2, 0], reason=" ", reopen=True)[1]["code"] == "reason_missing"
    assert asks(cast.organizer, where, games=[0, 2, 0], reason="Misread.", reopen=True)[0] == 200
    assert (won(match), status(event)) == ([0, 2], "running")


# ------------------------------------------------------------------------------- actions offered, by state of the event


def offers(client: Client, page: str) -> set[str]:
    """Return the addresses of all forms, links and buttons on a page."""
    found = client.get(page)
    assert found.status_code == 200, page
    return set(re.findall(r'(?:action|href|formaction)="([^"]+)"', text(found)))


@pytest.mark.parametrize("state", ["finished", "archived", "cancelled"])
def test_a_round_page_offers_no_actions_once_the_event_is_over(
    event: Event, match: Match, cast: Cast, state: str
) -> None:
    Event.objects.update(status=state)
    round_page = address("staff_round", event.public_id, 1)
    for user in (cast.scorekeeper, cast.organizer):
        found = offers(signed_in(user), round_page)
        assert not [one for one in found if one.startswith(round_page) and one != round_page]
        corrects = address("staff_result", match.public_id) in found
        assert corrects == (state == "finished" and user == cast.organizer), "the owner may reopen"
    results = signed_in(cast.scorekeeper).get(address("staff_results", event.public_id, 1))
    assert results.url == round_page


def test_undoing_a_round_is_offered_only_while_it_is_possible(event: Event, first: Round, cast: Cast) -> None:
    client = signed_in(cast.scorekeeper)

    def offered(number: int) -> list[str]:
        page = address("staff_round", event.public_id, number)
        return [action for action in ("unpublish", "reopen") if f"{page}undo/{action}/" in offers(client, page)]

    assert offered(1) == ["reopen"]
    second = a_published_round(event, cast.organizer)
    assert (offered(1), offered(2)) == ([], ["unpublish"])
    match = second.matches.filter(table=1).get()
    play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=NOW)
    assert offered(2) == []
    assert "can no longer be turned back into a draft" in text(client.get(address("staff_round", event.public_id, 2)))


def test_the_draft_page_says_how_long_publishing_can_be_undone(event: Event, cast: Cast) -> None:
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    page = text(signed_in(cast.scorekeeper).get(address("staff_round", event.public_id, 1)))
    assert "until the clock starts or something happens at a table" in page
    assert "cannot be thrown away any more" not in page


def test_claims_and_appeals_are_offered_only_while_they_can_change_the_result(
    event: Event, match: Match, cast: Cast
) -> None:
    page = address("match", match.public_id)
    client = signed_in(cast.player)
    claim, appeal = address("claim", match.public_id), address("appeal", match.public_id)
    assert claim in offers(client, page)
    judge = account("Second Judge")
    grant_role(event=event, email=judge.email, role="judge", by=cast.organizer, now=NOW)
    disputes.rule(match=match, by=judge, wanted=Wanted("keep", "Seen."), now=NOW)
    assert {claim, appeal} <= offers(client, page)
    finished(event)
    assert not {claim, appeal} & offers(client, page)
    for where in (claim, appeal):
        assert "event_state" in text(client.post(where, {"reason": "No."}))
    # Running again: now the next round is paired, which ends the time for disputes as well.
    Event.objects.update(status="running")
    a_published_round(event, cast.organizer)
    assert not {claim, appeal} & offers(client, page)


def test_a_contested_match_and_a_bye_have_no_result_form_at_the_desk(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.filter(table=1).get()
    one, other = users_of(match)
    report = play.report_result(match=match, by=one, games=(2, 0, 0), now=NOW)
    play.contest_result(match=match, report=report, by=other, now=NOW)
    client = signed_in(cast.scorekeeper)
    for shown, said in (
        (match, "A judge will decide"),
        (round_.matches.get(table=None), "A bye has no result to enter."),
    ):
        page = text(client.get(address("staff_result", shown.public_id)))
        assert said in page and 'class="score-form"' not in page


# ---------------------------------------------------------------------------------------- repairing later pairings


def test_a_correction_leads_to_the_repair_options_of_the_next_round(event: Event, match: Match, cast: Cast) -> None:
    second = a_published_round(event, cast.organizer)
    client, page = signed_in(cast.scorekeeper), address("staff_result", match.public_id)
    assert "Round 2 is already paired" in text(client.get(page))
    answer = client.post(page, TYPED)
    repair = address("staff_mend", event.public_id, 2)
    assert answer.url == f"{repair}?corrected={match.public_id}"
    shown = text(client.get(answer.url))
    assert "Round 2 was paired before the result of round 1, table" in shown
    assert "Leave the pairings as they are" in shown and "new pairing" in shown
    desk = text(client.get(address("staff_round", event.public_id, 2)))
    assert "A result was corrected since this round was paired." in desk and repair in desk
    way = re.search(r'name="way" value="([0-9a-f]{16})"', shown)
    assert way
    assert client.post(repair, {"way": way[1]}).status_code == 302
    second.refresh_from_db()
    assert second.certified
    assert "A result was corrected since" not in text(client.get(address("staff_round", event.public_id, 2)))


def test_a_repair_blocked_by_a_started_table_is_shown_without_its_button(
    event: Event, match: Match, cast: Cast
) -> None:
    second = a_published_round(event, cast.organizer)
    for table in second.matches.filter(table__isnull=False):
        play.report_result(match=table, by=users_of(table)[0], games=(2, 0, 0), now=NOW)
    client = signed_in(cast.scorekeeper)
    shown = text(client.get(client.post(address("staff_result", match.public_id), TYPED).url))
    assert "Not possible any more: table" in shown and not re.search(r'name="way" value="[0-9a-f]{16}"', shown)
    api = APIClient()
    api.force_authenticate(cast.scorekeeper)
    ways = api.get(f"/api/v1/events/{event.public_id}/rounds/2/mend/").json()
    assert ways and all(way["begun"] for way in ways)


def test_a_draft_made_outdated_by_a_correction_cannot_be_published(event: Event, match: Match, cast: Cast) -> None:
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    client = signed_in(cast.scorekeeper)
    publish, desk = address("staff_publish", event.public_id, 2), address("staff_round", event.public_id, 2)
    assert publish in offers(client, desk)
    shown = text(client.get(client.post(address("staff_result", match.public_id), TYPED).url))
    assert publish not in offers(client, desk) and address("staff_mend", event.public_id, 2) in offers(client, desk)
    way = re.search(r'name="way" value="([0-9a-f]{16})"', shown)
    assert way
    client.post(address("staff_mend", event.public_id, 2), {"way": way[1]})
    assert publish in offers(client, desk)
    assert client.post(publish).status_code == 302


def test_the_page_says_when_a_correction_changes_no_pairing(event: Event, match: Match, cast: Cast) -> None:
    a_published_round(event, cast.organizer)
    client = signed_in(cast.scorekeeper)
    shown = text(
        client.get(client.post(address("staff_result", match.public_id), {**TYPED, "first": "2", "second": "1"}).url)
    )
    assert "Its pairings are still right: nothing needs to change." in shown
    assert client.post(address("staff_mend", event.public_id, 2), {"way": "keep"}).status_code == 302
    assert "A result was corrected since" not in text(client.get(address("staff_round", event.public_id, 2)))


def test_keeping_the_pairings_is_logged_and_the_draft_can_be_published(event: Event, match: Match, cast: Cast) -> None:
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    client = signed_in(cast.scorekeeper)
    client.post(address("staff_result", match.public_id), TYPED)
    before = [[seat.entrant_id for seat in table.seats.all()] for table in round_.matches.all()]
    assert asks(cast.scorekeeper, f"events/{event.public_id}/rounds/2/mend/", way="keep")[0] == 200
    round_.refresh_from_db()
    assert not round_.certified, "it is not what would be paired now"
    assert [[seat.entrant_id for seat in table.seats.all()] for table in round_.matches.all()] == before
    assert LedgerEntry.objects.filter(chain=event.public_id, code="round.kept", object="r2").count() == 1
    assert client.post(address("staff_publish", event.public_id, 2)).status_code == 302
    assert Round.objects.get(pk=round_.pk).status == "published"


def test_a_ruling_leads_to_the_repair_or_asks_the_desk_for_it(event: Event, match: Match, cast: Cast) -> None:
    a_published_round(event, cast.organizer)
    sent = {**TYPED, "decision": "change"}
    answer = signed_in(cast.judge).post(address("rule", match.public_id), sent, follow=True)
    assert "Round 2 was paired with the old result: ask the desk to repair its pairings." in text(answer)
    grant_role(event=event, email=cast.judge.email, role="scorekeeper", by=cast.organizer, now=NOW)
    again = {**sent, "first": "2", "second": "0", "reason": "After all."}
    answer = signed_in(cast.judge).post(address("rule", match.public_id), again)
    assert answer.url.startswith(address("staff_mend", event.public_id, 2))


def test_the_api_names_the_round_to_repair_after_a_correction(event: Event, match: Match, cast: Cast) -> None:
    where = f"matches/{match.public_id}/result/"
    said = {"games": [0, 2, 0], "reason": "Misread."}
    assert asks(cast.scorekeeper, where, **said)[1]["paired_before"] is None
    a_published_round(event, cast.organizer)
    status_, told = asks(cast.scorekeeper, where, games=[2, 1, 0], reason="After all.")
    assert (status_, told["paired_before"]) == (200, 2)


def test_a_slip_entered_for_an_earlier_round_leads_to_the_repair_too(event: Event, match: Match, cast: Cast) -> None:
    a_published_round(event, cast.organizer)
    client = signed_in(cast.scorekeeper)
    slip = address("staff_slip", match.public_id)
    page = text(client.get(address("staff_results", event.public_id, 1) + f"?find={match.table}"))
    keys = re.findall(r'name="outcome" value="(\d)"', page)
    assert keys
    answer = client.post(slip, {"outcome": keys[-1], "reason": "Misread."})
    assert answer.url.startswith(address("staff_mend", event.public_id, 2))


def test_a_correction_in_a_bracket_leads_to_no_repair(cast: Cast) -> None:
    event = a_bracket(cast)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    a_published_round(event, cast.organizer)
    match = round_.matches.get(node="W1.1")
    client, page = signed_in(cast.organizer), address("staff_result", match.public_id)
    # In a bracket the corrected winner moves into the next match instead, which the desk has to acknowledge.
    sent = {**TYPED, "acknowledged": "True"}
    assert client.post(page, sent).url == address("staff_round", event.public_id, round_.number)
