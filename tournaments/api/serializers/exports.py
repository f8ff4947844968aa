"""Exports."""

from rest_framework import serializers


class ExportQuery(serializers.Serializer):
    """The form in which to return a table."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Declare the field `as` here: it is a Python keyword, so it cannot be a class attribute."""
        return {"as": serializers.ChoiceField(["json", "csv", "txt"], default="json")}
