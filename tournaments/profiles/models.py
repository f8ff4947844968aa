"""Public profiles of persons, and what accounts follow."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.accounts.models import Person
from tournaments.events.models import Event

MAX_TEXT = 300


class Profile(models.Model):
    """The public profile of a person. There is a row only while the profile is switched on."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="profile")
    short_name = models.CharField(
        max_length=30, unique=True, null=True, blank=True, help_text="For a short address; a person need not have one."
    )
    text = models.CharField(max_length=MAX_TEXT, default="", blank=True, help_text="What the person says; no markup.")
    searchable = models.BooleanField(default=False, help_text="Search engines may list it.")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.address

    @property
    def address(self) -> str:
        """How addresses name the profile: `@` and the short name, or the public id of the person."""
        return address_of(self.person.public_id, self.short_name)


def address_of(person_id: str, short_name: str | None) -> str:
    """How addresses name the profile of a person: `@` and the short name, or the person's public id."""
    return f"@{short_name}" if short_name else person_id


class Follow(models.Model):
    """An account follows an event or a player. Nobody but the account sees it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="follows")
    # Of the profile and not of the person: when it is switched off, nobody follows that person any more.
    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, null=True, blank=True, related_name="follows")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "event"], name="an_event_is_followed_once"),
            models.UniqueConstraint(fields=["user", "profile"], name="a_player_is_followed_once"),
            models.CheckConstraint(
                condition=Q(event__isnull=False, profile=None) | Q(event=None, profile__isnull=False),
                name="a_follow_is_of_one_thing",
            ),
        ]
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.event_id or self.profile_id}"
