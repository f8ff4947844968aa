"""The API's description of itself, and what is not there."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.endpoint import Endpoint


class SchemaView(SpectacularAPIView):
    """OpenAPI, as YAML or JSON. Public."""

    authentication_classes: list[Any] = []


class DocsView(SpectacularSwaggerSplitView):
    """The schema to read and to try. Its script is a file of its own, so that the pages' policy holds here too."""

    authentication_classes: list[Any] = []
    url_name = "api:schema"
    template_name = "api/docs.html"


@extend_schema(exclude=True)
class NowhereView(Endpoint):
    """Every address of the API that is none."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """A problem in the form of all others, whatever the method and whoever asks."""
        self.check_throttles(request)
        raise Http404

    def get(self, request: Request, **kwargs: Any) -> Response:
        """Never reached: `initial` refuses."""
        raise Http404
