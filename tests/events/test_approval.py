"""Registration by approval: applicants take no place, and the desk approves or declines."""

import pytest
from django.core import mail

from tests.builders import NOW, an_open_event
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.accounts.services import erase_account, own_person
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events import approval
from tournaments.events.access import is_shown
from tournaments.events.models import Application, Entrant, Event
from tournaments.events.registration import choose_registration
from tournaments.events.services import clone_event, register

pytestmark = pytest.mark.django_db


def an_event_with_approval(cast: Cast, **options: object) -> Event:
    return choose_registration(event=an_open_event(cast, **options), by=cast.organizer, now=NOW, approval=True)


def applied(event: Event, user: User) -> Application:
    return approval.apply(event=event, person=own_person(user), by=user, now=NOW)


def test_an_applicant_takes_no_place_and_is_no_entrant_until_approved(cast: Cast) -> None:
    event = an_event_with_approval(cast, capacity=1)
    first, second = applied(event, cast.player), applied(event, cast.opponent)
    assert not event.entrants.exists()
    later = approval.approve(application=second, by=cast.scorekeeper, now=NOW)
    earlier = approval.approve(application=first, by=cast.scorekeeper, now=NOW)
    assert (later.status, earlier.status) == (Entrant.Status.REGISTERED, Entrant.Status.WAITING)
    codes = LedgerEntry.objects.filter(chain=event.public_id, code__startswith="application").order_by("number")
    made, approved = "application.made", "application.approved"
    assert list(codes.values_list("code", flat=True)) == [made, made, approved, approved]


def test_players_cannot_register_past_the_approval_nor_apply_where_there_is_none(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    with assert_refused("approval_needed"):
        register(event=event, person=own_person(cast.player), by=cast.player, now=NOW)
    applied(event, cast.player)
    with assert_refused("already_applied"):
        applied(event, cast.player)
    choose_registration(event=event, by=cast.organizer, now=NOW, approval=False)
    with assert_refused("approval_not_needed"):
        applied(event, cast.opponent)
    assert clone_event(event=an_event_with_approval(cast), name="Copy", by=cast.organizer, now=NOW).approval


def test_a_declined_application_can_be_approved_but_not_made_again(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    application = applied(event, cast.player)
    approval.decline(application=application, reason=" No\nplace ", by=cast.scorekeeper, now=NOW)
    application.refresh_from_db()
    assert application.reason == "No place"
    with assert_refused("already_applied"):
        applied(event, cast.player)
    with assert_refused("application_decided"):
        approval.withdraw(application=application, by=cast.player, now=NOW)
    assert approval.approve(application=application, by=cast.scorekeeper, now=NOW).status == "registered"
    with assert_refused("application_decided"):
        approval.approve(application=application, by=cast.scorekeeper, now=NOW)


def test_a_withdrawn_application_can_be_made_again(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    application = applied(event, cast.player)
    for _ in range(2):
        approval.withdraw(application=application, by=cast.player, now=NOW)
    with assert_refused("application_decided"):
        approval.approve(application=application, by=cast.scorekeeper, now=NOW)
    assert applied(event, cast.player).pk != application.pk


def test_several_are_decided_and_each_refusal_is_told(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    first, second = applied(event, cast.player), applied(event, cast.opponent)
    approval.withdraw(application=first, by=cast.player, now=NOW)
    report = approval.decide(
        event=event,
        applications=[first.public_id, second.public_id],
        decision="approve",
        by=cast.scorekeeper,
        now=NOW,
    )
    assert [each.pk for each in report.done] == [second.pk]
    assert [(each.pk, refusal.code) for each, refusal in report.refused] == [(first.pk, "application_decided")]
    with assert_refused("application_unknown"):
        approval.decide(event=event, applications=["r-none"], decision="approve", by=cast.scorekeeper, now=NOW)
    with assert_refused("decision_unknown"):
        approval.decide(event=event, applications=[], decision="maybe", by=cast.scorekeeper, now=NOW)


def test_both_decisions_are_told_by_letter(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    User.objects.update(email_confirmed_at=NOW)
    first, second = applied(event, cast.player), applied(event, cast.opponent)
    approval.approve(application=first, by=cast.scorekeeper, now=NOW)
    approval.decline(application=second, reason="Members only", by=cast.scorekeeper, now=NOW)
    jobs.run_due(NOW)
    letters = {letter.to[0]: f"{letter.subject} {letter.body}" for letter in mail.outbox}
    assert "Registration approved" in letters[cast.player.email or ""]
    told = letters[cast.opponent.email or ""]
    assert "not accepted" in told and "Members only" in told and "because you asked for a place" in told


def test_the_page_of_the_event_shows_the_application_and_lets_the_player_withdraw(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    page, player = address("event", event.public_id), signed_in(cast.player)
    assert "Apply for a place" in text(player.get(page))
    assert player.post(address("register", event.public_id)).url == page
    application = Application.objects.get()
    assert "Application sent" in text(player.get(page)) and "Apply for a place" not in text(player.get(page))
    assert "Application sent" not in text(signed_in(cast.stranger).get(page))
    where = address("application_withdraw", application.public_id)
    assert signed_in(cast.stranger).post(where).status_code == 404
    assert player.post(where).url == page
    assert "Apply for a place" in text(player.get(page))


def test_the_desk_lists_applications_and_decides_on_the_selected_ones(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    first, second = applied(event, cast.player), applied(event, cast.opponent)
    page, desk = address("staff_applications", event.public_id), signed_in(cast.scorekeeper)
    assert "Applications" in text(desk.get(address("staff_entrants", event.public_id)))
    assert "Player 1" in text(desk.get(page))
    desk.post(page, {"application": first.public_id, "decision": "approve"})
    desk.post(page, {"application": second.public_id, "decision": "decline", "reason": "Full"})
    assert "Declined: Full" in text(desk.get(page, {"show": "declined"}))
    assert "Full" in text(signed_in(cast.opponent).get(address("event", event.public_id)))
    assert event.entrants.count() == 1
    assert [signed_in(user).get(page).status_code for user in (cast.judge, cast.player)] == [403, 404]


def test_a_private_event_is_shown_to_applicants(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    applied(event, cast.player)
    event = choose_registration(event=event, by=cast.organizer, now=NOW, listing="private")
    assert is_shown(cast.player, event) and not is_shown(cast.opponent, event)


def test_erasing_a_person_erases_why_they_were_declined_and_the_export_has_it(cast: Cast) -> None:
    event = an_event_with_approval(cast)
    user = account("Applicant")
    application = applied(event, user)
    approval.decline(application=application, reason="Known here", by=cast.scorekeeper, now=NOW)
    data = signed_in(user).get(address("account_data")).json()
    assert data["persons"][0]["applications"][0]["reason"] == "Known here"
    erase_account(user=user, now=NOW)
    application.refresh_from_db()
    assert application.reason == ""
