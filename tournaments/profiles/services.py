"""Actions on profiles and follows: switch a profile on, change it, switch it off, follow, stop following."""

import re
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event
from tournaments.profiles.links import forget_links
from tournaments.profiles.models import MAX_TEXT, Follow, Profile

MAX_FOLLOWS = 500
SHORT_NAME = re.compile(r"[a-z0-9_-]{3,30}")
RESERVED = frozenset({
    "about", "account", "accounts", "admin", "administrator", "against", "all", "anonymous", "api", "arbiter",
    "arbitre", "contact", "everybody", "events", "follow", "following", "head-judge", "head_judge", "help", "judge",
    "judges", "leagues", "legal", "mail", "moderator", "news", "nobody", "none", "null", "official", "operator",
    "organizer", "organizers", "owner", "players", "privacy", "profile", "profiles", "root", "scorekeeper", "search",
    "security", "settings", "site", "staff", "standings", "support", "system", "team", "terms", "test", "tournament",
    "undefined", "webmaster", "you",
})  # fmt: skip
"""Short names that would sound like the site or its staff."""


def show_profile(
    *, person: Person, now: datetime, short_name: str = "", text: str = "", searchable: bool = False
) -> Profile:
    """Switch the public profile of a person on, or change it.

    The caller has made sure that the account acts for the person. Raises InvalidInput `short_name_invalid`,
    `short_name_reserved`, `short_name_taken` or `profile_text_too_long`.
    """
    name, text = _short_name(short_name), one_line(text)
    if len(text) > MAX_TEXT:
        sentence = _("This text is too long: %(length)d characters (the limit is %(most)d).")
        raise InvalidInput("profile_text_too_long", sentence % {"length": len(text), "most": MAX_TEXT})
    values = {"short_name": name, "text": text, "searchable": searchable}
    try:
        with transaction.atomic():
            # Against an erasure at the same time, which must leave no profile behind.
            person = Person.objects.select_for_update().get(pk=person.pk, erased_at=None)
            profile, _made = Profile.objects.update_or_create(
                person=person, defaults=values, create_defaults={**values, "made_at": now}
            )
    except IntegrityError:
        raise InvalidInput("short_name_taken", _("This short name is taken: choose another."))
    forget_links()
    return profile


def _short_name(typed: str) -> str | None:
    name = typed.strip().lower().removeprefix("@")
    if not name:
        return None
    if not SHORT_NAME.fullmatch(name):
        sentence = _("A short name has 3 to 30 letters, digits, hyphens or underscores, without accents.")
        raise InvalidInput("short_name_invalid", sentence)
    if name in RESERVED:
        raise InvalidInput("short_name_reserved", _("This short name is reserved: choose another."))
    return name


def hide_profile(*, person: Person) -> None:
    """Switch the profile of a person off, and delete its text, short name and followers. Idempotent."""
    Profile.objects.filter(person=person).delete()
    forget_links()


def follow_event(*, user: User, event: Event, now: datetime) -> None:
    """Follow an event. Idempotent. Refused: `too_many_follows`."""
    _follow(user, now, event=event)


def follow_player(*, user: User, profile: Profile, now: datetime) -> None:
    """Follow a player who has a public profile. Idempotent. Refused: `too_many_follows`."""
    _follow(user, now, profile=profile)


def _follow(user: User, now: datetime, **what: Any) -> None:
    with transaction.atomic():
        # The account's row guards the limit against other requests.
        User.objects.select_for_update().get(pk=user.pk)
        if Follow.objects.filter(user=user, **what).exists():
            return
        if Follow.objects.filter(user=user).count() >= MAX_FOLLOWS:
            sentence = _(
                "You already follow %(most)d events and players, which is the limit. Stop following some first."
            )
            raise Refusal("too_many_follows", sentence % {"most": MAX_FOLLOWS}, details=[MAX_FOLLOWS])
        Follow.objects.create(user=user, at=now, **what)


def stop_following(*, user: User, event: Event | None = None, profile: Profile | None = None) -> None:
    """Stop following an event or a player: exactly one of them. Idempotent."""
    what = {"event": event} if event is not None else {"profile": profile}
    Follow.objects.filter(user=user, **what).delete()


def forget_person(*, person: Person, **_signal: Any) -> None:
    """Delete the profile of an erased person. Receives `accounts.signals.person_erased`."""
    hide_profile(person=person)


def forget_account(*, user: User, **_signal: Any) -> None:
    """Delete what an erased account followed. Receives `accounts.signals.account_erased`."""
    Follow.objects.filter(user=user).delete()
