"""Boards that a judge enters at a table: declare a position, save it, compare two, have the players sign.

A board that matters is saved, with photos, and signed by the players. A signature is bound to the digest of board and
photos: if either changes, players must sign again. Actions lock the row of the match.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine import face
from tournaments.accounts.models import User
from tournaments.audits.models import Photo, Position, Signature
from tournaments.audits.recording import header_of
from tournaments.audits.selectors import ask_move
from tournaments.common import ledger
from tournaments.common.photos import Picture, reencode_photo
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.engine_gate import own_catalogs
from tournaments.events.models import Event
from tournaments.play.access import seat_of
from tournaments.play.models import Match, Seat

MAX_POSITIONS = 40  # for each match
MAX_PHOTOS = 4  # for each position


def declared(match: Match, start: Mapping[str, Any]) -> dict[str, Any]:
    """A position document: `start`, with a header that has the registered lists. Raises Refusal `no_list`."""
    return {**header_of(match), "start": dict(start)}


def difference(*, event: Event, one: str | Mapping[str, Any], two: str | Mapping[str, Any]) -> list[dict[str, Any]]:
    """The facts that differ between two positions of the event's game, as `{fact, one, two}`.

    `one` and `two` are declared positions, or logs whose final positions are compared. Raises InvalidInput `other_game`
    and `position_unreadable`.
    """
    if any(face.audits.game_of(position) not in (None, event.game) for position in (one, two)):
        raise InvalidInput("other_game", _("This position is for another game, not for the game of this event."))
    try:
        return face.audits.difference(one, two, get_language() or "en", own_catalogs(event))
    except ValueError as error:
        raise _unreadable(error) from error


def digest_of(document: Mapping[str, Any], photos: Iterable[str]) -> str:
    """SHA-256 of a declared position and the digests of its photos. This is what players sign."""
    return hashlib.sha256(face.audits.canonical({"position": document, "photos": sorted(photos)})).hexdigest()


def keep_position(
    *,
    match: Match,
    start: Mapping[str, Any],
    by: User,
    now: datetime,
    move: Mapping[str, Any] | None = None,
    photos: Sequence[bytes] = (),
    photos_of: Position | None = None,
) -> Position:
    """Save a board of a match with its photos and, if a `move` was asked about, the engine's answer.

    `start` is the declared position, `photos` are uploaded files, and `photos_of` is an earlier position of the match
    whose photos are copied. Idempotent: the same board with the same move and photos is stored once.

    Raises InvalidInput `position_unreadable` and what `reencode_photo` raises, Refusal `too_many_positions`,
    `too_many_photos` and `no_list`.
    """
    event = match.round.stage.event
    document = declared(match, start)
    board_of(event, document)
    answer = ask_move(event=event, position=document, move=move, language="en")["answer"] if move else ""
    # One more than allowed is enough to refuse them all; decoding the rest would be wasted work.
    pictures = [reencode_photo(sent) for sent in photos[: MAX_PHOTOS + 1]]
    older = list(photos_of.photos.exclude(jpeg=None)) if photos_of is not None and photos_of.match == match else []
    digests = {*(_sha(picture) for picture in pictures), *(photo.sha256 for photo in older)}
    _few_enough(len(digests))
    digest = digest_of(document, digests)
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        same = next((each for each in match.positions.filter(digest=digest) if each.move == move), None)
        if same is not None:
            return same
        if match.positions.count() >= MAX_POSITIONS:
            raise Refusal("too_many_positions", _("Forty boards of this match have been saved already."))
        position = Position.objects.create(
            match=match, document=document, digest=digest, move=move, answer=answer, by=by, at=now
        )
        for photo in older:  # without its key, the row is inserted as a copy, which needs a public id of its own
            photo.pk, photo.position, photo.public_id = None, position, Photo._meta.get_field("public_id").get_default()
        new = [_photo(position, picture, by, now) for picture in pictures]
        Photo.objects.bulk_create({photo.sha256: photo for photo in (*older, *new)}.values())
        after = {"match": match.public_id, "digest": digest, "photos": sorted(digests)}
        _record(position, event, by, "position.kept", now, after)
    return position


def add_photo(*, position: Position, sent: bytes, by: User, now: datetime) -> Photo:
    """Add a photo to a saved board that nobody has signed yet. Idempotent. Changes the board's digest.

    Raises Refusal `position_signed` and `too_many_photos`, and what `reencode_photo` raises.
    """
    picture = reencode_photo(sent)
    with transaction.atomic():
        position = _locked(position)
        photos = list(position.photos.defer("jpeg"))
        known = next((photo for photo in photos if photo.sha256 == _sha(picture)), None)
        if known is not None:
            return known
        if signatures_of(position):
            raise Refusal("position_signed", _("This board has been signed as it is: save it again with the photo."))
        _few_enough(len(photos) + 1)
        photo = _photo(position, picture, by, now)
        photo.save()
        position.digest = digest_of(position.document, [photo.sha256, *(each.sha256 for each in photos)])
        position.save(update_fields=["digest"])
        after = {"photo": photo.sha256, "digest": position.digest}
        _record(position, position.match.round.stage.event, by, "position.photographed", now, after)
    return photo


def sign_position(*, position: Position, seat: Seat, agrees: bool, digest: str, by: User, now: datetime) -> Signature:
    """Record that a player agrees with a saved board (`agrees`) or contests it, on their own device or a judge's.

    `digest` is the digest of the board that was shown. Idempotent: the same answer again returns the first signature.
    Raises Refusal `position_moved` if the board has another digest by now, `already_signed` if the seat has given the
    other answer, and NotAllowed `not_your_seat` if a player signs for somebody else.
    """
    own = seat_of(by, position.match)
    if own is not None and own != seat:
        raise NotAllowed("not_your_seat", _("You can only sign for your own seat."))
    with transaction.atomic():
        position = _locked(position)
        if digest != position.digest:
            raise Refusal("position_moved", _("This is not the board that was shown to you: look at it again."))
        earlier = Signature.objects.filter(seat=seat, digest=digest).first()
        if earlier is not None and earlier.agrees != agrees:
            raise Refusal(
                "already_signed", _("This board has already been signed or contested: a judge can save it again.")
            )
        if earlier is not None:
            return earlier
        device = Signature.Device.OWN if own is not None else Signature.Device.JUDGE
        signature = Signature.objects.create(
            position=position, seat=seat, digest=digest, agrees=agrees, device=device, by=by, at=now
        )
        after = {"seat": seat.number, "digest": digest, "agrees": agrees, "device": device.value}
        _record(position, position.match.round.stage.event, by, "position.signed", now, after)
    return signature


def board_of(event: Event, document: Mapping[str, Any]) -> dict[str, Any]:
    """The board of a declared position as a judge sees it. Raises InvalidInput `position_unreadable`."""
    try:
        return face.boards.board_of(document, get_language() or "en", own_catalogs(event))
    except ValueError as error:
        raise _unreadable(error) from error


def positions_of(match: Match) -> QuerySet[Position]:
    """The saved boards of a match, newest first, without their documents."""
    return match.positions.select_related("by").defer("document").order_by("-at", "-pk")


def photos_shown(position: Position) -> QuerySet[Photo]:
    """The photos of a board without the images; `gone` is true for a photo whose image was erased."""
    return position.photos.defer("jpeg").annotate(gone=Q(jpeg__isnull=True))


def signatures_of(position: Position) -> list[Signature]:
    """The signatures for this board and these photos, by seat."""
    # By digest and not by position: saving the same board with another question keeps its signatures.
    found = Signature.objects.filter(position__match=position.match_id, digest=position.digest)
    return list(found.select_related("seat__entrant", "by").order_by("seat__number"))


def to_sign(match: Match, seat: Seat) -> list[Position]:
    """The boards that a player still has to sign: the newest one of the match, or none if the seat has answered."""
    newest = positions_of(match).first()
    waits = newest is not None and not Signature.objects.filter(seat=seat, digest=newest.digest).exists()
    return [newest] if newest is not None and waits else []


def forget_photos(*, now: datetime) -> int:
    """Erase the images of photos older than `KEEP_PHOTOS_DAYS` (0: keep them); digests stay. Return how many."""
    if not settings.KEEP_PHOTOS_DAYS:
        return 0
    old = Photo.objects.exclude(jpeg=None).filter(at__lt=now - timedelta(days=settings.KEEP_PHOTOS_DAYS))
    return old.update(jpeg=None)


def _few_enough(photos: int) -> None:
    if photos > MAX_PHOTOS:
        raise Refusal("too_many_photos", _("A board can have four photos at most."))


def _sha(picture: Picture) -> str:
    return hashlib.sha256(picture.jpeg).hexdigest()


def _photo(position: Position, picture: Picture, by: User, now: datetime) -> Photo:
    return Photo(
        position=position,
        jpeg=picture.jpeg,
        sha256=_sha(picture),
        width=picture.width,
        height=picture.height,
        by=by,
        at=now,
    )


def _locked(position: Position) -> Position:
    """The position as stored now, with the row of its match locked."""
    Match.objects.select_for_update().get(pk=position.match_id)
    return Position.objects.select_related("match__round__stage__event").get(pk=position.pk)


def _record(position: Position, event: Event, by: User, code: str, now: datetime, after: Mapping[str, Any]) -> None:
    ledger.record(
        chain=event.public_id, actor=by.public_id, code=code, object=position.public_id, now=now, after=dict(after)
    )


def _unreadable(error: ValueError) -> InvalidInput:
    return InvalidInput("position_unreadable", _("This position cannot be read."), details=[str(error)])
