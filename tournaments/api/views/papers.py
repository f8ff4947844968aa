"""Paper: PDFs drawn for the floor."""

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.papers import PaperInput, PaperSerializer
from tournaments.api.throttles import PaperThrottle
from tournaments.events.access import event_for_staff
from tournaments.paper.access import event_for_paper, paper_for_staff
from tournaments.paper.models import Paper
from tournaments.paper.selectors import document_of_paper, file_name, state_of
from tournaments.paper.services import ask_for_paper

PDF = OpenApiResponse(OpenApiTypes.BINARY, "The PDF.")


def _answer(paper: Paper, status: int = 200) -> Response:
    return Response(PaperSerializer({"paper": paper, "state": state_of(paper)}).data, status=status)


class PapersView(Endpoint):
    """Papers of an event."""

    scopes = (ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE)
    throttle_classes = [*Endpoint.throttle_classes, PaperThrottle]

    @extend_schema(operation_id="papers_ask", request=PaperInput, responses={201: PaperSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Have a PDF drawn, in the language asked for: staff. Decklists for whom they are open."""
        event_for_staff(request.user, event_id, "view_staff_pages")
        wanted = self.read(PaperInput)
        kind = wanted["kind"]
        event, round_ = event_for_paper(request.user, event_id, kind, wanted.get("round"))
        language = get_language() or "en"
        made = ask_for_paper(
            event=event,
            kind=kind,
            round_=round_,
            language=language,
            site=f"{request.scheme}://{request.get_host()}",
            by=request.user,
            now=self.now,
        )
        return _answer(made, 201)


class PaperView(Endpoint):
    """One paper."""

    account_needed = True

    @extend_schema(operation_id="papers_read", responses=PaperSerializer)
    def get(self, request: Request, paper_id: str) -> Response:
        """How far a PDF is: staff."""
        return _answer(paper_for_staff(request.user, paper_id))


class PaperFileView(Endpoint):
    """The document of a paper."""

    account_needed = True

    @extend_schema(operation_id="papers_file", responses={(200, "application/pdf"): PDF})
    def get(self, request: Request, paper_id: str) -> HttpResponse:
        """The PDF; 404 until it is ready. Staff."""
        paper = paper_for_staff(request.user, paper_id)
        document = document_of_paper(paper)
        if document is None:
            raise Http404
        answer = HttpResponse(document, content_type="application/pdf")
        answer["Content-Disposition"] = f'attachment; filename="{file_name(paper)}"'
        return answer
