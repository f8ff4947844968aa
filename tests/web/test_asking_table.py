"""Is this move legal? A judge enters the board of a match from the registered decklists, or compares two boards."""

import html
import re
from typing import Any

import pytest

import engine
from engine.core.replay import selfplay
from engine.face.boards import mat_of
from tests.builders import a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.decks.engine_gate import card_mana, card_names
from tournaments.decks.selectors import current_list
from tournaments.events.models import Event
from tournaments.play.models import Match
from tournaments.web.arguments import arguments_of
from tournaments.web.pages.audits.position_forms import MoveForm, PositionForm

pytestmark = pytest.mark.django_db
# Turn, phase and counters of the board in `board`, as form fields.
SETTLED = {"seat": "A", "first": "A", "phase": "combat", "n": "9", "A:pv": "12", "B:pv": "9", "A:pi": "3"}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def fighters(match: Match) -> tuple[str, str]:
    """Name a fighter of each list, compared by attack minus defense: the best of A, the worst of B."""
    event = match.round.stage.event
    cards = {card.ref: card for catalog in engine.catalogs(event.game) for card in catalog.cards.values()}
    found = []
    for seat in match.seats.order_by("number"):
        main = current_list(seat.entrant, match.round.stage).cards["main"]
        own = [cards[ref] for ref in main if cards[ref].kind == "combattant"]
        found.append(sorted(own, key=lambda card: card.figures["atk"] - card.figures["def"]))
    return found[0][-1].name, found[1][0].name


def board(match: Match, **more: str) -> dict[str, str]:
    """Form fields of a board with one fighter of each seat facing the other in territory 1, in the combat phase."""
    one, two = fighters(match)
    return {**SETTLED, "filled": "on", "A:T1/fighters:1": one, "B:T1/fighters:1": two.upper(), **more}


ATTACK = {"by": "A", "do": "attack", "arg:territory": "1", "arg:attackers": "1", "arg:target": "1", "command": "ask"}


def asked(cast: Cast, match: Match, sent: dict[str, str], status: int = 200) -> str:
    """Submit the board as the judge and return the page, unescaped."""
    answer = signed_in(cast.judge).post(address("ask_table", match.public_id), sent)
    assert answer.status_code == status, re.findall(r'role="alert".*?</ul>', text(answer), re.DOTALL)
    return html.unescape(text(answer))


def test_the_page_offers_the_cards_of_both_decklists_and_the_counters_of_the_game(cast: Cast, match: Match) -> None:
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


def test_a_board_entered_by_card_names_gets_a_question_then_yes_then_no(cast: Cast, match: Match) -> None:
    assert "memory.attacked" in asked(cast, match, {**board(match), **ATTACK})
    assert "Yes: this move is legal." in asked(cast, match, {**board(match, quiet="on"), **ATTACK})
    tired = {**board(match, quiet="on", **{"memory:attacked": "A/T1/fighters/1"}), **ATTACK}
    assert "SAF-VI.3-5" in asked(cast, match, tired)


def test_choosing_an_action_shows_its_fields_and_keeps_the_input(cast: Cast, match: Match) -> None:
    page = asked(cast, match, {**board(match), "by": "A", "do": "attack", "command": "verb"})
    assert 'name="arg:attackers"' in page and 'name="arg:card"' not in page
    assert f'value="{fighters(match)[0]}"' in page


def test_two_boards_are_compared(cast: Cast, match: Match) -> None:
    page = asked(cast, match, {**board(match), "command": "remember"})
    remembered = re.search(r"name=\"remembered\" value=\"(.+?)\">\n", page)
    assert remembered
    later = {**board(match), "A:pi": "1", "B:T1/fighters:1": "-", "remembered": remembered[1], "command": "compare"}
    told = asked(cast, match, later).split('id="differs"')[1].split("</section>")[0]
    assert len(re.findall("<tr><th", told)) == 3  # the head of the table and two rows
    assert fighters(match)[1] in told
    same = asked(cast, match, {**later, **board(match), "command": "compare"})
    assert "No differences in what is known about both boards." in same


def borrowed(match: Match) -> str:
    """Name a fighter that only the decklist of B has."""
    event = match.round.stage.event
    cards = {card.ref: card for catalog in engine.catalogs(event.game) for card in catalog.cards.values()}
    one, two = (current_list(seat.entrant, match.round.stage).cards["main"] for seat in match.seats.order_by("number"))
    own = {cards[ref].name for ref in one}
    return next(cards[ref].name for ref in two if cards[ref].name not in own and cards[ref].kind == "combattant")


def test_cards_of_the_opponents_list_are_offered_after_ones_own(cast: Cast, match: Match) -> None:
    page = html.unescape(text(signed_in(cast.judge).get(address("ask_table", match.public_id))))
    offered = re.findall(r'value="([^"]+)"', page.split('id="cards-A"')[1].split("</datalist>")[0])
    names = card_names(match.round.stage.event)
    deck = current_list(match.seats.get(number=1).entrant, match.round.stage).cards
    own = sorted({names[ref] for ref in (*deck["main"], *filter(None, [deck["commander"]]))})
    assert offered[: len(own)] == own
    assert borrowed(match) in offered[len(own) :]


def test_a_card_from_the_opponents_list_is_owned_by_the_opponent(cast: Cast, match: Match) -> None:
    there = board(match, quiet="on", **{"A:T1/fighters:1": borrowed(match)})
    page = asked(cast, match, {**there, **ATTACK})
    assert "cannot be read" not in page and "no_copy_left" not in page
    assert "Yes: this move is legal." in page


def entered(game: str, sent: dict[str, str], decks: dict[str, list[str]], **options: bool) -> dict[str, Any]:
    """Return the position read from these form fields, given the decklists."""
    names = {card.ref: card.name for catalog in engine.catalogs(game) for card in catalog.cards.values()}
    seats = list(decks)
    form = PositionForm(sent, mat=mat_of(game, seats), seats=seats, names=names, decks=decks, **options)
    assert form.is_valid(), form.errors
    return form.start


def test_the_owner_of_a_card_is_read_from_the_decklists_if_only_one_has_it() -> None:
    sent = {"A:rest": "Cape de Pluie, Taupin, Moulin à Vent, Braséro", "A:discard": "Taupin", "unmarked": "on"}
    refs = {"Cape de Pluie": "DEMO-WAK-028", "Taupin": "DEMO-WAK-011", "Moulin à Vent": "DEMO-WAK-042"}
    decks = {"A": [refs["Cape de Pluie"], refs["Moulin à Vent"]], "B": [refs["Taupin"], refs["Moulin à Vent"]]}
    # "Moulin à Vent" is on both lists and "Braséro" on neither: their owner stays unknown.
    start = entered("wakfu", sent, decks)["state"]["seats"]["A"]
    assert [card.get("owner") for card in start["rest"]] == [None, "B", None, None]
    assert start["discard"] == [refs["Taupin"]], "what is not in play went to its owner"
    unowned = entered("wakfu", sent, decks, owned=False)["state"]["seats"]["A"]
    assert [card.get("owner") for card in unowned["rest"]] == [None] * 4


def test_the_catalogue_gives_the_elements_of_a_cards_mana() -> None:
    catalog = next(iter(engine.catalogs("wakfu")))
    mana = card_mana(Event(game="wakfu", catalog=catalog.id, catalog_sha256=catalog.sha256))
    assert mana["DEMO-WAK-053"] == ("Terre", "Eau", "Feu", "Air")
    assert mana["DEMO-WAK-028"] == ("Eau",), "of its cost"
    assert "DEMO-WAK-001" not in mana, "a leader gives all of its mana at once"


def test_a_card_of_several_elements_is_offered_as_payment_once_per_element() -> None:
    crossroads, spring = "A/rest/1", "A/rest/2"
    form = MoveForm(
        {"by": "A", "do": "play", "arg:card": "DEMO-WAK-028", "arg:pay": [f"{crossroads} Eau", spring]},
        seats=["A", "B"],
        verbs={"play": "plays"},
        arguments=arguments_of("wakfu")["play"],
        cards=[("DEMO-WAK-028", "Cape de Pluie")],
        places=[(crossroads, "Carrefour"), (spring, "Source")],
        mana={crossroads: ("Terre", "Eau", "Feu", "Air"), spring: ("Eau",)},
    )
    assert form.is_valid(), form.errors
    assert form.entry["args"] == {"card": "DEMO-WAK-028", "pay": [{"card": crossroads, "mana": "Eau"}, spring]}
    offered = [value for value, _words in form.fields["arg:pay"].choices]
    assert offered == [f"{crossroads} {one}" for one in ("Terre", "Eau", "Feu", "Air")] + [spring]


def test_an_unknown_card_name_is_quoted_in_the_error(cast: Cast, match: Match) -> None:
    page = asked(cast, match, {**board(match, **{"A:T2/fighters:1": "Nobody <b>"}), **ATTACK}, status=422)
    assert "No card of this name: Nobody" in page
    assert asked(cast, match, {**board(match), "A:pv": "many", **ATTACK}, status=422)


def test_only_judges_who_do_not_play_can_open_the_board(cast: Cast, match: Match) -> None:
    page = address("ask_table", match.public_id)
    for user, status in ((cast.judge, 200), (cast.scorekeeper, 403), (cast.player, 404), (cast.stranger, 404)):
        assert signed_in(user).get(page).status_code == status, user


@pytest.mark.parametrize("game", engine.games())
def test_every_argument_used_in_played_games_has_a_field(game: str) -> None:
    used: dict[str, set[str]] = {}
    for seed in range(6):
        moves: list[dict[str, Any]] = selfplay.play(game, seed)["moves"]
        for move in moves:
            used.setdefault(move["do"], set()).update(move.get("args", {}))
    for verb, arguments in arguments_of(game).items():
        assert used.get(verb, set()) <= {argument.name for argument in arguments} | {"face"}, verb
