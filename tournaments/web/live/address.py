"""The address of a stream: what it opens, for whom, and the signed token that lets a page's reader in."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

from django.conf import settings
from django.core import signing
from django.urls import get_script_prefix

from tournaments.events.visibility import PLAYERS, PUBLIC, STAFF
from tournaments.web.live.positions import Position, positions

SALT = "arbitre.live"
TOKEN_SECONDS = 12 * 3600
AUDIENCES: Mapping[str, frozenset[str]] = {
    "public": frozenset({PUBLIC}),
    "players": frozenset({PUBLIC, PLAYERS}),
    "staff": frozenset({PUBLIC, STAFF}),
}
"""Kinds of readers, by the word that stands in a token: what each of them is, as `events.visibility` asks."""


class Shown(NamedTuple):
    """What a page shows that can be sent to it in parts, in a language, to an audience: the tables of a round, or where
    none is named the clock and the own seats of the newest one.
    """

    audience: str
    language: str
    round: int | None = None


class Opening(NamedTuple):
    """What a stream was opened for: the parts it wants, if any, the position from which to tell, if it said one, and
    the public ids of the entrants whose seats are the reader's own.

    `hurried` is who is told at once, and not once a second: the staff.
    """

    shown: Shown | None
    since: Position | None
    own: frozenset[str] = frozenset()
    hurried: bool = False


def audience_of(readers: Collection[str]) -> str:
    """The word for what a reader of an event is, as `events.access.readers_of` says it."""
    return next(word for word, its in reversed(AUDIENCES.items()) if its <= set(readers))


def token_for(event_id: str, audience: str = "public", own: Iterable[str] = ()) -> str:
    """A signed token that opens the stream of one event to one kind of reader for twelve hours, with the own seats."""
    reader = ".".join([audience, *own])
    signed = signing.TimestampSigner(salt=SALT).sign(f"{event_id}:{reader}")
    return signed.removeprefix(f"{event_id}:")


def token_opens(token: str, event_id: str) -> list[str]:
    """To whom a token opens the stream of an event: the kind of reader and the own entrants; nothing when it is not
    ours, or too old.
    """
    try:
        signing.TimestampSigner(salt=SALT).unsign(f"{event_id}:{token}", max_age=TOKEN_SECONDS)
    except signing.BadSignature:
        return []
    reader = token.partition(":")[0].split(".")
    return reader if reader[0] in AUDIENCES else []


def stream_url(
    event_id: str,
    since: Mapping[str, Position] | None = None,
    *,
    readers: Collection[str] = (PUBLIC,),
    pairings: int | None = None,
    own: Iterable[str] = (),
    language: str = "",
) -> str:
    """What a page opens: the stream of its event from the position in `since`, else from where the event stands.

    `pairings` is the number of the round whose tables the page shows, `own` are the public ids of the entrants whose
    seats it shows, in `language`.
    """
    position = (since or positions([event_id])).get(event_id, Position())
    query = {"token": token_for(event_id, audience_of(readers), own), "since": str(position)}
    if pairings is not None:
        query["pairings"] = str(pairings)
    if pairings is not None or own:
        query["language"] = language
    return f"{get_script_prefix()}live/{event_id}/?{urlencode(query, safe=':')}"


def opening_of(query_string: str, last_event_id: str, event_id: str) -> Opening | None:
    """What the address of a stream asks for; None when its token does not open the stream of this event.

    A browser that comes back says the position it saw last, which is newer than that of its page.
    """
    query = {name: values[0] for name, values in parse_qs(query_string).items()}
    audience, *own = token_opens(query.get("token", ""), event_id) or [""]
    if not audience:
        return None
    since = Position.parse(last_event_id) or Position.parse(query.get("since", ""))
    number, language = query.get("pairings", ""), query.get("language", "")
    round_ = int(number) if number.isdecimal() and len(number) < 4 else None
    known = language in dict(settings.LANGUAGES) and (own or round_ is not None)
    return Opening(Shown(audience, language, round_) if known else None, since, frozenset(own), audience == "staff")
