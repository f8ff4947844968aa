"""How the API describes itself: what drf-spectacular cannot read off the views."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from tournaments.api.problems import MEDIA_TYPE

EXAMPLES = Path(__file__).with_name("examples.json")
# Names for choices that several fields share, or that share a field's name.
ENUM_NAMES = {
    "EventStatus": "tournaments.events.models.Event.Status",
    "AwardedByeKind": "tournaments.play.models.AwardedBye.Kind",
    "ImportStatus": "tournaments.events.models.EntryImport.Status",
    "EntrantStatus": "tournaments.events.models.Entrant.Status",
    "RoundStatus": "tournaments.play.models.Round.Status",
    "ReportStatus": "tournaments.play.models.Report.Status",
    "StageKind": "tournaments.events.models.Stage.Kind",
    "PoolsShown": "tournaments.events.models.Stage.PoolsShown",
    "ResultKind": "tournaments.play.models.Match.Kind",
    "PlayerResultKind": "tournaments.play.services.results.PLAYER_KINDS",
    "StaffResultKind": "tournaments.play.services.results.STAFF_KINDS",
    "StaffRoleName": "tournaments.events.models.StaffRole.Role",
    "PenaltyLevel": "tournaments.judging.models.Penalty.Level",
    "PaperKind": "tournaments.paper.models.Paper.Kind",
    "TokenScope": "tournaments.accounts.models.ApiToken.Scope",
}


@cache
def _examples() -> dict[str, Any]:
    """By operation: a `request`, the `status` and the `answer`. Written by `tests/api/examples.py`."""
    read: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return read


def _show(contents: dict[str, Any], example: Any) -> None:
    """Put an example into each content of its kind: a text is no JSON."""
    for media, content in contents.items():
        if example is not None and (media == "application/json") != (isinstance(example, str)):
            content["example"] = example


class ProblemSerializer(serializers.Serializer):
    """A refusal (RFC 9457). Clients decide by `code`; docs/refusals.md lists them all."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence for people, in the language asked for.")
    details = serializers.ListField(child=serializers.JSONField(), help_text="One entry a defect.")


class TokenScheme(OpenApiAuthenticationExtension):
    """API tokens."""

    target_class = "tournaments.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """As OpenAPI names it."""
        return {"type": "http", "scheme": "bearer", "description": "An API token: `arb_…`"}


class Schema(AutoSchema):
    """Adds what every route has: refusals, an example, and on every write the idempotency key."""

    def get_override_parameters(self) -> list[OpenApiParameter]:
        """The header that makes a write safe to send twice."""
        if self.method in SAFE_METHODS:
            return []
        return [
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[ -~]+$"},
                OpenApiParameter.HEADER,
                description="Sent again with the same body, the request is answered as the first time and acts once.",
            )
        ]

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """The operation, with what was sent and answered in a test as its example."""
        operation = super().get_operation(*args, **kwargs)
        if operation is not None and (shown := _examples().get(operation["operationId"])):
            answered = operation["responses"].get(shown["status"], {})
            _show(operation.get("requestBody", {}).get("content", {}), shown.get("request"))
            _show(answered.get("content", {}), shown.get("answer"))
        return operation

    def _get_response_bodies(self, direction: str = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        refused = self._get_response_for_code(ProblemSerializer, "4XX", [MEDIA_TYPE], direction)
        return {**bodies, "4XX": {**refused, "description": "A refusal, with its code."}}


def page_of(name: str, row: type[serializers.Serializer]) -> serializers.Serializer:
    """A page of rows, as `Endpoint.page` answers it."""
    return inline_serializer(
        name=f"{name}Page",
        fields={
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": row(many=True),
        },
    )


PAGING = [
    OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 500}, description="Rows a page; 100."),
    OpenApiParameter("offset", {"type": "integer", "minimum": 0}, description="Rows to leave out."),
]
