"""The address of a live stream: which event and parts it is for, and the signed token that grants access to it."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

from django.conf import settings
from django.core import signing
from django.urls import get_script_prefix

from tournaments.events.visibility import PLAYERS, PUBLIC, STAFF
from tournaments.web.live.positions import Position, positions

SALT = "arbitre.live"
TOKEN_SECONDS = 12 * 3600  # a tournament day: a page may stay open that long
AUDIENCES: dict[str, frozenset[str]] = {
    "public": frozenset({PUBLIC}),
    "players": frozenset({PUBLIC, PLAYERS}),
    "staff": frozenset({PUBLIC, STAFF}),
}
"""Audiences by the name used in tokens, with the reader kinds of each for `events.visibility`; the later ones win."""


class Shown(NamedTuple):
    """What a page shows that can be sent to it in parts, for an audience and in a language.

    With a `round`, these are the tables and the clock of that round; without one, the clock of the newest round and, as
    soon as it is published, the reader's own seats in it.
    """

    audience: str
    language: str
    round: int | None = None


class Opening(NamedTuple):
    """What a stream was opened for.

    - `shown`: the parts it wants, if any
    - `since`: the position to start from, if the address names one
    - `own`: the public ids of the entrants whose seats are the reader's own
    - `hurried`: send at once instead of once a second, for the staff
    """

    shown: Shown | None
    since: Position | None
    own: frozenset[str] = frozenset()
    hurried: bool = False


def audience_of(readers: Collection[str]) -> str:
    """The name of the audience that a reader belongs to; `readers` are the kinds that `events.access.readers_of` gives.

    Staff who play are an audience of players.
    """
    return next(word for word, its in reversed(AUDIENCES.items()) if its <= set(readers))


def token_for(event_id: str, audience: str = "public", own: Iterable[str] = ()) -> str:
    """A signed token for the stream of one event, valid for twelve hours.

    It holds the audience and the public ids of the reader's own entrants, so that the stream needs no session.
    """
    reader = ".".join([audience, *own])
    signed = signing.TimestampSigner(salt=SALT).sign(f"{event_id}:{reader}")
    # The event id is part of what is signed, but the address has it already.
    return signed.removeprefix(f"{event_id}:")


def token_opens(token: str, event_id: str) -> list[str]:
    """The content of a token: its audience, then the reader's own entrants.

    Empty if the token is for another event, expired or forged.
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
    """The address of the stream that a page of this event should open.

    It starts from the event's position in `since`, else from the current one. `pairings` is the number of the round
    whose tables the page shows, `own` are the public ids of the entrants whose seats it shows; parts about these come
    in `language`.
    """
    position = (since or positions([event_id])).get(event_id, Position())
    query = {"token": token_for(event_id, audience_of(readers), own), "since": str(position)}
    if pairings is not None:
        query["pairings"] = str(pairings)
    if pairings is not None or own:
        query["language"] = language
    return f"{get_script_prefix()}live/{event_id}/?{urlencode(query, safe=':')}"


def opening_of(query_string: str, last_event_id: str, event_id: str) -> Opening | None:
    """Parse the address of a stream; None if its token is not valid for this event.

    A browser that reconnects sends the position that it saw last (`last_event_id`), which is newer than the one in the
    address of its page's stream.
    """
    query = {name: values[0] for name, values in parse_qs(query_string).items()}
    audience, *own = token_opens(query.get("token", ""), event_id) or [""]
    if not audience:
        return None
    since = Position.parse(last_event_id) or Position.parse(query.get("since", ""))
    number, language = query.get("pairings", ""), query.get("language", "")
    round_ = int(number) if number.isdecimal() and len(number) < 4 else None
    # Parts are rendered once for each `Shown`, so no unknown language is accepted.
    known = language in dict(settings.LANGUAGES) and (own or round_ is not None)
    return Opening(Shown(audience, language, round_) if known else None, since, frozenset(own), audience == "staff")
