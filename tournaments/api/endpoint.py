"""What every view of the API has in common: `now`, strict bodies, scopes, idempotency keys, its place in the schema."""

from datetime import datetime
from typing import Any

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from tournaments.api import idempotency
from tournaments.api.pagination import Pages
from tournaments.api.parsers import StrictJSONParser
from tournaments.api.schema import Schema
from tournaments.common import clock


class Replayed(Exception):
    """The request was answered before; `answer` is what it got."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


class Endpoint(APIView):
    """A view of the API. `scopes` are those of which a token needs one to write here."""

    scopes: tuple[str, ...] = ()
    account_needed = False
    session_only = False
    not_kept: tuple[str, ...] = ()  # fields of an answer that no replay repeats
    parser_classes = [StrictJSONParser]
    schema = Schema()
    now: datetime
    _claim: idempotency.Claim | None = None

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        """Take the time, once."""
        wrapped: Request = super().initialize_request(request, *args, **kwargs)
        self.now = wrapped.now = clock.now()
        return wrapped

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After authentication, scopes and throttles: claim the idempotency key, if there is one."""
        super().initial(request, *args, **kwargs)
        if request.method not in SAFE_METHODS and idempotency.HEADER in request.headers:
            claimed = idempotency.claim(request, self.now)
            if isinstance(claimed, Response):
                raise Replayed(claimed)
            self._claim = claimed

    def handle_exception(self, exc: Exception) -> Response:
        """A replay is its answer; anything else goes the way of problems."""
        if isinstance(exc, Replayed):
            return exc.answer
        try:
            return super().handle_exception(exc)
        except Exception:
            if self._claim is not None:
                self._claim.free()
            raise

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Keep the answer under its key."""
        if self._claim is not None:
            idempotency.keep(self._claim, response, self.not_kept)
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        return answer

    def read(self, serializer: type[Serializer]) -> dict[str, Any]:
        """The body as `serializer` reads it; 422 `invalid` with every defect."""
        form = serializer(data=self.request.data)
        form.is_valid(raise_exception=True)
        return form.validated_data

    def read_query(self, serializer: type[Serializer]) -> dict[str, Any]:
        """The query string as `serializer` reads it, other parameters left aside."""
        form = serializer(data={name: self.request.query_params[name] for name in self.request.query_params})
        form.is_valid(raise_exception=True)
        return form.validated_data

    def page(self, rows: Any, serializer: type[Serializer], **context: Any) -> Response:
        """One page of a list."""
        pages = Pages()
        found = pages.paginate_queryset(rows, self.request, view=self)
        return pages.get_paginated_response(serializer(found, many=True, context=context).data)
