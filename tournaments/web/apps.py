from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "tournaments.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals that wake the live streams of every process when an event changes."""
        # Imported here: it needs models, which are not loaded while this module is imported.
        from tournaments.web.live import wakeups

        wakeups.follow()
