"""Changes of rights that no event's ledger tells of: sign-outs, new passwords, erased people.

Live streams follow them, so that a stream ends as soon as its reader may no longer have it.
"""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete, post_save

from tournaments.accounts.models import Person, RightsChange, User
from tournaments.accounts.signals import person_erased
from tournaments.common.clock import now

KEPT = timedelta(days=1)


def follow() -> None:
    """Note every such change. Call it once, when Django is set up."""
    post_delete.connect(_session_ended, sender=Session, dispatch_uid="rights")
    post_save.connect(_account_saved, sender=User, dispatch_uid="rights")
    person_erased.connect(_person_erased, dispatch_uid="rights")


def changes_since(since: datetime) -> dict[int, str]:
    """The changes after a time: by their keys, whose rights have changed (see `RightsChange`)."""
    return dict(RightsChange.objects.filter(at__gt=since).values_list("pk", "whose"))


def forget_changes(now: datetime) -> None:
    """Delete the changes that every stream has heard of long ago."""
    RightsChange.objects.filter(at__lt=now - KEPT).delete()


def _session_ended(instance: Session, **_signal: Any) -> None:
    if instance.expire_date > now():  # one that has expired gave no rights
        RightsChange.objects.create(whose=instance.session_key)


def _account_saved(instance: User, created: bool, update_fields: frozenset[str] | None, **_signal: Any) -> None:
    if not created and (update_fields is None or update_fields & {"password", "is_active"}):
        RightsChange.objects.create(whose=instance.public_id)


def _person_erased(person: Person, **_signal: Any) -> None:
    if person.account is not None:
        RightsChange.objects.create(whose=person.account.public_id)
