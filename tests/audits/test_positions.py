"""Saving boards with photos and signing them. A signature is valid only for exactly what was signed."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404

from tests.archive.files import file_of, lines_of, rows, verified
from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.common.test_photos import SECRET, photo, with_exif
from tests.refusals import assert_refused
from tournaments.archive.retention import forget_old
from tournaments.audits import positions
from tournaments.audits.access import photo_for_judge, position_for_judge, position_for_signer
from tournaments.audits.models import Position, Signature
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import NotAllowed
from tournaments.play.models import Match, Seat

pytestmark = pytest.mark.django_db
MOVE = {"by": "A", "do": "end_turn"}


def a_start(**counters: int) -> dict[str, Any]:
    """A declared position with its turn and some counters of seat A."""
    turn = {"n": 9, "seat": "A", "phase": "combat", "first": "A"}
    return {"kind": "position", "source": "judge", "turn": turn, "state": {"seats": {"A": counters or {"pv": 12}}}}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def seats(match: Match, cast: Cast) -> tuple[Seat, Seat]:
    """The seats of the cast's player and opponent."""
    own = match.seats.get(entrant__member__person__account=cast.player)
    return own, match.seats.exclude(pk=own.pk).get()


def kept(match: Match, cast: Cast, **more: Any) -> Position:
    return positions.keep_position(match=match, by=cast.judge, now=NOW, **{"start": a_start(), **more})


def codes(match: Match) -> list[str]:
    found = LedgerEntry.objects.filter(chain=match.round.stage.event.public_id, code__startswith="position.")
    return list(found.order_by("number").values_list("code", flat=True))


def test_a_board_is_saved_once_with_the_answer_and_its_digest_in_the_ledger(match: Match, cast: Cast) -> None:
    position = kept(match, cast, move=MOVE, photos=[photo()])
    assert kept(match, cast, move=MOVE, photos=[photo()]) == position
    assert position.answer in ("legal", "illegal", "undetermined")
    entry = LedgerEntry.objects.get(code="position.kept")
    assert entry.after["digest"] == position.digest
    assert entry.after["photos"] == [photo.sha256 for photo in position.photos.all()]
    assert kept(match, cast, start=a_start(pv=11)).digest != position.digest
    assert kept(match, cast).digest != position.digest, "another photo, another digest"


def test_an_impossible_board_is_not_saved(match: Match, cast: Cast) -> None:
    for start in (a_start(pi=99), a_start(cheese=1), {}, {"kind": "position", "state": []}):
        with assert_refused("position_unreadable"):
            kept(match, cast, start=start)
    with assert_refused("photo_unreadable"):
        kept(match, cast, photos=[b"no photo"])
    assert not Position.objects.exists() and not codes(match)


def test_players_sign_the_board_they_were_shown_on_their_own_device_or_the_judges(
    match: Match, cast: Cast, seats: tuple[Seat, Seat]
) -> None:
    position = kept(match, cast)
    said = {"position": position, "digest": position.digest, "now": NOW}
    own = positions.sign_position(seat=seats[0], agrees=True, by=cast.player, **said)
    other = positions.sign_position(seat=seats[1], agrees=False, by=cast.judge, **said)
    assert (own.device, other.device, own.agrees, other.agrees) == ("own", "judge", True, False)
    assert positions.sign_position(seat=seats[0], agrees=True, by=cast.player, **said) == own
    with assert_refused("already_signed"):
        positions.sign_position(seat=seats[0], agrees=False, by=cast.player, **said)
    with assert_refused("not_your_seat"):
        positions.sign_position(seat=seats[1], agrees=True, by=cast.player, **said)
    assert codes(match) == ["position.kept", "position.signed", "position.signed"]
    assert not list(ledger.faults(match.round.stage.event.public_id))


def test_a_changed_board_needs_new_signatures_and_the_same_board_does_not(
    match: Match, cast: Cast, seats: tuple[Seat, Seat]
) -> None:
    position = kept(match, cast)
    before = position.digest
    added = positions.add_photo(position=position, sent=photo(), by=cast.judge, now=NOW)
    position.refresh_from_db()
    assert position.digest != before
    with assert_refused("position_moved"):
        positions.sign_position(position=position, seat=seats[0], agrees=True, digest=before, by=cast.player, now=NOW)
    positions.sign_position(
        position=position, seat=seats[0], agrees=True, digest=position.digest, by=cast.player, now=NOW
    )
    with assert_refused("position_signed"):
        positions.add_photo(position=position, sent=photo((90, 90)), by=cast.judge, now=NOW)
    assert positions.add_photo(position=position, sent=photo(), by=cast.judge, now=NOW) == added
    asked = kept(match, cast, move=MOVE, photos_of=position)
    assert asked != position and [one.seat for one in positions.signatures_of(asked)] == [seats[0]]
    changed = kept(match, cast, start=a_start(pv=3), photos_of=position)
    assert changed.photos.get().sha256 == added.sha256 and not positions.signatures_of(changed)
    assert positions.to_sign(match, seats[0]) == [changed]


def test_the_number_of_photos_and_boards_is_limited(match: Match, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    several = [photo((10 + n, 10)) for n in range(5)]
    with assert_refused("too_many_photos"):
        kept(match, cast, photos=several)
    position = kept(match, cast, photos=several[:4])
    with assert_refused("too_many_photos"):
        positions.add_photo(position=position, sent=several[4], by=cast.judge, now=NOW)
    monkeypatch.setattr(positions, "MAX_POSITIONS", 1)
    with assert_refused("too_many_positions"):
        kept(match, cast, start=a_start(pv=1))


def test_only_judges_and_signing_players_see_a_board_and_only_judges_its_photos(
    match: Match, cast: Cast, seats: tuple[Seat, Seat]
) -> None:
    position = kept(match, cast, photos=[photo()])
    shown = position.photos.get().public_id
    assert position_for_judge(cast.judge, position.public_id) == position
    assert photo_for_judge(cast.judge, shown).sha256
    assert position_for_signer(cast.player, position.public_id).seat == seats[0]
    assert position_for_signer(cast.judge, position.public_id).seat is None
    for user in (cast.player, cast.opponent, cast.stranger):
        with pytest.raises(Http404):
            photo_for_judge(user, shown)
        with pytest.raises(Http404):
            position_for_judge(user, position.public_id)
    for user, refusal in ((cast.stranger, Http404), (cast.scorekeeper, NotAllowed)):
        with pytest.raises(refusal):
            position_for_signer(user, position.public_id)


def test_photos_are_erased_after_90_days_and_their_digests_stay(match: Match, cast: Cast, settings: Any) -> None:
    position = kept(match, cast, photos=[with_exif()])
    shown = position.photos.get()
    assert SECRET not in bytes(shown.jpeg)
    assert forget_old(now=NOW + timedelta(days=89)).photos == 0
    assert forget_old(now=NOW + timedelta(days=91)).photos == 1
    assert forget_old(now=NOW + timedelta(days=91)).photos == 0
    with pytest.raises(Http404):
        photo_for_judge(cast.judge, shown.public_id)
    shown.refresh_from_db()
    assert shown.jpeg is None and shown.sha256 in position.photos.values_list("sha256", flat=True)


def test_the_event_file_has_boards_signatures_and_photo_digests_but_no_photos(
    match: Match, cast: Cast, seats: tuple[Seat, Seat]
) -> None:
    position = kept(match, cast, photos=[photo()], move=MOVE)
    positions.sign_position(
        position=position, seat=seats[0], agrees=True, digest=position.digest, by=cast.player, now=NOW
    )
    data = file_of(match.round.stage.event)
    assert verified(data).holds
    lines = lines_of(data)
    assert [row["digest"] for row in rows(lines, "position")] == [position.digest]
    assert [row["sha256"] for row in rows(lines, "photo")] == [position.photos.get().sha256]
    assert "jpeg" not in rows(lines, "photo")[0]
    assert rows(lines, "signature")[0]["agrees"] is True
    assert Signature.objects.count() == 1
