"""Decklists and pools: what an entrant registered, version by version."""

from typing import Any

from django.conf import settings
from django.db import models

from tournaments.events.models import Entrant, Stage


class Catalogue(models.Model):
    """One version of an organizer's card catalogue. It never changes: a list read again is another row."""

    game = models.CharField(max_length=30)
    catalog = models.CharField(max_length=64, help_text="The id its document gives it.")
    version = models.PositiveIntegerField(help_text="Which one of this id, from 1.")
    sha256 = models.CharField(max_length=64, unique=True, help_text="Of the canonical document.")
    cards = models.PositiveIntegerField()
    document = models.TextField(help_text="The catalogue as the engine reads it.")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "catalog", "version"], name="one_catalogue_per_version")]
        ordering = ["game", "catalog", "-version"]

    def __str__(self) -> str:
        return f"{self.catalog} v{self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep a new one; one that is kept does not change."""
        if self.pk is not None:
            raise TypeError("a catalogue never changes")
        super().save(*args, **kwargs)


class Decklist(models.Model):
    """One version of an entrant's list for a stage. The newest version counts; the others are history."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="decklists")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="decklists")
    version = models.PositiveIntegerField()
    text = models.TextField(help_text="As it was pasted.")
    cards = models.JSONField(help_text="As the engine read it: commander and main.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the canonical list.")
    legal = models.BooleanField(help_text="No broken rule was found; nor was any of a list that is not checked.")
    checked = models.BooleanField(default=True, help_text="Whether the engine knows rules to judge it by.")
    violations = models.JSONField(default=list, help_text="Every broken rule: rule, args, depends_on.")
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submitted_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entrant", "stage", "version"], name="one_list_per_version")]
        ordering = ["entrant", "-version"]

    def __str__(self) -> str:
        return f"{self.entrant_id} v{self.version}"


class Pool(models.Model):
    """One version of the cards an entrant opened or drafted for a stage. The newest version counts."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="pools")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="pools")
    version = models.PositiveIntegerField()
    text = models.TextField(help_text="As it was pasted.")
    cards = models.JSONField(help_text="Copies by card reference.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the canonical list.")
    registered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    registered_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entrant", "stage", "version"], name="one_pool_per_version")]
        ordering = ["entrant", "-version"]

    def __str__(self) -> str:
        return f"pool {self.entrant_id} v{self.version}"

    @property
    def count(self) -> int:
        """How many cards there are, copies included."""
        return sum(self.cards.values())
