"""A stand-in of Stripe: a real HTTP server with the parts of Stripe's API that are used, in Stripe's own shapes.

It keeps Checkout sessions and refunds, honours idempotency keys, and signs notices as Stripe does (`t=…,v1=…`). Its
page of a session has one button, which pays, sends the notice and leads back.
"""

import hashlib
import hmac
import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from tests.common.server import Handler, serving

KEY, SECRET = "sk_test_standin", "whsec_standin"


@dataclass
class Standin:
    """A running stand-in. `down` makes it answer 503, `refuses` 402; `notices` is where its page sends notices."""

    port: int = 0
    down: bool = False
    refuses: bool = False
    notices: str = ""
    sessions: dict[str, dict[str, Any]] = field(default_factory=dict)
    refunds: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    answered: dict[str, dict[str, Any]] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    made: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def new(self, prefix: str) -> str:
        with self.lock:
            self.made += 1
            return f"{prefix}_test_{self.made:06}"

    def pay(self, session_id: str) -> dict[str, Any]:
        """Pay a session as a player does on its page, and return the notice about it."""
        with self.lock:
            session = self.sessions[session_id]
            assert session["status"] == "open", "Stripe takes the money of a session once"
            session |= {"status": "complete", "payment_status": "paid", "payment_intent": self.new("pi"), "url": None}
            session["customer_details"] = {"email": "payer@example.com", "name": "Payer"}
        return self.notice("checkout.session.completed", session)

    def expire(self, session_id: str) -> dict[str, Any]:
        """End a session that nobody paid, and return the notice about it."""
        session = self.sessions[session_id]
        session |= {"status": "expired", "url": None}
        return self.notice("checkout.session.expired", session)

    def refunded(self, refund_id: str, status: str = "succeeded") -> dict[str, Any]:
        """End a refund, and return the notice about it."""
        refund = self.refunds[refund_id]
        refund["status"] = status
        return self.notice("refund.failed" if status == "failed" else "refund.updated", refund)

    def notice(self, kind: str, about: dict[str, Any]) -> dict[str, Any]:
        """An event object about a copy of something."""
        return {
            "id": self.new("evt"),
            "object": "event",
            "api_version": "2026-01-28",
            "created": int(time.time()),
            "livemode": False,
            "pending_webhooks": 1,
            "request": {"id": None, "idempotency_key": None},
            "type": kind,
            "data": {"object": json.loads(json.dumps(about))},
        }


def signature(body: bytes, *, secret: str = SECRET, at: float | None = None) -> str:
    """The value of the `Stripe-Signature` header, computed here and not by Stripe's own code."""
    when = int(time.time() if at is None else at)
    digest = hmac.new(secret.encode(), f"{when}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={when},v1={digest},v0={'0' * 64}"


@contextmanager
def standin(port: int = 0) -> Iterator[Standin]:
    """Run a stand-in for the duration of the block; port 0 takes a free one."""
    kept = Standin()

    class Answering(_Handler):
        state = kept

    with serving(Answering, port=port) as kept.port:
        yield kept


class _Handler(Handler):
    state: Standin

    def do_GET(self) -> None:
        if self.path.startswith("/pay/"):
            page = "<!doctype html><title>Checkout</title><form method=post><button>Pay now</button></form>"
            self.send(200, page.encode(), "text/html")
        elif not self._out_of_order():
            kept = self.state.refunds if self.path.startswith("/v1/refunds/") else self.state.sessions
            found = kept.get(self.path.rsplit("/", 1)[-1])
            self.send_json(200, found) if found else self._error(404, "No such object")

    def do_POST(self) -> None:
        form = {key: values[0] for key, values in parse_qs(self.body().decode(), keep_blank_values=True).items()}
        if self.path.startswith("/pay/"):
            self._pay_here(self.path.removeprefix("/pay/"))
            return
        self.state.asked.append((self.path, form))
        if self._out_of_order():
            return
        key = self.headers.get("Idempotency-Key", "")
        with self.state.lock:
            if key in self.state.answered:
                self.send_json(200, self.state.answered[key])
                return
            made = self._do(form)
            if made is not None:
                if key:
                    self.state.answered[key] = json.loads(json.dumps(made))
                self.send_json(200, made)

    def _do(self, form: dict[str, str]) -> dict[str, Any] | None:
        if self.path == "/v1/checkout/sessions":
            return self._session(form)
        if self.path.endswith("/expire"):
            session = self.state.sessions[self.path.split("/")[-2]]
            if session["status"] != "open":
                self._error(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')
                return None
            session |= {"status": "expired", "url": None}
            return session
        if self.path == "/v1/refunds":
            return self._refund(form)
        self._error(404, "Unrecognized request URL")
        return None

    def _session(self, form: dict[str, str]) -> dict[str, Any]:
        line = "line_items[0]"
        amount = int(form[f"{line}[price_data][unit_amount]"]) * int(form[f"{line}[quantity]"])
        assert form["mode"] == "payment" and form[f"{line}[price_data][product_data][name]"]
        made = {
            "id": self.state.new("cs"),
            "object": "checkout.session",
            "amount_subtotal": amount,
            "amount_total": amount,
            "cancel_url": form["cancel_url"],
            "client_reference_id": form["client_reference_id"],
            "created": int(time.time()),
            "currency": form[f"{line}[price_data][currency]"],
            "customer": None,
            "customer_details": None,
            "expires_at": int(form["expires_at"]),
            "livemode": False,
            "metadata": {},
            "mode": "payment",
            "payment_intent": None,
            "payment_status": "unpaid",
            "status": "open",
            "success_url": form["success_url"],
        }
        made["url"] = f"{self.state.url}/pay/{made['id']}"
        self.state.sessions[str(made["id"])] = made
        return made

    def _refund(self, form: dict[str, str]) -> dict[str, Any] | None:
        paid = [each for each in self.state.sessions.values() if each["payment_intent"] == form["payment_intent"]]
        if not paid:
            self._error(404, "No such payment_intent")
            return None
        made = {
            "id": self.state.new("re"),
            "object": "refund",
            "amount": int(form["amount"]),
            "charge": "ch_test",
            "created": int(time.time()),
            "currency": paid[0]["currency"],
            "metadata": {"refund": form["metadata[refund]"]},
            "payment_intent": form["payment_intent"],
            "reason": form["reason"],
            "status": "pending",
        }
        self.state.refunds[str(made["id"])] = made
        return made

    def _pay_here(self, session_id: str) -> None:
        notice = json.dumps(self.state.pay(session_id)).encode()
        sent = urllib.request.Request(self.state.notices, notice, {"Stripe-Signature": signature(notice)})
        with urllib.request.urlopen(sent, timeout=10) as answer:
            assert answer.status == 200
        self.send(303, Location=self.state.sessions[session_id]["success_url"])

    def _out_of_order(self) -> bool:
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            self._error(401, "Invalid API Key provided")
        elif self.state.down:
            self._error(503, "Down")
        elif self.state.refuses:
            self._error(400, "Amount must be at least 50 cents")
        else:
            return False
        return True

    def _error(self, status: int, message: str) -> None:
        self.send_json(status, {"error": {"message": message, "type": "invalid_request_error"}})
