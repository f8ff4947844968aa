"""The model of PDFs that staff requested. They contain names, so they are deleted after a day."""

from django.conf import settings
from django.db import models

from tournaments.common.ids import new_id
from tournaments.events.models import Event
from tournaments.play.models import Round


def paper_id() -> str:
    return new_id("f")


class Paper(models.Model):
    """A requested PDF. `document` is None until it is drawn."""

    class Kind(models.TextChoices):
        """What is on it. `round` is everything needed for a round: both lists of pairings, match slips, standings."""

        ROUND = "round"
        SLIPS = "slips"
        BY_NAME = "by_name"
        BY_TABLE = "by_table"
        STANDINGS = "standings"
        FINAL = "final"
        SEATS = "seats"
        DECKS = "decks"
        SEAT_LINKS = "seat_links"

    public_id = models.CharField(max_length=20, unique=True, default=paper_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="papers")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, related_name="papers")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    language = models.CharField(max_length=5)
    site = models.CharField(max_length=200, blank=True, help_text="Where the addresses on it lead: scheme and host.")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    document = models.BinaryField(null=True)

    def __str__(self) -> str:
        return self.public_id
