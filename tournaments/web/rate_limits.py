"""Rate limits of pages: how many attempts are allowed in a period, counted in the cache under digests of who tries."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal

View = Callable[..., HttpResponse]


class TooMany(Refusal):
    """Too many attempts (HTTP 429). `wait` is the longest time until the next one is allowed, in seconds."""

    status = 429

    def __init__(self, code: str, message: object, *, wait: int) -> None:
        super().__init__(code, message)
        self.wait = wait


@dataclass(frozen=True)
class RateLimit:
    """At most `limit` attempts in `seconds`, counted from the first one.

    `who` identifies whoever tries: an account, a network address, an event, or several of these together.
    """

    name: str
    limit: int
    seconds: int

    def is_reached(self, *who: str) -> bool:
        """Whether the limit is reached, without counting an attempt."""
        return int(cache.get(self._key(who), 0)) >= self.limit

    def count(self, *who: str) -> int:
        """Count one attempt and return how many there are now."""
        # `add` sets the expiry for the first attempt only, so the period is counted from that one.
        cache.add(self._key(who), 0, self.seconds)
        try:
            return int(cache.incr(self._key(who)))
        except ValueError:  # it expired between the two calls
            cache.add(self._key(who), 1, self.seconds)
            return 1

    def free(self, *who: str) -> None:
        """Forget all attempts."""
        cache.delete(self._key(who))

    def count_or_refuse(self, *who: str, told: str = "") -> None:
        """Count one attempt. Raises TooMany `too_many_attempts` beyond the limit, with the message `told` if given."""
        if self.count(*who) > self.limit:
            sentence = told or _("Too many attempts. Wait a while, then try again.")
            raise TooMany("too_many_attempts", sentence, wait=self.seconds)

    def _key(self, who: tuple[str, ...]) -> str:
        return f"rate-limit:{self.name}:" + hashlib.sha256("|".join(who).encode()).hexdigest()


# Failed sign-ins; those of browsers that signed in to the account before are counted in devices.py.
GUESSES = RateLimit("sign-in", 10, 600)  # failures for one account from one network address
ACCOUNT_GUESSES = RateLimit("sign-in-account", 100, 3600)  # failures for one account, from wherever
FAILURES = RateLimit("sign-in-address", 300, 600)  # failures from one network address: a hall of 300 shares one
SIGN_UPS = RateLimit("sign-up", 20, 3600)
HALL_SIGN_UPS = RateLimit("sign-up-hall", 300, 3600)  # from one network address, by the links of organizers
EVENT_SIGN_UPS = RateLimit("sign-up-event", 500, 3600)  # by the link of one event, from wherever
RESETS = RateLimit("reset", 200, 3600)  # asked for from one network address: a hall shares one
LETTERS = RateLimit("letter", 5, 3600)  # links to one mailbox, or asked for by one account
UPLOADS = RateLimit("log", 30, 60)
GRANTS = RateLimit("grant", 20, 60)
DECKS = RateLimit("deck", 30, 60)
PAPERS = RateLimit("paper", 30, 60)
IMPORTS = RateLimit("import", 30, 60)
CARDS = RateLimit("cards", 10, 600)
PAYMENTS = RateLimit("payment", 30, 600)  # begun by one account, and guesses at codes
EFFECTS = RateLimit("effects", 240, 60)  # checked as one types
CALLS = RateLimit("call", 20, 60)
FILES = RateLimit("event-file", 10, 600)
CHECKS = RateLimit("check", 10, 3600)  # checks of events asked for by one account
VERIFICATIONS = RateLimit("verify", 10, 3600)  # from one network address


def rate_limited(rate_limit: RateLimit) -> Callable[[View], View]:
    """Decorate a view so that each POST of an account counts. Apply it inside `login_required`."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                rate_limit.count_or_refuse(str(request.user.pk))
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def address_of(request: HttpRequest) -> str:
    """The network address of a request. An IPv6 address is cut to its /64, since one connection has that many."""
    return network_of(str(request.META.get("REMOTE_ADDR", "")))


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """An IPv4 address unchanged, an IPv6 address as its /64. Anything else is returned as it is (a Unix socket)."""
    try:
        told = ip_address(address)
    except ValueError:
        return address
    if not isinstance(told, IPv6Address):
        return address
    mapped = told.ipv4_mapped
    return str(mapped) if mapped is not None else str(ip_network((told, 64), strict=False))
