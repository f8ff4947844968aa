"""Sending to URLs of users: nothing inside the network can be reached, and no receiver can block a worker."""

import ipaddress
import socket
import ssl
from collections.abc import Callable
from typing import Any

import pytest

from tests.common.receiver import CERTIFICATE, receiver
from tournaments.common import outgoing
from tournaments.common.outgoing import Unreachable, address_of, is_public, post, target_of


def resolving_to(*addresses: str) -> Callable[..., list[Any]]:
    """A replacement for `getaddrinfo` that always gives these addresses."""
    return lambda host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (found, port)) for found in addresses]


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/", "ftp://example.com/", "https://", "https:///path", "https://user@example.com/",
        "https://user:word@example.com/", "https://example.com/#part", "https://example.com:0/", "https://example.com:x/",
        "https://example.com:99999/", "https://exa mple.com/", "https://example.com\\@evil.example/", "//example.com/",
        "https://example.com/" + "x" * 500, "javascript:alert(1)", "https://example.com/\n", "", "http://localhost/",
        "https://éxample.com/", "https://[::1/",
    ],
)  # fmt: skip
def test_anything_but_an_https_url_is_refused(url: str) -> None:
    assert target_of(url) is None


def test_http_to_localhost_is_allowed_only_for_development(settings: Any) -> None:
    settings.WEBHOOK_LOCALHOST = True
    assert target_of("http://localhost:8000/x") is not None
    assert target_of("http://example.com/") is None
    settings.WEBHOOK_LOCALHOST = False
    assert target_of("http://localhost:8000/x") is None


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254",
        "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:1::1",
        "2001:db8::1", "fec0::1", "feff::1", "192.0.0.1", "192.0.0.8", "192.0.0.9", "192.0.0.170", "192.88.99.1",
        "::ffff:192.0.0.8", "::ffff:100.64.0.1", "::7f00:1", "::ffff:0:7f00:1", "3fff::1", "3fff:fff::1",
        "64:ff9b::808:808", "64:ff9b:1::808:808", "2002:808:808::1", "2001::1", "2001:10::1", "2001:20::1",
        "100::1", "5f00::1", "4000::1", "fe80::1%eth0",
    ],
)  # fmt: skip
def test_a_host_with_an_address_that_is_not_public_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_public(ipaddress.ip_address(address))
    for found in ([address], ["93.184.215.14", address]):  # a single bad address among good ones is enough to refuse
        monkeypatch.setattr(socket, "getaddrinfo", resolving_to(*found))
        target = target_of("https://example.com/")
        assert target is not None
        with pytest.raises(Unreachable) as caught:
            address_of(target)
        assert caught.value.code == "address_refused"


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_a_loopback_address_in_any_notation_is_refused(host: str) -> None:
    with pytest.raises(Unreachable) as caught:
        post(f"https://{host}/", b"{}", {})
    assert caught.value.code in ("address_refused", "unresolved")


@pytest.mark.parametrize(
    "address",
    [
        "93.184.215.14",
        "::ffff:93.184.215.14",
        "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
        "2001:4860:4860::8888",
        "2a00::1",
    ],
)
def test_public_addresses_are_accepted(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.fixture
def as_if_public(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat this machine as public, and trust the certificate of the receiver."""
    trusting = ssl.create_default_context(cafile=CERTIFICATE)
    monkeypatch.setattr(outgoing, "is_public", lambda address: True)
    monkeypatch.setattr(outgoing, "tls", lambda: trusting)


INSIDE = "127.0.0.2"  # stands for an address of the internal network in the next test


def rebinding(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Make hooks.example.com resolve to another address each time, and to the last one from then on.

    Returns the list of names asked for, which grows with each query.
    """
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *args: Any, **more: Any) -> list[Any]:
        if host != "hooks.example.com":
            return list(real(host, port, *args, **more))
        asked.append(host)
        address = answers[min(len(asked), len(answers)) - 1]
        return list(real(address, port, *args, **more))

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(outgoing, "is_public", lambda address: str(address) != INSIDE)
    return asked


@pytest.mark.usefixtures("as_if_public")
def test_dns_rebinding_does_not_reach_the_internal_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with receiver(tls=True) as outside, receiver(tls=True, address=INSIDE, port=outside.port) as inside:
        asked = rebinding(monkeypatch, "127.0.0.1", INSIDE)
        url = f"https://hooks.example.com:{outside.port}/told"
        assert post(url, b"{}", {"webhook-id": "y-1"}) == 204
        assert asked == ["hooks.example.com"], "the name is resolved once: a second answer may be another"
        with pytest.raises(Unreachable) as caught:  # the next attempt resolves and checks again
            post(url, b"{}", {"webhook-id": "y-1"})
    assert caught.value.code == "address_refused"
    assert [message.headers["host"] for message in outside.got] == [f"hooks.example.com:{outside.port}"]
    assert inside.got == []


@pytest.mark.usefixtures("as_if_public")
def test_a_certificate_for_another_name_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver(tls=True) as got:
        monkeypatch.setattr(outgoing, "address_of", lambda target: "127.0.0.1")
        with pytest.raises(Unreachable) as caught:
            post(f"https://other.example.com:{got.port}/", b"{}", {})
    assert (caught.value.code, got.got) == ("tls_failed", [])


def test_a_redirect_is_not_followed(settings: Any) -> None:
    settings.WEBHOOK_LOCALHOST = True
    with receiver() as inside, receiver() as got:
        got.status, got.location = 307, inside.url
        assert post(got.url, b"{}", {}) == 307
    assert (len(got.got), inside.got) == (1, [])


def test_proxies_of_the_environment_are_not_used(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_LOCALHOST = True
    with receiver() as proxy, receiver() as got:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert post(got.url, b"{}", {}) == 204
    assert (len(got.got), proxy.got) == (1, [])


def test_a_slow_answer_ends_in_a_timeout(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_LOCALHOST = True
    monkeypatch.setattr(outgoing, "SECONDS", 0.4)
    with receiver() as got:
        got.slowly = 0.05
        with pytest.raises(Unreachable) as caught:
            post(got.url, b"{}", {})
    assert caught.value.code == "timeout"


def test_a_refused_connection_is_reported(settings: Any) -> None:
    settings.WEBHOOK_LOCALHOST = True
    with receiver() as gone:
        pass
    with pytest.raises(Unreachable) as caught:
        post(gone.url, b"{}", {})
    assert caught.value.code == "refused"
