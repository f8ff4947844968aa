"""Reads TRF, the format of chess programs, with what it says about the event and the rounds to come."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from tournaments.common.moments import OUT_OF_RANGE, is_accepted
from tournaments.swiss import trf
from tournaments.swiss.field import Match, SwissError
from tournaments.transfers.brought import ROUND_ROBIN, SWISS, Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import MAX_LINES, check_count, clean, unreadable
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.source import Source, line_breaks
from tournaments.transfers.formats.values import NOON

NAME, PLACE, START, KIND = "012", "022", "042", "092"
# What follows from the players and their rounds, and what `trf.coming` reads.
FOLLOWS = ("062", "072", "082", "132", "XXR", "142", "XXZ", "240", "XXP", "260")
STAFF = ("102", "112")
_PLAYER = re.compile(r"(?:^|[\r\n])001 [ 0-9]{3}[0-9] ")
_WHOLE = re.compile(_PLAYER.pattern + r"[^\r\n,;\t]{5}[^\r\n]{66,}")
_FIRST = re.compile(r"(?:[ \t]*[\r\n]|#[^\r\n]*[\r\n])*[0-9A-Z]{3}(?:\s|$)")
_LINE = re.compile(r"line ([0-9]+)")
_DATE = re.compile(r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})")


def recognizes(source: Source) -> bool:
    """Whether a file has a player's line, and begins with a line of TRF or, as with a ruler above, has all columns."""
    return bool((_FIRST.match(source.text) and _PLAYER.search(source.text)) or _WHOLE.search(source.text))


def read(source: Source) -> Brought:
    """Read a file. Points of the file are not read: they follow from the results."""
    if line_breaks(source.text) > MAX_LINES:
        raise unreadable(_("The file has too many lines."))
    try:
        tournament = trf.read(source.text)
        check_count(len(tournament.competitors))
        field = trf.field_of(tournament)
        coming = trf.coming(tournament)
    except SwissError as error:
        raise unreadable(_words(error), _place(error.path)) from None
    losses = Losses()
    for number in tournament.passed_over:
        losses.add("lines", _("Line %(line)d") % {"line": number})
    losses.add("lines", "Ctrl-Z", count=int(source.ended))
    headers = _headers(tournament, losses)
    for each in tournament.competitors:
        _count_lost(each, losses)
    gone = _dropped(tournament, coming)
    players = [
        BroughtPlayer(
            str(each.number),
            clean(each.name),
            dropped_after=gone.get(each.number),
            awarded="" if each.number in gone else coming.awarded.get(each.number, ""),
        )
        for each in tournament.competitors
    ]
    stage = BroughtStage(
        ROUND_ROBIN if "round robin" in headers.get(KIND, "").lower().replace("-", " ") else SWISS,
        tuple(
            tuple(
                _match(match) for match in matches if not (match.b is None and number > gone.get(int(match.a), number))
            )
            for number, matches in enumerate(field.rounds, 1)
        ),
        coming.planned,
    )
    return assembled(
        "trf",
        players,
        [stage],
        losses,
        name=clean(headers.get(NAME, "")),
        place=clean(headers.get(PLACE, "")),
        starts_at=_date(headers.get(START, "")),
        apart=[(str(first), str(second)) for first, second in coming.apart],
    )


def _words(error: SwissError) -> str:
    """The message of an error in the reader's language."""
    return _(error.template) % error.values if isinstance(error, trf.TrfError) else error.message


def _place(path: str) -> str:
    found = _LINE.fullmatch(path)
    return _("Line %(line)d") % {"line": int(found[1])} if found else path


def _headers(tournament: trf.Tournament, losses: Losses) -> dict[str, str]:
    found: dict[str, str] = {}
    for code, text in tournament.headers:
        if code in (NAME, PLACE, START, KIND):
            found.setdefault(code, text.strip())
        elif code not in FOLLOWS and text.strip():
            losses.add("staff" if code in STAFF else "lines", code)
    return found


def _count_lost(each: trf.Competitor, losses: Losses) -> None:
    values = (
        ("ratings", each.rating),
        ("titles", each.title),
        ("federations", each.federation),
        ("ids", each.id),
        ("birth_dates", each.birth),
        ("genders", each.sex),
    )
    for code, value in values:
        losses.add(code, count=int(bool(value)))


def _dropped(tournament: trf.Tournament, coming: trf.Coming) -> dict[int, int]:
    """How many rounds had been played when each player left, by start number.

    TRF only knows rounds without points. Those at the end mean that a player left, if the event is over or the next
    round is one of them.
    """
    found: dict[int, int] = {}
    played = tournament.played
    over = coming.planned == played
    for each in tournament.competitors:
        entries = each.entries[:played]
        last = max((n for n, entry in enumerate(entries, 1) if entry and entry.result != "Z"), default=0)
        away = over or coming.awarded.get(each.number) == "zero_bye"
        if away and last < played:
            found[each.number] = last
    return found


def _match(match: Match) -> BroughtMatch:
    games, kind = (match.games_a, match.games_b, match.drawn), match.kind
    if kind == "forfeit" and not any(games):
        kind = "no_show"  # neither was there
    return BroughtMatch(match.seats, games, kind)


def _date(text: str) -> datetime | None:
    """A date, year first or day first; noon in UTC. Raises `transfer_unreadable` outside the accepted years."""
    found = _DATE.match(text)
    if not found:
        return None
    first, month, last = map(int, found.groups())
    year, day = (first, last) if first > 31 else (last, first)
    if month > 12:  # the month came first
        month, day = day, month
    try:
        date = datetime(year + 2000 if year < 100 else year, month, day, NOON, tzinfo=UTC)
    except ValueError:
        return None
    if not is_accepted(date):
        raise unreadable(str(OUT_OF_RANGE), START)
    return date
