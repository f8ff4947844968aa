"""Models of clubs: their staff, venues, events and conventions."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournaments.common.ids import new_id
from tournaments.events.models import Event, StaffRole


def club_id() -> str:
    return new_id("cl")


def convention_id() -> str:
    return new_id("cv")


class Club(models.Model):
    """A club, shop or association that holds events. `public_id` identifies it in URLs and names its ledger chain."""

    public_id = models.CharField(max_length=20, unique=True, default=club_id, editable=False)
    name = models.CharField(max_length=120)
    place = models.CharField(max_length=120, default="", blank=True, help_text="The town it is in.")
    about = models.TextField(default="", blank=True, help_text="Markdown, for everybody to read.")
    contact = models.CharField(max_length=200, default="", blank=True, help_text="How to reach it.")
    link = models.URLField(max_length=300, default="", blank=True, help_text="Its own site.")
    penalty_months = models.PositiveSmallIntegerField(
        default=0, help_text="How long head judges of its events see penalties given at its other events; 0: never."
    )
    group = models.OneToOneField(
        "auth.Group", on_delete=models.PROTECT, help_text="Its owners and organizers: they own what it was given."
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="club_has_a_name")]
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.public_id


class ClubRole(models.Model):
    """A role that an account has in a club, and thereby at the club's events; see `clubs.flow`."""

    class Role(models.TextChoices):
        """The roles of `events.models.StaffRole`, without the scribe's: that one belongs to a table."""

        OWNER = "owner"
        ORGANIZER = "organizer"
        SCOREKEEPER = "scorekeeper"
        HEAD_JUDGE = "head_judge"
        JUDGE = "judge"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_roles")
    role = models.CharField(max_length=12, choices=Role.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user", "role"], name="one_club_role")]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


class Grant(models.Model):
    """A role at an event that was given because of a role in its club, and goes when that one goes."""

    club_role = models.ForeignKey(ClubRole, on_delete=models.CASCADE, related_name="grants")
    staff_role = models.OneToOneField(StaffRole, on_delete=models.CASCADE, related_name="club_grant")

    def __str__(self) -> str:
        return f"{self.club_role_id}: {self.staff_role_id}"


class Venue(models.Model):
    """A place where a club plays, with the tables of its hall as `events.hall_tables` writes them."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="venues")
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=60, default="", blank=True, help_text="Empty: that of the site.")
    hall = models.CharField(max_length=200, default="", blank=True, help_text="Its tables, such as 1-40.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="one_venue_per_name")]
        ordering = ["name"]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.pk}"


class Convention(models.Model):
    """Several events of a club under one roof, which share the tables of a hall."""

    public_id = models.CharField(max_length=20, unique=True, default=convention_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="conventions")
    name = models.CharField(max_length=120)
    about = models.TextField(default="", blank=True, help_text="Markdown, for everybody to read.")
    place = models.CharField(max_length=120, default="", blank=True, help_text="Where it is held.")
    hall = models.CharField(max_length=200, default="", blank=True, help_text="The tables that its events share.")
    first_day = models.DateField()
    last_day = models.DateField()
    is_public = models.BooleanField(default=False, help_text="Otherwise only the club's staff can see it.")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="convention_has_a_name"),
            models.CheckConstraint(condition=Q(first_day__lte=F("last_day")), name="convention_ends_after_it_begins"),
        ]
        ordering = ["-first_day", "-pk"]

    def __str__(self) -> str:
        return self.public_id


class ClubEvent(models.Model):
    """An event that a club holds, perhaps as part of a convention."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="entries")
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="club_entry")
    convention = models.ForeignKey(Convention, on_delete=models.SET_NULL, null=True, related_name="entries")
    added_at = models.DateTimeField()

    class Meta:
        ordering = ["added_at", "pk"]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.event_id}"
