"""The clock of a draft."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.play import DraftInput, DraftSerializer
from tournaments.events.access import stage_for_staff, stage_for_viewer
from tournaments.events.models import Stage
from tournaments.play import services as play
from tournaments.play.drafting import draft_of

GESTURES: dict[str, Callable[..., None]] = {
    "start": play.start_draft,
    "pause": play.pause_draft,
    "resume": play.resume_draft,
    "move": play.move_draft,
    "undo": play.undo_draft,
}


class DraftView(Endpoint):
    """Pick by pick."""

    scopes = (ApiToken.Scope.ORGANIZE,)

    @extend_schema(operation_id="draft_read", responses=DraftSerializer)
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """The clock of a draft, and all its steps."""
        return self._answer(stage_for_viewer(request.user, event_id, number))

    @extend_schema(operation_id="draft_change", request=DraftInput, responses={200: DraftSerializer})
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Start, pause or resume it, move it to a step, or take its start back: the desk."""
        stage = stage_for_staff(request.user, event_id, number, "run_desk")
        wanted: dict[str, Any] = dict(self.read(DraftInput))
        GESTURES[wanted.pop("action")](stage=stage, by=request.user, now=self.now, **wanted)
        return self._answer(stage)

    def _answer(self, stage: Stage) -> Response:
        draft = draft_of(stage, self.now)
        if draft is None:
            raise Http404
        shown = draft.face
        told = {
            "state": shown.state,
            "number": shown.number,
            "step": shown.step,
            "seconds_left": shown.seconds_left,
            "ends_at": shown.ends_at,
            "closes_at": shown.closes_at,
            "server_now": self.now,
            "steps": draft.steps,
        }
        return Response(DraftSerializer(told).data)
