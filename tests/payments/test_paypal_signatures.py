"""What proves that a notice comes from PayPal: its signature, and a certificate that only PayPal can have."""

import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from django.test import Client

from tests.payments.certificates import LEAF, MIDDLE, NAME, ROOT, issued
from tests.payments.paypal_standin import CERTIFICATE, WEBHOOK_ID, Standin
from tournaments.common import outgoing
from tournaments.payments.paypal_signatures import certificate_of, hosts_of, signed_of
from tournaments.payments.providers import BadNotice, provider_of

ADDRESS = "/payments/notices/paypal/"
BODY = b'{"id": "WH-1", "event_type": "CUSTOMER.DISPUTE.CREATED", "resource": {}}'


def sent(paypal: Standin, body: bytes = BODY, *, arrives: bytes = b"", **signed: Any) -> int:
    """Send a notice that was signed as said, and return the status of the answer. `arrives` replaces its body."""
    headers = paypal.signed(body, **signed)
    return Client().post(ADDRESS, arrives or body, "application/json", headers=headers).status_code


def before(**ago: float) -> str:
    return (datetime.now(UTC) - timedelta(**ago)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_notice_signed_with_the_certificate_is_taken_which_is_fetched_once(paypal: Standin) -> None:
    assert [sent(paypal), sent(paypal), sent(paypal)] == [200, 200, 200]
    assert paypal.fetched == [CERTIFICATE]


def test_a_notice_that_paypal_sends_again_after_days_is_taken(paypal: Standin) -> None:
    assert sent(paypal, at=before(days=3)) == 200


@pytest.mark.parametrize(
    "signed",
    [
        {"by": issued(NAME, MIDDLE)},
        {"webhook_id": "5L518819FA0214926"},
        {"arrives": BODY.replace(b"WH-1", b"WH-2")},
        {"at": before(days=5)},
        {"at": before(days=-1)},
        {"at": "2026-01-01T00:00:00"},
        {"at": "yesterday"},
        {"algorithm": "SHA1withRSA"},
    ],
    ids=["other key", "other webhook", "other body", "old", "ahead", "no zone", "no time", "other algorithm"],
)
def test_a_notice_with_a_wrong_or_old_signature_is_refused(paypal: Standin, signed: dict[str, Any]) -> None:
    assert sent(paypal, **signed) == 400


@pytest.mark.parametrize(
    "header", ["Auth-Algo", "Cert-Url", "Transmission-Id", "Transmission-Sig", "Transmission-Time"]
)
@pytest.mark.parametrize("value", ["", "x" * 3000])
def test_a_notice_without_a_readable_signature_is_refused(paypal: Standin, header: str, value: str) -> None:
    headers = paypal.signed(BODY) | {f"PayPal-{header}": value}
    assert Client().post(ADDRESS, BODY, "application/json", headers=headers).status_code == 400


@pytest.mark.parametrize(
    "elsewhere",
    [
        lambda url: "https://api.paypal.example" + CERTIFICATE,
        lambda url: url.replace("127.0.0.1", "localhost") + CERTIFICATE,
        lambda url: url + ".example.org" + CERTIFICATE,
        lambda url: url + "@example.org" + CERTIFICATE,
        lambda url: url.replace("http://", "http://user@") + CERTIFICATE,
        lambda url: url + "/v1/notifications/certs/../../v2/checkout/orders/1",
        lambda url: url + CERTIFICATE + "?redirect=x",
        lambda url: url + "/another/path",
        lambda url: "file:///etc/ssl/cert.pem",
    ],
)
def test_a_certificate_from_another_host_or_path_is_not_even_fetched(
    paypal: Standin, elsewhere: Callable[[str], str]
) -> None:
    assert sent(paypal, certificate=elsewhere(paypal.url)) == 400
    assert paypal.fetched == []


def test_a_certificate_that_has_ended_is_fetched_again(paypal: Standin) -> None:
    assert sent(paypal) == 200
    kept = provider_of("paypal").certificates  # type: ignore[attr-defined]  # of PayPal alone
    later = issued(NAME, MIDDLE, ends=400)
    paypal.file = later.pem
    body, at = BODY, LEAF.certificate.not_valid_after_utc + timedelta(days=1)
    signed = signed_of(paypal.signed(body, by=later, at=at.isoformat()), at)
    kept.check(signed, body, WEBHOOK_ID, at)
    assert len(paypal.fetched) == 2


def test_only_the_two_hosts_of_the_own_api_have_certificates() -> None:
    live, sandbox = "https://api-m.paypal.com", "https://api-m.sandbox.paypal.com"
    assert hosts_of(live) == (live, "https://api.paypal.com")
    assert hosts_of(sandbox) == (sandbox, "https://api.sandbox.paypal.com")


def test_a_certificate_that_is_not_there_is_no_proof_and_one_that_cannot_be_fetched_is_asked_for_again(
    paypal: Standin,
) -> None:
    assert sent(paypal, certificate=paypal.url + CERTIFICATE + "-other") == 400
    paypal.down = True
    assert sent(paypal) == 503
    paypal.down = False
    assert sent(paypal) == 200


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"nonsense",
        ROOT.pem,
        issued(NAME).pem,
        issued("messageverificationcerts.paypal.com.example.org", MIDDLE).pem,
        issued("www.example.org", MIDDLE).pem,
        issued(NAME, MIDDLE, ends=-1).pem,
        LEAF.pem + MIDDLE.pem,
        b"#" * 70_000,
    ],
    ids=["empty", "nonsense", "no name", "self-signed", "alike", "somebody", "over", "unknown authority", "long"],
)
def test_a_certificate_that_is_not_paypals_is_no_proof(paypal: Standin, file: bytes) -> None:
    paypal.file = file
    assert sent(paypal) == 400


def test_the_issuers_in_the_file_have_to_lead_to_an_authority_that_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    trusting = ssl.create_default_context(cadata=ROOT.certificate.public_bytes(Encoding.DER))
    monkeypatch.setattr(outgoing, "tls", lambda: trusting)
    now = datetime.now(UTC)
    assert certificate_of(LEAF.pem + MIDDLE.pem, now) == LEAF.certificate
    for issuers in (issued("Middle", issued("Root", is_authority=True), is_authority=True).pem, LEAF.pem):
        with pytest.raises(BadNotice):
            certificate_of(LEAF.pem + issuers, now)
