"""Whatever arrives where providers send their notices: what no provider sent is 400, and nothing is noted."""

import gzip
import json
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from tests.payments import paypal_standin, stripe_standin
from tournaments.payments.models import Notice

pytestmark = pytest.mark.django_db
JSON = "application/json"
FORM = b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n'
PACKED = gzip.compress(b'{"id": "evt_1"}' * 100)
BODIES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", JSON),
    "empty, of no type": (b"", ""),
    "not JSON": (b"hello", "text/plain"),
    "multipart": (FORM, "multipart/form-data; boundary=x"),
    "multipart, cut short": (FORM[:40], "multipart/form-data; boundary=x"),
    "multipart without a boundary": (FORM, "multipart/form-data"),
    "multipart with a boundary that is none": (FORM, "multipart/form-data; boundary=\xe9\xe9"),
    "multipart, with another body": (b"{}", "multipart/form-data; boundary=x"),
    "a form": (b"a=b&c=%FF%00", "application/x-www-form-urlencoded"),
    "a form of too many fields": (b"a=b&" * 5000, "application/x-www-form-urlencoded"),
    "a form with an unknown charset": (b"a=b", "application/x-www-form-urlencoded; charset=klingon"),
    "a form in UTF-16": (b"a=b", "application/x-www-form-urlencoded; charset=utf-16"),
    "a type that cannot be read": (b"{}", ";;;=;"),
    "UTF-8 that is none": (b'{"id": "\xff\xfe"}', JSON),
    "NUL": (b"\0" * 100, JSON),
    "deep": (b"[" * 100_000, JSON),
    "a number of many digits": (b'{"id": ' + b"9" * 10_000 + b"}", JSON),
}
NOTICES: dict[str, Any] = {
    "NUL in the id": '{"id": "a\\u0000b"}',
    "half a character in the id": '{"id": "a\\ud800b"}',
    "a number that is none": '{"id": "a", "n": NaN}',
    "a number beyond all": '{"id": "a", "n": 1e999}',
    "a list": "[]",
    "no id": "{}",
}


def post(name: str, body: bytes, kind: str, headers: Mapping[str, str], **more: str) -> int:
    client = Client(enforce_csrf_checks=True)
    answer = client.generic("POST", f"/payments/notices/{name}/", body, kind, headers=dict(headers), **more)
    assert answer.status_code < 500, answer.content
    return answer.status_code


@pytest.fixture(params=["stripe", "paypal"])
def provider(request: pytest.FixtureRequest) -> str:
    request.getfixturevalue(request.param)
    return str(request.param)


@pytest.fixture
def signed(provider: str, request: pytest.FixtureRequest) -> Any:
    """Headers with which the provider would sign a body."""
    standin = request.getfixturevalue(provider)
    if provider == "paypal":
        assert isinstance(standin, paypal_standin.Standin)
        return standin.signed
    return lambda body: {"Stripe-Signature": stripe_standin.signature(body)}


@pytest.mark.parametrize("case", BODIES)
@pytest.mark.parametrize("with_signature", [False, True], ids=["unsigned", "signed"])
def test_a_body_of_any_type_is_a_400(provider: str, signed: Any, case: str, with_signature: bool) -> None:
    body, kind = BODIES[case]
    assert post(provider, body, kind, signed(body) if with_signature else {}) == 400
    assert not Notice.objects.exists()


def test_a_packed_body_is_a_400(provider: str, signed: Any) -> None:
    for body in (PACKED, PACKED[:20]):
        assert post(provider, body, JSON, signed(body), HTTP_CONTENT_ENCODING="gzip") == 400


def test_a_huge_body_is_refused(provider: str, signed: Any) -> None:
    for size in (300_000, 5_000_000):
        body = b'"' + b"x" * size + b'"'
        assert post(provider, body, JSON, signed(body)) in (400, 413)


@pytest.mark.parametrize("header", ["", "\xff", "t=1,v1=\xe9", "x" * 10_000, "\0"])
def test_a_signature_that_cannot_be_read_is_a_400(provider: str, signed: Any, header: str) -> None:
    headers = signed(b"{}")
    for name in headers:
        assert post(provider, b"{}", JSON, headers | {name: header}) == 400


@pytest.mark.parametrize("case", NOTICES)
def test_a_signed_notice_with_odd_values_is_a_400(provider: str, signed: Any, case: str) -> None:
    body = NOTICES[case].encode()
    assert post(provider, body, JSON, signed(body)) == 400
    assert not Notice.objects.exists()


ODD = [None, True, 3, -1, 10**30, 1.5, "x" * 5000, "a\0b", "", [], [[]], {}, {"a": []}]
KINDS = {
    "stripe": (
        "checkout.session.completed",
        "checkout.session.expired",
        "refund.updated",
        "charge.refunded",
        "x" * 500,
    ),
    "paypal": ("CHECKOUT.ORDER.APPROVED", "PAYMENT.CAPTURE.COMPLETED", "PAYMENT.CAPTURE.REFUNDED", "x" * 500),
}
FIELDS = {
    "stripe": (
        "id",
        "client_reference_id",
        "payment_intent",
        "amount_total",
        "amount",
        "currency",
        "metadata",
        "status",
    ),
    "paypal": ("id", "custom_id", "supplementary_data", "amount", "links", "status", "purchase_units"),
}


@pytest.mark.parametrize("value", ODD, ids=[repr(value)[:20] for value in ODD])
def test_a_signed_notice_of_any_shape_is_never_a_500(provider: str, signed: Any, value: Any) -> None:
    number = 0
    for kind in KINDS[provider]:
        for name in FIELDS[provider]:
            about = {"id": "o1", "payment_status": "paid", "purchase_units": [{"custom_id": "c"}], name: value}
            notice: dict[str, Any] = {"id": f"e{number}"}
            notice |= {"type": kind, "data": {"object": about}, "event_type": kind, "resource": about}
            body = json.dumps(notice).encode()
            assert post(provider, body, JSON, signed(body)) in (200, 400)
            number += 1
