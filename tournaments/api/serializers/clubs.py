"""Clubs, their staff, venues, series of events and conventions."""

from typing import Any

from rest_framework import serializers

from tournaments.api.serializers.base import DayField, Input, MomentField, NamedSerializer
from tournaments.clubs.models import ClubRole
from tournaments.clubs.series import EVERY, MOST
from tournaments.clubs.services import LONGEST_ABOUT, MOST_MONTHS
from tournaments.events.models import Event


class ClubSerializer(serializers.Serializer):
    """A club in a list."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    events = serializers.IntegerField(source="size", help_text="How many public events it holds or held.")


class VenueSerializer(serializers.Serializer):
    """A venue of a club."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    time_zone = serializers.CharField(allow_blank=True)
    hall = serializers.CharField(allow_blank=True, help_text="Its tables, as ranges.")


class ClubEventSerializer(serializers.Serializer):
    """An event of a club."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Event.Status.choices)
    starts_at = serializers.DateTimeField(allow_null=True)


class ClubDetailSerializer(serializers.Serializer):
    """A club with its venues, conventions and your own roles."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    about = serializers.CharField(allow_blank=True, help_text="Markdown.")
    contact = serializers.CharField(allow_blank=True)
    link = serializers.CharField(allow_blank=True)
    penalty_months = serializers.IntegerField(
        help_text="How long head judges of its events see penalties given at its other events; 0: never."
    )
    venues = VenueSerializer(many=True)
    conventions = NamedSerializer(many=True)
    calendar = serializers.CharField(help_text="The address of its calendar file.")
    roles = serializers.ListField(child=serializers.ChoiceField(ClubRole.Role.choices), help_text="Your own.")


class ClubInput(Input):
    """What to change in a club. Whatever is left out stays."""

    name = serializers.CharField(max_length=120, required=False)
    place = serializers.CharField(max_length=120, required=False, allow_blank=True)
    about = serializers.CharField(max_length=LONGEST_ABOUT, required=False, allow_blank=True)
    contact = serializers.CharField(max_length=200, required=False, allow_blank=True)
    link = serializers.URLField(max_length=300, required=False, allow_blank=True)
    penalty_months = serializers.IntegerField(min_value=0, max_value=MOST_MONTHS, required=False)


class NewClubInput(ClubInput):
    """A new club."""

    name = serializers.CharField(max_length=120)


class ClubRoleSerializer(serializers.Serializer):
    """Who has which role in a club."""

    id = serializers.IntegerField(source="held.pk")
    account = serializers.CharField(source="held.user.public_id")
    name = serializers.CharField()
    role = serializers.ChoiceField(ClubRole.Role.choices, source="held.role")


class ClubRoleInput(Input):
    """A role for the account with this e-mail address."""

    email = serializers.EmailField()
    role = serializers.ChoiceField(ClubRole.Role.choices)


class ClubHandOverInput(Input):
    """The account that becomes the owner of the club in your place."""

    email = serializers.EmailField()
    stay = serializers.BooleanField(default=True, help_text="Whether you stay as an organizer.")


class ClubEventInput(Input):
    """An event, by id."""

    event = serializers.CharField(max_length=20)


class VenueInput(Input):
    """A venue. One with the same name is replaced."""

    name = serializers.CharField(max_length=120)
    time_zone = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    hall = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class OwningClubInput(Input):
    """The club that something is given to; null gives it back."""

    club = serializers.CharField(max_length=20, allow_null=True)


class SeriesInput(Input):
    """Draft events, one for each date, with the settings of an event of the club."""

    template = serializers.CharField(max_length=20, help_text="The event to copy, by id.")
    first = MomentField(help_text="The start of the first one.")
    every = serializers.ChoiceField(EVERY)
    count = serializers.IntegerField(min_value=1, max_value=MOST)


class ConventionInput(Input):
    """What to change in a convention. Whatever is left out stays."""

    name = serializers.CharField(max_length=120, required=False)
    about = serializers.CharField(max_length=LONGEST_ABOUT, required=False, allow_blank=True)
    place = serializers.CharField(max_length=120, required=False, allow_blank=True)
    hall = serializers.CharField(max_length=200, required=False, allow_blank=True, help_text="Such as `1-120`.")
    first_day = DayField(required=False)
    last_day = DayField(required=False)
    is_public = serializers.BooleanField(required=False)


class NewConventionInput(ConventionInput):
    """A new convention, which only the club's staff see unless `is_public` is set."""

    name = serializers.CharField(max_length=120)
    first_day = DayField()
    last_day = DayField()


class ClashSerializer(serializers.Serializer):
    """Another event that uses some of the same tables at the same time."""

    event = serializers.CharField()
    tables = serializers.CharField()


class ShareSerializer(serializers.Serializer):
    """An event of a convention with its tables."""

    event = ClubEventSerializer()
    starts_at = serializers.SerializerMethodField(help_text="Null without a start time.")
    ends_at = serializers.SerializerMethodField(help_text="An estimate: its rounds with a break after each.")
    tables = serializers.CharField(source="ranges", help_text="As ranges.")
    listed = serializers.BooleanField(help_text="Whether the tables were chosen; otherwise they are counted from 1.")
    wanted = serializers.IntegerField(help_text="How many it needs for its capacity.")
    clashes = serializers.SerializerMethodField()

    def get_starts_at(self, share: Any) -> str | None:
        """The start."""
        return share.hours[0].isoformat() if share.hours else None

    def get_ends_at(self, share: Any) -> str | None:
        """The estimated end."""
        return share.hours[1].isoformat() if share.hours else None

    def get_clashes(self, share: Any) -> list[dict[str, str]]:
        """The clashes."""
        return [{"event": event.public_id, "tables": tables} for event, tables in share.clashes]


class ConventionSerializer(serializers.Serializer):
    """A convention, with the events that you may see."""

    id = serializers.CharField(source="public_id")
    club = serializers.CharField(source="club.public_id")
    name = serializers.CharField()
    about = serializers.CharField(allow_blank=True, help_text="Markdown.")
    place = serializers.CharField(allow_blank=True)
    hall = serializers.CharField(allow_blank=True)
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    is_public = serializers.BooleanField()
    events = ShareSerializer(many=True)
