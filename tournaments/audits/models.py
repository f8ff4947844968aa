"""Models for move logs, the engine's audits of them, and what judges do with both.

A `MoveLog` records one game and has one `Audit`. Judges settle a `Dispute` with numbered `Ruling`s and try corrections
of a log in `Branch`es. A `Recording` is a log still being written; a `Position` is a board that a judge entered at a
table. No model here holds a result: those are in `play.models`, and only people change them.
"""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.common.ids import new_id
from tournaments.events.models import Event
from tournaments.play.models import Game, Match, Seat

BACK_TO = "back_to"  # the verb of the entry in a log that undoes moves


def log_id() -> str:
    return new_id("g")


class MoveLog(models.Model):
    """The log of one game, stored byte for byte as submitted. Each account can submit the same document only once."""

    public_id = models.CharField(max_length=20, unique=True, default=log_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="logs")
    document = models.TextField()
    sha256 = models.CharField(max_length=64)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()
    shared_at = models.DateTimeField(
        null=True, help_text="Since when its players can replay it, as their seats saw the game."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "sha256", "uploaded_by"], name="a_log_is_kept_once")]
        ordering = ["uploaded_at", "pk"]

    def __str__(self) -> str:
        return self.public_id


class Audit(models.Model):
    """The engine's report on a log, and the result of comparing its decks with the registered lists."""

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
    """A run of `replays.PAGE` consecutive entries of a replayed game, with the board after each."""

    audit = models.ForeignKey(Audit, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField(help_text="From 0; entry n is on page n // PAGE.")
    moves = models.JSONField(help_text="n, by, do, args, outcome of each entry; entry 0, the set-up, has none.")
    boards = models.BinaryField(help_text="The boards as a judge sees them: a JSON list, compressed by zlib.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["audit", "number"], name="a_page_is_kept_once")]
        ordering = ["audit", "number"]

    def __str__(self) -> str:
        return f"page {self.number} of audit {self.audit_id}"


def dispute_id() -> str:
    return new_id("d")


class Dispute(models.Model):
    """A result under review by judges: contested by a player, claimed to be wrong, or taken up by a judge.

    What people wrote is in ledger notes, which can be erased, not here.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        RULED = "ruled"
        APPEALED = "appealed"

    LIVE = (Status.OPEN, Status.APPEALED)  # waiting for a judge

    public_id = models.CharField(max_length=20, unique=True, default=dispute_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="disputes")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    opened_at = models.DateTimeField()
    appealed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    appealed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(status__in=["open", "appealed"]), name="one_live_dispute_per_match"
            )
        ]
        ordering = ["opened_at", "pk"]

    def __str__(self) -> str:
        return f"{self.public_id} {self.status}"


class Ruling(models.Model):
    """A judge's decision in a dispute, with a digest of the match state it was based on."""

    class Decision(models.TextChoices):
        KEEP = "keep"
        CHANGE = "change"
        REPLAY = "replay"

    dispute = models.ForeignKey(Dispute, on_delete=models.CASCADE, related_name="rulings")
    number = models.PositiveSmallIntegerField(help_text="From 1; the last one holds.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    head = models.BooleanField(help_text="Whether it was a head judge: then it is final.")
    decision = models.CharField(max_length=10, choices=Decision.choices)
    games = models.JSONField(null=True, help_text="The result ruled: [2, 1, 0]; null where the match is played again.")
    kind = models.CharField(max_length=20, choices=Match.Kind.choices, default=Match.Kind.PLAYED)
    game = models.PositiveSmallIntegerField(null=True, help_text="The game to be played again, where only one is.")
    state = models.CharField(max_length=64, help_text="SHA-256 of the state it was based on: `disputes.state_of`.")
    entry = models.PositiveIntegerField(help_text="Its entry in the ledger, of which the note is the reason.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["dispute", "number"], name="rulings_are_numbered")]
        ordering = ["dispute", "number"]

    def __str__(self) -> str:
        return f"{self.dispute_id} ruling {self.number}"


class Branch(models.Model):
    """A what-if: a log with one correction, and the audit of the corrected log. The original log is never changed."""

    class Correction(models.TextChoices):
        UNDO = "undo"
        REPLACE = "replace"
        INSERT = "insert"
        SWAP = "swap"
        CONTINUE = "continue"

    dispute = models.ForeignKey(Dispute, on_delete=models.CASCADE, related_name="branches")
    log = models.ForeignKey(MoveLog, on_delete=models.CASCADE, related_name="branches")
    n = models.PositiveIntegerField(help_text="The entry that is corrected.")
    correction = models.CharField(max_length=10, choices=Correction.choices)
    entry = models.JSONField(
        null=True,
        help_text="What stands in its place or after it: with `continue`, a list of entries. Null where it is undone.",
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    report = models.JSONField(help_text="The engine's report on the continuation.")

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.dispute_id} what if at {self.n}"


def recording_id() -> str:
    return new_id("k")


class Recording(models.Model):
    """A game recorded while it is played. Every entry is checked by the engine; handing it in makes a `MoveLog`.

    Entries are append-only: an undo is an entry (`back_to`) as well.
    """

    public_id = models.CharField(max_length=20, unique=True, default=recording_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="recordings")
    header = models.JSONField(help_text="Of the log, without its moves.")
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    shared = models.JSONField(default=list, help_text="Seats whose player lets the other one record for both.")
    undo_asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    log = models.OneToOneField(MoveLog, on_delete=models.SET_NULL, null=True, related_name="recording")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game"], condition=Q(closed_at__isnull=True), name="one_open_recording_per_game"
            )
        ]
        ordering = ["opened_at", "pk"]

    def __str__(self) -> str:
        return self.public_id


class RecordedEntry(models.Model):
    """One entry of a recording, with the hash of the chain up to it.

    The sender chooses `key`, so an entry that is sent again under the same key is stored only once.
    """

    recording = models.ForeignKey(Recording, on_delete=models.CASCADE, related_name="entries")
    n = models.PositiveIntegerField()
    entry = models.JSONField()
    key = models.CharField(max_length=80)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recording", "n"], name="entries_are_numbered"),
            models.UniqueConstraint(fields=["recording", "key"], name="an_entry_is_kept_once"),
        ]
        ordering = ["recording", "n"]

    def __str__(self) -> str:
        return f"{self.recording_id} entry {self.n}"


def position_id() -> str:
    return new_id("o")


class Position(models.Model):
    """A board that a judge entered at a table and saved, with the move that was asked about.

    The board never changes. Photos can be added until somebody signs. `digest` covers the board and its photos, and is
    what players sign.
    """

    public_id = models.CharField(max_length=20, unique=True, default=position_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="positions")
    document = models.JSONField(help_text="A declared position with the registered lists, in the form of a log.")
    digest = models.CharField(max_length=64, help_text="SHA-256: `positions.digest_of`.")
    move = models.JSONField(null=True, help_text="The entry that was asked; null where none was.")
    answer = models.CharField(max_length=20, default="", blank=True, help_text="What the engine answered then.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.public_id


def photo_id() -> str:
    return new_id("z")


class Photo(models.Model):
    """A photo of the table for a saved board, re-encoded without metadata. The digest outlives the image."""

    public_id = models.CharField(max_length=20, unique=True, default=photo_id, editable=False)
    position = models.ForeignKey(Position, on_delete=models.CASCADE, related_name="photos")
    jpeg = models.BinaryField(null=True, help_text="Null once it is forgotten, and where a file did not bring it.")
    sha256 = models.CharField(max_length=64)
    width = models.PositiveIntegerField(help_text="Pixels.")
    height = models.PositiveIntegerField(help_text="Pixels.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["position", "sha256"], name="a_photo_is_kept_once")]
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.public_id


class Signature(models.Model):
    """A player's agreement with a saved board, or their objection to it.

    It applies to every position of the match with the same digest.
    """

    class Device(models.TextChoices):
        OWN = "own"
        JUDGE = "judge"

    position = models.ForeignKey(Position, on_delete=models.CASCADE, related_name="signatures")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, help_text="Of the position as it was signed.")
    agrees = models.BooleanField()
    device = models.CharField(max_length=10, choices=Device.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "digest"], name="a_board_is_signed_once_a_seat")]
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.position_id} {self.seat_id} {self.agrees}"


class Feature(models.Model):
    """A feature match: the public can follow its games while they are recorded, with a delay in minutes."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="feature")
    delay = models.PositiveSmallIntegerField(help_text="Minutes from when a move is received until the public sees it.")
    named_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    named_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(delay__gte=1), name="a_feature_match_is_late"),
        ]
        ordering = ["named_at", "pk"]

    def __str__(self) -> str:
        return f"{self.match_id} {self.delay} minutes late"

    @property
    def lag(self) -> timedelta:
        """The delay as a timedelta."""
        return timedelta(minutes=self.delay)


def bulk_id() -> str:
    return new_id("b")


class BulkAudit(models.Model):
    """A new audit of every audited log of an event, as they are or under other interpretations.

    The stored audits and the results do not change.
    """

    public_id = models.CharField(max_length=20, unique=True, default=bulk_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="bulk_audits")
    options = models.JSONField(default=dict, help_text="Interpretations that are switched; the others are the log's.")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"],
                condition=Q(finished_at__isnull=True, cancelled_at__isnull=True),
                name="one_bulk_audit_at_a_time",
            )
        ]
        ordering = ["-asked_at", "-pk"]

    def __str__(self) -> str:
        return self.public_id


class BulkLine(models.Model):
    """One log of a bulk audit: the findings of its stored audit, and the new ones."""

    class Outcome(models.TextChoices):
        WAITING = "waiting"
        SAME = "same"
        CHANGED = "changed"
        FAILED = "failed"

    bulk = models.ForeignKey(BulkAudit, on_delete=models.CASCADE, related_name="lines")
    log = models.ForeignKey(MoveLog, on_delete=models.CASCADE, related_name="+")
    lane = models.PositiveSmallIntegerField(help_text="The job that audits it.")
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.WAITING)
    verdict_before = models.CharField(max_length=20, default="", blank=True)
    verdict_after = models.CharField(max_length=20, default="", blank=True)
    found_before = models.JSONField(null=True, help_text="The entry that was refused, and the winner found.")
    found_after = models.JSONField(null=True)
    differs_at = models.PositiveIntegerField(null=True, help_text="The first entry after which the games differ.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bulk", "log"], name="a_log_is_audited_again_once")]
        # For the query of every lane: the waiting lines of one lane of one bulk audit.
        indexes = [models.Index(fields=["bulk", "outcome", "lane"], name="bulk_to_do")]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.bulk_id} {self.log_id} {self.outcome}"
