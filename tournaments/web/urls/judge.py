"""Addresses of the judge pages, and of logs and their audits."""

from django.urls import URLPattern, path

from tournaments.web.views import recorder
from tournaments.web.views.judge import asking, audits, branches, logs, matches

urlpatterns: list[URLPattern] = [
    path("e/<str:event_id>/judge/", matches.judge, name="judge"),
    path("e/<str:event_id>/judge/ask/", asking.ask, name="ask"),
    path("m/<str:match_id>/judge/", matches.judge_match, name="judge_match"),
    path("m/<str:match_id>/rule/", matches.rule, name="rule"),
    path("m/<str:match_id>/games/<int:number>/log/", logs.log_upload, name="log_upload"),
    path("m/<str:match_id>/games/<int:number>/record/", recorder.record_open, name="record_open"),
    path("recordings/<str:recording_id>/", recorder.record, name="record"),
    path("recordings/<str:recording_id>/state/<int:n>/", recorder.record_state, name="record_state"),
    path("logs/<str:log_id>/", audits.audit, name="audit"),
    path("logs/<str:log_id>/moves/<int:n>/", audits.audit_step, name="audit_step"),
    path("logs/<str:log_id>/moves/<int:n>/legal/", audits.audit_legal, name="audit_legal"),
    path("logs/<str:log_id>/moves/<int:n>/text/", audits.audit_text, name="audit_text"),
    path("logs/<str:log_id>/moves/<int:n>/what-if/", branches.what_if, name="what_if"),
    path("what-if/<int:key>/", branches.branch, name="branch"),
    path("logs/<str:log_id>/merge/<str:other_id>/", logs.log_merge, name="log_merge"),
    path("logs/<str:log_id>/file/", logs.log_download, name="log_download"),
]
