"""`Idempotency-Key`: a write sent twice acts once, and the second time is answered as the first was.

Refusals (4xx) are answers too; failures (5xx) are not, and free the key. See `common.idempotency`.
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
from tournaments.common import idempotency
from tournaments.common.idempotency import Answered, Claim
from tournaments.common.refusals import InvalidInput

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 80


def claim(request: Request, now: datetime) -> Claim | Response:
    """The claim on a request's key, or the answer that was given to it before.

    Raises `idempotency_key_invalid` and `idempotency_key_reused` (422), `in_progress` (409).
    """
    key = request.headers[HEADER]
    if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
        raise InvalidInput("idempotency_key_invalid", _("The key is 1 to 80 printable ASCII characters."))
    claimed = idempotency.claim(user=request.user, key=key, now=now, digest=request_digest(request))
    return _replay(claimed) if isinstance(claimed, Answered) else claimed


def keep(claimed: Claim, response: Response, without: tuple[str, ...] = ()) -> None:
    """Keep the answer under its key, the fields of `without` blanked; a failure frees the key."""
    if response.status_code >= 500:
        claimed.free()
        return
    body = json.loads(JSONRenderer().render(response.data)) if response.data is not None else None
    if isinstance(body, dict) and response.status_code < 400:
        body.update({name: None for name in without if name in body})
    claimed.keep(response.status_code, body)


def request_digest(request: Request) -> str:
    """SHA-256 over the method, the address and the bytes of the body."""
    digest = hashlib.sha256(f"{request.method}\n{request.get_full_path()}\n".encode())
    digest.update(request.body)
    return digest.hexdigest()


def _replay(answered: Answered) -> Response:
    kind: dict[str, Any] = {"content_type": MEDIA_TYPE} if answered.status >= 400 else {}
    return Response(answered.body, status=answered.status, headers={REPLAYED: "true"}, **kind)
