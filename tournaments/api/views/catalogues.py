"""Catalogues of cards of one's own: lists sent, looked at, kept."""

from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.parsers import BytesParser
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
from tournaments.decks.engine_gate import faults_in_words
from tournaments.decks.models import Catalogue, CatalogueUpload
from tournaments.decks.selectors import catalogues_of, look_of, state_of

ORGANIZE = ApiToken.Scope.ORGANIZE


def _catalogue(found: Catalogue) -> Response:
    found.look = look_of(found)  # type: ignore[attr-defined]
    return Response(CatalogueDetailSerializer(found).data)


def _upload(upload: CatalogueUpload, status: int = 200) -> Response:
    report = upload.report
    shown = {
        "upload": upload,
        "state": state_of(upload),
        "catalog": report.get("catalog", upload.name),
        "cards": report.get("cards", 0),
        "faults": faults_in_words(report.get("faults", []), get_language() or "en"),
        "look": report.get("look"),
    }
    return Response(CatalogueUploadSerializer(shown).data, status=status)


class OwnCataloguesView(Endpoint):
    """Your catalogues."""

    account_needed = True

    @extend_schema(operation_id="own_catalogues_list", responses=OwnCatalogueSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The catalogues that you keep, by name, the newest version first."""
        return Response(OwnCatalogueSerializer(catalogues_of(request.user), many=True).data)


class OwnCatalogueView(Endpoint):
    """One catalogue."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="own_catalogues_read", responses=CatalogueDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One of yours, or of an event of whose staff you are."""
        return _catalogue(catalogue_for_reader(request.user, pk))

    @extend_schema(operation_id="own_catalogues_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete one of yours that no event is read with."""
        services.delete_catalogue(catalogue=catalogue_for_owner(request.user, pk))
        return Response(status=204)


class CatalogueUploadsView(Endpoint):
    """Lists of cards that are sent."""

    scopes = (ORGANIZE,)
    parser_classes = [BytesParser]
    throttle_classes = [*Endpoint.throttle_classes, CardsThrottle]

    @extend_schema(
        operation_id="catalogue_uploads_open",
        parameters=[CardsQuery],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={201: CatalogueUploadSerializer},
    )
    def post(self, request: Request) -> Response:
        """Send a list of cards, CSV or JSON, at most 8 MiB, to be looked at. It is read by a job: ask again."""
        wanted = self.read_query(CardsQuery)
        document = request.data if isinstance(request.data, bytes) else b""
        made = services.open_upload(
            game=wanted["game"], name=wanted["id"], document=document, by=request.user, now=self.now
        )
        return _upload(made, 201)


class CatalogueUploadView(Endpoint):
    """One list that was sent."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="catalogue_uploads_read", responses=CatalogueUploadSerializer)
    def get(self, request: Request, upload_id: str) -> Response:
        """How far its reading is, then its first cards, or every fault."""
        return _upload(upload_for_owner(request.user, upload_id))

    @extend_schema(operation_id="catalogue_uploads_discard", responses={204: None})
    def delete(self, request: Request, upload_id: str) -> Response:
        """Throw it away; what was kept of it stays."""
        services.discard_upload(upload=upload_for_owner(request.user, upload_id))
        return Response(status=204)


class CatalogueKeepView(Endpoint):
    """Keeping a list."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="catalogue_uploads_keep", request=NothingInput, responses=CatalogueDetailSerializer)
    def post(self, request: Request, upload_id: str) -> Response:
        """Keep a list that was read as the next version of your catalogue. Twice is once."""
        upload = upload_for_owner(request.user, upload_id)
        self.read(NothingInput)
        return _catalogue(services.keep_upload(upload=upload, now=self.now))
