"""URL patterns of the staff pages.

Patterns with a fixed word come before those with `<slug:action>` at the same place, which would match it too.
"""

from django.urls import URLPattern, path

from tournaments.web.pages.clubs import belongings
from tournaments.web.pages.decks import formats
from tournaments.web.pages.entrants import answers, applications, entrants, imports, invitations, naming
from tournaments.web.pages.events import events, procedures, registration, sites, stages, team, visibility
from tournaments.web.pages.leagues import seeds
from tournaments.web.pages.payments import prices
from tournaments.web.pages.results import entering, results
from tournaments.web.pages.rounds import draft, pairing_settings, rounds
from tournaments.web.pages.standings import categories, prizes, qualification
from tournaments.web.pages.standings import schemes as standings
from tournaments.web.pages.teams import teams

_DESK = "e/<str:event_id>/staff/"
_ROUND = _DESK + "rounds/<int:number>/"

urlpatterns: list[URLPattern] = [
    path("staff/new/", events.event_new, name="event_new"),
    path("staff/formats/", formats.formats, name="formats"),
    path("staff/formats/<str:format_id>/club/", belongings.format_club, name="format_club"),
    path("staff/formats/<str:format_id>/delete/", formats.format_delete, name="format_delete"),
    path(_DESK, events.staff, name="staff"),
    path(_DESK + "steps/<slug:step>/", events.staff_step, name="staff_step"),
    path(_DESK + "start/", events.staff_start, name="staff_start"),
    path(_DESK + "details/", events.staff_details, name="staff_details"),
    path(_DESK + "contact/", team.staff_contact, name="staff_contact"),
    path(_DESK + "registration/", registration.staff_registration, name="staff_registration"),
    path(_DESK + "registration/questions/", registration.staff_question_add, name="staff_question_add"),
    path(_DESK + "registration/questions/<int:number>/", registration.staff_question, name="staff_question"),
    path(_DESK + "teams/", teams.staff_teams, name="staff_teams"),
    path(_DESK + "teams/settings/", teams.staff_teams_choose, name="staff_teams_choose"),
    path(_DESK + "teams/list/", teams.staff_teams_add, name="staff_teams_add"),
    path(_DESK + "join-link/", registration.staff_join_link, name="staff_join_link"),
    path(_DESK + "sites/", sites.staff_sites, name="staff_sites"),
    path(_DESK + "team/", team.staff_team, name="staff_team"),
    path(_DESK + "team/hand-over/", team.staff_hand_over, name="staff_hand_over"),
    path(_DESK + "team/<int:pk>/revoke/", team.staff_revoke, name="staff_revoke"),
    path(_DESK + "team/invite/", team.staff_invite, name="staff_invite"),
    path("invitations/<slug:invitation_id>/withdraw/", team.staff_uninvite, name="staff_uninvite"),
    path("invitation/<slug:invitation_id>/<str:secret>/", team.invitation, name="invitation"),
    path(_DESK + "cards/", events.staff_cards, name="staff_cards"),
    path(_DESK + "format/", formats.staff_format, name="staff_format"),
    path(_DESK + "ruleset/", formats.staff_ruleset, name="staff_ruleset"),
    path(_DESK + "procedures/", procedures.staff_procedures, name="staff_procedures"),
    path(_DESK + "visibility/", visibility.staff_visibility, name="staff_visibility"),
    path(_DESK + "meeting/", procedures.staff_meeting, name="staff_meeting"),
    path(_DESK + "prize-categories/", categories.staff_categories, name="staff_categories"),
    path(_DESK + "prize-categories/<int:number>/", categories.staff_category, name="staff_category"),
    path(_DESK + "qualification/", qualification.staff_qualify, name="staff_qualify"),
    path(_DESK + "prizes/", prizes.staff_prizes, name="staff_prizes"),
    path(_DESK + "prizes/<str:entrant_id>/<slug:action>/", prizes.staff_prize, name="staff_prize"),
    path(
        _DESK + "prize-categories/<int:number>/prizes/<str:entrant_id>/<slug:action>/",
        prizes.staff_category_prize,
        name="staff_category_prize",
    ),
    path(_DESK + "payments/", prices.staff_payments, name="staff_payments"),
    path(_DESK + "payments/payments.csv", prices.staff_payments_csv, name="staff_payments_csv"),
    path(_DESK + "payments/prices/", prices.staff_price_add, name="staff_price_add"),
    path(_DESK + "payments/prices/<str:tier_id>/remove/", prices.staff_price_remove, name="staff_price_remove"),
    path(_DESK + "payments/codes/", prices.staff_code_add, name="staff_code_add"),
    path(_DESK + "payments/codes/<str:code_id>/remove/", prices.staff_code_remove, name="staff_code_remove"),
    path(_DESK + "payments/<str:payment_id>/", prices.staff_payment, name="staff_payment"),
    path(_DESK + "pools/", formats.staff_pools, name="staff_pools"),
    path(_DESK + "copy/", formats.staff_clone, name="staff_clone"),
    path(_DESK + "save-format/", formats.staff_save_format, name="staff_save_format"),
    path(_DESK + "standings/", standings.staff_scheme, name="staff_scheme"),
    path(_DESK + "ledger/", events.staff_ledger, name="staff_ledger"),
    path(_DESK + "entrants/", entrants.staff_entrants, name="staff_entrants"),
    path(_DESK + "entrants/add/", entrants.staff_entrant_add, name="staff_entrant_add"),
    path(_DESK + "entrants/several/", entrants.staff_entrants_several, name="staff_entrants_several"),
    path(_DESK + "entrants/import/", imports.staff_import_new, name="staff_import_new"),
    path(_DESK + "applications/", applications.staff_applications, name="staff_applications"),
    path(_DESK + "entrants/invitations/", invitations.staff_invitations, name="staff_invitations"),
    path(
        _DESK + "entrants/<str:entrant_id>/invitation/",
        invitations.staff_entry_invitation,
        name="staff_entry_invitation",
    ),
    path("entry-invitation/<slug:invitation_id>/<str:secret>/", invitations.entry_invitation, name="entry_invitation"),
    path("imports/<str:import_id>/", imports.staff_import, name="staff_import"),
    path("imports/<str:import_id>/<slug:action>/", imports.staff_import_end, name="staff_import_end"),
    path(_DESK + "entrants/<str:entrant_id>/disqualify/", entrants.staff_disqualify, name="staff_disqualify"),
    path(_DESK + "entrants/<str:entrant_id>/deck/", entrants.staff_paper_list, name="staff_paper_list"),
    path(_DESK + "entrants/<str:entrant_id>/pool/", formats.staff_type_pool, name="staff_type_pool"),
    path(_DESK + "entrants/<str:entrant_id>/answers/", answers.staff_answers, name="staff_answers"),
    path(_DESK + "entrants/<str:entrant_id>/consent/", answers.staff_consent, name="staff_consent"),
    path(_DESK + "entrants/<str:entrant_id>/entry/", entrants.staff_entry, name="staff_entry"),
    path(_DESK + "entrants/<str:entrant_id>/payment/", prices.staff_note_payment, name="staff_note_payment"),
    path(_DESK + "entrants/<str:entrant_id>/name/", naming.staff_name, name="staff_name"),
    path(_DESK + "entrants/<str:entrant_id>/<slug:action>/", entrants.staff_entrant, name="staff_entrant"),
    path("decks/<int:pk>/", entrants.staff_deck, name="staff_deck"),
    path("pools/<int:pk>/", formats.pool, name="pool"),
    path(_DESK + "stages/", stages.staff_stages, name="staff_stages"),
    path(_DESK + "stages/start/", stages.staff_stage_start, name="staff_stage_start"),
    path(_DESK + "stages/<int:number>/", stages.staff_stage, name="staff_stage"),
    path(_DESK + "stages/<int:number>/draft/", draft.staff_draft, name="staff_draft"),
    path(_DESK + "stages/<int:number>/draft/<slug:action>/", draft.staff_draft_clock, name="staff_draft_clock"),
    path(_DESK + "seeds/", seeds.staff_seeds, name="staff_seeds"),
    path(_DESK + "pairing/", pairing_settings.staff_pairing, name="staff_pairing"),
    path(_DESK + "pairing/stages/<int:number>/", pairing_settings.staff_pairing_stage, name="staff_pairing_stage"),
    path(_DESK + "pairing/tables/<int:number>/", pairing_settings.staff_pairing_tables, name="staff_pairing_tables"),
    path(_DESK + "pairing/add/<slug:what>/", pairing_settings.staff_pairing_add, name="staff_pairing_add"),
    path(_DESK + "pairing/pairs/<int:pk>/allow/", pairing_settings.staff_pairing_allow, name="staff_pairing_allow"),
    path(
        _DESK + "pairing/byes/<str:entrant_id>/<int:number>/back/",
        pairing_settings.staff_pairing_unbye,
        name="staff_pairing_unbye",
    ),
    path(_DESK + "pair/", rounds.staff_pair, name="staff_pair"),
    path(_ROUND, rounds.staff_round, name="staff_round"),
    path(_ROUND + "late/", procedures.staff_late, name="staff_late"),
    path(_ROUND + "discard/", rounds.staff_discard, name="staff_discard"),
    path(_ROUND + "publish/", rounds.staff_publish, name="staff_publish"),
    path(_ROUND + "close/", rounds.staff_close, name="staff_close"),
    path(_ROUND + "undo/<slug:action>/", rounds.staff_undo, name="staff_undo"),
    path(_ROUND + "hand/", rounds.staff_hands, name="staff_hands"),
    path(_ROUND + "hand/<slug:action>/", rounds.staff_hand, name="staff_hand"),
    path(_ROUND + "mend/", rounds.staff_mend, name="staff_mend"),
    path(_ROUND + "clock/extend/", rounds.staff_extend_round, name="staff_extend_round"),
    path(_ROUND + "clock/<slug:action>/", rounds.staff_clock, name="staff_clock"),
    path("m/<str:match_id>/late/<slug:action>/", procedures.staff_lateness, name="staff_lateness"),
    path(_ROUND + "next/", rounds.staff_follow, name="staff_follow"),
    path(_ROUND + "undo-next/", rounds.staff_undo_follow, name="staff_undo_follow"),
    path(_ROUND + "results/", results.staff_results, name="staff_results"),
    path("m/<str:match_id>/staff/slip/", results.staff_slip, name="staff_slip"),
    path("m/<str:match_id>/staff/undo/", results.staff_slip_undo, name="staff_slip_undo"),
    path("m/<str:match_id>/staff/", entering.staff_result, name="staff_result"),
    path("m/<str:match_id>/staff/extend/", rounds.staff_extend_table, name="staff_extend_table"),
]
