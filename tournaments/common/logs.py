"""Keeps secrets out of the logs."""

import logging
import re

SECRETS = (
    (re.compile(r"/link/[^/\s]+"), "/link/…"),
    (re.compile(r"/(seat|claim|join|address|reset|invitation|letters/[^/\s]+)/([^/\s]+)/[^/\s]+"), r"/\1/\2/…"),
)


class HideSecrets(logging.Filter):
    """Blanks the secrets of links that were handed out: Django logs the address of every refused request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record's message where it names such a link; every record passes."""
        message = hidden = record.getMessage()
        for secret, shown in SECRETS:
            hidden = secret.sub(shown, hidden)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True
