"""What to do after a refusal: a sentence shown below the refusal's own message, by its code, else by its status."""

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.refusals import InvalidInput, Refusal

_NOTHING = _("There is nothing else to do here: go back to where you were.")
_ROLE = _("Ask somebody on the staff whose role covers this.")
_NOT_AT_TABLE = _("Ask somebody on the staff whose role covers this and who does not play at that table.")


def _all(step: Promise | str, codes: str) -> Iterable[tuple[str, Promise | str]]:
    return ((code, step) for code in codes.split())


BY_CODE: Mapping[str, Promise | str] = dict(
    chain(
        # The message of these refusals already says what to do.
        _all("", "invitation_spent last_owner link_spent sign_in_name_taken throttled too_many_attempts"),
        _all("", "check_in_not_held reports_differ score_not_taken"),
        _all(
            "",
            "ability_faulty account_needed boards_missing code_invalid code_takes_off confirmation_wrong count_invalid"
            " draw_invalid entry_missing event_unknown file_is_json kind_unknown line_too_long"
            " lineup_invalid member_missing minutes_invalid name_is_address name_missing no_seeds not_seated"
            " not_two_logs pair_wrong photo_animated photo_too_many_pixels photo_unreadable provider_unknown"
            " ranks_invalid reason_missing same_event score_invalid settings_missing short_name_reserved"
            " short_name_taken table_not_taken teams_unreadable token_invalid too_many_applications too_many_entrants"
            " too_many_teams webhook_url_invalid winner_missing",
        ),
        _all(
            "",
            "too_many_invitations too_many_emails report_changed result_changed stage_begun stage_not_last round_open",
        ),
        _all(
            _("Ask at the desk: staff may still be able to do it."),
            "already_confirmed awarded_by_staff bye_not_offered check_in_closed decks_locked dropped_by_staff"
            " entrant_dropped late_entry_closed rounds_missed too_many_versions",
        ),
        _all(_("The organizer of the event can make more places."), "event_full"),
        _all(_("The organizer of the event decides who can still enter, and how."), "registration_closed"),
        _all(_("The organizer of the event decides what is shown, and when."), "hidden_now"),
        _all(_("Only the people who run this site can install it."), "catalog_unknown"),
        _all(_("Talk to a judge, who can explain what was decided."), "already_ruled disputed ruling_final too_late"),
        _all(_NOT_AT_TABLE, "own_match"),
        _all(_("Ask somebody on the staff who does not play in this event."), "staff_who_play"),
        _all(_ROLE, "role_too_low"),
        _all(_("Ask the head judge."), "head_judge_needed"),
        _all(
            _("Delete one that is no longer needed, then try again."),
            "too_many_announcements too_many_branches too_many_catalogues too_many_formats"
            " too_many_pairs too_many_stages too_many_uploads",
        ),
        _all(_("Use the log that is already there, or ask a judge which one counts."), "too_many_logs logs_differ"),
        _all(
            _NOTHING,
            "bracket_fixed disqualified entry_free first_stage no_choice no_engine no_opponent no_pools no_prize"
            " not_swiss nothing_to_keep nothing_to_undo scheme_fixed already_registered",
        ),
        _all(
            _("Complete what is missing: the pages of the desk list the tables and the entrants."),
            "not_ready results_missing too_few pool_missing no_list",
        ),
        _all(_("Add an address on your account page, or leave it as it is."), "address_confirmed"),
        _all(_("Sign in to that account, or have a new password sent to it."), "email_taken"),
        _all(_("Ask the person to create an account first, or invite them with a link."), "account_unknown"),
    )
)
BY_STATUS: Mapping[int, Promise | str] = {
    403: _ROLE,
    404: _("Check the address, or sign in with the account it was meant for."),
    409: _("Reload the page: it shows how things stand and what can be done now."),
    413: _("Send less at a time, or a smaller file."),
    429: _("Wait a while, then try again."),
}
BY_KIND: tuple[tuple[re.Pattern[str], Promise | str], ...] = (
    (re.compile(r"_unknown$|^no_such_|_not_found$"), _("Go back, reload the page and choose again.")),
    (re.compile(r"^(file|photo|transfer)_|^encoding_|^columns_"), _("Choose another file, then send it again.")),
    (
        re.compile(r"_(invalid|missing|wrong|unreadable|empty)$|(^|_)too_(long|large|many)|^out_of_"),
        _("Correct this, then send it again."),
    ),
)
"""For invalid input, by the code: only where something in the input is wrong can it be corrected."""


def next_step(refusal: Refusal) -> Promise | str:
    """What to do now; empty if the refusal's own message says it."""
    if refusal.code in BY_CODE:
        return BY_CODE[refusal.code]
    if refusal.status == InvalidInput.status:
        return next((step for kind, step in BY_KIND if kind.search(refusal.code)), _NOTHING)
    return BY_STATUS.get(refusal.status, _NOTHING)
