"""The OpenAPI schema, the page to read it on, and the 404 for everything else."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.version import VERSION
from tournaments.api.resource import Resource, operation


class SchemaView(SpectacularAPIView):
    """The API as OpenAPI 3, in YAML or JSON. Public."""

    authentication_classes: list[Any] = []


class DocsView(SpectacularSwaggerSplitView):
    """The schema, to read and try out in a browser. Public.

    Its script is served as a file of its own, so that the site's content security policy applies without an exception.
    """

    authentication_classes: list[Any] = []
    url_name = "api:schema"
    template_name = "api/docs.html"


class RootSerializer(serializers.Serializer):
    """Where to begin: the version of the site, its licence, and the addresses to follow."""

    version = serializers.CharField()
    licence = serializers.CharField(help_text="An SPDX identifier.")
    schema = serializers.URLField()
    docs = serializers.URLField()
    events = serializers.URLField()
    presets = serializers.URLField()


class Root(Resource):
    """The beginning of the API."""

    @operation("GET", "", name="root", answers=RootSerializer)
    @extend_schema(tags=["root"])
    def root_read(self, request: Request) -> Response:
        """The version and the licence, and where to go from here. Public."""
        names = ("schema", "docs", "events", "presets")
        addresses = {name: request.build_absolute_uri(reverse(f"api:{name}")) for name in names}
        return self.answer({"version": VERSION, "licence": "MIT", **addresses})


@extend_schema(exclude=True)
class NowhereView(Resource):
    """Every address below the API that does not exist."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise a 404 as a problem document, for every method and every reader, but within the rate limits."""
        self.check_throttles(request)
        raise Http404

    def nowhere(self, request: Request, **kwargs: Any) -> Response:
        """Never called: `initial` raises first."""
        raise Http404
