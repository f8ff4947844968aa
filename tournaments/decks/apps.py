from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "tournaments.decks"
    label = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect what follows entries: late lists, lists that come in with entrants, those of teams that change."""
        from tournaments.decks.entry_lists import follow_lists
        from tournaments.decks.services import follow_entries
        from tournaments.decks.team_decks import follow_leaving
        from tournaments.events.signals import came_in, lists_came, member_left

        came_in.connect(follow_entries)
        lists_came.connect(follow_lists)
        member_left.connect(follow_leaving)
