"""Requests to PayPal's REST API: the token that they carry, and what an error means."""

import time
from typing import Any

import httpx

from tournaments.common import outgoing
from tournaments.payments.providers import SECONDS, ProviderDown, ProviderRefused

EARLIER = 60.0  # seconds before its end from which a token is not used any more


class Api:
    """A client of PayPal's API with the keys of one account. Its methods raise ProviderDown and ProviderRefused."""

    def __init__(self, client_id: str, secret: str, api_base: str) -> None:
        self._keys = httpx.BasicAuth(client_id, secret)
        self._base = api_base
        self._token, self._until = "", 0.0

    def get(self, path: str) -> dict[str, Any]:
        """Read something."""
        return self._send("GET", path, None, {})

    def post(self, path: str, document: dict[str, Any], *, request_id: str) -> dict[str, Any]:
        """Make something. With the same `request_id` it is made once, and the answer is the same again."""
        return self._send("POST", path, document, {"PayPal-Request-Id": request_id, "Prefer": "return=representation"})

    def _send(self, method: str, path: str, document: dict[str, Any] | None, headers: dict[str, str]) -> dict[str, Any]:
        answer = self._asked(method, path, json=document, headers={**headers, **self._authorization()})
        if answer.status_code == 401:  # the token was taken back before its time
            self._token = ""
            answer = self._asked(method, path, json=document, headers={**headers, **self._authorization()})
        return _document(answer)

    def _authorization(self) -> dict[str, str]:
        if not self._token or time.monotonic() >= self._until:
            wanted = {"grant_type": "client_credentials"}
            found = _document(self._asked("POST", "/v1/oauth2/token", data=wanted, auth=self._keys))
            self._token = str(found.get("access_token") or "")
            self._until = time.monotonic() + float(found.get("expires_in") or 0) - EARLIER
        return {"Authorization": f"Bearer {self._token}"}

    def _asked(self, method: str, path: str, **sent: Any) -> httpx.Response:
        try:
            with httpx.Client(base_url=self._base, verify=outgoing.tls(), timeout=SECONDS) as client:
                return client.request(method, path, **sent)
        except httpx.HTTPError as error:
            raise ProviderDown(type(error).__name__) from error


def _document(answer: httpx.Response) -> dict[str, Any]:
    """The document of an answer; of an error, the exception that it means."""
    try:
        found = answer.json()
    except ValueError:
        found = None
    status = answer.status_code
    # 409: a request with the same id is still being worked on.
    if status in (409, 429) or status >= 500 or not isinstance(found, dict):
        raise ProviderDown(f"HTTP {status}")
    if status >= 300:
        raise ProviderRefused(_why(found)[:200])
    return found


def _why(error: dict[str, Any]) -> str:
    """What PayPal says about an error: the issue and its sentence, or what there is of them."""
    details = error.get("details")
    first = details[0] if isinstance(details, list) and details and isinstance(details[0], dict) else {}
    said = [first.get("issue") or error.get("name") or error.get("error"), first.get("description")]
    said.append(None if first else error.get("message") or error.get("error_description"))
    return ": ".join(str(part) for part in said if part) or "refused"
