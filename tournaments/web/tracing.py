"""What goes around every request: its id, its line in the access log, and its place in the metrics."""

import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from tournaments.common import metrics, request_ids

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

ROUTE = "arbitre.route"  # the key of the scope under which the pattern of the address is noted
GONE = 499  # in logs: the client left before there was a response (as in nginx)
_HEADER = request_ids.HEADER.lower().encode()

access = logging.getLogger("arbitre.access")  # its level is INFO with ACCESS_LOG=1, else nothing passes


class Tracing:
    """ASGI middleware, outermost: gives each request an id, which is also in the response, and logs it if wanted."""

    def __init__(self, app: AsgiApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request, began, status = _id_of(scope), time.monotonic(), GONE

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (_HEADER, request.encode())]
            await send(message)

        with request_ids.known_as(request):
            try:
                await self.app(scope, receive, noting)
            except Exception:
                status = 500  # the server answers it
                raise
            finally:
                _note(scope, status, time.monotonic() - began)


def kind_of(scope: Scope) -> str:
    """What a request is for, as the metrics count it."""
    path = str(scope["path"])
    if path in ("/healthz", "/metrics"):
        return "monitoring"
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in ("api", "static", "live") else "page"


def route_of(scope: Scope) -> str:
    """The pattern of a request's address, such as `/e/<event_id>/`: unlike the address, it contains no secret."""
    path = str(scope["path"])
    for folder in ("/static/", "/live/"):
        if path.startswith(folder):
            return folder
    return str(scope.get(ROUTE, "-"))


def _note(scope: Scope, status: int, seconds: float) -> None:
    """Count a request that has been answered, and write its line."""
    kind = kind_of(scope)
    metrics.count("arbitre_requests_total", kind=kind, status=status)
    if kind != "live":
        metrics.observe("arbitre_request_seconds", seconds, kind=kind)
    metrics.write_soon()
    fields = {
        "method": scope["method"],
        "route": route_of(scope),
        "status": status,
        "ms": round(seconds * 1000),
    }
    access.info("%(method)s %(route)s %(status)s %(ms)s ms", fields, extra={"fields": fields})


def _id_of(scope: Scope) -> str:
    found = (value.decode("latin-1") for name, value in scope.get("headers", ()) if name == _HEADER)
    return request_ids.given(next(found, ""), (scope.get("client") or ("",))[0])
