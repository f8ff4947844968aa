from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "tournaments.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wake the live streams of every process when an event moves."""
        from tournaments.web.live import wakeups

        wakeups.follow()
