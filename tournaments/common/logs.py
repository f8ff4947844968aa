"""Keep secrets out of the logs."""

import logging
import re

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
