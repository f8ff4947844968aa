"""Gestures of a round: the event started and finished, rounds paired, the clock run, results given."""

from tournaments.play.services.clocks import extend_round, extend_table, pause_clock, resume_clock, start_clock
from tournaments.play.services.events import drop, finish_event, reinstate, start_event
from tournaments.play.services.results import (
    confirm_result,
    contest_result,
    override_result,
    record_evidence,
    report_result,
    rule_result,
    void_result,
)
from tournaments.play.services.rounds import close_round, discard_draft, pair_round, publish_round

__all__ = [
    "close_round",
    "confirm_result",
    "contest_result",
    "discard_draft",
    "drop",
    "extend_round",
    "extend_table",
    "finish_event",
    "override_result",
    "pair_round",
    "pause_clock",
    "publish_round",
    "record_evidence",
    "reinstate",
    "report_result",
    "resume_clock",
    "rule_result",
    "start_clock",
    "start_event",
    "void_result",
]
