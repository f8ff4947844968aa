"""URLs: pages at the root, the API under /api/v1/."""

from django.urls import include, path

from tournaments.config import metrics
from tournaments.config.health import health
from tournaments.web.urls import allauth

urlpatterns = [
    path("", include("tournaments.web.urls")),
    path("", include(allauth.urlpatterns + allauth.aliases)),
    path("api/v1/", include("tournaments.api.urls")),
    path("healthz", health),
    path("metrics", metrics.show),
]

handler404 = "tournaments.web.failures.not_found"
handler400 = "tournaments.web.failures.not_readable"
handler500 = "tournaments.web.failures.failed"
handler429 = "tournaments.web.failures.too_many"  # used by allauth, not by Django
