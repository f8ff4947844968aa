"""URL patterns of the public pages."""

from django.urls import URLPattern, path

from tournaments.web.pages.audits import watching
from tournaments.web.pages.event_files import archive
from tournaments.web.pages.exports import calendars
from tournaments.web.pages.public import about, following, public, sharing, styleguide
from tournaments.web.pages.standings import boards, final, standings, statistics

urlpatterns: list[URLPattern] = [
    path("", public.home, name="home"),
    path("robots.txt", sharing.robots, name="robots"),
    path(".well-known/security.txt", sharing.security, name="security_txt"),
    path("sitemap.xml", sharing.sitemap, name="sitemap"),
    path("archive/", public.archive, name="archive"),
    path("e/<str:event_id>/", public.event, name="event"),
    path("join/<str:event_id>/<str:signature>/", public.join, name="join"),
    path("e/<str:event_id>/entrants/", public.entrants, name="entrants"),
    path("e/<str:event_id>/entrants/<str:entrant_id>/", following.entrant, name="entrant"),
    path("e/<str:event_id>/rounds/<int:number>/followed/", following.followed, name="followed"),
    path("e/<str:event_id>/rounds/<int:number>/", public.pairings, name="pairings"),
    path("e/<str:event_id>/standings/", standings.standings, name="standings"),
    path("e/<str:event_id>/standings/changes/", standings.standings_changes, name="standings_changes"),
    path("e/<str:event_id>/standings/boards/", boards.board_standings, name="board_standings"),
    path("e/<str:event_id>/standings/trf/", standings.standings_trf, name="standings_trf"),
    path("e/<str:event_id>/standings/<str:entrant_id>/", standings.standing, name="standing"),
    path("e/<str:event_id>/final/", final.final, name="final"),
    path("e/<str:event_id>/winners.png", final.winners, name="winners"),
    path("e/<str:event_id>/event.ics", calendars.event_ics, name="event_ics"),
    path("organizers/<str:account_id>/events.ics", calendars.organizer_ics, name="organizer_ics"),
    path("feed/<str:account_id>/<str:signature>/events.ics", calendars.account_ics, name="account_ics"),
    path("e/<str:event_id>/preview.png", sharing.preview, name="preview"),
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
    path("m/<str:match_id>/watch/preview.png", sharing.watch_preview, name="watch_preview"),
    path("privacy/", about.privacy, name="privacy"),
    path("legal/", about.legal, name="legal"),
    path("terms/", about.terms, name="terms"),
    path("contact/", about.contact, name="contact"),
    path("app/", about.app, name="app"),
    path("manifest.webmanifest", about.manifest, name="manifest"),
    path("offline/", about.offline, name="offline"),
    path("offline-worker.js", about.offline_worker, name="offline_worker"),
    path("recordings/rules-worker.js", about.rules_worker, name="rules_worker"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
