"""The stages of an event: planned, configured, started from the standings, undone; who plays them, their brackets."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.events import (
    StageChangeInput,
    StageDetailSerializer,
    StageInput,
    StageSerializer,
)
from tournaments.events.access import event_for_staff, event_for_viewer, stage_for_staff, stage_for_viewer
from tournaments.events.models import Stage
from tournaments.events.selectors import entries_with_names
from tournaments.events.stages import add_stage, configure_stage, remove_stage
from tournaments.play import services as play
from tournaments.play.access import require_pairings
from tournaments.play.field import bracket_of

ORGANIZE = ApiToken.Scope.ORGANIZE


def stage_answer(stage: Stage, status: int = 200) -> Response:
    """One stage as it is in the database now, with who plays it and its bracket."""
    fresh = Stage.objects.select_related("event").prefetch_related(entries_with_names()).get(pk=stage.pk)
    fresh.nodes = _nodes(fresh) if fresh.is_bracket and fresh.started_at else []
    return Response(StageDetailSerializer(fresh).data, status=status)


def _nodes(stage: Stage) -> list[dict[str, Any]]:
    now = bracket_of(stage)
    return [
        {
            "node": slot.node.id,
            "round": slot.node.round,
            "a": slot.a,
            "b": slot.b,
            "state": slot.state,
            "winner": slot.winner,
            "match": now.matches[slot.node.id].public_id if slot.node.id in now.matches else None,
        }
        for slot in now.slots.values()
    ]


class StagesView(Endpoint):
    """What an event is played in."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="stages_list", responses=StageSerializer(many=True))
    def get(self, request: Request, event_id: str) -> Response:
        """The stages, first one first."""
        stages = event_for_viewer(request.user, event_id).stages.select_related("event")
        return Response(StageSerializer(stages, many=True).data)

    @extend_schema(operation_id="stages_add", request=StageInput, responses={201: StageDetailSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Plan one more stage after the others: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        return stage_answer(add_stage(event=event, by=request.user, now=self.now, **self.read(StageInput)), 201)


class StageView(Endpoint):
    """One stage."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="stages_read", responses=StageDetailSerializer)
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """A stage with its entries by seed, their seats in draft pods, and every place of its bracket."""
        stage = stage_for_viewer(request.user, event_id, number)
        return stage_answer(require_pairings(request.user, stage) if stage.is_bracket else stage)

    @extend_schema(operation_id="stages_change", request=StageChangeInput, responses={200: StageDetailSerializer})
    def patch(self, request: Request, event_id: str, number: int) -> Response:
        """Change a stage that has not started: organizers and owners."""
        stage = stage_for_staff(request.user, event_id, number, "manage_event")
        return stage_answer(configure_stage(stage=stage, by=request.user, now=self.now, **self.read(StageChangeInput)))

    @extend_schema(operation_id="stages_remove", responses={204: None})
    def delete(self, request: Request, event_id: str, number: int) -> Response:
        """Take the last planned stage away: organizers and owners."""
        stage = stage_for_staff(request.user, event_id, number, "manage_event")
        remove_stage(stage=stage, by=request.user, now=self.now)
        return Response(status=204)


class StageStartView(Endpoint):
    """The next stage begins."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="stages_start", request=NothingInput, responses={200: StageDetailSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Start the next stage with who comes into it from the standings: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        self.read(NothingInput)
        return stage_answer(play.start_stage(event=event, by=request.user, now=self.now))


class StageUndoView(Endpoint):
    """A start taken back."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="stages_undo", request=NothingInput, responses={204: None})
    def post(self, request: Request, event_id: str) -> Response:
        """Take the start of the stage back, as long as no round of it is paired: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        self.read(NothingInput)
        play.undo_stage(event=event, by=request.user, now=self.now)
        return Response(status=204)
