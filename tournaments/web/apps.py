from importlib import import_module

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "tournaments.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Set the messages of form fields, and connect the signals of live streams and of changed passwords."""
        # Imported here: they need models, which are not loaded while this module is imported.
        from tournaments.web.forms.plain_errors import use_plain_errors

        import_module("tournaments.web.checks")
        use_plain_errors()  # before any form is defined: a field reads its messages when it is made
        from tournaments.web import browsers
        from tournaments.web.live import wakeups

        wakeups.follow()
        browsers.follow()
