"""The manner of all input: nothing unknown is let through."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

MOST_TOLD = 20  # keys that there are not, of one object


class Input(serializers.Serializer):
    """A body of which every key is known: a misspelt option is refused rather than ignored."""

    def to_internal_value(self, data: Any) -> Any:
        """The validated values; each unknown key is a defect of its own, beside those of the known ones."""
        unknown = sorted(set(data) - set(self.fields))[:MOST_TOLD] if isinstance(data, dict) else []
        faults = {name[:80]: [serializers.ErrorDetail(_("There is no such field."), "unknown")] for name in unknown}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**error.detail, **faults})
        if faults:
            raise serializers.ValidationError(faults)
        return values


class BoundedList(serializers.ListField):
    """A list of which the length is looked at before its items: one of a million of them is refused at once."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """The validated items."""
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        found: list[Any] = super().to_internal_value(data)
        return found


class NothingInput(Input):
    """A gesture that needs no word: an empty body, or `{}`."""


class NamedSerializer(serializers.Serializer):
    """Somebody, by public id and public name."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
