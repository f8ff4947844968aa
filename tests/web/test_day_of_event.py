"""Pages on the day of an event: who is not ready, what is open, and sentences that say what exists."""

from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.forms import Form
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, a_team_event, an_event, an_open_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in
from tests.web.pages import text as escaped
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.announcements.services import announce
from tournaments.common.clock import now
from tournaments.decks.services import lock_decks
from tournaments.events import services as events
from tournaments.events.hall_tables import in_ranges
from tournaments.events.models import Event
from tournaments.events.procedures import read_procedures
from tournaments.events.services import change_procedures
from tournaments.events.teams import enter_teams, read_teams
from tournaments.notices.models import Kind
from tournaments.notices.selectors import gets_letter
from tournaments.payments.models import Payment, PriceTier
from tournaments.payments.services import add_price
from tournaments.play import services as play
from tournaments.play.selectors import tables_said

pytestmark = pytest.mark.django_db
TEAMS = "Foxes: Ann Lee, Bob Moss, Cy Dale\nOwls: Dee, Eve, Flo\nAnts: Sue, Tim"


def text(response: object) -> str:
    return unescape(escaped(response))


@pytest.fixture
def teams(cast: Cast) -> Event:
    event = a_team_event(cast)
    enter_teams(event=event, teams=read_teams(TEAMS), by=cast.organizer, now=NOW)
    return event


def test_incomplete_teams_are_named_before_the_start_and_at_check_in(cast: Cast, teams: Event) -> None:
    client = signed_in(cast.organizer)
    desk, start = address("staff", teams.public_id), address("staff_start", teams.public_id)
    lists = address("staff_entrants", teams.public_id)
    assert "1 player missing" in text(client.get(desk))
    lock_decks(event=teams, by=cast.organizer, now=NOW)
    said = text(client.get(start))
    assert "Ants" in said and "1 player missing" in said and "2 complete teams will be paired" in said
    assert "3 teams have not checked in." in said and "registered player" not in said
    events.open_check_in(event=teams, by=cast.organizer, now=NOW)
    assert "1 player missing" in text(client.get(lists)) and "Incomplete" in text(client.get(lists))
    rows = text(client.get(f"{lists}?show=incomplete")).partition("<tbody>")[2]
    assert "Ants" in rows and "Foxes" not in rows
    for team in teams.entrants.all():
        events.check_in(entrant=team, by=cast.organizer, now=NOW)
    assert "1 team is not ready." in text(client.get(desk))
    with assert_refused("not_ready") as refused:
        play.start_event(event=teams, by=cast.organizer, now=NOW)
    assert "Ants" in str(refused.value.message)


def test_a_team_that_comes_back_incomplete_is_named_when_the_round_is_paired(cast: Cast, teams: Event) -> None:
    lock_decks(event=teams, by=cast.organizer, now=NOW)
    play.start_event(event=teams, by=cast.organizer, now=NOW, drop_absent=True)
    ants = teams.entrants.get(team_name="Ants")
    play.reinstate(entrant=ants, by=cast.organizer, now=NOW)
    with assert_refused("team_incomplete") as refused:
        play.pair_round(stage=teams.stages.get(), by=cast.organizer, now=NOW)
    assert "Ants" in str(refused.value.message)


def test_teams_are_counted_as_teams(cast: Cast, teams: Event) -> None:
    assert "3 teams" in text(Client().get("/"))
    assert "Teams" in text(Client().get(address("event", teams.public_id)))
    said = text(Client().get(address("entrants", teams.public_id)))
    assert "3 teams" in said and "3 entrants" not in said
    said = text(signed_in(cast.organizer).get(address("staff_details", teams.public_id)))
    assert "3 teams take part." in said and "Places for teams" in said


@pytest.mark.parametrize(
    ("opens", "closes", "said", "state"),
    [
        (None, timedelta(hours=-1), "Registration closed", "closed"),
        (timedelta(hours=1), None, "Registration not open yet", "later"),
        (None, timedelta(hours=1), "Registration open", "open"),
        (None, None, "Registration open", "open"),
    ],
)
def test_registration_is_shown_as_it_is_now(
    cast: Cast, opens: timedelta | None, closes: timedelta | None, said: str, state: str
) -> None:
    event, at = an_open_event(cast), now()
    event.registration_opens_at = at + opens if opens else None
    event.registration_closes_at = at + closes if closes else None
    event.save()
    for page in ("/", address("event", event.public_id)):
        shown = text(Client().get(page))
        assert said in shown
        assert ("Registration open" in shown.replace("Registration opens", "")) == (state == "open")
    desk = text(signed_in(cast.organizer).get(address("staff", event.public_id)))
    assert said in desk
    answer = Client().get(f"/api/v1/events/{event.public_id}/")
    assert answer.json()["registration"] == state


def test_a_locked_event_without_lists_does_not_speak_of_decklists(cast: Cast) -> None:
    event = an_open_event(cast, lists="none")
    lock_decks(event=event, by=cast.organizer, now=NOW)
    shown = text(Client().get("/"))
    assert "Registration closed" in shown and "Decklists locked" not in shown


def test_late_players_are_found_by_name_and_by_table(cast: Cast) -> None:
    event = a_running_event(cast, players=28)
    round_ = a_published_round(event, cast.organizer)
    page, client = address("staff_late", event.public_id, round_.number), signed_in(cast.judge)
    first = text(client.get(page))
    assert first.count("is not there") == 24 and "1 / 2" in first
    name = round_.matches.get(table=14).seats.get(number=1).entrant.name
    for wanted in ("14", name):
        found = text(client.get(page, {"find": wanted}))
        assert "Table 14" in found and f"{name} is not there" in found
    assert text(client.get(page, {"find": "14"})).count("is not there") == 2
    assert "No table without a result for “99”." in text(client.get(page, {"find": "99"}))


def test_a_table_that_does_not_exist_is_answered_with_those_that_do(cast: Cast) -> None:
    event = a_running_event(cast, players=8)
    with assert_refused("audience_invalid") as refused:
        announce(event=event, by=cast.organizer, now=NOW, text="Hello", minutes=10, table=99)
    assert str(refused.value.message) == "No round is being played."
    round_ = a_published_round(event, cast.organizer)
    with assert_refused("audience_invalid") as refused:
        announce(event=event, by=cast.organizer, now=NOW, text="Hello", minutes=10, table=99)
    assert str(refused.value.message) == "Round 1 has tables 1 to 4."
    client = signed_in(cast.organizer)
    for page in ("staff_results", "staff_round"):
        assert "Round 1 has tables 1 to 4." in text(client.get(address(page, event.public_id, 1), {"find": "99"}))
    checks = signed_in(cast.judge).post(address("deck_checks", event.public_id, 1), {"table": "99"})
    assert "Round 1 has tables 1 to 4." in text(checks)
    round_.matches.filter(table=2).update(table=12)
    assert tables_said(round_) == "Round 1 has only these tables: 1, 3–4, 12."


def test_a_seat_a_board_or_a_stage_that_does_not_exist_is_answered_with_those_that_do(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    match = a_published_round(event, cast.organizer).matches.get(table=1)
    with assert_refused("seat_unknown") as refused:
        play.note_empty(match=match, seat=7, by=cast.judge, now=NOW)
    assert str(refused.value.message) == "This table has seats 1 to 2."
    with assert_refused("audience_invalid") as refused:
        announce(event=event, by=cast.organizer, now=NOW, text="Hello", minutes=10, stage=7)
    assert str(refused.value.message) == "This event has only stage 1."


@pytest.mark.parametrize(
    ("tables", "said"),
    [([], ""), ([5], "5"), ([1, 2], "1–2"), ([1, 3, 5], "1, 3, 5"), (list(range(1, 101, 2)), "1, 3, 5")],
)
def test_table_numbers_are_said_as_ranges(tables: list[int], said: str) -> None:
    assert in_ranges(tables, most=3).removesuffix(", …") == said


def test_the_deck_format_page_says_what_can_be_done_now(cast: Cast) -> None:
    event, client = an_event(cast), signed_in(cast.organizer)
    page = address("staff_format", event.public_id)
    said = text(client.get(page))
    assert "choose “Not collected” under “Decklists”" in said
    assert "are dropped" not in said and "create the event" not in said
    running = a_running_event(cast)
    said = text(client.get(address("staff_format", running.public_id)))
    assert "They can no longer change" in said and "Use this format" not in said and "Not collected" not in said


def test_a_procedure_that_is_not_possible_is_explained_in_words(cast: Cast) -> None:
    event, client = an_event(cast), signed_in(cast.organizer)
    page = address("staff_procedures", event.public_id)
    form = client.get(page).context["form"]
    sent = {name: "" if (value := form[name].value()) is None else value for name in form.fields}
    sent = {name: value for name, value in sent.items() if value is not False}
    late = {"tardiness.grace": "20", "tardiness.game_loss": "5", "tardiness.match_loss": "10"}
    answer = client.post(page, {**sent, **late})
    assert answer.status_code == 422
    assert "The grace period must not be longer than" in text(answer) and "out_of_order" not in text(answer)


def test_staff_without_a_role_are_not_told_of_a_table(cast: Cast) -> None:
    event = an_event(cast)
    answer = signed_in(cast.judge).post(address("staff_step", event.public_id, "open"))
    assert answer.status_code == 403
    assert "who does not play at that table" not in text(answer) and "whose role covers this" in text(answer)


def _moved(event: Event, status: str) -> Event:
    Event.objects.filter(pk=event.pk).update(status=status)
    return event


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("locked", "Until round 1 is paired, the desk can still add players: ask there."),
        ("check_in", "Until round 1 is paired, the desk can still add players: ask there."),
        ("running", "This event has started: registration is closed."),
        ("finished", "This event is over."),
        ("archived", "This event is over."),
        ("cancelled", "This event is cancelled."),
    ],
)
def test_the_page_of_registration_says_why_it_is_closed(cast: Cast, status: str, why: str) -> None:
    event = _moved(an_open_event(cast), status)
    page = address("register", event.public_id)
    for client in (Client(), signed_in(cast.stranger)):
        shown = client.get(page)
        assert shown.status_code == 200 and why in text(shown)
        assert 'method="post"' not in escaped(shown).partition("<main")[2].partition("</main>")[0]
    refused = signed_in(cast.stranger).post(page)
    assert refused.status_code == 409 and why in text(refused)
    assert not event.entrants.exists()


def test_registration_that_opens_later_says_when(cast: Cast) -> None:
    event = an_open_event(cast)
    Event.objects.update(registration_opens_at=now() + timedelta(days=400))
    shown = text(Client().get(address("register", event.public_id)))
    assert "Registration is not open yet." in shown and "Registration opens" in shown


def test_a_running_event_says_whether_late_entries_are_possible(cast: Cast) -> None:
    event = a_running_event(cast)
    page = address("register", event.public_id)
    Event.objects.update(procedures={**event.procedures, "late_entry": {"allowed": False, "last_round": 0}})
    assert "Late entries are not possible any more." in text(Client().get(page))
    Event.objects.update(procedures={**event.procedures, "late_entry": {"allowed": True, "last_round": 0}})
    assert "Late entries are still possible: ask at the desk." in text(Client().get(page))
    assert "My seat" in text(signed_in(cast.player).get(page))


def test_a_full_event_offers_the_waiting_list_instead_of_a_form_that_fails(cast: Cast) -> None:
    event = an_open_event(cast, capacity=2)
    for user in (cast.player, cast.opponent):
        events.register(event=event, person=own_person(user), by=user, now=NOW)
    client = signed_in(cast.stranger)
    assert "Join the waiting list" in text(client.get(address("register", event.public_id), follow=True))
    assert "you are on the waiting list" in text(client.post(address("register", event.public_id), follow=True))


BROKEN = [
    "/seat/n-abcdefghij/wrong/",
    "/seat/n-abcdefghij/",
    "/team/n-abcdefghij/wrong/",
    "/join/e-abcdefghij/wrong/",
    "/join/",
    "/claim/n-abcdefghij/wrong/",
    "/claim/n-abcdefghij/wrong/).",
    "/invitation/i-abcdefghij/wrong/",
    "/entry-invitation/i-abcdefghij/wrong/",
    "/entry-invitation/i-abc",
]


@pytest.mark.parametrize("link", BROKEN)
def test_a_broken_personal_link_says_what_to_do(link: str) -> None:
    shown = Client().get(link, follow=True)  # punctuation that was copied along is left out first
    assert shown.status_code == 404
    assert "This link was replaced or is incomplete. Ask the organizer for a new one." in text(shown)
    assert shown["Cache-Control"] == "no-store"


@pytest.mark.parametrize("link", ["/link/", "/address/u-abc/wrong/", "/letters/u-abc/place/wrong/", "/reset/x/"])
def test_a_broken_link_of_an_account_says_to_request_another(link: str) -> None:
    shown = Client().get(link)
    assert shown.status_code == 404
    assert "This link was replaced or is incomplete. Request a new one." in text(shown)


def test_any_other_address_that_does_not_exist_is_no_personal_link() -> None:
    for page in ("/nothing/", "/seats/x/y/", "/linked/", "/e/e-abcdefghij/"):
        shown = Client().get(page)
        assert shown.status_code == 404 and "This link was replaced" not in text(shown)


def _charging(cast: Cast) -> Event:
    event = an_open_event(cast, lists="none")
    change_procedures(
        event=event,
        procedures={"entry": {"kind": "paid", "cents": 1250, "currency": "EUR"}},
        by=cast.organizer,
        now=NOW,
    )
    for user in (cast.player, cast.opponent, cast.stranger):
        events.register(event=event, person=own_person(user), by=user, now=NOW)
    event.refresh_from_db()
    return event


def test_several_are_marked_as_paid_with_the_amount_and_the_start_says_who_has_not(cast: Cast) -> None:
    event, client = _charging(cast), signed_in(cast.organizer)
    assert "3 players have not paid the entry fee." in text(client.get(address("staff", event.public_id)))
    ids = list(event.entrants.order_by("pk").values_list("public_id", flat=True))
    sent = {"entrant": ids[:2], "command": "paid"}
    done = client.post(address("staff_entrants_several", event.public_id), sent, follow=True)
    assert "2 entries are marked as paid." in text(done)
    assert [payment.cents for payment in Payment.objects.filter(event=event)] == [1250, 1250]
    lock_decks(event=event, by=cast.organizer, now=NOW)
    assert "1 player has not paid the entry fee." in text(client.get(address("staff_start", event.public_id)))
    client.post(address("staff_entrant", event.public_id, ids[0], "owed"))
    client.post(address("staff_entrant", event.public_id, ids[0], "paid"))
    noted = Payment.objects.filter(entrant__public_id=ids[0])
    assert sorted(payment.status for payment in noted) == ["confirmed", "refunded"]


def test_the_fee_is_the_prices_and_the_note_beside_them(cast: Cast) -> None:
    event = _charging(cast)
    Event.objects.filter(pk=event.pk).update(fee="Cash at the desk")
    page = text(Client().get(address("event", event.public_id)))
    assert page.count("Entry fee") == 1 and "12.50 EUR, paid at the desk" in page and "Cash at the desk" in page
    for name, cents in (("Adult", 1200), ("Child", 600)):
        add_price(event=event, name=name, cents=cents, by=cast.organizer, now=NOW)
    page = text(Client().get(address("event", event.public_id)))
    assert "Adult: 12.00 EUR · Child: 6.00 EUR" in page and "Cash at the desk" in page and "12.50" not in page
    seat = text(signed_in(cast.player).get(address("me", event.public_id)))
    assert "Adult: 12.00 EUR · Child: 6.00 EUR" in seat and "Cash at the desk" in seat
    PriceTier.objects.update(closes_at=NOW)
    assert "12.50" not in text(Client().get(address("event", event.public_id)))  # not the price that nobody pays


@pytest.mark.parametrize(("note", "free"), [("", True), ("10 €, members nothing", False), ("Ask at the desk", False)])
def test_a_note_alone_is_not_called_free(cast: Cast, note: str, free: bool) -> None:
    event = an_open_event(cast)
    Event.objects.filter(pk=event.pk).update(fee=note)
    shown = text(Client().get(address("event", event.public_id)))
    assert note in shown and ("<dd>Free" in shown) is free


def test_registration_that_asks_something_shows_the_fee(cast: Cast) -> None:
    event = a_team_event(cast)
    procedures = {"entry": {"kind": "paid", "cents": 3000, "currency": "EUR"}}
    Event.objects.filter(pk=event.pk).update(procedures=procedures, fee="Cash at the desk")
    page = text(signed_in(cast.player).get(address("register", event.public_id)))
    assert "30.00 EUR" in page and "Cash at the desk" in page


def _as_it_is(form: Form) -> dict[str, object]:
    """What a browser sends of a form that nobody has changed."""
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value is not None and value is not False}


@pytest.mark.parametrize(
    ("typed", "currency", "cents"),
    [("12.50", "EUR", 1250), ("0", "EUR", 0), ("5", "CHF", 500), ("800", "JPY", 800), ("0.05", "USD", 5)],
)
def test_the_price_in_the_procedures_is_typed_in_whole_units(cast: Cast, typed: str, currency: str, cents: int) -> None:
    event, client = an_open_event(cast), signed_in(cast.organizer)
    page = address("staff_procedures", event.public_id)
    sent = _as_it_is(client.get(page).context["form"])
    sent |= {"entry.kind": "paid", "entry.cents": typed, "entry.currency": currency}
    client.post(page, sent)
    event.refresh_from_db()
    assert read_procedures(event.procedures).entry.cents == cents
    again = client.get(page).context["form"]["entry.cents"].value()
    assert float(again) == float(typed)


@pytest.mark.parametrize(("typed", "currency"), [("12.5", "JPY"), ("-1", "EUR"), ("1.234", "EUR"), ("999999", "EUR")])
def test_a_price_that_cannot_be_is_refused_beside_its_field(cast: Cast, typed: str, currency: str) -> None:
    event, client = an_open_event(cast), signed_in(cast.organizer)
    page = address("staff_procedures", event.public_id)
    sent = _as_it_is(client.get(page).context["form"])
    answer = client.post(page, sent | {"entry.kind": "paid", "entry.cents": typed, "entry.currency": currency})
    assert answer.status_code == 422 and list(answer.context["form"].errors) == ["entry.cents"]


def test_the_api_records_the_amount_and_check_in_says_who_has_not_paid(cast: Cast) -> None:
    event = _charging(cast)
    one = event.entrants.earliest("pk")
    route = f"/api/v1/entrants/{one.public_id}/entry/"
    client = signed_in(cast.organizer)

    def put(how: str) -> list[tuple[int, str]]:
        answer = client.put(route, {"how": how}, content_type="application/json")
        assert answer.status_code == 200 and answer.json()["how"] == how
        return [(payment.cents, payment.status) for payment in Payment.objects.order_by("pk")]

    assert put("paid") == put("paid") == [(1250, "confirmed")]
    assert put("voucher") == [(1250, "refunded")]
    assert put("paid") == [(1250, "refunded"), (1250, "confirmed")]
    lock_decks(event=event, by=cast.organizer, now=NOW)
    events.open_check_in(event=event, by=cast.organizer, now=NOW)
    assert "2 players have not paid the entry fee." in text(client.get(address("staff_entrants", event.public_id)))


def test_an_e_mail_is_promised_only_to_an_account_that_gets_it(cast: Cast) -> None:
    cast.player.email_confirmed_at = NOW
    assert gets_letter(cast.player, Kind.PLACE)
    assert not gets_letter(cast.player, Kind.FOLLOWED)  # has to be asked for
    cast.player.email_confirmed_at = None
    assert not gets_letter(cast.player, Kind.PLACE)


@pytest.mark.parametrize(("confirmed", "said"), [(True, "you will get an e-mail"), (False, "will be on this page")])
def test_an_applicant_is_told_where_the_answer_will_be(cast: Cast, confirmed: bool, said: str) -> None:
    event = an_open_event(cast)
    Event.objects.update(approval=True)
    User.objects.filter(pk=cast.player.pk).update(email_confirmed_at=NOW if confirmed else None)
    answer = text(signed_in(cast.player).post(address("register", event.public_id), follow=True))
    assert "Application sent. The organizer will decide" in answer and said in answer


@pytest.fixture
def no_mail(settings: Any, tmp_path: Path) -> None:
    """A site without a mail server."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path


NO_MAIL = "This site sends no e-mails"
PROMISES = ("we e-mail you", "We e-mail", "we have e-mailed", "We have e-mailed", "We’ve e-mailed", "on its way")


@pytest.mark.parametrize("known", [True, False])
def test_a_new_password_is_not_promised_by_an_e_mail_that_nobody_sends(cast: Cast, no_mail: None, known: bool) -> None:
    User.objects.filter(pk=cast.player.pk).update(email="one@example.com", email_confirmed_at=NOW)
    client, page = Client(), address("reset_ask")
    asked = text(client.post(page, {"email": "one@example.com" if known else "two@example.com"}, follow=True))
    assert "If there is an account with this address, the operator of the site can give you the link" in asked
    for shown in (asked, text(client.get(page)), text(client.get(address("contact")))):
        assert NO_MAIL.lower() in shown.lower() and not any(promise in shown for promise in PROMISES)


def test_sign_up_and_the_account_say_how_to_confirm_without_e_mails(no_mail: None) -> None:
    client = Client()
    sent = {"given_name": "Player", "family_name": "1", "email": "new@example.com", "password": "a-long-one-12"}
    welcome = text(client.post(address("sign_up"), sent, follow=True))
    assert "ask its operator for the link that confirms your address" in welcome
    account = text(client.get(address("account")))
    again = text(client.post(address("account_confirm"), follow=True))
    changed = {"email": "other@example.com", "password": "a-long-one-12"}
    other = text(client.post(address("account_address"), changed, follow=True))
    notices = text(client.get(address("account_notices")))
    for shown in (welcome, account, again, other, notices):
        assert NO_MAIL in shown and not any(promise in shown for promise in PROMISES)
    assert "ask its operator for the link" in again and "ask its operator for the link" in other


def test_invitations_say_to_pass_the_link_on_without_e_mails(cast: Cast, no_mail: None) -> None:
    event, client = an_open_event(cast), signed_in(cast.organizer)
    sent = {"role": "judge", "email": "judge@example.com"}
    invited = text(client.post(address("staff_invite", event.public_id), sent, follow=True))
    assert "The link is ready: pass it on." in invited and "pass the link on yourself" in invited
    walk_in = events.add_entrant(event=event, given_name="Player", family_name="9", by=cast.organizer, now=NOW)
    pages = (address("staff_invitations", event.public_id), address("staff_entry", event.public_id, walk_in.public_id))
    for page in pages:
        assert NO_MAIL in text(client.get(page))
