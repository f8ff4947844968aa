"""The contents of each printed sheet as plain values, from which both the print pages and the PDFs are made."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from django.db.models import Prefetch, QuerySet
from django.urls import get_script_prefix
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.common.letters import folded
from tournaments.common.names import SortKey
from tournaments.decks.access import lists_are_open
from tournaments.decks.engine_gate import card_names
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Entrant, Event
from tournaments.events.seats import seat_signature
from tournaments.events.selectors import current_stage, names_and_keys_of, names_of, public_names, sort_keys_of
from tournaments.events.services import BOUNDS
from tournaments.events.visibility import PUBLIC
from tournaments.paper.models import Paper
from tournaments.play.boards import boards_in, sittings_of
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import choosers_of, pairings_of, points_before
from tournaments.standings.awards import awards_of, named
from tournaments.standings.selectors import final_rows, stage_to_show, standings_of
from tournaments.standings.words import figure, record_words, words_of

Kind = Paper.Kind
SLIPS_A_PAGE = 4


@dataclass(frozen=True)
class SlipSeat:
    """A player on a match slip: the name, and the match points before the round."""

    name: str
    points: Fraction

    @property
    def told(self) -> str:
        """The points in words, such as "4.5 points"."""
        counted = {"count": figure(self.points, share=False)}
        return ngettext("%(count)s point", "%(count)s points", ceil(self.points)) % counted


@dataclass(frozen=True)
class Slip:
    """The match slip of a table. With `several` (a table of up to five), seats have ranks and points instead of games.

    `starts` says who starts, or who may choose it, in stages after a cut; else "". A slip with `boards` is of a team
    match: it has a line for each board, with the names of its two players.
    """

    table: int
    seats: tuple[SlipSeat, ...]
    best_of: int
    several: bool = False
    starts: str = ""
    boards: tuple[tuple[str, str], ...] = ()

    @property
    def results(self) -> list[str]:
        """The results of a board to circle, seen from its first player, such as `2–0`."""
        needed = self.best_of // 2 + 1
        won = [(needed, lost) for lost in range(needed)]
        level = [] if self.best_of == 1 else [(needed - 1, needed - 1)]
        every = [*won, *level, *((lost, needed) for _won, lost in reversed(won))]
        return [f"{first}–{second}" for first, second in every]

    @property
    def wins(self) -> range:
        """The numbers of games that a player may have won: from 0 to those needed to win the match."""
        return range(self.best_of // 2 + 2)

    @property
    def draws(self) -> range:
        """The numbers of games that may have been drawn."""
        return range(self.best_of)


@dataclass(frozen=True)
class SlipSheet:
    """The match slips of a round, in the order of the tables."""

    title: str
    event: str
    slips: tuple[Slip, ...]

    @property
    def pages(self) -> list[list[Slip | None]]:
        """Four per page, collated: see `collated`."""
        return collated(self.slips)


@dataclass(frozen=True)
class Column:
    """A column of a list: its heading, its share of the width (0 to 1), and whether it holds numbers."""

    heading: str
    share: float
    figures: bool = False


@dataclass(frozen=True)
class ListSheet:
    """A table of any length: pairings, standings or seats."""

    title: str
    event: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class DeckSheet:
    """An entrant's decklist for a deck check, with a box to tick for each line. `digest` identifies the version.

    Each of `sections` is a title and its lines, each the number of copies and the name of a card.
    """

    title: str
    event: str
    name: str
    digest: str
    sections: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]


@dataclass(frozen=True)
class LinkSheet:
    """Cards to cut out, each a name and the URL of its seat link, sorted by name."""

    title: str
    event: str
    cards: tuple[tuple[str, str], ...]


Sheet = SlipSheet | ListSheet | DeckSheet | LinkSheet


def collated(slips: Sequence[Slip]) -> list[list[Slip | None]]:
    """Arrange slips on pages of four, so that the whole pile can be cut at once.

    Cut the pile, put the four stacks on top of each other, and the slips are in order. None is an empty place.
    """
    # Rounded up.
    pages = -(-len(slips) // SLIPS_A_PAGE)
    padded: list[Slip | None] = [*slips, *([None] * (pages * SLIPS_A_PAGE - len(slips)))]
    return [padded[page::pages] for page in range(pages)]


def sheets_of(event: Event, round_: Round | None, kind: str, site: str = "") -> list[Sheet]:
    """The sheets of a kind, in the active language. The kinds of `access.ROUND_KINDS` need a `round_`.

    `site` is the origin for links, such as `https://play.example.org`.
    """
    if kind == Kind.SEAT_LINKS:
        return [_seat_links(event, site)]
    if kind == Kind.STANDINGS:
        return [_standings(event)]
    if kind == Kind.FINAL:
        return [_final(event), *_categories(event)]
    if kind == Kind.SEATS:
        return [_seats(event)]
    if kind == Kind.DECKS:
        return list(_decks(event))
    # The access function has checked that the other kinds come with a round.
    assert round_ is not None
    makers: dict[str, Callable[[Event, Round], Sheet]] = {
        Kind.BY_NAME: _by_name,
        Kind.BY_TABLE: _by_table,
        Kind.SLIPS: _slips,
    }
    wanted = list(makers.values()) if kind == Kind.ROUND else [makers[kind]]
    sheets = [make(event, round_) for make in wanted]
    # Before round 1 there are no standings to pin up.
    return [*sheets, _standings(event)] if kind == Kind.ROUND and round_.number > 1 else sheets


def _round_title(words: str, round_: Round) -> str:
    return _("%(words)s, round %(number)d") % {"words": words, "number": round_.number}


def _in_order(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: seat.number)


def _slips(event: Event, round_: Round) -> SlipSheet:
    matches = list(_seated(round_))
    names = names_of(Entrant.objects.filter(seats__round=round_))
    points = points_before(round_)
    choosers = choosers_of(round_, matches)
    boards = _boards(event, round_)
    slips = tuple(
        Slip(
            match.table,
            tuple(
                SlipSeat(names[seat.entrant_id], points.get(seat.entrant_id, Fraction(0))) for seat in _in_order(match)
            ),
            round_.stage.best_of,
            match.has_ranks,
            _starts(match, choosers.get(match.pk), names),
            tuple(boards.get(match.pk, ())),
        )
        for match in matches
        if match.table is not None
    )
    return SlipSheet(_round_title(_("Match slip"), round_), event.name, slips)


def _boards(event: Event, round_: Round) -> dict[int, list[tuple[str, str]]]:
    """The names of the two players of each board, by the key of the match; empty unless teams play by boards.

    Before the pairings are published, they are those who would sit there now.
    """
    found: dict[int, list[tuple[str, str]]] = {}
    if event.has_boards:
        for match, lines in boards_in(round_).items():
            found[match] = [(first.name, second.name) for first, second in lines]
    return found


def _seated(round_: Round) -> QuerySet[Match]:
    """The matches of a round that have a table, in order, with their seats only: names are read in one query."""
    seats = Prefetch("seats", queryset=Seat.objects.select_related(None))
    return (
        round_.matches
        .filter(table__isnull=False)
        .select_related("round__stage")
        .prefetch_related(seats)
        .order_by("table", "pk")
    )


def _starts(match: Match, chooser: Seat | None, names: Mapping[int, str]) -> str:
    if chooser is None:
        return ""
    chosen = next((seat for seat in match.seats.all() if seat.number == match.starts), None)
    line = _("%(name)s starts.") if chosen else _("%(name)s chooses who starts.")
    return line % {"name": names[(chosen or chooser).entrant_id]}


def _by_table(event: Event, round_: Round) -> ListSheet:
    boards, rows = _boards(event, round_), []
    for match in pairings_of(round_):
        rows.append((str(match.table or "–"), " – ".join(name for _key, name in match.seats)))
        # The players of a team match have lines of their own under it.
        lines = enumerate(boards.get(match.match, ()), 1)
        rows += [("", f"{number}. {' – '.join(players)}") for number, players in lines]
    playing = _("Teams") if event.is_team_event else _("Players")
    columns = (Column(_("Table"), 0.14, figures=True), Column(playing, 0.86))
    return ListSheet(_round_title(_("Pairings by table"), round_), event.name, columns, tuple(rows))


def _members_by_name(event: Event, round_: Round) -> ListSheet:
    """Where each member of the teams sits, in an event that teams play by boards."""
    rows = tuple(
        (
            each.name,
            str(each.table or "–"),
            str(each.board or "–"),
            f"{each.opponent} ({each.against})" if each.opponent else _("Bye"),
        )
        for each in sittings_of(round_)
    )
    columns = (
        Column(_("Name"), 0.34),
        Column(_("Table"), 0.11, figures=True),
        Column(_("Board"), 0.11, figures=True),
        Column(_("Opponent"), 0.44),
    )
    return ListSheet(_round_title(_("Pairings by name"), round_), event.name, columns, rows)


def _by_name(event: Event, round_: Round) -> ListSheet:
    if event.has_boards:
        return _members_by_name(event, round_)
    keys, rows = sort_keys_of(Entrant.objects.filter(seats__round=round_)), []
    for match in pairings_of(round_):
        for entrant, name in match.seats:
            others = ", ".join(other for key, other in match.seats if key != entrant) or _("Bye")
            rows.append((keys.get(entrant, ()), (name, str(match.table or "–"), others)))
    columns = (Column(_("Name"), 0.42), Column(_("Table"), 0.14, figures=True), Column(_("Opponent"), 0.44))
    title = _round_title(_("Pairings by name"), round_)
    return ListSheet(title, event.name, columns, tuple(row for _key, row in sorted(rows)))


def _standings(event: Event) -> ListSheet:
    """The newest standings with the first three tiebreaks; more do not fit on A4."""
    stage = stage_to_show(event)
    state = standings_of(stage)
    names = public_names(event)
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
    """One ranking over all stages."""
    names = public_names(event)
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
    return ListSheet(_("Final ranking") if event.is_over else _("Current ranking"), event.name, columns, rows)


def _categories(event: Event) -> Iterator[ListSheet]:
    """The winners of the prize categories, as everybody may see them; no sheet if there are none."""
    awards = awards_of(event, decks=lists_are_open(event, {PUBLIC}))
    if not awards:
        return
    columns = (Column(_("Prize"), 0.44), Column(_("Name"), 0.44), Column(_("Rank"), 0.12, figures=True))
    rows = tuple(
        (f"{award.category.name}: {award.group}" if award.group else award.category.name, who, str(award.rank))
        for award, who in named(awards, public_names(event))
    )
    yield ListSheet(_("Prize categories"), event.name, columns, rows)


def _seats(event: Event) -> ListSheet:
    """Seats for the player meeting, before any round: all players by name, two per table."""
    rows = tuple((name, str(n // 2 + 1), "AB"[n % 2]) for n, (name, _entrant) in enumerate(_playing(event)))
    columns = (Column(_("Name"), 0.66), Column(_("Table"), 0.17, figures=True), Column(_("Seat"), 0.17, figures=True))
    return ListSheet(_("Seats by name"), event.name, columns, rows)


def seat_address(entrant: Entrant, site: str) -> str:
    """The full URL of an entrant's seat link. `site` is the origin, such as `https://play.example.org`."""
    return f"{site}{get_script_prefix()}seat/{entrant.public_id}/{seat_signature(entrant)}/"


def _seat_links(event: Event, site: str) -> LinkSheet:
    # Each card is for its player alone, and the desk has to hand it to the right one.
    cards = tuple((name, seat_address(entrant, site)) for name, entrant in _playing(event, full=True))
    return LinkSheet(_("Check in and find your seat"), event.name, cards)


def _playing(event: Event, *, full: bool = False) -> list[tuple[str, Entrant]]:
    """The registered entrants with their `full` or public names, sorted by family name."""
    entrants = event.entrants.filter(status=Entrant.Status.REGISTERED)
    names, keys = names_and_keys_of(entrants, full=full)
    in_order = sorted(entrants.order_by("registered_at", "pk"), key=lambda entrant: keys.get(entrant.pk, ()))
    return [(names.get(entrant.pk, entrant.public_id), entrant) for entrant in in_order]


def _decks(event: Event) -> Iterator[DeckSheet]:
    lists = current_lists(current_stage(event)).filter(entrant__status=Entrant.Status.REGISTERED)
    found = list(lists.select_related("entrant", "member__person").prefetch_related("entrant__member_set__person"))
    names = card_names(event) if found else {}
    for decklist in sorted(found, key=_place_of):
        yield DeckSheet(
            title=_("Deck check"),
            event=event.name,
            name=decklist.full_name,
            digest=decklist.digest[:12],
            sections=tuple(_sections(decklist, names)),
        )


def _place_of(decklist: Decklist) -> tuple[SortKey, int]:
    """By the family name of the player, or the name of the team and the board; substitutes come last."""
    board = decklist.member.board if decklist.member else None
    return decklist.entrant.sort_key, board or BOUNDS["team_size"][1] + 1


def _sections(decklist: Decklist, names: Mapping[str, str]) -> Iterator[tuple[str, tuple[tuple[int, str], ...]]]:
    """The sections of a decklist with their cards sorted by name; the plain text of a list that was not checked."""
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
