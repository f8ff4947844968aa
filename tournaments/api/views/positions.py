"""Boards that judges keep: with photos, and signed by the players."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.parsers import BytesParser
from tournaments.api.permissions import require_scope
from tournaments.api.schema import PAGING, page_of
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

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


class PositionsView(Endpoint):
    """The boards that were kept of a match."""

    scopes = (JUDGE,)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(
        operation_id="positions_list", parameters=PAGING, responses=page_of("KeptPosition", KeptPositionSerializer)
    )
    def get(self, request: Request, match_id: str) -> Response:
        """The boards that were kept, newest first. Judges who do not play the event."""
        match = match_to_ask_about(request.user, match_id)
        return self.page(positions.positions_of(match).select_related("match"), KeptPositionSerializer)

    @extend_schema(operation_id="positions_keep", request=PositionInput, responses={201: KeptPositionSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Keep a board with the move that is asked of it; the same board, question and photos are kept once."""
        match = match_to_ask_about(request.user, match_id)
        said = self.read(PositionInput)
        older = said.pop("photos_of", "")
        kept = positions.keep_position(
            match=match,
            by=request.user,
            now=self.now,
            photos_of=position_for_judge(request.user, older) if older else None,
            **said,
        )
        return Response(KeptPositionSerializer(kept).data, status=201)


class PositionView(Endpoint):
    """One board that is kept."""

    account_needed = True

    @extend_schema(operation_id="positions_read", responses=KeptPositionDetailSerializer)
    def get(self, request: Request, position_id: str) -> Response:
        """The board with its signatures: players of the match as their seat sees it, judges whole with its photos."""
        return Response(KeptPositionDetailSerializer(position_for_signer(request.user, position_id)).data)


class PhotosView(Endpoint):
    """The photos of a board."""

    scopes = (JUDGE,)
    account_needed = True
    parser_classes = [BytesParser]
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(
        operation_id="positions_photo", request={"image/*": OpenApiTypes.BINARY}, responses={201: PhotoSerializer}
    )
    def post(self, request: Request, position_id: str) -> Response:
        """Add a photo: the body is the file, JPEG, PNG or WebP, at most 8 MiB. 409 once somebody has signed."""
        position = position_for_judge(request.user, position_id)
        sent = request.data if isinstance(request.data, bytes) else b""
        photo = positions.add_photo(position=position, sent=sent, by=request.user, now=self.now)
        return Response(PhotoSerializer(photo).data, status=201)


class PhotoView(Endpoint):
    """One photo."""

    account_needed = True

    @extend_schema(
        operation_id="photos_read",
        responses={(200, "image/jpeg"): OpenApiResponse(OpenApiTypes.BINARY, "The picture.")},
    )
    def get(self, request: Request, photo_id: str) -> HttpResponse:
        """The picture, a JPEG without metadata: judges who do not play the event. 404 once it is forgotten."""
        photo = photo_for_judge(request.user, photo_id)
        answer = HttpResponse(bytes(photo.jpeg or b""), content_type="image/jpeg")
        answer["Content-Disposition"] = f'attachment; filename="{photo.public_id}.jpg"'
        return answer


class SignaturesView(Endpoint):
    """What the players say of a board."""

    scopes = (PLAY, JUDGE)
    account_needed = True

    @extend_schema(operation_id="positions_sign", request=SignatureInput, responses={201: SignatureSerializer})
    def post(self, request: Request, position_id: str) -> Response:
        """Agree to the board with this digest, or contest it: for the own seat, or as a judge for the one named."""
        signer = position_for_signer(request.user, position_id)
        require_scope(request, JUDGE if signer.seat is None else PLAY)
        said = self.read(SignatureInput)
        number = said.pop("seat", None)
        named = signer.position.match.seats.filter(number=number).first() if number else None
        seat = named or signer.seat
        if seat is None:
            raise Http404
        signature = positions.sign_position(position=signer.position, seat=seat, by=request.user, now=self.now, **said)
        return Response(SignatureSerializer(signature).data, status=201)
