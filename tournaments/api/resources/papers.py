"""PDFs to print."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.papers import PaperInput, PaperSerializer
from tournaments.api.throttles import PaperThrottle
from tournaments.events.access import event_for_staff
from tournaments.paper.access import event_for_paper, paper_for_staff
from tournaments.paper.models import Paper
from tournaments.paper.selectors import document_of_paper, file_name, state_of
from tournaments.paper.services import request_pdf

PDF = OpenApiResponse(OpenApiTypes.BINARY, "The PDF.")


def _shown(paper: Paper) -> dict[str, Any]:
    return {"paper": paper, "state": state_of(paper)}


class Papers(Resource):
    """The PDFs of an event."""

    scopes = (ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE)
    account_needed = True

    @operation(
        "POST",
        f"{EVENT}papers/",
        name="papers",
        takes=PaperInput,
        answers=PaperSerializer,
        status=201,
        throttle=PaperThrottle,
    )
    def papers_ask(self, request: Request, event_id: str) -> Response:
        """Request a PDF, in the requested language. For staff; decklists only for those who may read them."""
        event_for_staff(self.user, event_id, "view_staff_pages")  # a stranger gets a 404 before the body is read
        wanted = self.read()
        kind = wanted["kind"]
        event, round_ = event_for_paper(self.user, event_id, kind, wanted.get("round"))
        language = get_language() or "en"
        made = request_pdf(
            event=event,
            kind=kind,
            round_=round_,
            language=language,
            site=f"{request.scheme}://{request.get_host()}",
            by=self.user,
            now=self.now,
        )
        return self.answer(_shown(made))

    @operation("GET", "papers/<slug:paper_id>/", name="paper", answers=PaperSerializer)
    def papers_read(self, request: Request, paper_id: str) -> Response:
        """The progress of a PDF. For staff."""
        return self.answer(_shown(paper_for_staff(self.user, paper_id)))

    @operation("GET", "papers/<slug:paper_id>/file/", name="paper_file", responses={(200, "application/pdf"): PDF})
    def papers_file(self, request: Request, paper_id: str) -> HttpResponse:
        """The PDF; 404 until it is ready. For staff."""
        paper = paper_for_staff(self.user, paper_id)
        document = document_of_paper(paper)
        if document is None:
            raise Http404
        answer = HttpResponse(document, content_type="application/pdf")
        answer["Content-Disposition"] = f'attachment; filename="{file_name(paper)}"'
        return answer
