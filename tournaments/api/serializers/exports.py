"""Exports."""

from rest_framework import serializers


class ExportQuery(serializers.Serializer):
    """In which form a table is wanted."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """`as` is a word of the language, so that it cannot be an attribute of a class."""
        return {"as": serializers.ChoiceField(["json", "csv", "txt"], default="json")}
