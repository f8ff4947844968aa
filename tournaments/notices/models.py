"""The e-mail notifications that an account does not want. By default it gets all that concern its entrants."""

from django.conf import settings
from django.db import models


class Kind(models.TextChoices):
    """What a notification is about; accounts choose by kind which ones they get."""

    PAIRING = "pairing"
    EVENT = "event"
    DECK = "deck"
    ANNOUNCEMENT = "announcement"
    DISPUTE = "dispute"
    PLACE = "place"


class Silence(models.Model):
    """An account does not want notifications of this kind."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="silences")
    kind = models.CharField(max_length=12, choices=Kind.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="one_silence_per_kind")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"
