"""The actions of play, from the start of an event to its end: rounds, the clock, results, drops and losses.

Each is one action of a user: it checks, changes rows in one transaction, and writes a ledger entry. A refused action
raises a `Refusal` and changes nothing.
"""

from tournaments.play.services.board_reports import confirm_board, contest_board, report_board
from tournaments.play.services.byes import ask_bye, award_bye, take_bye_back
from tournaments.play.services.clock import (
    cancel_clock_start,
    extend_round,
    extend_table,
    pause_clock,
    resume_clock,
    start_clock,
)
from tournaments.play.services.desk import enter_result, undo_result
from tournaments.play.services.draft_clock import move_draft, pause_draft, resume_draft, start_draft, undo_draft
from tournaments.play.services.drafts import give_bye, seat_together, swap_open, swap_players, undo_edit
from tournaments.play.services.events import disqualify, drop, finish_event, reinstate, reopen_event, start_event
from tournaments.play.services.following import follow_round, undo_follow
from tournaments.play.services.late import enter_at_desk, enter_late, enter_teams_at_desk
from tournaments.play.services.lineups import change_lineup
from tournaments.play.services.losses import lose_next_round, lose_now, take_loss_back
from tournaments.play.services.meeting import hold_meeting
from tournaments.play.services.merging import merge_entrants
from tournaments.play.services.repairs import repair_round
from tournaments.play.services.replays import can_be_replayed, replay_match
from tournaments.play.services.results import (
    Proof,
    confirm_result,
    contest_result,
    record_evidence,
    report_result,
    rule_result,
    withdraw_evidence,
)
from tournaments.play.services.rounds import (
    close_and_pair,
    close_round,
    discard_draft,
    pair_again,
    pair_round,
    publish_round,
    reopen_round,
    undo_open,
    unpublish_round,
)
from tournaments.play.services.several import for_several
from tournaments.play.services.stages import cut_shown, restart_stage, start_stage, undo_stage
from tournaments.play.services.starting import choose_start
from tournaments.play.services.tardiness import confirm_game_loss, confirm_match_loss, note_empty, note_filled

__all__ = [
    "Proof",
    "ask_bye",
    "award_bye",
    "can_be_replayed",
    "cancel_clock_start",
    "change_lineup",
    "choose_start",
    "close_and_pair",
    "close_round",
    "confirm_board",
    "confirm_game_loss",
    "confirm_match_loss",
    "confirm_result",
    "contest_board",
    "contest_result",
    "cut_shown",
    "discard_draft",
    "disqualify",
    "drop",
    "enter_at_desk",
    "enter_late",
    "enter_result",
    "enter_teams_at_desk",
    "extend_round",
    "extend_table",
    "finish_event",
    "follow_round",
    "for_several",
    "give_bye",
    "hold_meeting",
    "lose_next_round",
    "lose_now",
    "merge_entrants",
    "move_draft",
    "note_empty",
    "note_filled",
    "pair_again",
    "pair_round",
    "pause_clock",
    "pause_draft",
    "publish_round",
    "record_evidence",
    "reinstate",
    "reopen_event",
    "reopen_round",
    "repair_round",
    "replay_match",
    "report_board",
    "report_result",
    "restart_stage",
    "resume_clock",
    "resume_draft",
    "rule_result",
    "seat_together",
    "start_clock",
    "start_draft",
    "start_event",
    "start_stage",
    "swap_open",
    "swap_players",
    "take_bye_back",
    "take_loss_back",
    "undo_draft",
    "undo_edit",
    "undo_follow",
    "undo_open",
    "undo_result",
    "undo_stage",
    "unpublish_round",
    "withdraw_evidence",
]
