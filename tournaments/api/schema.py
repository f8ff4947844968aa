"""The parts of the OpenAPI schema that drf-spectacular cannot read from the views."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, inline_serializer
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from tournaments.api.problems import MEDIA_TYPE

EXAMPLES = Path(__file__).with_name("examples.json")
# Names of enums that several fields share, or whose fields have the same name; drf-spectacular would number the latter.
ENUM_NAMES = {
    "EventStatus": "tournaments.events.models.Event.Status",
    "AwardedByeKind": "tournaments.play.models.AwardedBye.Kind",
    "ImportStatus": "tournaments.events.models.EntryImport.Status",
    "EntrantStatus": "tournaments.events.models.Entrant.Status",
    "ApplicationStatus": "tournaments.events.models.Application.Status",
    "Listing": "tournaments.events.models.Event.Listing",
    "QuestionKind": "tournaments.events.models.Question.Kind",
    "ConsentHow": "tournaments.events.models.Consent.How",
    "ConsentSaid": "tournaments.api.serializers.base.CONSENTS",
    "RoundStatus": "tournaments.play.models.Round.Status",
    "ReportStatus": "tournaments.play.models.Report.Status",
    "StageKind": "tournaments.events.models.Stage.Kind",
    "PoolsShown": "tournaments.events.models.Stage.PoolsShown",
    "ResultKind": "tournaments.play.models.Match.Kind",
    "PlayerResultKind": "tournaments.play.services.results.PLAYER_KINDS",
    "StaffResultKind": "tournaments.play.services.results.STAFF_KINDS",
    "StaffRoleName": "tournaments.events.models.StaffRole.Role",
    "ClubRoleName": "tournaments.clubs.models.ClubRole.Role",
    "PenaltyLevel": "tournaments.judging.models.Penalty.Level",
    "PaperKind": "tournaments.paper.models.Paper.Kind",
    "WebhookFormat": "tournaments.integrations.models.Webhook.Format",
    "TokenScope": "tournaments.accounts.models.ApiToken.Scope",
}


# What the operations under each first word of an address are about.
TAGS = {
    "announcements": "Messages from staff to the players of an event.",
    "applications": "Registrations that the desk decides on.",
    "bans": "People whom a club does not admit.",
    "book": "An organizer's players: private names, notes, and which of them are the same person.",
    "bulk-audits": "All logs of an event audited again, under chosen interpretations.",
    "calls": "Calls for a judge.",
    "catalogue-uploads": "Lists of cards being read.",
    "catalogues": "Organizers' own lists of cards, and what their cards do.",
    "clubs": "Clubs and their staff.",
    "codes": "Codes that lower a price.",
    "conventions": "Several events in one hall.",
    "deck-checks": "Decks that judges compare with their lists.",
    "effect-words": "The words in which the effects of cards are written.",
    "entrants": "Whoever takes part in an event: a player or a team, with lists, pools, needs and prizes.",
    "entry-invitations": "Invitations to enter an event.",
    "events": "Events, their settings, stages, rounds, standings and files.",
    "files": "Event files, which prove their own integrity.",
    "formats": "Deck formats that organizers make.",
    "imports": "Files and pasted lists of players being read.",
    "infractions": "The infractions that judges can record.",
    "invitations": "Invitations to the staff of an event.",
    "leagues": "Points and ratings across events.",
    "logs": "Move logs and their verdicts.",
    "matches": "Matches: reports, results, disputes, recordings.",
    "me": "Your own account, entries and matches.",
    "papers": "Sheets to print.",
    "payments": "Payments and refunds.",
    "penalties": "Penalties that judges recorded.",
    "persons": "The people you act for, and their profiles.",
    "photos": "Photos of tables.",
    "players": "Public profiles.",
    "positions": "Boards from which a question to the engine starts.",
    "presets": "The formats that events can be created from.",
    "prices": "The prices of an event.",
    "recordings": "Games while they are being recorded.",
    "root": "Where to begin.",
    "tokens": "Tokens with which programs sign in.",
    "transfers": "Events of other programs being read.",
    "verifications": "Event files being verified.",
    "webhooks": "Addresses that hear what happens in an event.",
}


def describe_tags(result: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Add the descriptions of the tags that operations have; a hook of drf-spectacular."""
    used = {
        tag for item in result["paths"].values() for operation in item.values() for tag in operation.get("tags", [])
    }
    result["tags"] = [{"name": tag, "description": TAGS[tag]} for tag in sorted(used)]
    return result


@cache
def _examples() -> dict[str, Any]:
    """Examples by operation id: `request`, `status` and `answer`. Written by `tests/api/examples.py`."""
    read: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return read


def _show(contents: dict[str, Any], example: Any) -> None:
    """Add an example to each content of its type: a string to text, anything else to JSON."""
    for media, content in contents.items():
        if example is not None and (media == "application/json") != (isinstance(example, str)):
            content["example"] = example


class ProblemSerializer(serializers.Serializer):
    """A refusal (RFC 9457). Clients act on `code`; docs/refusals.md lists all codes."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence for people, in the language asked for.")
    details = serializers.ListField(child=serializers.JSONField(), help_text="One entry a defect.")
    request = serializers.CharField(required=False, help_text="With a 500: the id to quote when you report it.")


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes API tokens in the schema."""

    target_class = "tournaments.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {"type": "http", "scheme": "bearer", "description": "An API token: `arb_…`"}


class Schema(AutoSchema):
    """Adds what every operation has: refusals, an example, and for writes the idempotency key."""

    def get_override_parameters(self) -> list[Any]:
        """Return the `Idempotency-Key` header, for writes."""
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
        """Return the operation, with a request and a response from the tests as its example."""
        self.view.use(self.view.action)  # type: ignore[attr-defined]  # a `Resource`
        operation = super().get_operation(*args, **kwargs)
        if operation is not None and (shown := _examples().get(operation["operationId"])):
            answered = operation["responses"].get(shown["status"], {})
            _show(operation.get("requestBody", {}).get("content", {}), shown.get("request"))
            _show(answered.get("content", {}), shown.get("answer"))
        return operation

    def _get_paginator(self) -> None:
        """Nothing: `page_of` describes the pages, and other lists have none."""

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        refused = self._get_response_for_code(  # type: ignore[no-untyped-call]
            ProblemSerializer, "4XX", [MEDIA_TYPE], direction
        )
        return {**bodies, "4XX": {**refused, "description": "A refusal, with its code."}}


def page_of(name: str, row: type[serializers.BaseSerializer]) -> serializers.Serializer:
    """Return the schema of a page of rows, as `Resource.answer` returns it."""
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
PART = [
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": 500}, description="Rows to send; left out, all."
    ),
    PAGING[1],
]
"""Parameters of a response that is complete unless a part of its rows is selected."""
UNCHANGED = {304: OpenApiResponse(description="Nothing has changed since the answer with the `ETag` that was sent.")}
