"""Images of cards: kept beside a catalogue without changing it, and shown only where organizer and operator say so."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from engine.core.cards.card_list import written
from engine.core.cards.images import with_images
from engine.face.effects import card_digest
from engine.face.lists import sound_images
from tests.builders import NOW, an_event
from tests.cast import Cast
from tests.decks.test_own_catalogues import kept, post_file, read
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.common import clock, jobs
from tournaments.decks.catalogues import import_catalogue, keep_upload
from tournaments.decks.effects import save_card
from tournaments.decks.engine_gate import card_faces, raw_cards
from tournaments.decks.images import host_of, saved_images, shown_images
from tournaments.decks.models import CardImages, Catalogue
from tournaments.decks.services import choose_catalogue
from tournaments.events.models import Event, StaffRole
from tournaments.events.services import grant_role

pytestmark = pytest.mark.django_db
SITE = "https://cards.example.org"
PLAIN = {"name": "One", "kind": "combattant", "atk": 1, "val": 1, "def": 1, "text": ""}
REFS = ("A-1", "A-2", "A-3")


def listed(images: dict[str, str], **changes: Any) -> str:
    """Return a list of three cards, of which some have images."""
    cards = [{**PLAIN, "ref": ref, "name": f"Card {ref}", **changes} for ref in REFS]
    return json.dumps([{**card, "image": images[card["ref"]]} if card["ref"] in images else card for card in cards])


def pictured(host: str = SITE, refs: tuple[str, ...] = REFS) -> dict[str, str]:
    return {ref: f"{host}/{ref}.jpg" for ref in refs}


def using(cast: Cast, catalogue: Catalogue) -> Event:
    event = an_event(cast)
    choose_catalogue(event=event, sha256=catalogue.sha256, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def image_of(event: Event, ref: str) -> str:
    face = card_faces(event)(ref)
    assert face is not None
    return face.image


def test_images_are_kept_beside_a_catalogue_and_change_nothing_of_it(cast: Cast) -> None:
    plain, other = kept(cast.organizer, listed({})), kept(cast.judge, listed(pictured()))
    assert (plain.sha256, plain.document) == (other.sha256, other.document)
    assert "image" not in other.document
    assert (saved_images(plain), saved_images(other)) == ({}, pictured())


def test_the_same_cards_with_other_images_make_no_new_version(cast: Cast) -> None:
    first = kept(cast.organizer, listed(pictured()))
    upload = read(cast.organizer, listed(pictured("https://new.example")))
    assert upload.report["changes"] == {"version": 1, "same": True, "added": 0, "changed": 0, "removed": 0}
    page = text(signed_in(cast.organizer).get(address("catalogue_upload", upload.public_id)))
    assert "exactly the cards of version 1" in page
    assert keep_upload(upload=upload, now=NOW) == first
    assert saved_images(first) == pictured("https://new.example")
    kept(cast.organizer, listed({}))
    assert saved_images(first) == {}, "a list without images takes them away"
    assert Catalogue.objects.count() == 1


def test_other_cards_are_a_new_version_with_images_of_its_own(cast: Cast) -> None:
    first, second = kept(cast.organizer, listed(pictured())), kept(cast.organizer, listed({}, atk=2))
    assert second.version == 2
    assert (saved_images(first), saved_images(second)) == (pictured(), {})


def test_writing_what_a_card_does_keeps_the_images(cast: Cast) -> None:
    catalogue = kept(cast.organizer, listed(pictured()))
    for sentence in ([{"on": "played", "do": [{"op": "draw", "n": 1}]}], []):
        seen = card_digest(raw_cards(catalogue)["A-1"])
        effects = {"abilities": sentence, "keywords": [{"kw": "Rempart"}]}
        catalogue = save_card(catalogue=catalogue, ref="A-1", seen=seen, effects=effects, by=cast.organizer, now=NOW)
        assert saved_images(catalogue) == pictured()


def test_the_command_of_the_operator_keeps_images_too(cast: Cast) -> None:
    made = import_catalogue(game="star-safir", content=listed(pictured()).encode(), name="own", now=NOW)
    assert saved_images(made) == pictured()


def test_only_images_of_allowed_hosts_are_shown(cast: Cast, settings: Any) -> None:
    images = {**pictured(), "A-2": "https://elsewhere.example/2.jpg", "A-3": "https://CARDS.example.org:443/3.jpg"}
    event = using(cast, kept(cast.organizer, listed(images)))
    assert [image_of(event, ref) for ref in REFS] == ["", "", ""], "no host is allowed by default"
    settings.CARD_IMAGE_HOSTS = ["cards.example.org"]
    assert [image_of(event, ref) for ref in REFS] == [images["A-1"], "", images["A-3"]]
    settings.CARD_IMAGE_HOSTS = ["elsewhere.example"]
    assert [image_of(event, ref) for ref in REFS] == ["", images["A-2"], ""]


@pytest.mark.parametrize(
    ("where", "host"),
    [
        ("https://cards.example.org/1.jpg", "cards.example.org"),
        ("https://Cards.Example.org:443/1.jpg", "cards.example.org"),
        ("https://cards.example.org:8443/1.jpg", "cards.example.org:8443"),
        ("https://cards.example.org.evil.example/1.jpg", "cards.example.org.evil.example"),
    ],
)
def test_the_host_of_an_image_is_compared_as_a_whole(where: str, host: str) -> None:
    assert host_of(where) == host


def test_a_stranger_with_the_same_cards_cannot_put_images_on_the_boards_of_others(cast: Cast, settings: Any) -> None:
    settings.CARD_IMAGE_HOSTS = ["cards.example.org"]
    kept(cast.stranger, listed(pictured()))
    event = using(cast, kept(cast.organizer, listed({})))
    assert shown_images(event) == {}
    grant_role(event=event, email=cast.stranger.email, role=StaffRole.Role.JUDGE, by=cast.organizer, now=NOW)
    assert shown_images(event) == {}, "a judge does not choose the cards"
    grant_role(event=event, email=cast.stranger.email, role=StaffRole.Role.ORGANIZER, by=cast.organizer, now=NOW)
    assert shown_images(event) == pictured()


def test_the_images_of_an_organizer_come_before_those_of_the_operator(cast: Cast, settings: Any) -> None:
    settings.CARD_IMAGE_HOSTS = ["cards.example.org", "own.example"]
    shared = import_catalogue(game="star-safir", content=listed(pictured()).encode(), name="all", now=NOW)
    event = using(cast, shared)
    assert shown_images(event) == pictured()
    kept(cast.organizer, json.dumps({"id": "all", "game": "star-safir", "cards": json.loads(listed({}))}))
    assert shown_images(event) == pictured(), "cards without images take nothing away"
    own = {"id": "all", "game": "star-safir", "cards": json.loads(listed(pictured("https://own.example")))}
    kept(cast.organizer, json.dumps(own))
    assert shown_images(event) == pictured("https://own.example")


def test_replaced_images_are_shown_at_once(cast: Cast, settings: Any) -> None:
    settings.CARD_IMAGE_HOSTS = ["cards.example.org"]
    event = using(cast, kept(cast.organizer, listed(pictured())))
    assert shown_images(event) == pictured()
    kept(cast.organizer, listed(pictured(f"{SITE}/new")))
    assert shown_images(event) == pictured(f"{SITE}/new")
    kept(cast.organizer, listed({}))
    assert shown_images(event) == {}


def test_cards_shipped_with_the_engine_can_have_images_of_an_organizer(cast: Cast, settings: Any) -> None:
    settings.CARD_IMAGE_HOSTS = ["cards.example.org"]
    catalogue = with_the_demonstration(cast.organizer)
    event = an_event(cast)
    assert event.catalog_sha256 == catalogue.sha256
    assert shown_images(event) == saved_images(catalogue) != {}


def with_the_demonstration(owner: User) -> Catalogue:
    """Save the demonstration cards of Star Safir as a catalogue of an account, with an image for each card."""
    document = json.loads(files("engine.games.star_safir").joinpath("cards/safir-demo.json").read_bytes())
    refs = tuple(card["ref"] for card in document["cards"])
    return kept(owner, written(with_images(document, pictured(refs=refs))))


def test_the_pages_of_a_catalogue_say_which_images_are_not_shown(cast: Cast, settings: Any) -> None:
    settings.CARD_IMAGE_HOSTS = ["cards.example.org"]
    organizer = signed_in(cast.organizer)
    images = {**pictured("https://elsewhere.example"), "A-3": f"{SITE}/3.jpg"}
    answer = post_file(organizer, listed(images).encode(), "own.json")
    jobs.run_due(clock.now())
    said = "The images of 2 cards are not shown: elsewhere.example is not allowed on this site."
    assert said in text(organizer.get(answer["Location"]))
    catalogue = keep_upload(upload=cast.organizer.catalogue_uploads.get(), now=NOW)
    page = text(organizer.get(address("catalogue", catalogue.pk)))
    assert said in page and "Cards with an image" in page and "cards.example.org is not" not in page
    settings.CARD_IMAGE_HOSTS = ["cards.example.org", "elsewhere.example"]
    assert "not shown" not in text(organizer.get(address("catalogue", catalogue.pk)))


def test_hosts_beyond_the_first_five_are_counted_together(cast: Cast) -> None:
    cards = [{**PLAIN, "ref": f"B-{n}", "name": f"B {n}", "image": f"https://h{n}.example/1.jpg"} for n in range(8)]
    page = text(signed_in(cast.organizer).get(address("catalogue", kept(cast.organizer, json.dumps(cards)).pk)))
    assert page.count("is not allowed on this site") == 5 and "Nor are those of 3 more cards" in page


def test_a_wrong_address_is_reported_with_its_line(cast: Cast) -> None:
    content = "ref,name,kind,atk,val,def,image\nA-1,One,combattant,1,1,1,http://cards.example.org/1.jpg\n"
    upload = read(cast.organizer, content)
    assert [(fault["line"], fault["path"], fault["code"]) for fault in upload.report["faults"]] == [
        (2, "image", "bad_image")
    ]


def test_images_from_outside_are_taken_only_for_cards_that_are_there_and_with_a_sound_address() -> None:
    given = {**pictured(refs=("A-1", "B-9")), "A-2": "javascript:alert(1)", "A-3": ["https://cards.example.org/"]}
    document = json.dumps({"id": "own", "game": "star-safir", "cards": json.loads(listed({}))})
    assert sound_images(document, given) == pictured(refs=("A-1",))
    assert sound_images("{", given) == {}


def test_deleting_a_catalogue_deletes_its_images(cast: Cast) -> None:
    catalogue = kept(cast.organizer, listed(pictured()))
    assert signed_in(cast.organizer).post(address("catalogue_delete", catalogue.pk)).status_code == 302
    assert not CardImages.objects.exists()
