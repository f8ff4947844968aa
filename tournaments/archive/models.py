"""Event files that organizers asked for, kept for a day; verifications that anybody asked for; nightly checks.

A file to verify is forgotten once it is read, the answer a day later.
"""

from django.conf import settings
from django.db import models

from tournaments.common.ids import new_id
from tournaments.events.models import Event


def export_id() -> str:
    return new_id("x")


class Export(models.Model):
    """The file of an event, packed; `document` is empty until it is written. Without `names` its main part alone."""

    public_id = models.CharField(max_length=20, unique=True, default=export_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    names = models.BooleanField(default=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    document = models.BinaryField(null=True)

    def __str__(self) -> str:
        return self.public_id


def verification_id() -> str:
    return new_id("v")


class Verification(models.Model):
    """One file to verify, and what was found. `report` is `Found.as_json`, or why the file cannot be read."""

    public_id = models.CharField(max_length=20, unique=True, default=verification_id, editable=False)
    document = models.BinaryField(null=True, help_text="The file, until it is read.")
    report = models.JSONField(null=True)
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.public_id


class Check(models.Model):
    """What the last nightly check of an event found. `report` is `Found.as_json`."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="last_check")
    at = models.DateTimeField()
    entry = models.PositiveIntegerField(help_text="The ledger entry up to which it was checked.")
    faulty = models.PositiveIntegerField()
    report = models.JSONField()

    def __str__(self) -> str:
        return f"{self.event_id}: {self.faulty} faults up to entry {self.entry}"
