"""Words for judge calls, infractions, penalties, rulings and corrections of a log."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.audits.models import Branch, Ruling
from tournaments.judging.models import Call, Penalty

MATTERS: Mapping[str, Promise] = {
    Call.Matter.UNSAID: _("Not specified"),
    Call.Matter.RULES: _("A question about the rules"),
    Call.Matter.MISTAKE: _("Something went wrong in the game"),
    Call.Matter.SLOW: _("The pace of play"),
    Call.Matter.PRIVATE: _("Something to discuss away from the table"),
}


CALL_STATES: Mapping[str, Promise] = {
    Call.Status.WAITING: _("waiting for a judge"),
    Call.Status.CLAIMED: _("a judge is on the way"),
    Call.Status.RESOLVED: _("resolved"),
    Call.Status.WITHDRAWN: _("taken back"),
}


ARRIVED = _("a judge is at the table")  # a claimed call whose judge has arrived


CATEGORIES: Mapping[str, Promise] = {
    "play": _("Play"),
    "deck": _("Deck and list"),
    "time": _("Time"),
    "procedure": _("Procedure"),
    "conduct": _("Conduct"),
}


INFRACTIONS: Mapping[str, Promise] = {
    "misplay": _("Misplay"),
    "missed": _("Missed their own effect or step"),
    "cards_seen": _("Saw hidden cards"),
    "cards_drawn": _("Drew too many cards"),
    "board_mixed_up": _("Board mixed up beyond repair"),
    "list_wrong": _("Wrong list"),
    "list_missing": _("List missing"),
    "deck_wrong": _("Wrong deck"),
    "cards_marked": _("Marked cards"),
    "poor_shuffle": _("Poor shuffling"),
    "late": _("Late"),
    "slow_play": _("Slow play"),
    "wrong_report": _("Wrong result reported"),
    "instruction_ignored": _("Instruction ignored"),
    "outside_help": _("Help from outside"),
    "unsporting": _("Unsporting conduct"),
    "insult": _("Insult or threat"),
    "result_by_chance": _("Result decided at random"),
    "bribe": _("Bribery"),
    "stalling": _("Stalling"),
    "cheating": _("Cheating"),
    "violence": _("Violence"),
}


LEVELS: Mapping[str, Promise] = {
    Penalty.Level.WARNING: _("Warning"),
    Penalty.Level.GAME_LOSS: _("Game loss"),
    Penalty.Level.MATCH_LOSS: _("Match loss"),
    Penalty.Level.DISQUALIFICATION: _("Disqualification"),
}


WHENS: Mapping[str, Promise] = {
    Penalty.When.NOW: _("this game, now"),
    Penalty.When.NEXT_GAME: _("the next game"),
    Penalty.When.NEXT_ROUND: _("the next round"),
}


SERVED: Mapping[str, Promise] = {
    "record": _("for the record only"),
    "waits": _("waiting for the next round"),
    "served": _("served"),
    "withdrawn": _("withdrawn"),
}


DECISIONS: Mapping[str, Promise] = {
    Ruling.Decision.KEEP: _("The result is kept"),
    Ruling.Decision.CHANGE: _("The result is changed"),
    Ruling.Decision.REPLAY: _("It is played again"),
}


FIRST_RESULT = _("The result is set")  # a decision to change where there was no result before


CORRECTIONS: Mapping[str, Promise] = {
    Branch.Correction.UNDO: _("The move is undone"),
    Branch.Correction.REPLACE: _("Another move takes its place"),
    Branch.Correction.INSERT: _("A ruling or a move follows it"),
    Branch.Correction.SWAP: _("It swaps places with the next move"),
    Branch.Correction.CONTINUE: _("The game continues differently after it"),
}
