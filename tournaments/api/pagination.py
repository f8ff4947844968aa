"""Lists in pages: `limit` and `offset`, both bounded."""

from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

FARTHEST = 1_000_000


class Pages(LimitOffsetPagination):
    """100 rows a page unless `limit` asks for another number, up to 500."""

    default_limit = 100
    max_limit = 500

    def get_offset(self, request: Request) -> int:
        """The offset asked for, no farther than any list goes."""
        return min(super().get_offset(request), FARTHEST)
