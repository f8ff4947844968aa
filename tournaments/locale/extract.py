"""Finds the messages of Django templates for Babel: Django turns a template into Python, Babel reads that."""

from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize


def from_template(
    file: BinaryIO, keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Any]:
    """Babel's extraction method for templates: yields (line, function, messages, comments)."""
    name = getattr(file, "name", "template")
    as_python = templatize(file.read().decode(), origin=str(name))
    # The indentation is the template's, which means nothing to Python; messages never span lines.
    as_python = "\n".join(line.lstrip() for line in as_python.split("\n"))
    said: Any = {**options, "encoding": "utf-8"}
    yield from extract_python(BytesIO(as_python.encode()), keywords, comment_tags, said)
