"""Names and explanations of schemes and tiebreaks, and the formatting of their figures."""

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments.swiss.tiebreaks import ABSOLUTE, RELATIVE


class Words(NamedTuple):
    """The heading of a figure and a sentence that explains it. A `share` (0 to 1) is shown as a percentage."""

    short: Promise | str
    long: Promise | str
    share: bool = False


WORDS: Mapping[str, Words] = {
    "points": Words(
        _("Points"),
        _(
            "Match points: 3 for a win or a bye and 1 for a draw, unless the event sets other values; "
            "1 and ½ under FIDE rules."
        ),
    ),
    "omw": Words(
        "OMW%",
        _("Opponents’ match-win percentage: the mean share of match points that the opponents won."),
        share=True,
    ),
    "gw": Words("GW%", _("Game-win percentage: the share of game points won."), share=True),
    "ogw": Words("OGW%", _("Opponents’ game-win percentage: the mean over the opponents met."), share=True),
    "oomw": Words("OOMW%", _("The mean of the opponents’ OMW%."), share=True),
    "omw_1000": Words("OMW ‰", _("OMW% in thousandths, rounded.")),
    "oomw_1000": Words("OOMW ‰", _("The mean of the opponents’ OMW%, in thousandths, rounded.")),
    "lost_squares": Words(
        _("Losses²"), _("The numbers of the rounds lost, squared and added: a later loss is the better one.")
    ),
    "sos": Words("SoS", _("Strength of schedule: the mean of the opponents’ points a round.")),
    "esos": Words("ESoS", _("Extended strength of schedule: the mean of the opponents’ SoS.")),
    "buchholz": Words("Buchholz", _("The sum of the opponents’ points.")),
    "buchholz_cut1": Words("Buchholz −1", _("Buchholz without its lowest term.")),
    "buchholz_cut2": Words("Buchholz −2", _("Buchholz without its two lowest terms.")),
    "buchholz_median": Words(_("Buchholz median"), _("Buchholz without its lowest and its highest term.")),
    "sonneborn_berger": Words(
        "Sonneborn-Berger", _("The points of the opponents beaten, and half the points of those drawn with.")
    ),
    "direct": Words(
        _("Direct encounter"),
        _("By the matches among the players who are still tied: how many of them this player has beaten."),
    ),
    "cumulative": Words(_("Cumulative"), _("The points after each round, added: early points count more often.")),
    "wins": Words(_("Wins"), _("Matches won, byes not counted.")),
    "win": Words("WIN (FIDE)", _("Rounds that gave the points of a win: byes and forfeits count.")),
    "won": Words("WON (FIDE)", _("Matches won by playing them: byes and forfeits do not count.")),
    "games_won": Words(_("Games won"), _("Games won, those of byes not counted.")),
    "board_points": Words(_("Board points"), _("Boards won, and half of those drawn; without teams, games.")),
    "board_buchholz": Words(_("Buchholz of boards"), _("The sum of the opponents’ board points.")),
    "board_sonneborn_berger": Words(
        _("Olympiad Sonneborn-Berger"),
        _("For each opponent, its match points times the board points won against it; the sum of these."),
    ),
    "berlin": Words(
        _("Berlin"),
        _("Board points times the weight of the board: the last board counts 1, the one before it 2, and so on."),
    ),
    "opponents_rank": Words(_("Opponents’ rank"), _("The mean of the opponents’ ranks so far: lower is better.")),
    "tables_won": Words(_("Tables won"), _("Tables won; a shared first place counts as a fraction.")),
    "victory_share": Words(
        _("Victory points %"), _("The average share of the victory points scored at the player’s tables."), share=True
    ),
    "random": Words(_("Random draw"), _("A draw from the seed of the stage: anyone can compute it again.")),
}

SCHEMES: Mapping[str, Promise] = {
    "mtr": _("Magic tournament rules"),
    "pokemon": _("Play! Pokémon"),
    "yugioh": _("Yu-Gi-Oh! tournament policy"),
    "lorcana": _("Lorcana: as Magic, byes left out"),
    "netrunner": _("Netrunner: strength of schedule"),
    "fide": _("FIDE: Buchholz and Sonneborn-Berger"),
    "altered": _("Altered: as Magic"),
}

MADE: Mapping[str, Promise] = {
    "sum": _("The sum of:"),
    "mean": _("The mean of:"),
    "share": _("Won out of what was possible:"),
    "rounded": _("Rounded from:"),
    "order": _("The matches that decide:"),
}
"""Headings for the parts of a figure, by how they combine."""

NOTES: Mapping[str, Promise] = {
    "floor": _("raised to the lowest value that counts"),
    "ceiling": _("lowered to the highest value that counts for a player who dropped"),
    "cut": _("left out"),
    "virtual": _("not played: counts as against an equal opponent"),
}
"""What was done to a part of a figure. A part of the points has the kind of its match instead."""


def tiebreak_choices() -> list[tuple[str, str]]:
    """The tiebreaks for matches between two players, as (name, heading) choices for a form."""
    return [(name, str(words.short)) for name, words in WORDS.items() if name in ABSOLUTE or name in RELATIVE]


def words_of(name: str) -> Words:
    """The words of a tiebreak; just its name if it is unknown."""
    return WORDS.get(name, Words(name, ""))


def figure(value: Fraction | str | float, *, share: bool) -> str:
    """A figure in the page's language: a share as a percentage with two decimals, others with up to four decimals."""
    return _figure(value, share, get_language())


# Cached, because a long table repeats few values. `_language` is only part of the key: `number_format` reads it itself.
@lru_cache(maxsize=4096)
def _figure(value: Fraction | str | float, share: bool, _language: str | None) -> str:
    exact = Fraction(value)
    if share:
        return number_format(_rounded(100 * exact, "0.01"), 2)
    rounded = _rounded(exact, "0.0001").normalize()
    return number_format(rounded, max(0, -int(rounded.as_tuple().exponent)))


def record_words(record: Iterable[int], byes: int = 0) -> str:
    """Matches won, lost and drawn, and byes if any, which also give points: `2–0–0 +1 bye`."""
    text = "–".join(map(str, record))
    if not byes:
        return text
    return f"{text} " + ngettext("+%(count)d bye", "+%(count)d byes", byes) % {"count": byes}


def _rounded(value: Fraction, places: str) -> Decimal:
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal(places), ROUND_HALF_UP)
