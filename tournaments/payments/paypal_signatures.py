"""The signatures of PayPal's notices, and the certificates that they are checked with.

PayPal signs a notice with the key of a certificate, and names the address of that certificate in a header. Whoever
sends a notice writes the header, so the address is only followed to hosts of PayPal's API, and the certificate has to
be one of PayPal's. See https://developer.paypal.com/api/rest/webhooks/rest/.
"""

import base64
import re
import ssl
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import httpx
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from tournaments.common import outgoing
from tournaments.payments.providers import SECONDS, BadNotice, ProviderDown

ALGORITHM = "SHA256withRSA"
# PayPal sends a notice again for three days. A copy of an older one proves nothing; one notice counts once anyway.
TOLERANCE = timedelta(days=4)
AHEAD = timedelta(minutes=5)  # by which PayPal's clock may be ahead of ours
LONGEST_HEADER = 2000
LONGEST_FILE = 64 * 1024  # bytes
MOST_CERTIFICATES = 20  # kept in memory
NAME = re.compile(r"messageverificationcerts(\.[a-z0-9-]+)*\.paypal\.com")
_PATH = re.compile(r"/v1/notifications/certs/[A-Za-z0-9_-]{1,100}")


@dataclass(frozen=True)
class Signed:
    """What the headers of a notice say about its signature."""

    id: str
    time: str
    signature: bytes
    certificate: str

    def message(self, body: bytes, webhook_id: str) -> bytes:
        """What was signed: the headers, the webhook that the notice is for, and the checksum of the body.

        >>> Signed("a", "2026-01-01T00:00:00Z", b"", "").message(b"{}", "W")
        b'a|2026-01-01T00:00:00Z|W|2745614147'
        """
        return f"{self.id}|{self.time}|{webhook_id}|{zlib.crc32(body)}".encode()


def signed_of(headers: Mapping[str, str], now: datetime) -> Signed:
    """Read the headers of a notice. Raises BadNotice if one is missing, or the notice is too old."""
    names = ("Id", "Time", "Sig")
    sent, time, signature = (headers.get(f"PayPal-Transmission-{name}", "") for name in names)
    certificate = headers.get("PayPal-Cert-Url", "")
    if headers.get("PayPal-Auth-Algo", "") != ALGORITHM:
        raise BadNotice("another algorithm")
    if any(not 0 < len(each) <= LONGEST_HEADER for each in (sent, time, signature, certificate)):
        raise BadNotice("a header is missing")
    try:
        signed = Signed(sent, time, base64.b64decode(signature, validate=True), certificate)
        at = datetime.fromisoformat(time)
    except ValueError as error:
        raise BadNotice("a header that cannot be read") from error
    if at.tzinfo is None or not now - TOLERANCE <= at <= now + AHEAD:
        raise BadNotice("too old")
    return signed


def hosts_of(api_base: str) -> tuple[str, ...]:
    """The beginnings of the addresses that have the certificates of an API: PayPal's two names, or the API's own."""
    parts = urlsplit(api_base)
    if parts.hostname in ("api-m.paypal.com", "api-m.sandbox.paypal.com"):
        return api_base, api_base.replace("api-m.", "api.")
    return (api_base,)


class Certificates:
    """The certificates of an API of PayPal. One is fetched when it is first named, and kept while the process runs."""

    def __init__(self, api_base: str) -> None:
        self._hosts = hosts_of(api_base)
        self._kept: dict[str, x509.Certificate] = {}
        self._one_at_a_time = threading.Lock()

    def check(self, signed: Signed, body: bytes, webhook_id: str, now: datetime) -> None:
        """Raise BadNotice unless the body was signed with the certificate, ProviderDown if that cannot be fetched."""
        key = self._named(signed.certificate, now).public_key()
        if not isinstance(key, RSAPublicKey):
            raise BadNotice("another kind of key")
        try:
            key.verify(signed.signature, signed.message(body, webhook_id), PKCS1v15(), SHA256())
        except InvalidSignature as error:
            raise BadNotice("signature") from error

    def _named(self, address: str, now: datetime) -> x509.Certificate:
        """The certificate at an address. Raises BadNotice if it is not one of PayPal's that is valid now."""
        if not any(
            address.startswith(host) and _PATH.fullmatch(address.removeprefix(host)) is not None for host in self._hosts
        ):
            raise BadNotice("a certificate from somewhere else")
        found = self._kept.get(address)
        if found is None or not _is_valid(found, now):
            found = self._fetched(address, now)
        return found

    def _fetched(self, address: str, now: datetime) -> x509.Certificate:
        # One at a time: a flood of forged notices must not keep every thread waiting for PayPal.
        if not self._one_at_a_time.acquire(timeout=SECONDS):
            raise ProviderDown("busy")
        try:
            found = self._kept.get(address)  # another thread may have fetched it meanwhile
            if found is None or not _is_valid(found, now):
                found = certificate_of(_file_at(address), now)
                if len(self._kept) >= MOST_CERTIFICATES:
                    self._kept.clear()
                self._kept[address] = found
            return found
        finally:
            self._one_at_a_time.release()


def _file_at(address: str) -> bytes:
    try:
        with httpx.stream("GET", address, verify=outgoing.tls(), timeout=SECONDS, follow_redirects=False) as answer:
            if answer.status_code >= 500 or answer.status_code == 429:
                raise ProviderDown(f"HTTP {answer.status_code}")
            if answer.status_code != 200:
                raise BadNotice("no certificate there")
            found = b""
            for part in answer.iter_bytes():
                found += part
                if len(found) > LONGEST_FILE:
                    raise BadNotice("a certificate that is too long")
            return found
    except httpx.HTTPError as error:
        raise ProviderDown(type(error).__name__) from error


def certificate_of(file: bytes, now: datetime) -> x509.Certificate:
    """The first certificate of a file of PayPal. Raises BadNotice if it is not PayPal's, or not valid now.

    If the file also has the certificates of who issued it, they have to lead to an authority that this machine trusts.
    PayPal's own files have had one certificate only: then the TLS connection to PayPal's host vouches for it.
    """
    try:
        first, *issuers = x509.load_pem_x509_certificates(file)
        name = _name_of(first)
    except (ValueError, x509.ExtensionNotFound) as error:
        raise BadNotice("a certificate that cannot be read") from error
    if not NAME.fullmatch(name):
        raise BadNotice("a certificate of somebody else")
    if not _is_valid(first, now):
        raise BadNotice("a certificate that is not valid now")
    if first.issuer == first.subject:
        raise BadNotice("a certificate that nobody has issued")
    if issuers:
        _verify(first, issuers, name, now)
    return first


def _is_valid(certificate: x509.Certificate, now: datetime) -> bool:
    return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc


def _name_of(certificate: x509.Certificate) -> str:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return next((each for each in names.get_values_for_type(x509.DNSName) if NAME.fullmatch(each)), "")


def _verify(first: x509.Certificate, issuers: list[x509.Certificate], name: str, now: datetime) -> None:
    try:
        store = Store(_authorities(outgoing.tls(), [first, *issuers]))
        policy = PolicyBuilder().store(store).time(now)
        policy.build_server_verifier(x509.DNSName(name)).verify(first, issuers)
    except (VerificationError, ValueError) as error:
        raise BadNotice("a certificate that no authority vouches for") from error


def _authorities(context: ssl.SSLContext, chain: list[x509.Certificate]) -> list[x509.Certificate]:
    """Those of the authorities that TLS trusts which may have issued a certificate of the chain."""
    names = {each.issuer.public_bytes() for each in chain}
    found = (each for each in context.get_ca_certs(binary_form=True) if any(name in each for name in names))
    return [x509.load_der_x509_certificate(each) for each in found]
