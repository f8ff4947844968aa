"""Requested event files, verifications of uploaded files, and the last check of each event.

Requested files and verifications are kept for a day. An uploaded file is deleted as soon as it is verified; only its
report stays until then.
"""

from django.conf import settings
from django.db import models

from tournaments.common.ids import new_id
from tournaments.events.models import Event


def export_id() -> str:
    return new_id("x")


class Export(models.Model):
    """A requested event file, compressed with gzip; `document` is empty until a job has written it.

    Without `names`, the file has only its main part.
    """

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
    """The verification of an uploaded file.

    `report` is empty until it is done, then the JSON of a `VerificationReport`, or `{"unreadable": {…}}` for a file
    that cannot be read.
    """

    public_id = models.CharField(max_length=20, unique=True, default=verification_id, editable=False)
    document = models.BinaryField(null=True, help_text="The file, until it is read.")
    report = models.JSONField(null=True)
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.public_id


class Check(models.Model):
    """The findings of the last check of an event, nightly or requested.

    `report` is the JSON of a `VerificationReport`.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="last_check")
    at = models.DateTimeField()
    entry = models.PositiveIntegerField(help_text="The ledger entry up to which it was checked.")
    faulty = models.PositiveIntegerField()
    report = models.JSONField()

    def __str__(self) -> str:
        return f"{self.event_id}: {self.faulty} faults up to entry {self.entry}"
