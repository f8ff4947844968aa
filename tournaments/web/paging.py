"""Split long lists into pages, because a phone in a full hall should not have to load a thousand rows."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

ROWS = 100


def page_of(request: HttpRequest, rows: "Sequence[Any] | QuerySet[Any]", size: int = ROWS) -> Page[Any]:
    """The page of `rows` that the address asks for (`?page=3`): the first or last one if that page does not exist."""
    return Paginator(rows, size).get_page(request.GET.get("page"))
