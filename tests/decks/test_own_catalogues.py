"""An organizer's private catalogues: uploaded, read by a job, previewed, saved in versions, and hidden from others."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404, HttpResponse
from django.test import Client

from tests.builders import NOW, an_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import User
from tournaments.common import clock, jobs
from tournaments.decks import catalogues
from tournaments.decks.access import catalogue_for_reader
from tournaments.decks.catalogues import (
    MAX_BYTES,
    delete_catalogue,
    discard_upload,
    forget_upload,
    import_catalogue,
    keep_upload,
    open_upload,
    read_upload,
)
from tournaments.decks.models import Catalogue, CatalogueUpload
from tournaments.decks.selectors import catalogue_choices
from tournaments.decks.services import choose_catalogue
from tournaments.events.models import StaffRole
from tournaments.events.services import grant_role
from tournaments.web.personal import data_of

pytestmark = pytest.mark.django_db

HEAD = "ref,name,kind,atk,val,def,text\n"
CARDS = HEAD + "".join(f"OWN-{n},Zouave {n},combattant,1,1,2,\n" for n in range(1, 26))
FAULTY = HEAD + "A-1,One,dragon,1,1,1,\nA-2,Two,combattant,x,1,1,\n"


def sent(by: User, content: str = CARDS, name: str = "own") -> CatalogueUpload:
    return open_upload(game="star-safir", name=name, document=content.encode(), by=by, now=clock.now())


def read(by: User, content: str = CARDS) -> CatalogueUpload:
    upload = sent(by, content)
    jobs.run_due(clock.now())
    upload.refresh_from_db()
    return upload


def kept(by: User, content: str = CARDS) -> Catalogue:
    return keep_upload(upload=read(by, content), now=NOW)


def post_file(client: Client, content: bytes, name: str = "My Cards.csv") -> HttpResponse:
    file = SimpleUploadedFile(name, content)
    return client.post(address("catalogues"), {"game": "star-safir", "document": file, "name": ""})


def test_a_list_is_read_by_a_job_and_saved_when_its_owner_confirms(cast: Cast) -> None:
    upload = read(cast.organizer)
    assert (upload.status, upload.report["cards"], len(upload.report["look"]["sample"])) == ("readable", 25, 20)
    assert not Catalogue.objects.exists()
    made = keep_upload(upload=upload, now=NOW)
    assert keep_upload(upload=upload, now=NOW) == made
    assert (made.catalog, made.version, made.cards, made.owner) == ("own", 1, 25, cast.organizer)


def test_the_same_cards_make_no_new_version_and_others_do(cast: Cast) -> None:
    first = kept(cast.organizer)
    assert kept(cast.organizer) == first
    assert kept(cast.organizer, CARDS.replace("Zouave 7,", "Zouave sept,")).version == 2
    assert kept(cast.judge).version == 1, "another account counts for itself"


def test_a_faulty_list_reports_every_line_and_cannot_be_saved(cast: Cast) -> None:
    upload = read(cast.organizer, FAULTY)
    found = [(fault["line"], fault["code"]) for fault in upload.report["faults"]]
    assert found == [(2, "unknown_kind"), (3, "bad_figure"), (3, "missing_figure")]
    with assert_refused("cards_not_read"):
        keep_upload(upload=upload, now=NOW)
    page = text(signed_in(cast.organizer).get(address("catalogue_upload", upload.public_id)))
    assert "unknown_kind" in page and "bad_figure" in page


@pytest.mark.parametrize(
    "document", [b"", b"\xff\xfe\x00", b"[1, 2", b"{", b"ref\n", b'{"id": "x", "game": "wakfu", "cards": []}']
)
def test_an_unreadable_file_is_reported_as_faulty(cast: Cast, document: bytes) -> None:
    upload = open_upload(game="star-safir", name="own", document=document, by=cast.organizer, now=NOW)
    read_upload(upload_id=upload.pk)
    upload.refresh_from_db()
    assert upload.status == "faulty" and upload.report["faults"]


def test_the_size_of_a_list_and_the_number_of_lists_are_limited(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    with assert_refused("cards_too_large"):
        open_upload(game="star-safir", name="own", document=b"x" * (MAX_BYTES + 1), by=cast.organizer, now=NOW)
    for _ in range(catalogues.MAX_UPLOADS):
        last = sent(cast.organizer)
    with assert_refused("too_many_uploads"):
        sent(cast.organizer)
    discard_upload(upload=last)
    monkeypatch.setattr(catalogues, "MAX_CATALOGUES", 1)
    kept(cast.organizer)
    assert CatalogueUpload.objects.filter(status="kept").count() == 1
    with assert_refused("too_many_catalogues"):
        kept(cast.organizer, CARDS.replace("Zouave 7,", "Zouave sept,"))


def test_deleting_an_upload_keeps_the_catalogue_saved_from_it(cast: Cast) -> None:
    upload = read(cast.organizer)
    keep_upload(upload=upload, now=NOW)
    forget_upload(upload_id=upload.pk)
    assert not CatalogueUpload.objects.exists() and Catalogue.objects.count() == 1


def test_the_linter_reports_problems_by_card(cast: Cast) -> None:
    cards = [{"ref": "A-1", "name": "One", "kind": "combattant", "atk": 1, "val": 1, "def": 1, "text": "Pioche."}]
    made = kept(cast.organizer, json.dumps(cards))
    (problem,) = made.report["problems"]
    assert (problem["code"], problem["card"]) == ("TEXT-ONLY", "A-1")
    page = text(signed_in(cast.organizer).get(address("catalogue", made.pk)))
    assert "a game stops there for a ruling" in page and "A-1" in page


def test_every_card_is_either_played_by_the_engine_or_left_to_rulings(cast: Cast) -> None:
    plain = {"name": "One", "kind": "combattant", "atk": 1, "val": 1, "def": 1}
    cards = [{**plain, "ref": "A-1"}, {**plain, "ref": "A-2", "name": "Two", "text": "?"}]
    look = kept(cast.organizer, json.dumps(cards)).report
    assert (look["executed"], look["manual"]) == (1, 1)


def test_a_private_catalogue_is_offered_only_to_its_owner(cast: Cast) -> None:
    event, made = an_event(cast), kept(cast.organizer)
    grant_role(event=event, email=cast.stranger.email, role=StaffRole.Role.ORGANIZER, by=cast.organizer, now=NOW)
    assert made.sha256 in [choice.sha256 for choice in catalogue_choices(event, cast.organizer) if choice.own]
    with assert_refused("catalogue_not_found"):
        choose_catalogue(event=event, sha256=made.sha256, by=cast.stranger, now=NOW)
    choose_catalogue(event=event, sha256=made.sha256, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    seen = [choice for choice in catalogue_choices(event, cast.stranger) if choice.chosen]
    assert [(choice.catalog, choice.version, choice.own) for choice in seen] == [("own", 1, False)]


def test_only_the_owner_and_the_staff_of_its_events_can_read_a_catalogue(cast: Cast) -> None:
    event, made = an_event(cast), kept(cast.organizer)
    for user in (cast.judge, cast.stranger):
        with pytest.raises(Http404):
            catalogue_for_reader(user, made.pk)
    choose_catalogue(event=event, sha256=made.sha256, by=cast.organizer, now=NOW)
    assert catalogue_for_reader(cast.judge, made.pk) == made
    with pytest.raises(Http404):
        catalogue_for_reader(cast.stranger, made.pk)


def test_every_organizer_can_choose_a_catalogue_imported_by_the_operator(cast: Cast) -> None:
    made = import_catalogue(game="star-safir", content=CARDS.encode(), name="own", now=NOW)
    assert made.sha256 in [choice.sha256 for choice in catalogue_choices(an_event(cast), cast.stranger)]
    assert catalogue_for_reader(cast.stranger, made.pk) == made


def test_a_catalogue_can_be_deleted_only_if_no_event_needs_it(cast: Cast) -> None:
    event, made = an_event(cast), kept(cast.organizer)
    choose_catalogue(event=event, sha256=made.sha256, by=cast.organizer, now=NOW)
    with assert_refused("catalogue_used"):
        delete_catalogue(catalogue=made)
    delete_catalogue(catalogue=kept(cast.judge))  # the same content, which the organizer's row still provides
    other = kept(cast.organizer, CARDS.replace("Zouave 7,", "Zouave sept,"))
    delete_catalogue(catalogue=other)
    assert list(Catalogue.objects.all()) == [made]


def test_an_organizer_can_upload_save_and_choose_a_catalogue_on_the_pages(cast: Cast) -> None:
    event, client = an_event(cast), signed_in(cast.organizer)
    sent_to = post_file(client, CARDS.encode())
    assert sent_to.status_code == 302
    waiting = text(client.get(sent_to["Location"]))
    assert "being read" in waiting and "<progress" in waiting
    jobs.run_due(clock.now())
    looked_at = text(client.get(sent_to["Location"]))
    assert "Zouave 20" in looked_at and "And 5 more cards." in looked_at and "Save 25 cards" in looked_at
    assert client.post(sent_to["Location"] + "keep/").status_code == 302
    made = Catalogue.objects.get()
    assert made.catalog == "my-cards"
    cards = address("staff_cards", event.public_id)
    assert "my-cards, version 1, your own: 25 cards" in text(client.get(cards))
    assert client.post(cards, {"sha256": made.sha256}).status_code == 302
    assert "What the card checker says about my-cards, version 1" in text(client.get(cards))
    assert client.get(sent_to["Location"]).status_code == 302, "an upload that was kept leads to its catalogue"


def entries(count: int) -> list[dict[str, object]]:
    """Entries of a list as the community of Altered shares it, the last of which is of an unknown type."""
    plain = {"name_en": "Lamp", "name_fr": "Lampe", "faction": "AX", "rarity": "COMMON", "type": "spell", "set": "X"}
    made: list[dict[str, object]] = [{**plain, "reference": f"ALT_X_B_AX_{n:02}_C"} for n in range(1, count + 1)]
    made[-1]["type"] = "gadget"
    return made


def test_a_community_file_is_recognized_and_what_is_left_out_is_shown(cast: Cast) -> None:
    client = signed_in(cast.organizer)
    file = SimpleUploadedFile("cards.json", json.dumps(entries(4)).encode())
    sent_to = client.post(address("catalogues"), {"document": file, "game": "", "name": ""})["Location"]
    jobs.run_due(clock.now())
    page = text(client.get(sent_to))
    assert "list of Altered cards" in page and "Save 6 cards" in page and "Left out: 1 line" in page
    assert '<span class="code">X</span> <span class="num">3</span>' in page
    assert "unknown_kind" in page and "cards[3].type" in page and "Suspensions and bans" in page
    client.post(sent_to + "keep/")
    made = Catalogue.objects.get()
    assert (made.game, made.catalog, made.report["file"]["kind"]) == ("altered", "altered", "altered")
    assert "Left out: 1 line" in text(client.get(address("catalogue", made.pk)))


def test_the_suspensions_of_altered_come_in_a_second_file(cast: Cast) -> None:
    history = {"patches": [{"effective": "2025-05-13", "banned": ["Lamp (Common)"]}]}
    files = {
        "document": SimpleUploadedFile("cards.json", b"\xef\xbb\xbf" + json.dumps(entries(3)).encode()),
        "suspensions": SimpleUploadedFile("history.json", json.dumps(history).encode()),
    }
    client = signed_in(cast.organizer)
    client.post(address("catalogues"), {**files, "game": "", "name": ""})
    jobs.run_due(clock.now())
    upload = CatalogueUpload.objects.get()
    file = upload.report["file"]
    assert (upload.status, file["lacks"], file["suspensions"]) == ("readable", ["texts"], 1)
    assert [each["from"] for each in json.loads(bytes(upload.document))["legality"]] == ["2025-05-13"]


def test_a_new_version_says_how_it_differs_from_the_one_before(cast: Cast) -> None:
    kept(cast.organizer)
    other = CARDS.replace("Zouave 7,", "Zouave sept,").replace("OWN-9,", "OWN-99,")
    upload = read(cast.organizer, other)
    assert upload.report["changes"] == {"version": 1, "same": False, "added": 1, "changed": 1, "removed": 1}
    page = text(signed_in(cast.organizer).get(address("catalogue_upload", upload.public_id)))
    assert "Compared with version 1, cards added: 1, changed: 1, removed: 1" in page


def test_a_file_that_is_not_recognized_is_refused_with_what_was_expected(cast: Cast) -> None:
    client = signed_in(cast.organizer)
    sent_to = post_file(client, b"hello;world\n1;2\n")["Location"]
    jobs.run_due(clock.now())
    page = text(client.get(sent_to))
    assert "unknown_file" in page and "the card list of Altered" in page


def test_an_upload_can_be_discarded_on_its_page(cast: Cast) -> None:
    upload, client = read(cast.organizer), signed_in(cast.organizer)
    assert "own" in text(client.get(address("catalogues")))
    assert client.post(address("catalogue_upload_end", upload.public_id, "discard")).status_code == 302
    assert not CatalogueUpload.objects.exists()


def test_a_file_that_is_too_large_is_refused_on_the_page(cast: Cast) -> None:
    answer = post_file(signed_in(cast.organizer), b"x" * (MAX_BYTES + 1))
    assert answer.status_code == 422 and "at most 8 MiB" in text(answer)


def test_the_list_of_catalogues_takes_the_same_queries_for_two_and_for_eight(cast: Cast) -> None:
    client = signed_in(cast.organizer)

    def fill(start: int, end: int) -> int:
        for n in range(start, end):
            kept(cast.organizer, CARDS.replace("Zouave 7,", f"Zouave x{n},"))
        return queries_of(client, address("catalogues"))

    assert fill(0, 2) == fill(2, 8)


def test_the_catalogues_of_an_account_are_in_its_data_export(cast: Cast) -> None:
    kept(cast.organizer)
    assert [row["catalog"] for row in data_of(cast.organizer)["catalogues"]] == ["own"]
