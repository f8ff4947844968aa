"""URL patterns for the tournament hall: printouts, seat links, screens, announcements, exports and event files."""

from django.urls import URLPattern, path

from tournaments.web.pages.announcements import announcing
from tournaments.web.pages.audits import watching
from tournaments.web.pages.event_files import archive
from tournaments.web.pages.exports import exporting, printing
from tournaments.web.pages.player import seats
from tournaments.web.pages.public import screens, widgets

_PRINT = "e/<str:event_id>/print/"

urlpatterns: list[URLPattern] = [
    path(_PRINT, printing.printing, name="printing"),
    path(_PRINT + "<slug:kind>/", printing.print_page, name="print_page"),
    path(_PRINT + "<slug:kind>/pdf/", printing.print_pdf, name="print_pdf"),
    path("papers/<str:paper_id>/", printing.paper, name="paper"),
    path("seat/<str:entrant_id>/<str:signature>/", seats.seat, name="seat"),
    path("seat/<str:entrant_id>/<str:signature>/check-in/", seats.seat_check_in, name="seat_check_in"),
    path("e/<str:event_id>/exports/", exporting.exports, name="exports"),
    path("e/<str:event_id>/exports/<slug:table>.<slug:form>", exporting.export, name="export"),
    path("e/<str:event_id>/decks/", exporting.decks, name="decks"),
    path("e/<str:event_id>/file/", archive.event_file, name="event_file"),
    path("files/<str:file_id>/", archive.file, name="file"),
    path("files/<str:file_id>/download/", archive.file_download, name="file_download"),
    path("e/<str:event_id>/screen/", screens.screens, name="screens"),
    path("e/<str:event_id>/screen/<slug:what>/", screens.screen, name="screen"),
    path("e/<str:event_id>/embed/<slug:what>/", widgets.event_embed, name="event_embed"),
    path("m/<str:match_id>/screen/", watching.watch_screen, name="watch_screen"),
    path("m/<str:match_id>/overlay/", watching.watch_overlay, name="watch_overlay"),
    path("m/<str:match_id>/embed/", watching.watch_embed, name="watch_embed"),
    path("m/<str:match_id>/feature/", watching.feature, name="feature"),
    path("e/<str:event_id>/announcements/", announcing.announcements, name="announcements"),
    path("e/<str:event_id>/staff/announcements/", announcing.staff_announcements, name="staff_announcements"),
    path("announcements/<str:announcement_id>/withdraw/", announcing.withdraw, name="withdraw"),
    path("papers/<str:paper_id>/file/", printing.paper_file, name="paper_file"),
]
