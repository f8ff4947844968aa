"""Addresses of what stands on the floor: paper."""

from django.urls import URLPattern, path

from tournaments.web.views import printing

_PRINT = "e/<str:event_id>/print/"

urlpatterns: list[URLPattern] = [
    path(_PRINT, printing.printing, name="printing"),
    path(_PRINT + "<slug:kind>/", printing.print_page, name="print_page"),
    path(_PRINT + "<slug:kind>/pdf/", printing.print_pdf, name="print_pdf"),
    path("papers/<str:paper_id>/", printing.paper, name="paper"),
    path("papers/<str:paper_id>/file/", printing.paper_file, name="paper_file"),
]
