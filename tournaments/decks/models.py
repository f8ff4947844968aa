"""Models of decklists and pools, in versions, and of organizers' card catalogues."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.common.ids import new_id
from tournaments.events.models import Entrant, Event, Member, Stage


def upload_id() -> str:
    return new_id("o")


class Catalogue(models.Model):
    """One version of an organizer's card catalogue. It never changes: a changed list is a new version.

    Only its owner may use it, or the members of its `group` (see `accounts.owning`), which all versions share. The
    staff of the events that use it may read it. A catalogue without an owner was imported by the operator (`shared`) or
    came with an imported event.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="catalogues"
    )
    group = models.ForeignKey("auth.Group", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    shared = models.BooleanField(default=False, help_text="Any organizer may choose it: the operator's.")
    game = models.CharField(max_length=30)
    catalog = models.CharField(max_length=64, help_text="The id its document gives it.")
    version = models.PositiveIntegerField(help_text="Which one of this id, from 1.")
    sha256 = models.CharField(max_length=64, db_index=True, help_text="Of the canonical document.")
    cards = models.PositiveIntegerField()
    document = models.TextField(help_text="The catalogue as the engine reads it.")
    report = models.JSONField(default=dict, help_text="Its first cards and the linter's words, when it was kept.")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "sha256"], name="one_catalogue_per_content"),
            models.UniqueConstraint(fields=["owner", "game", "catalog", "version"], name="one_catalogue_per_version"),
            models.UniqueConstraint(fields=["sha256"], condition=Q(owner=None), name="one_ownerless_content"),
            models.UniqueConstraint(
                fields=["game", "catalog", "version"],
                condition=Q(owner=None),
                name="one_ownerless_version",
            ),
        ]
        ordering = ["game", "catalog", "-version"]

    def __str__(self) -> str:
        return f"{self.catalog} v{self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save a new catalogue. Raises TypeError for a saved one: events and logs refer to its content by digest."""
        if self.pk is not None:
            raise TypeError("a catalogue never changes")
        super().save(*args, **kwargs)


class CardImages(models.Model):
    """The images of a catalogue's cards. They are no part of its content, so that its owner can replace them."""

    catalogue = models.OneToOneField(Catalogue, on_delete=models.CASCADE, related_name="images")
    addresses = models.JSONField(help_text="The address of each image by card reference.")
    digest = models.CharField(max_length=64, db_index=True, help_text="SHA-256 of the addresses.")

    def __str__(self) -> str:
        return f"images of {self.catalogue_id}"


class CatalogueUpload(models.Model):
    """An uploaded card list. A job reads it for a preview; then its owner saves it as a catalogue or discards it."""

    class Status(models.TextChoices):
        SENT = "sent"
        FAULTY = "faulty"
        READABLE = "readable"
        KEPT = "kept"

    public_id = models.CharField(max_length=20, unique=True, default=upload_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="catalogue_uploads")
    game = models.CharField(max_length=30)
    name = models.CharField(max_length=64, help_text="The id of the catalogue, where the list does not say one.")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.SENT)
    document = models.BinaryField(help_text="As it was sent; once it is read, the catalogue; then nothing.")
    report = models.JSONField(default=dict, help_text="What was read: the faults, or the cards and the linter's words.")
    kept = models.ForeignKey(Catalogue, on_delete=models.CASCADE, null=True, related_name="+")
    sent_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.public_id


class Decklist(models.Model):
    """One version of an entrant's decklist for a stage. The newest version counts; the others are history.

    In a team each member has a list. The versions of all its lists are numbered together, so that a number names one.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="decklists")
    member = models.ForeignKey(
        Member, on_delete=models.CASCADE, null=True, related_name="decklists", help_text="Whose it is, in a team."
    )
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

    @property
    def number(self) -> int:
        """Which list of its owner's it is, from 1, as people count them. A query for the list of a member of a team."""
        if self.member_id is None:
            return self.version
        own = Decklist.objects.filter(entrant=self.entrant_id, member=self.member_id)
        return own.filter(version__lte=self.version).count()

    @property
    def name(self) -> str:
        """The public name of the player whose list it is, with the team if there is one."""
        return self._of_team(self._member.name) if self._member else self.entrant.name

    @property
    def full_name(self) -> str:
        """The full name of the player whose list it is, for staff, with the team if there is one."""
        return self._of_team(self._member.full_name) if self._member else self.entrant.full_name

    @property
    def _member(self) -> Member | None:
        if self.member is not None:
            self.member.entrant = self.entrant  # its name depends on the entrant, which is loaded already
        return self.member

    def _of_team(self, name: str) -> str:
        return f"{name} ({self.entrant.name})"


class ListBatch(models.Model):
    """The decklists that came in with entrants, until a job has submitted them; deleted after a day."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=20, default="", blank=True, help_text="What they came from: an import's id.")
    lists = models.JSONField(help_text="Entrant, line of the file and text; no text once it is submitted.")
    report = models.JSONField(default=list, help_text="What became of each: verdict, or code and faults.")
    done = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"lists of {self.source or self.event_id}"


class Pool(models.Model):
    """One version of the cards that an entrant opened or drafted for a stage. The newest version counts."""

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
        """The number of cards, counting copies."""
        return sum(self.cards.values())


class Reopening(models.Model):
    """A decklist that is open after the lock, until a version is submitted or a judge closes it.

    In a team it opens the list of one member, or those of all members if `member` is empty. A `late` reopening (of a
    late entrant or a draft) accepts any number of versions, and the pool, until the entrant's first pairing is
    published.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="list_reopenings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    late = models.BooleanField(default=False, help_text="Of a late entrant: its pool and list may still come in.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entrant"], condition=Q(closed_at=None, member=None), name="a_list_is_reopened_once"
            ),
            models.UniqueConstraint(
                fields=["member"], condition=Q(closed_at=None), name="the_list_of_a_member_is_reopened_once"
            ),
        ]
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"list of {self.entrant_id}"
