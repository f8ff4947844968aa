"""Addresses of the public pages."""

from django.urls import URLPattern, path

from tournaments.web.views import public

urlpatterns: list[URLPattern] = [
    path("", public.home, name="home"),
    path("e/<str:event_id>/", public.event, name="event"),
    path("e/<str:event_id>/entrants/", public.entrants, name="entrants"),
    path("e/<str:event_id>/rounds/<int:number>/", public.pairings, name="pairings"),
    path("e/<str:event_id>/standings/", public.standings, name="standings"),
    path("e/<str:event_id>/stages/<int:number>/", public.stage, name="stage"),
    path("m/<str:match_id>/", public.match, name="match"),
    path("styleguide/", public.styleguide, name="styleguide"),
]
