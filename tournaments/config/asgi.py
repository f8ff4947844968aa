"""The ASGI application: pages, the API and live streams."""

import gc
import os
import resource
import warnings
from typing import Any, cast

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
# WhiteNoise returns static files as synchronous iterators; they are small, and Django reads them in a thread.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
django.setup(set_prefix=False)


class OneThread(ASGIHandler):
    """Django's ASGI handler, but with each request in one thread: all views and middleware are synchronous.

    Django's own handler switches between thread and event loop for each request, which costs more than most pages.
    """

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Run the synchronous middleware and view in one thread, and return their response."""
        response = await sync_to_async(self.get_response)(request)
        if request.resolver_match is not None:
            cast(Any, request).scope[ROUTE] = f"/{request.resolver_match.route}"
        return response


# Every open stream is an open file, and many systems allow a process only 1,024 of them by default.
OPEN_FILES = 8_192
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
if _soft != resource.RLIM_INFINITY:
    _most = OPEN_FILES if _hard == resource.RLIM_INFINITY else min(OPEN_FILES, _hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(_soft, _most), _hard))

from tournaments.common import database_limits, database_pool, metrics  # noqa: E402 - after setup: models, settings
from tournaments.web.admission import Admission  # noqa: E402
from tournaments.web.kept_pages import KeptPages  # noqa: E402
from tournaments.web.live.streams import BeforeDjango, LiveStreams  # noqa: E402
from tournaments.web.tracing import ROUTE, Tracing  # noqa: E402
from tournaments.web.uploads import UploadLimit  # noqa: E402

database_limits.limit_statements()
streams = LiveStreams()
admission = Admission(cast(Any, OneThread()), instead=KeptPages(streams.changed_since))
application = Tracing(BeforeDjango(UploadLimit(admission), streams))

metrics.gauge("arbitre_requests_waiting", admission.lanes.waiting)
metrics.gauge("arbitre_streams", lambda: {(): streams.open_streams})
metrics.gauge("arbitre_pool_connections", database_pool.sizes)
metrics.gauge("arbitre_pool_waiting", database_pool.waiting)

# Everything loaded so far lives as long as the process. Garbage collections that walk over it again and again take up
# to a quarter of the time of a page, and requests leave few cycles behind.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 20, 20)
