"""What pages say of a verified event file: faults and reasons by their codes."""

from django.utils.translation import gettext_lazy as _

FAULTS = {
    "line_unchained": _("The line does not follow from the line before it."),
    "reference_missing": _("It names what is not in the file."),
    "listed_twice": _("Something is in the file twice."),
    "ledger_changed": _("The ledger entry was changed."),
    "ledger_order": _("The ledger entry does not follow the one before it."),
    "ledger_gap": _("A ledger entry is missing."),
    "ledger_head": _("The ledger does not end where it should."),
    "note_changed": _("The note of a ledger entry was changed."),
    "setting_invalid": _("The event has a setting that is not possible."),
    "result_unrecorded": _("The result is not the one that the ledger tells."),
    "seed_foreign": _("The seed of the round is not that of its stage."),
    "pairing_differs": _("Computed again, the pairings are others."),
    "hand_unrecorded": _("The ledger knows of no change by hand."),
    "standings_differ": _("Computed again, the standings are others."),
    "standings_missing": _("Standings are missing."),
    "list_changed": _("The decklist or pool was changed."),
    "list_unrecorded": _("The ledger knows no such decklist or pool."),
    "catalogue_changed": _("The list of cards was changed."),
    "log_changed": _("The move log was changed."),
    "log_unrecorded": _("The ledger knows no such move log."),
    "audit_differs": _("Replayed by the engine, the log has another verdict."),
    "audit_missing": _("The audit of the log is missing."),
    "report_changed": _("The report of the audit was changed."),
    "audit_unrecorded": _("The ledger knows no such audit."),
    "ruling_unrecorded": _("The ledger does not tell this ruling."),
    "call_unrecorded": _("The call is not the one that the ledger tells."),
    "check_unrecorded": _("The deck check is not the one that the ledger tells."),
    "draw_differs": _("Drawn again, the tables of the deck check are others."),
    "penalty_unrecorded": _("The penalty is not the one that the ledger tells."),
    "loss_unrecorded": _("The loss is not the one that the ledger tells."),
    "dispute_unrecorded": _("The dispute is not the one that the ledger tells."),
    "record_missing": _("What the ledger tells here is not in the file."),
    "cannot_compute": _("What stands here cannot be computed."),
}
LEFT = {
    "by_hand": _("Changed by hand, as the ledger tells: it cannot be computed again."),
    "other_version": _("Paired by a version that is not known here: it cannot be computed again."),
}
CHECKED = {
    "line": _("Lines"),
    "ledger": _("Ledger entries"),
    "note": _("Notes"),
    "match": _("Results"),
    "pairing": _("Rounds paired again"),
    "standings": _("Standings"),
    "decklist": _("Decklists"),
    "pool": _("Pools"),
    "log": _("Move logs"),
    "call": _("Judge calls"),
    "deck_check": _("Deck checks"),
    "penalty": _("Penalties"),
    "loss": _("Losses"),
    "dispute": _("Disputes"),
    "ruling": _("Rulings"),
}
BROKEN = _("The file is cut short or was changed by hand, so that it is no event file any more.")
REASONS = {
    "not_an_event_file": _("This is no event file."),
    "unknown_version": _("The file is of a version that is not known here."),
    "too_large": _("The file is too large for this page; the command verify_event takes larger ones."),
    "too_long": _("It would take too long here; the command verify_event takes its time."),
}
