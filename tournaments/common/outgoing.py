"""Sends a POST to a URL chosen by a user, without letting it reach anything inside this network (SSRF).

The host name is resolved once, every address it resolves to must be public, and the connection goes to the address that
was checked: a name that resolves differently a moment later (DNS rebinding) gains nothing. TLS is verified against the
name. Redirects are not followed, proxies of the environment are not used, and of the answer only the status and
`Retry-After` are read.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

import httpx
from django.conf import settings

SECONDS = 10.0  # limit for a whole attempt
CONNECT_SECONDS = 5.0
LONGEST_URL = 500
LOCAL = ("localhost", "127.0.0.1", "::1")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# The only part of IPv6 that is assigned to the public internet; site-local, NAT64 and others are outside of it.
PUBLIC_IPV6 = ipaddress.ip_network("2000::/3")
# Special-purpose networks according to IANA which `is_global` takes for public in some supported Python versions, and
# tunnels (Teredo, 6to4 and its relays), whose addresses do not tell where they lead.
NOT_PUBLIC = tuple(
    ipaddress.ip_network(net) for net in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20")
)


class Unreachable(Exception):
    """An attempt got no answer. `code`: `url_refused`, `unresolved`, `address_refused`, `timeout`, `tls_failed`,
    `refused` or `no_answer`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Target:
    """A parsed URL. `local`: it may point to this machine only."""

    scheme: str
    host: str
    port: int
    path: str
    local: bool


def target_of(url: str) -> Target | None:
    """Parse a URL; None if nothing may be sent to it.

    Accepted are `https` URLs without user and fragment, and `http` URLs of this machine if `WEBHOOK_LOCALHOST` is set.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    local = settings.WEBHOOK_LOCALHOST and host in LOCAL
    readable = len(url) <= LONGEST_URL and url.isascii() and url.isprintable() and " " not in url and "\\" not in url
    if not readable or not host or port == 0 or parts.username is not None or parts.password is not None:
        return None
    if parts.fragment or parts.scheme not in (("http", "https") if local else ("https",)):
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), path, local)


def is_public(address: Address) -> bool:
    """Whether an address is public. An IPv4-mapped IPv6 address counts as the IPv4 address."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in PUBLIC_IPV6:
            return False
    special = any(address.version == net.version and address in net for net in NOT_PUBLIC)
    return address.is_global and not address.is_multicast and not address.is_reserved and not special


def address_of(target: Target) -> str:
    """Resolve the host of a target to the IP address to connect to.

    Raises `Unreachable`: `unresolved`, or `address_refused` if any of its addresses is not public (for a local target:
    not a loopback address).
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable("unresolved") from error
    # What follows "%" is the interface of a link-local IPv6 address, not a part of the address.
    addresses = [ipaddress.ip_address(str(info[4][0]).split("%")[0]) for info in found]
    if not addresses:
        raise Unreachable("unresolved")
    allowed = (lambda address: address.is_loopback) if target.local else is_public
    if not all(allowed(address) for address in addresses):
        raise Unreachable("address_refused")
    return str(addresses[0])


@dataclass(frozen=True)
class Answer:
    """The HTTP status of an answer, and how many seconds it asks to wait; 0 if it does not."""

    status: int
    retry_after: int = 0


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """POST `body` to a URL and return the HTTP status of the answer. Raises `Unreachable` if there is none."""
    return send(url, body, headers).status


def send(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Do the same as `post`, and return also how long the receiver asks to wait."""
    target = target_of(url)
    if target is None:
        raise Unreachable("url_refused")
    return asyncio.run(_post(target, address_of(target), body, headers))


@cache
def tls() -> ssl.SSLContext:
    """The TLS settings by which certificates are verified; `SSL_CERT_FILE` replaces the certificate authorities."""
    return httpx.create_ssl_context()


async def _post(target: Target, address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    literal = f"[{address}]" if ":" in address else address
    host = f"[{target.host}]" if ":" in target.host else target.host
    usual = {"http": 80, "https": 443}[target.scheme]
    named = host if target.port == usual else f"{host}:{target.port}"
    sent = {"content-type": "application/json", "user-agent": "Arbitre-Webhooks/1", **headers, "host": named}
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx.AsyncClient(
                verify=tls(),
                trust_env=False,
                follow_redirects=False,
                timeout=httpx.Timeout(SECONDS, connect=CONNECT_SECONDS),
            ) as client,
            # Streamed, so that the body of the answer is never read. The URL holds the checked address; the Host header
            # and the name for TLS are those of the original URL.
            client.stream(
                "POST",
                f"{target.scheme}://{literal}:{target.port}{target.path}",
                content=body,
                headers=sent,
                extensions={"sni_hostname": target.host},
            ) as answer,
        ):
            # Seconds, of which Discord gives fractions. A date, which is also allowed, nobody sends here.
            asked = re.fullmatch(r"(\d{1,6})(\.\d+)?", answer.headers.get("retry-after", ""))
            return Answer(answer.status_code, int(asked[1]) + 1 if asked else 0)
    except (TimeoutError, httpx.TimeoutException) as error:
        raise Unreachable("timeout") from error
    except httpx.ConnectError as error:
        raise Unreachable("tls_failed" if "SSL" in str(error) or "certificate" in str(error) else "refused") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise Unreachable("no_answer") from error
