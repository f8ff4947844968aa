from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    name = "tournaments.leagues"
    label = "leagues"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Recompute leagues when their events change; follow replaced and erased persons in player books."""
        from tournaments.accounts.signals import person_erased, person_replaced
        from tournaments.common.ledger import follow
        from tournaments.leagues.book import follow_person, forget
        from tournaments.leagues.services import event_moved

        follow(event_moved)
        person_erased.connect(forget)
        person_replaced.connect(follow_person)
