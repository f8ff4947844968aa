from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "tournaments.events"
    label = "events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Forget with the accounts what is kept of a person here."""
        from tournaments.accounts.signals import person_erased
        from tournaments.events.invitations import forget_addresses
        from tournaments.events.pairing import forget

        person_erased.connect(forget)
        person_erased.connect(forget_addresses)
