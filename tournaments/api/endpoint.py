"""What every view of the API has in common: `now`, strict bodies, scopes, idempotency keys, its place in the schema."""

from contextlib import ExitStack
from datetime import datetime
from typing import Any

from django.db import connection
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
from tournaments.common.idempotency import AnsweredBefore, KeyedRequest, prune
from tournaments.common.outages import is_lost


class ConnectionLost(Exception):
    """The connection to the database went in the middle of a request with a key."""


class Endpoint(APIView):
    """A view of the API. `scopes` are those of which a token needs one to write here."""

    scopes: tuple[str, ...] = ()
    account_needed = False
    session_only = False
    not_kept: tuple[str, ...] = ()  # fields of an answer that no replay repeats
    parser_classes = [StrictJSONParser]
    schema = Schema()
    now: datetime
    computes = False  # its service computes before it writes, inside `idempotency.writing`
    _keyed: KeyedRequest | None = None
    _tried = False

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Answer the request; what it wrote under a key is taken back where no answer comes.

        Where the connection to the database is lost under a key, it is answered once more.
        """
        try:
            return self._dispatch_once(request, *args, **kwargs)
        except ConnectionLost:
            connection.close()
            self._keyed, self._tried = None, True
            return self._dispatch_once(request, *args, **kwargs)

    def _dispatch_once(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        with ExitStack() as self._stack:
            return super().dispatch(request, *args, **kwargs)

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        """Take the time, once."""
        wrapped: Request = super().initialize_request(request, *args, **kwargs)
        self.now = wrapped.now = clock.now()
        return wrapped

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After authentication, scopes and throttles: take the idempotency key, if there is one."""
        super().initial(request, *args, **kwargs)
        if request.method not in SAFE_METHODS and idempotency.HEADER in request.headers:
            prune(self.now)
            keyed = idempotency.keyed(request, self.now)
            before = keyed.answered()
            if before is not None:
                raise AnsweredBefore(before)
            self._keyed = self._stack.enter_context(keyed)
            if not self.computes:
                keyed.begin()

    def handle_exception(self, exc: Exception) -> Response:
        """What was answered before is answered again; anything else goes the way of problems."""
        if isinstance(exc, AnsweredBefore):
            self._keyed = None
            return idempotency.replay(exc.answered)
        if self._keyed is not None:
            if is_lost(exc) and not self._tried:
                raise ConnectionLost from exc
            self._keyed.undo()
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Keep the answer under its key."""
        if self._keyed is not None:
            response = idempotency.settle(self._keyed, response, self.not_kept)
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
