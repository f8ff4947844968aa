"""Move logs as they were submitted, and what the engine found in them."""

from django.conf import settings
from django.db import models

from tournaments.common.ids import new_id
from tournaments.play.models import Game


def log_id() -> str:
    return new_id("g")


class MoveLog(models.Model):
    """The record of a game, kept byte for byte as it came."""

    public_id = models.CharField(max_length=20, unique=True, default=log_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="logs")
    document = models.TextField()
    sha256 = models.CharField(max_length=64)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "sha256", "uploaded_by"], name="a_log_is_kept_once")]
        ordering = ["uploaded_at", "pk"]

    def __str__(self) -> str:
        return self.public_id


class Audit(models.Model):
    """The engine's report on a log, with what a comparison of its decks with the registered lists found."""

    log = models.OneToOneField(MoveLog, on_delete=models.CASCADE, related_name="audit")
    verdict = models.CharField(max_length=20, default="", blank=True, help_text="Empty until it is computed.")
    report = models.JSONField(null=True)
    deck_findings = models.JSONField(default=list)
    digest = models.CharField(max_length=64, default="", blank=True, help_text="SHA-256 of the report.")
    outline = models.JSONField(default=dict, help_text="What pages need of the log at once: see `replays.Outline`.")
    computed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"audit of {self.log_id}"


class ReplayPage(models.Model):
    """A stretch of a replayed game, `replays.PAGE` entries long: its moves, and the board after each of them."""

    audit = models.ForeignKey(Audit, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField(help_text="From 0; entry n is on page n // PAGE.")
    moves = models.JSONField(help_text="n, by, do, args, outcome of each entry; entry 0, the set-up, has none.")
    boards = models.BinaryField(help_text="The boards as a judge sees them: a JSON list, compressed by zlib.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["audit", "number"], name="a_page_is_kept_once")]
        ordering = ["audit", "number"]

    def __str__(self) -> str:
        return f"page {self.number} of audit {self.audit_id}"
