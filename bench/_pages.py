"""The pages that `bench.pages` requests, and those left out, with the reasons.

Each page has the role that requests it and the state of the event in which it does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Page:
    """A route as one role opens it, in an event in one of the states of `bench._states`."""

    route: str
    role: str
    state: str = "running"
    query: str = ""
    said: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.route, *map(str, self.said.values()), self.query, f"({self.role}, {self.state})"])


def _pages(role: str, *routes: str, state: str = "running") -> tuple[Page, ...]:
    return tuple(Page(route, role, state) for route in routes)


NOW = {"number": 4}  # the round under way
PAGES = (
    *_pages("visitor", "home", "archive", "event", "entrants", "standings", "standings_changes", "standings_trf"),
    *_pages("visitor", "standing", "match", "watch", "watch_step", "watch_screen", "verification", "seat", "exports"),
    *(Page("event_embed", "visitor", said={"what": what}) for what in ("pairings", "standings")),
    *_pages("visitor", "watch_overlay", "watch_embed", "watch_preview", "preview", "league_preview"),
    *_pages("visitor", "sitemap", "club", "convention"),
    *_pages("visitor", "announcements", "screens", "checks", "leagues", "league", "league_player", "league_export"),
    *_pages("visitor", "league_ratings"),
    *_pages("visitor", "event", "claim_entry", "entry_invitation", state="open"),
    *_pages("visitor", "entrant", "profile", "head_to_head"),
    Page("followed", "visitor", said=NOW),
    Page("pairings", "visitor", said=NOW),
    Page("pairings", "visitor", said=NOW, query="?by=name"),
    Page("stage", "visitor", "bracket"),
    *(Page("screen", "visitor", said={"what": what}) for what in ("clock", "pairings", "standings")),
    Page("screen", "visitor", "pods", said={"what": "pairings"}),
    *_pages("visitor", "standings", "final", "winners", state="over"),
    Page("stage", "visitor", "pods"),
    *_pages("player", "me", "deck", "report", "history", "account_data", "following", "own_profile"),
    *_pages("player", "deck", state="open"),
    *_pages("player", "position_sign"),
    *_pages("player", "my_pool", state="sealed"),
    *_pages("player", "me", state="pods"),
    *_pages("organizer", "staff", "staff_details", "staff_team", "staff_cards", "staff_format", "staff_procedures"),
    *_pages("organizer", "staff_visibility", "staff_prizes", "staff_scheme", "staff_ledger", "staff_entrants"),
    *_pages("organizer", "staff_stages", "staff_pairing", "staff_result", "staff_announcements", "feature"),
    *_pages("organizer", "staff_sites", "staff_registration", "staff_categories", "staff_seeds", "staff_payments"),
    *_pages("organizer", "staff_entry", "staff_name", "staff_deck", "invitation", "event_webhooks", "webhook"),
    *_pages("organizer", "printing"),
    *_pages("organizer", "paper", "paper_file", "file", "file_download", "decks", "statistics", "league_manage"),
    *_pages("organizer", "league_namesakes"),
    *_pages("organizer", "book", "book_entry", "bans", "ban_person"),
    *_pages("organizer", "club_manage", "club_series", "convention_manage"),
    *(Page(route, "organizer", said=NOW) for route in ("staff_round", "staff_late", "staff_results")),
    *_pages("organizer", "staff", "staff_entrants", "staff_import_new", "staff_import", state="open"),
    *_pages("organizer", "staff_applications", state="open"),
    *_pages("organizer", "staff_question", "staff_answers", "staff_category", state="asking"),
    *_pages("player", "my_answers", state="asking"),
    *_pages("organizer", "staff_paper_list", "staff_meeting", "staff_invitations", state="open"),
    *_pages("organizer", "staff_hands", "staff_round", state="drafted"),
    *_pages("organizer", "staff_mend", state="forgotten"),
    *_pages("organizer", "staff", "staff_draft", state="pods"),
    *_pages("organizer", "staff_pools", "staff_type_pool", "pool", state="sealed"),
    *_pages("organizer", "staff", "staff_prizes", "staff_qualify", "statistics", state="over"),
    *_pages("judge", "judge", "ask", "bulk_start", "bulk", "judge_match", "penalties", "penalty_give", "deck_check"),
    *_pages("judge", "ask_table", "position", "photo", "log_upload", "pad", "record_tables"),
    *_pages("judge", "record", "record_state", "record_table"),
    *_pages("judge", "audit", "audit_step", "audit_legal", "audit_text", "audit_table", "audit_picture"),
    *_pages("judge", "what_if", "branch", "branch_picture", "log_merge", "log_download"),
    *_pages("judge", "position_table", "position_picture"),
    Page("deck_checks", "judge", said=NOW),
)
# Exports and print sheets that list every entrant, and the boards of a whole game.
TABLES = ("entrants", "pairings", "results", "standings", "decks", "metagame")
SHEETS = ("round", "slips", "by_name", "by_table", "standings", "seats", "seat_links", "decks")
WHOLE = (
    *_pages("judge", "audit_steps"),
    *(Page("export", "organizer", said={"table": table, "form": form}) for table in TABLES for form in ("csv", "json")),
    Page("export", "organizer", said={"table": "decks", "form": "txt"}),
    *(Page("print_page", "organizer", query="?round=4", said={"kind": kind}) for kind in SHEETS),
)
_FIXED = "shows no event"
_CLUB = "shows the staff of a club, or all clubs"
_OWN = "shows the account of its reader"
_CARDS = "shows cards, of which an event of a thousand has no more"
LEFT_OUT = {
    **dict.fromkeys(
        (
            "privacy",
            "legal",
            "terms",
            "contact",
            "offline_worker",
            "rules_worker",
            "styleguide",
            "verify",
            "ledger_keys",
        ),
        _FIXED,
    ),
    **dict.fromkeys(("app", "manifest", "offline"), _FIXED),
    **dict.fromkeys(("event_new", "formats", "league_new", "robots", "security_txt", "event_ics"), _FIXED),
    **dict.fromkeys(("organizer_ics", "account_ics", "club_ics"), _OWN),
    **dict.fromkeys(("clubs", "club_new", "club_team", "convention_new"), _CLUB),
    **dict.fromkeys(("join", "register"), "leads on to the event"),
    **dict.fromkeys(
        ("staff_teams", "team", "team_join", "board_standings"), "shows teams, which this event has none of"
    ),
    "operator": "shows the site, and no event",
    "staff_start": "shows two figures, and a dozen names at most",
    **dict.fromkeys(("sign_in", "sign_up", "link", "reset_ask", "reset", "address", "guardian", "unsubscribe"), _OWN),
    **dict.fromkeys(("account", "account_notices", "persons", "webhooks"), _OWN),
    **dict.fromkeys(("mfa_authenticate", "mfa_login_webauthn", "mfa_index", "mfa_activate_totp"), _OWN),
    **dict.fromkeys(("mfa_view_recovery_codes", "mfa_add_webauthn", "mfa_reauthenticate"), _OWN),
    **dict.fromkeys(("mfa_reauthenticate_webauthn", "account_reauthenticate"), _OWN),
    **dict.fromkeys(("account_change_password", "account_set_password"), _OWN),
    "openid_connect_callback": _OWN,
    **dict.fromkeys(("transfer_new", "transfer"), "shows the file of another program, with its first players"),
    **dict.fromkeys(("pay", "payment", "staff_payment", "staff_note_payment"), "shows one payment"),
    "staff_payments_csv": "lists payments, of which the events measured have none",
    **dict.fromkeys(("catalogues", "catalogue", "catalogue_upload"), _CARDS),
    **dict.fromkeys(("catalogue_effects", "effects_download", "effects_apply", "card_effects"), _CARDS),
}
