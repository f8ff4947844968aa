"""Boards that a judge enters at a table: the position that is declared, the question put to it, and two compared.

A board that matters is kept, with photos, and signed by the players. A signature is bound to the digest of what was
signed: another board, or another photo, needs new ones. The row of the match is the lock.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.audits import engine_gate
from tournaments.audits.models import Photo, Position, Signature
from tournaments.audits.recording import header_of
from tournaments.audits.selectors import may_be_done
from tournaments.common import ledger
from tournaments.common.photos import Picture, kept_picture
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.engine_gate import own_catalogs
from tournaments.events.models import Event
from tournaments.play.access import seat_of
from tournaments.play.models import Match, Seat

MAX_POSITIONS = 40  # of a match
MAX_PHOTOS = 4  # of a position


def declared(match: Match, start: Mapping[str, Any]) -> dict[str, Any]:
    """A declared position of a match with the registered lists of its players."""
    return {**header_of(match), "start": dict(start)}


def difference(*, event: Event, one: str | Mapping[str, Any], two: str | Mapping[str, Any]) -> list[dict[str, Any]]:
    """The facts that differ between two positions or ends of logs of the event's game, `{fact, one, two}`.

    Raises InvalidInput `other_game` and `position_unreadable`.
    """
    if any(engine_gate.game_of(position) not in (None, event.game) for position in (one, two)):
        raise InvalidInput("other_game", _("This position is of another game than the event's."))
    try:
        return engine_gate.difference(one, two, own_catalogs(event))
    except ValueError as error:
        raise _unreadable(error) from error


def digest_of(document: Mapping[str, Any], photos: Iterable[str]) -> str:
    """SHA-256 of a declared position with the digests of its photos: what is signed."""
    return hashlib.sha256(engine_gate.canonical({"position": document, "photos": sorted(photos)})).hexdigest()


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
    """Keep a board of a match with the move that is asked and its photos, those of `photos_of` among them.

    The same board with the same question and photos is kept once. Raises `position_unreadable`, `too_many_positions`,
    and what `kept_picture` refuses.
    """
    event = match.round.stage.event
    document = declared(match, start)
    board_of(event, document)
    answer = may_be_done(event=event, position=document, move=move, language="en")["answer"] if move else ""
    pictures = [kept_picture(sent) for sent in photos[: MAX_PHOTOS + 1]]
    older = list(photos_of.photos.exclude(jpeg=None)) if photos_of is not None and photos_of.match == match else []
    digests = {*(_sha(picture) for picture in pictures), *(photo.sha256 for photo in older)}
    _few_enough(len(digests))
    digest = digest_of(document, digests)
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        kept = next((each for each in match.positions.filter(digest=digest) if each.move == move), None)
        if kept is not None:
            return kept
        if match.positions.count() >= MAX_POSITIONS:
            raise Refusal("too_many_positions", _("Forty boards of this match are kept already."))
        position = Position.objects.create(
            match=match, document=document, digest=digest, move=move, answer=answer, by=by, at=now
        )
        for photo in older:
            photo.pk, photo.position, photo.public_id = None, position, Photo._meta.get_field("public_id").get_default()
        new = [_photo(position, picture, by, now) for picture in pictures]
        Photo.objects.bulk_create({photo.sha256: photo for photo in (*older, *new)}.values())
        told = {"match": match.public_id, "digest": digest, "photos": sorted(digests)}
        _record(position, event, by, "position.kept", now, told)
    return position


def add_photo(*, position: Position, sent: bytes, by: User, now: datetime) -> Photo:
    """Add a photo to a kept board that nobody has signed yet; the same photo is kept once.

    Raises `position_signed`, `too_many_photos`, and what `kept_picture` refuses.
    """
    picture = kept_picture(sent)
    with transaction.atomic():
        position = _locked(position)
        photos = list(position.photos.defer("jpeg"))
        known = next((photo for photo in photos if photo.sha256 == _sha(picture)), None)
        if known is not None:
            return known
        if signatures_of(position):
            raise Refusal("position_signed", _("This board is signed as it is: keep it again with the photo."))
        _few_enough(len(photos) + 1)
        photo = _photo(position, picture, by, now)
        photo.save()
        position.digest = digest_of(position.document, [photo.sha256, *(each.sha256 for each in photos)])
        position.save(update_fields=["digest"])
        told = {"photo": photo.sha256, "digest": position.digest}
        _record(position, position.match.round.stage.event, by, "position.photographed", now, told)
    return photo


def sign_position(*, position: Position, seat: Seat, agrees: bool, digest: str, by: User, now: datetime) -> Signature:
    """A player agrees that the board was this, or contests it; on the own device or on the judge's.

    `digest` is that of the board that was shown. The same answer again is the one kept. Raises `position_moved` where
    the board has another digest by now, `already_signed` where the seat said otherwise, `not_your_seat`.
    """
    own = seat_of(by, position.match)
    if own is not None and own != seat:
        raise NotAllowed("not_your_seat", _("You sign for your own seat alone."))
    with transaction.atomic():
        position = _locked(position)
        if digest != position.digest:
            raise Refusal("position_moved", _("This board is not the one that was shown to you: look at it again."))
        kept = Signature.objects.filter(seat=seat, digest=digest).first()
        if kept is not None and kept.agrees != agrees:
            raise Refusal("already_signed", _("This board is signed or contested already: a judge may keep it again."))
        if kept is not None:
            return kept
        device = Signature.Device.OWN if own is not None else Signature.Device.JUDGE
        signature = Signature.objects.create(
            position=position, seat=seat, digest=digest, agrees=agrees, device=device, by=by, at=now
        )
        told = {"seat": seat.number, "digest": digest, "agrees": agrees, "device": device.value}
        _record(position, position.match.round.stage.event, by, "position.signed", now, told)
    return signature


def board_of(event: Event, document: Mapping[str, Any]) -> dict[str, Any]:
    """The board of a declared position as a judge sees it. Raises InvalidInput `position_unreadable`."""
    try:
        return engine_gate.board_of(document, own_catalogs(event))
    except ValueError as error:
        raise _unreadable(error) from error


def positions_of(match: Match) -> QuerySet[Position]:
    """The boards that were kept of a match, newest first, without their documents."""
    return match.positions.select_related("by").defer("document").order_by("-at", "-pk")


def photos_shown(position: Position) -> QuerySet[Photo]:
    """The photos of a board without their pictures; `gone` says that there is none any more."""
    return position.photos.defer("jpeg").annotate(gone=Q(jpeg__isnull=True))


def signatures_of(position: Position) -> list[Signature]:
    """What the players said of this very board, by seat."""
    found = Signature.objects.filter(position__match=position.match_id, digest=position.digest)
    return list(found.select_related("seat__entrant", "by").order_by("seat__number"))


def to_sign(match: Match, seat: Seat) -> list[Position]:
    """The newest board of a match, while its player has neither agreed to it nor contested it."""
    newest = positions_of(match).first()
    waits = newest is not None and not Signature.objects.filter(seat=seat, digest=newest.digest).exists()
    return [newest] if newest is not None and waits else []


def forget_photos(*, now: datetime) -> int:
    """Erase the photos that are older than `KEEP_PHOTOS_DAYS`; their digests stay. Returns how many."""
    if not settings.KEEP_PHOTOS_DAYS:
        return 0
    old = Photo.objects.exclude(jpeg=None).filter(at__lt=now - timedelta(days=settings.KEEP_PHOTOS_DAYS))
    return old.update(jpeg=None)


def _few_enough(photos: int) -> None:
    if photos > MAX_PHOTOS:
        raise Refusal("too_many_photos", _("Four photos go with a board at most."))


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
    """The position as it is now, with the row of its match locked."""
    Match.objects.select_for_update().get(pk=position.match_id)
    return Position.objects.select_related("match__round__stage__event").get(pk=position.pk)


def _record(position: Position, event: Event, by: User, code: str, now: datetime, told: Mapping[str, Any]) -> None:
    ledger.record(
        chain=event.public_id, actor=by.public_id, code=code, object=position.public_id, now=now, after=dict(told)
    )


def _unreadable(error: ValueError) -> InvalidInput:
    return InvalidInput("position_unreadable", _("This position cannot be read."), details=[str(error)])
