from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "tournaments.play"
    label = "play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """See to whom the desk enters while an event runs."""
        from tournaments.events.signals import came_in, coming_in
        from tournaments.play.services.late import refuse_once_paired, seat_anew

        coming_in.connect(refuse_once_paired)
        came_in.connect(seat_anew)
