"""What stands on each sheet, as plain values: the print pages and the PDF are made of the same."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from django.urls import get_script_prefix
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.common.names import folded
from tournaments.decks.engine_gate import card_names
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Entrant, Event
from tournaments.events.seats import seat_signature
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.paper.models import Paper
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import choosers_of, matches_of, points_before
from tournaments.standings.selectors import final_rows, standings_of
from tournaments.standings.words import figure, record_words, words_of

Kind = Paper.Kind
SLIPS_A_PAGE = 4


@dataclass(frozen=True)
class SlipSeat:
    """A player of a slip: the name, and the match points before the round."""

    name: str
    points: Fraction

    @property
    def told(self) -> str:
        """The points in words, halves too."""
        counted = {"count": figure(self.points, share=False)}
        return ngettext("%(count)s point", "%(count)s points", ceil(self.points)) % counted


@dataclass(frozen=True)
class Slip:
    """The slip of one table. At a table of `several`, up to five, each seat has a rank and points instead of games.

    `starts` says who starts, or who chooses that, after a cut.
    """

    table: int
    seats: tuple[SlipSeat, ...]
    best_of: int
    several: bool = False
    starts: str = ""

    @property
    def wins(self) -> range:
        """The games that a player may have won: 0 to what the match needs."""
        return range(self.best_of // 2 + 2)

    @property
    def draws(self) -> range:
        """The games that may have been drawn."""
        return range(self.best_of)


@dataclass(frozen=True)
class SlipSheet:
    """The slips of a round, in the order of the tables."""

    title: str
    event: str
    slips: tuple[Slip, ...]

    @property
    def pages(self) -> list[list[Slip | None]]:
        """Four a page, collated: cut the whole pile, put the four heaps on each other, and the tables are in order."""
        return collated(self.slips)


@dataclass(frozen=True)
class Column:
    """A column of a list: its heading, its share of the width, and whether it holds figures."""

    heading: str
    share: float
    figures: bool = False


@dataclass(frozen=True)
class ListSheet:
    """A list of any length: pairings, standings, seats."""

    title: str
    event: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class DeckSheet:
    """One entrant's registered list, with a box to tick for each line. `digest` names the version."""

    title: str
    event: str
    name: str
    digest: str
    sections: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]


@dataclass(frozen=True)
class LinkSheet:
    """Cards with a name and the address of its seat link, in the order of names."""

    title: str
    event: str
    cards: tuple[tuple[str, str], ...]


Sheet = SlipSheet | ListSheet | DeckSheet | LinkSheet


def collated(slips: Sequence[Slip]) -> list[list[Slip | None]]:
    """Slips four a page, so that the heaps of the guillotine follow on each other; None is an empty place."""
    pages = -(-len(slips) // SLIPS_A_PAGE)
    padded: list[Slip | None] = [*slips, *([None] * (pages * SLIPS_A_PAGE - len(slips)))]
    return [padded[page::pages] for page in range(pages)]


def sheets_of(event: Event, round_: Round | None, kind: str, site: str = "") -> list[Sheet]:
    """The sheets of a kind in the language in force; `round_` is needed by the kinds of `access.ROUND_KINDS`.

    Addresses on it lead to `site`, such as `https://play.example.org`.
    """
    if kind == Kind.SEAT_LINKS:
        return [_seat_links(event, site)]
    if kind == Kind.STANDINGS:
        return [_standings(event)]
    if kind == Kind.FINAL:
        return [_final(event)]
    if kind == Kind.SEATS:
        return [_seats(event)]
    if kind == Kind.DECKS:
        return list(_decks(event))
    assert round_ is not None
    matches = list(matches_of(round_))
    makers: dict[str, Callable[[Event, Round, Sequence[Match]], Sheet]] = {
        Kind.BY_NAME: _by_name,
        Kind.BY_TABLE: _by_table,
        Kind.SLIPS: _slips,
    }
    wanted = list(makers.values()) if kind == Kind.ROUND else [makers[kind]]
    sheets = [make(event, round_, matches) for make in wanted]
    return [*sheets, _standings(event)] if kind == Kind.ROUND and round_.number > 1 else sheets


def _round_title(words: str, round_: Round) -> str:
    return _("%(words)s, round %(number)d") % {"words": words, "number": round_.number}


def _names(match: Match) -> list[str]:
    return [seat.entrant.name for seat in _in_order(match)]


def _in_order(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: seat.number)


def _slips(event: Event, round_: Round, matches: Sequence[Match]) -> SlipSheet:
    points = points_before(round_)
    choosers = choosers_of(round_, matches)
    slips = tuple(
        Slip(
            match.table,
            tuple(SlipSeat(seat.entrant.name, points.get(seat.entrant_id, Fraction(0))) for seat in _in_order(match)),
            round_.stage.best_of,
            match.has_ranks,
            _starts(match, choosers.get(match.pk)),
        )
        for match in matches
        if match.table is not None
    )
    return SlipSheet(_round_title(_("Match slip"), round_), event.name, slips)


def _starts(match: Match, chooser: Seat | None) -> str:
    if chooser is None:
        return ""
    chosen = next((seat for seat in match.seats.all() if seat.number == match.starts), None)
    said = _("%(name)s starts.") if chosen else _("%(name)s chooses who starts.")
    return said % {"name": (chosen or chooser).entrant.name}


def _by_table(event: Event, round_: Round, matches: Sequence[Match]) -> ListSheet:
    rows = tuple((str(match.table or "–"), " – ".join(_names(match))) for match in matches)
    columns = (Column(_("Table"), 0.14, figures=True), Column(_("Players"), 0.86))
    return ListSheet(_round_title(_("Pairings by table"), round_), event.name, columns, rows)


def _by_name(event: Event, round_: Round, matches: Sequence[Match]) -> ListSheet:
    rows = []
    for match in matches:
        names, keys = _names(match), [seat.entrant.sort_key for seat in _in_order(match)]
        for place, name in enumerate(names):
            others = ", ".join(names[:place] + names[place + 1 :]) or _("Bye")
            rows.append((keys[place], (name, str(match.table or "–"), others)))
    columns = (Column(_("Name"), 0.42), Column(_("Table"), 0.14, figures=True), Column(_("Opponent"), 0.44))
    title = _round_title(_("Pairings by name"), round_)
    return ListSheet(title, event.name, columns, tuple(row for _key, row in sorted(rows)))


def _standings(event: Event) -> ListSheet:
    """The newest standings with the first three tiebreaks: more does not fit on an A4."""
    stage = current_stage(event)
    state = standings_of(stage)
    names = {entrant.public_id: entrant.name for entrant in entrants_of(event)}
    terms = [(name, words_of(name)) for name in state.terms[:3]]
    columns = (
        Column(_("Rank"), 0.1, figures=True),
        Column(_("Name"), 0.57 - 0.13 * len(terms)),
        Column(_("Points"), 0.12, figures=True),
        Column(_("W–L–D"), 0.21, figures=True),
        *(Column(str(words.short), 0.13, figures=True) for _name, words in terms),
    )
    rows = tuple(
        (
            str(row["rank"]),
            names.get(row["entrant"], row["entrant"]),
            figure(row["points"], share=False),
            record_words(row["record"], row.get("byes", 0)),
            *(figure(row["exact"][name], share=words.share) for name, words in terms),
        )
        for row in state.rows
    )
    title = _("Standings after round %(number)d") % {"number": stage.first_round - 1 + state.round_number}
    return ListSheet(title, event.name, columns, rows)


def _final(event: Event) -> ListSheet:
    """Everybody in one ranking over all stages."""
    names = {entrant.public_id: entrant.name for entrant in entrants_of(event)}
    columns = (
        Column(_("Rank"), 0.12, figures=True),
        Column(_("Name"), 0.52),
        Column(_("Points"), 0.14, figures=True),
        Column(_("W–L–D"), 0.22, figures=True),
    )
    rows = tuple(
        (
            str(row["rank"]),
            names.get(row["entrant"], row["entrant"]),
            figure(row["points"], share=False),
            record_words(row["record"], row.get("byes", 0)),
        )
        for row in final_rows(event)
    )
    return ListSheet(_("Final ranking") if event.is_over else _("Ranking so far"), event.name, columns, rows)


def _seats(event: Event) -> ListSheet:
    """Everybody by name, two a table: seats for the player meeting, before any round."""
    rows = tuple((entrant.name, str(n // 2 + 1), "AB"[n % 2]) for n, entrant in enumerate(_playing(event)))
    columns = (Column(_("Name"), 0.66), Column(_("Table"), 0.17, figures=True), Column(_("Seat"), 0.17, figures=True))
    return ListSheet(_("Seats, all by name"), event.name, columns, rows)


def seat_address(entrant: Entrant, site: str) -> str:
    """The seat link of an entrant."""
    return f"{site}{get_script_prefix()}seat/{entrant.public_id}/{seat_signature(entrant)}/"


def _seat_links(event: Event, site: str) -> LinkSheet:
    cards = tuple((entrant.name, seat_address(entrant, site)) for entrant in _playing(event))
    return LinkSheet(_("Check in and find your seat"), event.name, cards)


def _playing(event: Event) -> list[Entrant]:
    """Who plays, by family name."""
    return sorted(entrants_of(event).filter(status=Entrant.Status.REGISTERED), key=lambda entrant: entrant.sort_key)


def _decks(event: Event) -> Iterator[DeckSheet]:
    lists = current_lists(current_stage(event)).filter(entrant__status=Entrant.Status.REGISTERED)
    found = list(lists.select_related("entrant").prefetch_related("entrant__member_set__person"))
    names = card_names(event) if found else {}
    for decklist in sorted(found, key=lambda each: each.entrant.sort_key):
        yield DeckSheet(
            title=_("Deck check"),
            event=event.name,
            name=decklist.entrant.full_name,
            digest=decklist.digest[:12],
            sections=tuple(_sections(decklist, names)),
        )


def _sections(decklist: Decklist, names: Mapping[str, str]) -> Iterator[tuple[str, tuple[tuple[int, str], ...]]]:
    """The parts of a list with their cards by name; a list that was not read by an engine is its own text."""
    parts = {part: value for part, value in decklist.cards.items() if value}
    if not parts:
        yield _("List"), tuple((1, line.strip()) for line in decklist.text.splitlines() if line.strip())
        return
    for part, value in parts.items():
        copies = value if isinstance(value, dict) else {str(value): 1}
        lines = sorted(
            ((count, names.get(ref, ref)) for ref, count in copies.items()), key=lambda line: folded(line[1])
        )
        yield str(_PARTS.get(part, part)), tuple(sorted(lines, key=lambda line: folded(line[1])))


_PARTS: Mapping[str, Promise] = {
    "commander": gettext_lazy("Commander"),
    "main": gettext_lazy("Main deck"),
    "side": gettext_lazy("Sideboard"),
}
