"""Pairing settings: options of a stage, byes, pairs to keep apart, fixed tables, and how they are shown."""

import pytest
from django.test import Client

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.events.models import Entrant, Event
from tournaments.events.pairing_settings import choose_pairing, note_needs
from tournaments.events.selectors import current_stage
from tournaments.paper.sheets import seat_address
from tournaments.play import services as play
from tournaments.play.models import AwardedBye, Match
from tournaments.web.forms.players import PlayerField

pytestmark = pytest.mark.django_db

OPTIONS = {"pairing_order": "standing", "clubs_apart": "on", "byes_on_request": "half_bye"}


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=6)


def entrants(event: Event) -> list[Entrant]:
    return list(event.entrants.order_by("pk"))


@pytest.mark.parametrize(
    ("name", "args", "low"),
    [
        ("staff_pairing_stage", (1,), "scorekeeper"),
        ("staff_pairing_add", ("bye",), "judge"),
        ("staff_pairing_allow", (1,), "judge"),
    ],
)
def test_pairing_actions_are_hidden_from_strangers_and_refused_to_lower_roles(
    event: Event, cast: Cast, name: str, args: tuple[object, ...], low: str
) -> None:
    page = address(name, event.public_id, *args)
    assert signed_in(cast.stranger).post(page, {}).status_code == 404
    assert signed_in(cast.player).post(page, {}).status_code == 404
    assert signed_in(getattr(cast, low)).post(page, {}).status_code == 403
    assert Client().post(page, {}).status_code == 302


def test_only_desk_staff_can_open_the_pairing_settings(event: Event, cast: Cast) -> None:
    page = address("staff_pairing", event.public_id)
    assert signed_in(cast.stranger).get(page).status_code == 404
    assert signed_in(cast.judge).get(page).status_code == 403
    shown = text(signed_in(cast.scorekeeper).get(page))
    assert "3 rounds are suggested," in shown and "the smallest number after which" in shown
    assert 'name="pairing_order"' not in shown, "the options are the organizer's"


def test_an_organizer_can_change_the_options_between_rounds(event: Event, cast: Cast) -> None:
    a_published_round(event, cast.organizer)
    client = signed_in(cast.organizer)
    page = address("staff_pairing_stage", event.public_id, 1)
    assert client.post(page, OPTIONS).status_code == 302
    stage = current_stage(event)
    assert (stage.pairing_order, stage.clubs_apart, stage.even_sides) == ("standing", True, False)
    assert client.post(page, {**OPTIONS, "pairing_order": "fold"}).status_code == 422
    assert "Pairing options of a stage changed" in text(client.get(address("staff_ledger", event.public_id)))


def test_the_desk_awards_byes_keeps_players_apart_and_fixes_tables(cast: Cast) -> None:
    event = a_running_event(cast, players=7)
    one, two, *_others = entrants(event)
    client = signed_in(cast.scorekeeper)
    page = address("staff_pairing", event.public_id)

    def add(what: str, **data: object) -> int:
        return int(client.post(address("staff_pairing_add", event.public_id, what), data).status_code)

    assert add("bye", entrant=one.public_id, number=1, kind="half_bye") == 302
    assert add("pair", first=one.public_id, second=two.public_id, reason="Sisters") == 302
    assert add("needs", entrant=two.public_id, club="Corbeaux", table=4) == 302
    assert add("pair", first=one.public_id, second=one.public_id, reason="x") == 422
    assert add("bye", entrant=one.public_id, number=9, kind="bye") == 422
    assert add("nothing") == 404
    shown = text(client.get(page))
    assert all(said in shown for said in ("Half bye", "Sisters", "fixed table 4", "Corbeaux"))
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    draft = text(client.get(address("staff_round", event.public_id, 1)))
    assert "Half bye" in draft and "has a bye awarded by the organizer." in draft
    assert "Pairs who must not meet" in draft and "Fixed tables" in draft
    assert Match.objects.get(seats__entrant=two).table == 4
    client.post(address("staff_pairing_allow", event.public_id, event.forbidden_pairs.get().pk))
    assert not event.forbidden_pairs.exists()


def test_draft_and_pairings_say_who_leaves_a_fixed_table(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    for table, entrant in enumerate(entrants(event), 3):
        note_needs(entrant=entrant, club="", table=table, by=cast.organizer, now=NOW)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    draft = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, 1)))
    assert "leaves a fixed table for the opponent" in draft
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    assert "leaves a fixed table for the opponent" in text(Client().get(address("pairings", event.public_id, 1)))
    assert "leaves a fixed table for the opponent" in text(
        signed_in(cast.scorekeeper).get(address("staff_round", event.public_id, 1))
    )


def test_two_players_with_fixed_tables_see_which_of_them_moves(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    first, second = Entrant.objects.filter(event=event).order_by("pk")
    for entrant, table in ((first, 3), (second, 4)):
        note_needs(entrant=entrant, club="", table=table, by=cast.organizer, now=NOW)
    match = a_published_round(event, cast.organizer).matches.get()
    # Only one table can be used: the second player's seat is flagged as left.
    assert match.table == 3 and match.flags[second.public_id] == ["table_left"]
    for user, entrant, words in (
        (cast.player, first, "your opponent moves to yours"),
        (cast.opponent, second, "you move to your opponent"),
    ):
        assert words in text(signed_in(user).get(address("me", event.public_id)))
        assert words in text(Client().get(seat_address(entrant, "")))


def test_the_desk_can_take_back_an_awarded_bye(event: Event, cast: Cast) -> None:
    one = entrants(event)[0]
    play.award_bye(entrant=one, number=2, kind="bye", by=cast.organizer, now=NOW)
    client = signed_in(cast.scorekeeper)
    back = address("staff_pairing_unbye", event.public_id, one.public_id, 2)
    assert signed_in(cast.stranger).post(back).status_code == 404
    assert client.post(back).status_code == 302
    assert not AwardedBye.objects.exists()
    assert client.post(back).status_code == 404


def test_a_player_can_ask_for_a_bye_and_take_the_request_back(event: Event, cast: Cast) -> None:
    client = signed_in(cast.player)
    me, ask = (address(name, event.public_id) for name in ("me", "ask_bye_self"))
    assert "Sit out a round" not in text(client.get(me))
    assert client.post(ask, {"number": 2, "kind": "half_bye"}).status_code == 409
    choose_pairing(stage=current_stage(event), by=cast.organizer, now=NOW, byes_on_request="half_bye")
    assert client.post(ask, {"number": 2, "kind": "bye"}).status_code == 409
    assert client.post(ask, {"number": 2, "kind": "half_bye"}).status_code == 302
    assert "Play this round after all" in text(client.get(me))
    bye = AwardedBye.objects.get()
    assert (bye.kind, bye.number, bye.asked) == ("half_bye", 2, True)
    assert signed_in(cast.opponent).post(ask, {"back": bye.pk}).status_code == 404
    assert signed_in(cast.stranger).post(ask, {"back": bye.pk}).status_code == 404
    assert client.post(ask, {"back": bye.pk}).status_code == 302
    assert not AwardedBye.objects.exists()


def test_a_player_select_escapes_names_and_keeps_the_submitted_choice() -> None:
    field = PlayerField(choices=[("", "–"), ("t-a", '<b>"Émile"</b>'), ("t-b", "Zoé & co")])
    html = field.widget.render("first", "t-b", {"id": "id_first"})
    assert html == (
        '<select id="id_first" name="first">\n<option value="">–</option>\n'
        '<option value="t-a">&lt;b&gt;&quot;Émile&quot;&lt;/b&gt;</option>\n'
        '<option value="t-b" selected>Zoé &amp; co</option>\n</select>'
    )


def test_the_number_of_queries_does_not_grow_with_the_settings(cast: Cast) -> None:
    event = a_running_event(cast, players=8)
    client = signed_in(cast.scorekeeper)
    page = address("staff_pairing", event.public_id)
    for number, entrant in enumerate(entrants(event)):
        if number == 2:
            few = queries_of(client, page)
        play.award_bye(entrant=entrant, number=2, kind="bye", by=cast.organizer, now=NOW)
        note_needs(entrant=entrant, club="x", table=number + 1, by=cast.organizer, now=NOW)
    assert queries_of(client, page) == few


def test_a_bracket_has_no_pairing_options(cast: Cast) -> None:
    event = a_bracket(cast)
    client = signed_in(cast.organizer)
    assert "Award a bye" not in text(client.get(address("staff_pairing", event.public_id)))
    assert client.post(address("staff_pairing_stage", event.public_id, 2), OPTIONS).status_code == 409


def test_the_pairings_page_says_with_which_options_a_round_was_paired(event: Event, cast: Cast) -> None:
    page = address("pairings", event.public_id, 1)
    first = a_published_round(event, cast.organizer)
    assert "How it was paired" not in text(Client().get(page))
    play_out(first, cast.organizer)
    choose_pairing(stage=current_stage(event), by=cast.organizer, now=NOW, pairing_order="standing", even_sides=True)
    a_published_round(event, cast.organizer)
    shown = text(Client().get(address("pairings", event.public_id, 2)))
    assert "Neighbours in the standings" in shown and "First seat shared equally" in shown
