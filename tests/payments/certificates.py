"""An authority of our own, and certificates as PayPal signs its notices with."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NAME = "messageverificationcerts.paypal.com"


@dataclass(frozen=True)
class Issued:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: RSAPrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)


def issued(name: str, by: Issued | None = None, *, is_authority: bool = False, ends: int = 30) -> Issued:
    """A certificate for a name that ends in some days, issued by another one or by itself."""
    key, now = generate_private_key(public_exponent=65537, key_size=2048), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer_key = by.key if by else key
    usage = {"digital_signature": not is_authority, "key_cert_sign": is_authority, "crl_sign": is_authority}
    others = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    nothing = dict.fromkeys((*others, "encipher_only", "decipher_only"), False)
    made = (
        x509
        .CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=60))
        .not_valid_after(now + timedelta(days=ends))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.KeyUsage(**usage, **nothing), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if not is_authority:
        made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    return Issued(made.sign(issuer_key, SHA256()), key)


ROOT = issued("Root", is_authority=True)
MIDDLE = issued("Middle", ROOT, is_authority=True)
LEAF = issued(NAME, MIDDLE)
