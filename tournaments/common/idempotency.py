"""A key that an account sends with a request, so that sending the request twice acts once.

A key is claimed by inserting its row, which the database lets one request do. What the request led to is written into
the row when it is known, and later ones with the key are given that. A claim whose request never came back is taken
over after `ABANDONED`; answers are kept for `KEPT`, and then forgotten by the next claim or sweep of the jobs.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _

from tournaments.common.models import IdempotencyKey
from tournaments.common.refusals import InvalidInput, Refusal

ABANDONED = timedelta(minutes=2)
KEPT = timedelta(hours=24)
PRUNED_AT_ONCE = 100


@dataclass(frozen=True)
class Claim:
    """The right to answer for a key; it is lost when another request takes it over."""

    pk: int
    at: datetime

    def keep(self, status: int, body: Any) -> None:
        """Write what the request led to."""
        self._mine().update(status=status, body=body)

    def free(self) -> None:
        """Give the key back: the request may be sent again with it."""
        self._mine().delete()

    def _mine(self) -> models.QuerySet[IdempotencyKey]:
        return IdempotencyKey.objects.filter(pk=self.pk, created_at=self.at, status=None)


@dataclass(frozen=True)
class Answered:
    """What the first request with the key led to."""

    status: int
    body: Any


def claim(*, user: Any, key: str, now: datetime, digest: str = "") -> Claim | Answered:
    """The claim on a key of an account, or what was answered to it before.

    `digest` is that of the request, where keys are made up by clients. Raises InvalidInput `idempotency_key_reused`
    when the key came with another request, Refusal `in_progress` while the first is being answered.
    """
    prune(now)
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(user=user, key=key, request_digest=digest, created_at=now)
    except IntegrityError:
        found = IdempotencyKey.objects.filter(user=user, key=key).first()
    else:
        return Claim(row.pk, now)
    if found is None:  # freed an instant ago
        raise _in_progress()
    if found.request_digest != digest:
        raise InvalidInput("idempotency_key_reused", _("This key was used for another request."))
    return _take_over(found, now) if found.status is None else Answered(found.status, found.body)


def _take_over(row: IdempotencyKey, now: datetime) -> Claim:
    """The claim of a request that never came back; of several that try, one has it."""
    waiting = IdempotencyKey.objects.filter(
        pk=row.pk, status=None, created_at=row.created_at, created_at__lt=now - ABANDONED
    )
    if not waiting.update(created_at=now):
        raise _in_progress()
    return Claim(row.pk, now)


def _in_progress() -> Refusal:
    return Refusal("in_progress", _("This was sent a moment ago and is still being worked on."))


def prune(now: datetime) -> None:
    """Forget the oldest answers that were kept long enough."""
    # Only the oldest are looked at, by primary key, so a claim costs the same however many keys are kept.
    oldest = IdempotencyKey.objects.order_by("pk").values_list("pk", "created_at")[:PRUNED_AT_ONCE]
    old = [pk for pk, created_at in oldest if created_at < now - KEPT]
    if old:
        IdempotencyKey.objects.filter(pk__in=old).delete()
