"""Events whose players have accounts, and cookies of signed-in browsers."""

import random

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from bench._events import played_round
from tests.builders import a_large_event, a_published_round
from tests.cast import Cast, make_cast
from tournaments.accounts.models import Person, User
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.standings.services import compute_standings

LANGUAGES = ("fr", "en", "it")
BACKEND = "django.contrib.auth.backends.ModelBackend"


def prepared(players: int) -> tuple[Event, Cast]:
    """A running event of this many players with accounts: two rounds played, and a third in progress."""
    cast = make_cast()
    event = a_large_event(cast, players)
    people = list(Person.objects.filter(member__event=event).order_by("pk"))
    users = User.objects.bulk_create(
        User(email=f"player{n}@example.org", language=random.choice(LANGUAGES)) for n in range(len(people))
    )
    for person, user in zip(people, users, strict=True):
        person.account = user
    Person.objects.bulk_update(people, ["account"], batch_size=500)
    for _round in range(2):
        played_round(event, cast)
    a_published_round(event, cast.organizer)
    compute_standings(stage_id=current_stage(event).pk, now=now())
    return event, cast


def session_of(user: User) -> dict[str, str]:
    """The cookies of a browser that is signed in to this account."""
    store = SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(user.pk), BACKEND
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    assert store.session_key
    return {"sessionid": store.session_key, "csrftoken": random.randbytes(16).hex()}


def an_event_with_accounts(players: int) -> tuple[Event, list[User]]:
    """An event as from `prepared`, with the accounts of its players."""
    event, _cast = prepared(players)
    people = Person.objects.filter(member__event=event).select_related("account").order_by("pk")
    return event, [person.account for person in people if person.account]
