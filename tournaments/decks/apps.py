from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "tournaments.decks"
    label = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Open the lists of those whom the desk enters after the lock."""
        from tournaments.decks.services import follow_entries
        from tournaments.events.signals import came_in

        came_in.connect(follow_entries)
