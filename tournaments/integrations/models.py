"""Models of webhooks and their deliveries.

Payloads of our own format contain only opaque ids and codes, no names. Those for Discord and Slack are in words.
"""

from django.conf import settings
from django.db import models

from tournaments.common.ids import new_id
from tournaments.events.models import Event

# The kinds of messages that a webhook may ask for: the first parts of the codes of ledger entries.
KINDS = (
    "event", "staff", "entrant", "meeting", "deck", "decks", "pool", "stage", "pair", "bye", "round", "clock", "table",
    "result", "standings", "call", "penalty", "check", "dispute", "log", "game", "recording", "bulk", "announcement",
    "feature", "prize", "webhook", "position", "application", "question", "answers", "consent",
    "payment",
)  # fmt: skip
PING = "ping"  # the type of a test message


def webhook_id() -> str:
    return new_id("w")


def delivery_id() -> str:
    return new_id("y")


class Webhook(models.Model):
    """A URL that receives messages about one event, or (`event` is None) about every event that its owner organizes."""

    class Format(models.TextChoices):
        """What messages look like: ids and codes for programs, or words for a channel."""

        ARBITRE = "arbitre"
        DISCORD = "discord"
        SLACK = "slack"

    public_id = models.CharField(max_length=20, unique=True, default=webhook_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="webhooks")
    url = models.CharField(max_length=500)
    format = models.CharField(max_length=10, choices=Format.choices, default=Format.ARBITRE)
    kinds = models.JSONField(help_text="Of `KINDS`.")
    secret = models.CharField(max_length=60, help_text="Its seed: `signing.secret_of` makes the secret of it.")
    old_secret = models.CharField(max_length=60, default="", blank=True)
    old_until = models.DateTimeField(null=True, help_text="Until then the old secret signs beside the new one.")
    created_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, help_text="The first failure since the last success.")
    disabled_at = models.DateTimeField(null=True, help_text="Since when nothing is sent.")
    disabled_for = models.CharField(max_length=20, default="", blank=True, help_text="Why: `failing`, `gone`, `asked`.")

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.public_id


class Delivery(models.Model):
    """A message to a webhook, with the state of its attempts."""

    class Status(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        FAILED = "failed"

    public_id = models.CharField(max_length=20, unique=True, default=delivery_id, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    chain = models.CharField(max_length=20, default="", blank=True)
    number = models.PositiveIntegerField(null=True, help_text="Of the ledger's entry; none for a test.")
    payload = models.JSONField(help_text="What is sent, but for words, which are found when they are sent.")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(help_text="When the next attempt is due.")
    answer = models.PositiveSmallIntegerField(null=True, help_text="The status of the last answer.")
    error = models.CharField(max_length=30, default="", blank=True, help_text="Why the last attempt had no answer.")
    created_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["webhook", "chain", "number"], name="an_entry_is_told_once"),
        ]
        indexes = [models.Index(fields=["webhook", "status", "next_at"], name="delivery_due")]
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.public_id} {self.status}"


class Feed(models.Model):
    """The number of the last ledger entry of an event for which deliveries were created."""

    chain = models.CharField(max_length=20, unique=True)
    number = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.chain} #{self.number}"
