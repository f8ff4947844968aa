"""Exports."""

from rest_framework import serializers


class ExportQuery(serializers.Serializer):
    """The form in which to return a table."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Declare the field `as` here: it is a Python keyword, so it cannot be a class attribute."""
        return {"as": serializers.ChoiceField(["json", "csv", "txt"], default="json")}


class EventExportQuery(ExportQuery):
    """The form in which to return a table of an event, and of which stage the `standings` are."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add the stage."""
        words = "Of `standings`: by default the newest with results."
        stage = serializers.IntegerField(min_value=1, max_value=99, required=False, help_text=words)
        return {**super().get_fields(), "stage": stage}
