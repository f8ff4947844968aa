"""Deck formats: the rules and options by which decklists are checked, and games without an engine."""

import random
from collections.abc import Iterator, Mapping

import pytest

from engine.core.cards.catalog import shipped_catalogs
from engine.core.decks.rules import Submission, options_in_force
from engine.core.text import registry
from engine.face.lists import deck_formats
from tests.builders import NOW, an_entrant, an_event, an_open_event, sealed_texts
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.audits.selectors import ask_move
from tournaments.common.models import LedgerEntry
from tournaments.decks.engine_gate import is_pooled
from tournaments.decks.selectors import catalogue_choices, without_legal_list
from tournaments.decks.services import choose_deck_format, lock_decks, submit_decklist
from tournaments.events.models import Event, Stage
from tournaments.events.presets import PRESETS
from tournaments.events.selectors import current_stage
from tournaments.play.services import start_event

pytestmark = pytest.mark.django_db


def choose(cast: Cast, event: Event, deck_format: str, **options: str) -> Stage:
    named = {name.replace("_", "-"): said for name, said in options.items()}
    choose_deck_format(event=event, deck_format=deck_format, options=named, by=cast.organizer, now=NOW)
    return current_stage(Event.objects.get(pk=event.pk))


@pytest.mark.parametrize("preset", sorted(PRESETS.keys() - {"free"}))
def test_the_deck_format_of_every_preset_exists_in_the_engine(preset: str) -> None:
    chosen = PRESETS[preset]
    known = {form.id: form for form in deck_formats(chosen.game, "fr")}
    assert known[chosen.deck_format].ruleset == chosen.ruleset


class Noted(dict[str, str]):
    """Options that record which of them were read."""

    seen: set[str]

    def __getitem__(self, name: str) -> str:
        self.seen.add(name)
        return super().__getitem__(name)


def _submissions(game: str, options: Mapping[str, str]) -> Iterator[Submission]:
    for catalog in shipped_catalogs(game):
        for seed in range(3):
            deck = registry.module(game, "deck").random_deck(random.Random(seed), catalog)
            yield Submission(deck, catalog, options)


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_format_uses_only_the_interpretations_that_it_declares(game: str) -> None:
    module = registry.module(game, "deck")
    for form in module.FORMATS:
        options = Noted(options_in_force(game, form))
        options.seen = set()
        for submission in _submissions(game, options):
            for rule in module.deck_rules(form):
                rule(submission)
        assert options.seen <= set(form.reads)


def test_an_event_has_the_deck_format_of_its_preset(cast: Cast) -> None:
    stage = current_stage(an_event(cast, preset="altered-sealed"))
    assert (stage.deck_format, stage.deck_options, is_pooled(stage)) == ("altered-sealed", {}, True)
    assert not is_pooled(current_stage(an_event(cast)))


def test_choosing_a_deck_format_twice_writes_one_ledger_entry(cast: Cast) -> None:
    event = an_open_event(cast, preset="altered-no-unique")
    assert choose(cast, event, "altered-standard", I_ALT_08="capped").deck_options == {"I-ALT-08": "capped"}
    choose(cast, event, "altered-standard", I_ALT_08="capped")
    assert LedgerEntry.objects.filter(code="event.deck_format_chosen").count() == 1


def test_an_option_changes_whether_a_list_is_legal(cast: Cast) -> None:
    event = an_open_event(cast, preset="altered")
    entrant = an_entrant(event, cast.player, deck=None)
    choose(cast, event, "altered-standard", I_ALT_08="text")
    text = sealed_texts(1)[1].splitlines()[0]
    assert submit_decklist(entrant=entrant, text=text, by=cast.player, now=NOW).legal
    with assert_refused("decks_exist"):
        choose(cast, event, "altered-standard")


def test_an_option_with_its_default_value_is_not_stored(cast: Cast) -> None:
    assert choose(cast, an_event(cast, preset="altered"), "altered-sealed", I_ALT_09="hero").deck_options == {}


def test_choosing_a_deck_format_sets_its_ruleset(cast: Cast) -> None:
    event = an_event(cast, preset="wakfu-2008")
    choose(cast, event, "wakfu-2011")
    event.refresh_from_db()
    assert event.ruleset == "wakfu-2011@1"


def test_an_unknown_format_or_option_is_refused(cast: Cast) -> None:
    event = an_event(cast)
    with assert_refused("deck_format_unknown"):
        choose(cast, event, "altered-sealed")
    with assert_refused("deck_option_unknown") as caught:
        choose(cast, event, "safir-v2", I_SAF_13="maybe", I_ALT_09="hero")
    assert caught.value.details == ["I-SAF-13", "I-ALT-09"]


def test_the_format_cannot_be_changed_after_registration(cast: Cast) -> None:
    event = an_open_event(cast)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    with assert_refused("event_state"):
        choose(cast, event, "safir-v2", I_SAF_13="counted")


def test_a_game_without_an_engine_stores_lists_unchecked_and_needs_none_to_start(cast: Cast) -> None:
    event = an_open_event(cast, preset="free", game_name="Chess")
    for user in (cast.player, cast.opponent):
        entrant = an_entrant(event, user, deck=None)
    kept = submit_decklist(entrant=entrant, text="16 pieces \x00", by=cast.opponent, now=NOW)
    assert (kept.checked, kept.legal, kept.text) == (False, True, "16 pieces ")
    assert submit_decklist(entrant=entrant, text="16 pieces ", by=cast.opponent, now=NOW) == kept
    assert catalogue_choices(event, cast.organizer) == [] and deck_formats(event.game, "en") == []
    with assert_refused("no_engine"):
        ask_move(event=event, position={"format": 1}, move={"n": 1}, language="en")
    assert not without_legal_list(current_stage(event)).exists()
    lock_decks(event=event, by=cast.organizer, now=NOW)
    start_event(event=event, by=cast.organizer, now=NOW)
    assert event.entrants.filter(status="registered").count() == 2
