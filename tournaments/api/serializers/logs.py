"""Move logs and their audits."""

from typing import Any

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input
from tournaments.api.serializers.decks import ViolationSerializer
from tournaments.audits.engine_gate import report_in
from tournaments.audits.models import Audit, Branch, MoveLog
from tournaments.audits.selectors import audit_state, findings_shown


def _in_language(report: dict[str, Any], log: MoveLog) -> dict[str, Any]:
    """The report on a log in the language asked for."""
    return report_in(report, log.game.match.round.stage.event.game, (get_language() or "en").split("-")[0])


class AuditSerializer(serializers.Serializer):
    """What the engine found, or how far it is. `verdict` is empty until then."""

    verdict = serializers.CharField(allow_blank=True)
    digest = serializers.CharField(allow_blank=True, help_text="SHA-256 of the report.")
    computed_at = serializers.DateTimeField(allow_null=True)


class AuditDetailSerializer(AuditSerializer):
    """An audit with its report. Cards by which a list differs are shown to judges alone."""

    report = serializers.SerializerMethodField(help_text="In the language of Accept-Language.")
    deck_findings = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()

    @extend_schema_field({"type": "object", "nullable": True})
    def get_report(self, audit: Audit) -> dict[str, Any] | None:
        """What the engine found, in the language asked for."""
        return audit.report and _in_language(audit.report, audit.log)

    def get_deck_findings(self, audit: Audit) -> list[dict[str, Any]]:
        """How the decks of the log differ from the registered lists."""
        return findings_shown(self.context["user"], audit)

    @extend_schema_field(serializers.ChoiceField(["done", "pending", "running", "failed"]))
    def get_state(self, audit: Audit) -> str:
        """Where the work stands."""
        state = None if audit.verdict else audit_state(audit)
        return "done" if audit.verdict else state.status if state else "pending"

    def get_progress(self, audit: Audit) -> int:
        """Percent of the work done."""
        state = None if audit.verdict else audit_state(audit)
        return 100 if audit.verdict else state.progress if state else 0


class LogSerializer(serializers.Serializer):
    """A move log, without its document."""

    id = serializers.CharField(source="public_id")
    match = serializers.CharField(source="game.match.public_id")
    game = serializers.IntegerField(source="game.number")
    sha256 = serializers.CharField()
    uploaded_by = serializers.CharField(source="uploaded_by.public_id", help_text="An account.")
    uploaded_at = serializers.DateTimeField()
    audit = AuditSerializer()


class LogDetailSerializer(LogSerializer):
    """A move log with the report of its audit."""

    audit = serializers.SerializerMethodField()

    @extend_schema_field(AuditDetailSerializer)
    def get_audit(self, log: MoveLog) -> dict[str, Any]:
        """The audit, as far as this reader may see it."""
        return AuditDetailSerializer(log.audit, context=self.context).data


class BoardQuery(serializers.Serializer):
    """Which board."""

    n = serializers.IntegerField(min_value=0, max_value=100_000, help_text="After this entry; 0 is the set-up.")


class BoardSerializer(serializers.Serializer):
    """The board after an entry, and how far the log was replayed."""

    n = serializers.IntegerField(source="position.n")
    move = serializers.JSONField(
        source="position.move", help_text="n, by, do, args and outcome of the entry; null at the set-up."
    )
    board = serializers.JSONField(source="position.board", help_text="As `python -m engine show --json` prints it.")
    recorded = serializers.IntegerField(help_text="Entries of the log.")
    last = serializers.IntegerField(help_text="Entries that were replayed, the refused one included.")
    refused = serializers.BooleanField(help_text="Whether the last of these was refused.")
    marked = serializers.ListField(
        child=serializers.IntegerField(), help_text="Entries that were not simply in order, the first 200."
    )


class LegalMoveSerializer(serializers.Serializer):
    """A legal move, its chance left open."""

    by = serializers.CharField()
    do = serializers.CharField()
    args = serializers.JSONField()


class QuestionInput(Input):
    """A position and a move, in the form of the log format."""

    position = serializers.DictField(help_text="A declared position, or a whole log.")
    move = serializers.DictField(help_text="An entry of a log.")


class PadInput(Input):
    """A score pad, turn by turn."""

    turns = BoundedList(
        child=serializers.DictField(),
        max_length=300,
        help_text='`{"by": seat, "claims": {"A.pv": 12}, "seconds": 40}`, `seconds` where somebody took them.',
    )


class TwoPositionsInput(Input):
    """Two declared positions, or whole logs of which the ends are compared."""

    one = serializers.DictField()
    two = serializers.DictField()


class DifferenceSerializer(serializers.Serializer):
    """A fact that is known in both and not the same; of rows and piles the cards that lie in one alone."""

    fact = serializers.CharField()
    one = serializers.JSONField(allow_null=True)
    two = serializers.JSONField(allow_null=True)


class MissingSerializer(serializers.Serializer):
    """A fact to ask the table for."""

    fact = serializers.CharField()
    rule = serializers.CharField()
    section = serializers.CharField()


class AnswerSerializer(serializers.Serializer):
    """May the move be made? `missing` says what it depends on, `error` what cannot be read."""

    answer = serializers.ChoiceField(["legal", "illegal", "undetermined", "unreadable"])
    violations = ViolationSerializer(many=True)
    missing = MissingSerializer(many=True)
    error = serializers.JSONField(allow_null=True)


class BranchInput(Input):
    """A correction of a log: `entry` replaces entry `n` or follows it; there is none where it is undone."""

    n = serializers.IntegerField(min_value=0, max_value=100_000)
    correction = serializers.ChoiceField(Branch.Correction.choices)
    entry = serializers.DictField(required=False, help_text="An entry of a log, without `n`.")


class BranchSerializer(serializers.Serializer):
    """A branch, with the report on what follows."""

    id = serializers.IntegerField(source="pk")
    dispute = serializers.CharField(source="dispute.public_id")
    log = serializers.CharField(source="log.public_id")
    n = serializers.IntegerField()
    correction = serializers.ChoiceField(Branch.Correction.choices)
    entry = serializers.JSONField(allow_null=True)
    by = serializers.CharField(source="by.public_id", help_text="An account.")
    at = serializers.DateTimeField()
    report = serializers.SerializerMethodField(help_text="In the language of Accept-Language.")

    @extend_schema_field({"type": "object"})
    def get_report(self, branch: Branch) -> dict[str, Any]:
        """What the engine found in the continuation, in the language asked for."""
        return _in_language(branch.report, branch.log)


class MergedSerializer(serializers.Serializer):
    """Two logs as one `document`, or null and their first difference: a path, the entry's number, what each has."""

    document = serializers.JSONField(allow_null=True)
    path = serializers.CharField(allow_blank=True)
    n = serializers.IntegerField(allow_null=True)
    one = serializers.JSONField(allow_null=True)
    two = serializers.JSONField(allow_null=True)
