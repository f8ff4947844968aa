"""Words for the kinds of a result, and for its authority and evidence.

Authority is who stands behind a result; evidence is how far a move log proves it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.play.models import Match, Report
from tournaments.swiss.teams import boards_won, is_by_board
from tournaments.web.words.meaning import Meaning, described

KINDS: Mapping[str, Promise] = {
    Match.Kind.PLAYED: _("Played"),
    Match.Kind.BYE: _("Bye"),
    Match.Kind.HALF_BYE: _("Half bye"),
    Match.Kind.ZERO_BYE: _("Bye without points"),
    Match.Kind.MISSED: _("Missed round"),
    Match.Kind.NO_SHOW: _("No-show"),
    Match.Kind.FORFEIT: _("Forfeit"),
    Match.Kind.CONCESSION: _("Concession"),
    Match.Kind.INTENTIONAL_DRAW: _("Intentional draw"),
    Match.Kind.PENALTY_LOSS: _("Loss by penalty"),
    Match.Kind.DOUBLE_LOSS: _("Double loss"),
    Match.Kind.TIME: _("Ended by time"),
    Match.Kind.DISQUALIFIED: _("Disqualification"),
}


AUTHORITIES: Mapping[str, Promise] = {
    Match.Authority.NONE: _("There is no result yet."),
    Match.Authority.CLAIMED: _("Reported by one player."),
    Match.Authority.AGREED: _("Confirmed by both players."),
    Match.Authority.WITNESSED: _("Entered at the desk."),
    Match.Authority.RULED: _("Ruled by a judge."),
}


EVIDENCE_SHORT: Mapping[str, Promise] = {
    Match.Evidence.NONE: _("No move log proves this result."),
    Match.Evidence.PLAUSIBLE: _("A score pad makes this result plausible."),
    Match.Evidence.CONSISTENT: _("A log from a declared position is consistent with this result."),
    Match.Evidence.REPLAYED: _("A complete log was replayed: every move is legal."),
}


REPORT_STATES: Mapping[str, Promise] = {
    Report.Status.STANDING: _("waiting for the opponent"),
    Report.Status.COUNTER: _("differs from the earlier report"),
    Report.Status.CONFIRMED: _("valid"),
    Report.Status.CONTESTED: _("contested"),
    Report.Status.REPLACED: _("replaced"),
}


def score_words(games: Sequence[Any]) -> str:
    """A score as people write it: `2–1`, or `2–1–1` with a third figure for drawn games.

    For a multiplayer table, `games` has the rank and victory points (or None) of each seat: `2 (5), 1 (9), 3`. For a
    team match it has the games of each board: `2–1 (2–0, 1–2, 2–1)`.
    """
    if is_by_board(games):
        return f"{score_words(boards_won(games))} ({', '.join(score_words(board) for board in games)})"
    if games and isinstance(games[0], Sequence):
        return ", ".join(f"{rank}" if score is None else f"{rank} ({score})" for rank, score in games)
    first, second, drawn = games
    return f"{first}–{second}" + (f"–{drawn}" if drawn else "")


KIND = described(
    KINDS,
    bye=(_("No opponent this round: counts as a win."), ""),
    half_bye=(_("No opponent this round: counts as a draw."), ""),
    zero_bye=(_("No opponent this round: counts as a loss."), ""),
    missed=(_("Missing in this round: counts as a loss."), ""),
    no_show=(_("The opponent did not come."), ""),
    forfeit=(_("Conceded without playing."), ""),
    concession=(_("One player conceded the match."), ""),
    intentional_draw=(_("Both players agreed on a draw."), ""),
    penalty_loss=(_("A judge’s penalty decided the match."), ""),
    double_loss=(_("Nobody wins this match."), ""),
    time=(_("The match ended when time was called."), ""),
    disqualified=(_("A player was disqualified."), ""),
)


AUTHORITY: Mapping[str, Meaning] = {
    Match.Authority.NONE: Meaning(_("No result yet"), AUTHORITIES[Match.Authority.NONE], ""),
    Match.Authority.CLAIMED: Meaning(
        _("Reported"), _("One player reported it; the opponent has not answered yet."), "warn"
    ),
    Match.Authority.AGREED: Meaning(pgettext_lazy("a result", "Final"), _("Both players confirm this result."), "ok"),
    Match.Authority.WITNESSED: Meaning(pgettext_lazy("a result", "Final"), _("The desk entered this result."), "ok"),
    Match.Authority.RULED: Meaning(_("Ruled"), _("A judge decided this result."), "ok"),
}


EVIDENCE: Mapping[str, Meaning] = {
    Match.Evidence.NONE: Meaning(_("No proof"), EVIDENCE_SHORT[Match.Evidence.NONE], ""),
    Match.Evidence.PLAUSIBLE: Meaning(_("Plausible"), EVIDENCE_SHORT[Match.Evidence.PLAUSIBLE], "info"),
    Match.Evidence.CONSISTENT: Meaning(_("Consistent"), EVIDENCE_SHORT[Match.Evidence.CONSISTENT], "info"),
    Match.Evidence.REPLAYED: Meaning(
        pgettext_lazy("a proof", "Checked"), EVIDENCE_SHORT[Match.Evidence.REPLAYED], "ok"
    ),
}


BEHIND: Mapping[str, Meaning] = {
    "": Meaning(""),
    "player": Meaning(_("by one player")),
    "players": Meaning(_("confirmed by both players")),
    "desk": Meaning(_("entered by the desk")),
    "judge": Meaning(_("by a judge")),
}


# The kinds of result that players may report, as their form offers them.
PLAYER_KINDS: Mapping[str, Promise] = {
    Match.Kind.PLAYED: _("Played out"),
    Match.Kind.CONCESSION: _("Concession: one player concedes"),
    Match.Kind.INTENTIONAL_DRAW: _("Intentional draw: both agreed not to play"),
}
