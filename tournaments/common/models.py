"""The tables that every app uses: jobs (the outbox), signs of life, the ledger, answered requests, e-mails sent."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q


class Job(models.Model):
    """Work to be done outside the request, written in the transaction that makes it necessary. See `jobs.py`."""

    class Status(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=100, help_text="What the work is about; one pending job per kind and key.")
    payload = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    run_after = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    lease_token = models.CharField(max_length=40, default="", blank=True)
    progress = models.PositiveSmallIntegerField(default=0, help_text="0 to 100")
    error = models.TextField(default="", blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            # `enqueue` relies on it: a flood of requests for the same work becomes one job.
            models.UniqueConstraint(fields=["kind", "key"], condition=Q(status="pending"), name="one_pending_job"),
            models.CheckConstraint(condition=Q(progress__lte=100), name="job_progress_percent"),
        ]
        indexes = [
            models.Index(fields=["run_after"], condition=Q(status__in=["pending", "running"]), name="job_to_do"),
            models.Index(fields=["kind", "key"], name="job_of"),
            models.Index(fields=["kind"], condition=Q(status="failed"), name="job_failed"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.status})"


class Heartbeat(models.Model):
    """When something was last alive: a worker, beat, and the trial write of the health check. See `heartbeats.py`."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at}"


class LedgerHead(models.Model):
    """The end of a chain: the number and hash of its last entry. Its row is the chain's lock, always taken last."""

    chain = models.CharField(max_length=20, unique=True)
    number = models.PositiveIntegerField(default=0)
    hash = models.CharField(max_length=64, default="", blank=True)

    def __str__(self) -> str:
        return f"{self.chain} #{self.number}"


class LedgerEntry(models.Model):
    """One thing that happened, described by opaque ids and codes only. Never changed, never deleted."""

    chain = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=20, help_text="Public id of the account, or `system`.")
    code = models.CharField(max_length=60)
    object = models.CharField(max_length=40)
    before: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    after: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    note_digest = models.CharField(max_length=64, default="", blank=True)
    previous = models.CharField(max_length=64, default="", blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chain", "number"], name="one_entry_per_number")]
        ordering = ["chain", "number"]

    def __str__(self) -> str:
        return f"{self.chain} #{self.number} {self.code}"


class LedgerNote(models.Model):
    """The free text of an entry, stored apart so that it can be erased: the chain holds only its salted digest."""

    entry = models.OneToOneField(LedgerEntry, on_delete=models.CASCADE, related_name="note")
    salt = models.CharField(max_length=32)
    text = models.TextField()

    def __str__(self) -> str:
        return f"note of {self.entry_id}"


class IdempotencyKey(models.Model):
    """The answer to a request that carried an idempotency key, so that sending it twice acts once.

    `status` and `body` are the HTTP answer; `status` is null until there is one. See `idempotency.py`.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=80)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_key")]

    def __str__(self) -> str:
        return self.key


class PostedLetter(models.Model):
    """The claim of an e-mail that was sent or was about to be: none is sent twice under one key. See `mail.py`."""

    key = models.CharField(max_length=120, unique=True, help_text="What it tells and whom, in opaque ids.")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.key
