"""The address of a live stream: the event and parts it is for, and a signed token that says for what kind of reader.

The token alone opens only what everybody may see: see `rights.py`.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

from django.conf import settings
from django.core import signing
from django.http import parse_cookie
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


class Reader(NamedTuple):
    """The reader of a stream, as far as it matters for rights.

    - `audience`: the audience that the page was made for
    - `own`: the public ids of the entrants whose seats are the reader's own
    - `by_link`: whether a seat link opened the page, so that the entrants need not belong to the reader's account
    - `session`: the key of the browser's session; empty if it has none
    """

    audience: str = "public"
    own: frozenset[str] = frozenset()
    by_link: bool = False
    session: str = ""


ANYBODY = Reader()


class Opening(NamedTuple):
    """What a stream was opened for.

    - `shown`: the parts it wants, if any
    - `since`: the position to start from, if the address names one
    - `reader`: whose rights it needs
    """

    shown: Shown | None
    since: Position | None
    reader: Reader = ANYBODY


def audience_of(readers: Collection[str]) -> str:
    """The name of the audience that a reader belongs to; `readers` are the kinds that `events.access.readers_of` gives.

    Staff who play are an audience of players.
    """
    return next(word for word, its in reversed(AUDIENCES.items()) if its <= set(readers))


BY_LINK = "link"  # in a token, before the ids of entrants


def token_for(event_id: str, audience: str = "public", own: Iterable[str] = (), *, by_link: bool = False) -> str:
    """A signed token for the stream of one event, valid for twelve hours.

    It holds the audience and the public ids of the reader's own entrants, and whether a seat link opened the page.
    """
    reader = ".".join([audience, *([BY_LINK] if by_link else []), *own])
    signed = signing.TimestampSigner(salt=SALT).sign(f"{event_id}:{reader}")
    # The event id is part of what is signed, but the address has it already.
    return signed.removeprefix(f"{event_id}:")


def token_opens(token: str, event_id: str) -> Reader | None:
    """The reader that a token is for, without a session; None if it is for another event, expired or forged."""
    try:
        signing.TimestampSigner(salt=SALT).unsign(f"{event_id}:{token}", max_age=TOKEN_SECONDS)
    except signing.BadSignature:
        return None
    audience, *own = token.partition(":")[0].split(".")
    by_link = own[:1] == [BY_LINK]
    return Reader(audience, frozenset(own[by_link:]), by_link) if audience in AUDIENCES else None


def stream_url(
    event_id: str,
    since: Mapping[str, Position] | None = None,
    *,
    readers: Collection[str] = (PUBLIC,),
    pairings: int | None = None,
    own: Iterable[str] = (),
    by_link: bool = False,
    language: str = "",
) -> str:
    """The address of the stream that a page of this event should open.

    It starts from the event's position in `since`, else from the current one. `pairings` is the number of the round
    whose tables the page shows, `own` are the public ids of the entrants whose seats it shows, `by_link` if a seat link
    opened it; parts about these come in `language`.
    """
    position = (since or positions([event_id])).get(event_id, Position())
    query = {"token": token_for(event_id, audience_of(readers), own, by_link=by_link), "since": str(position)}
    if pairings is not None:
        query["pairings"] = str(pairings)
    if pairings is not None or own:
        query["language"] = language
    return f"{get_script_prefix()}live/{event_id}/?{urlencode(query, safe=':')}"


def opening_of(query_string: str, last_event_id: str, event_id: str, cookies: str = "") -> Opening | None:
    """Parse the address of a stream, and the cookies sent with it; None if its token is not valid for this event.

    A browser that reconnects sends the position that it saw last (`last_event_id`), which is newer than the one in the
    address of its page's stream.
    """
    query = {name: values[0] for name, values in parse_qs(query_string).items()}
    reader = token_opens(query.get("token", ""), event_id)
    if reader is None:
        return None
    reader = reader._replace(session=parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, ""))
    since = Position.parse(last_event_id) or Position.parse(query.get("since", ""))
    number, language = query.get("pairings", ""), query.get("language", "")
    round_ = int(number) if number.isdecimal() and len(number) < 4 else None
    # Parts are rendered once for each `Shown`, so no unknown language is accepted.
    known = language in dict(settings.LANGUAGES) and (reader.own or round_ is not None)
    return Opening(Shown(reader.audience, language, round_) if known else None, since, reader)
