from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "tournaments.decks"
    label = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect `follow_entries`, which accepts the decklists of entrants whom the desk enters after the lock."""
        from tournaments.decks.services import follow_entries
        from tournaments.events.signals import came_in

        came_in.connect(follow_entries)
