from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "tournaments.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals that wake the live streams of every process, and those of changed passwords."""
        # Imported here: they need models, which are not loaded while this module is imported.
        from tournaments.web import browsers
        from tournaments.web.live import wakeups

        wakeups.follow()
        browsers.follow()
