"""Who asks, behind proxies: `X-Forwarded-*` is believed from those of `TRUSTED_PROXIES` alone."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def is_trusted(address: str) -> bool:
    """Whether an address is that of a proxy of ours."""
    try:
        told = ip_address(address)
    except ValueError:
        return False
    return any(told in network for network in settings.TRUSTED_PROXIES)


def client_address(remote: str, forwarded: str) -> str:
    """The network address of who asks: `remote`, or behind proxies of ours the last address that is none of them.

    Each proxy writes behind the others who asked it, so what a visitor makes up stands further left and is not reached.
    """
    here = remote
    for told in reversed(forwarded.split(",")):
        if not is_trusted(here):
            break
        try:
            here = str(ip_address(told.strip()))
        except ValueError:
            break
    return here


class TrustedProxies:
    """Puts the address of who asks in `REMOTE_ADDR`, and takes away what strangers say of themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        remote = request.META.get("REMOTE_ADDR", "")
        forwarded = request.META.pop("HTTP_X_FORWARDED_FOR", "")
        if not is_trusted(remote):
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        request.META["REMOTE_ADDR"] = client_address(remote, forwarded)
        return self.get_response(request)
