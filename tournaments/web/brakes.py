"""Brakes: how often something may be tried in a while, counted in the cache under digests of who tries."""

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
    """Too often in too short a time (HTTP 429). `wait` is the longest time to wait, in seconds."""

    status = 429

    def __init__(self, code: str, message: object, *, wait: int) -> None:
        super().__init__(code, message)
        self.wait = wait


@dataclass(frozen=True)
class Brake:
    """At most `limit` in `seconds`, from the first one on."""

    name: str
    limit: int
    seconds: int

    def is_on(self, *who: str) -> bool:
        """Whether the limit is reached."""
        return int(cache.get(self._key(who), 0)) >= self.limit

    def count(self, *who: str) -> int:
        """Count one more, and say how many there are."""
        cache.add(self._key(who), 0, self.seconds)
        try:
            return int(cache.incr(self._key(who)))
        except ValueError:  # it ran out between the two
            cache.add(self._key(who), 1, self.seconds)
            return 1

    def free(self, *who: str) -> None:
        """Count from zero again."""
        cache.delete(self._key(who))

    def pass_or_refuse(self, *who: str, told: str = "") -> None:
        """Count one more; refused (`too_many_attempts`, in the words of `told`) beyond the limit."""
        if self.count(*who) > self.limit:
            sentence = told or _("Too many attempts. Wait a while, then try again.")
            raise TooMany("too_many_attempts", sentence, wait=self.seconds)

    def _key(self, who: tuple[str, ...]) -> str:
        return f"brake:{self.name}:" + hashlib.sha256("|".join(who).encode()).hexdigest()


# Failed sign-ins; those of browsers that signed in to the account before are counted in devices.py.
GUESSES = Brake("sign-in", 10, 600)  # failures for one account from one network address
ACCOUNT_GUESSES = Brake("sign-in-account", 100, 3600)  # failures for one account, from wherever
FAILURES = Brake("sign-in-address", 300, 600)  # failures from one network address: a hall of 300 shares one
SIGN_UPS = Brake("sign-up", 20, 3600)
HALL_SIGN_UPS = Brake("sign-up-hall", 300, 3600)  # from one network address, by the links of organizers
EVENT_SIGN_UPS = Brake("sign-up-event", 500, 3600)  # by the link of one event, from wherever
RESETS = Brake("reset", 200, 3600)  # asked for from one network address: a hall shares one
LETTERS = Brake("letter", 5, 3600)  # links to one mailbox, or asked for by one account
UPLOADS = Brake("log", 30, 60)
GRANTS = Brake("grant", 20, 60)
DECKS = Brake("deck", 30, 60)
PAPERS = Brake("paper", 30, 60)
IMPORTS = Brake("import", 30, 60)
CARDS = Brake("cards", 10, 600)
CALLS = Brake("call", 20, 60)
FILES = Brake("event-file", 10, 600)
CHECKS = Brake("check", 10, 3600)  # checks of events asked for by one account
VERIFICATIONS = Brake("verify", 10, 3600)  # from one network address


def braked(brake: Brake) -> Callable[[View], View]:
    """Count each POST of an account to a view. It stands inside `login_required`."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                brake.pass_or_refuse(str(request.user.pk))
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def address_of(request: HttpRequest) -> str:
    """The network address behind a request; of an IPv6 address its /64, which is what one connection is given."""
    return network_of(str(request.META.get("REMOTE_ADDR", "")))


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """An IPv4 address as it is, an IPv6 address as its /64. What is no address counts as one, as on a socket file."""
    try:
        told = ip_address(address)
    except ValueError:
        return address
    if not isinstance(told, IPv6Address):
        return address
    mapped = told.ipv4_mapped
    return str(mapped) if mapped is not None else str(ip_network((told, 64), strict=False))
