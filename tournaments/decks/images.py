"""Images of cards: kept beside a catalogue, not in it, and shown only from the hosts that the operator allows.

Browsers load them; this site never does.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F, Q, QuerySet

from tournaments.accounts.models import User
from tournaments.decks.models import CardImages, Catalogue
from tournaments.events.access import ACTIONS
from tournaments.events.models import Event, StaffRole

KEPT = 4  # catalogues whose images are cached in memory, least recently used dropped first
MOST_HOSTS = 50  # hosts of a list that are stored for its preview, those with the most images


@dataclass(frozen=True)
class ImageCount:
    """How many cards of a catalogue have an image, and how many of these are not shown, by host."""

    cards: int
    not_shown: Mapping[str, int]


def save_images(catalogue: Catalogue, images: Mapping[str, str]) -> None:
    """Replace the images of a catalogue: addresses by card reference. Inside a transaction."""
    if not images:
        CardImages.objects.filter(catalogue=catalogue).delete()
        return
    digest = hashlib.sha256(json.dumps(images, sort_keys=True).encode()).hexdigest()
    values = {"addresses": dict(images), "digest": digest}
    CardImages.objects.update_or_create(catalogue=catalogue, defaults=values)


def saved_images(catalogue: Catalogue) -> dict[str, str]:
    """The addresses of a catalogue's images by card reference, whether they are shown or not."""
    found = CardImages.objects.filter(catalogue=catalogue).values_list("addresses", flat=True).first()
    return found or {}


def images_of_event(event: Event) -> dict[str, str]:
    """The addresses of the images of an event's cards by reference, whether they are shown or not."""
    return _trusted(event).values_list("addresses", flat=True).first() or {}


def shown_images(event: Event) -> Mapping[str, str]:
    """The addresses of the images of an event's cards by reference, those of allowed hosts only."""
    hosts = frozenset(settings.CARD_IMAGE_HOSTS)
    digest = _trusted(event).values_list("digest", flat=True).first() if hosts else None
    if digest is None:
        return {}
    try:
        return _allowed(digest, hosts)
    except CardImages.DoesNotExist:  # replaced just now: the next page has the new ones
        return {}


def _trusted(event: Event) -> QuerySet[CardImages]:
    """The images of an event's catalogue: of an organizer of the event or a group they are in, then of the operator.

    Anybody else may have uploaded the same cards with other images.
    """
    organizers = StaffRole.objects.filter(event=event, role__in=ACTIONS["manage_event"]).values("user")
    groups = User.groups.through.objects.filter(user__in=organizers).values("group")
    return CardImages.objects.filter(
        Q(catalogue__owner=None) | Q(catalogue__owner__in=organizers) | Q(catalogue__group__in=groups),
        catalogue__sha256=event.catalog_sha256,
    ).order_by(F("catalogue__owner").asc(nulls_last=True), "catalogue")


# Safe to cache: images are found by the digest of their content. Nobody may change what is returned.
@lru_cache(maxsize=KEPT)
def _allowed(digest: str, hosts: frozenset[str]) -> Mapping[str, str]:
    addresses = CardImages.objects.filter(digest=digest).values_list("addresses", flat=True)[:1].get()
    return {ref: address for ref, address in addresses.items() if host_of(address) in hosts}


def host_of(address: str) -> str:
    """The host of an image, as CARD_IMAGE_HOSTS names it: in lower case, with its port unless that is 443."""
    return urlsplit(address).netloc.lower().removesuffix(":443")


def hosts_of(images: Iterable[str]) -> dict[str, int]:
    """How many of these addresses each host has, the most first."""
    return dict(Counter(map(host_of, images)).most_common())


def image_count(hosts: Mapping[str, int]) -> ImageCount:
    """What is shown of the images of a catalogue, of which each host has so many."""
    not_shown = {host: count for host, count in hosts.items() if host not in settings.CARD_IMAGE_HOSTS}
    return ImageCount(sum(hosts.values()), not_shown)
