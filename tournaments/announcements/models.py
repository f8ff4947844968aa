"""The model of announcements by the staff."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.common.ids import new_id
from tournaments.events.models import Event, Stage
from tournaments.play.models import Match


def announcement_id() -> str:
    return new_id("a")


class Announcement(models.Model):
    """An announcement to the players of a stage or of a match, or to everybody if it has neither.

    It is shown until `until`, or until it is withdrawn.
    """

    public_id = models.CharField(max_length=20, unique=True, default=announcement_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="announcements")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, null=True, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="+")
    text = models.CharField(max_length=300)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    until = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="announcement_says_something"),
            models.CheckConstraint(
                condition=Q(stage__isnull=True) | Q(match__isnull=True), name="announcement_for_stage_or_table"
            ),
        ]
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.public_id
