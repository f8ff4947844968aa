"""`Idempotency-Key`: a write that is sent twice takes effect once, and gets the same response both times.

Refusals (4xx) are stored like any response; failures (5xx) are not, and leave the key free. See `common.idempotency`.
"""

import hashlib
import json
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.problems import MEDIA_TYPE
from tournaments.common.idempotency import Answered, AnsweredBefore, KeyedRequest
from tournaments.common.refusals import InvalidInput

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 80  # characters of a key


def keyed(request: Request, now: datetime) -> KeyedRequest:
    """Return the request with its key. Raises InvalidInput `idempotency_key_invalid` (422)."""
    key = request.headers[HEADER]
    if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
        raise InvalidInput("idempotency_key_invalid", _("The key must have 1 to 80 printable ASCII characters."))
    return KeyedRequest(request.user, key, now, request_digest(request))


def settle(request: KeyedRequest, response: Response, without: tuple[str, ...] = ()) -> Response:
    """Store the response under its key and return it, or the stored one if another request with the key came first.

    The fields named in `without` are stored as null. The writes of a refused request are rolled back, but its refusal
    is stored; of a failure nothing is stored.
    """
    if response.status_code >= 400:
        request.undo()
    if response.status_code >= 500:
        return response
    # Rendered first, so that what is stored is what was sent: lazy translations, for example, become text.
    body = json.loads(JSONRenderer().render(response.data)) if response.data is not None else None
    if isinstance(body, dict) and response.status_code < 400:
        body.update({name: None for name in without if name in body})
    try:
        request.keep(response.status_code, body)
    except AnsweredBefore as before:
        return replay(before.answered)
    return response


def request_digest(request: Request) -> str:
    """Return the SHA-256 of the method, the address with its query string, and the bytes of the body."""
    digest = hashlib.sha256(f"{request.method}\n{request.get_full_path()}\n".encode())
    digest.update(request.body)
    return digest.hexdigest()


def replay(answered: Answered) -> Response:
    """Return a stored response again, marked with `Idempotency-Replayed: true`."""
    kind: dict[str, Any] = {"content_type": MEDIA_TYPE} if answered.status >= 400 else {}
    return Response(answered.body, status=answered.status, headers={REPLAYED: "true"}, **kind)
