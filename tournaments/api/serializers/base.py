"""Base classes of request bodies, which refuse unknown fields, and serializers that several modules use."""

from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from tournaments.common.moments import OUT_OF_RANGE, is_accepted
from tournaments.common.required import ENTER

CONSENTS = ("of_age", "guardian")  # as `events.consent` takes them from whoever registers
MAX_UNKNOWN_KEYS = 20  # unknown keys reported per object; a body of 512 KiB can hold many thousands


class Input(serializers.Serializer):
    """A request body in which every key must be known: a misspelled option is refused instead of ignored.

    A field that is missing, null or empty says what to enter, as on the pages.
    """

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields by name."""
        fields: dict[str, serializers.Field] = super().get_fields()
        for name in fields.keys() & ENTER.keys():
            fields[name].error_messages |= dict.fromkeys(("required", "null", "blank"), ENTER[name])
        return fields

    def to_internal_value(self, data: Any) -> Any:
        """Return the validated values.

        Each unknown key is reported as a fault of its own, with the faults of the known fields. At most
        `MAX_UNKNOWN_KEYS` are reported.
        """
        unknown = sorted(set(data) - set(self.fields))[:MAX_UNKNOWN_KEYS] if isinstance(data, dict) else []
        faults = {name[:80]: [serializers.ErrorDetail(_("There is no such field."), "unknown")] for name in unknown}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**error.detail, **faults})  # type: ignore[dict-item]  # here always a dict
        if faults:
            raise serializers.ValidationError(faults)
        return values


class BoundedList(serializers.ListField):
    """A list whose length is checked before its items, so that a list of a million items is refused at once."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """Return the validated items."""
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        found: list[Any] = super().to_internal_value(data)
        return found


class MomentField(serializers.DateTimeField):
    """A moment that a request gives, in an accepted year (`date_out_of_range`) and with its offset (`offset_missing`).

    Without one it would be read in UTC, hours off wherever the event is.
    """

    default_error_messages = {
        "offset_missing": gettext_lazy("Add the offset from UTC, such as 2026-11-28T14:00:00+01:00, or Z for UTC."),
        "date_out_of_range": OUT_OF_RANGE,
        "overflow": OUT_OF_RANGE,
    }

    def enforce_timezone(self, value: datetime) -> datetime:
        """Return the moment in UTC."""
        if value.tzinfo is None:
            self.fail("offset_missing")
        found: datetime = super().enforce_timezone(value)
        if not is_accepted(found):
            self.fail("date_out_of_range")
        return found


class DayField(serializers.DateField):
    """A day that a request gives, in the accepted years (`date_out_of_range`)."""

    default_error_messages = {"date_out_of_range": OUT_OF_RANGE}

    def to_internal_value(self, value: Any) -> date:
        """Return the day."""
        found: date = super().to_internal_value(value)
        if not is_accepted(found):
            self.fail("date_out_of_range")
        return found


class AnswersField(serializers.DictField):
    """Answers to the questions of an event, by the number of the question; a sentence that is ticked is `yes`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.CharField(max_length=500, allow_blank=True), **options)

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Return the validated answers. More than 100 are refused before any is read."""
        if isinstance(data, dict) and len(data) > 100:
            raise serializers.ValidationError([_("Too many answers.")])
        found: dict[str, str] = super().to_internal_value(data)
        return found


class ConsentField(serializers.ChoiceField):
    """How a consent is given at registration, at an event that asks for it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(CONSENTS, **options)


class NothingInput(Input):
    """No input: an empty body, or `{}`."""


class NamedSerializer(serializers.Serializer):
    """An entrant or a person, by public id and public name."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
