"""A form field for choosing one of an event's players."""

from collections.abc import Collection
from html import escape
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe


class NameSelect(forms.Select):
    """A fast `<select>` for all the names of an event: Django's own renders a template for each option."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        selected = set(self.format_value(value))
        options = mark_safe("\n".join(_option(str(key), str(words), selected) for key, words in self.choices))  # noqa: S308
        attributes = self.build_attrs(self.attrs, {"name": name, **(attrs or {})})
        return format_html("<select{}>\n{}\n</select>", flatatt(attributes), options)


def _option(key: str, words: str, selected: Collection[str]) -> str:
    # `format_html` would take three times as long, and a page may have thousands of names.
    return f'<option value="{escape(key)}"{" selected" if key in selected else ""}>{escape(words)}</option>'


class PlayerField(forms.ChoiceField):
    """A choice among players; the form sets `choices`."""

    widget = NameSelect
