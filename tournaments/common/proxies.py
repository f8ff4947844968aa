"""The visitor's address behind proxies: `X-Forwarded-*` headers count only if they come from `TRUSTED_PROXIES`."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def is_trusted(address: str) -> bool:
    """Whether an address belongs to one of our proxies."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    return any(ip in network for network in settings.TRUSTED_PROXIES)


def client_address(remote: str, forwarded: str) -> str:
    """The visitor's network address, given the peer's address and the `X-Forwarded-For` header.

    That is `remote` itself or, behind our proxies, the last address of the header that is not one of them. Each proxy
    appends the address that connected to it, so anything a visitor makes up is further left and never reached.
    """
    here = remote
    for address in reversed(forwarded.split(",")):
        if not is_trusted(here):
            break
        try:
            here = str(ip_address(address.strip()))
        except ValueError:
            break
    return here


class TrustedProxies:
    """Middleware that puts the visitor's address in `REMOTE_ADDR`, and removes forwarding headers sent by strangers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        remote = request.META.get("REMOTE_ADDR", "")
        forwarded = request.META.pop("HTTP_X_FORWARDED_FOR", "")
        if not is_trusted(remote):
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        request.META["REMOTE_ADDR"] = client_address(remote, forwarded)
        return self.get_response(request)
