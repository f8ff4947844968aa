"""Pagination with `limit` and `offset`, both bounded."""

from django.utils.translation import gettext as _
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

from tournaments.common.refusals import Refusal

FARTHEST = 1_000_000  # more rows than any list has; a larger OFFSET could overflow in the database
LONGEST = 100  # digits; int() refuses very long strings with a ValueError


class QueryRefusal(Refusal):
    """The query string cannot be read (HTTP 400)."""

    status = 400


class Pages(LimitOffsetPagination):
    """Pages of 100 rows, or of `limit` rows, up to 500."""

    default_limit = 100
    max_limit = 500

    def get_limit(self, request: Request) -> int:
        """Return the number of rows per page, capped at 500. Raises QueryRefusal `page_invalid`."""
        limit = _whole_number(request, "limit", default=self.default_limit)
        if not limit:
            raise QueryRefusal("page_invalid", _("`limit` must be a whole number from 1 to 500."))
        return min(limit, self.max_limit)

    def get_offset(self, request: Request) -> int:
        """Return the number of rows to skip, capped at `FARTHEST`. Raises QueryRefusal `page_invalid`."""
        offset = _whole_number(request, "offset", default=0)
        if offset is None:
            raise QueryRefusal("page_invalid", _("`offset` must be a whole number, 0 or more."))
        return min(offset, FARTHEST)


def part_asked(request: Request) -> slice:
    """Return the slice selected by `limit` and `offset`: without `limit`, everything from `offset` on.

    Raises QueryRefusal `page_invalid`.
    """
    pages = Pages()
    first = pages.get_offset(request)
    return slice(first, first + pages.get_limit(request) if "limit" in request.query_params else None)


def _whole_number(request: Request, name: str, *, default: int) -> int | None:
    """A number from the query string: `default` if it is absent, None if it cannot be read."""
    given = request.query_params.get(name, str(default))
    # isdigit() alone accepts digits of other scripts.
    readable = given.isascii() and given.isdigit() and len(given) <= LONGEST
    return int(given) if readable else None
