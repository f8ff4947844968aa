"""Boards that judges save, with photos and the players' signatures."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import MATCH, POSITION
from tournaments.api.parsers import BytesParser
from tournaments.api.permissions import require_scope
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.positions import (
    KeptPositionDetailSerializer,
    KeptPositionSerializer,
    PhotoSerializer,
    PositionInput,
    SignatureInput,
    SignatureSerializer,
)
from tournaments.api.throttles import UploadThrottle
from tournaments.audits import positions
from tournaments.audits.access import match_to_ask_about, photo_for_judge, position_for_judge, position_for_signer
from tournaments.paper.positions import position_picture

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


class Positions(Resource):
    """The saved boards of a match."""

    scopes = (JUDGE,)
    account_needed = True

    @operation("GET", f"{MATCH}positions/", name="positions", pages=KeptPositionSerializer)
    def positions_list(self, request: Request, match_id: str) -> Response:
        """The saved boards of a match, newest first. For judges who do not play the event."""
        match = match_to_ask_about(self.user, match_id)
        return self.answer(positions.positions_of(match).select_related("match"))

    @operation(
        "POST",
        f"{MATCH}positions/",
        takes=PositionInput,
        answers=KeptPositionSerializer,
        status=201,
        throttle=UploadThrottle,
    )
    def positions_keep(self, request: Request, match_id: str) -> Response:
        """Save a board, with the move that is asked about. For judges who do not play the event.

        The same board, question and photos are saved once.
        """
        match = match_to_ask_about(self.user, match_id)
        said = self.read()
        older = said.pop("photos_of", "")
        kept = positions.keep_position(
            match=match,
            by=self.user,
            now=self.now,
            photos_of=position_for_judge(self.user, older) if older else None,
            **said,
        )
        return self.answer(kept)

    @operation("GET", POSITION, name="position", answers=KeptPositionDetailSerializer)
    def positions_read(self, request: Request, position_id: str) -> Response:
        """A saved board with its signatures.

        Players of the match see it from their own seat; judges who do not play the event see all of it, with its
        photos.
        """
        return self.answer(position_for_signer(self.user, position_id))

    @operation(
        "GET",
        f"{POSITION}picture/",
        name="position_picture",
        responses={(200, "image/png"): OpenApiResponse(OpenApiTypes.BINARY, "The picture.")},
    )
    def positions_picture(self, request: Request, position_id: str) -> HttpResponse:
        """A saved board as a picture, a PNG, without its photos.

        Players of the match see it from their own seat; judges who do not play the event see all of it.
        """
        signer = position_for_signer(self.user, position_id)
        answer = HttpResponse(position_picture(signer), content_type="image/png")
        answer["Content-Disposition"] = f'attachment; filename="{signer.position.public_id}.png"'
        return answer

    @operation(
        "POST",
        f"{POSITION}photos/",
        name="position_photos",
        request={"image/*": OpenApiTypes.BINARY},
        answers=PhotoSerializer,
        status=201,
        throttle=UploadThrottle,
        parser_classes=[BytesParser],
    )
    def positions_photo(self, request: Request, position_id: str) -> Response:
        """Add a photo: the body is the file, JPEG, PNG or WebP, at most 8 MiB. For judges who do not play the event.

        409 once somebody has signed.
        """
        position = position_for_judge(self.user, position_id)
        sent = self.document()
        photo = positions.add_photo(position=position, sent=sent, **self.arguments())
        return self.answer(photo)

    @operation(
        "GET",
        "photos/<slug:photo_id>/",
        name="photo",
        responses={(200, "image/jpeg"): OpenApiResponse(OpenApiTypes.BINARY, "The picture.")},
    )
    def photos_read(self, request: Request, photo_id: str) -> HttpResponse:
        """The photo, a JPEG without metadata; 404 once it has been deleted. For judges who do not play the event."""
        photo = photo_for_judge(self.user, photo_id)
        answer = HttpResponse(bytes(photo.jpeg or b""), content_type="image/jpeg")
        answer["Content-Disposition"] = f'attachment; filename="{photo.public_id}.jpg"'
        return answer

    @operation(
        "POST",
        f"{POSITION}signatures/",
        name="position_signatures",
        takes=SignatureInput,
        answers=SignatureSerializer,
        status=201,
        scopes=(PLAY, JUDGE),
    )
    def positions_sign(self, request: Request, position_id: str) -> Response:
        """Agree to the board with this digest, or contest it.

        Players of the match sign for their own seat. Judges who do not play the event give the `seat` whose player
        signs on their device.
        """
        signer = position_for_signer(self.user, position_id)
        require_scope(request, JUDGE if signer.seat is None else PLAY)
        said = self.read()
        number = said.pop("seat", None)
        named = signer.position.match.seats.filter(number=number).first() if number else None
        seat = named or signer.seat
        if seat is None:
            raise Http404
        signature = positions.sign_position(position=signer.position, seat=seat, by=self.user, now=self.now, **said)
        return self.answer(signature)
