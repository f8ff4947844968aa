"""Browsers that have signed in to an account before, and how often a password may be guessed from others.

Ten wrong passwords typed by a neighbour in a hall must not keep the owner of an account out, whose phone has the same
network address. So a browser that signs in is given a signed cookie, and guesses made with it are counted by
themselves. Without it they are counted for the account and the address together. See
docs/decisions/0018-a-device-that-signed-in-before.md.
"""

import secrets
from dataclasses import dataclass

from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from tournaments.accounts.models import User
from tournaments.web.brakes import ACCOUNT_GUESSES, FAILURES, GUESSES, Brake, address_of

COOKIE = "device"
YEAR = 365 * 24 * 3600
MOST_ACCOUNTS = 8  # remembered by one browser, the newest first
DEVICE_GUESSES = Brake("sign-in-device", 10, 600)  # failures for one account from a browser that signed in to it


@dataclass(frozen=True)
class Device:
    """A browser: an id drawn by chance, and the public ids of the accounts that signed in there."""

    id: str
    accounts: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether an account with this e-mail address or sign-in name signed in here."""
        named = User.objects.filter(Q(email=name) | Q(sign_in_name=name))
        return bool(self.accounts) and named.filter(public_id__in=self.accounts).exists()

    def with_account(self, user: User) -> "Device":
        """The same browser after a sign-in."""
        others = [each for each in self.accounts if each != user.public_id]
        return Device(self.id, (user.public_id, *others)[:MOST_ACCOUNTS])


def device_of(request: HttpRequest) -> Device:
    """The browser behind a request; a new one where it has no cookie of ours."""
    value = request.get_signed_cookie(COOKIE, default=None, salt=COOKIE, max_age=YEAR)
    if not value:
        return Device(secrets.token_hex(8))
    number, *accounts = value.split(".")
    return Device(number, tuple(accounts))


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Note in the browser that this account signed in here."""
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
    """Failed sign-ins to the account of a name, as far as they concern the browser and address of a request."""

    def __init__(self, request: HttpRequest, name: str) -> None:
        self.name = name.strip().lower()
        self.address = address_of(request)
        device = device_of(request)
        known = device.has(self.name) and not DEVICE_GUESSES.is_on(self.name, device.id)
        self.device = device.id if known else ""

    def wait(self) -> int:
        """Seconds until another password may be tried; 0 when it may be now."""
        if self.device:
            return 0
        if ACCOUNT_GUESSES.is_on(self.name):
            return ACCOUNT_GUESSES.seconds
        return GUESSES.seconds if self.is_closed_here() or FAILURES.is_on(self.address) else 0

    def is_closed_here(self) -> bool:
        """Whether too many passwords were tried for this very account, here or in all."""
        return GUESSES.is_on(self.name, self.address) or ACCOUNT_GUESSES.is_on(self.name)

    def failed(self) -> None:
        """Count a wrong password."""
        if self.device:
            DEVICE_GUESSES.count(self.name, self.device)
            return
        GUESSES.count(self.name, self.address)
        ACCOUNT_GUESSES.count(self.name)
        FAILURES.count(self.address)

    def succeeded(self) -> None:
        """Count from zero again where this one was counted; what others tried in all stays counted."""
        if self.device:
            DEVICE_GUESSES.free(self.name, self.device)
        else:
            GUESSES.free(self.name, self.address)
