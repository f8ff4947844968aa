"""Shared card catalogues: imported in versions, chosen for an event, used by its deck checks and audits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from engine import face
from engine.core.replay.selfplay import play
from engine.core.table.log import parse
from tests.builders import NOW, an_event, an_open_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.services import own_person
from tournaments.common.models import LedgerEntry
from tournaments.decks.catalogues import import_catalogue
from tournaments.decks.engine_gate import card_names, catalog_of, describe, own_catalogs
from tournaments.decks.models import Catalogue
from tournaments.decks.selectors import catalogue_choices
from tournaments.decks.services import choose_catalogue, submit_decklist
from tournaments.events.models import Event
from tournaments.events.services import register

pytestmark = pytest.mark.django_db

HEAD = "ref,name,kind,atk,val,def,text\n"
CARDS = HEAD + "".join(f"OWN-{n},Zouave {n},combattant,1,1,2,\n" for n in range(1, 21))
LIST = "\n".join(f"2 Zouave {n}" for n in range(1, 16))  # 30 cards


def imported(content: str = CARDS, name: str = "own") -> Catalogue:
    return import_catalogue(game="star-safir", content=content.encode(), name=name, now=NOW)


def chosen(cast: Cast, event: Event) -> Event:
    choose_catalogue(event=event, sha256=imported().sha256, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def test_importing_the_same_list_again_is_idempotent_and_another_is_a_new_version() -> None:
    first = imported()
    assert imported().pk == first.pk
    second = imported(CARDS.replace("Zouave 7", "Zouave sept"))
    assert [(row.catalog, row.version, row.cards) for row in (first, second)] == [("own", 1, 20), ("own", 2, 20)]


def test_a_complete_catalogue_is_stored_unchanged() -> None:
    document = {"id": "mine", "game": "star-safir", "cards": [{"ref": "A-1", "name": "One", "kind": "magie", "val": 1}]}
    kept = imported(json.dumps(document))
    assert (kept.catalog, json.loads(kept.document)) == ("mine", document)
    with assert_refused("cards_unreadable"):
        imported(json.dumps({**document, "game": "wakfu"}))


def test_the_command_recognizes_a_file_and_says_what_it_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {"reference": "ALT_X_B_AX_01_C", "name_en": "Lamp", "faction": "AX", "rarity": "COMMON", "type": "spell"}
    file, history = tmp_path / "altered.json", tmp_path / "history.json"
    file.write_text(json.dumps([entry, {**entry, "type": "gadget"}]), encoding="utf-8")
    history.write_text('{"patches": [{"effective": "2025-05-13", "banned": ["Lamp (Common)"]}]}', encoding="utf-8")
    call_command("import_catalogue", str(file), "--legality", str(history))
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("altered version 1: 4 cards") and "left out: 1 × unknown_kind" in said[1]
    made = Catalogue.objects.get()
    assert made.shared and made.game == "altered" and len(json.loads(made.document)["legality"]) == 1


def test_card_names_are_in_the_active_language_where_available(cast: Cast) -> None:
    card = {"ref": "A-1", "name": "One", "kind": "magie", "val": 1, "names": {"it": "Uno"}}
    kept = imported(json.dumps({"id": "mine", "game": "star-safir", "cards": [card]}))
    event = an_open_event(cast)
    choose_catalogue(event=event, sha256=kept.sha256, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    said = {}
    for language in ("en", "fr", "it"):
        with translation.override(language):
            said[language] = card_names(event)["A-1"]
    assert said == {"en": "One", "fr": "One", "it": "Uno"}


def test_broken_rules_name_cards_in_the_language_of_the_reader(cast: Cast) -> None:
    named = {"name_fr": "Lampe Errante", "name_en": "Wandering Lamp", "faction": "AX", "type": "spell"}
    entries = [{**named, "reference": "ALT_X_B_AX_01_C", "rarity": "COMMON"}]
    kept = import_catalogue(game="altered", content=json.dumps(entries).encode(), name="a", now=NOW)
    event = an_open_event(cast, preset="altered")
    choose_catalogue(event=event, sha256=kept.sha256, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    entrant = register(event=event, person=own_person(cast.player), by=cast.player, now=NOW)
    made = submit_decklist(entrant=entrant, text="9 Wandering Lamp", by=cast.player, now=NOW)
    for language, name in (("fr", "Lampe Errante"), ("en", "Wandering Lamp")):
        assert any(name in found["message"] for found in describe(event, made.violations, language))
    with assert_refused("deck_unreadable") as caught:
        submit_decklist(entrant=entrant, text="1 ALT_NEW_B_AX_01_C", by=cast.player, now=NOW)
    assert "no cards of set NEW" in caught.value.details[0]["message"]


def test_a_faulty_list_is_not_stored_and_every_faulty_line_is_reported() -> None:
    with assert_refused("cards_unreadable") as caught:
        imported(HEAD + "A-1,One,dragon,1,1,1,\nA-2,Two,combattant,x,1,1,\n")
    assert [(fault["line"], fault["code"]) for fault in caught.value.details] == [
        (2, "unknown_kind"),
        (3, "bad_figure"),
        (3, "missing_figure"),
    ]
    assert not Catalogue.objects.exists()


def test_a_saved_catalogue_cannot_be_changed() -> None:
    kept = imported()
    kept.catalog = "other"
    with pytest.raises(TypeError):
        kept.save()


def test_decklists_are_read_with_the_catalogue_of_the_event(cast: Cast) -> None:
    event = chosen(cast, an_open_event(cast))
    assert catalog_of(event).id == "own"
    entrant = register(event=event, person=own_person(cast.player), by=cast.player, now=NOW)
    assert submit_decklist(entrant=entrant, text=LIST, by=cast.player, now=NOW).legal
    with assert_refused("deck_unreadable"):
        submit_decklist(entrant=entrant, text="30 Braisillon", by=cast.player, now=NOW)


def test_logs_are_audited_with_the_catalogue_of_the_event(cast: Cast) -> None:
    event = chosen(cast, an_open_event(cast))
    catalog = catalog_of(event)
    document = json.dumps(play("star-safir", 1, catalog=catalog)).encode()
    assert parse(document).header.catalog["id"] == "own"
    assert face.audits.log_fault(document, "star-safir", "en", own_catalogs(event)) is None
    assert face.audits.audit(document.decode(), own_catalogs(event))["verdict"] == "confirmed"
    fault = face.audits.log_fault(document, "star-safir", "en")
    assert fault is not None and "catalog" in fault["code"]


def test_a_shipped_catalogue_needs_no_row(cast: Cast) -> None:
    assert own_catalogs(an_event(cast)) == ()


def test_choosing_a_catalogue_twice_writes_one_ledger_entry(cast: Cast) -> None:
    event = an_event(cast)
    chosen(cast, event)
    chosen(cast, event)
    entries = LedgerEntry.objects.filter(chain=event.public_id, code="event.catalogue_chosen")
    assert [entry.after["catalog"] for entry in entries] == ["own"]


def test_an_unknown_catalogue_or_one_of_another_game_is_refused(cast: Cast) -> None:
    other = import_catalogue(game="wakfu", content=b"ref,name,kind\nW-1,One,zone\n", name="w", now=NOW)
    for sha256 in (other.sha256, "0" * 64):
        with assert_refused("catalogue_not_found"):
            choose_catalogue(event=an_event(cast), sha256=sha256, by=cast.organizer, now=NOW)


def test_the_page_lists_the_catalogues_of_the_game_and_saves_the_choice(cast: Cast) -> None:
    event, own = an_event(cast), imported()
    client, page = signed_in(cast.organizer), address("staff_cards", event.public_id)
    assert "own, version 1: 20 cards" in text(client.get(page))
    assert client.post(page, {"sha256": own.sha256}).status_code == 302
    event.refresh_from_db()
    assert (event.catalog, event.catalog_sha256) == ("own", own.sha256)
    assert client.post(page, {"sha256": "nothing"}).status_code == 422


def test_a_refused_choice_is_explained_on_the_page(cast: Cast) -> None:
    event, own = an_event(cast), imported()
    Event.objects.filter(pk=event.pk).update(status=Event.Status.RUNNING)
    answer = signed_in(cast.organizer).post(address("staff_cards", event.public_id), {"sha256": own.sha256})
    assert answer.status_code == 409 and "this step is no longer possible" in text(answer)


def test_the_shipped_catalogue_is_the_default(cast: Cast) -> None:
    imported()
    found = catalogue_choices(an_event(cast), cast.organizer)
    assert [(choice.catalog, choice.version) for choice in found if choice.chosen] == [("safir-demo", 0)]
    assert ("own", 1) in [(choice.catalog, choice.version) for choice in found]


def test_the_command_saves_a_list_and_prints_its_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "My Cards.csv"
    file.write_text(CARDS, encoding="utf-8")
    call_command("import_catalogue", "star-safir", str(file))
    assert capsys.readouterr().out.startswith("my-cards version 1: 20 cards, sha256 ")
    file.write_text(HEAD + "A-1,One,dragon,1,1,1,\n", encoding="utf-8")
    with pytest.raises(CommandError, match="line 2, kind"):
        call_command("import_catalogue", "star-safir", str(file))
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_catalogue", "star-safir", str(tmp_path / "absent.csv"))
