from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "tournaments.play"
    label = "play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Handle entrants that the desk adds while an event runs; `events` cannot import this app."""
        from tournaments.common import ledger
        from tournaments.events.signals import came_in, coming_in
        from tournaments.play.services.late import redraw_first_stage, refuse_once_paired
        from tournaments.play.services.unpaid import follow

        ledger.follow(follow)
        coming_in.connect(refuse_once_paired)
        came_in.connect(redraw_first_stage)
