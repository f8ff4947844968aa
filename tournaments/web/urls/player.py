"""URL patterns of the player pages."""

from django.urls import URLPattern, path

from tournaments.web.pages.judging import calling
from tournaments.web.pages.player import player

urlpatterns: list[URLPattern] = [
    path("e/<str:event_id>/me/", player.me, name="me"),
    path("e/<str:event_id>/me/deck/", player.deck, name="deck"),
    path("e/<str:event_id>/me/pool/", player.pool, name="my_pool"),
    path("e/<str:event_id>/me/drop/", player.drop_self, name="drop_self"),
    path("e/<str:event_id>/me/check-in/", player.check_in_self, name="check_in_self"),
    path("e/<str:event_id>/me/bye/", player.ask_bye_self, name="ask_bye_self"),
    path("e/<str:event_id>/register/", player.register, name="register"),
    path("m/<str:match_id>/report/", player.report, name="report"),
    path("m/<str:match_id>/confirm/", player.confirm, name="confirm"),
    path("m/<str:match_id>/contest/", player.contest, name="contest"),
    path("m/<str:match_id>/call/", calling.call_judge, name="call_judge"),
    path("calls/<str:call_id>/withdraw/", calling.call_withdraw, name="call_withdraw"),
    path("m/<str:match_id>/start/", player.choose_start, name="choose_start"),
    path("m/<str:match_id>/claim/", player.claim, name="claim"),
    path("m/<str:match_id>/appeal/", player.appeal, name="appeal"),
]
