"""How logs are written: without secrets, each line with the id of its request, as text or as JSON."""

import json
import logging
import re
from datetime import UTC, datetime

from tournaments.common import request_ids

SECRETS = (
    (re.compile(r"([?&](?:code|state)=)[^&\s]+"), r"\1…"),
    (re.compile(r"/link/[^/\s]+"), "/link/…"),
    (re.compile(r"/(seat|claim|join|address|reset|invitation|letters/[^/\s]+)/([^/\s]+)/[^/\s]+"), r"/\1/\2/…"),
)


class HideSecrets(logging.Filter):
    """A logging filter that blanks the secrets of links: Django logs the URL of every refused request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Blank the secrets in a record's message. Every record passes."""
        message = hidden = record.getMessage()
        for secret, shown in SECRETS:
            hidden = secret.sub(shown, hidden)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True


class NameRequest(logging.Filter):
    """A logging filter that sets `request_id`, the id of the request that a record is about, for the formatters."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Set the id. Every record passes."""
        record.request_id = request_ids.current() or request_ids.NONE
        return True


class JsonLines(logging.Formatter):
    """One JSON object a line: time (UTC), level, logger, request, message, and the exception if there is one.

    A record may bring more members in `fields`, as those of the access log do.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request": getattr(record, "request_id", request_ids.NONE),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
