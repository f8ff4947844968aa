"""The base class of the API's resources, and the decorator that declares their operations.

    class Rounds(Resource):
        scopes = (ORGANIZE,)

        @operation("POST", f"{ROUND}publish/", name="publish", takes=NothingInput, answers=RoundDetailSerializer)
        def rounds_publish(self, request: Request, event_id: str, number: int) -> Response:
            ...

The name of the method is the `operationId` of the schema, and its docstring the description. An operation finds its
object by an access function, calls one service with `**self.arguments()`, and returns `self.answer(…)`.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db import connection
from django.middleware.http import ConditionalGetMiddleware
from django.urls import URLPattern, path
from django.utils.decorators import decorator_from_middleware
from drf_spectacular.utils import extend_schema
from rest_framework.metadata import SimpleMetadata
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.viewsets import GenericViewSet

from tournaments.api import idempotency
from tournaments.api.pagination import Pages
from tournaments.api.parsers import StrictJSONParser
from tournaments.api.schema import PAGING, UNCHANGED, Schema, page_of
from tournaments.common import clock
from tournaments.common.idempotency import AnsweredBefore, KeyedRequest
from tournaments.common.outages import is_lost

Handler = TypeVar("Handler", bound=Callable[..., Any])
Shape = type[BaseSerializer]


class ConnectionLost(Exception):
    """The connection to the database was lost during a request with an idempotency key."""


class PlainMetadata(SimpleMetadata):
    """Answers OPTIONS without the fields of the serializers: the schema describes them."""

    def determine_actions(self, request: Request, view: Any) -> dict[str, Any]:
        """Return nothing."""
        return {}


@dataclass(frozen=True)
class Operation:
    """What one method does at one address, as declared with `operation`."""

    method: str  # in lower case
    path: str
    name: str  # the name of the address for `reverse`; empty if another operation at the same address gives it
    takes: type[Serializer] | None  # reads the body
    query: type[Serializer] | None  # reads the query string
    answers: Any  # a serializer, or a type of OpenAPI for a response that needs none
    many: bool  # whether the response is a complete list
    paged: bool  # whether it is one page of a list
    status: int
    options: Mapping[str, Any]  # attributes of `Resource` that this operation sets otherwise than its resource


def operation(
    method: str,
    address: str,
    *,
    name: str = "",
    takes: type[Serializer] | None = None,
    query: type[Serializer] | None = None,
    answers: Any = None,
    lists: Shape | None = None,
    pages: Shape | None = None,
    status: int = 0,
    **declared: Any,
) -> Callable[[Handler], Handler]:
    """Declare what a method of a resource does, and describe it in the schema.

    The response is one object (`answers`), a complete list (`lists`), one page of a list (`pages`), or empty. `status`
    is 200, or 204 for an empty response, unless given. `request`, `responses` and `parameters` are passed to
    `extend_schema` for what serializers cannot describe. All other keywords are attributes of `Resource`, and apply to
    this operation only. Raises TypeError if `Resource` has no such attribute.
    """
    described = {key: declared.pop(key) for key in ("request", "responses", "parameters") if key in declared}
    unknown = sorted(key for key in declared if not hasattr(Resource, key))
    if unknown:
        raise TypeError(f"{method} {address}: there is no option {unknown[0]}")
    shape = answers or lists or pages
    status = status or (200 if shape or "responses" in described else 204)

    def declare(handler: Handler) -> Handler:
        shown = _page_of(pages) if pages else lists(many=True) if lists else answers
        parameters = [*([query] if query else []), *(PAGING if pages else []), *described.get("parameters", [])]
        responses = described.get("responses", {status: shown}) | (UNCHANGED if declared.get("conditional") else {})
        handler.operation = Operation(  # type: ignore[attr-defined]
            method.lower(), address, name, takes, query, shape, bool(lists), bool(pages), status, declared
        )
        return extend_schema(
            operation_id=handler.__name__,
            parameters=parameters,
            request=described.get("request", takes),
            responses=responses,
        )(handler)

    return declare


def _page_of(row: Shape) -> BaseSerializer:
    return page_of(row.__name__.removesuffix("Serializer"), row)


class Resource(GenericViewSet):
    """Operations on one kind of thing. Subclasses, or single operations, set these attributes:

    - `scopes`: for a write, a token needs one of these. Reading always needs the scope `read`.
    - `account_needed`: whether visitors get a 401 for reads too. They can never write.
    - `session_only`: whether tokens are refused, so that only a signed-in browser gets through.
    - `not_kept`: fields of the response, such as secrets, that are not stored and are null in a replay.
    - `computes`: whether the service computes at length before it writes, and opens the transaction itself with
      `common.idempotency.writing`.
    - `throttle`: a rate limit besides the general ones.
    - `conditional`: whether a GET is answered with an `ETag` of the content, and with 304 if the client already has
      that content.

    `now` is the time of the request.
    """

    scopes: tuple[str, ...] = ()
    account_needed = False
    session_only = False
    not_kept: tuple[str, ...] = ()
    computes = False
    throttle: type[BaseThrottle] | None = None
    conditional = False
    parser_classes = [StrictJSONParser]
    pagination_class = Pages
    metadata_class = PlainMetadata
    schema = Schema()
    now: datetime
    operation: Operation
    _keyed: KeyedRequest | None = None
    _tried = False  # whether this is the second attempt

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Answer the request. Without a response, whatever was written under an idempotency key is rolled back.

        If the connection to the database is lost during a request with a key, the request is handled once more.
        """
        try:
            return self._dispatch_once(request, *args, **kwargs)
        except ConnectionLost:
            # Safe to repeat: the writes, the key and the response are one transaction. If it was committed after
            # all, the second attempt finds the key and replays the response.
            connection.close()
            self._keyed, self._tried = None, True
            return self._dispatch_once(request, *args, **kwargs)

    def _dispatch_once(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        with ExitStack() as self._stack:
            return super().dispatch(request, *args, **kwargs)

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        """Wrap the request and read the clock, once, so that everything the request does happens at the same time."""
        self.use(self.action_map.get(request.method.lower()))
        wrapped: Request = super().initialize_request(request, *args, **kwargs)
        self.now = clock.now()
        wrapped.now = self.now  # type: ignore[attr-defined]  # for `TokenAuthentication`
        return wrapped

    @property
    def user(self) -> Any:
        """The account that makes the request, or `AnonymousUser`."""
        return self.request.user

    def use(self, action: str | None) -> None:
        """Take the options of one of the operations; None leaves those of the resource."""
        declared = getattr(getattr(self, action or "", None), "operation", None)
        if declared is not None:
            self.operation = declared
            for name, value in self.operation.options.items():
                setattr(self, name, value)

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the general rate limits, and that of the operation."""
        return [*super().get_throttles(), *([self.throttle()] if self.throttle else [])]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check authentication, scopes and throttles, then take the idempotency key if there is one."""
        super().initial(request, *args, **kwargs)
        if request.method not in SAFE_METHODS and idempotency.HEADER in request.headers:
            keyed = idempotency.keyed(request, self.now)
            before = keyed.answered()
            if before is not None:
                raise AnsweredBefore(before)
            self._keyed = self._stack.enter_context(keyed)
            # Other views begin in their service: on SQLite nobody else can write while a transaction is open.
            if not self.computes:
                keyed.begin()

    def handle_exception(self, exc: Exception) -> Response:
        """Replay the stored response to a repeated key; otherwise undo the writes and return a problem document."""
        if isinstance(exc, AnsweredBefore):
            self._keyed = None
            return idempotency.replay(exc.answered)
        if self._keyed is not None:
            if is_lost(exc) and not self._tried:
                raise ConnectionLost from exc
            self._keyed.undo()
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Store the response under the idempotency key, if there is one."""
        if self._keyed is not None:
            response = idempotency.settle(self._keyed, response, self.not_kept)
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        return answer

    def read(self) -> dict[str, Any]:
        """Return the validated body; without `takes`, the body is ignored.

        Raises ValidationError (422 `invalid`) with every fault.
        """
        return _validated(self.operation.takes, self.request.data) if self.operation.takes else {}

    def read_query(self, serializer: type[Serializer] | None = None) -> dict[str, Any]:
        """Return the query string as validated by `query`, or by another serializer.

        Parameters that it does not name are ignored. Raises ValidationError like `read`.
        """
        serializer = serializer or self.operation.query
        # A plain dict: DRF treats a QueryDict as an HTML form, in which an absent boolean is false.
        given = {name: self.request.query_params[name] for name in self.request.query_params}
        return _validated(serializer, given) if serializer else {}

    def document(self) -> bytes:
        """Return the body as it was sent, where the parser keeps it so; empty if there is none."""
        return self.request.data if isinstance(self.request.data, bytes) else b""

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that services share, `by` and `now`, with the fields of the validated body."""
        return {"by": self.user, "now": self.now, **self.read()}

    def changed(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is stored, with the fields of the validated body that were sent: all others stay as they are.

        Every PUT or PATCH whose service takes whole values uses this: a field that is left out is never reset.
        """
        sent = self.read()
        return {**stored, **{name: sent[name] for name in sent if name in self.request.data}}

    def answer(self, found: Any = None, **context: Any) -> Response:
        """Return the response with `found`, in the form that the operation declares.

        `found` is one object, or all rows of a list, of which `limit` and `offset` select one page. `context` is passed
        to the serializer.
        """
        declared = self.operation
        if declared.paged:
            found = self.paginate_queryset(found)
        if isinstance(declared.answers, type) and issubclass(declared.answers, BaseSerializer):
            found = declared.answers(found, many=declared.many or declared.paged, context=context).data
        return self.get_paginated_response(found) if declared.paged else Response(found, status=declared.status)


def _validated(serializer: type[Serializer], data: Any) -> dict[str, Any]:
    form = serializer(data=data)
    form.is_valid(raise_exception=True)
    values: dict[str, Any] = form.validated_data
    return values


_conditional = decorator_from_middleware(ConditionalGetMiddleware)


def routes(*resources: type[Resource]) -> list[URLPattern]:
    """Return the URL patterns of the resources, one for each address, in the order of their operations."""
    return [pattern for resource in resources for pattern in _routes_of(resource)]


def _routes_of(resource: type[Resource]) -> Iterator[URLPattern]:
    by_address: dict[str, dict[str, Any]] = {}
    names: dict[str, str | None] = {}
    conditional: set[str] = set()
    for action, member in vars(resource).items():
        declared = getattr(member, "operation", None)
        if isinstance(declared, Operation):
            by_address.setdefault(declared.path, {})[declared.method] = action
            names[declared.path] = declared.name or names.get(declared.path)
            conditional |= {declared.path} if declared.options.get("conditional") else set()
    for address, actions in by_address.items():
        view = resource.as_view(actions)
        yield path(address, _conditional(view) if address in conditional else view, name=names[address])
