"""Addresses of the public pages."""

from django.urls import URLPattern, path

from tournaments.web.views import public, standings

urlpatterns: list[URLPattern] = [
    path("", public.home, name="home"),
    path("e/<str:event_id>/", public.event, name="event"),
    path("e/<str:event_id>/entrants/", public.entrants, name="entrants"),
    path("e/<str:event_id>/rounds/<int:number>/", public.pairings, name="pairings"),
    path("e/<str:event_id>/standings/", standings.standings, name="standings"),
    path("e/<str:event_id>/standings/changes/", standings.standings_changes, name="standings_changes"),
    path("e/<str:event_id>/standings/trf/", standings.standings_trf, name="standings_trf"),
    path("e/<str:event_id>/standings/<str:entrant_id>/", standings.standing, name="standing"),
    path("e/<str:event_id>/stages/<int:number>/", public.stage, name="stage"),
    path("m/<str:match_id>/", public.match, name="match"),
    path("styleguide/", public.styleguide, name="styleguide"),
]
