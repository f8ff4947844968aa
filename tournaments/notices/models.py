"""What an account wants to be notified of, and the devices that it gets push notifications on.

By default it gets all that concern its entrants, and none about what it follows.
"""

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import models

from tournaments.common.ids import new_id
from tournaments.common.outgoing import LONGEST_URL


class Channel(models.TextChoices):
    """How a notification reaches an account."""

    LETTER = "letter"
    PUSH = "push"


class Kind(models.TextChoices):
    """What a notification is about; accounts choose by kind and channel which ones they get."""

    PAIRING = "pairing"
    EVENT = "event"
    DECK = "deck"
    ANNOUNCEMENT = "announcement"
    DISPUTE = "dispute"
    PLACE = "place"
    CALL = "call"
    FOLLOWED = "followed"


ONLY_PUSHED = frozenset({Kind.CALL})  # an e-mail would arrive after the judge
OFF_AT_FIRST = frozenset({Kind.FOLLOWED})
"""Kinds of e-mails that an account gets only if it has asked for them (`Wish`). They are not pushed."""
KINDS = {
    Channel.LETTER: [kind for kind in Kind.values if kind not in ONLY_PUSHED],
    Channel.PUSH: [kind for kind in Kind.values if kind not in OFF_AT_FIRST],
}


def subscription_id() -> str:
    return new_id("s")


class Silence(models.Model):
    """An account does not want notifications of this kind by this channel. By default it gets all that concern it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="silences")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    channel = models.CharField(max_length=6, choices=Channel.choices, default=Channel.LETTER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "channel"], name="one_silence_per_channel")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.channel}"


class Wish(models.Model):
    """An account wants notifications of this kind, which is among `OFF_AT_FIRST`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=Kind.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="one_wish_per_kind")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"


class PushSubscription(models.Model):
    """A browser that shows the notifications of an account. The keys are those of the browser, made for us alone."""

    public_id = models.CharField(max_length=20, unique=True, default=subscription_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    # Deleted with the sign-in of its browser, however that ends; none if a program added it with an API token.
    session = models.ForeignKey(UserSession, on_delete=models.CASCADE, null=True, related_name="+")
    endpoint = models.CharField(max_length=LONGEST_URL, unique=True, help_text="Where the browser's push service is.")
    p256dh = models.CharField(max_length=100, help_text="Its public key, a P-256 point in base64url.")
    auth = models.CharField(max_length=100, help_text="Its secret of 16 bytes in base64url.")
    browser = models.CharField(max_length=80, default="", blank=True, help_text="In words.")
    created_at = models.DateTimeField()
    pushed_at = models.DateTimeField(null=True, help_text="The last notification that its push service accepted.")
    failing_since = models.DateTimeField(null=True, help_text="The first failure since the last success.")

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.public_id
