"""Move logs, their audits, and questions about positions."""

from typing import Any

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.face.audits import report_in
from tournaments.api.serializers.base import BoundedList, Input
from tournaments.api.serializers.decks import ViolationSerializer
from tournaments.audits.branches import MAX_LINE
from tournaments.audits.comparison import Comparison
from tournaments.audits.models import Audit, Branch, MoveLog
from tournaments.audits.selectors import audit_state, findings_shown, recorded_on_one_device


def _in_language(report: dict[str, Any], log: MoveLog) -> dict[str, Any]:
    """Return the report on a log in the language of the request."""
    return report_in(report, log.game.match.round.stage.event.game, _language())


def _language() -> str:
    return (get_language() or "en").split("-")[0]


class AuditSerializer(serializers.Serializer):
    """An audit of a log. `verdict` is empty until it is done."""

    verdict = serializers.CharField(allow_blank=True)
    digest = serializers.CharField(allow_blank=True, help_text="SHA-256 of the report.")
    computed_at = serializers.DateTimeField(allow_null=True)


class AuditDetailSerializer(AuditSerializer):
    """An audit with its report and progress. Only judges see by which cards a deck differs from the decklist."""

    report = serializers.SerializerMethodField(help_text="In the language of Accept-Language.")
    deck_findings = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()

    @extend_schema_field({"type": "object", "nullable": True})
    def get_report(self, audit: Audit) -> dict[str, Any] | None:
        """The report of the engine in the requested language; null until the audit is done."""
        return audit.report and _in_language(audit.report, audit.log)

    def get_deck_findings(self, audit: Audit) -> list[dict[str, Any]]:
        """How the decks in the log differ from the registered decklists."""
        return findings_shown(self.context["user"], audit)

    @extend_schema_field(serializers.ChoiceField(["done", "pending", "running", "failed"]))
    def get_state(self, audit: Audit) -> str:
        """The state of the audit's job."""
        state = None if audit.verdict else audit_state(audit)
        return "done" if audit.verdict else state.status if state else "pending"

    def get_progress(self, audit: Audit) -> int:
        """The progress of the audit, in percent."""
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
    shared_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when the players of the match can replay it; null if they cannot."
    )
    one_device = serializers.SerializerMethodField()
    audit = AuditSerializer()

    def get_one_device(self, log: MoveLog) -> bool:
        """Whether one player recorded it for both, with the other one's agreement."""
        return bool(recorded_on_one_device([log]))


class LogDetailSerializer(LogSerializer):
    """A move log with the report of its audit."""

    audit = serializers.SerializerMethodField()  # type: ignore[assignment]

    @extend_schema_field(AuditDetailSerializer)
    def get_audit(self, log: MoveLog) -> dict[str, Any]:
        """The audit, as far as you may see it."""
        return AuditDetailSerializer(log.audit, context=self.context).data


class ReplaySerializer(serializers.Serializer):
    """A log whose boards the players of its match can see."""

    id = serializers.CharField(source="public_id")
    game = serializers.IntegerField(source="game.number")
    shared_at = serializers.DateTimeField()


class ShareInput(Input):
    """Whether the players of the match can replay a log."""

    shared = serializers.BooleanField()


class LandmarksSerializer(serializers.Serializer):
    """The entries of a log that one wants to jump to, the first 200 of each kind."""

    illegal = serializers.ListField(child=serializers.IntegerField(), help_text="The refused entry.")
    doubts = serializers.ListField(child=serializers.IntegerField(), help_text="Entries that are not certain.")
    rulings = serializers.ListField(child=serializers.IntegerField(), help_text="Entries by a judge.")
    claims = serializers.ListField(child=serializers.IntegerField(), help_text="Entries with noted figures.")


class BoardQuery(serializers.Serializer):
    """The entry after which to show the board."""

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
        child=serializers.IntegerField(), help_text="Entries that were not simply in order: illegal or in doubt."
    )
    landmarks = LandmarksSerializer()


class LegalMoveSerializer(serializers.Serializer):
    """A legal move, with its chance left open."""

    by = serializers.CharField()
    do = serializers.CharField()
    args = serializers.JSONField()


class QuestionInput(Input):
    """A position and a move, in the log format."""

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
    """Two declared positions, or whole logs whose final boards are compared."""

    one = serializers.DictField()
    two = serializers.DictField()


class DifferenceSerializer(serializers.Serializer):
    """A fact that both positions know and that differs; for rows and piles, the cards that are only in one of them."""

    fact = serializers.CharField()
    one = serializers.JSONField(allow_null=True)
    two = serializers.JSONField(allow_null=True)


class MissingSerializer(serializers.Serializer):
    """A fact to ask the players about."""

    fact = serializers.CharField()
    rule = serializers.CharField()
    section = serializers.CharField()


class AnswerSerializer(serializers.Serializer):
    """Whether the move is legal. `missing` lists the facts it depends on; `error` says what cannot be read."""

    answer = serializers.ChoiceField(["legal", "illegal", "undetermined", "unreadable"])
    violations = ViolationSerializer(many=True)
    missing = MissingSerializer(many=True)
    error = serializers.JSONField(allow_null=True)


class BranchInput(Input):
    """A correction of a log.

    `entry` replaces entry `n` or is inserted after it; `entries` follow it with `continue`; `undo` and `swap` have
    neither.
    """

    n = serializers.IntegerField(min_value=0, max_value=100_000)
    correction = serializers.ChoiceField(Branch.Correction.choices)
    entry = serializers.DictField(required=False, help_text="An entry of a log, without `n`.")
    entries = BoundedList(
        child=serializers.DictField(), max_length=MAX_LINE, required=False, help_text="Entries of a log, without `n`."
    )


class BranchSerializer(serializers.Serializer):
    """A variation of a log, with the report on what follows the correction."""

    id = serializers.IntegerField(source="pk")
    dispute = serializers.CharField(source="dispute.public_id")
    log = serializers.CharField(source="log.public_id")
    n = serializers.IntegerField()
    correction = serializers.ChoiceField(Branch.Correction.choices)
    entry = serializers.JSONField(allow_null=True, help_text="With `continue`, a list of entries.")
    by = serializers.CharField(source="by.public_id", help_text="An account.")
    at = serializers.DateTimeField()
    report = serializers.SerializerMethodField(help_text="In the language of Accept-Language.")

    @extend_schema_field({"type": "object"})
    def get_report(self, branch: Branch) -> dict[str, Any]:
        """The engine's report on the continuation, in the requested language."""
        return _in_language(branch.report, branch.log)


class MergedSerializer(serializers.Serializer):
    """Two logs merged into one `document`, or null and their first difference.

    `kind` says what differs: a "move", figures "noted" beside a move (all moves agree), or only the "header". `path`
    and the number of the entry say where: `n` in the first log, `n_two` in the second, null where that log ends
    earlier. `one` and `two` are what each has there; `said_one` and `said_two` are the two moves in words.
    """

    document = serializers.JSONField(source="merged.document", allow_null=True)
    kind = serializers.ChoiceField(["", "move", "noted", "header"], source="merged.kind")
    path = serializers.CharField(source="merged.path", allow_blank=True)
    n = serializers.IntegerField(source="merged.n", allow_null=True)
    n_two = serializers.IntegerField(source="merged.n_two", allow_null=True)
    one = serializers.JSONField(source="merged.one", allow_null=True)
    two = serializers.JSONField(source="merged.two", allow_null=True)
    said_one = serializers.SerializerMethodField()
    said_two = serializers.SerializerMethodField()

    def get_said_one(self, compared: Comparison) -> str:
        """The move of the first log, in the language of the request."""
        return compared.sides[0].said(_language())

    def get_said_two(self, compared: Comparison) -> str:
        """The move of the second log, in the language of the request."""
        return compared.sides[1].said(_language())
