"""The field in which one of an event's players is chosen."""

from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe


class NameSelect(forms.Select):
    """A select of as many names as an event has, written at once: Django's renders a template for each option."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        selected = {choice: mark_safe(" selected") for choice in self.format_value(value)}
        rows = ((key, selected.get(str(key), ""), words) for key, words in self.choices)
        options = format_html_join("\n", '<option value="{}"{}>{}</option>', rows)
        attributes = self.build_attrs(self.attrs, {"name": name, **(attrs or {})})
        return format_html("<select{}>\n{}\n</select>", flatatt(attributes), options)


class PlayerField(forms.ChoiceField):
    """One of the players that the form is given, or nobody yet."""

    widget = NameSelect
