"""The page on which an organizer writes what a card does: lists of words, sentences, problems, saving, files."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.test import Client

from engine.face.effects import card_digest
from tests.cast import Cast
from tests.decks.test_effects import DRAWS, GAINS, newest, save
from tests.decks.test_own_catalogues import CARDS, kept
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import User
from tournaments.decks.engine_gate import raw_cards
from tournaments.decks.models import Catalogue
from tournaments.web.pages.cards.effect_forms import sent_ability

pytestmark = pytest.mark.django_db

PAGE = ("card_effects", "star-safir", "own", "OWN-1")


def post(client: Client, draft: list[Any], command: str = "check", **fields: Any) -> Any:
    sent = {"draft": json.dumps(draft), "command": command, "opened": "0", **fields}
    return client.post(address(*PAGE), sent)


def draft_of(response: Any) -> list[Any]:
    found: list[Any] = response.context["draft"].abilities
    return found


@pytest.fixture
def writer(cast: Cast) -> Client:
    """A client of an organizer who has a catalogue without effects."""
    kept(cast.organizer)
    return signed_in(cast.organizer)


def test_cards_are_found_by_name_and_by_whether_they_are_written(cast: Cast, writer: Client) -> None:
    save(cast.organizer, newest(cast.organizer), "OWN-7", DRAWS)
    page = text(writer.get(address("catalogue_effects", "star-safir", "own"), {"find": "zouave 7"}))
    assert "OWN-7" in page and "OWN-8" not in page
    assert "When this card is played: draw 1 card." in page
    page = text(writer.get(address("catalogue_effects", "star-safir", "own"), {"only": "written"}))
    assert "OWN-7" in page and "OWN-8" not in page


def test_a_long_list_comes_in_pages(cast: Cast) -> None:
    more = CARDS + "".join(f"MORE-{n},Other {n},combattant,1,1,2,\n" for n in range(60))
    kept(cast.organizer, more)
    client = signed_in(cast.organizer)
    first = text(client.get(address("catalogue_effects", "star-safir", "own")))
    second = text(client.get(address("catalogue_effects", "star-safir", "own"), {"page": 2}))
    assert "OWN-1" in first and "MORE-59" not in first and "MORE-59" in second


def test_an_ability_reads_as_a_sentence_in_three_languages(writer: Client) -> None:
    page = text(post(writer, [GAINS]))
    for said in (
        "When this card is destroyed: gain 2 PI.",
        "Quand cette carte est détruite",
        "Quando questa carta viene",
    ):
        assert said in page


def test_an_ability_is_written_by_choosing_words(writer: Client) -> None:
    made = draft_of(post(writer, [], "new|on", opened=""))
    assert made == [DRAWS]
    fields = {"sort": "on", "w:on": "destroyed", "l:do": "", "w:do.0.op": "destroy", "n:do.0.n": "1"}
    made = draft_of(post(writer, made, **fields))
    assert made == [{"on": "destroyed", "do": [{"op": "destroy", "of": {}}]}]
    fields = {
        "sort": "on",
        "w:on": "destroyed",
        "l:do": "",
        "w:do.0.op": "destroy",
        "o:do.0.of": "",
        "add:do.0.of": "side",
    }
    made = draft_of(post(writer, made, **fields))
    assert made[0]["do"] == [{"op": "destroy", "of": {"side": "own"}}]


def test_effects_are_added_moved_and_removed(writer: Client) -> None:
    draft = [{"on": "played", "do": [{"op": "draw", "n": 1}, {"op": "shuffle"}]}]
    fields = {"sort": "on", "w:on": "played", "l:do": "", "w:do.0.op": "draw", "n:do.0.n": "1", "w:do.1.op": "shuffle"}
    made = draft_of(post(writer, draft, "up|do.1", **fields))
    assert [item["op"] for item in made[0]["do"]] == ["shuffle", "draw"]
    made = draft_of(post(writer, draft, "remove|do.0", **fields))
    assert [item["op"] for item in made[0]["do"]] == ["shuffle"]
    made = draft_of(post(writer, draft, "item|do", **fields))
    assert [item["op"] for item in made[0]["do"]] == ["draw", "shuffle", "draw"]


def test_an_amount_can_become_a_number_of_cards(writer: Client) -> None:
    fields = {"sort": "on", "w:on": "played", "l:do": "", "w:do.0.op": "draw", "k:do.0.n": "count", "n:do.0.n": "1"}
    made = draft_of(post(writer, [DRAWS], **fields))
    assert made[0]["do"] == [{"op": "draw", "n": {"count": {}}}]


def test_abilities_are_opened_moved_and_removed(writer: Client) -> None:
    made = draft_of(post(writer, [DRAWS, GAINS], "raise|1"))
    assert made == [GAINS, DRAWS]
    assert draft_of(post(writer, [DRAWS, GAINS], "drop|0")) == [GAINS]
    assert post(writer, [DRAWS, GAINS], "open|1").context["draft"].opened == 1


def test_every_shipped_ability_survives_its_form(writer: Client, cast: Cast) -> None:
    """What the form of an ability shows is what it sends back: nothing is lost by opening it."""
    from engine.face.effects import completed_ability
    from tests.engine.test_sentences import abilities_of
    from tournaments.decks.engine_gate import ability_choices
    from tournaments.web.pages.cards.effect_forms import AbilityForm, Node

    def fields(node: Node) -> list[tuple[str, str]]:
        value = "" if node.form in ("group", "list") else node.value
        own = [(node.name, each) for each in ["", *value]] if node.form == "marks" else [(node.name, str(value))]
        return [*(own if node.name else []), *(pair for child in node.children for pair in fields(child))]

    for game in ("altered", "saint-seiya", "star-safir", "stellar-nexus", "wakfu"):
        form = AbilityForm(ability_choices(game, "en"), {})
        for ability in abilities_of(game):
            sent = QueryDict(mutable=True)
            for name, value in fields(form.tree(ability)):
                sent.appendlist(name, value)
            assert completed_ability(game, sent_ability(sent)) == ability


def test_a_misspelt_word_comes_with_buttons_that_put_it_right(writer: Client) -> None:
    wrong = '[{"on": "played", "do": [{"op": "drow", "n": 2}]}]'
    page = post(writer, [], json=wrong)
    assert 'value="fix|0|.do[0].op|set|draw"' in text(page)
    made = draft_of(post(writer, [], "fix|0|.do[0].op|set|draw", json=wrong))
    assert made == [{"on": "played", "do": [{"op": "draw", "n": 2}]}]
    wrong = '[{"on": "played", "do": [{"op": "draw", "n": 2, "wo": "both"}]}]'
    assert "rename|wo&gt;who" in text(post(writer, [], json=wrong))
    made = draft_of(post(writer, [], "fix|0|.do[0]|rename|wo>who", json=wrong))
    assert made == [{"on": "played", "do": [{"op": "draw", "n": 2, "who": "both"}]}]


def test_a_usual_keyword_is_added_by_its_button(writer: Client) -> None:
    page = post(writer, [GAINS])
    assert 'value="keyword|Destruction"' in text(page)
    assert post(writer, [GAINS], "keyword|Destruction").context["draft"].keywords == [{"kw": "Destruction"}]


def test_text_that_cannot_be_read_stays_as_it_was_typed(writer: Client) -> None:
    page = text(post(writer, [DRAWS], json='[{"on": "played", '))
    assert "[{&quot;on&quot;: &quot;played&quot;," in page and "cannot be read" in page


def test_an_effect_is_saved_and_the_event_of_another_version_is_not_changed(cast: Cast, writer: Client) -> None:
    seen = card_digest(raw_cards(newest(cast.organizer))["OWN-1"])
    answer = post(writer, [DRAWS], "save", seen=seen, json="")
    assert answer.status_code == 302
    assert raw_cards(newest(cast.organizer))["OWN-1"]["abilities"] == [DRAWS]
    assert "Saved in version 2" in text(writer.get(answer.headers["Location"]))


def test_the_second_to_save_sees_both_and_can_still_save(cast: Cast, writer: Client) -> None:
    seen = card_digest(raw_cards(newest(cast.organizer))["OWN-1"])
    save(cast.organizer, newest(cast.organizer), "OWN-1", GAINS)
    answer = post(writer, [DRAWS], "save", seen=seen)
    page = text(answer)
    assert answer.status_code == 409
    assert "gain 2 PI" in page and "draw 1 card" in page
    again = post(writer, [DRAWS], "save", seen=answer.context["theirs"]["seen"])
    assert again.status_code == 302
    assert raw_cards(newest(cast.organizer))["OWN-1"]["abilities"] == [DRAWS]


def test_a_faulty_ability_is_not_saved(cast: Cast, writer: Client) -> None:
    seen = card_digest(raw_cards(newest(cast.organizer))["OWN-1"])
    answer = post(writer, [{"on": "played", "do": [{"op": "drow"}]}], "save", opened="", seen=seen)
    assert answer.status_code == 422
    assert Catalogue.objects.filter(owner=cast.organizer).count() == 1


def test_effects_go_from_one_catalogue_to_another_as_a_file(cast: Cast, writer: Client) -> None:
    save(cast.organizer, newest(cast.organizer), "OWN-1", DRAWS)
    answer = writer.get(address("effects_download", "star-safir", "own"))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="own-effects.json"'
    assert json.loads(answer.content) == {"OWN-1": {"abilities": [DRAWS]}}
    one = writer.get(address("effects_download", "star-safir", "own"), {"card": "OWN-2"})
    assert json.loads(one.content) == {}, "this card does nothing"
    assert writer.get(address("effects_download", "star-safir", "own"), {"card": 'x"\n'}).status_code == 404
    kept(cast.judge)
    other, apply = signed_in(cast.judge), address("effects_apply", "star-safir", "own")
    shown = other.post(apply, {"document": SimpleUploadedFile("effects.json", answer.content)})
    assert "Change 1 card" in text(shown)
    done = other.post(apply, {"content": shown.context["content"], "command": "apply"})
    assert done.status_code == 302
    assert raw_cards(newest(cast.judge))["OWN-1"]["abilities"] == [DRAWS]


def test_a_file_that_cannot_be_read_is_refused_on_its_page(writer: Client) -> None:
    answer = writer.post(address("effects_apply", "star-safir", "own"), {"content": "[]"})
    assert answer.status_code == 422 and "cannot be read" in text(answer)


@pytest.mark.parametrize(
    "fields",
    [
        {"w:" + ".".join(["do"] * 300): "x"},
        {"w:do.99999999.op": "draw", "l:do": ""},
        {"n:do.0.n": "9" * 50, "l:do": "", "w:do.0.op": "draw"},
        {"k:do.0.n": "nothing", "k:": "x", "o:": ""},
        {"add:do.0": "x", "add:": "y", "w:on": "played"},
        {"command": "up|do.x", "w:on": "z"},
        {"command": "fix|0|.do[0|set|draw"},
        {"command": "|||||"},
        {"opened": "99999"},
        {"json": "[" * 50},
        {"draft": "[[[["},
    ],
)
def test_odd_forms_are_answered(writer: Client, fields: dict[str, Any]) -> None:
    sent = {"draft": json.dumps([DRAWS]), "command": "check", "opened": "0"}
    answer = writer.post(address(*PAGE), {**sent, **fields})
    assert answer.status_code in (200, 422)


def test_a_card_that_is_not_there_is_not_found(writer: Client) -> None:
    assert writer.get(address("card_effects", "star-safir", "own", "NOBODY")).status_code == 404


def test_the_list_takes_as_many_queries_for_few_cards_as_for_many(cast: Cast) -> None:
    def counted(by: User, cards: str) -> int:
        kept(by, cards)
        return queries_of(signed_in(by), address("catalogue_effects", "star-safir", "own"))

    assert counted(cast.organizer, "".join(CARDS.splitlines(keepends=True)[:3])) == counted(cast.judge, CARDS)


def test_a_card_is_tried_on_a_board_before_it_is_saved(cast: Cast, writer: Client) -> None:
    gains = {"on": "played", "do": [{"op": "gain", "what": "pv", "n": 3}]}
    shown = post(writer, [gains], "try")
    trial = shown.context["trial"]
    number = trial["moves"][0]["number"]
    assert "Zouave 1" in trial["moves"][0]["words"], "the moves of the card come first"
    played = post(writer, [gains], f"play|{number}", trial=shown.context["tried"].as_text)
    assert len(played.context["trial"]["made"]) == 1
    assert re.search(r'is-changed"><dt>[^<]+</dt><dd>\d+ <span class="was">was \d+', played.context["board"])
    assert Catalogue.objects.filter(owner=cast.organizer).count() == 1, "nothing is saved"
    undone = post(writer, [gains], "back", trial=played.context["tried"].as_text)
    assert undone.context["trial"]["made"] == []
    assert post(writer, [gains], "stop", trial=played.context["tried"].as_text).context["trial"] is None


def test_moves_that_a_change_makes_impossible_are_taken_back(writer: Client) -> None:
    shown = post(writer, [DRAWS], "try")
    played = post(
        writer, [DRAWS], f"play|{shown.context['trial']['moves'][0]['number']}", trial=shown.context["tried"].as_text
    )
    moves = json.loads(played.context["tried"].as_text)
    never = {"static": {"forbid": "play", "to": {"self": True}}}
    page = post(writer, [never], trial=json.dumps(moves))
    assert page.context["trial"]["lost"] == 1 and "The last moves were undone" in text(page)


@pytest.mark.parametrize(
    "trial", ["[", "{}", '{"moves": [1, {"by": "A"}]}', '{"moves": [{"by": "A", "do": "x", "args": 3}], "seed": 7}']
)
def test_an_odd_trial_is_answered(writer: Client, trial: str) -> None:
    for command in ("check", "play|0", "play|9999", "back"):
        assert post(writer, [DRAWS], command, trial=trial).status_code == 200
