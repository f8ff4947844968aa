"""`Idempotency-Key`: a write sent twice acts once, and the second time is answered as the first was.

Refusals (4xx) are answers too; failures (5xx) are not, and leave the key free. See `common.idempotency`.
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
LONGEST = 80


def keyed(request: Request, now: datetime) -> KeyedRequest:
    """The request with its key. Raises `idempotency_key_invalid` (422)."""
    key = request.headers[HEADER]
    if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
        raise InvalidInput("idempotency_key_invalid", _("The key is 1 to 80 printable ASCII characters."))
    return KeyedRequest(request.user, key, now, request_digest(request))


def settle(request: KeyedRequest, response: Response, without: tuple[str, ...] = ()) -> Response:
    """Keep the answer under its key, the fields of `without` blanked, and give it; or the one that came before it.

    What a refused request wrote is taken back; of a failure nothing is kept.
    """
    if response.status_code >= 400:
        request.undo()
    if response.status_code >= 500:
        return response
    body = json.loads(JSONRenderer().render(response.data)) if response.data is not None else None
    if isinstance(body, dict) and response.status_code < 400:
        body.update({name: None for name in without if name in body})
    try:
        request.keep(response.status_code, body)
    except AnsweredBefore as before:
        return replay(before.answered)
    return response


def request_digest(request: Request) -> str:
    """SHA-256 over the method, the address and the bytes of the body."""
    digest = hashlib.sha256(f"{request.method}\n{request.get_full_path()}\n".encode())
    digest.update(request.body)
    return digest.hexdigest()


def replay(answered: Answered) -> Response:
    """The answer that was given before."""
    kind: dict[str, Any] = {"content_type": MEDIA_TYPE} if answered.status >= 400 else {}
    return Response(answered.body, status=answered.status, headers={REPLAYED: "true"}, **kind)
