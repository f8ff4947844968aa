"""What messengers and search engines show of a link: its title, a line about it, and a picture.

A preview shows what everybody may see, whoever asks for it, because it is passed on to others.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.http import parse_etags
from django.utils.translation import get_language, gettext, ngettext

from tournaments.audits.models import Feature
from tournaments.common.clock import now
from tournaments.common.mail import address_of
from tournaments.common.moments import local
from tournaments.common.reading import read_kept
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import off_stream
from tournaments.events.visibility import PUBLIC
from tournaments.events.zones import zone_of
from tournaments.leagues.models import League
from tournaments.paper.preview import Preview, preview_picture
from tournaments.play.access import shown_rounds
from tournaments.play.selectors import newest_shown_round
from tournaments.standings.access import shows_all_standings
from tournaments.standings.winners import winners_of
from tournaments.web.words.events import counted, game_words, state_of

EVERYBODY = frozenset({PUBLIC})
LONGEST_FACT = 120  # characters of the description that one fact takes
KEPT = 24 * 3600  # seconds that a drawn picture is kept by this site, and by others who know its version
FRESH = 300  # seconds that others keep a picture whose version they do not know


@dataclass(frozen=True)
class Shared:
    """What the head of a page says about it for those who show its link: absolute addresses, and texts."""

    title: str
    description: str
    url: str
    picture: str
    alt: str
    locale: str


def event_preview(event: Event) -> Preview:
    """The preview of an event: its game, when and where it is, how many play, and how far it is."""
    language = get_language() or ""
    made: Preview = read_kept(event.public_id, ("preview", language), lambda: _event_preview(event))
    return made


def _event_preview(event: Event) -> Preview:
    facts = [_start(event), event.place, _players(event)]
    return Preview(event.name, game_words(event), tuple(filter(None, facts)), _state(event))


def feature_preview(feature: Feature) -> Preview:
    """The preview of a feature match: who plays, in which event and round."""
    match = feature.match
    event = match.round.stage.event
    where = gettext("Round %(number)s, table %(table)s") % {"number": match.round.number, "table": match.table}
    names = " – ".join(seat.entrant.name for seat in match.seats.all())
    return Preview(names, game_words(event), (event.name, where), gettext("Follow live"))


def league_preview(league: League) -> Preview:
    """The preview of a league: how many events count, and how many players have points."""
    events = sum(entry.event.is_for_everybody for entry in league.entries.select_related("event"))
    table = getattr(league, "table", None)
    players = len(table.rows) if table else 0
    facts = [ngettext("%(count)d event", "%(count)d events", events) % {"count": events}]
    if players:
        facts.append(ngettext("%(count)d player", "%(count)d players", players) % {"count": players})
    return Preview(league.name, gettext("League"), tuple(facts))


def preview_of(of: Event | Feature | League) -> Preview | None:
    """The preview of an event, a feature match or a league; None if the public cannot see it."""
    if isinstance(of, Event):
        return event_preview(of) if of.is_for_everybody else None
    if isinstance(of, League):
        return league_preview(of) if of.is_open else None
    return feature_preview(of)


def shared(preview: Preview, request: HttpRequest, picture: str, title: str = "") -> Shared:
    """What a page says about itself. `picture` is the path of its picture; `title` is that of the page, if any."""
    language = get_language() or settings.LANGUAGE_CODE
    query = urlencode({"language": language, "v": preview.version})
    title = f"{title} · {preview.title}" if title else preview.title
    facts = [preview.about, *preview.facts, preview.state]
    return Shared(
        title=title,
        description=" · ".join(fact[:LONGEST_FACT] for fact in facts if fact),
        url=address_of(request.path),
        picture=f"{address_of(picture)}?{query}",
        alt=" · ".join(filter(None, [preview.title, preview.description])),
        locale=LOCALES.get(language, language),
    )


LOCALES = {"en": "en_GB", "fr": "fr_FR", "it": "it_IT"}
"""Our languages as Open Graph writes them."""


def preview_path(of: Event | Feature | League) -> str:
    """The path of the picture of an event, a feature match or a league."""
    if isinstance(of, Event):
        return reverse("web:preview", args=[of.public_id])
    if isinstance(of, League):
        return reverse("web:league_preview", args=[of.public_id])
    return reverse("web:watch_preview", args=[of.match.public_id])


def send_picture(request: HttpRequest, preview: Preview) -> HttpResponse:
    """Answer with the picture, drawn unless somebody has had the same one before; 304 to those who still have it."""
    response: HttpResponse
    etag = f'"{preview.version}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(_drawn(preview), content_type="image/png")
        response["Content-Disposition"] = "inline"
    known = request.GET.get("v") == preview.version
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={KEPT if known else FRESH}"
    return response


def _drawn(preview: Preview) -> bytes:
    key = f"preview.{preview.version}"
    found = cache.get(key)
    if isinstance(found, bytes):
        return found
    made = preview_picture(preview)
    cache.set(key, made, KEPT)
    return made


def _start(event: Event) -> str:
    """The start in the event's own time zone; only the day if the zone is not known."""
    if event.starts_at is None:
        return ""
    there = local(event.starts_at, zone_of(event))
    day = date_format(there, "j F Y")
    if get_language() != "en":
        day = day.lower()  # French and Italian months are written without a capital, but Django writes "Novembre"
    if not event.time_zone:
        return day
    return f"{day}, {date_format(there, 'H:i')} ({event.time_zone.replace('_', ' ')})"


def _players(event: Event) -> str:
    """How many play or have played, with the capacity while players can still register."""
    status = Event.Status
    if event.status in (status.DRAFT, status.CANCELLED):
        return ""
    entrants = event.entrants.exclude(status=Entrant.Status.WAITING).exclude(dropped_after=0)
    count = entrants.count()
    if event.status == status.REGISTRATION and event.capacity:
        sentence = gettext("%(count)d of %(capacity)d places taken")
        return sentence % {"count": count, "capacity": event.capacity}
    return counted(event, count) if count else ""


def _state(event: Event) -> str:
    """How far the event is, as the public may see it: the round, or who has won."""
    if event.status == Event.Status.RUNNING:
        return _round(event) or str(state_of(event, now()).short)
    if event.is_over and shows_all_standings(EVERYBODY, event):
        return _winner(event) or str(state_of(event, now()).short)
    return str(state_of(event, now()).short)


def _round(event: Event) -> str:
    rounds = shown_rounds(event, EVERYBODY)
    newest = rounds[-1] if rounds else newest_shown_round(event)
    if newest is None:
        return ""
    planned = [stage.rounds_planned for stage in event.stages.order_by("number")]
    if not all(planned):
        return gettext("Round %(number)d") % {"number": newest.number}
    of = max(sum(filter(None, planned)), newest.number)
    return gettext("Round %(number)d of %(of)d") % {"number": newest.number, "of": of}


def _winner(event: Event) -> str:
    """Who came first, unless they share the place with others or stay off streams."""
    first = [winner.entrant for winner in winners_of(event, EVERYBODY, get_language() or "en") if winner.rank == 1]
    if len(first) != 1 or first[0].pk in off_stream(event):
        return ""
    return gettext("Winner: %(name)s") % {"name": first[0].name}
