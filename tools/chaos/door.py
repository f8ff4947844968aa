"""The door of a second event, which opens soon: people arrive, check in, pay the fee, and some get it back."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from random import Random

from tools.chaos.actions import Action, Sender

PAUSE = (0.2, 0.6)  # seconds between two people
FEE = 1000  # cents
BACK = 400  # cents that some get back


@dataclass(frozen=True)
class Phone:
    """What somebody's phone holds: the cookies of a session, and an API token."""

    cookies: dict[str, str]
    token: str


@dataclass
class Door:
    """An event where check-in is open. `arriving` maps the public id of an entrant to a phone."""

    event: str
    desk: Phone
    organizer: Phone
    arriving: dict[str, Phone]

    async def open(self, sender: Sender, over: Callable[[], bool], rng: Random) -> None:
        """Registered players check in on their phones, and the desk enters walk-ins. The desk takes everybody's fee."""
        waiting = list(self.arriving.items())
        for number in count(1):
            await asyncio.sleep(rng.uniform(*PAUSE))
            if over():
                return
            if waiting and number % 2:
                await self._registered(sender, *waiting.pop())
            else:
                await self._walk_in(sender, f"Guest {number}", gets_back=rng.random() < 0.5)

    async def _registered(self, sender: Sender, entrant: str, phone: Phone) -> None:
        """Check in, and pay: the desk notes it on the page."""
        leaves = (("entrant.checked_in", entrant), ("check-in", entrant))
        check_in = Action("check-in", self.event, f"/e/{self.event}/me/check-in/", leaves)
        await sender.page(check_in, phone.cookies, {})
        payment = self._payment(f"/e/{self.event}/staff/entrants/{entrant}/payment/", entrant)
        await sender.page(payment, self.desk.cookies, {})

    async def _walk_in(self, sender: Sender, name: str, *, gets_back: bool) -> None:
        """Be entered by the desk, and pay: the desk notes it through the API."""
        leaves = (("entrant.registered", name), ("walk-in", name))
        walk_in = Action("walk-in", self.event, f"/api/v1/events/{self.event}/entrants/", leaves)
        # A second person with the same name is allowed, so only the idempotency key prevents a duplicate.
        entrant = await sender.api(walk_in, self.desk.token, {"given_name": name, "another": True})
        if entrant is None:
            return
        noted = self._payment(f"/api/v1/entrants/{entrant['id']}/payments/desk/", entrant["id"])
        payment = await sender.api(noted, self.desk.token, {})
        if payment is not None and gets_back:
            leaves = (("payment.refunded", entrant["id"]), (f"refund of {BACK}", entrant["id"]))
            refund = Action("refund", self.event, f"/api/v1/payments/{payment['id']}/refunds/", leaves)
            await sender.api(refund, self.organizer.token, {"key": refund.key, "cents": BACK})

    def _payment(self, path: str, entrant: str) -> Action:
        return Action("payment", self.event, path, (("payment.confirmed", entrant), (f"payment of {FEE}", entrant)))
