"""Boards that judges saved, with their photos and signatures."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine import face
from tournaments.api.serializers.base import Input
from tournaments.audits.access import SEATS, Signer
from tournaments.audits.models import Photo, Signature
from tournaments.audits.positions import board_of, photos_shown, signatures_of


class PositionInput(Input):
    """A board of a match, and the move that is asked about."""

    start = serializers.DictField(help_text="The `start` of a declared position, `kind` position.")
    move = serializers.DictField(required=False, help_text="An entry of a log.")
    photos_of = serializers.CharField(
        required=False, max_length=20, help_text="A saved board of this match whose photos are used for this one too."
    )


class SignatureInput(Input):
    """Whether a player agrees to a board."""

    agrees = serializers.BooleanField()
    digest = serializers.CharField(max_length=64, help_text="Of the board that was shown.")
    seat = serializers.IntegerField(
        required=False, min_value=1, max_value=5, help_text="For judges: who signs. Players sign for their own."
    )


class SignatureSerializer(serializers.Serializer):
    """A player's answer to a board, with the account and the device it was given on."""

    seat = serializers.IntegerField(source="seat.number")
    agrees = serializers.BooleanField()
    digest = serializers.CharField()
    device = serializers.ChoiceField(Signature.Device.choices)
    by = serializers.CharField(source="by.public_id", help_text="An account.")
    at = serializers.DateTimeField()


class PhotoSerializer(serializers.Serializer):
    """A photo of the table. `kept` is false once the picture has been deleted; its digest stays."""

    id = serializers.CharField(source="public_id")
    sha256 = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    at = serializers.DateTimeField()
    kept = serializers.SerializerMethodField()

    def get_kept(self, photo: Photo) -> bool:
        """Whether the picture still exists."""
        return not getattr(photo, "gone", False)


class KeptPositionSerializer(serializers.Serializer):
    """A saved board, without the board itself."""

    id = serializers.CharField(source="public_id")
    match = serializers.CharField(source="match.public_id")
    digest = serializers.CharField(help_text="SHA-256 of the board and of the digests of its photos.")
    move = serializers.JSONField(allow_null=True, help_text="The entry that was asked.")
    answer = serializers.CharField(allow_blank=True, help_text="The engine's answer when it was saved.")
    by = serializers.CharField(source="by.public_id", help_text="An account.")
    at = serializers.DateTimeField()


class KeptPositionDetailSerializer(serializers.Serializer):
    """A saved board as you may see it: judges see all of it with the photos, players not the hidden cards of others."""

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
        """The board, in the JSON of `python -m engine show --json`."""
        board = board_of(signer.position.match.round.stage.event, signer.position.document)
        return board if signer.seat is None else face.boards.seen_by(board, SEATS[signer.seat.number - 1])

    @extend_schema_field(serializers.JSONField(allow_null=True))
    def get_position(self, signer: Signer) -> dict[str, Any] | None:
        """The declared position with the decklists, for judges; otherwise null."""
        document: dict[str, Any] = signer.position.document
        return document if signer.seat is None else None

    @extend_schema_field(PhotoSerializer(many=True))
    def get_photos(self, signer: Signer) -> list[dict[str, Any]]:
        """The photos, for judges; otherwise empty."""
        shown = photos_shown(signer.position) if signer.seat is None else []
        return list(PhotoSerializer(shown, many=True).data)

    @extend_schema_field(SignatureSerializer(many=True))
    def get_signatures(self, signer: Signer) -> list[dict[str, Any]]:
        """The players' signatures on this board with these photos."""
        return list(SignatureSerializer(signatures_of(signer.position), many=True).data)
