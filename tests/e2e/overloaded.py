"""The site as an ASGI application that a test can overload: while the file `OVERLOADED` exists, it has no lane left."""

from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from django.conf import settings

from tournaments.config.asgi import admission
from tournaments.config.asgi import application as site

OVERLOADED = "overloaded"  # in the folder of the site
_taken: list[Executor] = []


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer a request, with all lanes taken or given back before."""
    lanes = admission.lanes
    if (Path(settings.VAR_DIR) / OVERLOADED).exists():
        while lane := lanes.take_free(write=True):
            _taken.append(lane)
    else:
        while _taken:
            lanes.give_back(_taken.pop())
    await site(scope, receive, send)
