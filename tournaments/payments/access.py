"""Permissions for payments: prices and refunds are the organizers' business, the list is the desk's."""

from typing import Any

from django.http import Http404

from tournaments.events.access import entrant_for_player, require
from tournaments.payments.models import Payment, PriceCode, PriceTier


def payment_for_staff(user: Any, public_id: str, action: str) -> Payment:
    """A payment of an event at which the user may do `action`."""
    found = Payment.objects.filter(public_id=public_id).select_related("event", "entrant", "tier", "code").first()
    if found is None:
        raise Http404
    require(user, found.event, action)
    return found


def payment_for_player(user: Any, public_id: str) -> Payment:
    """A payment of an entrant of the account's own person, or of one that it is guardian of; else 404."""
    found = Payment.objects.filter(public_id=public_id).select_related("event", "entrant", "tier", "code").first()
    if found is None:
        raise Http404
    entrant_for_player(user, found.entrant.public_id)
    return found


def payment_for_reader(user: Any, public_id: str) -> Payment:
    """A payment, for the account whose entrant pays and for the desk of its event."""
    found = Payment.objects.filter(public_id=public_id).select_related("event", "entrant", "tier", "code").first()
    if found is None or not user.is_authenticated:
        raise Http404
    if not found.entrant.member_set.filter(person__account=user).exists():
        require(user, found.event, "run_desk")
    return found


def tier_for_staff(user: Any, public_id: str) -> PriceTier:
    """A price, not removed, of an event that the user manages."""
    found = PriceTier.objects.filter(public_id=public_id, removed_at=None).select_related("event").first()
    if found is None:
        raise Http404
    require(user, found.event, "manage_event")
    return found


def code_for_staff(user: Any, public_id: str) -> PriceCode:
    """A code, not removed, of an event that the user manages."""
    found = PriceCode.objects.filter(public_id=public_id, removed_at=None).select_related("event").first()
    if found is None:
        raise Http404
    require(user, found.event, "manage_event")
    return found
