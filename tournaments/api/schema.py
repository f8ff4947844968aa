"""How the API describes itself: what drf-spectacular cannot read off the views."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers

from tournaments.api.problems import MEDIA_TYPE

# Names for choices that several fields share, or that share a field's name.
ENUM_NAMES = {
    "EventStatus": "tournaments.events.models.Event.Status",
    "AwardedByeKind": "tournaments.play.models.AwardedBye.Kind",
    "EntrantStatus": "tournaments.events.models.Entrant.Status",
    "RoundStatus": "tournaments.play.models.Round.Status",
    "ReportStatus": "tournaments.play.models.Report.Status",
    "StageKind": "tournaments.events.models.Stage.Kind",
    "PoolsShown": "tournaments.events.models.Stage.PoolsShown",
    "ResultKind": "tournaments.play.models.Match.Kind",
    "PlayerResultKind": "tournaments.play.services.results.PLAYER_KINDS",
    "StaffResultKind": "tournaments.play.services.results.STAFF_KINDS",
    "StaffRoleName": "tournaments.events.models.StaffRole.Role",
    "PaperKind": "tournaments.paper.models.Paper.Kind",
    "TokenScope": "tournaments.accounts.models.ApiToken.Scope",
}


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
    """Adds what every route has: refusals, and on POST the idempotency key."""

    def get_override_parameters(self) -> list[OpenApiParameter]:
        """The header that makes a POST safe to send twice."""
        if self.method != "POST":
            return []
        return [
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[ -~]+$"},
                OpenApiParameter.HEADER,
                description="Sent again with the same body, the request is answered as the first time and acts once.",
            )
        ]

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
