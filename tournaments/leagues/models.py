"""Models of leagues, their events and standings, and of the entries in an organizer's private player book."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.accounts.models import Person
from tournaments.clubs.models import Club
from tournaments.common.ids import new_id
from tournaments.events.models import Event


def league_id() -> str:
    return new_id("l")


class League(models.Model):
    """A series of events whose points add up. `public_id` identifies it in URLs and names its ledger chain."""

    class Visibility(models.TextChoices):
        PRIVATE = "private"
        UNLISTED = "unlisted"
        PUBLIC = "public"

    public_id = models.CharField(max_length=20, unique=True, default=league_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="leagues")
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="leagues", help_text="Its staff manage it."
    )
    name = models.CharField(max_length=120)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE)
    rules = models.JSONField(help_text="As `leagues.rules` reads them.")
    created_at = models.DateTimeField()
    events: "models.ManyToManyField[Event, LeagueEvent]" = models.ManyToManyField(
        Event, through="LeagueEvent", related_name="leagues"
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="league_has_a_name")]
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.public_id

    @property
    def is_open(self) -> bool:
        """Whether everybody who knows its address may see it."""
        return self.visibility != self.Visibility.PRIVATE


class LeagueEvent(models.Model):
    """An event that counts in a league."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entries")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="league_entries")
    added_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "event"], name="an_event_counts_once")]
        ordering = ["added_at", "pk"]

    def __str__(self) -> str:
        return f"{self.league_id}: {self.event_id}"


class LeagueTable(models.Model):
    """The newest standings of a league, with the stamp (`points.stamp_of`) of what they were computed from."""

    league = models.OneToOneField(League, on_delete=models.CASCADE, related_name="table")
    stamp = models.CharField(max_length=64)
    rows = models.JSONField(help_text="Rank, player's public id, total and results, best first.")
    events = models.JSONField(help_text="Public ids of the events that counted, in the order of the league.")
    ratings = models.JSONField(default=list, help_text="As `leagues.ratings` computes them, best first.")
    computed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.league_id}: {self.stamp[:8]}"


class BookEntry(models.Model):
    """What an organizer noted about a person. Only the organizer sees it, and the person, on request for their data.

    `same_as` is the person into whom this one was merged. Clearing it undoes the merge exactly, since nothing else
    changes.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="book")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="book_entries")
    name = models.CharField(max_length=80, default="", blank=True, help_text="Seen by the organizer alone.")
    notes = models.TextField(max_length=2000, default="", blank=True)
    same_as = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", help_text="The player it is."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "person"], name="a_person_is_in_a_book_once"),
            models.CheckConstraint(
                condition=Q(same_as=None) | ~Q(same_as=models.F("person")), name="nobody_is_the_same_as_oneself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.person_id}"
