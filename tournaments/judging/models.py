"""Models for the work of judges: calls, the turn after time, penalties and deck checks."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.common.ids import new_id
from tournaments.decks.models import Decklist
from tournaments.events.models import Entrant, Member
from tournaments.play.models import Loss, Match, Seat


def call_id() -> str:
    return new_id("c")


class Call(models.Model):
    """A player's call for a judge. A match has at most one live call, whichever player made it."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"
        RESOLVED = "resolved"
        WITHDRAWN = "withdrawn"

    class Matter(models.TextChoices):
        """What the call is about, so that the judge can prepare. For something private, only that is stored."""

        UNSAID = ""
        RULES = "rules"
        MISTAKE = "mistake"
        SLOW = "slow"
        PRIVATE = "private"

    LIVE = (Status.WAITING, Status.CLAIMED)  # not over yet

    public_id = models.CharField(max_length=20, unique=True, default=call_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="calls")
    # Repairing a round seats players anew and deletes their old seats; a call at the table stays.
    seat = models.ForeignKey(Seat, on_delete=models.SET_NULL, null=True, related_name="+", help_text="Who called.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    matter = models.CharField(max_length=10, choices=Matter.choices, default=Matter.UNSAID, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    called_at = models.DateTimeField()
    claimed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    claimed_at = models.DateTimeField(null=True, help_text="Since when a judge is on the way.")
    arrived_at = models.DateTimeField(null=True, help_text="Since when that judge is at the table.")
    escalated_at = models.DateTimeField(null=True, help_text="Since when it is the head judge's.")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(status__in=["waiting", "claimed"]), name="one_live_call_per_match"
            ),
            models.CheckConstraint(
                condition=~Q(status="claimed") | Q(claimed_by__isnull=False), name="a_claimed_call_has_its_judge"
            ),
        ]
        ordering = ["called_at", "pk"]

    def __str__(self) -> str:
        return f"{self.public_id} {self.status}"


class EndTurn(models.Model):
    """The turn that a table is in after time was called, as noted by a judge or the desk."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="end_turn")
    turn = models.PositiveSmallIntegerField()
    noted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    noted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.match_id}: turn {self.turn}"


def penalty_id() -> str:
    return new_id("h")


class Penalty(models.Model):
    """A penalty given by a judge.

    A game loss or match loss also creates a `play.Loss`. A warning costs nothing, and a disqualification is stored on
    the entrant. What happened is a ledger note, which can be erased.
    """

    class Level(models.TextChoices):
        WARNING = "warning"
        GAME_LOSS = "game_loss"
        MATCH_LOSS = "match_loss"
        DISQUALIFICATION = "disqualification"

    class When(models.TextChoices):
        NOW = "now"
        NEXT_GAME = "next_game"
        NEXT_ROUND = "next_round"

    public_id = models.CharField(max_length=20, unique=True, default=penalty_id, editable=False)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="penalties")
    # A penalty belongs to the player: it outlives a match that is discarded with its round.
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, related_name="penalties")
    infraction = models.CharField(max_length=20, help_text="As `judging.infractions` names it.")
    level = models.CharField(max_length=20, choices=Level.choices)
    # Stored beside the level that was given, so that a deviation from the ladder can be seen.
    proposed = models.CharField(max_length=20, choices=Level.choices, help_text="What the ladder proposed.")
    when = models.CharField(max_length=10, choices=When.choices, default=When.NOW)
    loss = models.OneToOneField(Loss, on_delete=models.SET_NULL, null=True, related_name="penalty")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    entry = models.PositiveIntegerField(help_text="Its entry in the ledger, of which the note says what happened.")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.public_id} {self.level}"

    @property
    def served(self) -> str:
        """Where the penalty stands: "record" (it costs nothing), "waits" (for a round), "served" or "withdrawn"."""
        if self.withdrawn_at is not None:
            return "withdrawn"
        if self.level == self.Level.DISQUALIFICATION:
            return "served"
        if self.loss is None:
            return "record"
        return "waits" if self.loss.seat_id is None else "served"


def check_id() -> str:
    return new_id("q")


class DeckCheck(models.Model):
    """The deck of a player counted against the registered list, at a table that was chosen or drawn from a seed."""

    public_id = models.CharField(max_length=20, unique=True, default=check_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deck_checks")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="deck_checks")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, related_name="+", help_text="In a team.")
    # The version that was current when the check was opened; empty for a player without a list.
    decklist = models.ForeignKey(Decklist, on_delete=models.CASCADE, null=True, related_name="+")
    seed = models.BigIntegerField(null=True, help_text="From which the table was drawn; empty for a chosen one.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    counted = models.JSONField(default=dict, help_text="Copies by card of the list.")
    others = models.CharField(max_length=500, default="", blank=True, help_text="Cards that are not on the list.")
    minutes = models.PositiveSmallIntegerField(default=0, help_text="Time given to the table in the same action.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "entrant"], condition=Q(member=None), name="a_deck_is_checked_once_a_round"
            ),
            models.UniqueConstraint(fields=["match", "member"], name="the_deck_of_a_member_is_checked_once_a_round"),
        ]
        ordering = ["opened_at", "pk"]

    def __str__(self) -> str:
        return self.public_id

    @property
    def full_name(self) -> str:
        """The full name of the player whose deck it is, with the team if there is one."""
        if self.member is None:
            return self.entrant.full_name
        self.member.entrant = self.entrant  # its name depends on the entrant, which is loaded already
        return f"{self.member.full_name} ({self.entrant.full_name})"
