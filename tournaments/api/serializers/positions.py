"""Boards that judges kept, their photos and signatures."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import Input
from tournaments.audits import engine_gate
from tournaments.audits.access import SEATS, Signer
from tournaments.audits.models import Photo, Signature
from tournaments.audits.positions import board_of, photos_shown, signatures_of


class PositionInput(Input):
    """A board of a match, and the move that is asked of it."""

    start = serializers.DictField(help_text="The `start` of a declared position, `kind` position.")
    move = serializers.DictField(required=False, help_text="An entry of a log.")
    photos_of = serializers.CharField(
        required=False, max_length=20, help_text="A kept board of this match of which the photos go with this one too."
    )


class SignatureInput(Input):
    """What a player says of a board."""

    agrees = serializers.BooleanField()
    digest = serializers.CharField(max_length=64, help_text="Of the board that was shown.")
    seat = serializers.IntegerField(
        required=False, min_value=1, max_value=5, help_text="For judges: who signs. Players sign for their own."
    )


class SignatureSerializer(serializers.Serializer):
    """What a player said of a board, by whose account and on whose device."""

    seat = serializers.IntegerField(source="seat.number")
    agrees = serializers.BooleanField()
    digest = serializers.CharField()
    device = serializers.ChoiceField(Signature.Device.choices)
    by = serializers.CharField(source="by.public_id", help_text="An account.")
    at = serializers.DateTimeField()


class PhotoSerializer(serializers.Serializer):
    """A photo of the table. `kept` is false once it is forgotten; its digest stays."""

    id = serializers.CharField(source="public_id")
    sha256 = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    at = serializers.DateTimeField()
    kept = serializers.SerializerMethodField()

    def get_kept(self, photo: Photo) -> bool:
        """Whether there is a picture."""
        return not getattr(photo, "gone", False)


class KeptPositionSerializer(serializers.Serializer):
    """A board that is kept, without the board itself."""

    id = serializers.CharField(source="public_id")
    match = serializers.CharField(source="match.public_id")
    digest = serializers.CharField(help_text="SHA-256 of the board and of the digests of its photos.")
    move = serializers.JSONField(allow_null=True, help_text="The entry that was asked.")
    answer = serializers.CharField(allow_blank=True, help_text="What the engine answered as it was kept.")
    by = serializers.CharField(source="by.public_id", help_text="An account.")
    at = serializers.DateTimeField()


class KeptPositionDetailSerializer(serializers.Serializer):
    """A kept board as its reader sees it: judges whole with its photos, players without others' hidden cards."""

    id = serializers.CharField(source="position.public_id")
    match = serializers.CharField(source="position.match.public_id")
    digest = serializers.CharField(source="position.digest")
    at = serializers.DateTimeField(source="position.at")
    board = serializers.SerializerMethodField()
    position = serializers.SerializerMethodField()
    photos = serializers.SerializerMethodField()
    signatures = serializers.SerializerMethodField()

    @extend_schema_field(serializers.JSONField())
    def get_board(self, signer: Signer) -> dict[str, Any]:
        """As `python -m engine show --json` prints it."""
        board = board_of(signer.position.match.round.stage.event, signer.position.document)
        return board if signer.seat is None else engine_gate.seen_by(board, SEATS[signer.seat.number - 1])

    @extend_schema_field(serializers.JSONField(allow_null=True))
    def get_position(self, signer: Signer) -> dict[str, Any] | None:
        """The declared position, with the lists: for judges."""
        document: dict[str, Any] = signer.position.document
        return document if signer.seat is None else None

    @extend_schema_field(PhotoSerializer(many=True))
    def get_photos(self, signer: Signer) -> list[dict[str, Any]]:
        """The photos: for judges."""
        shown = photos_shown(signer.position) if signer.seat is None else []
        return PhotoSerializer(shown, many=True).data

    @extend_schema_field(SignatureSerializer(many=True))
    def get_signatures(self, signer: Signer) -> list[dict[str, Any]]:
        """What the players said of this board with these photos."""
        return SignatureSerializer(signatures_of(signer.position), many=True).data
