"""Saved boards (positions): saving one from the question form, photos, signatures of both players, and access."""

import html
import re

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.builders import a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.common.test_photos import SECRET, photo, with_exif
from tests.web.pages import address, queries_of, signed_in, text
from tests.web.test_asking_table import ATTACK, board, fighters
from tournaments.audits import positions
from tournaments.audits.models import Photo, Position, Signature
from tournaments.common.clock import now
from tournaments.decks.engine_gate import card_names
from tournaments.decks.selectors import current_list
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    cache.clear()  # rate limits are counted in the cache
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def kept(cast: Cast, match: Match, status: int = 302, query: str = "", **more: object) -> Position:
    """Save a board with its question from the form, and return the newest position."""
    sent = {**board(match, quiet="on"), **ATTACK, "command": "keep", **more}
    answer = signed_in(cast.judge).post(address("ask_table", match.public_id) + query, sent)
    assert answer.status_code == status, text(answer)
    return Position.objects.latest("pk")


def a_file(content: bytes, name: str = "IMG_0001.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "text/html")  # the declared type must not matter


def page(cast: Cast, position: Position) -> str:
    return html.unescape(text(signed_in(cast.judge).get(address("position", position.public_id))))


def test_a_board_is_saved_with_photos_and_signed_by_both_players(cast: Cast, match: Match) -> None:
    position = kept(cast, match, photos=[a_file(with_exif()), a_file(photo((50, 40)))])
    shown = page(cast, position)
    assert "Yes: this move is legal." in shown and fighters(match)[0] in shown
    assert shown.count("not signed") == 2 and shown.count("<img") == 2
    browser = signed_in(cast.judge)
    sign = address("position_sign", position.public_id)
    for number in (1, 2):
        assert "Hand the device to" in text(browser.get(f"{sign}?seat={number}"))
        answer = browser.post(sign, {"seat": number, "agrees": "yes", "digest": position.digest})
        assert answer["Location"] == (f"{sign}?seat=2" if number == 1 else address("position", position.public_id))
    assert page(cast, position).count("on the judge’s device") == 2
    assert "agrees" in text(browser.get(address("judge_match", match.public_id)))


def test_a_player_signs_on_their_own_phone_from_their_seat_page(cast: Cast, match: Match) -> None:
    position = kept(cast, match)
    browser, sign = signed_in(cast.player), address("position_sign", position.public_id)
    seat = address("me", match.round.stage.event.public_id)
    assert sign in text(browser.get(seat))
    assert browser.post(sign, {"agrees": "no", "digest": position.digest}).status_code == 302
    assert sign not in text(browser.get(seat))
    signature = Signature.objects.get()
    assert (signature.agrees, signature.device, signature.by) == (False, "own", cast.player)
    assert "contests" in page(cast, position)
    other = match.seats.exclude(pk=signature.seat_id).get().number
    forged = browser.post(sign, {"agrees": "yes", "digest": position.digest, "seat": other})
    assert forged.status_code == 409 and Signature.objects.count() == 1


def test_a_signing_player_does_not_see_the_opponents_hidden_cards(cast: Cast, match: Match) -> None:
    names = card_names(match.round.stage.event)
    one, two = (
        set(current_list(seat.entrant, match.round.stage).cards["main"]) for seat in match.seats.order_by("number")
    )
    first = min(one - two)
    refs = {"A": first, "B": min(ref for ref in two - one if names[ref] != names[first])}
    hands = {letter: names[ref] for letter, ref in refs.items()}
    held = {f"{letter}:hand": ref for letter, ref in refs.items()}
    position = kept(cast, match, **held, **{"A:T1/fighters:1": "?", "B:T1/fighters:1": "?", "do": ""})
    own = match.seats.get(entrant__member__person__account=cast.player)
    mine, theirs = ("A", "B") if own.number == 1 else ("B", "A")
    shown = html.unescape(text(signed_in(cast.player).get(address("position_sign", position.public_id))))
    assert hands[mine] in shown and hands[theirs] not in shown
    assert hands[theirs] in page(cast, position)


def test_a_photo_is_served_as_an_image_and_only_to_judges(cast: Cast, match: Match) -> None:
    kept(cast, match, photos=[a_file(with_exif() + b"<script>", "x.html")])
    shown = address("photo", Photo.objects.get().public_id)
    answer = signed_in(cast.judge).get(shown)
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
    assert answer["Content-Disposition"].startswith("inline; filename=") and ".jpg" in answer["Content-Disposition"]
    assert SECRET not in answer.content and b"<script" not in answer.content
    for user, status in ((cast.player, 404), (cast.opponent, 404), (cast.stranger, 404), (cast.scorekeeper, 403)):
        assert signed_in(user).get(shown).status_code == status


def test_nothing_is_saved_if_the_photo_or_the_board_is_invalid(cast: Cast, match: Match) -> None:
    for more in (
        {"photos": [a_file(b"<html>")]},
        {"A:pi": "99"},
        {"do": "attack", "arg:territory": "nine"},
    ):
        sent = {**board(match), **ATTACK, "command": "keep", **more}
        assert signed_in(cast.judge).post(address("ask_table", match.public_id), sent).status_code == 422
    assert not Position.objects.exists()


def test_photos_can_be_added_until_somebody_signs_and_are_copied_to_a_corrected_board(cast: Cast, match: Match) -> None:
    position = kept(cast, match)
    browser, add = signed_in(cast.judge), address("position_photo", position.public_id)
    assert browser.post(add, {"photos": a_file(photo())}).status_code == 302
    old = position.digest
    position.refresh_from_db()
    sign = address("position_sign", position.public_id)
    assert browser.post(sign, {"seat": 1, "agrees": "yes", "digest": old}).status_code == 409
    assert browser.post(sign, {"seat": 1, "agrees": "yes", "digest": position.digest}).status_code == 302
    assert browser.post(add, {"photos": a_file(photo((70, 70)))}).status_code == 409
    corrected = kept(cast, match, query=f"?photos_of={position.public_id}", **{"A:pi": "2"})
    assert corrected != position and corrected.photos.count() == 1
    assert page(cast, corrected).count("not signed") == 2


def test_the_number_of_queries_does_not_grow_with_the_saved_boards(cast: Cast, match: Match) -> None:
    browser, where = signed_in(cast.judge), address("judge_match", match.public_id)
    kept(cast, match, photos=[a_file(photo())])
    few = queries_of(browser, where)
    for pv in range(1, 6):
        kept(cast, match, **{"A:pv": str(pv)})
    assert queries_of(browser, where) == few


def test_a_board_can_be_saved_without_a_question(cast: Cast, match: Match) -> None:
    position = kept(cast, match, do="", by="A")
    assert position.move is None and 'id="answer"' not in page(cast, position)
    assert re.search(r"Entered by .+ at \d\d:\d\d", page(cast, position))
    assert list(positions.positions_of(match)) == [position] and position.at <= now()
