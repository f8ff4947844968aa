"""The stages of an event: planning, changing and starting them, their entrants and their brackets."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT, STAGE
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.events import (
    StageChangeInput,
    StageDetailSerializer,
    StageInput,
    StageSerializer,
    StageStartInput,
)
from tournaments.events.access import event_for_staff, event_for_viewer, stage_for_staff, stage_for_viewer
from tournaments.events.models import Stage
from tournaments.events.selectors import entries_with_names
from tournaments.events.stages import add_stage, configure_stage, remove_stage
from tournaments.play import services as play
from tournaments.play.access import require_pairings
from tournaments.play.field import bracket_of

ORGANIZE = ApiToken.Scope.ORGANIZE


def stage_answer(view: Resource, stage: Stage) -> Response:
    """Return one stage as it is in the database now, with its entrants and its bracket."""
    fresh: Any = Stage.objects.select_related("event").prefetch_related(entries_with_names()).get(pk=stage.pk)
    fresh.nodes = _nodes(fresh) if fresh.is_bracket and fresh.started_at else []
    return view.answer(fresh)


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


class Stages(Resource):
    """The stages of an event."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}stages/", name="stages", lists=StageSerializer)
    def stages_list(self, request: Request, event_id: str) -> Response:
        """The stages, in order. Public."""
        stages = event_for_viewer(self.user, event_id).stages.select_related("event")
        return self.answer(stages)

    @operation("POST", f"{EVENT}stages/", takes=StageInput, answers=StageDetailSerializer, status=201)
    def stages_add(self, request: Request, event_id: str) -> Response:
        """Add a stage at the end. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return stage_answer(self, add_stage(event=event, **self.arguments()))

    @operation("GET", STAGE, name="stage", answers=StageDetailSerializer)
    def stages_read(self, request: Request, event_id: str, number: int) -> Response:
        """A stage with its entrants by seed, their seats in draft pods, and the nodes of its bracket. Public."""
        stage = stage_for_viewer(self.user, event_id, number)
        # A bracket shows who meets whom, so it is hidden as its pairings are.
        return stage_answer(self, require_pairings(self.user, stage) if stage.is_bracket else stage)

    @operation("PATCH", STAGE, takes=StageChangeInput, answers=StageDetailSerializer)
    def stages_change(self, request: Request, event_id: str, number: int) -> Response:
        """Change a stage that has not started. For organizers and owners."""
        stage = stage_for_staff(self.user, event_id, number, "manage_event")
        return stage_answer(self, configure_stage(stage=stage, **self.arguments()))

    @operation("DELETE", STAGE)
    def stages_remove(self, request: Request, event_id: str, number: int) -> Response:
        """Remove the last planned stage. For organizers and owners."""
        stage = stage_for_staff(self.user, event_id, number, "manage_event")
        remove_stage(stage=stage, **self.arguments())
        return self.answer()

    @operation(
        "POST", f"{EVENT}stages/start/", name="stage_start", takes=StageStartInput, answers=StageDetailSerializer
    )
    def stages_start(self, request: Request, event_id: str) -> Response:
        """Start the next stage with the entrants who advance and have not `declined`. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return stage_answer(self, play.start_stage(event=event, **self.arguments()))

    @operation("POST", f"{EVENT}stages/undo/", name="stage_undo", takes=NothingInput)
    def stages_undo(self, request: Request, event_id: str) -> Response:
        """Undo the start of a stage, as long as none of its rounds is paired. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        play.undo_stage(event=event, **self.arguments())
        return self.answer()
