"""Models for computed standings, one table for each change of the rows, for prize categories and prizes handed out."""

from django.conf import settings
from django.db import models

from tournaments.events.models import Entrant, Event, Question, Stage


class StandingsTable(models.Model):
    """The standings of a stage after its closed rounds. Rows never change once stored.

    Every version of the results from `first_version` to `results_version` gives these rows: results of a round in
    progress only raise `results_version`. Versions are revisions of the event's ledger.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="tables")
    round_number = models.PositiveSmallIntegerField(help_text="How many rounds of the stage it counts.")
    first_version = models.PositiveIntegerField(
        default=0, help_text="The first version of the results that gives these rows."
    )
    results_version = models.PositiveIntegerField(help_text="The newest version of the results that is counted.")
    scheme = models.CharField(max_length=200)
    terms = models.JSONField(
        default=list, help_text="The tiebreaks of the rows beside the points, in the order in which they decide."
    )
    rows = models.JSONField(help_text="Rank, entrant's public id, points, record and tiebreaks, best first.")
    digest = models.CharField(
        max_length=64, default="", help_text="Of the rows: a result of a round being played leaves it as it was."
    )
    computed_at = models.DateTimeField(help_text="When the results of its newest version were read.")
    took = models.PositiveIntegerField(default=0, help_text="How long that took to count, in milliseconds.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "round_number", "results_version", "scheme"], name="one_table_per_version"
            )
        ]
        ordering = ["stage", "-results_version", "-pk"]

    def __str__(self) -> str:
        return f"{self.stage_id} v{self.results_version}"


class PrizeTick(models.Model):
    """A prize that was handed out, with its units at that time."""

    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, related_name="prize_tick")
    units = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.units}"


class PrizeCategory(models.Model):
    """A prize for the best of some entrants, beside the prizes by rank; see `standings.categories`.

    `number` names it within the event; `position` is its place in the order in which prizes are given.
    """

    class Rule(models.TextChoices):
        """Whose best wins it."""

        ANSWER = "answer"
        CLUB = "club"
        FACTION = "faction"
        PICKED = "picked"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prize_categories")
    number = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    rule = models.CharField(max_length=10, choices=Rule.choices)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    value = models.CharField(
        max_length=100, default="", blank=True, help_text="The answer, club or faction. Empty: each club or faction."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_prize_category_per_number"),
            models.CheckConstraint(
                condition=models.Q(rule="answer", question__isnull=False)
                | (~models.Q(rule="answer") & models.Q(question=None)),
                name="a_category_by_answer_has_a_question",
            ),
        ]
        ordering = ["position", "number"]

    def __str__(self) -> str:
        return f"{self.event_id}: prize category {self.number}"


class Qualified(models.Model):
    """An entrant who came in from the final ranking of another event, with the rank there."""

    source = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="qualified")
    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, related_name="qualified")
    rank = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.source_id}: {self.entrant_id}"


class PrizePick(models.Model):
    """An entrant whom the organizer picked for a prize category."""

    category = models.ForeignKey(PrizeCategory, on_delete=models.CASCADE, related_name="picks")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["category", "entrant"], name="picked_once_per_category")]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.category_id}: {self.entrant_id}"


class CategoryTick(models.Model):
    """A prize of a category that was handed out to one of its winners."""

    category = models.ForeignKey(PrizeCategory, on_delete=models.CASCADE, related_name="ticks")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["category", "entrant"], name="handed_out_once_per_category")]

    def __str__(self) -> str:
        return f"{self.category_id}: {self.entrant_id}"
