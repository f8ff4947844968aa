"""Which letters an account does not want. Whoever says nothing gets all that concern its entrants."""

from django.conf import settings
from django.db import models


class Kind(models.TextChoices):
    """What a notice is about."""

    PAIRING = "pairing"
    EVENT = "event"
    DECK = "deck"
    ANNOUNCEMENT = "announcement"
    DISPUTE = "dispute"
    PLACE = "place"


class Silence(models.Model):
    """No letters of this kind to this account."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="silences")
    kind = models.CharField(max_length=12, choices=Kind.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="one_silence_per_kind")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"
