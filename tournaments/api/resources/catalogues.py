"""Your own card catalogues: lists are uploaded, reviewed, and saved."""

from typing import Any

from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from engine.face.lists import faults_in_words, left_out_in_words
from tournaments.accounts.models import ApiToken
from tournaments.api.parsers import BytesParser
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.catalogues import (
    CardsQuery,
    CatalogueDetailSerializer,
    CatalogueUploadSerializer,
    OwnCatalogueSerializer,
)
from tournaments.api.throttles import CardsThrottle
from tournaments.decks import catalogues as services
from tournaments.decks.access import catalogue_for_owner, catalogue_for_reader, upload_for_owner
from tournaments.decks.images import hosts_of, image_count, saved_images
from tournaments.decks.models import Catalogue, CatalogueUpload
from tournaments.decks.selectors import catalogues_of, look_of, state_of

ORGANIZE = ApiToken.Scope.ORGANIZE


def _catalogue(found: Catalogue) -> Catalogue:
    found.look = look_of(found)  # type: ignore[attr-defined]
    found.file = _file(found.report.get("file"))  # type: ignore[attr-defined]
    found.image_count = image_count(hosts_of(saved_images(found).values()))  # type: ignore[attr-defined]
    return found


def _file(file: dict[str, Any] | None) -> dict[str, Any] | None:
    return {**file, "left_out": left_out_in_words(file["left_out"], get_language() or "en")} if file else None


def _upload(upload: CatalogueUpload) -> dict[str, Any]:
    report = upload.report
    return {
        "upload": upload,
        "state": state_of(upload),
        "catalog": report.get("catalog", upload.name),
        "cards": report.get("cards", 0),
        "faults": faults_in_words(report.get("faults", []), get_language() or "en"),
        "file": _file(report.get("file")),
        "changes": report.get("changes"),
        "look": report.get("look"),
        "images": image_count(report.get("images", {})),
    }


class OwnCatalogues(Resource):
    """Your catalogues."""

    scopes = (ORGANIZE,)
    account_needed = True

    @operation("GET", "catalogues/", name="own_catalogues", lists=OwnCatalogueSerializer)
    def own_catalogues_list(self, request: Request) -> Response:
        """Your own catalogues, by name, newest version first."""
        return self.answer(catalogues_of(self.user))

    @operation("GET", "catalogues/<int:pk>/", name="own_catalogue", answers=CatalogueDetailSerializer)
    def own_catalogues_read(self, request: Request, pk: int) -> Response:
        """A catalogue of your own, of the operator, or used by an event whose staff you belong to."""
        return self.answer(_catalogue(catalogue_for_reader(self.user, pk)))

    @operation("DELETE", "catalogues/<int:pk>/")
    def own_catalogues_delete(self, request: Request, pk: int) -> Response:
        """Delete a catalogue of your own, as long as no event uses it."""
        services.delete_catalogue(catalogue=catalogue_for_owner(self.user, pk))
        return self.answer()


class CatalogueUploads(Resource):
    """Uploads of card lists."""

    scopes = (ORGANIZE,)
    account_needed = True

    @operation(
        "POST",
        "catalogue-uploads/",
        name="catalogue_uploads",
        request={"application/octet-stream": OpenApiTypes.BINARY},
        query=CardsQuery,
        answers=CatalogueUploadSerializer,
        status=201,
        throttle=CardsThrottle,
        parser_classes=[BytesParser],
    )
    def catalogue_uploads_open(self, request: Request) -> Response:
        """Upload a file of cards for review: CSV, XLSX or JSON, at most 8 MiB. A job reads it: poll the upload."""
        wanted = self.read_query()
        document = self.document()
        made = services.open_upload(game=wanted["game"], name=wanted["id"], document=document, **self.arguments())
        return self.answer(_upload(made))

    @operation("GET", "catalogue-uploads/<slug:upload_id>/", name="catalogue_upload", answers=CatalogueUploadSerializer)
    def catalogue_uploads_read(self, request: Request, upload_id: str) -> Response:
        """The progress of reading the list, then its first cards, or all of its faults."""
        return self.answer(_upload(upload_for_owner(self.user, upload_id)))

    @operation("DELETE", "catalogue-uploads/<slug:upload_id>/")
    def catalogue_uploads_discard(self, request: Request, upload_id: str) -> Response:
        """Discard the upload. A catalogue that was saved from it stays."""
        services.discard_upload(upload=upload_for_owner(self.user, upload_id))
        return self.answer()

    @operation(
        "POST",
        "catalogue-uploads/<slug:upload_id>/keep/",
        name="catalogue_keep",
        takes=NothingInput,
        answers=CatalogueDetailSerializer,
    )
    def catalogue_uploads_keep(self, request: Request, upload_id: str) -> Response:
        """Save a list that has been read as the next version of your catalogue. Idempotent."""
        upload = upload_for_owner(self.user, upload_id)
        self.read()
        return self.answer(_catalogue(services.keep_upload(upload=upload, now=self.now)))
