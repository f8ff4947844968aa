"""Brakes: how often something may be tried in a while, counted in the cache under digests of who tries."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.conf import settings
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

    def pass_or_refuse(self, *who: str) -> None:
        """Count one more; refused (`too_many_attempts`) beyond the limit."""
        if self.count(*who) > self.limit:
            raise TooMany("too_many_attempts", _("Too many attempts. Wait a while, then try again."), wait=self.seconds)

    def _key(self, who: tuple[str, ...]) -> str:
        return f"brake:{self.name}:" + hashlib.sha256("|".join(who).encode()).hexdigest()


GUESSES = Brake("sign-in", 10, 600)  # failures for one e-mail address from one network address
FAILURES = Brake("sign-in-address", 50, 600)  # failures from one network address
SIGN_UPS = Brake("sign-up", 20, 3600)
UPLOADS = Brake("log", 30, 60)
GRANTS = Brake("grant", 20, 60)
DECKS = Brake("deck", 30, 60)
PAPERS = Brake("paper", 30, 60)


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


def client_address(remote: str, forwarded: str) -> str:
    """The network address of who asks: behind a proxy of ours the last of `X-Forwarded-For`, which that proxy wrote."""
    told = forwarded.rsplit(",", 1)[-1].strip() if settings.BEHIND_PROXY else ""
    return told or remote


def address_of(request: HttpRequest) -> str:
    """The network address behind a request."""
    return client_address(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))
