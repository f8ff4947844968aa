"""Addresses of the staff pages."""

from django.urls import URLPattern, path

from tournaments.web.views.staff import entrants, events, results, rounds, stages

_DESK = "e/<str:event_id>/staff/"
_ROUND = _DESK + "rounds/<int:number>/"

urlpatterns: list[URLPattern] = [
    path("staff/new/", events.event_new, name="event_new"),
    path(_DESK, events.staff, name="staff"),
    path(_DESK + "steps/<slug:step>/", events.staff_step, name="staff_step"),
    path(_DESK + "team/", events.staff_team, name="staff_team"),
    path(_DESK + "team/<int:pk>/revoke/", events.staff_revoke, name="staff_revoke"),
    path(_DESK + "cards/", events.staff_cards, name="staff_cards"),
    path(_DESK + "standings/", events.staff_scheme, name="staff_scheme"),
    path(_DESK + "ledger/", events.staff_ledger, name="staff_ledger"),
    path(_DESK + "entrants/", entrants.staff_entrants, name="staff_entrants"),
    path(_DESK + "entrants/add/", entrants.staff_entrant_add, name="staff_entrant_add"),
    path(_DESK + "entrants/<str:entrant_id>/disqualify/", entrants.staff_disqualify, name="staff_disqualify"),
    path(_DESK + "entrants/<str:entrant_id>/deck/", entrants.staff_paper_list, name="staff_paper_list"),
    path(_DESK + "entrants/<str:entrant_id>/<slug:gesture>/", entrants.staff_entrant, name="staff_entrant"),
    path("decks/<int:pk>/", entrants.staff_deck, name="staff_deck"),
    path(_DESK + "stages/", stages.staff_stages, name="staff_stages"),
    path(_DESK + "stages/start/", stages.staff_stage_start, name="staff_stage_start"),
    path(_DESK + "stages/<int:number>/", stages.staff_stage, name="staff_stage"),
    path(_DESK + "pair/", rounds.staff_pair, name="staff_pair"),
    path(_ROUND, rounds.staff_round, name="staff_round"),
    path(_ROUND + "discard/", rounds.staff_discard, name="staff_discard"),
    path(_ROUND + "publish/", rounds.staff_publish, name="staff_publish"),
    path(_ROUND + "close/", rounds.staff_close, name="staff_close"),
    path(_ROUND + "undo/<slug:gesture>/", rounds.staff_undo, name="staff_undo"),
    path(_ROUND + "hand/<slug:gesture>/", rounds.staff_hand, name="staff_hand"),
    path(_ROUND + "mend/", rounds.staff_mend, name="staff_mend"),
    path(_ROUND + "clock/extend/", rounds.staff_extend_round, name="staff_extend_round"),
    path(_ROUND + "clock/<slug:gesture>/", rounds.staff_clock, name="staff_clock"),
    path(_ROUND + "next/", rounds.staff_follow, name="staff_follow"),
    path(_ROUND + "undo-next/", rounds.staff_undo_follow, name="staff_undo_follow"),
    path(_ROUND + "results/", results.staff_results, name="staff_results"),
    path("m/<str:match_id>/staff/slip/", results.staff_slip, name="staff_slip"),
    path("m/<str:match_id>/staff/undo/", results.staff_slip_undo, name="staff_slip_undo"),
    path("m/<str:match_id>/staff/", rounds.staff_result, name="staff_result"),
    path("m/<str:match_id>/staff/extend/", rounds.staff_extend_table, name="staff_extend_table"),
]
