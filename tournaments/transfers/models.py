"""Files of other programs that somebody uploaded, until something is made of them."""

from typing import Any

from django.conf import settings
from django.db import models

from tournaments.common.ids import new_id
from tournaments.events.models import Event


def transfer_id() -> str:
    return new_id("t")


class Transfer(models.Model):
    """An uploaded file, and what is to be made of it. Deleted a day after its upload; what was made of it stays.

    - `document`: the file as it came; empty once something is made of it
    - `format`: a key of `words.FORMATS`
    - `summary`: what it holds in figures, as `contents.Described`; no names of players
    - `settings`: what the organizer chose, as `making.Settings`; empty until it is confirmed
    """

    class Status(models.TextChoices):
        OPEN = "open"
        CONFIRMED = "confirmed"
        DONE = "done"

    public_id = models.CharField(max_length=20, unique=True, default=transfer_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="transfers")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    format = models.CharField(max_length=20)
    document = models.BinaryField()
    summary: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    settings: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    made = models.ForeignKey(Event, on_delete=models.SET_NULL, null=True, related_name="+")
    uploaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.public_id
