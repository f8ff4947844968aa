"""A stand-in of PayPal: a real HTTP server with the parts of PayPal's REST API that are used, in PayPal's own shapes.

It keeps orders, captures and refunds, honours `PayPal-Request-Id`, has the certificate of its notices, and signs them
as PayPal does. Its page of an order has one button, which approves the order, sends the notice and leads back; a
capture sends its own notice.
"""

import base64
import json
import secrets
import threading
import time
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

from tests.common.server import Handler, serving
from tests.payments.certificates import LEAF, Issued

CLIENT_ID, SECRET, WEBHOOK_ID = "client-of-the-standin", "secret-of-the-standin", "1JE4291016473214C"
CERTIFICATE = "/v1/notifications/certs/CERT-360caa42-fca2a594-standin"
PAYER = {
    "name": {"given_name": "Payer", "surname": "Payerson"},
    "email_address": "payer@example.com",
    "payer_id": "QYR5Z8XDVJNXQ",
}
Document = dict[str, Any]


@dataclass
class Standin:
    """A running stand-in.

    - `down`: it answers 503; `declines`: it captures nothing; `refuses`: it takes no order and no refund
    - `loses`: it does what it is asked, and closes the connection without an answer
    - `capture_status`: of new captures; `file`: what is at the address of its certificate
    - `notices`: where it sends notices by itself
    """

    port: int = 0
    down: bool = False
    refuses: bool = False
    declines: bool = False
    loses: bool = False
    capture_status: str = "COMPLETED"
    file: bytes = LEAF.pem
    notices: str = ""
    orders: dict[str, Document] = field(default_factory=dict)
    refunds: dict[str, Document] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    asked: list[tuple[str, Document]] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    answered: dict[tuple[str, str], tuple[int, Document]] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    made: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def new(self) -> str:
        with self.lock:
            self.made += 1
            return f"{self.made:05}LRD09843212P"

    def approve(self, order_id: str) -> Document:
        """Approve an order as a player does on its page, and return the notice about it."""
        order = self.orders[order_id]
        assert order["status"] == "PAYER_ACTION_REQUIRED", "PayPal lets an order be approved once"
        order |= {"status": "APPROVED", "payer": PAYER}
        return self.notice("CHECKOUT.ORDER.APPROVED", order, "checkout-order")

    def capture_of(self, order_id: str) -> Document:
        """The capture of an order."""
        (capture,) = self.orders[order_id]["purchase_units"][0]["payments"]["captures"]
        return dict(capture)

    def captured(self, order_id: str, kind: str = "COMPLETED") -> Document:
        """The notice about the capture of an order."""
        return self.notice(f"PAYMENT.CAPTURE.{kind}", self.capture_of(order_id), "capture")

    def refunded(self, refund_id: str, status: str = "COMPLETED") -> Document:
        """End a refund, and return the notice about it."""
        self.refunds[refund_id]["status"] = status
        kind = "PAYMENT.REFUND.FAILED" if status == "FAILED" else "PAYMENT.CAPTURE.REFUNDED"
        return self.notice(kind, self.refunds[refund_id], "refund")

    def notice(self, kind: str, about: Document, resource_type: str = "capture") -> Document:
        """A webhook event about a copy of something."""
        return {
            "id": f"WH-{self.new()}-{self.new()}",
            "event_version": "1.0",
            "create_time": _now(),
            "resource_type": resource_type,
            "resource_version": "2.0",
            "event_type": kind,
            "summary": "Something happened.",
            "resource": json.loads(json.dumps(about)),
            "links": [],
        }

    def signed(self, body: bytes, **changed: Any) -> dict[str, str]:
        """The headers of a notice, made here and not by our own code. See `signature`."""
        return signature(body, certificate=changed.pop("certificate", self.url + CERTIFICATE), **changed)

    def told(self, notice: Document) -> None:
        """Send a notice to `notices`, from another thread as PayPal does from another machine."""
        body = json.dumps(notice).encode()
        sent = urllib.request.Request(self.notices, body, self.signed(body) | {"Content-Type": "application/json"})
        with urllib.request.urlopen(sent, timeout=10) as answer:
            assert answer.status == 200


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def signature(
    body: bytes,
    *,
    certificate: str,
    by: Issued = LEAF,
    webhook_id: str = WEBHOOK_ID,
    at: str = "",
    algorithm: str = "SHA256withRSA",
) -> dict[str, str]:
    """The headers with which PayPal signs a notice."""
    transmission, when = secrets.token_hex(16), at or _now()
    message = f"{transmission}|{when}|{webhook_id}|{zlib.crc32(body)}".encode()
    return {
        "PayPal-Auth-Algo": algorithm,
        "PayPal-Cert-Url": certificate,
        "PayPal-Transmission-Id": transmission,
        "PayPal-Transmission-Sig": base64.b64encode(by.key.sign(message, PKCS1v15(), SHA256())).decode(),
        "PayPal-Transmission-Time": when,
    }


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
        state, asked = self.state, urlsplit(self.path)
        if asked.path == "/checkoutnow":
            page = "<!doctype html><title>PayPal</title><form method=post><button>Complete Purchase</button></form>"
            self.send(200, page.encode(), "text/html")
        elif asked.path == CERTIFICATE:
            state.fetched.append(asked.path)
            self.send(503 if state.down else 200, state.file, "application/octet-stream")
        elif not self._out_of_order():
            kept = state.refunds if asked.path.startswith("/v2/payments/refunds/") else state.orders
            found = kept.get(asked.path.rsplit("/", 1)[-1])
            self.send_json(200, found) if found else self._error(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID")

    def do_POST(self) -> None:
        body, asked = self.body(), urlsplit(self.path)
        if asked.path == "/checkoutnow":
            self._approve(parse_qs(asked.query)["token"][0])
        elif asked.path == "/v1/oauth2/token":
            self._token(body)
        elif not self._out_of_order():
            self._do(json.loads(body))

    def _do(self, document: Document) -> None:
        key = self.headers["PayPal-Request-Id"]
        assert key and len(key) <= 108 and self.headers["Content-Type"] == "application/json"
        with self.state.lock:
            self.state.asked.append((self.path, document))
            if (self.path, key) not in self.state.answered:
                self.state.answered[self.path, key] = self._made(document)
            status, answer = self.state.answered[self.path, key]
        if self.state.loses:
            self.connection.close()
        else:
            self.send_json(status, answer)

    def _made(self, document: Document) -> tuple[int, Document]:
        if self.path == "/v2/checkout/orders":
            made = self._order(document)
        elif self.path.endswith("/capture"):
            made = self._capture(self.path.split("/")[-2])
        else:
            made = self._refund(self.path.split("/")[-2], document)
        return made[0], json.loads(json.dumps(made[1]))

    def _order(self, document: Document) -> tuple[int, Document]:
        (unit,) = document["purchase_units"]
        amount = unit["amount"]
        if self.state.refuses:
            return _problem(422, "UNPROCESSABLE_ENTITY", "PAYEE_ACCOUNT_RESTRICTED")
        if amount["currency_code"] in ("HUF", "JPY", "TWD") and "." in amount["value"]:
            return _problem(422, "UNPROCESSABLE_ENTITY", "DECIMALS_NOT_SUPPORTED")
        assert document["intent"] == "CAPTURE" and len(unit["description"]) <= 127
        made = {
            "id": self.state.new(),
            "intent": "CAPTURE",
            "status": "PAYER_ACTION_REQUIRED",
            "payment_source": {"paypal": {}},
            "purchase_units": [{"reference_id": "default", **unit}],
            "create_time": _now(),
        }
        page = f"{self.state.url}/checkoutnow?token={made['id']}"
        made["links"] = [
            {"href": f"{self.state.url}/v2/checkout/orders/{made['id']}", "rel": "self", "method": "GET"},
            {"href": page, "rel": "payer-action", "method": "GET"},
        ]
        made["back"] = document["payment_source"]["paypal"]["experience_context"]["return_url"]
        self.state.orders[str(made["id"])] = made
        return 200, made

    def _capture(self, order_id: str) -> tuple[int, Document]:
        order = self.state.orders.get(order_id)
        if order is None:
            return _problem(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID")
        if order["status"] == "COMPLETED":
            return _problem(422, "UNPROCESSABLE_ENTITY", "ORDER_ALREADY_CAPTURED")
        if order["status"] != "APPROVED":
            return _problem(422, "UNPROCESSABLE_ENTITY", "ORDER_NOT_APPROVED")
        if self.state.declines:
            return _problem(422, "UNPROCESSABLE_ENTITY", "INSTRUMENT_DECLINED")
        unit = order["purchase_units"][0]
        capture = {
            "id": self.state.new(),
            "status": self.state.capture_status,
            "amount": unit["amount"],
            "final_capture": True,
            "custom_id": unit["custom_id"],
            "supplementary_data": {"related_ids": {"order_id": order_id}},
            "create_time": _now(),
        }
        unit["payments"] = {"captures": [capture]}
        order["status"] = "COMPLETED"
        if self.state.notices:
            threading.Thread(target=self.state.told, args=[self.state.captured(order_id)]).start()
        return 201, order

    def _refund(self, capture_id: str, document: Document) -> tuple[int, Document]:
        units = [order["purchase_units"][0] for order in self.state.orders.values() if "payments" in str(order)]
        captures = [unit["payments"]["captures"][0] for unit in units if "payments" in unit]
        capture = next((each for each in captures if each["id"] == capture_id), None)
        if capture is None:
            return _problem(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID")
        if self.state.refuses:
            return _problem(422, "UNPROCESSABLE_ENTITY", "CAPTURE_FULLY_REFUNDED")
        href = f"{self.state.url}/v2/payments/captures/{capture_id}"
        made = {
            "id": self.state.new(),
            "amount": document["amount"],
            "custom_id": document["custom_id"],
            "status": "PENDING",
            "status_details": {"reason": "ECHECK"},
            "create_time": _now(),
            "links": [{"href": href, "rel": "up", "method": "GET"}],
        }
        self.state.refunds[str(made["id"])] = made
        return 201, made

    def _approve(self, order_id: str) -> None:
        self.state.told(self.state.approve(order_id))
        back = self.state.orders[order_id]["back"]
        self.send(303, Location=f"{back}?token={order_id}&PayerID={PAYER['payer_id']}")

    def _token(self, body: bytes) -> None:
        keys = base64.b64encode(f"{CLIENT_ID}:{SECRET}".encode()).decode()
        if self.state.down:
            self._error(503, "SERVICE_UNAVAILABLE", "DOWN")
        elif self.headers.get("Authorization") != f"Basic {keys}" or body != b"grant_type=client_credentials":
            self.send_json(401, {"error": "invalid_client", "error_description": "Client Authentication failed"})
        else:
            self.state.tokens.append(f"A21AA{secrets.token_hex(8)}-{time.time_ns()}")
            token = {"access_token": self.state.tokens[-1], "token_type": "Bearer", "expires_in": 32400}
            self.send_json(200, token)

    def _out_of_order(self) -> bool:
        authorization = self.headers.get("Authorization", "")
        if self.state.down:
            self._error(503, "SERVICE_UNAVAILABLE", "DOWN")
        elif authorization.removeprefix("Bearer ") not in self.state.tokens:
            self._error(401, "AUTHENTICATION_FAILURE", "TOKEN")
        else:
            return False
        return True

    def _error(self, status: int, name: str, issue: str) -> None:
        self.send_json(*_problem(status, name, issue))


def _problem(status: int, name: str, issue: str) -> tuple[int, Document]:
    details = [{"issue": issue, "description": "It cannot be done."}]
    return status, {"name": name, "message": "The request failed.", "debug_id": "90957fca61718", "details": details}
