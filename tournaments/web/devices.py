"""Recognize browsers that have signed in to an account before, and limit failed sign-ins.

Ten wrong passwords typed by a neighbor in the hall must not lock out the owner of the account, whose phone has the same
network address. So a browser that signs in gets a signed cookie, and failed attempts made with that cookie are counted
separately. Without it they are counted per account and network address. See
docs/decisions/0018-a-device-that-signed-in-before.md.
"""

import secrets
from dataclasses import dataclass

from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from tournaments.accounts.models import User
from tournaments.web.rate_limits import ACCOUNT_GUESSES, FAILURES, GUESSES, RateLimit, address_of

COOKIE = "device"
YEAR = 365 * 24 * 3600
MOST_ACCOUNTS = 8  # remembered per browser, newest first: a cookie has little room
DEVICE_GUESSES = RateLimit("sign-in-device", 10, 600)  # failures for one account from a browser that signed in to it


@dataclass(frozen=True)
class Device:
    """A browser: a random id, and the public ids of the accounts that have signed in there."""

    id: str
    accounts: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether an account with this e-mail address or sign-in name has signed in here."""
        named = User.objects.filter(Q(email=name) | Q(sign_in_name=name))
        return bool(self.accounts) and named.filter(public_id__in=self.accounts).exists()

    def with_account(self, user: User) -> "Device":
        """The same browser after this account has signed in."""
        others = [each for each in self.accounts if each != user.public_id]
        return Device(self.id, (user.public_id, *others)[:MOST_ACCOUNTS])


def device_of(request: HttpRequest) -> Device:
    """The browser that sent a request; a new one if it has no valid cookie."""
    value = request.get_signed_cookie(COOKIE, default=None, salt=COOKIE, max_age=YEAR)
    if not value:
        return Device(secrets.token_hex(8))
    number, *accounts = value.split(".")
    return Device(number, tuple(accounts))


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Set the cookie that says this account has signed in from this browser."""
    device = device_of(request).with_account(user)
    response.set_signed_cookie(
        COOKIE,
        ".".join((device.id, *device.accounts)),
        salt=COOKIE,
        max_age=YEAR,
        samesite="Lax",
        secure=request.is_secure(),
        httponly=True,
    )


class Guesses:
    """Failed sign-ins with one name (e-mail address or sign-in name), for one request's browser and network address."""

    def __init__(self, request: HttpRequest, name: str) -> None:
        self.name = name.strip().lower()
        self.address = address_of(request)
        device = device_of(request)
        # After ten failures a known browser is treated as an unknown one.
        known = device.has(self.name) and not DEVICE_GUESSES.is_reached(self.name, device.id)
        self.device = device.id if known else ""

    def wait(self) -> int:
        """The longest time until another password may be tried, in seconds; 0 if one may be tried now."""
        if self.device:
            return 0
        if ACCOUNT_GUESSES.is_reached(self.name):
            return ACCOUNT_GUESSES.seconds
        return GUESSES.seconds if self.is_closed_here() or FAILURES.is_reached(self.address) else 0

    def is_closed_here(self) -> bool:
        """Whether too many passwords were tried for this name, from this network address or in total."""
        return GUESSES.is_reached(self.name, self.address) or ACCOUNT_GUESSES.is_reached(self.name)

    def failed(self) -> None:
        """Count a wrong password."""
        if self.device:
            DEVICE_GUESSES.count(self.name, self.device)
            return
        GUESSES.count(self.name, self.address)
        ACCOUNT_GUESSES.count(self.name)
        FAILURES.count(self.address)

    def succeeded(self) -> None:
        """Reset the count that this sign-in belongs to. Failures counted for the account in total stay."""
        if self.device:
            DEVICE_GUESSES.free(self.name, self.device)
        else:
            GUESSES.free(self.name, self.address)
