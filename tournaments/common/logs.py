"""Keeps secrets out of the logs."""

import logging
import re

SIGN_IN_LINK = re.compile(r"/link/[^/\s]+")


class HideSecrets(logging.Filter):
    """Blanks the secret of sign-in links: Django logs the address of every refused request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record's message where it names such a link; every record passes."""
        message = record.getMessage()
        if "/link/" in message:
            record.msg, record.args = SIGN_IN_LINK.sub("/link/…", message), ()
        return True
