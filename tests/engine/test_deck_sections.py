"""Sections of a decklist as people mark them: every marker opens its section, or is asked about, in all five games."""

import random
from functools import cache
from pathlib import Path

import pytest

from engine.core.cards.catalog import Catalog, merged, shipped_catalogs
from engine.core.decks.decklist import Decklist, ParsedDecklist, corrected, parse, render
from engine.core.decks.rules import check_deck, deck_notes, find_format, read_deck
from engine.core.text import registry

SIDE = [
    "Sideboard", "SIDEBOARD:", "sideboard", "# Sideboard", "#Sideboard", "## Sideboard", "### Sideboard (15)",
    "// Sideboard", "//Sideboard (1)", "//Sideboard", "// SIDEBOARD:", "; Sideboard", "-- Sideboard --",
    "---- Sideboard ----", "--- Sideboard (15) ---", "----- Side -----", "=== Sideboard ===", "== Side (15) ==",
    "*** Sideboard ***", "~~~ sideboard ~~~", "____ Sideboard ____", "── Sideboard ──", "— Sideboard —", "[Sideboard]",
    "<Sideboard>", "(Sideboard)", "{Sideboard}", "*Sideboard*", "**Sideboard**", "**Sideboard:**", "__Sideboard__",
    "_Sideboard_", "> Sideboard", "> **Sideboard**", "- Sideboard", "• Sideboard", "* Sideboard:", "2. Sideboard",
    "- [ ] Sideboard", "Sideboard (15)", "Sideboard [15]", "Sideboard - 15", "Sideboard – 15 cards", "Sideboard: 15",
    "Sideboard: 15 cards", "Sideboard 15", "Sideboard x15", "Sideboard\t15", "Sideboard, 15 cartes",
    "Sideboard (0/15)", "Side board", "Side-board", "Side deck", "SB:", "SB", "Side", "Réserve", "RÉSERVE :",
    "Re\u0301serve", "Reserve", "# Réserve (12)", "Riserva", "// Riserva", "Remplaçants", "/* Sideboard */",
    "<!-- Sideboard -->", "🛡 Sideboard", "Sideboard 🛡️", "“Sideboard”", "« Sideboard »", "Sideboard\u00a0:",
    "\u200bSideboard", "Ｓｉｄｅｂｏａｒｄ", "| Sideboard |", "#sideboard", "[SIDEBOARD]", "Sideboard.", "% Sideboard",
]  # fmt: skip
APART = [
    "Maybeboard", "# Maybeboard", "// Maybeboard", "## Maybeboard (2)", "---- Maybeboard ----", "[Maybeboard]", "Maybe",
    "# Maybe", "//Maybe", "Maybe board:", "=== Maybe ===", "Considering", "# Considering", "// Considering (3)",
    "Wishlist", "# Wish list", "Cartes envisagées", "# Cartes envisagées", "// cartes envisagées (2)", "À tester",
    "# À tester", "En réflexion", "Peut-être", "# peut-être", "Da valutare", "// Forse", "In valutazione",
    "# Liste d'envies", "Acquireboard", "# Cut", "// Cuts", "Hors deck", "# Fuori mazzo", "**Maybeboard:**",
    "Maybeboard - 2", "To test", "# To test",
]  # fmt: skip
TOKENS = [
    "Tokens", "Tokens (2)", "# Tokens", "// Tokens", "[Tokens]", "--- Tokens ---", "Token:", "Jetons", "# Jetons (3)",
    "Gettoni", "Segnalini", "// Tokens & Extras", "TOKENS - 2",
]  # fmt: skip
LACKING = [
    "Extra", "Extra Deck", "=== Extra ===", "# Extra", "// Extra Deck (15)", "[Extra]", "Extras:", "Companion",
    "# Companion", "// Companion (1)", "[Companion]", "Compagnon", "--- Companion ---", "Attractions", "# Stickers",
]  # fmt: skip
MAIN = [
    "Deck", "# Deck", "// Main", "//Main (33)", "--- Deck ---", "[Main]", "Deck - 34", "**Main deck:**", "Liste",
    "# Liste", "// Mazzo", "Decklist", "Main board", "Deck principal", "Cards", "# Main", "Cartes (12)",
]  # fmt: skip
UNKNOWN = [
    "=== Cards I may add ===",
    "--- trouvailles ---",
    "[Someday]",
    "*** bits and bobs ***",
    "**Budget:**",
    "<later>",
]
COMMENTS = [
    "# my best cards", "// sideboard plan: see below", "# the sideboard is at home", "; test of maybe", "# Burn",
    "// Creatures", "# maybe I cut these", "// 60 cards",
]  # fmt: skip
CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "decklists"
GAMES = ("star-safir", "stellar-nexus", "altered", "wakfu", "saint-seiya")


@cache
def catalog(game: str) -> Catalog:
    return merged(shipped_catalogs(game))


@cache
def legal(game: str) -> str:
    deck = registry.module(game, "deck").random_deck(random.Random(1), catalog(game))
    return render(deck, catalog(game))


@cache
def another(game: str) -> str:
    """Return the ref of a card of the deck's kinds that the legal deck does not hold."""
    held = read(game, legal(game)).deck
    kinds = {catalog(game)[ref].kind for ref in held.main} - {"jeton"}
    cards = sorted(catalog(game).cards.items())
    return next(ref for ref, card in cards if card.kind in kinds and ref not in held.main)


def read(game: str, text: str) -> ParsedDecklist:
    return read_deck(text, game, None, catalog(game))


def below(game: str, marker: str) -> str:
    return f"{legal(game)}\n{marker}\n2 {another(game)}\n"


def codes(parsed: ParsedDecklist) -> list[str]:
    return [fault.code for fault in parsed.faults]


@pytest.mark.parametrize("game", GAMES)
def test_the_random_decks_of_these_tests_are_legal(game: str) -> None:
    assert check_deck(game, read(game, legal(game)).deck, catalog=catalog(game)) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("marker", SIDE)
def test_a_sideboard_is_refused_however_it_is_marked(game: str, marker: str) -> None:
    parsed = read(game, below(game, marker))
    assert codes(parsed) == ["no_sideboard"]
    assert parsed.faults[0].suggestions == ("Maybeboard",)
    again = corrected(below(game, marker), parsed.faults[0], "Maybeboard")
    assert (read(game, again).faults, read(game, again).deck) == ((), read(game, legal(game)).deck)


@pytest.mark.parametrize("marker", SIDE)
def test_a_sideboard_is_read_where_the_format_has_one(marker: str) -> None:
    parsed = parse(below("wakfu", marker), catalog("wakfu"), sideboard=True)
    assert (parsed.faults, dict(parsed.deck.side)) == ((), {another("wakfu"): 2})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("marker", APART + TOKENS)
def test_what_is_beside_the_deck_is_left_out_and_told(game: str, marker: str) -> None:
    parsed = read(game, below(game, marker))
    assert (parsed.faults, parsed.deck) == ((), read(game, legal(game)).deck)
    (note,) = parsed.notes
    assert (note.code, note.args["count"]) == ("left_out", 2)
    assert all("2" in note.message(lang) for lang in ("fr", "en", "it"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("marker", LACKING)
def test_a_section_that_the_game_lacks_is_asked_about(game: str, marker: str) -> None:
    parsed = read(game, below(game, marker))
    assert codes(parsed) == ["no_such_section"]
    assert parsed.faults[0].suggestions == ("Deck", "Maybeboard")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("marker", MAIN)
def test_a_marked_deck_is_the_deck(game: str, marker: str) -> None:
    parsed = read(game, below(game, marker))
    assert (parsed.faults, parsed.deck.main[another(game)], parsed.notes) == ((), 2, ())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("marker", UNKNOWN)
def test_a_title_of_no_known_section_is_asked_about(game: str, marker: str) -> None:
    text = below(game, marker)
    parsed = read(game, text)
    assert codes(parsed) == ["unclear_section"]
    assert parsed.faults[0].suggestions == ("Deck", "Maybeboard")
    deck, apart = (read(game, corrected(text, parsed.faults[0], word)) for word in ("Deck", "Maybeboard"))
    assert (deck.faults, deck.deck.main[another(game)]) == ((), 2)
    assert (apart.faults, apart.deck) == ((), read(game, legal(game)).deck)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("marker", COMMENTS)
def test_other_comments_are_comments(game: str, marker: str) -> None:
    parsed = read(game, below(game, marker))
    assert (parsed.faults, parsed.deck.main[another(game)]) == ((), 2)


@pytest.mark.parametrize("title", ["=== Deck of Player 12 ===", "[My deck of spring]", "*** Round 4 ***"])
def test_a_title_above_or_below_all_cards_is_none_of_a_section(title: str) -> None:
    above = read("star-safir", f"{title}\n{legal('star-safir')}")
    assert [fault.code for fault in above.faults] in ([], ["unknown_card"])
    assert read("star-safir", f"=== Deck of Player 12 ===\n{legal('star-safir')}\n=== end of list ===").faults == ()


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("SB: {}", "side"), ("sb: {}", "side"), ("Sideboard: {}", "side"), ("Side : {}", "side"), ("SB {}", "side"),
        ("[SB] {}", "side"), ("(SB) {}", "side"), ("SB - {}", "side"), ("Réserve : {}", "side"), ("{} (SB)", "side"),
        ("{} (sideboard)", "side"), ("{} [Sideboard]", "side"), ("{} *side*", "side"), ("{} # sideboard", "side"),
        ("{} // Sideboard", "side"), ("{} - Sideboard", "side"), ("{} #sideboard", "side"),
        ("Maybeboard: {}", "apart"), ("Maybe: {}", "apart"), ("{} (maybe)", "apart"), ("{} # maybeboard", "apart"),
        ("{} [Maybeboard]", "apart"), ("{} // cartes envisagées", "apart"), ("Considering: {}", "apart"),
        ("{} [Maybeboard{{noDeck}},Land]", "apart"), ("{} (token)", "tokens"), ("Token: {}", "tokens"),
        ("Deck: {}", "main"), ("{} (main)", "main"), ("{} # my best", "main"), ("{} [Ramp]", "main"),
        ("Extra: {}", "extra"), ("{} (extra)", "extra"),
    ],
)  # fmt: skip
def test_a_line_may_name_its_own_section(line: str, zone: str) -> None:
    ref = another("wakfu")
    text = f"{legal('wakfu')}\n{line.format('2 ' + ref)}"
    parsed = parse(text, catalog("wakfu"), sideboard=True)
    if zone == "extra":
        assert codes(parsed) == ["no_such_section"]
        return
    assert parsed.faults == ()
    assert (parsed.deck.main.get(ref, 0), parsed.deck.side.get(ref, 0)) == (2 * (zone == "main"), 2 * (zone == "side"))
    assert [note.args["count"] for note in parsed.notes] == ([2] if zone in ("apart", "tokens") else [])
    assert codes(read("wakfu", text)) == (["no_sideboard"] if zone == "side" else [])


@pytest.mark.parametrize("marker", ["Sideboard", "Maybeboard", "Tokens"])
def test_a_group_of_cards_below_another_section_is_asked_about(marker: str) -> None:
    ref = another("wakfu")
    text = f"{legal('wakfu')}\n{marker}\n\nCréatures\n2 {ref}"
    parsed = parse(text, catalog("wakfu"), sideboard=True)
    assert codes(parsed) == ["unclear_section"]
    assert parsed.faults[0].suggestions == ("Deck", marker)
    aside = parse(corrected(text, parsed.faults[0], marker), catalog("wakfu"), sideboard=True)
    assert (aside.faults, ref in aside.deck.main) == ((), False)


def test_a_comment_with_a_group_stays_in_its_section() -> None:
    ref = another("star-safir")
    parsed = read("star-safir", f"{legal('star-safir')}\n# Maybeboard\n// Créatures\n1 {ref}\n# Magies\n1 {ref}")
    assert (parsed.faults, parsed.deck) == ((), read("star-safir", legal("star-safir")).deck)
    assert [note.args for note in parsed.notes] == [{"text": "# Maybeboard", "count": 2}]


def token() -> str:
    return next(ref for ref, card in catalog("star-safir").cards.items() if card.kind == "jeton")


def test_tokens_that_count_in_the_deck_are_asked_about_unless_the_list_is_grouped_by_kind() -> None:
    text = f"Deck\n1 {another('star-safir')}\nTokens\n1 {token()}"
    parsed = read("star-safir", text)
    assert [(fault.line, fault.code, fault.suggestions) for fault in parsed.faults] == [
        (3, "unclear_section", ("Deck", "Maybeboard"))
    ]
    assert read("star-safir", corrected(text, parsed.faults[0], "Deck")).deck.main[token()] == 1
    grouped = read("star-safir", f"Combattants (1)\n1 {another('star-safir')}\n\nJetons (1)\n1 {token()}")
    assert (grouped.faults, grouped.deck.main[token()], grouped.notes) == ((), 1, ())


def test_tokens_that_no_catalogue_has_are_left_out() -> None:
    parsed = read("star-safir", f"{legal('star-safir')}\nTokens\n3 Treasure Token\n1 Soldier")
    assert (parsed.faults, [note.args["count"] for note in parsed.notes]) == ((), [4])


@pytest.mark.parametrize(
    "document",
    [
        '<cockatrice_deck><zone name="main"><card number="1" name="{0}"/></zone>'
        '<zone name="tokens"><card number="2" name="{0}"/></zone></cockatrice_deck>',
        '<deck><section name="Main"><card qty="1">{0}</card></section>'
        '<section name="Maybeboard"><card qty="2">{0}</card></section></deck>',
        '{{"deckList": {{"Main": [{{"count": 1, "id": "{0}"}}], "Wishlist": [{{"count": 2, "id": "{0}"}}]}}}}',
        '{{"boards": {{"mainboard": {{"cards": {{"a": {{"quantity": 1, "card": {{"name": "{0}"}}}}}}}},'
        '"tokens": {{"cards": {{"b": {{"quantity": 2, "card": {{"name": "{0}"}}}}}}}}}}}}',
        "Count,Name,Board\n1,{0},main\n2,{0},maybeboard",
        "| Qty | Card | Section |\n|---|---|---|\n| 1 | {0} | Deck |\n| 2 | {0} | Cartes envisagées |",
    ],
)
def test_a_document_keeps_its_maybeboard_and_tokens_out_of_the_deck(document: str) -> None:
    ref = another("star-safir")
    parsed = read("star-safir", document.format(catalog("star-safir")[ref].name))
    assert (parsed.faults, parsed.deck) == ((), Decklist(None, {ref: 1}))
    assert [note.args["count"] for note in parsed.notes] == [2]


@pytest.mark.parametrize("game", [game for game in GAMES if game != "saint-seiya"])
def test_a_second_card_in_the_place_of_the_leader_is_refused(game: str) -> None:
    head, lead, rest = legal(game).partition("\n\n")[0].split("\n")[0], *legal(game).split("\n", 2)[1:]
    text = f"{head}\n{lead}\n1 {another(game)}\n{rest}\nSideboard\n2 {another(game)}"
    parsed = read(game, text)
    assert [(fault.line, fault.code) for fault in parsed.faults] == [
        (3, "second_leader"),
        (text.count("\n"), "no_sideboard"),
    ]
    mended = read(game, corrected(text, parsed.faults[0], "Deck"))
    assert (codes(mended), mended.deck.main[another(game)]) == (["no_sideboard"], 1)


def test_a_game_without_a_leader_refuses_the_section_and_reads_heroes_as_cards() -> None:
    text = legal("saint-seiya")
    assert codes(read("saint-seiya", f"Commander\n1 {another('saint-seiya')}\n\n{text}")) == ["no_such_section"]
    heroes = read("saint-seiya", text.replace("Deck", "Héros", 1))
    assert (heroes.faults, heroes.deck) == ((), read("saint-seiya", text).deck)


def test_the_reserve_of_wakfu_belongs_to_the_published_game_of_2011() -> None:
    text = f"{legal('wakfu')}\nRéserve\n2 {another('wakfu')}"
    assert codes(read_deck(text, "wakfu", "wakfu-2008", catalog("wakfu"))) == ["no_sideboard"]
    later = read_deck(text, "wakfu", find_format("wakfu", "wakfu-2011"), catalog("wakfu"))
    assert (later.faults, dict(later.deck.side)) == ((), {another("wakfu"): 2})


@pytest.mark.skipif(not CASES.is_dir(), reason="../shared/cases is absent")
@pytest.mark.parametrize(
    ("name", "game", "faults", "cards", "notes"),
    [
        ("hash-maybeboard", "star-safir", [], 33, ["left_out"]),
        ("slashes-sideboard", "star-safir", [(38, "no_sideboard")], 33, []),
        ("tokens", "star-safir", [], 33, ["left_out"]),
        ("four_conventions", "star-safir", [], 3, []),
        ("quoted", "star-safir", [], 1, []),
        ("wakfu_second_leader_and_sideboard", "wakfu", [(3, "second_leader"), (35, "no_sideboard")], None, []),
        ("wakfu_nine_copies", "wakfu", [], 44, ["no_copy_limit"]),
    ],
)
def test_a_shared_case_is_read_as_it_should_be(
    name: str, game: str, faults: list[tuple[int, str]], cards: int | None, notes: list[str]
) -> None:
    parsed = read(game, CASES.joinpath(f"{name}.txt").read_text(encoding="utf-8"))
    assert [(fault.line, fault.code) for fault in parsed.faults] == faults
    assert cards is None or sum(parsed.deck.main.values()) == cards
    found = [*parsed.notes, *deck_notes(game, parsed.deck, None, catalog=catalog(game))]
    assert [note.code for note in found] == notes


@pytest.mark.parametrize("game", GAMES)
def test_twelve_copies_are_illegal_where_the_rules_have_a_limit(game: str) -> None:
    deck = read(game, legal(game)).deck
    more = Decklist(deck.commander, {**deck.main, next(iter(deck.main)): 12})
    broken = check_deck(game, more, catalog=catalog(game))
    notes = deck_notes(game, more, None, catalog=catalog(game))
    assert (bool(broken), [note.code for note in notes]) == (
        (False, ["no_copy_limit"]) if game == "wakfu" else (True, [])
    )
