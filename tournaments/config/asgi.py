"""The pages, the API and the live stream for an ASGI server."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
# Static files come as synchronous iterators; they are small, and read in a thread.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
_django = get_asgi_application()

from tournaments.web.live import BeforeDjango, LiveStreams  # noqa: E402 - models are there once Django is set up
from tournaments.web.uploads import UploadLimit  # noqa: E402

application = BeforeDjango(UploadLimit(_django), LiveStreams())
