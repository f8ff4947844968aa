from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.utils.module_loading import autodiscover_modules

from tournaments.common import reconnecting
from tournaments.common.moments import use_accepted_dates


class CommonConfig(AppConfig):
    name = "tournaments.common"
    label = "common"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the job handlers of every app's `tasks.py`, wrap new connections to reconnect, and bound dates."""
        use_accepted_dates()
        connection_created.connect(reconnecting.follow)
        autodiscover_modules("tasks")
