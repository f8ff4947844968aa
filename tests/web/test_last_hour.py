"""The hour before an event starts: walk-ins, bulk actions on entrants, pasted names, details and deadlines."""

import re
from datetime import timedelta

import pytest

from tests.builders import NOW, a_running_event, an_entrant, an_event, an_open_event, deck_text
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.services import own_person
from tournaments.common import clock
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events import services as events
from tournaments.events.models import Entrant, EntryImport, EntryInvitation, Event
from tournaments.play import services as play
from tournaments.play.services.details import change_details

pytestmark = pytest.mark.django_db
SOON = timedelta(hours=1)


@pytest.fixture
def checking_in(cast: Cast) -> Event:
    """An event in check-in with three entrants; the third, Zuse, has no decklist."""
    event = an_open_event(cast)
    for number, user in enumerate((cast.player, cast.opponent, account("Zuse")), 1):
        an_entrant(event, user, deck=number if number < 3 else None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    events.open_check_in(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def ids(event: Event) -> list[str]:
    return list(event.entrants.order_by("pk").values_list("public_id", flat=True))


# ------------------------------------------------------------------------------------------- entrants at the desk


def test_after_adding_a_walk_in_the_first_field_is_focused_and_the_filter_kept(cast: Cast, checking_in: Event) -> None:
    client, page = signed_in(cast.scorekeeper), address("staff_entrants", checking_in.public_id)
    add = address("staff_entrant_add", checking_in.public_id)
    assert f'action="{add}?show=absent&amp;sort=-name"' in text(client.get(page + "?show=absent&sort=-name"))
    answer = client.post(add + "?show=absent&sort=-name", {"given_name": "Ada"})
    assert answer["Location"] == page + "?show=absent&sort=-name&adding=1"
    shown = text(client.get(answer["Location"]))
    assert "Ada is entered and checked in." in shown
    assert re.search('name="given_name"[^>]* autofocus', shown)


def test_someone_on_the_waiting_list_can_be_let_in_once_the_event_runs(cast: Cast, checking_in: Event) -> None:
    Event.objects.update(capacity=3)
    waiting = play.enter_at_desk(event=checking_in, given_name="Wait", family_name="", by=cast.scorekeeper, now=NOW)
    client, desk = signed_in(cast.scorekeeper), address("staff_entrants", checking_in.public_id)
    assert waiting.status == "waiting" and "Admit" not in text(client.get(desk))
    checking_in.entrants.filter(status="registered").update(checked_in_at=NOW)
    play.start_event(event=checking_in, by=cast.organizer, now=NOW, drop_absent=True)
    assert "Admit" in text(client.get(desk))
    let_in = address("staff_entrant", checking_in.public_id, waiting.public_id, "reinstate")
    assert client.post(let_in).status_code == 302
    waiting.refresh_from_db()
    assert waiting.status == "registered" and "Admit" not in text(client.get(desk))


def test_adding_a_name_that_is_already_entered_asks_for_confirmation(cast: Cast, checking_in: Event) -> None:
    client, add = signed_in(cast.scorekeeper), address("staff_entrant_add", checking_in.public_id)
    asked = client.post(add, {"given_name": "zuse", "family_name": ""})
    assert asked.status_code == 409 and "Is this another person of the same name?" in text(asked)
    assert checking_in.entrants.count() == 3
    assert client.post(add, {"given_name": "zuse", "family_name": "", "another": "1"}).status_code == 302
    assert checking_in.entrants.count() == 4
    refused = client.post(add, {"given_name": "zoe@example.com"})
    assert refused.status_code == 422 and "an e-mail address cannot be one" in text(refused)


def test_an_action_returns_to_the_row_and_keeps_filter_and_order(cast: Cast, checking_in: Event) -> None:
    client, entrant = signed_in(cast.scorekeeper), ids(checking_in)[0]
    page = address("staff_entrants", checking_in.public_id)
    # The unsafe "next" must not lead to another host.
    for action in ("check-in", "undo-check-in"):
        where = address("staff_entrant", checking_in.public_id, entrant, action)
        assert client.post(where + "?sort=here&next=//x")["Location"] == f"{page}?sort=here#{entrant}"
    row = text(client.post(where.replace("undo-", "") + "?sort=here", headers={"HX-Request": "true"}))
    assert f'id="n-{entrant}" tabindex="-1">' in row
    assert "undo-check-in/?sort=here" in row


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        ("name", "Player 1"),
        ("-name", "Zuse"),
        ("list", "Zuse"),
        ("-list", "Player"),
        ("here", "Zuse"),
        ("x", "Player 1"),
    ],
)
def test_the_entrants_can_be_sorted_by_a_column(cast: Cast, checking_in: Event, sort: str, first: str) -> None:
    checking_in.entrants.filter(member__person__given_name="Zuse").update(checked_in_at=NOW)
    page = text(signed_in(cast.scorekeeper).get(address("staff_entrants", checking_in.public_id) + f"?sort={sort}"))
    assert first in page.split("<tbody>")[1].split("</th>")[0]
    assert ('aria-sort="descending"' in page) == sort.startswith("-")


def test_bulk_actions_on_entrants_name_those_that_were_refused(cast: Cast, checking_in: Event) -> None:
    client, where = signed_in(cast.scorekeeper), address("staff_entrants_several", checking_in.public_id)
    dropped = checking_in.entrants.get(member__person__given_name="Zuse")
    for action, chosen in (("drop", [dropped.public_id]), ("check_in", ids(checking_in))):
        shown = text(client.post(where + "?sort=name", {"command": action, "entrant": chosen}, follow=True))
    assert "2 entrants are checked in." in shown and "Zuse: This entrant has dropped from the event." in shown
    assert checking_in.entrants.filter(checked_in_at__isnull=False).count() == 2
    shown = text(client.post(where, {"command": "reinstate", "entrant": ids(checking_in)}, follow=True))
    assert "3 entrants are reinstated." in shown
    assert LedgerEntry.objects.filter(code="entrant.reinstated").count() == 1
    assert "Select at least one entrant." in text(client.post(where, {"command": "drop"}, follow=True))
    elsewhere = an_entrant(an_open_event(cast, name="Other"), cast.player).public_id
    for chosen, action in (([*ids(checking_in), elsewhere], "drop"), (ids(checking_in), "erase")):
        assert client.post(where, {"command": action, "entrant": chosen}).status_code == 422
    assert not checking_in.entrants.filter(status="dropped").exists()


def test_a_player_can_undo_their_check_in(cast: Cast, checking_in: Event) -> None:
    client, where = signed_in(cast.player), address("check_in_self", checking_in.public_id)
    client.post(where)
    assert "Undo check-in" in text(client.get(address("me", checking_in.public_id)))
    client.post(where, {"back": "1"})
    assert not checking_in.entrants.filter(checked_in_at__isnull=False).exists()


def test_entrants_without_a_decklist_can_be_kept_at_the_start(cast: Cast, checking_in: Event) -> None:
    checking_in.entrants.exclude(member__person__account=cast.opponent).update(checked_in_at=NOW)
    client, start = signed_in(cast.organizer), address("staff_step", checking_in.public_id, "start")
    desk = text(client.get(address("staff", checking_in.public_id)))
    assert "Keep them in and start" in desk and "who is not checked in, type 1" in desk
    assert client.post(start, {"listless": "keep", "dropped": "2"}).status_code == 422
    assert client.post(start, {"listless": "keep", "dropped": "1"}).status_code == 302
    assert sorted(checking_in.entrants.values_list("status", flat=True)) == ["dropped", "registered", "registered"]


# ------------------------------------------------------------------------------------------------- pasted names


def pasted(cast: Cast, event: Event, names: str) -> tuple[object, str]:
    """Paste names at the desk; return the browser and the address of the preview."""
    client = signed_in(cast.scorekeeper)
    answer = client.post(address("staff_import_new", event.public_id), {"names": names})
    return client, answer["Location"]


def test_pasted_names_are_previewed_and_then_entered(cast: Cast) -> None:
    event = an_event(cast)
    client, page = pasted(cast, event, "Ana de la Cruz\n\nLune, Zoé\nEmma Martin\nemma martin\n")
    shown = text(client.get(page))
    assert "Add 3 entrants" in shown and "this name is already in the event" in shown
    client.post(f"{page}confirm/")
    people = event.entrants.order_by("pk").values_list("member__person__given_name", "member__person__family_name")
    assert list(people) == [("Ana", "de la Cruz"), ("Zoé", "Lune"), ("Emma", "Martin")]
    assert signed_in(cast.scorekeeper).post(address("staff_import_new", event.public_id)).status_code == 422


def test_spreadsheet_rows_can_be_pasted(cast: Cast) -> None:
    event = an_open_event(cast)
    client, page = pasted(cast, event, "First name\tLast name\tE-mail\nZoé\tLune\tzoe@example.com\n")
    client.post(f"{page}confirm/")
    assert event.entrants.get().full_name == "Zoé Lune"


def test_pasted_email_addresses_are_left_out_or_numbered(cast: Cast) -> None:
    event = an_open_event(cast)
    events.add_entrant(event=event, given_name="Player 1", family_name="", by=cast.scorekeeper, now=NOW)
    client, page = pasted(cast, event, "zoe@example.com\nada@example.com\nBea <bea@example.com>\n")
    shown = text(client.get(page))
    assert "2 lines have e-mail addresses" in shown and "Add 1 entrant" in shown
    form = {"encoding": "utf-8", "delimiter": "tab", "column_0": "name", "numbered": "on"}
    client.post(page, form)
    assert "2 players are named by numbers" in text(client.get(page))
    client.post(f"{page}confirm/")
    names = [entrant.full_name for entrant in event.entrants.order_by("pk")]
    assert names == ["Player 1", "Player 2", "Player 3", "Bea"]
    assert "@" not in str(list(Entrant.objects.values())) + str(EntryImport.objects.values())
    invited = EntryInvitation.objects.filter(entrant__event=event).order_by("entrant")
    assert list(invited.values_list("email", flat=True)) == ["zoe@example.com", "ada@example.com", "bea@example.com"]


# --------------------------------------------------------------------------------------- details of the event


def details(event: Event, **fields: str) -> dict[str, str]:
    return {"name": event.name, "time_zone": "Europe/Paris", **fields}


def test_a_description_is_previewed_and_shown_without_unsafe_markup(cast: Cast) -> None:
    event = an_open_event(cast)
    client, page = signed_in(cast.organizer), address("staff_details", event.public_id)
    written = (
        "# Prizes\n**Boosters** <script>alert(1)</script> ![x](http://example.com/x.png) [rules](https://example.com)"
    )
    shown = text(client.post(page, details(event, description=written, preview="1")))
    assert "<strong>Boosters</strong>" in shown and "Not saved yet." in shown
    event.refresh_from_db()
    assert event.description == ""
    client.post(page, details(event, description=written, link="https://example.com/e", fee="10 €, free under 16"))
    seen = text(signed_in(cast.stranger).get(address("event", event.public_id)))
    assert "<h3>Prizes</h3>" in seen and "10 €, free under 16" in seen and 'href="https://example.com/e"' in seen
    assert 'href="https://example.com" rel="nofollow noopener"' in seen
    assert "<script>alert" not in seen and "<img" not in seen.split('class="prose"')[1].split("</section>")[0]
    assert client.post(page, details(event, description="x" * 10_001)).status_code == 422
    assert client.post(page, details(event, link="javascript:alert(1)")).status_code == 422


def test_registration_opens_and_closes_at_the_set_times(cast: Cast) -> None:
    event, now = an_open_event(cast), clock.now()
    button, page = ">Register<", address("event", event.public_id)
    for opens, closes, open_ in ((now + SOON, None, False), (now - SOON, now + SOON, True), (None, now - SOON, False)):
        change_details(
            event=event, by=cast.organizer, now=now, registration_opens_at=opens, registration_closes_at=closes
        )
        shown = text(signed_in(cast.player).get(page))
        assert (button in shown) == open_
        assert ("Registration opens" in shown) == (opens is not None)
        event.refresh_from_db()
        if not open_:
            with assert_refused("registration_closed"):
                events.register(event=event, person=own_person(cast.player), by=cast.player, now=now)
    assert events.add_entrant(event=event, given_name="Ada", family_name="", by=cast.scorekeeper, now=now)
    with assert_refused("times_wrong"):
        change_details(event=event, by=cast.organizer, now=now, registration_opens_at=now)


def test_after_the_deadline_only_the_desk_can_submit_decklists(cast: Cast) -> None:
    event, now = an_open_event(cast), clock.now()
    entrant = an_entrant(event, cast.player)
    change_details(event=event, by=cast.organizer, now=now, lists_due_at=now - SOON)
    entrant.refresh_from_db()
    with assert_refused("decks_locked"):
        submit_decklist(entrant=entrant, text=deck_text(2), by=cast.player, now=now)
    page = text(signed_in(cast.player).get(address("deck", event.public_id)))
    assert "The deadline for decklists has passed." in page and 'name="text"' not in page
    typed = submit_decklist(entrant=entrant, text=deck_text(2), by=cast.scorekeeper, now=now)
    lock_decks(event=event, by=cast.organizer, now=now)
    with assert_refused("decks_locked"):
        submit_decklist(entrant=entrant, text=deck_text(3), by=cast.scorekeeper, now=now)
    typed.delete()
    entrant.decklists.all().delete()
    assert submit_decklist(entrant=entrant, text=deck_text(3), by=cast.scorekeeper, now=now).legal


def test_pages_do_not_mention_decklists_if_none_are_collected(cast: Cast) -> None:
    event = an_open_event(cast, lists="none")
    entrant = an_entrant(event, cast.player, deck=None)
    client, deck = signed_in(cast.player), address("deck", event.public_id)
    for page in ("me", "event"):
        shown = text(client.get(address(page, event.public_id)))
        assert deck not in shown and "decklist" not in shown.lower().replace("not collected", "").replace(
            "<dt>decklists", ""
        )
    assert client.get(deck).status_code == 404
    desk = text(signed_in(cast.scorekeeper).get(address("staff_entrants", event.public_id)))
    assert "Type a list" not in desk and "With a legal list" not in desk
    with assert_refused("lists_not_collected"):
        submit_decklist(entrant=entrant, text=deck_text(1), by=cast.player, now=NOW)


def test_the_decklist_requirement_can_change_only_while_it_breaks_nothing(cast: Cast) -> None:
    event = an_open_event(cast)

    def choose(lists: str) -> None:
        change_details(event=event, by=cast.organizer, now=NOW, lists=lists)

    for lists in ("none", "optional", "required"):
        choose(lists)
    event.refresh_from_db()
    an_entrant(event, cast.player)
    with assert_refused("decks_exist"):
        choose("none")
    choose("optional")
    lock_decks(event=event, by=cast.organizer, now=NOW)
    with assert_refused("event_state"):
        choose("required")
    offered = text(signed_in(cast.organizer).get(address("staff_details", event.public_id)))
    assert 'value="required"' not in offered and 'value="optional" selected' in offered
    running = a_running_event(cast, name="Running", named="Other")
    with assert_refused("event_state"):
        change_details(event=running, by=cast.organizer, now=NOW, lists="optional")
    with assert_refused("lists_unknown"):
        choose("some")
