"""Words for the verdicts and findings of audits, and what a judge can do next.

The keys are the codes in the engine's reports.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

VERDICTS: Mapping[str, Promise] = {
    "confirmed": _("Confirmed: every move is legal and the claimed winner won."),
    "undetermined": _("Undetermined: the log leaves open what happened."),
    "consistent_from": _("Consistent: every move is legal from the declared position."),
    "plausible": _("Plausible: the scores noted can be right, but no move was recorded."),
    "overturned": _("Contradicts the claimed result: every move is legal, but somebody else won."),
    "illegal_action": _("Illegal move: every move before it is legal, and the moves after it prove nothing."),
    "impossible_log": _("Impossible: what the log describes cannot have happened."),
    "unfinished": _("Unfinished: every move is legal, but the game does not end."),
    "unreadable": _("Unreadable: the log cannot be replayed."),
}


VERDICTS_SHORT: Mapping[str, Promise] = {
    "confirmed": pgettext_lazy("a verdict", "Confirmed"),
    "undetermined": _("Undetermined"),
    "consistent_from": _("Consistent"),
    "plausible": _("Plausible"),
    "overturned": _("Contradicts the claimed result"),
    "illegal_action": _("Illegal move"),
    "impossible_log": _("Impossible"),
    "unfinished": _("Unfinished"),
    "unreadable": _("Unreadable"),
}


VERDICT_BADGES: Mapping[str, str] = {
    "confirmed": "ok",
    "consistent_from": "ok",
    "plausible": "info",
    "unfinished": "warn",
    "undetermined": "warn",
    "overturned": "bad",
    "illegal_action": "bad",
    "impossible_log": "bad",
    "unreadable": "bad",
}


BULK_STATES: Mapping[str, Promise] = {
    "running": _("under way"),
    "done": _("done"),
    "cancelled": _("cancelled"),
    "failed": _("abandoned"),
}


NEXT_STEPS: Mapping[str, Promise] = {
    "confirmed": _("Consider who recorded the log. If you trust that person, the log supports the claimed winner."),
    "undetermined": _("Ask for what is missing, or rule on it, then have the log audited with the answer."),
    "consistent_from": _("What came before the position is not verified: make sure that both players agree to it."),
    "plausible": _("The points alone decide nothing. If the result is contested, ask for a log of the moves."),
    "overturned": _("Ask both players about the last turns. If the log is right, rule for the winner found."),
    "illegal_action": _(
        "Look at the board before the move and ask both players. If both accepted it, the result normally stands."
    ),
    "impossible_log": _(
        "Compare with the registered lists, and ask the person who recorded the game: it is a mistake or another deck."
    ),
    "unfinished": _("Ask how the game ended. A log with its end can be added and audited."),
    "unreadable": _("Ask for the log again. The place where it breaks off is shown below."),
}


ANSWERS: Mapping[str, Promise] = {
    "legal": _("Yes: this move is legal."),
    "illegal": _("No: this move is illegal."),
    "undetermined": _("It depends: ask the table for what is missing."),
    "unreadable": _("The position or the move cannot be read."),
}


ANSWER_BADGES: Mapping[str, str] = {"legal": "ok", "illegal": "bad", "undetermined": "warn", "unreadable": "bad"}


FINDINGS: Mapping[str, Promise] = {
    "player_unknown": _("Seat %(seat)s: the log does not name an entrant of this match."),
    "no_list": _("Seat %(seat)s: this player has registered no list."),
    "no_deck": _("Seat %(seat)s: the log has no deck."),
    "deck_differs": _("Seat %(seat)s: the deck of the log differs from the registered list."),
    "no_pool": _("Seat %(seat)s: this player has registered no pool."),
    "deck_illegal": _("Seat %(seat)s: the deck of the log is not legal with the registered pool."),
    "other_game": _("The log says that it belongs to another game."),
    "log_reused": _("The same log was submitted for another game."),
}
