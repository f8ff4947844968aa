"""Lists in pages: `limit` and `offset`, both bounded."""

from django.utils.translation import gettext as _
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

from tournaments.common.refusals import Refusal

FARTHEST = 1_000_000
LONGEST = 100  # digits that are read


class QueryRefusal(Refusal):
    """The query string cannot be read (HTTP 400)."""

    status = 400


class Pages(LimitOffsetPagination):
    """100 rows a page unless `limit` asks for another number, up to 500."""

    default_limit = 100
    max_limit = 500

    def get_limit(self, request: Request) -> int:
        """The rows of a page, 500 when more are asked for. Raises QueryRefusal `page_invalid`."""
        limit = _whole_number(request, "limit", default=self.default_limit)
        if not limit:
            raise QueryRefusal("page_invalid", _("`limit` must be a whole number from 1 to 500."))
        return min(limit, self.max_limit)

    def get_offset(self, request: Request) -> int:
        """The rows to leave out, no farther than any list goes. Raises QueryRefusal `page_invalid`."""
        offset = _whole_number(request, "offset", default=0)
        if offset is None:
            raise QueryRefusal("page_invalid", _("`offset` must be a whole number, 0 or more."))
        return min(offset, FARTHEST)


def _whole_number(request: Request, name: str, *, default: int) -> int | None:
    """A number of the query string: `default` when it is not given, None when it cannot be read."""
    given = request.query_params.get(name, str(default))
    readable = given.isascii() and given.isdigit() and len(given) <= LONGEST
    return int(given) if readable else None
