"""The accounts at other sites with which an account signs in, by OpenID Connect. allauth stores them."""

from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models.signals import pre_save
from django.dispatch import receiver

from tournaments.accounts.models import User


def providers() -> dict[str, str]:
    """The names of the providers that the settings switch on, by id."""
    switched_on: dict[str, Any] = settings.SOCIALACCOUNT_PROVIDERS
    return {app["provider_id"]: app["name"] for app in switched_on["openid_connect"]["APPS"]}


def connections_of(user: User) -> list[SocialAccount]:
    """The connections of an account, oldest first."""
    return list(SocialAccount.objects.filter(user=user).order_by("pk"))


def connections_as_data(user: User) -> list[dict[str, Any]]:
    """What is stored about the connections of an account."""
    return [
        {"provider": connection.provider, "id_there": connection.uid, "since": connection.date_joined.isoformat()}
        for connection in connections_of(user)
    ]


@receiver(pre_save, sender=SocialAccount)
def keep_no_profile(instance: SocialAccount, **_more: Any) -> None:
    """Store the id at the provider only: the profile that it sends has names, addresses and pictures."""
    instance.extra_data = {}
