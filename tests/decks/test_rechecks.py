"""Moving an event to another catalogue: registered lists are checked again, and changed verdicts are confirmed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from django.utils import translation

from engine.core.cards.catalog import shipped_catalogs
from tests.api.scenes import token_client
from tests.builders import NOW, a_pool, a_running_event, a_sealed_event, an_entrant, an_event, an_open_event, deck_text
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import ApiToken
from tournaments.common.models import LedgerEntry
from tournaments.decks import services
from tournaments.decks.catalogues import import_catalogue
from tournaments.decks.models import Catalogue, Decklist
from tournaments.decks.rechecks import Recheck, rechecks
from tournaments.decks.selectors import best_catalogue, catalogue_choices, events_behind, newer_of, newest_catalogues
from tournaments.decks.services import choose_catalogue, create_event, lock_decks, submit_decklist
from tournaments.events.models import Entrant, Event

ALTERED = Path(__file__).resolve().parents[3] / "shared" / "data" / "altered"

pytestmark = pytest.mark.django_db


def cards_of_demonstration(**named: str) -> list[dict[str, object]]:
    """The cards of the Star Safir demonstration as plain JSON; `named` gives cards, by ref with `_`, another name."""
    (demo,) = [found for found in shipped_catalogs("star-safir") if found.id == "safir-demo"]
    return [
        {"ref": card.ref, "name": named.get(card.ref.replace("-", "_"), card.name), "kind": card.kind, **card.figures}
        | {"factions": list(card.factions)}
        for card in demo.cards.values()
    ]


def imported(cards: list[dict[str, object]], name: str = "own", game: str = "star-safir") -> Catalogue:
    return import_catalogue(game=game, content=json.dumps(cards).encode(), name=name, now=NOW)


def without(ref: str) -> list[dict[str, object]]:
    return [card for card in cards_of_demonstration() if card["ref"] != ref]


def a_list(cast: Cast, event: Event) -> tuple[Entrant, Decklist, str]:
    """The player's legal list, and the ref of one of its cards."""
    entrant = an_entrant(event, cast.player)
    decklist = Decklist.objects.get(entrant=entrant)
    return entrant, decklist, next(iter(decklist.cards["main"]))


def choose(event: Event, catalogue: Catalogue, cast: Cast, *accept: str) -> None:
    choose_catalogue(event=event, sha256=catalogue.sha256, by=cast.organizer, now=NOW, accept=accept)
    event.refresh_from_db()


def codes(event: Event) -> list[str]:
    return list(LedgerEntry.objects.filter(chain=event.public_id).order_by("number").values_list("code", flat=True))


def test_lists_that_keep_their_verdict_move_with_the_event(cast: Cast) -> None:
    event, other = an_open_event(cast), imported(cards_of_demonstration())
    _entrant, decklist, _ref = a_list(cast, event)
    choose(event, other, cast)
    assert event.catalog_sha256 == other.sha256
    assert list(Decklist.objects.values_list("pk", "version", "legal")) == [(decklist.pk, 1, True)]


def test_a_list_that_becomes_illegal_is_shown_before_anything_changes(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant, decklist, ref = a_list(cast, event)
    before = event.catalog_sha256
    with assert_refused("verdicts_change") as caught:
        choose(event, imported(without(ref)), cast)
    (shown,) = caught.value.details
    assert (shown["entrant"], shown["legal"]) == (entrant.public_id, False) and shown["violations"]
    event.refresh_from_db()
    decklist.refresh_from_db()
    assert (event.catalog_sha256, decklist.legal) == (before, True)


def test_an_accepted_change_of_verdict_is_stored_and_recorded(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant, decklist, ref = a_list(cast, event)
    choose(event, imported(without(ref)), cast, entrant.public_id)
    decklist.refresh_from_db()
    assert (decklist.version, decklist.legal) == (1, False) and decklist.violations
    assert codes(event)[-2:] == ["event.catalogue_chosen", "deck.judged_again"]
    choose(event, imported(cards_of_demonstration()), cast, entrant.public_id)
    decklist.refresh_from_db()
    assert decklist.legal


def test_a_list_with_the_names_of_cards_that_have_other_refs_is_read_again_as_a_new_version(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant = an_entrant(event, cast.player, deck=None)
    (demo,) = [found for found in shipped_catalogs("star-safir") if found.id == "safir-demo"]
    lines, names = deck_text(1).splitlines(), Counter(card.name for card in demo.cards.values())
    named = "\n".join(
        f"{count} {demo[ref].name}" if ref in demo and names[demo[ref].name] == 1 else line
        for line in lines
        for count, _, ref in [line.partition(" ")]
    )
    submit_decklist(entrant=entrant, text=named, by=cast.player, now=NOW)
    cards = [
        card if names[str(card["name"])] > 1 else {**card, "ref": f"X-{n}"}
        for n, card in enumerate(cards_of_demonstration())
    ]
    choose(event, imported(cards), cast)
    old, new = Decklist.objects.order_by("version")
    assert (old.legal, new.legal, new.version, new.text) == (True, True, 2, named)
    assert sum(ref.startswith("X-") for ref in new.cards["main"]) > 20 and new.submitted_by == cast.organizer
    assert codes(event)[-2:] == ["event.catalogue_chosen", "deck.submitted"]


def test_the_catalogue_can_be_changed_while_lists_are_locked_but_not_after_the_start(cast: Cast) -> None:
    event, other = an_open_event(cast), imported(cards_of_demonstration())
    a_list(cast, event)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    choose(event, other, cast)
    running = a_running_event(cast)
    with assert_refused("event_state"):
        choose(running, other, cast)


def test_a_list_that_comes_in_while_the_others_are_checked_again_refuses_the_choice(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, other = an_open_event(cast), imported(cards_of_demonstration())
    entrant, _decklist, _ref = a_list(cast, event)
    before = event.catalog_sha256

    def meanwhile(*args: object) -> list[Recheck]:
        found = rechecks(*args)
        submit_decklist(entrant=entrant, text=deck_text(2), by=cast.player, now=NOW)
        return found

    monkeypatch.setattr(services, "rechecks", meanwhile)
    with assert_refused("list_outdated"):
        choose(event, other, cast)
    event.refresh_from_db()
    assert event.catalog_sha256 == before


def test_pools_with_cards_that_the_catalogue_lacks_keep_it_from_being_chosen(cast: Cast) -> None:
    event = a_sealed_event(cast)
    a_pool(an_entrant(event, cast.player, deck=None), cast.player)
    other = imported([{"ref": "A-1", "name": "Lamp", "kind": "sort"}], game="altered")
    with assert_refused("decks_exist"):
        choose(event, other, cast)


def test_an_organizer_who_plays_sees_whose_list_changes_but_not_why(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.organizer)
    _entrant, _decklist, ref = a_list(cast, event)
    with assert_refused("verdicts_change") as caught:
        choose(event, imported(without(ref)), cast)
    assert [item["violations"] for item in caught.value.details] == [[]] * len(caught.value.details)


def test_the_page_shows_the_lists_that_change_and_asks_for_confirmation(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant, decklist, ref = a_list(cast, event)
    other, client = imported(without(ref)), signed_in(cast.organizer)
    page = address("staff_cards", event.public_id)
    shown = client.post(page, {"sha256": other.sha256})
    assert shown.status_code == 409 and "1 decklist changes with this catalogue" in text(shown)
    assert entrant.full_name in text(shown) and "legal now, becomes illegal" in text(shown)
    assert client.post(page, {"sha256": other.sha256, "accept": [entrant.public_id]}).status_code == 302
    decklist.refresh_from_db()
    assert not decklist.legal
    assert signed_in(cast.stranger).get(page).status_code == 404
    assert signed_in(cast.scorekeeper).post(page, {"sha256": other.sha256}).status_code == 403


def test_after_the_start_the_page_only_says_which_catalogue_is_used(cast: Cast) -> None:
    page = text(signed_in(cast.organizer).get(address("staff_cards", a_running_event(cast).public_id)))
    assert "this cannot be changed any more" in page and "Use this catalogue" not in page


def test_the_dashboard_warns_of_the_demonstration_and_of_a_newer_version(cast: Cast) -> None:
    event, client = an_event(cast), signed_in(cast.organizer)
    desk = address("staff", event.public_id)
    assert "invented cards" in text(client.get(desk))
    assert "invented cards" not in text(signed_in(cast.judge).get(desk)), "only those who can choose are warned"
    choose(event, imported(cards_of_demonstration()), cast)
    assert "invented cards" not in text(client.get(desk))
    assert newer_of(catalogue_choices(event, cast.organizer)) is None
    imported(cards_of_demonstration(), name="other")
    imported(without("DEMO-SAF-001"))
    newer = newer_of(catalogue_choices(event, cast.organizer))
    assert newer is not None and (newer.catalog, newer.version) == ("own", 2)
    assert "newer version of the card catalogue: own, version 2" in text(client.get(desk))


def test_a_new_version_names_the_events_that_have_an_older_one(cast: Cast) -> None:
    event = an_event(cast)
    first = imported(cards_of_demonstration())
    choose(event, first, cast)
    Catalogue.objects.filter(pk=first.pk).update(owner=cast.organizer, shared=False)
    second = imported(without("DEMO-SAF-001"))
    Catalogue.objects.filter(pk=second.pk).update(owner=cast.organizer, shared=False, version=2)
    second.refresh_from_db()
    assert list(events_behind(second, cast.organizer)) == [event]
    assert event.name in text(signed_in(cast.organizer).get(address("catalogue", second.pk)))
    assert list(events_behind(first, cast.organizer)) == []


def test_a_new_event_gets_the_newest_cards_of_its_game_and_says_so(cast: Cast) -> None:
    shared = imported(cards_of_demonstration(), name="shared")
    client = signed_in(cast.organizer)
    data = {"name": "Summer Open", "preset": "star-safir"}
    page = text(client.post(address("event_new"), data, follow=True))
    assert f"Decklists are read with shared, version 1: {shared.cards} cards." in page and "invented cards" not in page
    own = imported(without("DEMO-SAF-001"), name="own")
    Catalogue.objects.filter(pk=own.pk).update(owner=cast.organizer, shared=False)
    assert best_catalogue("star-safir", cast.organizer) == own
    assert best_catalogue("star-safir", cast.stranger) == shared
    assert best_catalogue("wakfu", cast.organizer) is None
    assert newest_catalogues(cast.organizer) == [own, shared] and newest_catalogues(cast.stranger) == [shared]
    client.post(address("event_new"), {**data, "name": "Chosen", "catalogue": shared.sha256})
    assert Event.objects.get(name="Chosen").catalog_sha256 == shared.sha256


def test_a_new_event_cannot_get_the_cards_of_another_game_or_account(cast: Cast) -> None:
    wakfu = import_catalogue(game="wakfu", content=b"ref,name,kind\nW-1,One,zone\n", name="w", now=NOW)
    for sha256 in (wakfu.sha256, "0" * 64):
        with assert_refused("catalogue_not_found"):
            create_event(name="No", preset="star-safir", by=cast.organizer, now=NOW, catalogue=sha256)
    assert not Event.objects.filter(name="No").exists()


def test_the_messages_of_changed_lists_are_in_the_language_of_the_reader(cast: Cast) -> None:
    event = an_open_event(cast)
    _entrant, _decklist, ref = a_list(cast, event)
    other, said = imported(without(ref)), set()
    for language in ("en", "fr", "it"):
        with translation.override(language), assert_refused("verdicts_change") as caught:
            choose(event, other, cast)
        said.add(caught.value.details[0]["violations"][0]["message"])
    assert len(said) == 3


def test_the_api_names_the_lists_that_change_and_takes_the_choice_once_they_are_accepted(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant, decklist, ref = a_list(cast, event)
    client = token_client(cast.organizer, ApiToken.Scope.ORGANIZE)
    page, sha256 = f"/api/v1/events/{event.public_id}/catalogues/", imported(without(ref)).sha256
    refused = client.put(page, {"sha256": sha256}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "verdicts_change")
    assert [(item["entrant"], item["legal"]) for item in refused.json()["details"]] == [(entrant.public_id, False)]
    taken = client.put(page, {"sha256": sha256, "accept": [entrant.public_id]}, format="json")
    assert taken.status_code == 200
    assert [row["sha256"] for row in taken.json() if row["chosen"]] == [sha256]
    decklist.refresh_from_db()
    assert not decklist.legal


def test_the_api_creates_an_event_with_a_chosen_catalogue(cast: Cast) -> None:
    client = token_client(cast.organizer, ApiToken.Scope.ORGANIZE)
    imported(cards_of_demonstration(), name="first")
    chosen = imported(without("DEMO-SAF-001"), name="second")
    body = {"name": "Summer Open", "preset": "star-safir", "catalogue": chosen.sha256}
    made = client.post("/api/v1/events/", body, format="json")
    assert (made.status_code, made.json()["catalog_sha256"]) == (201, chosen.sha256)


@pytest.mark.skipif(not ALTERED.exists(), reason="../shared/data is absent")
def test_a_real_starter_cannot_be_read_with_the_demonstration_and_is_legal_with_the_real_cards(cast: Cast) -> None:
    event = an_open_event(cast, preset="altered")
    entrant = an_entrant(event, cast.player, deck=None)
    starter = next(ALTERED.joinpath("decks").glob("01_*.txt")).read_text(encoding="utf-8")
    with assert_refused("deck_unreadable") as caught:
        submit_decklist(entrant=entrant, text=starter, by=cast.player, now=NOW)
    assert {fault["code"] for fault in caught.value.details} == {"unknown_set"}
    content = ALTERED.joinpath("cards.json").read_bytes()
    choose(event, import_catalogue(game="", content=content, name="altered", now=NOW), cast)
    entrant.refresh_from_db()
    made = submit_decklist(entrant=entrant, text=starter, by=cast.player, now=NOW)
    assert (made.legal, made.violations) == (True, [])
