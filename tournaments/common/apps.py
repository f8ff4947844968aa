from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.utils.module_loading import autodiscover_modules

from tournaments.common import reconnecting


class CommonConfig(AppConfig):
    name = "tournaments.common"
    label = "common"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the job handlers of every app's `tasks.py`, and wrap new database connections to reconnect."""
        connection_created.connect(reconnecting.follow)
        autodiscover_modules("tasks")
