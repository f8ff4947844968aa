"""How logs are written: without secrets, each line with the id of its request, as text or as JSON.

The secrets of addresses are found in the URL patterns: every part of an address whose name is one of `SECRET_PARTS`.
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.apps import apps
from django.urls import get_resolver

from tournaments.common import request_ids

SECRET_PARTS = frozenset({"secret", "signature", "token"})
"""The names of parts of an address that are secret; views must give such parts one of these names."""
_QUERY = re.compile(r"([?&](?:code|state|token)=)[^&\s]+")
_PART = re.compile(r"<(?:[^:>]+:)?([^>]+)>")


class HideSecrets(logging.Filter):
    """A logging filter that blanks the secrets of links: Django logs the URL of every refused request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Blank the secrets in a record's message. Every record passes."""
        message = record.getMessage()
        blanked = without_secrets(message)
        if blanked != message:
            record.msg, record.args = blanked, ()
        return True


def without_secrets(message: str) -> str:
    """A message with the secrets of the addresses in it blanked."""
    message = _QUERY.sub(r"\1…", message)
    if "/" in message and apps.ready:
        for secret in _addresses():
            message = secret.sub(r"\1…", message)
    return message


@cache
def _addresses() -> tuple[re.Pattern[str], ...]:
    """A pattern for each secret part of an address: what precedes the secret, as a group, and the secret."""
    found = {_up_to_secret(route): None for route in routes(get_resolver().url_patterns)}
    return tuple(re.compile(pattern) for pattern in found if pattern)


def routes(patterns: Iterable[Any], before: str = "") -> Iterator[str]:
    """The routes of URL patterns, such as `link/<str:secret>/`, with those of included ones."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def _up_to_secret(route: str) -> str:
    """A regular expression for the beginning of an address, up to its secret; empty if the address has none.

    >>> _up_to_secret("address/<slug:public_id>/<str:token>/")
    '(/address/[^/\\\\s]+/)[^/\\\\s]+'
    """
    before, is_name = "", False
    for piece in _PART.split(route):
        if is_name and piece in SECRET_PARTS:
            return rf"(/{before})[^/\s]+"
        before += r"[^/\s]+" if is_name else re.escape(piece)
        is_name = not is_name
    return ""


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
