"""The clock of a draft."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import STAGE
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.play import DraftInput, DraftSerializer
from tournaments.events.access import stage_for_staff, stage_for_viewer
from tournaments.events.models import Stage
from tournaments.play import services as play
from tournaments.play.services.draft_clock import draft_of

ACTIONS: dict[str, Callable[..., None]] = {
    "start": play.start_draft,
    "pause": play.pause_draft,
    "resume": play.resume_draft,
    "move": play.move_draft,
    "undo": play.undo_draft,
}


class Drafts(Resource):
    """The clock of a draft."""

    scopes = (ApiToken.Scope.ORGANIZE,)

    @operation("GET", f"{STAGE}draft/", name="draft", answers=DraftSerializer)
    def draft_read(self, request: Request, event_id: str, number: int) -> Response:
        """The clock of a draft and all of its steps. Public."""
        return self._answer(stage_for_viewer(self.user, event_id, number))

    @operation("POST", f"{STAGE}draft/", takes=DraftInput, answers=DraftSerializer)
    def draft_change(self, request: Request, event_id: str, number: int) -> Response:
        """Start, pause or resume the clock, set it to a step, or undo its start. For the desk."""
        stage = stage_for_staff(self.user, event_id, number, "run_desk")
        wanted: dict[str, Any] = dict(self.read())
        ACTIONS[wanted.pop("action")](stage=stage, by=self.user, now=self.now, **wanted)
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
        return self.answer(told)
