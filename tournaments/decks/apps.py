from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "tournaments.decks"
    label = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect what follows entries: late lists are accepted, and lists that come in with entrants submitted."""
        from tournaments.decks.entry_lists import follow_lists
        from tournaments.decks.services import follow_entries
        from tournaments.events.signals import came_in, lists_came

        came_in.connect(follow_entries)
        lists_came.connect(follow_lists)
