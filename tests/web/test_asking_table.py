"""May this be done now? The board of a match entered from the registered lists, and two boards compared."""

import html
import re
from typing import Any

import pytest

import engine
from engine.core import selfplay
from tests.builders import a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.audits.engine_gate import mat_of
from tournaments.decks.engine_gate import card_mana, card_names
from tournaments.decks.selectors import current_list
from tournaments.events.models import Event
from tournaments.play.models import Match
from tournaments.web.arguments import ARGUMENTS
from tournaments.web.forms.positions import MoveForm, PositionForm

pytestmark = pytest.mark.django_db
SETTLED = {"seat": "A", "first": "A", "phase": "combat", "n": "9", "A:pv": "12", "B:pv": "9", "A:pi": "3"}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def fighters(match: Match) -> tuple[str, str]:
    """The name of a fighter of each list: the strongest of A, the weakest of B."""
    event = match.round.stage.event
    cards = {card.ref: card for catalog in engine.catalogs(event.game) for card in catalog.cards.values()}
    found = []
    for seat in match.seats.order_by("number"):
        main = current_list(seat.entrant, match.round.stage).cards["main"]
        own = [cards[ref] for ref in main if cards[ref].kind == "combattant"]
        found.append(sorted(own, key=lambda card: card.figures["atk"] - card.figures["def"]))
    return found[0][-1].name, found[1][0].name


def board(match: Match, **more: str) -> dict[str, str]:
    """A fighter of each seat face to face in the first territory, in combat; all else is empty."""
    one, two = fighters(match)
    return {**SETTLED, "filled": "on", "A:T1/fighters:1": one, "B:T1/fighters:1": two.upper(), **more}


ATTACK = {"by": "A", "do": "attack", "arg:territory": "1", "arg:attackers": "1", "arg:target": "1", "gesture": "ask"}


def asked(cast: Cast, match: Match, sent: dict[str, str], status: int = 200) -> str:
    answer = signed_in(cast.judge).post(address("ask_table", match.public_id), sent)
    assert answer.status_code == status, re.findall(r'role="alert".*?</ul>', text(answer), re.DOTALL)
    return html.unescape(text(answer))


def test_the_page_offers_the_cards_of_the_two_lists_and_the_counters_of_the_game(cast: Cast, match: Match) -> None:
    page = html.unescape(text(signed_in(cast.judge).get(address("ask_table", match.public_id))))
    names = card_names(match.round.stage.event)
    for letter, seat in zip("AB", match.seats.order_by("number"), strict=True):
        listed = page.split(f'id="cards-{letter}"')[1].split("</datalist>")[0]
        assert {names[ref] for ref in current_list(seat.entrant, match.round.stage).cards["main"]} <= set(
            re.findall(r'value="([^"]+)"', listed)
        )
    assert 'name="A:pi"' in page and 'name="B:T3/magics:3"' in page
    assert address("ask_table", match.public_id) in text(
        signed_in(cast.judge).get(address("judge_match", match.public_id))
    )


def test_a_board_entered_by_name_is_answered_with_what_to_ask_then_yes_then_no(cast: Cast, match: Match) -> None:
    assert "memory.attacked" in asked(cast, match, {**board(match), **ATTACK})
    assert "Yes: this move is legal." in asked(cast, match, {**board(match, quiet="on"), **ATTACK})
    tired = {**board(match, quiet="on", **{"memory:attacked": "A/T1/fighters/1"}), **ATTACK}
    assert "SAF-VI.3-5" in asked(cast, match, tired)


def test_choosing_a_verb_shows_its_fields_and_keeps_what_was_entered(cast: Cast, match: Match) -> None:
    page = asked(cast, match, {**board(match), "by": "A", "do": "attack", "gesture": "verb"})
    assert 'name="arg:attackers"' in page and 'name="arg:card"' not in page
    assert f'value="{fighters(match)[0]}"' in page


def test_two_boards_are_compared(cast: Cast, match: Match) -> None:
    page = asked(cast, match, {**board(match), "gesture": "remember"})
    remembered = re.search(r"name=\"remembered\" value=\"(.+?)\">\n", page)
    assert remembered
    later = {**board(match), "A:pi": "1", "B:T1/fighters:1": "-", "remembered": remembered[1], "gesture": "compare"}
    told = asked(cast, match, later).split('id="differs"')[1].split("</section>")[0]
    assert len(re.findall("<tr><th", told)) == 3  # with the head
    assert fighters(match)[1] in told
    assert "Nothing that is known on both." in asked(cast, match, {**later, **board(match), "gesture": "compare"})


def borrowed(match: Match) -> str:
    """The name of a fighter that is on the list of B alone."""
    event = match.round.stage.event
    cards = {card.ref: card for catalog in engine.catalogs(event.game) for card in catalog.cards.values()}
    one, two = (current_list(seat.entrant, match.round.stage).cards["main"] for seat in match.seats.order_by("number"))
    own = {cards[ref].name for ref in one}
    return next(cards[ref].name for ref in two if cards[ref].name not in own and cards[ref].kind == "combattant")


def test_a_card_of_the_other_list_is_offered_after_the_own_ones(cast: Cast, match: Match) -> None:
    page = html.unescape(text(signed_in(cast.judge).get(address("ask_table", match.public_id))))
    offered = re.findall(r'value="([^"]+)"', page.split('id="cards-A"')[1].split("</datalist>")[0])
    names = card_names(match.round.stage.event)
    deck = current_list(match.seats.get(number=1).entrant, match.round.stage).cards
    own = sorted({names[ref] for ref in (*deck["main"], *filter(None, [deck["commander"]]))})
    assert offered[: len(own)] == own
    assert borrowed(match) in offered[len(own) :]


def test_a_card_of_the_other_list_lies_there_as_the_other_s(cast: Cast, match: Match) -> None:
    there = board(match, quiet="on", **{"A:T1/fighters:1": borrowed(match)})
    page = asked(cast, match, {**there, **ATTACK})
    assert "cannot be read" not in page and "no_copy_left" not in page
    assert "Yes: this move is legal." in page


def entered(game: str, sent: dict[str, str], decks: dict[str, list[str]], **options: bool) -> dict[str, Any]:
    """The position that is entered with these lists."""
    names = {card.ref: card.name for catalog in engine.catalogs(game) for card in catalog.cards.values()}
    seats = list(decks)
    form = PositionForm(sent, mat=mat_of(game, seats), seats=seats, names=names, decks=decks, **options)
    assert form.is_valid(), form.errors
    return form.start


def test_whose_card_it_is_the_lists_tell_where_one_does() -> None:
    sent = {"A:rest": "Cape de Pluie, Taupin, Moulin à Vent, Braséro", "A:discard": "Taupin", "unmarked": "on"}
    refs = {"Cape de Pluie": "DEMO-WAK-028", "Taupin": "DEMO-WAK-011", "Moulin à Vent": "DEMO-WAK-042"}
    decks = {"A": [refs["Cape de Pluie"], refs["Moulin à Vent"]], "B": [refs["Taupin"], refs["Moulin à Vent"]]}
    start = entered("wakfu", sent, decks)["state"]["seats"]["A"]
    assert [card.get("owner") for card in start["rest"]] == [None, "B", None, None]
    assert start["discard"] == [refs["Taupin"]], "what is not in play went to its owner"
    unowned = entered("wakfu", sent, decks, owned=False)["state"]["seats"]["A"]
    assert [card.get("owner") for card in unowned["rest"]] == [None] * 4


def test_the_catalogue_says_which_elements_a_card_gives_mana_of() -> None:
    catalog = next(iter(engine.catalogs("wakfu")))
    mana = card_mana(Event(game="wakfu", catalog=catalog.id, catalog_sha256=catalog.sha256))
    assert mana["DEMO-WAK-053"] == ("Terre", "Eau", "Feu", "Air")
    assert mana["DEMO-WAK-028"] == ("Eau",), "of its cost"
    assert "DEMO-WAK-001" not in mana, "a leader gives all of its mana at once"


def test_a_card_that_gives_one_of_several_elements_is_paid_with_by_each() -> None:
    crossroads, spring = "A/rest/1", "A/rest/2"
    form = MoveForm(
        {"by": "A", "do": "play", "arg:card": "DEMO-WAK-028", "arg:pay": [f"{crossroads} Eau", spring]},
        seats=["A", "B"],
        verbs={"play": "plays"},
        arguments=ARGUMENTS["wakfu"]["play"],
        cards=[("DEMO-WAK-028", "Cape de Pluie")],
        places=[(crossroads, "Carrefour"), (spring, "Source")],
        mana={crossroads: ("Terre", "Eau", "Feu", "Air"), spring: ("Eau",)},
    )
    assert form.is_valid(), form.errors
    assert form.entry["args"] == {"card": "DEMO-WAK-028", "pay": [{"card": crossroads, "mana": "Eau"}, spring]}
    offered = [value for value, _words in form.fields["arg:pay"].choices]
    assert offered == [f"{crossroads} {one}" for one in ("Terre", "Eau", "Feu", "Air")] + [spring]


def test_what_is_no_card_of_the_game_is_said_by_name(cast: Cast, match: Match) -> None:
    page = asked(cast, match, {**board(match, **{"A:T2/fighters:1": "Nobody <b>"}), **ATTACK}, status=422)
    assert "No card of this name: Nobody" in page
    assert asked(cast, match, {**board(match), "A:pv": "many", **ATTACK}, status=422)


def test_the_board_is_for_judges_who_do_not_play(cast: Cast, match: Match) -> None:
    page = address("ask_table", match.public_id)
    for user, status in ((cast.judge, 200), (cast.scorekeeper, 403), (cast.player, 404), (cast.stranger, 404)):
        assert signed_in(user).get(page).status_code == status, user


@pytest.mark.parametrize("game", engine.games())
def test_the_fields_of_a_move_are_the_arguments_that_games_use(game: str) -> None:
    used: dict[str, set[str]] = {}
    for seed in range(6):
        moves: list[dict[str, Any]] = selfplay.play(game, seed)["moves"]
        for move in moves:
            used.setdefault(move["do"], set()).update(move.get("args", {}))
    for verb, arguments in ARGUMENTS[game].items():
        assert used.get(verb, set()) <= {argument.name for argument in arguments} | {"face"}, verb
