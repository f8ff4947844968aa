"""URL patterns of the judge pages, move logs and audits."""

from django.urls import URLPattern, path

from tournaments.web.pages.audits import asking, audits, branches, bulk, keeping, logs, pads, recorder, trying
from tournaments.web.pages.disputes import matches
from tournaments.web.pages.judging import calling, checking, penalizing

urlpatterns: list[URLPattern] = [
    path("e/<str:event_id>/judge/", matches.judge, name="judge"),
    path("e/<str:event_id>/judge/ask/", asking.ask, name="ask"),
    path("e/<str:event_id>/judge/bulk/", bulk.bulk_start, name="bulk_start"),
    path("bulk-audits/<str:bulk_id>/", bulk.bulk, name="bulk"),
    path("bulk-audits/<str:bulk_id>/cancel/", bulk.bulk_cancel, name="bulk_cancel"),
    path("m/<str:match_id>/judge/", matches.judge_match, name="judge_match"),
    path("calls/<str:call_id>/<slug:action>/", calling.call_step, name="call_step"),
    path("e/<str:event_id>/judge/penalties/", penalizing.penalties, name="penalties"),
    path("entrants/<str:entrant_id>/penalty/", penalizing.penalty_give, name="penalty_give"),
    path("entrants/<str:entrant_id>/reopen-list/", penalizing.list_reopen, name="list_reopen"),
    path("entrants/<str:entrant_id>/close-list/", penalizing.list_close, name="list_close"),
    path("penalties/<str:penalty_id>/withdraw/", penalizing.penalty_withdraw, name="penalty_withdraw"),
    path("e/<str:event_id>/judge/checks/<int:number>/", checking.deck_checks, name="deck_checks"),
    path("deck-checks/<str:check_id>/", checking.deck_check, name="deck_check"),
    path("m/<str:match_id>/turn/", calling.note_turn, name="note_turn"),
    path("m/<str:match_id>/ask/", asking.ask_table, name="ask_table"),
    path("positions/<str:position_id>/", keeping.position, name="position"),
    path("positions/<str:position_id>/table/", trying.position_table, name="position_table"),
    path("positions/<str:position_id>/photos/", keeping.position_photo, name="position_photo"),
    path("positions/<str:position_id>/sign/", keeping.position_sign, name="position_sign"),
    path("photos/<str:photo_id>/", keeping.photo, name="photo"),
    path("m/<str:match_id>/rule/", matches.rule, name="rule"),
    path("m/<str:match_id>/games/<int:number>/log/", logs.log_upload, name="log_upload"),
    path("m/<str:match_id>/games/<int:number>/record/", recorder.record_open, name="record_open"),
    path("m/<str:match_id>/games/<int:number>/pad/", pads.pad, name="pad"),
    path("e/<str:event_id>/record/", recorder.record_tables, name="record_tables"),
    path("recordings/<str:recording_id>/", recorder.record, name="record"),
    path("recordings/<str:recording_id>/table/", recorder.record_table, name="record_table"),
    path("recordings/<str:recording_id>/entries/", recorder.record_entries, name="record_entries"),
    path("recordings/<str:recording_id>/state/<int:n>/", recorder.record_state, name="record_state"),
    path("logs/<str:log_id>/", audits.audit, name="audit"),
    path("logs/<str:log_id>/share/", audits.audit_share, name="audit_share"),
    path("logs/<str:log_id>/steps/", audits.audit_steps, name="audit_steps"),
    path("logs/<str:log_id>/moves/<int:n>/", audits.audit_step, name="audit_step"),
    path("logs/<str:log_id>/moves/<int:n>/legal/", audits.audit_legal, name="audit_legal"),
    path("logs/<str:log_id>/moves/<int:n>/text/", audits.audit_text, name="audit_text"),
    path("logs/<str:log_id>/moves/<int:n>/table/", trying.audit_table, name="audit_table"),
    path("logs/<str:log_id>/moves/<int:n>/what-if/", branches.what_if, name="what_if"),
    path("logs/<str:log_id>/moves/<int:n>/line/", branches.what_if_line, name="what_if_line"),
    path("what-if/<int:key>/", branches.branch, name="branch"),
    path("logs/<str:log_id>/merge/<str:other_id>/", logs.log_merge, name="log_merge"),
    path("logs/<str:log_id>/file/", logs.log_download, name="log_download"),
]
