"""Addresses: pages at the root, the API under /api/v1/."""

from django.urls import include, path

from tournaments.config.health import health

urlpatterns = [
    path("", include("tournaments.web.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("healthz", health),
]

handler400 = "tournaments.web.failures.not_readable"
handler500 = "tournaments.web.failures.failed"
