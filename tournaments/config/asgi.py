"""The pages, the API and the live stream for an ASGI server."""

import os
import resource
import warnings
from typing import Any, cast

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
# Static files come as synchronous iterators; they are small, and read in a thread.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
_django = get_asgi_application()

# Every open stream is an open file, and systems begin with 1,024 of them for a process.
OPEN_FILES = 8_192
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
if _soft != resource.RLIM_INFINITY:
    _most = OPEN_FILES if _hard == resource.RLIM_INFINITY else min(OPEN_FILES, _hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(_soft, _most), _hard))

from tournaments.web.live import BeforeDjango, LiveStreams  # noqa: E402 - models are there once Django is set up
from tournaments.web.uploads import UploadLimit  # noqa: E402

application = BeforeDjango(UploadLimit(cast(Any, _django)), LiveStreams())
