"""URL patterns of the public pages."""

from django.urls import URLPattern, path

from tournaments.web.pages.audits import watching
from tournaments.web.pages.event_files import archive
from tournaments.web.pages.public import about, following, public, styleguide
from tournaments.web.pages.standings import final, standings, statistics

urlpatterns: list[URLPattern] = [
    path("", public.home, name="home"),
    path("archive/", public.archive, name="archive"),
    path("e/<str:event_id>/", public.event, name="event"),
    path("join/<str:event_id>/<str:signature>/", public.join, name="join"),
    path("e/<str:event_id>/entrants/", public.entrants, name="entrants"),
    path("e/<str:event_id>/entrants/<str:entrant_id>/", following.entrant, name="entrant"),
    path("e/<str:event_id>/rounds/<int:number>/followed/", following.followed, name="followed"),
    path("e/<str:event_id>/rounds/<int:number>/", public.pairings, name="pairings"),
    path("e/<str:event_id>/standings/", standings.standings, name="standings"),
    path("e/<str:event_id>/standings/changes/", standings.standings_changes, name="standings_changes"),
    path("e/<str:event_id>/standings/trf/", standings.standings_trf, name="standings_trf"),
    path("e/<str:event_id>/standings/<str:entrant_id>/", standings.standing, name="standing"),
    path("e/<str:event_id>/final/", final.final, name="final"),
    path("e/<str:event_id>/winners.png", final.winners, name="winners"),
    path("e/<str:event_id>/statistics/", statistics.statistics, name="statistics"),
    path("e/<str:event_id>/stages/<int:number>/", public.stage, name="stage"),
    path("e/<str:event_id>/checks/", archive.checks, name="checks"),
    path("e/<str:event_id>/checks/now/", archive.check_now, name="check_now"),
    path("verify/", archive.verify, name="verify"),
    path("verify/keys/", archive.ledger_keys, name="ledger_keys"),
    path("verify/<str:verification_id>/", archive.verification, name="verification"),
    path("m/<str:match_id>/", public.match, name="match"),
    path("m/<str:match_id>/watch/", watching.watch, name="watch"),
    path("m/<str:match_id>/watch/<int:number>/<int:n>/", watching.watch_step, name="watch_step"),
    path("privacy/", about.privacy, name="privacy"),
    path("terms/", about.terms, name="terms"),
    path("contact/", about.contact, name="contact"),
    path("offline-worker.js", about.offline_worker, name="offline_worker"),
    path("recordings/rules-worker.js", about.rules_worker, name="rules_worker"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
