"""URL patterns of the player pages."""

from django.urls import URLPattern, path

from tournaments.web.pages.judging import calling
from tournaments.web.pages.payments import paying
from tournaments.web.pages.player import boards, player, registering
from tournaments.web.pages.teams import teams

urlpatterns: list[URLPattern] = [
    path("e/<str:event_id>/me/", player.me, name="me"),
    path("e/<str:event_id>/me/deck/", player.deck, name="deck"),
    path("e/<str:event_id>/me/pool/", player.pool, name="my_pool"),
    path("e/<str:event_id>/me/drop/", player.drop_self, name="drop_self"),
    path("e/<str:event_id>/me/check-in/", player.check_in_self, name="check_in_self"),
    path("e/<str:event_id>/me/bye/", player.ask_bye_self, name="ask_bye_self"),
    path("e/<str:event_id>/register/", registering.register, name="register"),
    path("teams/<str:entrant_id>/", teams.team, name="team"),
    path("team/<str:entrant_id>/<str:signature>/", teams.team_join, name="team_join"),
    path("applications/<str:application_id>/withdraw/", registering.application_withdraw, name="application_withdraw"),
    path("e/<str:event_id>/me/pay/", paying.pay, name="pay"),
    path("payments/notices/<slug:provider>/", paying.payment_notice, name="payment_notice"),
    path("payments/<str:payment_id>/", paying.payment, name="payment"),
    path("payments/<str:payment_id>/cancel/", paying.payment_cancel, name="payment_cancel"),
    path("e/<str:event_id>/me/answers/", registering.my_answers, name="my_answers"),
    path("m/<str:match_id>/report/", player.report, name="report"),
    path("m/<str:match_id>/confirm/", player.confirm, name="confirm"),
    path("m/<str:match_id>/contest/", player.contest, name="contest"),
    path("m/<str:match_id>/boards/<int:number>/report/", boards.board_report, name="board_report"),
    path("m/<str:match_id>/boards/<int:number>/confirm/", boards.board_confirm, name="board_confirm"),
    path("m/<str:match_id>/boards/<int:number>/contest/", boards.board_contest, name="board_contest"),
    path("m/<str:match_id>/call/", calling.call_judge, name="call_judge"),
    path("calls/<str:call_id>/withdraw/", calling.call_withdraw, name="call_withdraw"),
    path("m/<str:match_id>/start/", player.choose_start, name="choose_start"),
    path("m/<str:match_id>/claim/", player.claim, name="claim"),
    path("m/<str:match_id>/appeal/", player.appeal, name="appeal"),
]
